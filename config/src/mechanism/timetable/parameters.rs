//! The parameters, as users write them, and what stands in the control registers.

use super::{MECHANISM, TimetableValues};
use crate::config::MAX_COUNT;
use crate::mechanism::control_values::ControlValues;
use crate::mechanism::{Mechanism, Parameters};
use crate::units::Nanoseconds;
use crate::{Config, table};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// The timetable's parameters. Times are nanoseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TimetableParameters {
    /// Policy after reset, by name.
    pub policy: String,
    /// How long ports are open.
    pub on_time: Nanoseconds,
    /// How long they are closed.
    pub off_time: Nanoseconds,
}

impl Default for TimetableParameters {
    fn default() -> Self {
        let time = Nanoseconds(10e3);
        TimetableParameters { policy: "timetable".into(), on_time: time, off_time: time }
    }
}

impl TimetableParameters {
    /// Reads a table; what is left out has its default.
    pub(super) fn parse(table: toml::Table) -> Result<Box<dyn Parameters>> {
        Ok(Box::new(table::read::<TimetableParameters>(table)?))
    }

    /// What the control registers hold after reset, for parameters that have been checked; a cycle takes so many nanoseconds.
    pub fn values(&self, cycle_ns: f64) -> TimetableValues {
        TimetableValues {
            policy: MECHANISM.policy_code(&self.policy).expect("checked") as u8,
            on_time: self.on_time.cycles(cycle_ns) as u32,
            off_time: self.off_time.cycles(cycle_ns) as u32,
        }
    }
}

impl Parameters for TimetableParameters {
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
        for (field, time) in [("on_time", self.on_time), ("off_time", self.off_time)] {
            time.cycles_in(config.cycle_ns, 1..=MAX_COUNT).context(field)?;
        }
        Ok(())
    }

    fn resets(&self, config: &Config) -> Vec<u32> {
        self.values(config.cycle_ns).words()
    }

    fn saves_when(&self) -> Option<String> {
        let policy = MECHANISM.policy(&self.policy).ok().filter(|policy| !policy.ignores.contains(&"on_time"));
        policy.map(|_| format!("ports close after on_time = {}", self.on_time))
    }

    fn table(&self) -> toml::Table {
        table::written(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::Chosen;
    use crate::presets;

    fn with(parameters: TimetableParameters) -> Config {
        Config { mechanism: Chosen(Box::new(parameters)), ..presets::by_name("fat-tree-4").expect("a preset") }
    }

    #[test]
    fn resets_are_policy_and_cycles() {
        let config = with(TimetableParameters { off_time: Nanoseconds(16.0), ..TimetableParameters::default() });
        config.check().expect("in range");
        assert_eq!(config.mechanism.0.resets(&config), [1, 6250, 10]);
    }

    #[test]
    fn times_out_of_range_are_named() {
        for (time, cycles) in [(0.0, 0), (30e6, 18_750_000)] {
            let time = Nanoseconds(time);
            for (field, parameters) in [
                ("on_time", TimetableParameters { on_time: time, ..TimetableParameters::default() }),
                ("off_time", TimetableParameters { off_time: time, ..TimetableParameters::default() }),
            ] {
                let error = format!("{:#}", with(parameters).check().expect_err("out of range"));
                let expected = format!("{field}: {time} is {cycles} cycles, out of range 1..={MAX_COUNT}");
                assert!(error.ends_with(&expected), "{error}");
            }
        }
    }
}
