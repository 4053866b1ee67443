//! Allocation in three stages (sections 3.3, 3.4, 5.6 and 5.7) and the VCs of output ports (5.10).

use super::input_ports::{InputPorts, NO_PORT, rotated_up_8, round_robin_8};
use super::link::Payload;
use super::output_ports::OutputPorts;
use crate::bits::{is_set, ones};
use powar_config::{Config, Deterministic};

/// Chances missed after which a packet asks although its input port is not ready.
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
    /// Ports that may be chosen.
    pub free: u64,
    /// Ports to take first.
    pub rank: u64,
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
    #[inline]
    pub fn grant<P: Payload>(
        &mut self,
        inputs: &mut InputPorts<P>,
        outputs: &mut OutputPorts,
        busy: u64,
        awake: u64,
        ready: u64,
    ) -> (u64, bool) {
        let (mut wanted, mut moving) = (0, false);
        for i in ones(inputs.present) {
            let port = &inputs.ports[i];
            // After this cycle's reads, `holding` is 0 where the packet before has just been read to its end.
            let can_take = port.head_valid & !port.holding;
            let drop = port.drop() & can_take;
            let choosing = still_free(inputs, i, port.choosing & can_take, busy);
            let pointer = port.arbiter_pointer;
            let mut request = drop | choosing;
            if request == 0 {
                continue;
            }
            if !is_set(ready, i) {
                let (asks, misses) = asks_anyway(inputs, i, choosing, awake);
                moving |= misses;
                request = drop | asks;
                if request == 0 {
                    continue;
                }
            }
            let pick = round_robin_8(request, pointer);
            let v = pick.trailing_zeros() as usize;
            if pick & drop != 0 {
                self.accept(inputs, i, v, NO_PORT, 0, awake);
                moving = true;
                continue;
            }
            let choice = inputs.channels[inputs.channel(i, v)].choice;
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
            self.accept(inputs, i, v, p as u8, output_vc, awake);
        }
        (wanted, moving | (wanted != 0))
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
        awake: u64,
    ) {
        let (channel, bit) = (inputs.channel(i, v), 1 << v);
        let (port, vc) = (&mut inputs.ports[i], &mut inputs.channels[channel]);
        port.arbiter_pointer = rotated_up_8(bit, inputs.vcs);
        vc.missed = 0;
        if port.choosing & bit != 0 {
            let past = self.past(vc.choice);
            if port.choice_adaptive & bit != 0 {
                vc.rrp = past;
            } else if self.set {
                vc.drp = past;
            }
            port.choosing &= !bit;
            port.choice_adaptive &= !bit;
        }
        inputs.accept(i, v, output, output_vc, awake);
    }

    /// Stage 1: the selectors' clock edge, but for those just served. Whether any choice has changed.
    ///
    /// A choice can only change if the packet is new, or by a port where something has changed.
    #[inline]
    pub fn choose<P: Payload>(
        &self,
        inputs: &mut InputPorts<P>,
        ports: &Choosable,
        changed_ports: u64,
        outputs: &OutputPorts,
    ) -> bool {
        let fresh = std::mem::take(&mut inputs.fresh);
        let mut changed = false;
        for i in ones(inputs.present) {
            if inputs.ports[i].interest & changed_ports == 0 && !is_set(fresh, i) {
                continue;
            }
            let port = &mut inputs.ports[i];
            let (mut choosing, mut adaptively, mut interest) = (0u8, 0u8, 0);
            for v in ones((port.head_valid & !port.drop()).into()) {
                let vc = &mut inputs.channels[i * inputs.vcs + v];
                let route = &vc.route;
                interest |= route.adaptive | route.deterministic;
                let from = |set: u64, vcs: u8| match set & ports.free {
                    0 => 0,
                    free => free & outputs.room_on(vcs),
                };
                let adaptive = from(route.adaptive, route.adaptive_vcs);
                let (candidates, pointer) = match adaptive {
                    0 => (from(route.deterministic, route.deterministic_vcs), vc.drp),
                    _ => (adaptive, vc.rrp),
                };
                if candidates != 0 {
                    let preferred = candidates & ports.rank;
                    let choice = first_from(if preferred != 0 { preferred } else { candidates }, pointer);
                    changed |= choice != vc.choice;
                    vc.choice = choice;
                    choosing |= 1 << v;
                    adaptively |= u8::from(adaptive != 0) << v;
                }
            }
            changed |= (choosing, adaptively) != (port.choosing, port.choice_adaptive);
            (port.choosing, port.choice_adaptive, port.interest) = (choosing, adaptively, interest);
        }
        changed
    }

    /// The place past a port, cyclically.
    #[inline]
    fn past(&self, place: u8) -> u8 {
        if place + 1 == self.ports { 0 } else { place + 1 }
    }
}

/// The VCs among `choosing` whose choice has not just been given to another packet.
#[inline]
fn still_free<P: Payload>(inputs: &InputPorts<P>, i: usize, choosing: u8, busy: u64) -> u8 {
    let given = |v: usize| (busy >> inputs.channels[inputs.channel(i, v)].choice & 1) as u8;
    ones(choosing.into()).fold(0, |free, v| free | (1 ^ given(v)) << v)
}

/// Of an input port that is not ready: the VCs among `choosing` that ask all the same, because the port they chose isn't awake or they
/// have missed the most chances. The others miss one more; whether there are any.
#[inline]
fn asks_anyway<P: Payload>(inputs: &mut InputPorts<P>, i: usize, choosing: u8, awake: u64) -> (u8, bool) {
    let mut asks = 0;
    for v in ones(choosing.into()) {
        let channel = inputs.channel(i, v);
        let vc = &mut inputs.channels[channel];
        let anyway = !is_set(awake, vc.choice.into()) | (vc.missed == MOST_MISSED);
        // One that is accepted in this cycle starts anew then.
        vc.missed += u8::from(!anyway);
        asks |= u8::from(anyway) << v;
    }
    (asks, asks != choosing)
}

/// The first of some requests at or after a place (0..=63), cyclically, as a number.
#[inline]
fn first_from(requests: u64, place: u8) -> u8 {
    let ahead = requests & u64::MAX << place;
    (if ahead != 0 { ahead } else { requests }).trailing_zeros() as u8
}
