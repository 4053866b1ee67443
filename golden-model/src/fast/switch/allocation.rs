//! Allocation in three stages and the VCs of output ports.

use super::input_ports::{InputPort, InputPorts, NO_PORT, VC_BITS, rotated_up_8, round_robin_8};
use super::link::Payload;
use super::output_ports::OutputPorts;
use crate::bits::{is_set, ones};
use crate::fast::power::bit_to_byte;
use powar_config::{Config, Deterministic};

/// Chances missed after which a packet asks although its input port can't read it.
const MOST_MISSED: u8 = 63;

/// The registers of the port arbiters; those of selectors and VC arbiters are with the input ports.
#[derive(Clone, Debug)]
pub(super) struct Allocation {
    ports: u8,
    /// D is a set with a pointer of its own, not at most one port.
    set: bool,
    /// Of each output port's arbiter, as a number.
    pub pointer: [u8; 64],
    /// The input ports that wish for each output port while arbiters decide, all zeros otherwise.
    wishes: [u64; 64],
    /// The VC that each input port wishes a port for, while arbiters decide.
    picked: [u8; 64],
}

/// What selectors look at, as masks over ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Choosable {
    pub grantable: u64,
    pub preferred: u64,
}

/// Ports that selectors see otherwise than when they last looked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Changes {
    /// Those that were grantable and are not any more.
    pub lost: u64,
    /// All other changes.
    pub more: u64,
}

impl Changes {
    /// Whether there are any.
    #[inline]
    pub fn any(&self) -> bool {
        self.lost | self.more != 0
    }
}

impl Allocation {
    pub fn new(config: &Config) -> Self {
        Allocation {
            ports: config.ports as u8,
            set: config.deterministic == Deterministic::Set,
            pointer: [0; 64],
            wishes: [0; 64],
            picked: [0; 64],
        }
    }

    pub fn reset(&mut self) {
        self.pointer = [0; 64];
    }

    /// Stages 2 and 3: picks, drops and grants, with all that they do to input and output ports. The output ports that are
    /// given to a packet, and whether any packet was accepted or missed a chance that counts.
    #[inline(never)]
    pub fn grant<P: Payload>(
        &mut self,
        inputs: &mut InputPorts<P>,
        outputs: &mut OutputPorts,
        held: u64,
        ready: u64,
        can_read: u64,
    ) -> (u64, bool) {
        let (mut wanted, mut moving) = (0, false);
        for i in ones(inputs.asking) {
            let port = &inputs.ports[i];
            // After this cycle's reads, `holding` is 0 where the packet before has just been read to its end.
            let can_take = port.head_valid & !port.holding;
            let drop = port.drop() & can_take;
            let choosing = match port.choosing & can_take {
                choosing if port.chosen & held != 0 => still_free(port, choosing, held),
                choosing => choosing,
            };
            let pointer = port.arbiter_pointer;
            let mut request = drop | choosing;
            if request == 0 {
                // Until something is chosen again, or what holds its VC has been read.
                inputs.asking &= !(1 << i);
                continue;
            }
            if !is_set(can_read, i) {
                // Those ask all the same that chose a port which is not ready or have missed the most chances. Others miss one.
                let port = &mut inputs.ports[i];
                let asks = choosing & (port.choice_unready | port.starved);
                if asks != choosing {
                    miss(port, choosing & !asks);
                    moving = true;
                }
                request = drop | asks;
                if request == 0 {
                    continue;
                }
            }
            let pick = round_robin_8(request, pointer);
            let v = pick.trailing_zeros() as usize;
            if pick & drop != 0 {
                self.drop(inputs, i, v, ready);
                moving = true;
                continue;
            }
            let choice = inputs.ports[i].choice[v & 7];
            self.wishes[usize::from(choice & 63)] |= 1 << i;
            wanted |= 1 << choice;
            self.picked[i] = v as u8;
        }
        for p in ones(wanted) {
            let wishes = std::mem::take(&mut self.wishes[p]);
            let i = first_from(wishes, self.pointer[p]);
            self.pointer[p] = self.past(i);
            let (i, v) = (usize::from(i), usize::from(self.picked[usize::from(i)]));
            let port = &inputs.ports[i];
            let route = &inputs.channels[inputs.channel(i, v)].route;
            let adaptive = port.choice_adaptive >> v & 1 == 1;
            let allowed = if adaptive { route.adaptive_vcs } else { route.deterministic_vcs };
            let output_vc = outputs.give(p, allowed);
            self.accept(inputs, i, v, p as u8, output_vc, ready);
        }
        (wanted, moving | (wanted != 0))
    }

    #[cold]
    fn drop<P: Payload>(&self, inputs: &mut InputPorts<P>, i: usize, v: usize, ready: u64) {
        self.accept(inputs, i, v, NO_PORT, 0, ready);
    }

    /// What an accept means to the arbiter of the VCs, to the selector and to the VC itself.
    #[inline]
    fn accept<P: Payload>(
        &self,
        inputs: &mut InputPorts<P>,
        i: usize,
        v: usize,
        output: u8,
        output_vc: u8,
        ready: u64,
    ) {
        let (channel, bit) = (inputs.channel(i, v), 1 << v);
        let (port, vc) = (&mut inputs.ports[i], &mut inputs.channels[channel]);
        port.arbiter_pointer = rotated_up_8(bit, inputs.vcs);
        port.missed &= !(0xff << (8 * v));
        port.starved &= !bit;
        if port.choosing & bit != 0 {
            let past = self.past(port.choice[v & 7]);
            if port.choice_adaptive & bit != 0 {
                vc.rrp = past;
            } else if self.set {
                vc.drp = past;
            }
            port.choosing &= !bit;
            port.choice_adaptive &= !bit;
        }
        inputs.accept(i, v, output, output_vc, ready);
    }

    /// Stage 1: the selectors' clock edge, but for those just served. Whether any of them that looked shows a choice now.
    ///
    /// A choice can only change if the packet is new, by a port that is grantable or preferred now and was not before, and by the
    /// chosen port if it is not grantable or not preferred any more.
    #[inline(never)]
    pub fn choose<P: Payload>(
        inputs: &mut InputPorts<P>,
        ports: &Choosable,
        changes: &Changes,
        outputs: &mut OutputPorts,
        ready: u64,
    ) -> bool {
        let fresh = std::mem::take(&mut inputs.fresh);
        let room = outputs.room_by_vcs(inputs.router.vcs_used());
        let &Choosable { grantable, preferred } = ports;
        let (channels, mut shown) = (&inputs.channels[..], 0);
        for i in ones(inputs.present) {
            let port = &mut inputs.ports[i];
            if port.interest & changes.more | port.chosen & changes.lost | fresh >> i & 1 == 0 {
                continue;
            }
            let drop = port.drop();
            let (mut choosing, mut adaptively, mut interest, mut chosen) = (0, 0, 0, 0);
            for v in ones((port.head_valid & !drop).into()) {
                let vc = &channels[i << VC_BITS | v];
                let route = &vc.route;
                interest |= route.adaptive | route.deterministic;
                let adaptive = route.adaptive & grantable & room[usize::from(route.adaptive_vcs)];
                let deterministic = route.deterministic & grantable & room[usize::from(route.deterministic_vcs)];
                let (candidates, pointer) = if adaptive != 0 { (adaptive, vc.rrp) } else { (deterministic, vc.drp) };
                if candidates != 0 {
                    let first = candidates & preferred;
                    let choice = first_from(if first != 0 { first } else { candidates }, pointer);
                    port.choice[v & 7] = choice;
                    chosen |= 1 << choice;
                    choosing |= 1u32 << v;
                    adaptively |= u32::from(adaptive != 0) << v;
                }
            }
            (port.choosing, port.choice_adaptive) = (choosing as u8, adaptively as u8);
            (port.interest, port.chosen) = (interest, chosen);
            port.choice_unready = if chosen & !ready != 0 { port.choices_outside(ready) } else { 0 };
            shown |= choosing;
            inputs.asking |= 1 << i;
        }
        shown != 0
    }

    /// The place past a port, cyclically.
    #[inline]
    fn past(&self, place: u8) -> u8 {
        if place + 1 == self.ports { 0 } else { place + 1 }
    }
}

/// The VCs among `choosing` whose choice has not just been given to another packet.
#[inline]
fn still_free(port: &InputPort, choosing: u8, held: u64) -> u8 {
    let given = |v: usize| (held >> port.choice[v & 7] & 1) as u8;
    ones(choosing.into()).fold(0, |free, v| free | (1 ^ given(v)) << v)
}

/// Packets of an input port miss a chance each. One that is accepted in this cycle starts anew then.
#[inline]
fn miss(port: &mut InputPort, vcs: u8) {
    port.missed += bit_to_byte(vcs.into());
    // A byte of a number from 64 - MOST_MISSED on has its bit 7 set by the addition.
    let most = (port.missed + u64::from(128 - MOST_MISSED) * 0x0101_0101_0101_0101) & 0x8080_8080_8080_8080;
    if most != 0 {
        port.starved = ones(most).fold(0, |starved, bit| starved | 1 << (bit / 8));
    }
}

/// The first of some requests at or after a place (0..=63), cyclically, as a number.
#[inline]
fn first_from(requests: u64, place: u8) -> u8 {
    let ahead = requests & u64::MAX << place;
    (if ahead != 0 { ahead } else { requests }).trailing_zeros() as u8
}
