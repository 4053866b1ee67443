//! The parameters, as users write them, and what stands in the control registers.

use super::MECHANISM;
use crate::mechanism::powar::{PowarParameters, PowarValues, policy};
use crate::mechanism::{Mechanism, Parameters};
use crate::{Config, table};
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// Bits behind the point of the word `bound`: it counts parts of 2^-16 of a cycle.
pub const BOUND_BITS: u32 = 16;

/// The most that the word `cap` holds.
const MAX_CAP: u64 = (1 << 27) - 1;

/// The parameters: POWAR's, and the budget's.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct AheadParameters {
    /// POWAR's; its policy is the one that this one's policy is made of.
    pub powar: PowarParameters,
    pub budget: BudgetParameters,
}

/// What there is beside POWAR's parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BudgetParameters {
    /// Policy after reset, by name.
    pub policy: String,
    /// Cycles that packets may wait for a port, a cycle.
    pub bound: f64,
    /// Waiting that a port may save up, as a multiple of T_s + T_w.
    pub cap: f64,
}

impl Default for BudgetParameters {
    fn default() -> Self {
        BudgetParameters { policy: "powar-budget".into(), bound: 0.01, cap: 4.0 }
    }
}

/// What the control registers hold (`docs/microarchitecture/mechanisms/ahead.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AheadValues {
    pub powar: PowarValues,
    /// Parts of 2^-16 of a cycle, 17 bits.
    pub bound: u32,
    /// Cycles, 27 bits.
    pub cap: u32,
}

impl AheadValues {
    /// What they hold after reset, for a configuration that has been checked.
    ///
    /// # Panics
    /// Its mechanism is another.
    pub fn of(config: &Config) -> AheadValues {
        let parameters: &AheadParameters = config.mechanism.of().expect("a configuration of ahead");
        parameters.values(config.cycle_ns)
    }
}

impl AheadParameters {
    /// Reads a table; what is left out has its default.
    pub(super) fn parse(table: toml::Table) -> Result<Box<dyn Parameters>> {
        table::check_fields(&table, &Self::default().table())?;
        Ok(Box::new(Self::read(table)?))
    }

    /// As [`AheadParameters::parse`], for a mechanism that has them among its own.
    pub(in crate::mechanism) fn read(mut table: toml::Table) -> Result<Self> {
        let mut own = toml::Table::new();
        for name in table::written(&BudgetParameters::default()).keys() {
            own.extend(table.remove(name).map(|value| (name.clone(), value)));
        }
        let mut powar: PowarParameters = table::read(table)?;
        let budget: BudgetParameters = table::read(own)?;
        // One that there is not is found by the check.
        if let Ok(code) = MECHANISM.policy_code(&budget.policy) {
            powar.policy = policy::ALL[code].name.into();
        }
        Ok(AheadParameters { powar, budget })
    }

    /// What the control registers hold after reset, for parameters that have been checked; a cycle takes so many nanoseconds.
    pub fn values(&self, cycle_ns: f64) -> AheadValues {
        AheadValues {
            powar: self.powar.values(cycle_ns),
            bound: (self.budget.bound * f64::from(1 << BOUND_BITS)).round() as u32,
            cap: self.cap_cycles(cycle_ns) as u32,
        }
    }

    /// The longest wait for a port that falls asleep once, cycles.
    fn wait_cycles(&self, cycle_ns: f64) -> u64 {
        self.powar.t_sleep.cycles(cycle_ns) + self.powar.t_wake.cycles(cycle_ns)
    }

    fn cap_cycles(&self, cycle_ns: f64) -> u64 {
        (self.budget.cap * self.wait_cycles(cycle_ns) as f64).round() as u64
    }
}

impl Parameters for AheadParameters {
    fn mechanism(&self) -> &'static Mechanism {
        &MECHANISM
    }

    fn policy(&self) -> &str {
        &self.budget.policy
    }

    fn set_policy(&mut self, name: &str) -> Result<()> {
        let code = MECHANISM.policy_code(name)?;
        self.budget.policy = MECHANISM.policies[code].name.into();
        self.powar.policy = policy::ALL[code].name.into();
        Ok(())
    }

    fn check(&self, config: &Config) -> Result<()> {
        MECHANISM.policy(&self.budget.policy)?;
        self.powar.check(config)?;
        let BudgetParameters { bound, cap, .. } = self.budget;
        let least = 1.0 / f64::from(1 << BOUND_BITS);
        ensure!((least..=1.0).contains(&bound), "bound: {bound} is out of range {least}..=1");
        ensure!(cap.is_finite() && cap > 0.0, "cap: {cap} must be above 0");
        let (cycles, least) = (self.cap_cycles(config.cycle_ns), self.wait_cycles(config.cycle_ns) + 2);
        ensure!(
            (least..=MAX_CAP).contains(&cycles),
            "cap: {cap} x (t_sleep + t_wake) is {cycles} cycles, out of range {least}..={MAX_CAP}"
        );
        Ok(())
    }

    fn resets(&self, config: &Config) -> Vec<u32> {
        let AheadValues { bound, cap, .. } = self.values(config.cycle_ns);
        self.powar.resets(config).into_iter().chain([bound, cap]).collect()
    }

    fn saves_when(&self) -> Option<String> {
        let BudgetParameters { bound, cap, .. } = self.budget;
        let when = self.powar.saves_when()?;
        Some(format!("{when} and has made packets wait for no more than bound = {bound} and cap = {cap} allow"))
    }

    fn warning(&self, config: &Config) -> Option<String> {
        self.powar.warning(config)
    }

    fn table(&self) -> toml::Table {
        let mut all = table::written(&self.powar);
        all.extend(table::written(&self.budget));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::Chosen;
    use crate::presets;
    use crate::units::Nanoseconds;

    fn with(budget: BudgetParameters) -> Config {
        let parameters = AheadParameters { budget, ..AheadParameters::default() };
        Config { mechanism: Chosen(Box::new(parameters)), ..presets::by_name("fat-tree-4").expect("a preset") }
    }

    fn of(bound: f64, cap: f64) -> BudgetParameters {
        BudgetParameters { bound, cap, ..BudgetParameters::default() }
    }

    #[test]
    fn resets_are_those_of_powar_and_the_budget() {
        let config = with(of(0.01, 4.0));
        config.check().expect("in range");
        let resets = config.mechanism.0.resets(&config);
        // T_s and T_w are 1800 and 2600 cycles of 1.6 ns.
        assert_eq!((resets[0], resets[5], resets[6]), (3, 1800, 2600));
        assert_eq!(resets[10..], [655, 4 * 4400]);
        assert_eq!(AheadValues::of(&with(of(1.0, 2.0))).bound, 1 << BOUND_BITS);
    }

    #[test]
    fn a_policy_is_that_of_powar_too() {
        let mut config = with(BudgetParameters::default());
        config.mechanism.0.set_policy("First-On-Budget").expect("a policy");
        assert_eq!(config.mechanism.0.policy(), "first-on-budget");
        assert_eq!(AheadValues::of(&config).powar.policy, 2);
        let read = config.mechanism.with(toml::Table::new()).expect("its own table");
        assert_eq!(read, config.mechanism);
        assert_eq!(read.of::<AheadParameters>().expect("ahead").powar.policy, "first-on");
    }

    #[test]
    fn values_out_of_range_are_named() {
        for (budget, expected) in [
            (of(0.0, 4.0), "bound: 0 is out of range"),
            (of(1.5, 4.0), "bound: 1.5 is out of range"),
            (of(0.01, 1.0), "cap: 1 x (t_sleep + t_wake) is 4400 cycles, out of range 4402..=134217727"),
            (of(0.01, 1e9), "cap: 1000000000 x (t_sleep + t_wake) is"),
            (of(0.01, -1.0), "cap: -1 must be above 0"),
        ] {
            let error = format!("{:#}", with(budget).check().expect_err("out of range"));
            assert!(error.contains(expected), "{error}");
        }
        let mut short = with(BudgetParameters::default());
        let powar = &mut short.mechanism.of_mut::<AheadParameters>().expect("ahead").powar;
        (powar.t_sleep, powar.t_wake) = (Nanoseconds(1.6), Nanoseconds(1.6));
        short.check().expect("the default is enough for the shortest times");
        assert!(MECHANISM.defaults().table().contains_key("pdt"));
        let unknown = Chosen::default().with(toml::Table::from_iter([("bound".to_owned(), 1.into())]));
        assert!(unknown.is_err(), "POWAR has no such parameter");
    }

    #[test]
    fn every_parameter_is_listed_and_has_a_default() {
        let table = MECHANISM.defaults().table();
        let mut listed: Vec<&str> = MECHANISM.options.iter().map(|option| option.name).chain(["policy"]).collect();
        listed.sort_unstable();
        assert_eq!(table.keys().map(String::as_str).collect::<Vec<_>>(), listed);
        for policy in MECHANISM.policies {
            assert!(policy.ignores.iter().all(|name| table.contains_key(*name)), "{}", policy.name);
        }
    }
}
