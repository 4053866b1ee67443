//! What power mechanisms see of the switch and of its neighbours if they ask for it.

use crate::inputs;
use crate::register_rows::RegisterRows;
use powar_config::signal::{destination, fill, flag, flags, phase, position, ring_word, set, stage};
use powar_config::{Habit, Owner, Sees, SignalSpec};

/// What belongs to the control ring.
pub(crate) const RING: Owner = Owner::Part("ring");

/// What belongs to rows that a mechanism looks up.
const LOOKUP: Owner = Owner::Part("lookup");

/// Shows which row is asked for, if whoever sees so much looks rows up.
pub(crate) fn show_lookup(address: Option<u16>, sees: Sees, rows: &mut RegisterRows) {
    if sees.routes.looks_up() {
        rows.one(flag("lookup").of(LOOKUP), address.is_some());
        rows.one(destination("lookup_address").of(LOOKUP), address.unwrap_or(0));
    }
}

/// The row that was asked for last, in words of 32 bits, for a mechanism that sees so much.
pub(crate) fn lookup_row(sees: Sees) -> SignalSpec {
    set("lookup_row", 32).rows(LOOKUP, sees.routes.row_words())
}

inputs! {
    /// The signals of a mechanism's interface that are not there for all. What the mechanism does not see is 0, and has
    /// no rows.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Surroundings<'a> of (sees, n): (Sees, usize) {
        /// Packed address of the switch, 16 bits, and its stage, 4 bits.
        pub position: u16 = position("position").only_if(sees.place),
        pub stage: u8 = stage("stage").only_if(sees.place),
        /// Bit p: a packet in some route register may go to port p, and there was room for it in the cycle before.
        // Whoever looks at wishes and neighbours waits for times without them.
        pub wanted: u64 = flags("wanted", Owner::Port, n).habit(Habit::Drought).only_if(sees.wanted),
        /// Bit p: a flit comes in at port p.
        pub arriving: u64 = flags("arriving", Owner::Port, n).only_if(sees.buffers),
        /// Bit p: a flit is read from the buffer of input port p.
        pub leaving: u64 = flags("leaving", Owner::Port, n).only_if(sees.buffers),
        /// Row p: flits in the buffer of input port p, 13 bits.
        pub fill: &'a [u64] = fill("fill").rows(Owner::Port, n).only_if(sees.buffers),
        /// Row p: flits in the buffer at the other end of output port p and on the way there and back, 13 bits.
        pub occupancy: &'a [u64] = fill("occupancy").rows(Owner::Port, n).only_if(sees.buffers),
        /// Row p: phase of the port at the other end of port p's link, 3 bits.
        pub neighbour_phase: &'a [u64] =
            phase("neighbour_phase").rows(Owner::Port, n).habit(Habit::Drought).only_if(sees.neighbours),
        /// Bit p: its hint.
        pub hint_in: u64 = flags("hint_in", Owner::Port, n).habit(Habit::Lane).only_if(sees.neighbours),
        /// Word of the control ring that comes in, 42 bits.
        pub ring_in: u64 = ring_word("ring_in", sees.ring).of(RING),
        /// Words of the row of the routing table that was asked for last, 32 bits each.
        pub lookup_row: &'a [u64] = lookup_row(sees),
    }
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
            ring_in: if sees.ring.is_some() { self.ring_in } else { 0 },
            lookup_row: if sees.routes.looks_up() { self.lookup_row } else { &[] },
        }
    }
}

inputs! {
    /// The part of it that says where the switch is.
    #[derive(Clone, Copy, Debug)]
    pub struct Place of sees: Sees {
        pub position: u16 = position("position").only_if(sees.place),
        pub stage: u8 = stage("stage").only_if(sees.place),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::mechanism::e_rapid;

    /// Traffic of a switch in lock-step brings none: they come from other switches alone.
    #[test]
    fn words_of_the_ring_are_for_whoever_sees_it() {
        let around = Surroundings { ring_in: 0x3ff_ffff_ffff, ..Surroundings::default() };
        assert_eq!(around.seen_by(e_rapid::MECHANISM.sees), around);
    }
}
