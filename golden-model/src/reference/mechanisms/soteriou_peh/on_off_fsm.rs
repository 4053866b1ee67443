//! `on_off_fsm`: the phase of a link.

use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{duration, elapsed, flag, phase};
use powar_config::{Habit, Phase};

/// The FSM of a link; the fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnOffFsm {
    pub phase: Phase,
    /// Cycles of an idle time, of `GoingOff` or `ComingOn`, this one with them, of `Draining` at most 2; 24 bits.
    pub elapsed: u32,
}

inputs! {
    /// What the FSM sees in a cycle.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct FsmInputs {
        /// The link is to be on.
        pub active: bool = flag("active").habit(Habit::Held),
        /// It goes off when it has been idle.
        pub dozes: bool = flag("dozes").habit(Habit::Held),
        /// The port is held, given to a packet in this cycle, or a flit sets out for it.
        pub in_use: bool = flag("in_use").habit(Habit::Drought),
        /// A packet wants it.
        pub wanted: bool = flag("wanted").habit(Habit::Drought),
        /// Cycles, 24 bits each, 0 counts as 1: of idleness until it goes off; of a transition.
        pub idle_limit: u32 = duration("idle_limit", 24),
        pub t_trans: u32 = duration("t_trans", 24),
    }
}

impl Default for OnOffFsm {
    fn default() -> Self {
        Self::new()
    }
}

impl OnOffFsm {
    /// An FSM in its state after reset.
    pub fn new() -> Self {
        OnOffFsm { phase: Phase::On, elapsed: 1 }
    }

    /// The phase of the next cycle is `ComingOn` and this one's is not.
    pub fn coming_on(&self, inputs: &FsmInputs) -> bool {
        self.phase != Phase::ComingOn && self.next(inputs).phase == Phase::ComingOn
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = OnOffFsm::new();
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &FsmInputs) {
        *self = self.next(inputs);
    }

    /// The registers of the next cycle: the table of the page, row by row.
    fn next(&self, inputs: &FsmInputs) -> OnOffFsm {
        use Phase::{ComingOn, Draining, GoingOff, Off, On};
        let enter = |phase| OnOffFsm { phase, elapsed: 1 };
        let stay = OnOffFsm { elapsed: self.elapsed + 1, ..*self };
        let over = self.elapsed >= inputs.t_trans;
        match self.phase {
            On if !inputs.active => enter(Draining),
            On if inputs.in_use || inputs.wanted || !inputs.dozes => enter(On),
            On if self.elapsed >= inputs.idle_limit => enter(GoingOff),
            On => stay,

            Draining if inputs.active => enter(On),
            // In the first cycle a packet may still be on its way to be given the port.
            Draining if inputs.in_use || self.elapsed == 1 => OnOffFsm { elapsed: 2, ..*self },
            Draining => enter(GoingOff),

            GoingOff if over => enter(Off),
            GoingOff => stay,

            Off if inputs.in_use || inputs.wanted || inputs.active && !inputs.dozes => enter(ComingOn),
            Off => enter(Off),

            ComingOn if over => enter(On),
            ComingOn => stay,

            Phase::Refreshing => unreachable!("a link of this mechanism never refreshes"),
        }
    }
}

impl Registers for OnOffFsm {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(phase("phase"), self.phase as u8);
        rows.one(elapsed("elapsed", 24), self.elapsed);
    }
}

impl Block for OnOffFsm {
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

    const ON: FsmInputs =
        FsmInputs { active: true, dozes: false, in_use: false, wanted: false, idle_limit: 3, t_trans: 2 };
    const OFF: FsmInputs = FsmInputs { active: false, ..ON };
    const DOZES: FsmInputs = FsmInputs { dozes: true, ..ON };

    /// The phases after each of some cycles.
    fn run(fsm: &mut OnOffFsm, inputs: impl IntoIterator<Item = FsmInputs>) -> Vec<Phase> {
        let mut next = |inputs: FsmInputs| {
            fsm.clock(&inputs);
            fsm.phase
        };
        inputs.into_iter().map(&mut next).collect()
    }

    #[test]
    fn design_1_drains_and_takes_t_trans_each_way() {
        let mut fsm = OnOffFsm::new();
        assert_eq!(run(&mut fsm, [OFF; 6]), [Draining, Draining, GoingOff, GoingOff, Off, Off]);
        assert_eq!(run(&mut fsm, [ON; 4]), [ComingOn, ComingOn, On, On]);
        assert_eq!(fsm, OnOffFsm::new());
        let used = FsmInputs { in_use: true, ..OFF };
        let mut fsm = OnOffFsm::new();
        let phases = run(&mut fsm, [used, used, used, OFF, OFF]);
        assert_eq!(phases, [Draining, Draining, Draining, GoingOff, GoingOff], "a packet has it");
        assert_eq!(run(&mut OnOffFsm::new(), [OFF, OFF, ON]), [Draining, Draining, On]);
    }

    #[test]
    fn a_transition_is_finished() {
        let mut fsm = OnOffFsm::new();
        run(&mut fsm, [OFF; 3]);
        assert_eq!(run(&mut fsm, [ON; 5]), [GoingOff, Off, ComingOn, ComingOn, On]);
        run(&mut fsm, [OFF; 5]);
        assert_eq!(run(&mut fsm, [ON, OFF, OFF, OFF]), [ComingOn, ComingOn, On, Draining]);
    }

    #[test]
    fn design_2_goes_off_after_its_idle_time_and_on_for_a_packet() {
        let mut fsm = OnOffFsm::new();
        assert_eq!(run(&mut fsm, [DOZES; 6]), [On, On, GoingOff, GoingOff, Off, Off]);
        assert_eq!(run(&mut fsm, [FsmInputs { wanted: true, ..DOZES }]), [ComingOn]);
        assert_eq!(run(&mut fsm, [DOZES; 5]), [ComingOn, On, On, On, GoingOff]);
        for used in [FsmInputs { wanted: true, ..DOZES }, FsmInputs { in_use: true, ..DOZES }] {
            let mut fsm = OnOffFsm::new();
            run(&mut fsm, [DOZES, DOZES, used]);
            assert_eq!((fsm.phase, fsm.elapsed), (On, 1), "not idle");
        }
    }

    /// It has chosen the port before it went off, and holds it.
    #[test]
    fn a_packet_that_is_frozen_wakes_its_link() {
        let held = FsmInputs { in_use: true, ..DOZES };
        let mut fsm = OnOffFsm::new();
        run(&mut fsm, [DOZES; 3]);
        assert_eq!(run(&mut fsm, [held; 6]), [GoingOff, Off, ComingOn, ComingOn, On, On]);
        // Whatever the policy has become.
        run(&mut fsm, [DOZES; 3]);
        let phases = run(&mut fsm, [FsmInputs { active: false, dozes: false, ..held }; 6]);
        assert_eq!(phases, [GoingOff, Off, ComingOn, ComingOn, On, Draining]);
    }

    #[test]
    fn durations_of_0_count_as_1() {
        let none = |inputs: FsmInputs| FsmInputs { idle_limit: 0, t_trans: 0, ..inputs };
        let mut fsm = OnOffFsm::new();
        let phases = run(&mut fsm, [none(DOZES), none(DOZES), none(ON), none(ON)]);
        assert_eq!(phases, [GoingOff, Off, ComingOn, On]);
    }

    #[test]
    fn a_limit_that_has_passed_counts_at_once() {
        let mut fsm = OnOffFsm { phase: On, elapsed: 9 };
        assert_eq!(run(&mut fsm, [DOZES]), [GoingOff]);
        let mut fsm = OnOffFsm { phase: ComingOn, elapsed: 9 };
        assert_eq!(run(&mut fsm, [DOZES]), [On]);
    }
}
