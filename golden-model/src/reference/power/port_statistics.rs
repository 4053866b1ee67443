//! Section 3.11: what a port did, for software and for the power model.

use crate::lock_step::{Block, Observed, input, output, register};
use powar_config::{PowerState, SignalDecl};

/// The statistics of a port, 32 bits each; they wrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortStatistics {
    /// Cycles in `Active`.
    pub active_cycles: u32,
    /// Cycles in `EnteringSleep`.
    pub entering_cycles: u32,
    /// Cycles in `Asleep` at low power.
    pub quiet_cycles: u32,
    /// Cycles in `Asleep` at full power, refreshing.
    pub refresh_cycles: u32,
    /// Cycles in `Waking`.
    pub waking_cycles: u32,
    /// Times that the port started to wake.
    pub wake_ups: u32,
    /// Flits that left on the port.
    pub flits: u32,
}

/// What a port's statistics see in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct StatisticsInputs {
    pub state: PowerState,
    pub refreshing: bool,
    pub wake_started: bool,
    pub flit: bool,
    pub clear: bool,
}

impl PortStatistics {
    /// The registers' names, in the order of section 3.11.
    pub const NAMES: [&'static str; 7] =
        ["active_cycles", "entering_cycles", "quiet_cycles", "refresh_cycles", "waking_cycles", "wake_ups", "flits"];

    /// The values, in the order of [`PortStatistics::NAMES`].
    pub fn values(&self) -> [u32; 7] {
        [
            self.active_cycles,
            self.entering_cycles,
            self.quiet_cycles,
            self.refresh_cycles,
            self.waking_cycles,
            self.wake_ups,
            self.flits,
        ]
    }

    /// What was counted since an earlier reading less than 2^32 cycles ago, with no clear and no reset between.
    pub fn since(&self, earlier: &PortStatistics) -> PortStatistics {
        PortStatistics {
            active_cycles: self.active_cycles.wrapping_sub(earlier.active_cycles),
            entering_cycles: self.entering_cycles.wrapping_sub(earlier.entering_cycles),
            quiet_cycles: self.quiet_cycles.wrapping_sub(earlier.quiet_cycles),
            refresh_cycles: self.refresh_cycles.wrapping_sub(earlier.refresh_cycles),
            waking_cycles: self.waking_cycles.wrapping_sub(earlier.waking_cycles),
            wake_ups: self.wake_ups.wrapping_sub(earlier.wake_ups),
            flits: self.flits.wrapping_sub(earlier.flits),
        }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = PortStatistics::default();
    }

    /// The clock edge. The cycle of a clear is not counted.
    pub fn clock(&mut self, inputs: &StatisticsInputs) {
        if inputs.clear {
            return self.reset();
        }
        let of_state = match (inputs.state, inputs.refreshing) {
            (PowerState::Active, _) => &mut self.active_cycles,
            (PowerState::EnteringSleep, _) => &mut self.entering_cycles,
            (PowerState::Asleep, false) => &mut self.quiet_cycles,
            (PowerState::Asleep, true) => &mut self.refresh_cycles,
            (PowerState::Waking, _) => &mut self.waking_cycles,
        };
        *of_state = of_state.wrapping_add(1);
        self.wake_ups = self.wake_ups.wrapping_add(inputs.wake_started.into());
        self.flits = self.flits.wrapping_add(inputs.flit.into());
    }
}

impl Block for PortStatistics {
    fn signals(&self) -> Vec<SignalDecl> {
        let inputs = [("rst", 1), ("state", 2), ("refreshing", 1), ("wake_started", 1), ("flit", 1), ("clear", 1)];
        let inputs = inputs.map(|(name, width)| input(name, width));
        let outputs = Self::NAMES.map(|name| output(name, 32));
        let registers = Self::NAMES.map(|name| register(name, 32));
        [&inputs[..], &outputs, &registers].concat()
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        observed.rows(self.values());
        observed.rows(self.values());
        if inputs[0] == 1 {
            return self.reset();
        }
        self.clock(&StatisticsInputs {
            state: PowerState::ALL[inputs[1] as usize],
            refreshing: inputs[2] == 1,
            wake_started: inputs[3] == 1,
            flit: inputs[4] == 1,
            clear: inputs[5] == 1,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cycle_counts_once_by_its_state() {
        let mut statistics = PortStatistics::default();
        let phases = [
            (PowerState::Active, false, 1),
            (PowerState::EnteringSleep, false, 2),
            (PowerState::Asleep, false, 3),
            (PowerState::Asleep, true, 4),
            (PowerState::Waking, false, 5),
        ];
        for (state, refreshing, cycles) in phases {
            for _ in 0..cycles {
                statistics.clock(&StatisticsInputs { state, refreshing, ..Default::default() });
            }
        }
        assert_eq!(statistics.values(), [1, 2, 3, 4, 5, 0, 0]);
        statistics.clock(&StatisticsInputs { wake_started: true, flit: true, ..Default::default() });
        assert_eq!(statistics.values(), [2, 2, 3, 4, 5, 1, 1]);
        statistics.clock(&StatisticsInputs { wake_started: true, flit: true, clear: true, ..Default::default() });
        assert_eq!(statistics, PortStatistics::default(), "the cycle of the clear is not counted");
    }

    #[test]
    fn counters_wrap_and_differences_do_not_mind() {
        let before = PortStatistics { active_cycles: u32::MAX, flits: u32::MAX - 1, ..Default::default() };
        let mut after = before;
        for _ in 0..3 {
            after.clock(&StatisticsInputs { flit: true, ..Default::default() });
        }
        assert_eq!((after.active_cycles, after.flits), (2, 1));
        let counted = after.since(&before);
        assert_eq!((counted.active_cycles, counted.flits), (3, 3));
    }
}
