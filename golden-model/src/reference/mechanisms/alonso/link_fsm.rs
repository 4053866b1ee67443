//! `link_fsm`: the phase of one output port.

use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{duration, elapsed, flag, phase};
use powar_config::{Habit, Phase};

/// The FSM of a port; the fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkFsm {
    pub phase: Phase,
    /// Cycles of `GoingOff` or `ComingOn`, this one with them, of `Draining` at most 2; 24 bits.
    pub elapsed: u32,
}

inputs! {
    /// What a port's FSM sees in a cycle.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct FsmInputs {
        /// The link is to be on.
        pub active: bool = flag("active").habit(Habit::Held),
        /// The port is held, given to a packet in this cycle, or a flit sets out for it.
        pub in_use: bool = flag("in_use"),
        /// Cycles until a link that comes on is usable, and at full power of one that goes off; 24 bits, 0 counts as 1.
        pub turn_on: u32 = duration("turn_on", 24),
        pub turn_off: u32 = duration("turn_off", 24),
    }
}

impl Default for LinkFsm {
    fn default() -> Self {
        Self::new()
    }
}

impl LinkFsm {
    /// An FSM in its state after reset.
    pub fn new() -> Self {
        LinkFsm { phase: Phase::On, elapsed: 1 }
    }

    /// The phase of the next cycle is `ComingOn` and this one's is not.
    pub fn coming_on(&self, inputs: &FsmInputs) -> bool {
        self.phase != Phase::ComingOn && self.next(inputs).phase == Phase::ComingOn
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = LinkFsm::new();
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &FsmInputs) {
        *self = self.next(inputs);
    }

    /// The registers of the next cycle: the table of the page, row by row.
    fn next(&self, inputs: &FsmInputs) -> LinkFsm {
        use Phase::{ComingOn, Draining, GoingOff, Off, On};
        let over = self.elapsed >= if self.phase == GoingOff { inputs.turn_off } else { inputs.turn_on };
        let enter = |phase| LinkFsm { phase, elapsed: 1 };
        let stay = LinkFsm { elapsed: self.elapsed + 1, ..*self };
        match self.phase {
            On if inputs.active => enter(On),
            On => enter(Draining),

            Draining if inputs.active => enter(On),
            // In the first cycle a packet may still be on its way to be given the port.
            Draining if inputs.in_use || self.elapsed == 1 => LinkFsm { elapsed: 2, ..*self },
            Draining => enter(GoingOff),

            GoingOff if inputs.active => enter(ComingOn),
            GoingOff if over => enter(Off),
            GoingOff => stay,

            Off if inputs.active => enter(ComingOn),
            Off => enter(Off),

            ComingOn if over => enter(On),
            ComingOn => stay,

            Phase::Refreshing => unreachable!("a link of this mechanism never refreshes"),
        }
    }
}

impl Registers for LinkFsm {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(phase("phase"), self.phase as u8);
        rows.one(elapsed("elapsed", 24), self.elapsed);
    }
}

impl Block for LinkFsm {
    type Inputs<'a> = FsmInputs;

    fn outputs(&self, seen: &FsmInputs, rows: &mut RegisterRows) {
        rows.one(phase("phase"), self.phase as u8);
        rows.one(flag("coming_on"), self.coming_on(seen));
    }

    fn edge(&mut self, rst: bool, seen: &FsmInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Phase::{ComingOn, Draining, GoingOff, Off, On};

    const ON: FsmInputs = FsmInputs { active: true, in_use: false, turn_on: 3, turn_off: 2 };
    const OFF: FsmInputs = FsmInputs { active: false, ..ON };

    /// The phases after each of some cycles.
    fn run(fsm: &mut LinkFsm, inputs: impl IntoIterator<Item = FsmInputs>) -> Vec<Phase> {
        let mut next = |inputs: FsmInputs| {
            fsm.clock(&inputs);
            fsm.phase
        };
        inputs.into_iter().map(&mut next).collect()
    }

    #[test]
    fn off_takes_two_cycles_of_draining_and_t_off_and_on_takes_t_on() {
        let mut fsm = LinkFsm::new();
        assert_eq!(run(&mut fsm, [OFF; 6]), [Draining, Draining, GoingOff, GoingOff, Off, Off]);
        assert_eq!(run(&mut fsm, [ON; 5]), [ComingOn, ComingOn, ComingOn, On, On]);
        assert_eq!(fsm, LinkFsm::new());
    }

    #[test]
    fn durations_of_0_count_as_1() {
        let mut fsm = LinkFsm::new();
        let (on, off) = (FsmInputs { turn_on: 0, ..ON }, FsmInputs { turn_off: 0, ..OFF });
        let phases = run(&mut fsm, [off, off, off, off, on, on]);
        assert_eq!(phases, [Draining, Draining, GoingOff, Off, ComingOn, On]);
    }

    #[test]
    fn a_packet_that_holds_the_link_finishes() {
        let used = FsmInputs { in_use: true, ..OFF };
        let mut fsm = LinkFsm::new();
        assert_eq!(run(&mut fsm, [used, used, used, OFF]), [Draining, Draining, Draining, GoingOff]);
        let mut fsm = LinkFsm::new();
        let phases = run(&mut fsm, [OFF, OFF, used, used, OFF]);
        assert_eq!(phases, [Draining, Draining, Draining, Draining, GoingOff], "given at the last moment");
        let mut fsm = LinkFsm::new();
        assert_eq!(run(&mut fsm, [used, used, ON, ON]), [Draining, Draining, On, On], "wanted again in time");
    }

    #[test]
    fn a_link_on_its_way_off_takes_t_on_and_one_on_its_way_on_arrives_first() {
        let mut fsm = LinkFsm::new();
        assert_eq!(
            run(&mut fsm, [OFF, OFF, OFF, OFF, ON, OFF, OFF, OFF, OFF]),
            [Draining, Draining, GoingOff, GoingOff, ComingOn, ComingOn, ComingOn, On, Draining]
        );
    }

    #[test]
    fn coming_on_is_told_in_the_cycle_before() {
        let in_phase = |phase| LinkFsm { phase, elapsed: 1 };
        for phase in [On, Draining, GoingOff, Off, ComingOn] {
            let expected = matches!(phase, GoingOff | Off);
            assert_eq!(in_phase(phase).coming_on(&ON), expected, "{phase:?}");
            assert!(!in_phase(phase).coming_on(&OFF));
        }
    }

    #[test]
    fn the_longest_durations_do_not_wrap() {
        let last = LinkFsm { phase: ComingOn, elapsed: crate::bits::MAX_24 };
        let longest = FsmInputs { turn_on: crate::bits::MAX_24, ..ON };
        assert_eq!(last.next(&longest).phase, On);
        assert_eq!(LinkFsm { elapsed: last.elapsed - 1, ..last }.next(&longest), last);
    }
}
