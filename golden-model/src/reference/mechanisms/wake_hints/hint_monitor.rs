//! `hint_monitor`: what hints were good for at an output port.

use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::Phase;
use powar_config::signal::{flag, phase};

/// The monitor of a port; the fields are its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HintMonitor {
    /// A hint has woken the port, and no packet has been given it since.
    pub foreseen: bool,
    /// The port was `On` in the cycle before.
    pub awake: bool,
}

inputs! {
    /// What a monitor sees in a cycle.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct MonitorInputs {
        /// A hint has chosen the port.
        pub wake: bool = flag("wake"),
        /// The port is given to a packet in this cycle.
        pub given: bool = flag("given"),
        /// Code of the port's phase.
        pub phase: u8 = phase("phase"),
    }
}

impl MonitorInputs {
    fn is_in(&self, phase: Phase) -> bool {
        self.phase == phase as u8
    }
}

impl Default for HintMonitor {
    fn default() -> Self {
        HintMonitor::new()
    }
}

impl HintMonitor {
    /// A monitor in its state after reset.
    pub fn new() -> Self {
        HintMonitor { foreseen: false, awake: true }
    }

    /// The hint wakes the port: it sleeps, or is on its way there, and no packet is foreseen.
    pub fn woke(&self, inputs: &MonitorInputs) -> bool {
        let asleep = [Phase::GoingOff, Phase::Off, Phase::Refreshing].into_iter().any(|phase| inputs.is_in(phase));
        inputs.wake && asleep && (!self.foreseen || self.unused(inputs))
    }

    /// The port goes to sleep, and no packet has been given it since a hint woke it.
    pub fn unused(&self, inputs: &MonitorInputs) -> bool {
        self.foreseen && self.awake && inputs.is_in(Phase::GoingOff)
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = HintMonitor::new();
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &MonitorInputs) {
        let (woke, unused) = (self.woke(inputs), self.unused(inputs));
        self.awake = inputs.is_in(Phase::On);
        self.foreseen = !inputs.given && (woke || self.foreseen && !unused);
    }
}

impl Registers for HintMonitor {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(flag("foreseen"), self.foreseen);
        rows.one(flag("awake"), self.awake);
    }
}

impl Block for HintMonitor {
    type Inputs<'a> = MonitorInputs;

    fn outputs(&self, seen: &MonitorInputs, rows: &mut RegisterRows) {
        rows.one(flag("woke"), self.woke(seen));
        rows.one(flag("unused"), self.unused(seen));
        rows.one(flag("foreseen"), self.foreseen);
    }

    fn edge(&mut self, rst: bool, seen: &MonitorInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hint wakes the port in the first cycle; the packet comes in the one of that number, if it comes. Wakes and wake-ups in vain are counted.
    fn run(phases: &[Phase], given: Option<usize>) -> (usize, usize, bool) {
        let (mut monitor, mut woke, mut unused) = (HintMonitor { awake: false, ..HintMonitor::new() }, 0, 0);
        for (cycle, &phase) in phases.iter().enumerate() {
            let seen = MonitorInputs { wake: cycle == 0, given: given == Some(cycle), phase: phase as u8 };
            woke += usize::from(monitor.woke(&seen));
            unused += usize::from(monitor.unused(&seen));
            monitor.clock(&seen);
        }
        (woke, unused, monitor.foreseen)
    }

    #[test]
    fn a_port_is_woken_in_vain_if_it_goes_back_to_sleep_without_a_packet() {
        use Phase::{ComingOn, GoingOff, Off, On, Refreshing};
        for asleep in [Off, Refreshing, GoingOff] {
            let phases = [asleep, ComingOn, ComingOn, On, On, GoingOff, GoingOff, Off];
            assert_eq!(run(&phases, None), (1, 1, false), "{asleep:?}");
            assert_eq!(run(&phases[..5], None), (1, 0, true));
            assert_eq!(run(&phases, Some(2)), (1, 0, false));
            assert_eq!(run(&phases, Some(0)), (1, 0, false), "the packet is there with the hint");
        }
        // It had begun to fall asleep when the hint came, and goes on with it.
        assert_eq!(run(&[GoingOff, GoingOff, ComingOn, On], None), (1, 0, true));
        assert_eq!(run(&[On, On, GoingOff, Off], None), (0, 0, false), "it was awake anyway");
        assert_eq!(run(&[ComingOn, On, GoingOff], None), (0, 0, false));
    }

    #[test]
    fn a_second_hint_does_not_wake_what_the_first_has_woken() {
        let mut monitor = HintMonitor { awake: false, ..HintMonitor::new() };
        let hint = MonitorInputs { wake: true, given: false, phase: Phase::GoingOff as u8 };
        assert!(monitor.woke(&hint));
        monitor.clock(&hint);
        assert!(!monitor.woke(&hint) && monitor.foreseen);
        // Nobody has come, and it falls asleep with a hint in the same cycle.
        monitor.awake = true;
        assert!(monitor.unused(&hint) && monitor.woke(&hint));
        monitor.clock(&hint);
        assert!(monitor.foreseen);
    }
}
