//! The parameters, as users write them, and what stands in the control registers.

use super::MECHANISM;
use crate::Setting;
use crate::config::MAX_COUNT;
use crate::mechanism::Rules;
use crate::mechanism::control_values::control_values;
use crate::mechanism::parameter_table::parameters;
use crate::mechanism::powar::{PowarParameters, PowarValues};
use anyhow::Result;

/// Thresholds that a port has to choose from: 2^b cycles, b from 0 on.
pub const THRESHOLDS: usize = 24;

/// The most that the word `allowed` holds, where it means any number.
const MAX_ALLOWED: f64 = 255.0;

parameters! {
    /// The parameters: POWAR's, whose power-down threshold comes on top of what a port chooses, and those of the bound.
    pub struct PerfBoundParameters of MECHANISM, policy "powar-perf-bound", around powar: PowarParameters {
        bound: Number = 0.01, in 0.0..=1.0,
            "Share of time that packets may wait for a port that sleeps or wakes, such as 0.01";
        period: Time = 1e6, in 32..=MAX_COUNT,
            "How long a port looks at its gaps before it chooses a threshold, such as 1ms";
    }
}

control_values! {
    /// What the control registers hold (`docs/microarchitecture/mechanisms/perf_bound.md`): POWAR's, which are those of
    /// the `powar` in it, and those of the bound.
    pub struct PerfBoundValues of PerfBoundParameters, around powar: PowarValues, rows perf_bound_words {
        allowed: u8 = Count, 8, "Times that a port may fall asleep in a window; 255: any number",
            from |of, cycle_ns| of.allowed(cycle_ns);
        period: u32 = Duration, 24, "Cycles of a window, in which a port looks at its gaps";
    }
}

impl PerfBoundParameters {
    /// Sleeps that a window may cost.
    fn allowed(&self, cycle_ns: f64) -> u32 {
        let cycles_of_a_sleep = self.powar.t_sleep.cycles(cycle_ns) + self.powar.t_wake.cycles(cycle_ns);
        let sleeps = self.bound * self.period.cycles(cycle_ns) as f64 / cycles_of_a_sleep as f64;
        sleeps.floor().min(MAX_ALLOWED) as u32
    }
}

impl Rules for PerfBoundParameters {
    fn check_rules(&self, setting: &Setting) -> Result<()> {
        self.powar.check_rules(setting)
    }

    fn saves_when(&self) -> Option<String> {
        let PerfBoundParameters { bound, period, .. } = self;
        let when = self.powar.saves_when()?;
        Some(format!(
            "{when} beyond the threshold that it has chosen by bound = {bound} at the end of the last period = {period}"
        ))
    }

    fn warnings(&self, setting: &Setting) -> Vec<String> {
        self.powar.warnings(setting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;
    use crate::mechanism::Chosen;
    use crate::presets;
    use crate::units::Nanoseconds;

    fn with(parameters: PerfBoundParameters) -> Config {
        Config { mechanism: Chosen(Box::new(parameters)), ..presets::by_name("fat-tree-4").expect("a preset") }
    }

    fn of(bound: f64, period: f64) -> PerfBoundParameters {
        PerfBoundParameters { bound, period: Nanoseconds(period), ..PerfBoundParameters::default() }
    }

    #[test]
    fn resets_are_those_of_powar_and_of_the_bound() {
        let config = with(of(0.01, 10e6));
        config.check().expect("in range");
        let resets = config.mechanism.0.resets(config.cycle_ns);
        // T_s and T_w are 1800 and 2600 cycles of 1.6 ns.
        assert_eq!((resets[0], resets[5], resets[6]), (3, 1800, 2600));
        assert_eq!(resets[10..], [62_500 / 4400, 6_250_000]);
    }

    #[test]
    fn what_is_allowed_is_rounded_down_and_has_eight_bits() {
        let allowed = |bound, period| PerfBoundValues::of(&with(of(bound, period))).allowed;
        assert_eq!((allowed(0.01, 1e6), allowed(0.007, 1e6), allowed(0.0, 1e6)), (1, 0, 0));
        assert_eq!((allowed(0.5, 3e6), allowed(1.0, 20e6)), (213, 255));
    }

    #[test]
    fn a_policy_is_that_of_powar_too() {
        let mut config = with(PerfBoundParameters::default());
        config.mechanism.0.set_policy("First-On-Perf-Bound").expect("a policy");
        assert_eq!(config.mechanism.0.policy(), "first-on-perf-bound");
        assert_eq!(PerfBoundValues::of(&config).powar.policy, 2);
        let read = config.mechanism.with(toml::Table::new()).expect("its own table");
        assert_eq!(read, config.mechanism);
        assert_eq!(read.of::<PerfBoundParameters>().expect("perf_bound").powar.policy, "first-on");
    }

    #[test]
    fn values_out_of_range_are_named() {
        for (parameters, expected) in [
            (of(-0.1, 1e6), "bound: -0.1 is out of range 0..=1"),
            (of(1.5, 1e6), "bound: 1.5 is out of range 0..=1"),
            (of(0.01, 40.0), "period: 40ns is 25 cycles, out of range 32..=16777215"),
            (of(0.01, 30e6), "period: 30ms is 18750000 cycles, out of range 32..=16777215"),
        ] {
            let error = format!("{:#}", with(parameters).check().expect_err("out of range"));
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn what_has_to_happen_before_a_port_saves_is_said() {
        let when = of(0.05, 1e6).saves_when().expect("it saves");
        assert!(when.contains("pdt") && when.contains("bound = 0.05") && when.contains("period = 1ms"), "{when}");
        let mut reference = PerfBoundParameters::default();
        reference.powar.policy = "reference".into();
        assert_eq!(reference.saves_when(), None);
    }
}
