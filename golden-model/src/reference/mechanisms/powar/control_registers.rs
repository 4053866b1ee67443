//! `control_registers`: what their words mean.

use crate::reference::mechanisms::powar::port_power_fsm::Durations;
use crate::reference::power;
use powar_config::mechanism::powar::{Policy, PowarValues};

/// POWAR's control registers.
pub type ControlRegisters = power::ControlRegisters<PowarValues>;

impl ControlRegisters {
    /// The policy in force.
    pub fn policy(&self) -> &'static Policy {
        Policy::by_code(self.values.policy).expect("every 2-bit code is a policy")
    }

    /// The durations of the power FSMs.
    pub fn durations(&self) -> Durations {
        let PowarValues { pdt, t_sleep, t_wake, t_quiet, t_refresh, .. } = self.values;
        Durations { pdt, t_sleep, t_wake, t_quiet, t_refresh }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::power::mechanism::Write;

    #[test]
    fn a_policy_is_that_of_its_code() {
        let reset = PowarValues::of(&powar_config::presets::by_name("fat-tree-8").unwrap());
        let mut registers = ControlRegisters::new(reset);
        registers.clock(Some(Write { address: 0x40 / 4, data: 1 }));
        assert_eq!(registers.policy().name, "round-robin");
        registers.reset();
        assert_eq!(registers.policy().name, "powar");
    }
}
