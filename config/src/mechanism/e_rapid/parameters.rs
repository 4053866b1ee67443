//! The parameters, as users write them, and what stands in the control registers.

use super::{ERapidValues, Layout, MECHANISM};
use crate::mechanism::control_values::ControlValues;
use crate::mechanism::{Mechanism, Parameters};
use crate::units::Nanoseconds;
use crate::{Config, table};
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

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
    /// Degree of reconfiguration N, section 4.2: 2, 4 or 8; a whole number.
    pub degree: f64,
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
            degree: 8.0,
        }
    }
}

/// Shortest window, cycles: messages go round in it, and links are looked at twice.
const LEAST_WINDOW: u64 = 256;

/// The longest time from the first message of a board in a round to the last that comes back, cycles: once round, behind all requests and responses of all boards.
fn longest_round(config: &Config, link_delay: u64) -> u64 {
    let boards = Layout::of(config).map_or(0, |layout| layout.boards as u64);
    boards * (CYCLES_AT_A_BOARD + link_delay) + 2 * boards * boards
}

/// From a word that comes in to what goes out of it.
const CYCLES_AT_A_BOARD: u64 = 2;

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
            degree: self.degree as u8,
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
        let is_whole = degree.fract() == 0.0;
        ensure!(is_whole && (1.0..=8.0).contains(&degree), "degree: {degree} is out of range 1..=8, whole numbers");
        for (field, value, least, most) in
            [("window", self.window, LEAST_WINDOW, 4095), ("dead_time", self.dead_time, 1, 255)]
        {
            value.cycles_in(config.cycle_ns, least..=most).context(field)?;
        }
        Ok(())
    }

    /// A message of a round that comes back in the next one would be taken for one of that.
    fn check_links(&self, config: &Config, link_delay: u64) -> Result<()> {
        let (window, round) = (self.window.cycles(config.cycle_ns), longest_round(config, link_delay));
        ensure!(
            window / 2 > round,
            "window: {} is {window} cycles, out of range: messages go round the ring in {round} cycles over such links, which must be less than half a window",
            self.window
        );
        Ok(())
    }

    fn resets(&self, config: &Config) -> Vec<u32> {
        [self.values(config.cycle_ns).words(), vec![0, 0]].concat()
    }

    fn saves_when(&self) -> Option<String> {
        let policy = MECHANISM.policy(&self.policy).ok().filter(|policy| !policy.ignores.contains(&"b_min"));
        policy.map(|_| {
            format!(
                "a wavelength goes a level down when packets wait in b_min = {} of window = {} or less",
                self.b_min, self.window
            )
        })
    }

    fn table(&self) -> toml::Table {
        table::written(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::Chosen;

    fn with(network: &str, parameters: ERapidParameters) -> Config {
        Config { mechanism: Chosen(Box::new(parameters)), ..Config::of_network(network).expect("a network") }
    }

    #[test]
    fn resets_are_those_of_the_paper() {
        let config = with("boards-8x8", ERapidParameters::default());
        config.check().expect("in range");
        assert_eq!(config.mechanism.0.resets(&config), [3, 1000, 100, 300, 500, 8, 65, 0, 0]);
    }

    #[test]
    fn values_out_of_range_are_named() {
        let default = ERapidParameters::default;
        let cases = [
            (
                ERapidParameters { window: Nanoseconds(160.0), ..default() },
                "window: 160ns is 100 cycles, out of range 256..=4095",
            ),
            (
                ERapidParameters { dead_time: Nanoseconds(0.0), ..default() },
                "dead_time: 0 is 0 cycles, out of range 1..=255",
            ),
            (ERapidParameters { b_con: 1.5, ..default() }, "b_con: 1.5 is out of range 0..=1"),
            (ERapidParameters { b_max: 0.05, ..default() }, "b_max: 0.05 is out of range, b_max >= b_min = 0.1"),
            (ERapidParameters { degree: 0.0, ..default() }, "degree: 0 is out of range 1..=8"),
            (ERapidParameters { degree: 2.5, ..default() }, "degree: 2.5 is out of range 1..=8, whole numbers"),
            (ERapidParameters { policy: "powar".into(), ..default() }, "policy: `powar` is unknown"),
        ];
        for (parameters, expected) in cases {
            let error = format!("{:#}", with("boards-4x4", parameters).check().expect_err("out of range"));
            assert!(error.contains(expected), "{error}");
        }
        let error = format!("{:#}", with("torus-4x4", default()).check().expect_err("no boards"));
        assert!(error.contains("topology must be boards-BxD"), "{error}");
    }

    #[test]
    fn a_ring_that_takes_half_a_window_is_refused() {
        let config = with("boards-8x8", ERapidParameters::default());
        let check = |link_delay: u64| config.check_links(link_delay);
        check(44).expect("496 cycles of 500");
        let error = format!("{:#}", check(45).expect_err("504 cycles"));
        assert!(
            error.starts_with(
                "mechanism.window: 1.6us is 1000 cycles, out of range: messages go round the ring in 504 cycles"
            ),
            "{error}"
        );
    }
}
