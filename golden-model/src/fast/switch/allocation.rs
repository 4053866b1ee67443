//! The three stages of allocation: choices, picks, grants.

use super::input_port::{InputPort, NO_PORT, Pick};
use super::input_ports::InputPorts;
use super::link::{Payload, VC_BITS};
use super::output_ports::OutputPorts;
use crate::bits::{bit_to_byte, is_set, ones, rotated_up_8, round_robin_8};
use powar_config::{Config, Deterministic};

/// Chances missed after which a packet asks although its input port can't read it.
const MOST_MISSED: u8 = 63;

/// The registers behind the second stage and behind the third as masks over input ports, and the port arbiters; what else a pick is and
/// the registers of selectors and VC arbiters are with the input ports.
#[derive(Clone, Debug)]
pub(super) struct Allocation {
    /// D is a set with a pointer of its own, not at most one port.
    set: bool,
    /// What has been picked in the cycle before.
    pub picked: Picks,
    /// What was picked before that, and the input ports whose packet was granted its port, or is dropped.
    pub granted: Picks,
    pub accepted: u64,
    /// The place of what has been picked in [`InputPort::picks`]; places are used in turn.
    turn: u8,
    /// Of each output port.
    pub arbiters: [Arbiter; 64],
    /// Pointers that move with the end of this cycle, since the next packet of the VC chooses in it already: where next routes are.
    moved: Vec<Moved>,
    next_routes: bool,
}

/// A selector's pointer: the input VC, the place it moves to, and whether it is that of adaptive choices.
#[derive(Clone, Copy, Debug)]
struct Moved {
    channel: usize,
    past: u8,
    adaptive: bool,
}

/// A port arbiter; everything is a number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Arbiter {
    pub pointer: u8,
    /// While it decides: the pointer before, and the input port that wins so far.
    before: u8,
    winner: u8,
}

/// Input ports with a pick; those whose pick counts for nothing if there is one; those whose packet is to be dropped and counts; those
/// whose choice came from P.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Picks {
    pub ports: u64,
    pub stale: u64,
    pub drop: u64,
    pub adaptive: u64,
}

/// What selectors look at, as masks over ports: those that may be given to a packet, and those that are preferred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Choosable {
    pub open: u64,
    pub preferred: u64,
}

/// Ports that selectors see otherwise than when they last looked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Changes {
    /// Those that were open and are not any more.
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

/// Output ports as the second and the third stage see them: held, and ready in the cycle before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allocatable {
    pub held: u64,
    pub ready_before: u64,
}

/// Output ports that are given to packets in a cycle, and those that were given in the cycle before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Allocated {
    pub given: u64,
    pub granted: u64,
}

impl Allocation {
    pub fn new(config: &Config) -> Self {
        Allocation {
            set: config.deterministic == Deterministic::Set,
            picked: Picks::default(),
            granted: Picks::default(),
            accepted: 0,
            turn: 0,
            arbiters: [Arbiter::default(); 64],
            moved: Vec::new(),
            next_routes: config.next_routes(),
        }
    }

    /// Pointers are to be moved.
    #[inline]
    pub fn has_moved(&self) -> bool {
        !self.moved.is_empty()
    }

    /// Pointers move, so that selectors have to choose again in the next cycle.
    #[cold]
    pub fn move_pointers<P: Payload>(&mut self, inputs: &mut InputPorts<P>) {
        for Moved { channel, past, adaptive } in self.moved.drain(..) {
            let vc = &mut inputs.channels[channel];
            *(if adaptive { &mut vc.rrp } else { &mut vc.drp }) = past;
            inputs.fresh |= 1 << (channel >> VC_BITS);
        }
    }

    pub fn reset(&mut self) {
        self.arbiters = [Arbiter::default(); 64];
        (self.picked, self.granted, self.accepted) = (Picks::default(), Picks::default(), 0);
    }

    /// Nothing has been picked or granted.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.picked.ports | self.granted.ports == 0
    }

    /// A cycle of the second and the third stage, and what the grants of the cycle before do to input and output ports.
    #[inline(never)]
    pub fn step<P: Payload>(
        &mut self,
        now: u64,
        inputs: &mut InputPorts<P>,
        outputs: &mut OutputPorts,
        ports: &Allocatable,
    ) -> Allocated {
        let (given, accepted) = self.grant(&inputs.ports);
        for i in ones(accepted) {
            self.note_allowed(inputs, i);
        }
        let (taken, mut next) = (ports.held | given, Picks { stale: accepted, ..Picks::default() });
        let mut asking = 0;
        for i in ones(inputs.asking | self.picked.ports & self.picked.stale) {
            asking |= u64::from(self.pick(inputs, i, taken, ports.ready_before, &mut next)) << i;
        }
        inputs.asking = asking;
        let accepted_before = self.accepted;
        let mut granted = 0;
        for i in ones(accepted_before) {
            granted |= self.accept(now, inputs, outputs, i, ports);
        }
        self.granted = std::mem::replace(&mut self.picked, next);
        (self.accepted, self.turn) = (accepted, place_after(self.turn));
        Allocated { given, granted }
    }

    /// What has been picked of an input port that is among [`Allocation::picked`].
    #[inline]
    pub fn pick_of(&self, port: &InputPort) -> Pick {
        port.picks[usize::from(self.turn)]
    }

    /// The VCs of an input port whose packet is accepted in the cycle under way: one at most.
    #[inline]
    pub fn accepts(&self, i: usize, port: &InputPort) -> u8 {
        if is_set(self.accepted, i) { self.grant_of(port).vc() } else { 0 }
    }

    /// What was picked before that, of one that is among [`Allocation::granted`].
    #[inline]
    pub fn grant_of(&self, port: &InputPort) -> Pick {
        port.picks[usize::from(place_after(place_after(self.turn)))]
    }

    /// Stage 3: the output ports that are given, and the input ports whose packet gets one or is dropped.
    #[inline]
    fn grant(&mut self, inputs: &[InputPort]) -> (u64, u64) {
        let asking = self.picked.ports & !self.picked.stale;
        let (mut given, mut accepted) = (0, asking & self.picked.drop);
        for i in ones(asking & !self.picked.drop) {
            let p = self.pick_of(&inputs[i]).wish & 63;
            let (arbiter, i) = (&mut self.arbiters[usize::from(p)], i as u8);
            if is_set(given, p.into()) {
                // Of two requests the lower one goes first, unless only the other one is at or after the pointer.
                if (arbiter.winner >= arbiter.before) | (i < arbiter.before) {
                    continue;
                }
                accepted &= !(1 << arbiter.winner);
            } else {
                arbiter.before = arbiter.pointer;
            }
            (arbiter.winner, arbiter.pointer) = (i, past(i));
            given |= 1 << p;
            accepted |= 1 << i;
        }
        (given, accepted)
    }

    /// The output VCs allowed to the packet of an input port that is accepted in the next cycle.
    #[inline]
    fn note_allowed<P: Payload>(&self, inputs: &mut InputPorts<P>, i: usize) {
        let pick = &mut inputs.ports[i].picks[usize::from(self.turn)];
        let route = &inputs.channels[i << VC_BITS | usize::from(pick.vc)].route;
        pick.vcs = if is_set(self.picked.adaptive, i) { route.adaptive_vcs } else { route.deterministic_vcs };
    }

    /// Stage 2 at an input port. `taken`: the output ports that are held or given away in this cycle; what is picked is noted in `next`.
    /// Whether the port goes on asking: if not, then until something is chosen again, or what holds its VC has been read.
    #[inline]
    fn pick<P: Payload>(
        &self,
        inputs: &mut InputPorts<P>,
        i: usize,
        taken: u64,
        ready_before: u64,
        next: &mut Picks,
    ) -> bool {
        let can_take = inputs.can_take(i);
        let port = &mut inputs.ports[i];
        // Branch-free: unpredictable.
        let served = self.grant_of(port).vc() * (self.accepted >> i & 1) as u8;
        let before = self.pick_of(port).vc() * (self.picked.ports >> i & 1) as u8;
        let waits = port.valid & can_take & !served;
        let (drop, starved) = (port.drop & waits, port.starved);
        let chosen = port.choosing & waits;
        let choosing = if port.chosen & taken != 0 { still_free(port, chosen, taken) } else { chosen };
        // If the port can't read those ask all the same that chose a port which was not ready or have missed the most chances.
        let unready = if port.chosen & !ready_before != 0 { port.choices_outside(ready_before) } else { 0 };
        let reads = if is_set(inputs.can_read & !self.accepted, i) { u8::MAX } else { 0 };
        let asks = choosing & (reads | unready | starved);
        // The others miss a chance, and so does what has been picked before a packet of the port was accepted, unless it is overdue.
        let stale = before * (self.picked.stale >> i & 1) as u8;
        let missing = (choosing & !asks | stale) & !starved & !served;
        if missing != 0 {
            miss(port, missing);
        }
        let pick = round_robin_8(drop | asks, port.arbiter_pointer);
        let moved = pick & !drop;
        // What asks for an output port already does so again only if something else is chosen, or if that is stale.
        // A port that may be chosen while it is held is chosen still when it is held no more, also by who has lost it to another one.
        let asks_on = if inputs.short_packets { drop | chosen } else { (drop | choosing) & !moved } != 0;
        if pick == 0 {
            return asks_on;
        }
        let v = pick.trailing_zeros() as usize & 7;
        next.ports |= 1 << i;
        let place = usize::from(place_after(self.turn));
        if moved == 0 {
            next.drop |= !next.stale & 1 << i;
            port.picks[place] = Pick { vc: v as u8, wish: NO_PORT, vcs: 0 };
            return asks_on;
        }
        next.adaptive |= u64::from(port.choice_adaptive & pick != 0) << i;
        next.stale &= !(u64::from(pick & starved & !before != 0) << i);
        port.picks[place] = Pick { vc: v as u8, wish: port.choice[v], vcs: 0 };
        asks_on
    }

    /// What an accept means to the arbiter of the VCs, to the selector, to the output port and to the VC itself. The output port, if
    /// there is one.
    #[inline]
    fn accept<P: Payload>(
        &mut self,
        now: u64,
        inputs: &mut InputPorts<P>,
        outputs: &mut OutputPorts,
        i: usize,
        ports: &Allocatable,
    ) -> u64 {
        let port = &mut inputs.ports[i];
        let Pick { vc, wish: output, vcs } = self.grant_of(port);
        let v = usize::from(vc);
        let (channel, bit) = (i << VC_BITS | v, 1 << v);
        port.arbiter_pointer = rotated_up_8(bit, inputs.vcs);
        port.missed &= !(0xff << (8 * v));
        port.starved &= !bit;
        port.choosing &= !bit;
        port.choice_adaptive &= !bit;
        if output != NO_PORT {
            let (vc, past) = (&mut inputs.channels[channel], past(output));
            let adaptive = is_set(self.granted.adaptive, i);
            if self.next_routes && (adaptive || self.set) {
                self.moved.push(Moved { channel, past, adaptive });
            } else if adaptive {
                vc.rrp = past;
            } else if self.set {
                vc.drp = past;
            }
            outputs.allow(output, vcs);
        }
        inputs.accept(now, i, v, output, ports.ready_before);
        if output == NO_PORT { 0 } else { 1 << (output & 63) }
    }

    /// Stage 1: the selectors' clock edge, but for those just served.
    ///
    /// A choice can only change if its route is new, by a port that is open or preferred now and was not before, and by the chosen port
    /// if it is not open or not preferred any more.
    #[inline(never)]
    pub fn choose<P: Payload>(
        inputs: &mut InputPorts<P>,
        ports: &Choosable,
        changes: &Changes,
        outputs: &mut OutputPorts,
    ) {
        let fresh = std::mem::take(&mut inputs.fresh);
        let room = outputs.room_by_vcs(inputs.router.vcs_used());
        let &Choosable { open, preferred } = ports;
        let (channels, mut asking) = (&inputs.channels[..], inputs.asking);
        // Branch-free: unpredictable.
        let concerns = |port: &InputPort| port.interest & changes.more | port.chosen & changes.lost != 0;
        let concerned = ones(inputs.routed).fold(0, |ports, i| ports | u64::from(concerns(&inputs.ports[i & 63])) << i);
        for i in ones(concerned | fresh & inputs.routed) {
            let port = &mut inputs.ports[i];
            let (mut choosing, mut adaptively, mut interest, mut chosen) = (0, 0, 0, 0);
            // A choice that stays the same asks already, or waits for something that makes the port ask when it is over.
            let mut is_news = false;
            for v in ones((port.valid & !port.drop).into()) {
                let vc = &channels[i << VC_BITS | v];
                let route = &vc.route;
                interest |= route.adaptive | route.deterministic;
                let adaptive = route.adaptive & open & room[usize::from(route.adaptive_vcs)];
                let deterministic = route.deterministic & open & room[usize::from(route.deterministic_vcs)];
                let (candidates, pointer) = if adaptive != 0 { (adaptive, vc.rrp) } else { (deterministic, vc.drp) };
                if candidates != 0 {
                    let first = candidates & preferred;
                    let choice = first_from(if first != 0 { first } else { candidates }, pointer);
                    is_news |= (port.choosing >> v & 1 == 0) | (port.choice[v & 7] != choice);
                    port.choice[v & 7] = choice;
                    chosen |= 1 << choice;
                    choosing |= 1u32 << v;
                    adaptively |= u32::from(adaptive != 0) << v;
                }
            }
            (port.choosing, port.choice_adaptive) = (choosing as u8, adaptively as u8);
            (port.interest, port.chosen) = (interest, chosen);
            asking |= u64::from(is_news) << i;
        }
        inputs.asking = asking;
    }
}

/// The next of the three places for picks.
#[inline]
fn place_after(turn: u8) -> u8 {
    if turn == 2 { 0 } else { turn + 1 }
}

/// The pointer over ports past one. Past the last of a switch it need not go back to its first: nothing asks there, so that it comes to the same.
#[inline]
fn past(port: u8) -> u8 {
    (port + 1) & 63
}

/// The VCs among `choosing` whose choice is none of the ports that are taken.
#[inline]
fn still_free(port: &InputPort, choosing: u8, taken: u64) -> u8 {
    let is_taken = |v: usize| (taken >> port.choice[v & 7] & 1) as u8;
    ones(choosing.into()).fold(0, |free, v| free | (1 ^ is_taken(v)) << v)
}

/// Packets of an input port miss a chance each.
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
