//! `link_group`: which links of a group are to be on: the up-ports of a tree, the links of a trunk.

use crate::bits::{MAX_24, low_bits};
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::power::FlitCounter;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{count, flag, flags, set};
use powar_config::{Habit, Owner};

/// `off_limit` is 29 bits wide.
const MAX_29: u64 = (1 << 29) - 1;

/// A group of links; the public fields are its registers and its child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkGroup {
    size: usize,
    /// Bit i: link i is to be on.
    pub active: u64,
    /// U_on of the links that are to be on: flits a check period, 24 bits.
    pub on_limit: u32,
    /// U_off of them, times `size`, 29 bits.
    pub off_limit: u32,
    pub flit_counter: FlitCounter,
}

inputs! {
    /// What a group sees in a cycle; bit i of a vector is link i of the group.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct GroupInputs of block: &LinkGroup {
        /// The link forwards a flit.
        // A period without a flit lets all links go off.
        pub flit: u64 = flags("flit", Owner::Port, block.size).habit(Habit::Drought),
        /// Last cycle of a check period.
        pub check: bool = flag("check").habit(Habit::Rare),
        /// The policy lets links go off.
        pub sleeps: bool = flag("sleeps").habit(Habit::Held),
        /// The threshold for off depends on how many are on.
        pub dynamic: bool = flag("dynamic").habit(Habit::Held),
        /// U_on and U_off, flits per link and check period.
        pub on_flits: u16 = count("on_flits", 16),
        pub off_flits: u16 = count("off_flits", 16),
        /// The last link must not go off.
        pub keep: bool = flag("keep").habit(Habit::Held),
        /// The neighbour rule wants the link on, off.
        pub neighbour_on: u64 = flags("neighbour_on", Owner::Port, block.size),
        pub neighbour_off: u64 = flags("neighbour_off", Owner::Port, block.size),
        /// All links on at once.
        pub all_on: bool = flag("all_on").habit(Habit::Rare),
        /// A start with the Minimal Tree alone.
        pub only_last: bool = flag("only_last").habit(Habit::Rare),
    }
}

impl LinkGroup {
    /// A group of `size` links, 1..=32, in its state after reset.
    pub fn new(size: usize) -> Self {
        LinkGroup { size, active: low_bits(size), on_limit: 0, off_limit: 0, flit_counter: FlitCounter::new(size) }
    }

    /// The links that are to be on in the next cycle.
    fn next_active(&self, inputs: &GroupInputs) -> u64 {
        let (active, every) = (self.active, low_bits(self.size));
        let count = u64::from(self.flit_counter.count);
        // The last flits of links that went off are no load.
        let above = inputs.check && active != 0 && count > self.on_limit.into();
        let is_low = self.size as u64 * count < self.off_limit.into() || count == 0 && !inputs.keep;
        let below = inputs.check && is_low;

        let all_on = inputs.all_on || !inputs.sleeps;
        let on = if all_on { every } else { inputs.neighbour_on | if above { lowest(every & !active) } else { 0 } };
        let off = inputs.neighbour_off | if below && !above { highest(active) } else { 0 };
        let wanted = active & !off | on;

        match inputs.keep {
            _ if all_on => every,
            keep if inputs.only_last => u64::from(keep) | on,
            _ if wanted != 0 => wanted,
            false => 0,
            true if active != 0 => lowest(active),
            true => 1,
        }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = LinkGroup::new(self.size);
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &GroupInputs) {
        let (k, a) = (self.size as u64, u64::from(self.active.count_ones()));
        let (on_flits, off_flits) = (u64::from(inputs.on_flits), u64::from(inputs.off_flits));
        let off_limit = if inputs.dynamic { on_flits * a * a.saturating_sub(1) } else { k * a * off_flits };
        self.active = self.next_active(inputs);
        self.on_limit = (a * on_flits) as u32 & MAX_24;
        self.off_limit = (off_limit & MAX_29) as u32;
        self.flit_counter.clock(inputs.flit, inputs.check);
    }
}

/// The lowest one of a vector; 0 if there is none.
fn lowest(vector: u64) -> u64 {
    vector & vector.wrapping_neg()
}

/// The highest one of a vector; 0 if there is none.
fn highest(vector: u64) -> u64 {
    vector.checked_ilog2().map_or(0, |place| 1 << place)
}

impl Registers for LinkGroup {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(set("active", self.size), self.active);
        rows.one(count("on_limit", 24), self.on_limit);
        rows.one(count("off_limit", 29), self.off_limit);
        rows.one(count("flit_counter.count", 24).known_as("flit_count"), self.flit_counter.count);
    }
}

impl Block for LinkGroup {
    type Inputs<'a> = GroupInputs;

    fn outputs(&self, _: &GroupInputs, rows: &mut RegisterRows) {
        rows.one(set("active", self.size), self.active);
    }

    fn edge(&mut self, rst: bool, seen: &GroupInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thresholds of 10 and 4 flits a link and period.
    const QUIET: GroupInputs = GroupInputs {
        flit: 0,
        check: false,
        sleeps: true,
        dynamic: false,
        on_flits: 10,
        off_flits: 4,
        keep: true,
        neighbour_on: 0,
        neighbour_off: 0,
        all_on: false,
        only_last: false,
    };
    const CHECK: GroupInputs = GroupInputs { check: true, ..QUIET };

    /// A group of four links, with such links active and limits that are up to date, at the end of a period with so many flits.
    fn at(active: u64, flits: u32, dynamic: bool) -> LinkGroup {
        let mut group = LinkGroup::new(4);
        group.active = active;
        group.clock(&GroupInputs { dynamic, keep: false, ..QUIET });
        group.flit_counter.count = flits;
        group
    }

    fn after(mut group: LinkGroup, inputs: GroupInputs) -> u64 {
        group.clock(&inputs);
        group.active
    }

    #[test]
    fn limits_follow_a_cycle_later() {
        let mut group = at(0b0111, 0, false);
        assert_eq!((group.on_limit, group.off_limit), (30, 4 * 3 * 4));
        group.active = 0b0001;
        group.clock(&QUIET);
        assert_eq!((group.on_limit, group.off_limit), (10, 16));
        // U_off(a) = U_on (a - 1) / k: 30 flits of three links at U_on, so 15 at U_off(3); times 4.
        assert_eq!(at(0b0111, 0, true).off_limit, 10 * 3 * 2);
        assert_eq!((at(0b0001, 0, true).off_limit, at(0, 0, true).off_limit), (0, 0));
    }

    #[test]
    fn a_check_takes_the_lowest_for_on_and_the_highest_for_off() {
        // More than 2 x 10 flits; less than 2 x 4.
        for (flits, expected) in [(21, 0b1011), (20, 0b1010), (8, 0b1010), (7, 0b0010), (0, 0b0010)] {
            assert_eq!(after(at(0b1010, flits, false), CHECK), expected, "{flits}");
            assert_eq!(after(at(0b1010, flits, false), QUIET), 0b1010, "{flits}");
        }
        assert_eq!(after(at(0b1111, 99, false), CHECK), 0b1111);
        assert_eq!(after(at(0, 9, false), GroupInputs { keep: false, ..CHECK }), 0, "flits of links that went off");
    }

    #[test]
    fn the_dynamic_threshold_for_off_falls_with_the_links() {
        // U_off(4) = 7.5 flits of each of four links, U_off(3) = 5 of three, U_off(2) = 2.5 of two.
        for (active, kept, lost) in [(0b1111, 30, 29), (0b0111, 15, 14), (0b0011, 5, 4)] {
            assert_eq!(after(at(active, kept, true), CHECK), active);
            assert_eq!(after(at(active, lost, true), CHECK), active >> 1);
        }
    }

    /// Tables 2 and 3 of the paper: the load of the whole switch, in flits a period over those of four links at U_on, above which a link
    /// comes on and below which one goes off, with 4, 3, 2 and 1 on. U_on = 1200 flits, U_off = 400, so a third of it.
    #[test]
    fn effective_thresholds_are_those_of_the_paper() {
        let limits = |active: u64, dynamic| {
            let switches = |flits| {
                let mut group = at(active, 0, dynamic);
                group.clock(&GroupInputs { dynamic, on_flits: 1200, off_flits: 400, keep: false, ..QUIET });
                group.flit_counter.count = flits;
                after(group, GroupInputs { dynamic, keep: true, ..CHECK }).count_ones() as i32
            };
            let (count, all) = (active.count_ones() as i32, 4 * 1200);
            let off = (0..=all).find(|&flits| switches(flits) >= count).unwrap();
            let on = (0..=all).rev().find(|&flits| switches(flits) <= count).unwrap();
            (f64::from(on) / f64::from(all), f64::from(off) / f64::from(all))
        };
        let third = 1.0 / 3.0;
        // With all on none comes on, and the last one stays.
        let of_table_2 = [(1.0, third), (0.75, 0.75 * third), (0.5, 0.5 * third), (0.25, 0.0)];
        let of_table_3 = [(1.0, 0.75), (0.75, 6.0 / 16.0), (0.5, 2.0 / 16.0), (0.25, 0.0)];
        for (dynamic, table) in [(false, of_table_2), (true, of_table_3)] {
            for (active, (on, off)) in [0b1111, 0b0111, 0b0011, 0b0001].into_iter().zip(table) {
                let seen = limits(active, dynamic);
                let close = |seen: f64, printed: f64| (seen - printed).abs() < 1.0 / 4800.0;
                assert!(close(seen.0, on) && close(seen.1, off), "{active:04b}, dynamic {dynamic}: {seen:?}");
            }
        }
    }

    #[test]
    fn the_last_link_stays_while_it_is_kept() {
        let alone = GroupInputs { keep: false, ..CHECK };
        for dynamic in [false, true] {
            assert_eq!(after(at(0b0100, 0, dynamic), CHECK), 0b0100);
            assert_eq!(after(at(0b0100, 0, dynamic), alone), 0);
        }
        assert_eq!(after(at(0b0100, 1, true), alone), 0b0100, "a flit has gone over it, and U_off(1) = 0");
        assert_eq!(after(at(0b0100, 3, false), alone), 0, "U_off = 4");
        // The neighbour rule would take all: the lowest stays.
        let all_off = GroupInputs { neighbour_off: 0b1111, ..QUIET };
        assert_eq!(after(at(0b0110, 0, false), all_off), 0b0010);
        assert_eq!(after(at(0b0110, 0, false), GroupInputs { keep: false, ..all_off }), 0);
        assert_eq!(after(at(0, 0, false), QUIET), 0b0001, "one is needed");
        assert_eq!(after(at(0, 0, false), alone), 0);
    }

    #[test]
    fn on_wins_over_off() {
        let both = GroupInputs { neighbour_on: 0b0110, neighbour_off: 0b0011, ..QUIET };
        assert_eq!(after(at(0b1001, 0, false), both), 0b1110);
        assert_eq!(after(at(0b1001, 99, false), GroupInputs { check: true, ..both }), 0b1110, "link 1 twice");
    }

    #[test]
    fn all_links_are_on_without_sleep_and_for_a_hint() {
        for inputs in [GroupInputs { sleeps: false, ..CHECK }, GroupInputs { all_on: true, ..CHECK }] {
            assert_eq!(after(at(0b0001, 0, false), inputs), 0b1111);
            let start = GroupInputs { only_last: true, neighbour_off: 0b1111, ..inputs };
            assert_eq!(after(at(0b0001, 0, false), start), 0b1111);
        }
    }

    #[test]
    fn a_start_leaves_the_last_link_if_it_is_kept() {
        let start = GroupInputs { only_last: true, ..QUIET };
        assert_eq!(after(LinkGroup::new(4), start), 0b0001);
        assert_eq!(after(LinkGroup::new(4), GroupInputs { keep: false, ..start }), 0);
        assert_eq!(after(LinkGroup::new(4), GroupInputs { keep: false, neighbour_on: 0b0100, ..start }), 0b0100);
    }

    #[test]
    fn flits_of_a_check_cycle_count_for_the_next_period() {
        let mut group = at(0b0001, 0, false);
        group.clock(&GroupInputs { flit: 0b1011, ..QUIET });
        group.clock(&GroupInputs { flit: 0b0001, ..CHECK });
        assert_eq!(group.flit_counter.count, 1);
        group.reset();
        assert_eq!(group, LinkGroup::new(4));
    }

    #[test]
    fn the_largest_group_at_the_largest_thresholds_does_not_wrap() {
        let mut group = LinkGroup::new(32);
        let most = GroupInputs { on_flits: u16::MAX, off_flits: u16::MAX, ..QUIET };
        group.clock(&most);
        assert_eq!((group.on_limit, group.off_limit), (32 * 65535, 32 * 32 * 65535));
        group.clock(&GroupInputs { dynamic: true, ..most });
        assert_eq!(group.off_limit, 32 * 31 * 65535);
    }
}
