//! The parameters, as users write them, and what stands in the control registers.

use super::MECHANISM;
use crate::Config;
use crate::config::MAX_COUNT;
use crate::mechanism::{Mechanism, Parameters};
use crate::table;
use crate::units::Nanoseconds;
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::any::Any;

/// Alonso's parameters. Times are nanoseconds, thresholds fractions of a link's bandwidth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AlonsoParameters {
    /// Policy after reset, by name.
    pub policy: String,
    /// U_on, utilisation above which one more link is switched on.
    pub u_on: f64,
    /// U_off, utilisation below which one is switched off.
    pub u_off: f64,
    /// How often utilisation is compared with them; section 4.2: 2000 cycles.
    pub check_period: Nanoseconds,
    /// T_on; section 4.2: 1000 cycles.
    pub turn_on: Nanoseconds,
    /// T_off; section 4.2: 1000 cycles.
    pub turn_off: Nanoseconds,
    /// A message that waits at a node switches all links of its leaf switch on.
    pub litmus: bool,
    /// Begin with the Minimal Tree alone.
    pub start: bool,
}

impl Default for AlonsoParameters {
    /// The times of the paper at the cycle of 1.6 ns, thresholds in the middle of what it tries.
    fn default() -> Self {
        AlonsoParameters {
            policy: "alonso-dynamic".into(),
            u_on: 0.5,
            u_off: 0.25,
            check_period: Nanoseconds(3200.0),
            turn_on: Nanoseconds(1600.0),
            turn_off: Nanoseconds(1600.0),
            litmus: true,
            start: false,
        }
    }
}

/// What the control registers hold (`docs/microarchitecture/mechanisms/alonso.md`), in cycles and flits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlonsoValues {
    pub policy: u8,
    pub check_period: u16,
    pub on_flits: u16,
    pub off_flits: u16,
    pub t_on: u32,
    pub t_off: u32,
    pub litmus: bool,
    pub start: bool,
}

impl AlonsoParameters {
    /// Reads a table; what is left out has its default.
    pub(super) fn parse(table: toml::Table) -> Result<Box<dyn Parameters>> {
        Ok(Box::new(table::read::<AlonsoParameters>(table)?))
    }

    /// What the control registers hold after reset, for parameters that have been checked; a cycle takes so many nanoseconds.
    pub fn values(&self, cycle_ns: f64) -> AlonsoValues {
        let cycles = |duration: Nanoseconds| duration.cycles(cycle_ns) as u32;
        let check_period = cycles(self.check_period) as u16;
        let flits = |fraction: f64| (fraction * f64::from(check_period)).round() as u16;
        AlonsoValues {
            policy: MECHANISM.policy_code(&self.policy).expect("checked") as u8,
            check_period,
            on_flits: flits(self.u_on),
            off_flits: flits(self.u_off),
            t_on: cycles(self.turn_on),
            t_off: cycles(self.turn_off),
            litmus: self.litmus,
            start: self.start,
        }
    }
}

impl Parameters for AlonsoParameters {
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
        let AlonsoParameters { u_on, u_off, .. } = *self;
        ensure!(u_off > 0.0, "u_off: {u_off} is out of range, u_off > 0");
        ensure!(u_on >= 2.0 * u_off, "u_on: {u_on} is out of range, u_on >= 2 x u_off = {}", 2.0 * u_off);
        ensure!(u_on <= 1.0, "u_on: {u_on} is out of range, u_on <= 1");
        let period = self.check_period.cycles(config.cycle_ns);
        ensure!(
            (2..=65535).contains(&period),
            "check_period: {} is {period} cycles, out of range 2..=65535",
            self.check_period
        );
        ensure!(
            (u_off * period as f64).round() >= 1.0,
            "check_period: {} is {period} cycles, too short for u_off = {u_off}: less than one flit",
            self.check_period
        );
        for (field, value) in [("turn_on", self.turn_on), ("turn_off", self.turn_off)] {
            let cycles = value.cycles(config.cycle_ns);
            ensure!(
                (1..=MAX_COUNT).contains(&cycles),
                "{field}: {value} is {cycles} cycles, out of range 1..={MAX_COUNT}"
            );
        }
        Ok(())
    }

    fn resets(&self, config: &Config) -> Vec<u32> {
        let values = self.values(config.cycle_ns);
        vec![
            values.policy.into(),
            values.check_period.into(),
            values.on_flits.into(),
            values.off_flits.into(),
            values.t_on,
            values.t_off,
            values.litmus.into(),
            values.start.into(),
        ]
    }

    /// A U_on that is not below U_max, where that is known (section 3.3).
    fn warning(&self, config: &Config) -> Option<String> {
        let u_max = config.known_u_max()?;
        let decides = MECHANISM.policy(&self.policy).is_ok_and(|policy| !policy.ignores.contains(&"u_on"));
        (decides && self.u_on >= u_max).then(|| {
            format!(
                "u_on: {} is not below U_max = {u_max} of {}, what its links carry of uniform traffic (Alonso, section 3.3)",
                self.u_on, config.name
            )
        })
    }

    fn table(&self) -> toml::Table {
        table::written(self)
    }

    fn clone_box(&self) -> Box<dyn Parameters> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

impl Config {
    /// The parameters of a configuration whose mechanism is Alonso's.
    ///
    /// # Errors
    /// Its mechanism is another.
    pub fn alonso(&self) -> Result<&AlonsoParameters> {
        let name = self.mechanism().name;
        self.mechanism.of().with_context(|| format!("mechanism.kind: {name}, expected alonso"))
    }
}
