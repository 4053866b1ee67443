//! The parameters, as users write them, and what stands in the control registers.

use super::MECHANISM;
use crate::mechanism::ahead::{self, AheadParameters, AheadValues};
use crate::mechanism::{Mechanism, Parameters};
use crate::{Config, table};
use anyhow::{Result, anyhow, ensure};
use serde::{Deserialize, Serialize};

/// The parameters: Ahead's, and the lane's.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct WakeHintsParameters {
    /// Ahead's; its policy is the one that this one's policy is made of.
    pub ahead: AheadParameters,
    pub lane: LaneParameters,
}

/// What there is beside Ahead's parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LaneParameters {
    /// Policy after reset, by name.
    pub policy: String,
    /// Hints are sent and listened to.
    pub hints: bool,
    /// The lane is on while the link sleeps.
    pub sideband: bool,
}

impl Default for LaneParameters {
    fn default() -> Self {
        LaneParameters { policy: "powar-hints".into(), hints: true, sideband: true }
    }
}

/// What the control registers hold (`docs/microarchitecture/mechanisms/wake_hints.md`); counters start at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HintValues {
    pub ahead: AheadValues,
    /// Bit 0 of `hint_control`.
    pub hints: bool,
    /// Bit 1 of `hint_control`.
    pub sideband: bool,
}

impl HintValues {
    /// What they hold after reset, for a configuration that has been checked.
    ///
    /// # Panics
    /// Its mechanism is another.
    pub fn of(config: &Config) -> HintValues {
        let parameters: &WakeHintsParameters = config.mechanism.of().expect("a configuration of wake hints");
        parameters.values(config.cycle_ns)
    }
}

impl WakeHintsParameters {
    /// Reads a table; what is left out has its default.
    pub(super) fn parse(mut table: toml::Table) -> Result<Box<dyn Parameters>> {
        table::check_fields(&table, &Self::default().table())?;
        let mut own = toml::Table::new();
        for name in table::written(&LaneParameters::default()).keys() {
            own.extend(table.remove(name).map(|value| (name.clone(), value)));
        }
        let ahead = AheadParameters::read(table)?;
        let mut parameters = WakeHintsParameters { ahead, lane: table::read(own)? };
        // One that there is not is found by the check.
        if let Ok(code) = MECHANISM.policy_code(&parameters.lane.policy) {
            parameters.ahead.set_policy(ahead::MECHANISM.policies[code].name)?;
        }
        Ok(Box::new(parameters))
    }

    /// What the control registers hold after reset, for parameters that have been checked; a cycle takes so many nanoseconds.
    pub fn values(&self, cycle_ns: f64) -> HintValues {
        let LaneParameters { hints, sideband, .. } = self.lane;
        HintValues { ahead: self.ahead.values(cycle_ns), hints, sideband }
    }
}

impl Parameters for WakeHintsParameters {
    fn mechanism(&self) -> &'static Mechanism {
        &MECHANISM
    }

    fn policy(&self) -> &str {
        &self.lane.policy
    }

    fn set_policy(&mut self, name: &str) -> Result<()> {
        let code = MECHANISM.policy_code(name)?;
        self.lane.policy = MECHANISM.policies[code].name.into();
        self.ahead.set_policy(ahead::MECHANISM.policies[code].name)
    }

    fn check(&self, config: &Config) -> Result<()> {
        MECHANISM.policy(&self.lane.policy)?;
        ensure!(
            config.routing().is_some(),
            "kind: wake_hints routes hints as packets are routed, and without a topology there is no routing; topology must be set"
        );
        ensure!(
            !config.routing_sees().table,
            "kind: wake_hints does not see the rows of a routing table; routing must not be table"
        );
        config
            .check_switch()
            .map_err(|error| anyhow!("kind: wake_hints routes hints as packets are routed; {error:#}"))?;
        self.ahead.check(config)
    }

    fn resets(&self, config: &Config) -> Vec<u32> {
        let LaneParameters { hints, sideband, .. } = self.lane;
        let control = u32::from(hints) | u32::from(sideband) << 1;
        self.ahead.resets(config).into_iter().chain([control, 0, 0, 0]).collect()
    }

    fn saves_when(&self) -> Option<String> {
        self.ahead.saves_when()
    }

    fn warning(&self, config: &Config) -> Option<String> {
        self.ahead.warning(config)
    }

    fn table(&self) -> toml::Table {
        let mut all = self.ahead.table();
        all.extend(table::written(&self.lane));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::Chosen;
    use crate::presets;
    use crate::routing::Routing;

    fn with(lane: LaneParameters) -> Config {
        let parameters = WakeHintsParameters { lane, ..WakeHintsParameters::default() };
        Config { mechanism: Chosen(Box::new(parameters)), ..presets::by_name("fat-tree-4").expect("a preset") }
    }

    #[test]
    fn resets_are_those_of_ahead_and_the_lane() {
        for (hints, sideband, control) in [(false, false, 0), (true, false, 1), (false, true, 2), (true, true, 3)] {
            let config = with(LaneParameters { hints, sideband, ..LaneParameters::default() });
            config.check().expect("in range");
            let resets = config.mechanism.0.resets(&config);
            assert_eq!((resets[0], resets[5], resets[10]), (3, 1800, 655));
            assert_eq!(resets[12..], [control, 0, 0, 0]);
            assert_eq!(resets.len(), MECHANISM.words.len());
        }
    }

    #[test]
    fn a_policy_is_that_of_ahead_and_powar_too() {
        let mut config = with(LaneParameters::default());
        config.mechanism.0.set_policy("First-On-Hints").expect("a policy");
        assert_eq!(config.mechanism.0.policy(), "first-on-hints");
        assert_eq!(HintValues::of(&config).ahead.powar.policy, 2);
        let read = config.mechanism.with(toml::Table::new()).expect("its own table");
        assert_eq!(read, config.mechanism);
        let parameters = read.of::<WakeHintsParameters>().expect("wake_hints");
        assert_eq!(parameters.ahead.policy(), "first-on-budget");
    }

    #[test]
    fn what_it_cannot_route_is_refused() {
        let mut config = with(LaneParameters::default());
        config.route_by(Routing::by_name("table").expect("a routing"));
        let error = format!("{:#}", config.check().expect_err("tables"));
        assert!(error.contains("routing must not be table"), "{error}");
        let mut config = with(LaneParameters::default());
        (config.topology, config.routing) = (None, None);
        let error = format!("{:#}", config.check().expect_err("no routing"));
        assert!(error.contains("topology must be set"), "{error}");
        let mut config = presets::by_name("torus-28").expect("a preset");
        (config.mechanism, config.switch.vcs) = (Chosen(MECHANISM.defaults()), 1);
        let error = format!("{:#}", config.check().expect_err("too few virtual channels"));
        assert!(error.contains("switch.vcs"), "{error}");
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
