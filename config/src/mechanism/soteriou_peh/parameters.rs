//! The parameters, as users write them, and what stands in the control registers.

use super::{MECHANISM, Places, SoteriouPehValues};
use crate::config::MAX_COUNT;
use crate::mechanism::control_values::ControlValues;
use crate::mechanism::{Mechanism, Parameters};
use crate::topology::connectivity::{ALTERNATING, STAIRCASE};
use crate::units::Nanoseconds;
use crate::{Config, table};
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

/// The mechanism's parameters. Times are nanoseconds, loads and thresholds fractions of what buffers hold and links carry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SoteriouPehParameters {
    /// Policy after reset, by name.
    pub policy: String,
    /// Sampling window; the paper names none.
    pub window: Nanoseconds,
    /// Load below which the last link that is on goes off; section IV-A: 2 %.
    pub sleep_threshold: f64,
    /// More for each further link on; 2 %.
    pub sleep_step: f64,
    /// Load above which the first link that is off comes on; 15 %.
    pub wake_threshold: f64,
    /// Less for each further link off; 2 %.
    pub wake_step: f64,
    /// Time of a transition; section V: 10, 100, 1 000, 10 000 cycles.
    pub t_trans: Nanoseconds,
    /// Age of flits that leave input buffers which is as it should be.
    pub age_target: Nanoseconds,
    /// Idle time until a link goes off if four are on; Table III: 1000 (X) or 1600 cycles (Y).
    pub idle: Nanoseconds,
}

impl Default for SoteriouPehParameters {
    /// The paper's values at the cycle of 1.6 ns; the age is that of an empty switch.
    fn default() -> Self {
        SoteriouPehParameters {
            policy: "on-off-on-demand".into(),
            window: Nanoseconds(1600.0),
            sleep_threshold: 0.02,
            sleep_step: 0.02,
            wake_threshold: 0.15,
            wake_step: 0.02,
            t_trans: Nanoseconds(1600.0),
            age_target: Nanoseconds(8.0),
            idle: Nanoseconds(1600.0),
        }
    }
}

/// Longest idle time, cycles: 64 times as many fit into 23 bits.
const MOST_IDLE: u64 = ((1 << 23) - 1) / 64;
/// Largest age, cycles: 5 times as many fit into 16 bits.
const MOST_AGE: u64 = 65535 / 5;

impl SoteriouPehParameters {
    /// Reads a table; what is left out has its default.
    pub(super) fn parse(table: toml::Table) -> Result<Box<dyn Parameters>> {
        Ok(Box::new(table::read::<SoteriouPehParameters>(table)?))
    }

    /// What the control registers hold after reset, for parameters that have been checked; a cycle takes so many nanoseconds.
    pub fn values(&self, cycle_ns: f64) -> SoteriouPehValues {
        let cycles = |duration: Nanoseconds| duration.cycles(cycle_ns) as u32;
        let (window, idle) = (cycles(self.window) as u16, cycles(self.idle));
        let load = |fraction: f64| (10.0 * fraction * f64::from(window)).round() as u32;
        SoteriouPehValues {
            policy: MECHANISM.policy_code(&self.policy).expect("checked") as u8,
            window,
            sleep_load: load(self.sleep_threshold),
            sleep_step: load(self.sleep_step),
            wake_load: load(self.wake_threshold),
            wake_step: load(self.wake_step),
            t_trans: cycles(self.t_trans),
            age_limit: (5 * cycles(self.age_target)) as u16,
            idle_1: 64 * idle,
            idle_2: 16 * idle,
            idle_3: 4 * idle,
            idle_4: idle,
        }
    }
}

impl Parameters for SoteriouPehParameters {
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
        let policy = MECHANISM.policy(&self.policy)?;
        // Policies by load are those that an idle time means nothing to, of those that let links go off.
        let by_load = policy.ignores.contains(&"idle") && !policy.ignores.contains(&"t_trans");
        ensure!(
            !by_load || Places::of(config).is_some(),
            "policy: {} must be in a mesh or a torus of two dimensions without trunks; topology is another",
            self.policy
        );
        let SoteriouPehParameters { sleep_threshold, sleep_step, wake_threshold, wake_step, .. } = *self;
        let loads = [
            ("sleep_threshold", sleep_threshold),
            ("sleep_step", sleep_step),
            ("wake_threshold", wake_threshold),
            ("wake_step", wake_step),
        ];
        for (field, value) in loads {
            ensure!((0.0..=1.0).contains(&value), "{field}: {value} is out of range 0..=1");
        }
        let (highest, lowest) = (sleep_threshold + 3.0 * sleep_step, wake_threshold - 3.0 * wake_step);
        ensure!(
            highest <= lowest + 1e-9,
            "wake_threshold: {wake_threshold} is out of range, wake_threshold - 3 x wake_step >= sleep_threshold + 3 x sleep_step = {highest}"
        );
        let times = [
            ("window", self.window, 4, 65535),
            ("t_trans", self.t_trans, 1, MAX_COUNT),
            ("age_target", self.age_target, 1, MOST_AGE),
            ("idle", self.idle, 1, MOST_IDLE),
        ];
        for (field, value, least, most) in times {
            value.cycles_in(config.cycle_ns, least..=most).context(field)?;
        }
        Ok(())
    }

    fn resets(&self, config: &Config) -> Vec<u32> {
        self.values(config.cycle_ns).words()
    }

    fn saves_when(&self) -> Option<String> {
        let ignores = |name| MECHANISM.policy(&self.policy).is_ok_and(|policy| policy.ignores.contains(&name));
        match (ignores("sleep_threshold"), ignores("idle")) {
            (false, _) => Some(format!(
                "links go off when those of their switch carry less than sleep_threshold = {} over window = {}",
                self.sleep_threshold, self.window
            )),
            (_, false) => Some(format!("a link goes off when it has been idle for idle = {} or longer", self.idle)),
            _ => None,
        }
    }

    /// A policy by load with a routing that does not go round links that are off, or counts on others than its ever-on ones.
    fn warning(&self, config: &Config) -> Option<String> {
        let graph = match MECHANISM.policy_code(&self.policy) {
            Ok(1) => STAIRCASE.name,
            Ok(2) => ALTERNATING.name,
            _ => return None,
        };
        let routing = config.routing()?;
        let goes_round = routing.counts_on.is_some_and(|counts_on| counts_on.name == graph);
        (!goes_round).then(|| {
            format!(
                "policy: {} is for a routing that counts on the links that the {graph} graph leaves on; with {} packets in front of links that are off \
                 switch them on",
                self.policy, routing.name
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

    fn with(network: &str, parameters: SoteriouPehParameters) -> Config {
        Config { mechanism: Chosen(Box::new(parameters)), ..Config::of_network(network).expect("a network") }
    }

    fn error(config: &Config) -> String {
        format!("{:#}", config.check().expect_err("out of range"))
    }

    #[test]
    fn resets_are_those_of_the_paper() {
        let config = with("mesh-8x8", SoteriouPehParameters::default());
        config.check().expect("in range");
        let resets = config.mechanism.0.resets(&config);
        assert_eq!(resets, [3, 1000, 200, 200, 1500, 200, 1000, 25, 64_000, 16_000, 4_000, 1_000]);
        // Set Y of Table III.
        let y = SoteriouPehParameters { idle: Nanoseconds(2560.0), ..Default::default() };
        assert_eq!(SoteriouPehValues::of(&with("mesh-8x8", y)).idle(), [102_400, 25_600, 6_400, 1_600]);
    }

    #[test]
    fn graphs_need_a_grid_and_on_demand_does_not() {
        for policy in ["on-off-staircase", "on-off-alternating"] {
            let parameters = SoteriouPehParameters { policy: policy.into(), ..Default::default() };
            for network in ["mesh-3x4", "torus-4x4", "torus-4x4-nodes3"] {
                with(network, parameters.clone()).check().expect(network);
            }
            for network in ["star-4", "4-ary-2-tree", "torus-4x4-trunk2", "mesh-3x3x3", "torus-5"] {
                let config = with(network, parameters.clone());
                assert!(error(&config).contains("mechanism.policy: on-off-"), "{network}: {}", error(&config));
                with(network, SoteriouPehParameters::default()).check().expect(network);
            }
        }
    }

    #[test]
    fn values_out_of_range_are_named() {
        let default = SoteriouPehParameters::default;
        let time = Nanoseconds;
        let cases = [
            (
                SoteriouPehParameters { window: time(3.2), ..default() },
                "window: 3.2ns is 2 cycles, out of range 4..=65535",
            ),
            (SoteriouPehParameters { t_trans: time(0.0), ..default() }, "t_trans: 0 is 0 cycles, out of range 1..="),
            (
                SoteriouPehParameters { idle: time(1e6), ..default() },
                "idle: 1ms is 625000 cycles, out of range 1..=131071",
            ),
            (SoteriouPehParameters { age_target: time(1e5), ..default() }, "is 62500 cycles, out of range 1..=13107"),
            (SoteriouPehParameters { sleep_step: 1.5, ..default() }, "sleep_step: 1.5 is out of range 0..=1"),
            (SoteriouPehParameters { wake_threshold: 0.1, ..default() }, "wake_threshold: 0.1 is out of range, "),
        ];
        for (parameters, expected) in cases {
            let error = error(&with("mesh-4x4", parameters));
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_routing_that_does_not_go_round_links_that_are_off_is_warned_about() {
        let warns = |policy: &str, routing: &str| {
            let mut config = with("mesh-4x4", SoteriouPehParameters { policy: policy.into(), ..Default::default() });
            config.route_by(crate::Routing::by_name(routing).expect("a routing"));
            config.check().expect("nothing waits for ever");
            config.mechanism.0.warning(&config)
        };
        for (policy, routing) in [
            ("on-off-staircase", "staircase-escape"),
            ("on-off-alternating", "alternating-escape"),
            ("on-off-alternating", "west-last-east-last"),
            ("on-off-on-demand", "mesh"),
            ("reference", "mesh"),
        ] {
            assert_eq!(warns(policy, routing), None, "{policy}, {routing}");
        }
        for (policy, routing) in [("on-off-staircase", "mesh"), ("on-off-alternating", "staircase-escape")] {
            let warning = warns(policy, routing).expect("a warning");
            assert!(warning.starts_with(&format!("policy: {policy} is for a routing")), "{warning}");
            assert!(warning.contains(&format!("with {routing} packets")), "{warning}");
        }
    }

    #[test]
    fn the_place_of_a_switch() {
        for (network, position, place) in [("mesh-4x3-nodes3", 0b10_11_01, [3, 2]), ("torus-8x2", 0b1_101, [5, 1])] {
            let places = Places::of(&with(network, SoteriouPehParameters::default())).expect("a grid");
            assert_eq!(places.of_position(position), place, "{network}");
        }
    }
}
