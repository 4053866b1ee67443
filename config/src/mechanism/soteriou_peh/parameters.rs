//! The parameters, as users write them, and what stands in the control registers.

use super::{MECHANISM, Places};
use crate::Setting;
use crate::config::MAX_COUNT;
use crate::mechanism::Rules;
use crate::mechanism::control_values::control_values;
use crate::mechanism::parameter_table::{ParameterTable, parameters};
use crate::topology::connectivity::{ALTERNATING, STAIRCASE};
use anyhow::{Result, ensure};

/// Longest idle time, cycles: 64 times as many fit into 23 bits.
const MOST_IDLE: u64 = ((1 << 23) - 1) / 64;
/// Largest age, cycles: 5 times as many fit into 16 bits.
const MOST_AGE: u64 = 65535 / 5;

parameters! {
    /// The mechanism's parameters: the paper's values at the cycle of 1.6 ns; the age is that of an empty switch. Loads and thresholds
    /// are fractions of what buffers hold and links carry.
    pub struct SoteriouPehParameters of MECHANISM, policy "on-off-on-demand" {
        /// The paper names none.
        window: Time = 1600.0, in 4..=65535, "Sampling window of the statistics, 4 to 65535 cycles";
        /// Section IV-A: 2 %.
        sleep_threshold: Number = 0.02, in 0.0..=1.0, "Load below which the last link that is on goes off";
        /// 2 %.
        sleep_step: Number = 0.02, in 0.0..=1.0, "What is added to it for each further link that is on, up to the fourth";
        /// 15 %.
        wake_threshold: Number = 0.15, in 0.0..=1.0, "Load above which the first link that is off comes on";
        /// 2 %.
        wake_step: Number = 0.02, in 0.0..=1.0, "What is taken from it for each further link that is off";
        /// Section V: 10, 100, 1 000, 10 000 cycles.
        t_trans: Time = 1600.0, in 1..=MAX_COUNT,
            "Time at full power of a link that goes off, and of one that comes on";
        age_target: Time = 8.0, in 1..=MOST_AGE,
            "Time that flits spend in input buffers; idle times double beyond 1.25 of it";
        /// Table III: 1000 (X) or 1600 cycles (Y).
        idle: Time = 1600.0, in 1..=MOST_IDLE,
            "Idle time after which a link goes off if four are on; for 3, 2, 1 of them 4, 16, 64 times as long";
    }
}

control_values! {
    /// What the control registers of Soteriou and Peh's mechanism hold (`docs/microarchitecture/mechanisms/soteriou_peh.md`).
    pub struct SoteriouPehValues of SoteriouPehParameters, policy 2 bits, rows soteriou_peh_words {
        window: u16 = Duration, 16, "Sampling window, cycles";
        sleep_load: u32 = Count, 20, "Load for off with one link on, times 10 windows",
            from |of, cycle_ns| of.window.share(10.0 * of.sleep_threshold, cycle_ns);
        sleep_step: u32 = Count, 20, "More for each further link on", from |of, cycle_ns| of.window.share(10.0 * of.sleep_step, cycle_ns);
        wake_load: u32 = Count, 20, "Load for on with one link off, times 10 windows",
            from |of, cycle_ns| of.window.share(10.0 * of.wake_threshold, cycle_ns);
        wake_step: u32 = Count, 20, "Less for each further link off", from |of, cycle_ns| of.window.share(10.0 * of.wake_step, cycle_ns);
        t_trans: u32 = Duration, 24, "Cycles of a transition";
        age_limit: u16 = Count, 16, "Age beyond which idle times double, quarters of a cycle",
            from |of, cycle_ns| 5 * of.age_target.cycles(cycle_ns) as u32;
        idle_1: u32 = Duration, 23, "Idle cycles until a link goes off with one link on, or none",
            from |of, cycle_ns| 64 * of.idle.cycles(cycle_ns) as u32;
        idle_2: u32 = Duration, 23, "Likewise with two links on",
            from |of, cycle_ns| 16 * of.idle.cycles(cycle_ns) as u32;
        idle_3: u32 = Duration, 23, "With three", from |of, cycle_ns| 4 * of.idle.cycles(cycle_ns) as u32;
        idle_4: u32 = Duration, 23, "With four and more", from |of, cycle_ns| of.idle.cycles(cycle_ns) as u32;
    }
}

impl SoteriouPehValues {
    /// Idle cycles until a link goes off, by how many are on: one or none, two, three, more.
    pub fn idle(&self) -> [u32; 4] {
        [self.idle_1, self.idle_2, self.idle_3, self.idle_4]
    }
}

impl Rules for SoteriouPehParameters {
    fn check_rules(&self, setting: &Setting) -> Result<()> {
        // Policies by load are those that an idle time means nothing to, of those that let links go off.
        let by_load = !self.heeds("idle") && self.heeds("t_trans");
        ensure!(
            !by_load || Places::of(setting.shape).is_some(),
            "policy: {} must be in a mesh or a torus of two dimensions without trunks; topology is another",
            self.policy
        );
        let SoteriouPehParameters { sleep_threshold, sleep_step, wake_threshold, wake_step, .. } = *self;
        let (highest, lowest) = (sleep_threshold + 3.0 * sleep_step, wake_threshold - 3.0 * wake_step);
        ensure!(
            highest <= lowest + 1e-9,
            "wake_threshold: {wake_threshold} is out of range, wake_threshold - 3 x wake_step >= sleep_threshold + 3 x sleep_step = {highest}"
        );
        Ok(())
    }

    fn saves_when(&self) -> Option<String> {
        match (self.heeds("sleep_threshold"), self.heeds("idle")) {
            (true, _) => Some(format!(
                "links go off when those of their switch carry less than sleep_threshold = {} over window = {}",
                self.sleep_threshold, self.window
            )),
            (_, true) => Some(format!("a link goes off when it has been idle for idle = {} or longer", self.idle)),
            _ => None,
        }
    }

    /// A policy by load with a routing that does not go round links that are off, or counts on others than its ever-on ones.
    fn warnings(&self, setting: &Setting) -> Vec<String> {
        let graph = match MECHANISM.policy_code(&self.policy) {
            Ok(1) => STAIRCASE.name,
            Ok(2) => ALTERNATING.name,
            _ => return vec![],
        };
        let Some(routing) = setting.routing else { return vec![] };
        let goes_round = routing.counts_on.is_some_and(|counts_on| counts_on.name == graph);
        let warns = (!goes_round).then(|| {
            format!(
                "policy: {} is for a routing that counts on the links that the {graph} graph leaves on; with {} packets in front of links that are off \
                 switch them on",
                self.policy, routing.name
            )
        });
        warns.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;
    use crate::mechanism::Chosen;
    use crate::units::Nanoseconds;

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
        let resets = config.mechanism.0.resets(config.cycle_ns);
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
            config.mechanism.0.warnings(&config.setting()).pop()
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
