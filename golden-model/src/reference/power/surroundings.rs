//! What power mechanisms see of the switch and of its neighbours if they ask for it.

use super::mechanism::RING;
use crate::lock_step::{Slots, declare};
use powar_config::signal::{fill, flags, phase, position, ring_word, stage};
use powar_config::{Habit, Owner, Role, Sees, SignalDecl, SignalSpec};

/// The signals of a mechanism's interface that are not there for all. What the mechanism does not see is 0, and has no rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Surroundings<'a> {
    /// Packed address of the switch, 16 bits, and its stage, 4 bits.
    pub position: u16,
    pub stage: u8,
    /// Bit p: a packet in some route register may go to port p, and there was room for it in the cycle before.
    pub wanted: u64,
    /// Bit p: a flit comes in at port p.
    pub arriving: u64,
    /// Bit p: a flit is read from the buffer of input port p.
    pub leaving: u64,
    /// Row p: flits in the buffer of input port p, 13 bits.
    pub fill: &'a [u64],
    /// Row p: flits in the buffer at the other end of output port p and on the way there and back, 13 bits.
    pub occupancy: &'a [u64],
    /// Row p: phase of the port at the other end of port p's link, 3 bits.
    pub neighbour_phase: &'a [u64],
    /// Bit p: its hint.
    pub hint_in: u64,
    /// Word of the control ring that comes in, 42 bits.
    pub ring_in: u64,
}

impl<'a> Surroundings<'a> {
    /// What is left of it for a mechanism that sees so much.
    pub fn seen_by(self, sees: Sees) -> Self {
        let none = Surroundings::default();
        let (place, buffers, neighbours) = (
            if sees.place { self } else { none },
            if sees.buffers { self } else { none },
            if sees.neighbours { self } else { none },
        );
        Surroundings {
            position: place.position,
            stage: place.stage,
            wanted: if sees.wanted { self.wanted } else { 0 },
            arriving: buffers.arriving,
            leaving: buffers.leaving,
            fill: buffers.fill,
            occupancy: buffers.occupancy,
            neighbour_phase: neighbours.neighbour_phase,
            hint_in: neighbours.hint_in,
            ring_in: if sees.ring { self.ring_in } else { 0 },
        }
    }

    /// Declares `position` and `stage`, if they are there.
    pub(crate) fn place_signals(sees: Sees) -> Vec<SignalDecl> {
        declare(Role::Input, [position("position"), stage("stage")].into_iter().filter(|_| sees.place))
    }

    /// Declares the others, of `n` ports, in the order of the page's table.
    pub(crate) fn port_signals(sees: Sees, n: usize) -> Vec<SignalDecl> {
        let ports = |name| flags(name, Owner::Port, n);
        let rows = |signal: SignalSpec| signal.rows(Owner::Port, n);
        // Whoever looks at wishes and neighbours waits for times without them.
        let list = [
            (sees.wanted, ports("wanted").habit(Habit::Drought)),
            (sees.buffers, ports("arriving")),
            (sees.buffers, ports("leaving")),
            (sees.buffers, rows(fill("fill"))),
            (sees.buffers, rows(fill("occupancy"))),
            (sees.neighbours, rows(phase("neighbour_phase")).habit(Habit::Drought)),
            (sees.neighbours, ports("hint_in").habit(Habit::Lane)),
            (sees.ring, ring_word("ring_in").of(RING)),
        ];
        declare(Role::Input, list.into_iter().filter(|(there, _)| *there).map(|(_, signal)| signal))
    }

    /// Takes `position` and `stage` from an input frame.
    pub(crate) fn take_place(&mut self, sees: Sees, slots: &mut Slots) {
        (self.position, self.stage) = (slots.one_if(sees.place) as u16, slots.one_if(sees.place) as u8);
    }

    /// Takes the others.
    pub(crate) fn take_ports(&mut self, sees: Sees, n: usize, slots: &mut Slots<'a>) {
        self.wanted = slots.one_if(sees.wanted);
        (self.arriving, self.leaving) = (slots.one_if(sees.buffers), slots.one_if(sees.buffers));
        (self.fill, self.occupancy) = (slots.rows_if(sees.buffers, n), slots.rows_if(sees.buffers, n));
        self.neighbour_phase = slots.rows_if(sees.neighbours, n);
        self.hint_in = slots.one_if(sees.neighbours);
        self.ring_in = slots.one_if(sees.ring);
    }
}
