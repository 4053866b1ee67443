//! `sleep_depth`: how deeply one output port sleeps, and how long it takes to come up from there.

use crate::bits::{is_set, vector};
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::power::mechanism::MechanismOutputs;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{duration, elapsed, flag, level, phase};
use powar_config::{Habit, Phase, SignalSpec};

const DEEP: SignalSpec = flag("deep");
/// The second threshold and the time of a deep wake-up, also as others see them.
pub(crate) const DEEP_AFTER: SignalSpec = duration("deep_after", 24);
pub(crate) const T_WAKE_DEEP: SignalSpec = duration("t_wake_deep", 24);

/// The depth of a port; the fields are its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SleepDepth {
    /// The port sleeps deeply, or its deep wake-up is not over.
    pub deep: bool,
    /// With this cycle: cycles asleep, on the way to depth, or cycles of the deep wake-up (24 bits).
    pub elapsed: u32,
}

inputs! {
    /// What a port's depth sees in a cycle.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct DepthInputs {
        /// Code of the port's phase, by POWAR.
        pub phase: u8 = phase("phase").habit(Habit::Held),
        /// It is `On`.
        pub awake: bool = flag("awake"),
        /// Cycles that a port sleeps lightly before it sleeps deeply; 0: for ever.
        pub deep_after: u32 = DEEP_AFTER,
        /// Cycles that a deep wake-up takes in all.
        pub t_wake_deep: u32 = T_WAKE_DEEP,
    }
}

impl DepthInputs {
    fn is_in(&self, phase: Phase) -> bool {
        self.phase == phase as u8
    }

    /// By POWAR the port sleeps.
    fn asleep(&self) -> bool {
        self.is_in(Phase::Off) || self.is_in(Phase::Refreshing)
    }
}

impl Default for SleepDepth {
    fn default() -> Self {
        SleepDepth::new()
    }
}

impl SleepDepth {
    /// In the state after reset.
    pub fn new() -> Self {
        SleepDepth { deep: false, elapsed: 1 }
    }

    /// The port may send.
    pub fn ready(&self, awake: bool) -> bool {
        awake && !self.deep
    }

    /// Code of the phase that is shown: a port that is held back is still on the way to `On`.
    pub fn shown_phase(&self, phase: u8, awake: bool) -> u8 {
        if awake && self.deep { Phase::ComingOn as u8 } else { phase }
    }

    /// 1 in deep sleep.
    pub fn level(&self, phase: u8) -> u8 {
        u8::from(self.deep && phase == Phase::Off as u8)
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = SleepDepth::new();
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &DepthInputs) {
        let SleepDepth { deep, elapsed } = *self;
        let asleep = inputs.asleep();
        let counts = asleep != deep;
        let over = elapsed >= if asleep { inputs.deep_after } else { inputs.t_wake_deep };
        self.elapsed = if counts && !over { elapsed + 1 } else { 1 };
        let never = asleep && inputs.deep_after == 0;
        self.deep = if counts && over && !never { asleep } else { deep };
    }

    /// Ports that are deep.
    pub(crate) fn deep(depths: &[SleepDepth]) -> u64 {
        vector(depths, |_, depth| depth.deep)
    }

    /// What is shown of all ports, where POWAR shows this.
    pub(crate) fn shown(depths: &[SleepDepth], of_powar: MechanismOutputs) -> MechanismOutputs {
        let awake = |port| is_set(of_powar.ready, port);
        let ready = vector(depths, |port, depth| depth.ready(awake(port)));
        let phases = depths.iter().zip(&of_powar.phase).enumerate();
        let phase = phases.map(|(port, (depth, &phase))| depth.shown_phase(phase, awake(port))).collect();
        let level = depths.iter().zip(&of_powar.phase).map(|(depth, &phase)| depth.level(phase)).collect();
        MechanismOutputs { ready, steady: ready, serves: ready, phase, level, ..of_powar }
    }

    /// The clock edge of the depths of all ports, where POWAR shows this; `deep_after` is what each is given.
    pub(crate) fn clock_all(
        depths: &mut [SleepDepth],
        of_powar: &MechanismOutputs,
        deep_after: impl Fn(usize) -> u32,
        t_wake_deep: u32,
    ) {
        for (port, depth) in depths.iter_mut().enumerate() {
            let (phase, awake) = (of_powar.phase[port], is_set(of_powar.ready, port));
            depth.clock(&DepthInputs { phase, awake, deep_after: deep_after(port), t_wake_deep });
        }
    }
}

impl Registers for SleepDepth {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(DEEP, self.deep);
        rows.one(elapsed("elapsed", 24), self.elapsed);
    }
}

impl Block for SleepDepth {
    type Inputs<'a> = DepthInputs;

    fn outputs(&self, seen: &DepthInputs, rows: &mut RegisterRows) {
        rows.one(DEEP, self.deep);
        rows.one(flag("ready"), self.ready(seen.awake));
        rows.one(phase("shown_phase"), self.shown_phase(seen.phase, seen.awake));
        rows.one(level("level"), self.level(seen.phase));
    }

    fn edge(&mut self, rst: bool, seen: &DepthInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Phase::{ComingOn, GoingOff, Off, On, Refreshing};

    /// What is shown in these phases of POWAR, a cycle each: phase, level, and whether the port may send.
    fn shown(depth: &mut SleepDepth, deep_after: u32, t_wake_deep: u32, phases: &[Phase]) -> Vec<(u8, u8, bool)> {
        let cycle = |&phase: &Phase| {
            let (awake, phase) = (phase == On, phase as u8);
            let shown = (depth.shown_phase(phase, awake), depth.level(phase), depth.ready(awake));
            depth.clock(&DepthInputs { phase, awake, deep_after, t_wake_deep });
            shown
        };
        phases.iter().map(cycle).collect()
    }

    /// The same without depth.
    fn plain(phases: &[Phase]) -> Vec<(u8, u8, bool)> {
        phases.iter().map(|&phase| (phase as u8, 0, phase == On)).collect()
    }

    #[test]
    fn a_port_that_has_slept_for_long_sleeps_deeply_and_takes_longer_to_wake() {
        let phases = [On, GoingOff, Off, Off, Off, Off, ComingOn, ComingOn, On, On, On, On];
        let mut expected = plain(&phases);
        (expected[5].1, expected[8], expected[9]) = (1, (ComingOn as u8, 0, false), (ComingOn as u8, 0, false));
        let mut depth = SleepDepth::new();
        assert_eq!(shown(&mut depth, 3, 4, &phases), expected, "3 cycles light, and 4 to wake");
        assert_eq!(depth, SleepDepth::new());
    }

    #[test]
    fn a_port_that_has_not_wakes_as_in_powar() {
        let phases = [Off, Off, Off, ComingOn, On, Off, Off, Off, ComingOn, On];
        let mut depth = SleepDepth::new();
        assert_eq!(shown(&mut depth, 4, 9, &phases), plain(&phases));
        assert!(!depth.deep);
        // With its last cycle of light sleep it has slept for as long.
        assert!(!shown(&mut depth, 3, 9, &phases[..5])[4].2);
    }

    #[test]
    fn without_a_second_threshold_it_is_never_deep() {
        let phases = [Off; 100];
        let mut depth = SleepDepth::new();
        assert_eq!(shown(&mut depth, 0, 9, &phases), plain(&phases));
        assert_eq!(depth, SleepDepth::new());
        // One that is deep stays so until it is woken.
        depth.deep = true;
        assert_eq!(shown(&mut depth, 0, 2, &[Off, Off]), [(2, 1, false); 2]);
        assert_eq!(shown(&mut depth, 0, 2, &[ComingOn, On, On]), [(3, 0, false), (3, 0, false), (0, 0, true)]);
    }

    #[test]
    fn a_refresh_neither_ends_the_depth_nor_the_count() {
        let mut depth = SleepDepth::new();
        let levels: Vec<u8> = shown(&mut depth, 3, 9, &[Off, Refreshing, Refreshing, Off, Refreshing, Off])
            .into_iter()
            .map(|(_, level, _)| level)
            .collect();
        assert_eq!(levels, [0, 0, 0, 1, 0, 1]);
    }

    #[test]
    fn a_deep_wake_up_that_is_no_longer_than_t_wake_costs_nothing() {
        for t_wake_deep in [0, 1, 2] {
            let phases = [ComingOn, ComingOn, On];
            let mut depth = SleepDepth { deep: true, elapsed: 1 };
            assert_eq!(shown(&mut depth, 3, t_wake_deep, &phases), plain(&phases), "{t_wake_deep}");
        }
    }

    #[test]
    fn a_time_that_is_written_holds_for_what_is_under_way() {
        let mut depth = SleepDepth::new();
        shown(&mut depth, 1000, 9, &[Off; 50]);
        assert_eq!(depth, SleepDepth { deep: false, elapsed: 51 });
        shown(&mut depth, 5, 9, &[Off]);
        assert_eq!(depth, SleepDepth { deep: true, elapsed: 1 });
        shown(&mut depth, 5, (1 << 24) - 1, &[ComingOn; 7]);
        assert_eq!(depth, SleepDepth { deep: true, elapsed: 8 });
        shown(&mut depth, 5, 0, &[On]);
        assert_eq!(depth, SleepDepth::new());
        depth = SleepDepth { deep: true, elapsed: (1 << 24) - 1 };
        shown(&mut depth, 5, (1 << 24) - 1, &[On]);
        assert_eq!(depth, SleepDepth::new(), "the longest");
    }
}
