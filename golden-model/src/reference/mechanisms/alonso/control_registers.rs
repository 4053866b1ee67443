//! `control_registers`: what their words mean.

use crate::reference::power;
use powar_config::mechanism::alonso::AlonsoValues;

/// Alonso's control registers.
pub type ControlRegisters = power::ControlRegisters<AlonsoValues>;

impl ControlRegisters {
    /// The policy lets links go off.
    pub fn sleeps(&self) -> bool {
        matches!(self.values.policy, 1 | 2)
    }

    /// The threshold for off depends on how many links are on.
    pub fn dynamic(&self) -> bool {
        self.values.policy == 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::mechanism::alonso::MECHANISM;
    use powar_config::{Chosen, Config};

    #[test]
    fn what_the_codes_of_policies_mean() {
        let mut config = Config::of_network("4-ary-2-tree").unwrap();
        config.mechanism = Chosen(MECHANISM.defaults());
        let mut registers = ControlRegisters::new(AlonsoValues::of(&config));
        for (code, sleeps, dynamic) in [(0, false, false), (1, true, false), (2, true, true), (3, false, false)] {
            registers.values.policy = code;
            assert_eq!((registers.sleeps(), registers.dynamic()), (sleeps, dynamic), "{code}");
        }
    }
}
