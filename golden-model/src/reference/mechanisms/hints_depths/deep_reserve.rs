//! `deep_reserve`: what a port must have of its budget to sleep deeply.

use crate::inputs;
use crate::lock_step::Block;
use crate::reference::mechanisms::ahead::budget_registers::T_WAKE;
use crate::reference::mechanisms::depths::sleep_depth::T_WAKE_DEEP;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::SignalSpec;
use powar_config::mechanism::hints_depths::HintsDepthsValues;
use powar_config::signal::duration;

/// Also as others see it.
pub(super) const RESERVE: SignalSpec = duration("reserve", 25);

/// What all ports have in common of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeepReserve {
    reset_value: u32,
    /// What a port must have to sleep deeply, cycles.
    pub reserve: u32,
}

inputs! {
    /// What it sees in a cycle: what a light and a deep wake-up take, cycles.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct ReserveInputs {
        pub t_wake: u32 = T_WAKE,
        pub t_wake_deep: u32 = T_WAKE_DEEP,
    }
}

impl ReserveInputs {
    /// `reserve` in the next cycle.
    pub(crate) fn reserve(&self) -> u32 {
        self.t_wake.max(self.t_wake_deep) + 1
    }
}

impl DeepReserve {
    /// After reset, of the values of a configuration.
    pub fn new(reset: &HintsDepthsValues) -> Self {
        let (t_wake, t_wake_deep) = (reset.hints.ahead.powar.t_wake, reset.t_wake_deep);
        let reserve = ReserveInputs { t_wake, t_wake_deep }.reserve();
        DeepReserve { reset_value: reserve, reserve }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        self.reserve = self.reset_value;
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ReserveInputs) {
        self.reserve = inputs.reserve();
    }
}

impl Registers for DeepReserve {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(RESERVE, self.reserve);
    }
}

impl Block for DeepReserve {
    type Inputs<'a> = ReserveInputs;

    fn outputs(&self, _: &ReserveInputs, rows: &mut RegisterRows) {
        rows.one(RESERVE, self.reserve);
    }

    fn edge(&mut self, rst: bool, seen: &ReserveInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::mechanism::hints_depths::MECHANISM;
    use powar_config::{Chosen, Config, presets};

    #[test]
    fn it_is_what_the_longer_of_both_wake_ups_costs() {
        let mechanism = Chosen(MECHANISM.defaults());
        let config = Config { mechanism, ..presets::by_name("fat-tree-4").expect("a preset") };
        let mut reserve = DeepReserve::new(&HintsDepthsValues::of(&config));
        assert_eq!(reserve.reserve, 3889, "6.22 us and a cycle");
        const LONGEST: u32 = (1 << 24) - 1;
        for (t_wake, t_wake_deep, costs) in [(0, 0, 1), (7, 3, 8), (3, 7, 8), (5, 5, 6), (LONGEST, 1, 1 << 24)] {
            reserve.clock(&ReserveInputs { t_wake, t_wake_deep });
            assert_eq!(reserve.reserve, costs);
        }
        reserve.reset();
        assert_eq!(reserve.reserve, 3889);
    }
}
