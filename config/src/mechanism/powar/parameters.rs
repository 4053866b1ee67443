//! The parameters, as users write them, and what stands in the control registers.

use super::{MECHANISM, Policy, PowarValues};
use crate::config::MAX_COUNT;
use crate::mechanism::control_values::ControlValues;
use crate::mechanism::{Mechanism, Parameters};
use crate::units::Nanoseconds;
use crate::{Config, table};
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

/// POWAR's parameters. Times are nanoseconds, thresholds fractions of a port's bandwidth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PowarParameters {
    /// Policy after reset, by name.
    pub policy: String,
    /// Power-down threshold: how long an idle port stays awake.
    pub pdt: Nanoseconds,
    /// T_s, time to enter sleep; EEE at 10 Gb/s: 2.88 us.
    pub t_sleep: Nanoseconds,
    /// T_w, time to wake; EEE at 10 Gb/s: 4.16 us.
    pub t_wake: Nanoseconds,
    /// T_q, quiet period while asleep; 0 = no refresh.
    pub t_quiet: Nanoseconds,
    /// T_r, refresh period while asleep; 0 = no refresh.
    pub t_refresh: Nanoseconds,
    /// A wake request aborts the transition to sleep instead of waiting for its end.
    pub abort_sleep: bool,
    /// How often the flit counters are compared with the thresholds.
    pub check_period: Nanoseconds,
    /// T_on, utilisation above which one more port is made selectable.
    pub t_on: f64,
    /// T_off, utilisation below which one port less is selectable.
    pub t_off: f64,
}

impl Default for PowarParameters {
    fn default() -> Self {
        PowarParameters {
            policy: super::policy::powar::POWAR.name.into(),
            pdt: Nanoseconds(100e3),
            t_sleep: Nanoseconds(2880.0),
            t_wake: Nanoseconds(4160.0),
            t_quiet: Nanoseconds(0.0),
            t_refresh: Nanoseconds(0.0),
            abort_sleep: false,
            check_period: Nanoseconds(10e3),
            t_on: 0.5,
            t_off: 0.25,
        }
    }
}

impl PowarParameters {
    /// Reads a table; what is left out has its default.
    pub(super) fn parse(table: toml::Table) -> Result<Box<dyn Parameters>> {
        Ok(Box::new(table::read::<PowarParameters>(table)?))
    }

    /// What the control registers hold after reset, for parameters that have been checked; a cycle takes so many nanoseconds.
    pub fn values(&self, cycle_ns: f64) -> PowarValues {
        let cycles = |duration: Nanoseconds| duration.cycles(cycle_ns) as u32;
        let check_period = cycles(self.check_period) as u16;
        let flits = |fraction: f64| (fraction * f64::from(check_period)).round() as u16;
        PowarValues {
            policy: Policy::by_name(&self.policy).expect("checked").code,
            pdt: cycles(self.pdt),
            check_period,
            on_flits: flits(self.t_on),
            off_flits: flits(self.t_off),
            t_sleep: cycles(self.t_sleep),
            t_wake: cycles(self.t_wake),
            t_quiet: cycles(self.t_quiet),
            t_refresh: cycles(self.t_refresh),
            abort_sleep: self.abort_sleep,
        }
    }

    fn check_thresholds(&self, config: &Config) -> Result<()> {
        let PowarParameters { t_on, t_off, .. } = *self;
        ensure!(t_off > 0.0, "t_off: {t_off} is out of range, t_off > 0");
        ensure!(t_on >= 2.0 * t_off, "t_on: {t_on} is out of range, t_on >= 2 x t_off = {}", 2.0 * t_off);
        ensure!(t_on <= 1.0, "t_on: {t_on} is out of range, t_on <= 1");
        let period = self.check_period.cycles_in(config.cycle_ns, 2..=65535).context("check_period")?;
        ensure!(
            (t_off * period as f64).round() >= 1.0,
            "check_period: {} is {period} cycles, too short for t_off = {t_off}: less than one flit",
            self.check_period
        );
        Ok(())
    }

    fn check_durations(&self, config: &Config) -> Result<()> {
        for (field, value, least) in [
            ("pdt", self.pdt, 0),
            ("t_sleep", self.t_sleep, 1),
            ("t_wake", self.t_wake, 1),
            ("t_quiet", self.t_quiet, 0),
            ("t_refresh", self.t_refresh, 0),
        ] {
            value.cycles_in(config.cycle_ns, least..=MAX_COUNT).context(field)?;
        }
        ensure!(
            (self.t_quiet.0 == 0.0) == (self.t_refresh.0 == 0.0),
            "t_refresh: {} with t_quiet {}: both must be 0 (no refresh) or neither",
            self.t_refresh,
            self.t_quiet
        );
        Ok(())
    }
}

impl Parameters for PowarParameters {
    fn mechanism(&self) -> &'static Mechanism {
        &MECHANISM
    }

    fn policy(&self) -> &str {
        &self.policy
    }

    fn set_policy(&mut self, name: &str) -> Result<()> {
        self.policy = MECHANISM.policy(name)?.name.into();
        Ok(())
    }

    fn check(&self, config: &Config) -> Result<()> {
        MECHANISM.policy(&self.policy)?;
        self.check_thresholds(config)?;
        self.check_durations(config)
    }

    fn resets(&self, config: &Config) -> Vec<u32> {
        self.values(config.cycle_ns).words()
    }

    fn saves_when(&self) -> Option<String> {
        let sleeps = Policy::by_name(&self.policy).is_ok_and(|policy| policy.sleeps);
        sleeps.then(|| format!("a port goes to sleep when it has been idle for pdt = {}", self.pdt))
    }

    /// A T_on that is not below U_max, where that is known and the policy has a use for thresholds.
    fn warning(&self, config: &Config) -> Option<String> {
        let u_max = config.known_u_max()?;
        let decides = Policy::by_name(&self.policy).is_ok_and(|policy| policy.only_selectable)
            && config.groups.iter().any(|group| group.size > 1);
        (decides && self.t_on >= u_max).then(|| {
            format!(
                "t_on: {} is not below U_max = {u_max} of {}, what its links carry of uniform traffic (POWAR, section 3)",
                self.t_on, config.name
            )
        })
    }

    fn table(&self) -> toml::Table {
        table::written(self)
    }
}

impl Config {
    /// The parameters of a configuration whose mechanism is POWAR.
    ///
    /// # Errors
    /// Its mechanism is another.
    pub fn powar(&self) -> Result<&PowarParameters> {
        let name = self.mechanism().name;
        self.mechanism.of().with_context(|| format!("mechanism.kind: {name}, expected powar"))
    }

    /// The same, to be changed.
    ///
    /// # Errors
    /// Its mechanism is another.
    pub fn powar_mut(&mut self) -> Result<&mut PowarParameters> {
        let name = self.mechanism().name;
        self.mechanism.of_mut().with_context(|| format!("mechanism.kind: {name}, expected powar"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(network: &str, policy: &str, t_on: f64) -> Config {
        let mut config = Config::of_network(network).unwrap();
        let parameters = config.powar_mut().unwrap();
        (parameters.policy, parameters.t_on, parameters.t_off) = (policy.into(), t_on, t_on / 2.0);
        config.check().unwrap();
        config
    }

    fn warning(config: &Config) -> Option<String> {
        config.powar().unwrap().warning(config)
    }

    #[test]
    fn a_t_on_from_u_max_on_is_warned_about() {
        let u_max = Config::of_network("8-ary-2-tree").unwrap().known_u_max().unwrap();
        assert_eq!(warning(&of("8-ary-2-tree", "powar", u_max - 0.01)), None);
        let said = warning(&of("8-ary-2-tree", "powar", u_max)).unwrap();
        assert!(said.starts_with(&format!("t_on: {u_max} is not below U_max = {u_max} of 8-ary-2-tree")), "{said}");
        assert!(!said.contains('\n'));
        assert_eq!(warning(&of("2-ary-3-tree", "powar", 1.0)), None, "not measured");
        assert_eq!(warning(&of("torus-4x4x4", "powar", 0.9)), None, "a group of one port has nothing to add");
        assert_eq!(warning(&of("8-ary-2-tree", "first-on", 1.0)), None, "its ports are always selectable");
    }

    #[test]
    fn what_the_configuration_says_of_u_max_counts_more() {
        let with = |u_max| Config { u_max: Some(u_max), ..of("8-ary-2-tree", "powar", 0.5) };
        assert_eq!(warning(&with(0.51)), None);
        assert!(warning(&with(0.5)).unwrap().contains("U_max = 0.5 "));
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
