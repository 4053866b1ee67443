//! `credit_counter`: the room that is left in one virtual channel at the other end of an output port's link.

use crate::inputs;
use crate::lock_step::Block;
use crate::reference::links::shows_occupancy;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{count, flag};
use powar_config::switch::IN_FLIGHT_FLITS;
use powar_config::{Config, Habit, Sees};

/// A credit counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreditCounter {
    depth: u16,
    max_packet: u16,
    /// The output port shows its occupancy.
    shown: bool,
    /// Free places at the other end, as far as this one knows.
    pub credits: u16,
}

impl CreditCounter {
    /// For virtual channels of this configuration's switch, in its state after reset: all places are free. The mechanism
    /// sees so much.
    pub fn new(config: &Config, sees: Sees) -> Self {
        let (depth, max_packet) = (config.switch.vc_depth() as u16, config.switch.max_packet_flits as u16);
        CreditCounter { depth, max_packet, shown: shows_occupancy(config, sees), credits: depth }
    }

    /// A port with this room may be chosen for a packet: of the packet before, some flits may not have taken their credits yet.
    pub fn room(&self) -> bool {
        self.credits >= self.max_packet + IN_FLIGHT_FLITS as u16
    }

    /// What is left of the room when the packet's virtual channel is chosen: all flits of the packet before but its tail have taken
    /// theirs.
    pub fn fits(&self) -> bool {
        self.credits > self.max_packet
    }

    /// A credit for nothing, or a flit without credit.
    pub fn error(&self, sent: bool, returned: bool) -> bool {
        (returned && !sent && self.credits == self.depth) || (sent && !returned && self.credits == 0)
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        self.credits = self.depth;
    }

    /// The clock edge.
    pub fn clock(&mut self, sent: bool, returned: bool) {
        if !self.error(sent, returned) {
            self.credits = self.credits + u16::from(returned) - u16::from(sent);
        }
    }
}

impl Registers for CreditCounter {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(count("credits", 13), self.credits);
    }
}

inputs! {
    /// What the counter sees in a cycle: a flit that takes a credit, and a credit that comes back.
    #[derive(Clone, Copy, Debug)]
    pub struct CreditInputs {
        pub sent: bool = flag("sent").habit(Habit::Tide),
        pub returned: bool = flag("returned").habit(Habit::Tide),
    }
}

impl Block for CreditCounter {
    type Inputs<'a> = CreditInputs;

    fn outputs(&self, seen: &CreditInputs, rows: &mut RegisterRows) {
        rows.one(flag("room"), self.room());
        rows.one(flag("fits"), self.fits());
        rows.one(flag("error"), self.error(seen.sent, seen.returned));
        // The credits are shown if the output port's occupancy is made of them.
        if self.shown {
            self.list(rows);
        }
    }

    fn edge(&mut self, rst: bool, seen: &CreditInputs) {
        if rst { self.reset() } else { self.clock(seen.sent, seen.returned) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counter() -> CreditCounter {
        CreditCounter { depth: 11, max_packet: 4, shown: false, credits: 11 }
    }

    #[test]
    fn room_is_a_packet_and_six_flits_and_five_less_fit_a_packet_still() {
        let mut counter = counter();
        let mut seen = Vec::new();
        for _ in 0..8 {
            seen.push((counter.room(), counter.fits()));
            counter.clock(true, false);
        }
        let (room, fits, neither) = ((true, true), (false, true), (false, false));
        assert_eq!(seen, [room, room, fits, fits, fits, fits, fits, neither]);
    }

    #[test]
    fn errors_are_flagged_and_nothing_wraps() {
        let mut full = counter();
        assert!(full.error(false, true) && !full.error(true, true) && !full.error(true, false));
        full.clock(false, true);
        full.clock(true, true);
        assert_eq!(full.credits, 11);
        let mut empty = CreditCounter { credits: 0, ..counter() };
        assert!(empty.error(true, false) && !empty.error(true, true) && !empty.error(false, true));
        empty.clock(true, false);
        empty.clock(true, true);
        assert_eq!(empty.credits, 0);
        empty.clock(false, true);
        assert_eq!(empty.credits, 1);
        empty.reset();
        assert_eq!(empty, counter());
    }
}
