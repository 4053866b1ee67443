//! The parameters, as users write them, and what stands in the control registers.

use super::MECHANISM;
use crate::Setting;
use crate::mechanism::Rules;
use crate::mechanism::control_values::control_values;
use crate::mechanism::parameter_table::parameters;
use crate::mechanism::powar::{PowarParameters, PowarValues};
use anyhow::{Result, ensure};

/// Bits behind the point of the word `bound`: it counts parts of 2^-16 of a cycle.
pub const BOUND_BITS: u32 = 16;

/// Parts that `bound` counts in a cycle.
const PARTS: f64 = (1 << BOUND_BITS) as f64;

/// The most that the word `cap` holds.
const MAX_CAP: u64 = (1 << 27) - 1;

parameters! {
    /// The parameters: POWAR's, and the budget's.
    pub struct AheadParameters of MECHANISM, policy "powar-budget", around powar: PowarParameters {
        bound: Number = 0.01, in 1.0 / PARTS..=1.0,
            "Share of time that packets may wait for a port that sleeps or wakes, such as 0.01";
        cap: Number = 4.0, "Waiting that a port may save up, as a multiple of T_s + T_w";
    }
}

control_values! {
    /// What the control registers hold (`docs/microarchitecture/mechanisms/ahead.md`): POWAR's, which are those of the `powar` in it, and
    /// the budget's.
    pub struct AheadValues of AheadParameters, around powar: PowarValues {
        bound: u32 = Number, 17, "Cycles that a port may make packets wait, a cycle: parts of 2^-16; from 2^16 on 1",
            from |of, _| (of.bound * PARTS).round() as u32;
        cap: u32 = Duration, 27, "Most cycles that a port may have earned and not lost",
            from |of, cycle_ns| of.cap_cycles(cycle_ns) as u32;
    }
}

impl AheadParameters {
    /// The longest wait for a port that falls asleep once, cycles.
    fn wait_cycles(&self, cycle_ns: f64) -> u64 {
        self.powar.t_sleep.cycles(cycle_ns) + self.powar.t_wake.cycles(cycle_ns)
    }

    /// What the word `cap` holds after reset.
    pub(in crate::mechanism) fn cap_cycles(&self, cycle_ns: f64) -> u64 {
        (self.cap * self.wait_cycles(cycle_ns) as f64).round() as u64
    }

    /// The smallest whole `cap` with which it holds so many cycles.
    pub(in crate::mechanism) fn least_cap(&self, cycles: u64, cycle_ns: f64) -> u64 {
        cycles.div_ceil(self.wait_cycles(cycle_ns))
    }
}

impl Rules for AheadParameters {
    fn check_rules(&self, setting: &Setting) -> Result<()> {
        self.powar.check_rules(setting)?;
        let cap = self.cap;
        ensure!(cap.is_finite() && cap > 0.0, "cap: {cap} must be above 0");
        let (cycles, least) = (self.cap_cycles(setting.cycle_ns), self.wait_cycles(setting.cycle_ns) + 2);
        ensure!(
            (least..=MAX_CAP).contains(&cycles),
            "cap: {cap} x (t_sleep + t_wake) is {cycles} cycles, out of range {least}..={MAX_CAP}"
        );
        Ok(())
    }

    fn saves_when(&self) -> Option<String> {
        let AheadParameters { bound, cap, .. } = self;
        let when = self.powar.saves_when()?;
        Some(format!("{when} and has made packets wait for no more than bound = {bound} and cap = {cap} allow"))
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

    fn with(parameters: AheadParameters) -> Config {
        Config { mechanism: Chosen(Box::new(parameters)), ..presets::by_name("fat-tree-4").expect("a preset") }
    }

    fn of(bound: f64, cap: f64) -> AheadParameters {
        AheadParameters { bound, cap, ..AheadParameters::default() }
    }

    #[test]
    fn resets_are_those_of_powar_and_the_budget() {
        let config = with(of(0.01, 4.0));
        config.check().expect("in range");
        let resets = config.mechanism.0.resets(config.cycle_ns);
        // T_s and T_w are 1800 and 2600 cycles of 1.6 ns.
        assert_eq!((resets[0], resets[5], resets[6]), (3, 1800, 2600));
        assert_eq!(resets[10..], [655, 4 * 4400]);
        assert_eq!(AheadValues::of(&with(of(1.0, 2.0))).bound, 1 << BOUND_BITS);
    }

    #[test]
    fn a_policy_is_that_of_powar_too() {
        let mut config = with(AheadParameters::default());
        config.mechanism.0.set_policy("First-On-Budget").expect("a policy");
        assert_eq!(config.mechanism.0.policy(), "first-on-budget");
        assert_eq!(AheadValues::of(&config).powar.policy, 2);
        let read = config.mechanism.with(toml::Table::new()).expect("its own table");
        assert_eq!(read, config.mechanism);
        assert_eq!(read.of::<AheadParameters>().expect("ahead").powar.policy, "first-on");
    }

    #[test]
    fn values_out_of_range_are_named() {
        for (parameters, expected) in [
            (of(0.0, 4.0), "bound: 0 is out of range"),
            (of(1.5, 4.0), "bound: 1.5 is out of range"),
            (of(0.01, 1.0), "cap: 1 x (t_sleep + t_wake) is 4400 cycles, out of range 4402..=134217727"),
            (of(0.01, 1e9), "cap: 1000000000 x (t_sleep + t_wake) is"),
            (of(0.01, -1.0), "cap: -1 must be above 0"),
        ] {
            let error = format!("{:#}", with(parameters).check().expect_err("out of range"));
            assert!(error.contains(expected), "{error}");
        }
        let mut short = with(AheadParameters::default());
        let powar = &mut short.mechanism.of_mut::<AheadParameters>().expect("ahead").powar;
        (powar.t_sleep, powar.t_wake) = (Nanoseconds(1.6), Nanoseconds(1.6));
        short.check().expect("the default is enough for the shortest times");
        assert!(MECHANISM.defaults().table().contains_key("pdt"));
        let unknown = Chosen::default().with(toml::Table::from_iter([("bound".to_owned(), 1.into())]));
        assert!(unknown.is_err(), "POWAR has no such parameter");
    }
}
