//! `control_registers`: what their words mean.

use crate::reference::power;
use powar_config::mechanism::soteriou_peh::SoteriouPehValues;

/// Soteriou and Peh's control registers.
pub type ControlRegisters = power::ControlRegisters<SoteriouPehValues>;

impl ControlRegisters {
    /// The policy is one by load: Design I.
    pub fn by_load(&self) -> bool {
        matches!(self.values.policy, 1 | 2)
    }

    /// Links go off when they have been idle: Design II.
    pub fn on_demand(&self) -> bool {
        self.values.policy == 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::mechanism::soteriou_peh::MECHANISM;
    use powar_config::{Chosen, Config};

    #[test]
    fn what_the_codes_of_policies_mean() {
        let mut config = Config::of_network("mesh-4x4").unwrap();
        config.mechanism = Chosen(MECHANISM.defaults());
        let mut registers = ControlRegisters::new(SoteriouPehValues::of(&config));
        for (code, by_load, on_demand) in [(0, false, false), (1, true, false), (2, true, false), (3, false, true)] {
            registers.values.policy = code;
            assert_eq!((registers.by_load(), registers.on_demand()), (by_load, on_demand), "{code}");
        }
    }
}
