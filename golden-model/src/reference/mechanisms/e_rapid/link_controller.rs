//! `link_controller`: one wavelength to one board: whether the board has it, at which rate, and when packets may set out on it.

use super::queue_monitor::MOST;
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::mechanism::e_rapid::TOP_LEVEL;
use powar_config::signal::{count, duration, elapsed, flag, level, phase};
use powar_config::{Habit, Phase};

/// What a flit is in the units of `debt`: at level k it takes 64 / (25 + 5 k) cycles.
pub(crate) const FLIT: u32 = 64;
/// Largest debt, 18 bits.
pub(crate) const MOST_DEBT: u32 = (1 << 18) - 1;
/// Cycles before its place on the wavelength at which a packet may set out.
pub(crate) const AHEAD: u32 = 8;

/// What the wavelength carries in a cycle at a level, in the units of `debt`.
#[inline]
pub(crate) const fn rate(level: u8) -> u32 {
    25 + 5 * level as u32
}

/// The controller; the fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkController {
    /// The board has this wavelength after reset.
    pub at_first: bool,
    /// The board has the wavelength.
    pub holds: bool,
    /// It is not used, to be offered.
    pub withheld: bool,
    /// It is offered, and that is not answered yet.
    pub offered: bool,
    /// To be given back as soon as it is drained.
    pub leaving: bool,
    /// To change its level as soon as it is drained.
    pub retuning: bool,
    /// Cycles without `open`, at most 2.
    pub quiet: u8,
    pub phase: Phase,
    /// 0..=5.
    pub level: u8,
    pub next_level: u8,
    /// Cycles of `ComingOn`, this one with them; 1 in other phases.
    pub dead: u8,
    /// Time that its flits still take on the wavelength, in 1 / (25 + 5 `level`) cycles, 18 bits.
    pub debt: u32,
    /// Cycles of this window in which it carried a packet, and those of the last one; 12 bits each.
    pub busy_count: u16,
    pub busy: u16,
}

inputs! {
    /// What the controller sees in a cycle.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct LinkInputs {
        /// The port is held, given to a packet in this cycle, or a flit sets out for it.
        // A wavelength is given away behind a window without a packet.
        pub in_use: bool = flag("in_use").habit(Habit::Drought),
        /// A flit sets out.
        pub departing: bool = flag("departing").habit(Habit::Drought),
        /// LinkRequest passes.
        pub sample: bool = flag("sample").habit(Habit::Rare),
        /// DBR is on.
        pub offers: bool = flag("offers").habit(Habit::Held),
        /// A request for this wavelength passes, and some board before has filled it in.
        pub ask: bool = flag("ask").habit(Habit::Rare),
        pub taken: bool = flag("taken").habit(Habit::Held),
        /// A response for it passes, and names this board.
        pub answer: bool = flag("answer").habit(Habit::Rare),
        pub mine: bool = flag("mine").habit(Habit::Held),
        /// LinkResponse passes: one level down, one up; if both, down.
        pub lower: bool = flag("lower").habit(Habit::Rare),
        pub higher: bool = flag("higher").habit(Habit::Rare),
        /// Cycles; 0 counts as 1.
        pub dead_time: u8 = duration("dead_time", 8),
    }
}

impl LinkController {
    /// A controller in its state after reset.
    pub fn new(at_first: bool) -> Self {
        LinkController {
            at_first,
            holds: at_first,
            withheld: false,
            offered: false,
            leaving: false,
            retuning: false,
            quiet: 0,
            phase: if at_first { Phase::On } else { Phase::Off },
            level: if at_first { TOP_LEVEL } else { 0 },
            next_level: TOP_LEVEL,
            dead: 1,
            debt: 0,
            busy_count: 0,
            busy: 0,
        }
    }

    fn rate(&self) -> u32 {
        rate(self.level)
    }

    fn carries(&self, inputs: &LinkInputs) -> bool {
        inputs.in_use || self.debt != 0
    }

    /// Packets may be given to it, but for pacing.
    pub fn open(&self) -> bool {
        self.holds && self.phase == Phase::On && !self.withheld && !self.leaving && !self.retuning
    }

    pub fn grantable(&self) -> bool {
        self.open() && self.debt <= AHEAD * self.rate()
    }

    fn drained(&self, inputs: &LinkInputs) -> bool {
        self.phase == Phase::On && !self.open() && self.quiet == 2 && !self.carries(inputs)
    }

    /// What a request that passes in this cycle finds: it is offered.
    pub fn offers_now(&self, inputs: &LinkInputs) -> bool {
        self.offered || self.withheld && self.drained(inputs)
    }

    /// The first cycle of `ComingOn`: the bit rate control packet is on its way to the receiver.
    pub fn control_packet(&self) -> bool {
        self.phase == Phase::ComingOn && self.dead == 1
    }

    /// The phase of the next cycle is `ComingOn` and this one's is not.
    pub fn coming_on(&self, inputs: &LinkInputs) -> bool {
        self.phase != Phase::ComingOn && self.next(inputs).phase == Phase::ComingOn
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = LinkController::new(self.at_first);
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &LinkInputs) {
        *self = self.next(inputs);
    }

    /// The registers of the next cycle.
    fn next(&self, inputs: &LinkInputs) -> LinkController {
        let &LinkInputs { ask, answer, mine, taken, lower, higher, sample, .. } = inputs;
        let (carries, drained, offers_now) = (self.carries(inputs), self.drained(inputs), self.offers_now(inputs));
        let drop = ask && self.offered && taken || answer && !mine && offers_now || self.leaving && drained;
        let take = answer && mine;
        let is_on = self.phase == Phase::On;
        let tunes = self.holds
            && is_on
            && !self.leaving
            && !self.retuning
            && if lower { self.level > 0 } else { higher && self.level < TOP_LEVEL };
        let done = self.dead >= inputs.dead_time;
        let comes_on = self.phase == Phase::ComingOn && done;
        let tunes_now = is_on
            && self.retuning
            && drained
            && !(take || ask || answer || self.withheld || self.offered || self.leaving);

        let debt = self.debt + if inputs.departing { FLIT } else { 0 };
        let busy_count = if sample { 0 } else { self.busy_count };
        let (phase, level, dead) = match self.phase {
            _ if drop && !take => (Phase::Off, 0, 1),
            Phase::Off if take => (Phase::ComingOn, TOP_LEVEL, 1),
            Phase::ComingOn if done => (Phase::On, self.next_level, 1),
            Phase::ComingOn => (Phase::ComingOn, self.level, self.dead + 1),
            Phase::On if tunes_now => (Phase::ComingOn, self.level.max(self.next_level), 1),
            phase => (phase, self.level, 1),
        };
        LinkController {
            at_first: self.at_first,
            holds: take || self.holds && !drop,
            withheld: if take || drop {
                false
            } else if ask {
                offers_now
            } else if sample && !self.offered {
                self.open() && inputs.offers && self.busy_count == 0 && !carries
            } else {
                self.withheld
            },
            offered: (self.offered || ask && self.withheld && drained) && !drop && !take,
            leaving: !(take || drop) && (self.leaving || answer && !mine && self.holds && !offers_now),
            retuning: !(drop || comes_on) && (self.retuning || tunes),
            quiet: if self.open() { 0 } else { (self.quiet + 1).min(2) },
            phase,
            level,
            next_level: match () {
                () if take && !self.holds => TOP_LEVEL,
                () if tunes && lower => self.level - 1,
                () if tunes => self.level + 1,
                () => self.next_level,
            },
            dead,
            debt: debt.saturating_sub(self.rate()) & MOST_DEBT,
            busy_count: (busy_count + u16::from(carries)).min(MOST),
            busy: if sample { self.busy_count } else { self.busy },
        }
    }
}

impl Registers for LinkController {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(flag("holds"), self.holds);
        rows.one(flag("withheld"), self.withheld);
        rows.one(flag("offered"), self.offered);
        rows.one(flag("leaving"), self.leaving);
        rows.one(flag("retuning"), self.retuning);
        rows.one(elapsed("quiet", 2), self.quiet);
        rows.one(phase("phase"), self.phase as u8);
        rows.one(level("level"), self.level);
        rows.one(level("next_level"), self.next_level);
        rows.one(elapsed("dead", 8), self.dead);
        rows.one(elapsed("debt", 18), self.debt);
        rows.one(count("busy_count", 12), self.busy_count);
        rows.one(count("busy", 12), self.busy);
    }
}

impl Block for LinkController {
    type Inputs<'a> = LinkInputs;

    fn outputs(&self, seen: &LinkInputs, rows: &mut RegisterRows) {
        rows.one(flag("holds"), self.holds);
        rows.one(flag("offered"), self.offered);
        rows.one(phase("phase"), self.phase as u8);
        rows.one(level("level"), self.level);
        rows.one(count("busy", 12), self.busy);
        rows.one(flag("open"), self.open());
        rows.one(flag("grantable"), self.grantable());
        rows.one(flag("offers_now"), self.offers_now(seen));
        rows.one(flag("control_packet"), self.control_packet());
        rows.one(flag("coming_on"), self.coming_on(seen));
    }

    fn edge(&mut self, rst: bool, seen: &LinkInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Phase::{ComingOn, Off, On};

    const IDLE: LinkInputs = LinkInputs {
        in_use: false,
        departing: false,
        sample: false,
        offers: true,
        ask: false,
        taken: false,
        answer: false,
        mine: false,
        lower: false,
        higher: false,
        dead_time: 65,
    };

    fn at_level(level: u8) -> LinkController {
        LinkController { level, next_level: level, ..LinkController::new(true) }
    }

    fn wait(link: &mut LinkController, cycles: usize) {
        (0..cycles).for_each(|_| link.clock(&IDLE));
    }

    /// One that is withheld and drained.
    fn to_be_offered() -> LinkController {
        let mut link = LinkController::new(true);
        link.clock(&LinkInputs { sample: true, ..IDLE });
        wait(&mut link, 2);
        link
    }

    /// The cycles in which the first flits of so many packets of 32 set out, one behind the other: the port is given as soon as it can be, and
    /// a first flit sets out three cycles later.
    fn starts(level: u8, packets: usize) -> Vec<usize> {
        let (mut link, mut starts, mut cycle) = (at_level(level), vec![], 0);
        while starts.len() < packets {
            if link.grantable() {
                for place in 0..35 {
                    let departing = place >= 3;
                    if place == 3 {
                        starts.push(cycle);
                    }
                    link.clock(&LinkInputs { in_use: true, departing, ..IDLE });
                    cycle += 1;
                }
            } else {
                wait(&mut link, 1);
                cycle += 1;
            }
        }
        starts
    }

    #[test]
    fn a_wavelength_carries_what_its_rate_carries() {
        // 81.92 cycles a packet at 5 Gb/s, 40.96 at 10: 25 packets of 32 flits of 32 bits in whole cycles.
        for (level, cycles_of_25) in [(0, 2048), (5, 1024)] {
            let starts = starts(level, 60);
            for pair in starts[2..].windows(26) {
                assert_eq!(pair[25] - pair[0], cycles_of_25, "level {level}");
            }
        }
        // 7 Gb/s: 64 * 32 / 35 cycles a packet.
        let starts = starts(2, 72);
        assert_eq!(starts[71] - starts[1], 64 * 32 * 70 / 35);
    }

    #[test]
    fn a_packet_may_set_out_eight_cycles_ahead() {
        for level in 0..=5 {
            let after = |debt| LinkController { debt, ..at_level(level) };
            assert!(after(8 * rate(level)).grantable() && !after(8 * rate(level) + 1).grantable(), "{level}");
        }
        assert_eq!([0, 1, 2, 3, 4, 5].map(rate), [25, 30, 35, 40, 45, 50]);
        let mut link = LinkController { debt: MOST_DEBT - 10, ..at_level(0) };
        link.clock(&LinkInputs { departing: true, in_use: true, ..IDLE });
        assert_eq!(link.debt, 64 - 25 - 11, "modulo 2^18");
    }

    #[test]
    fn a_change_of_rate_is_so_many_dead_cycles() {
        for (dead_time, cycles) in [(65, 65), (1, 1), (0, 1), (255, 255)] {
            let seen = LinkInputs { dead_time, ..IDLE };
            let mut link = at_level(3);
            link.clock(&LinkInputs { lower: true, ..seen });
            assert_eq!((link.retuning, link.next_level, link.open(), link.phase), (true, 2, false, On));
            let mut phases = vec![];
            while link.retuning {
                phases.push((link.phase, link.level));
                link.clock(&seen);
            }
            // It drains for three cycles, then is dead at the higher of the two voltages.
            let expected = [vec![(On, 3); 3], vec![(ComingOn, 3); cycles]].concat();
            assert_eq!(phases, expected);
            assert_eq!((link.phase, link.level, link.open(), link.dead), (On, 2, true, 1));
        }
    }

    #[test]
    fn the_voltage_goes_up_before_the_rate() {
        let mut link = at_level(4);
        link.clock(&LinkInputs { higher: true, ..IDLE });
        wait(&mut link, 3);
        assert_eq!((link.phase, link.level, link.control_packet()), (ComingOn, 5, true));
        wait(&mut link, 1);
        assert!(!link.control_packet());
        wait(&mut link, 64);
        assert_eq!((link.phase, link.level), (On, 5));
    }

    #[test]
    fn levels_end_at_the_lowest_and_the_highest() {
        for (level, lower, higher, next) in [
            (0, true, false, None),
            (5, false, true, None),
            (0, true, true, None),
            (1, true, true, Some(0)),
            (5, true, true, Some(4)),
            (0, false, true, Some(1)),
        ] {
            let mut link = at_level(level);
            link.clock(&LinkInputs { lower, higher, ..IDLE });
            assert_eq!(link.retuning.then_some(link.next_level), next, "{level} {lower} {higher}");
        }
    }

    #[test]
    fn a_packet_that_is_given_late_is_waited_for() {
        let mut link = at_level(3);
        link.clock(&LinkInputs { lower: true, ..IDLE });
        wait(&mut link, 2);
        // Three cycles behind the last one in which it was grantable.
        for departing in [false, false, false, true, true] {
            link.clock(&LinkInputs { in_use: true, departing, ..IDLE });
            assert_eq!(link.phase, On);
        }
        assert_eq!(link.debt, 2 * 64 - 2 * 40);
        wait(&mut link, 2);
        assert_eq!((link.phase, link.debt), (On, 0));
        wait(&mut link, 1);
        assert_eq!(link.phase, ComingOn);
    }

    #[test]
    fn what_a_window_carried_is_counted() {
        let mut link = at_level(0);
        for _ in 0..4 {
            link.clock(&LinkInputs { in_use: true, departing: true, ..IDLE });
        }
        // 4 x 64 / 25 = 10.24 cycles.
        wait(&mut link, 20);
        assert_eq!((link.busy_count, link.busy), (11, 0));
        link.clock(&LinkInputs { sample: true, in_use: true, ..IDLE });
        assert_eq!((link.busy_count, link.busy), (1, 11));
        (0..4200).for_each(|_| link.clock(&LinkInputs { in_use: true, ..IDLE }));
        assert_eq!(link.busy_count, 4095);
    }

    #[test]
    fn a_wavelength_that_carried_nothing_is_offered_once_it_is_drained() {
        let mut link = LinkController::new(true);
        link.clock(&LinkInputs { sample: true, ..IDLE });
        let ask = LinkInputs { ask: true, ..IDLE };
        for quiet in 0..2 {
            assert_eq!((link.withheld, link.quiet, link.offers_now(&ask)), (true, quiet, false));
            wait(&mut link, 1);
        }
        assert!(link.offers_now(&ask) && !link.offers_now(&LinkInputs { in_use: true, ..ask }));
        link.clock(&ask);
        assert!(link.offered && link.holds && !link.open());
        // It stays offered until it is answered.
        wait(&mut link, 500);
        link.clock(&LinkInputs { sample: true, ..IDLE });
        assert!(link.offered);
        let mut kept = link.clone();
        kept.clock(&LinkInputs { answer: true, mine: true, ..IDLE });
        assert!(kept.holds && kept.open() && !kept.offered);
        link.clock(&LinkInputs { answer: true, ..IDLE });
        assert_eq!((link.holds, link.offered, link.phase, link.level), (false, false, Off, 0));
    }

    #[test]
    fn what_is_in_use_is_not_offered() {
        for (offers, busy_count, in_use) in [(false, 0, false), (true, 1, false), (true, 0, true)] {
            let mut link = LinkController { busy_count, ..LinkController::new(true) };
            link.clock(&LinkInputs { sample: true, offers, in_use, ..IDLE });
            assert!(!link.withheld);
        }
        // A request that comes too early opens it again, and so does the next window.
        let mut link = LinkController::new(true);
        link.clock(&LinkInputs { sample: true, ..IDLE });
        link.clock(&LinkInputs { ask: true, ..IDLE });
        assert!(link.open());
        let mut link = to_be_offered();
        link.clock(&LinkInputs { sample: true, ..IDLE });
        assert!(link.open() && !link.offered);
        // In the cycle of a request it is the request that counts.
        let mut link = to_be_offered();
        link.clock(&LinkInputs { sample: true, ask: true, ..IDLE });
        assert!(link.offered && !link.open());
    }

    #[test]
    fn a_wavelength_is_taken_with_a_laser_that_comes_on_at_the_highest_level() {
        let mut link = LinkController::new(false);
        assert_eq!((link.phase, link.level), (Off, 0));
        let take = LinkInputs { answer: true, mine: true, ..IDLE };
        assert!(link.coming_on(&take) && !link.coming_on(&IDLE));
        link.clock(&take);
        assert_eq!((link.holds, link.phase, link.level, link.control_packet()), (true, ComingOn, 5, true));
        wait(&mut link, 64);
        assert_eq!(link.phase, ComingOn);
        wait(&mut link, 1);
        assert_eq!((link.phase, link.level, link.grantable()), (On, 5, true));
    }

    #[test]
    fn a_board_that_is_told_to_leaves_when_the_wavelength_is_drained() {
        let mut link = LinkController { debt: 200, ..LinkController::new(true) };
        link.clock(&LinkInputs { answer: true, ..IDLE });
        assert_eq!((link.leaving, link.holds, link.open()), (true, true, false));
        let mut stays = link.clone();
        stays.clock(&LinkInputs { answer: true, mine: true, ..IDLE });
        assert!(stays.open(), "it is given back before it has left");
        wait(&mut link, 3);
        assert_eq!((link.debt, link.holds), (0, true));
        wait(&mut link, 1);
        assert_eq!((link.holds, link.leaving, link.phase), (false, false, Off));
    }

    #[test]
    fn one_that_is_still_offered_is_dropped_when_another_has_filled_in() {
        let mut link = to_be_offered();
        link.clock(&LinkInputs { ask: true, ..IDLE });
        let mut alone = link.clone();
        alone.clock(&LinkInputs { ask: true, ..IDLE });
        assert!(alone.holds && alone.offered);
        link.clock(&LinkInputs { ask: true, taken: true, ..IDLE });
        assert!(!link.holds && !link.offered && link.phase == Off);
    }
}
