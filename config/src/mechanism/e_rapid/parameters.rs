//! The parameters, as users write them, and what stands in the control registers.

use super::{Layout, MECHANISM};
use crate::Config;
use crate::mechanism::{Mechanism, Parameters};
use crate::table;
use crate::units::Nanoseconds;
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use std::any::Any;

/// The mechanism's parameters. Times are nanoseconds, thresholds shares of a window in which packets wait.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ERapidParameters {
    /// Policy after reset, by name.
    pub policy: String,
    /// Reconfiguration window; section 4.2: R_w = 1000 cycles.
    pub window: Nanoseconds,
    /// Section 4.1: 65 cycles.
    pub dead_time: Nanoseconds,
    /// Section 4.2: B_min = 0.1.
    pub b_min: f64,
    /// B_max = 0.3.
    pub b_max: f64,
    /// Section 3.2: B_con = 0.5.
    pub b_con: f64,
    /// Degree of reconfiguration N, section 4.2: 2, 4 or 8.
    pub degree: u8,
}

impl Default for ERapidParameters {
    /// The paper's values at the cycle of 1.6 ns.
    fn default() -> Self {
        ERapidParameters {
            policy: "p-b".into(),
            window: Nanoseconds(1600.0),
            dead_time: Nanoseconds(104.0),
            b_min: 0.1,
            b_max: 0.3,
            b_con: 0.5,
            degree: 8,
        }
    }
}

/// What the control registers hold (`docs/microarchitecture/mechanisms/e_rapid.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ERapidValues {
    pub policy: u8,
    /// Cycles, 12 bits.
    pub window: u16,
    /// Cycles of a window, 12 bits each.
    pub b_min: u16,
    pub b_max: u16,
    pub b_con: u16,
    /// 4 bits.
    pub degree: u8,
    /// Cycles.
    pub dead_time: u8,
}

/// Shortest window, cycles: messages go round in it, and links are looked at twice.
const LEAST_WINDOW: u64 = 256;

impl ERapidParameters {
    /// Reads a table; what is left out has its default.
    pub(super) fn parse(table: toml::Table) -> Result<Box<dyn Parameters>> {
        Ok(Box::new(table::read::<ERapidParameters>(table)?))
    }

    /// What the control registers hold after reset, for parameters that have been checked; a cycle takes so many nanoseconds.
    pub fn values(&self, cycle_ns: f64) -> ERapidValues {
        let window = self.window.cycles(cycle_ns) as u16;
        let share = |fraction: f64| (fraction * f64::from(window)).round() as u16;
        ERapidValues {
            policy: MECHANISM.policy_code(&self.policy).expect("checked") as u8,
            window,
            b_min: share(self.b_min),
            b_max: share(self.b_max),
            b_con: share(self.b_con),
            degree: self.degree,
            dead_time: self.dead_time.cycles(cycle_ns) as u8,
        }
    }
}

impl Parameters for ERapidParameters {
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
        ensure!(
            Layout::of(config).is_some(),
            "kind: e_rapid needs boards joined by wavelengths; topology must be boards-BxD"
        );
        MECHANISM.policy(&self.policy)?;
        let ERapidParameters { b_min, b_max, b_con, degree, .. } = *self;
        for (field, value) in [("b_min", b_min), ("b_max", b_max), ("b_con", b_con)] {
            ensure!((0.0..=1.0).contains(&value), "{field}: {value} is out of range 0..=1");
        }
        ensure!(b_min <= b_max, "b_max: {b_max} is out of range, b_max >= b_min = {b_min}");
        ensure!((1..=8).contains(&degree), "degree: {degree} is out of range 1..=8");
        for (field, value, least, most) in
            [("window", self.window, LEAST_WINDOW, 4095), ("dead_time", self.dead_time, 1, 255)]
        {
            let cycles = value.cycles(config.cycle_ns);
            ensure!(
                (least..=most).contains(&cycles),
                "{field}: {value} is {cycles} cycles, out of range {least}..={most}"
            );
        }
        Ok(())
    }

    fn resets(&self, config: &Config) -> Vec<u32> {
        let ERapidValues { policy, window, b_min, b_max, b_con, degree, dead_time } = self.values(config.cycle_ns);
        let counts = [0, 0];
        let words =
            [policy.into(), window.into(), b_min.into(), b_max.into(), b_con.into(), degree.into(), dead_time.into()];
        [&words[..], &counts].concat()
    }

    fn warning(&self, _config: &Config) -> Option<String> {
        None
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
    /// What the control registers of E-RAPID hold after reset, for a configuration that has been checked.
    ///
    /// # Panics
    /// Its mechanism is another.
    pub fn e_rapid_values(&self) -> ERapidValues {
        let parameters: &ERapidParameters = self.mechanism.of().expect("a configuration of E-RAPID");
        parameters.values(self.cycle_ns)
    }
}
