//! The parameters, as users write them, and what stands in the control registers.

use super::MECHANISM;
use crate::Setting;
use crate::mechanism::Rules;
use crate::mechanism::ahead::{AheadParameters, AheadValues};
use crate::mechanism::control_values::{FIRST, control_values};
use crate::mechanism::joined;
use crate::mechanism::parameter_table::{ParameterTable, parameters};
use crate::registers::{Reset, WORD_BYTES, Word};
use anyhow::{Result, anyhow, ensure};

parameters! {
    /// The parameters: Ahead's, and the lane's.
    pub struct WakeHintsParameters of MECHANISM, policy "powar-hints", around ahead: AheadParameters {
        hints: Flag = true, "Words that run ahead of packets are sent and listened to";
        sideband: Flag = true, "The lane of the hints is on while the link sleeps";
    }
}

control_values! {
    /// What the control registers hold (`docs/microarchitecture/mechanisms/wake_hints.md`), counters of hints apart: Ahead's, which are
    /// those of the `ahead` in it, and the lane's.
    pub struct HintValues of WakeHintsParameters, around ahead: AheadValues {
        hint_control: u8 = Number, 2,
            "Bit 0: hints are sent and listened to; bit 1: their lane is on while the link sleeps",
            from |of, _| u32::from(of.hints) | u32::from(of.sideband) << 1;
    }
}

impl HintValues {
    /// Hints are sent and listened to.
    pub fn hints(&self) -> bool {
        self.hint_control & 1 != 0
    }

    /// The lane is on while the link sleeps.
    pub fn sideband(&self) -> bool {
        self.hint_control & 2 != 0
    }
}

/// Words that count hints.
pub(in crate::mechanism) const COUNTERS: usize = 3;

/// What begins as a configuration says, and counters behind it, which begin at 0.
pub(super) const WORDS: [Word; HintValues::WORDS.len() + COUNTERS] =
    joined(&HintValues::WORDS, &counters_from(HintValues::WORDS.len()));

const fn counter(offset: u16, name: &'static str, doc: &'static str) -> Word {
    Word::written(offset, name, 32, Reset::Value(0), doc)
}

/// The counters of a mechanism that has so many words before them.
pub(in crate::mechanism) const fn counters_from(place: usize) -> [Word; COUNTERS] {
    let first = FIRST + WORD_BYTES * place as u16;
    [
        counter(first, "hints_dropped", "Hints that came broken, found no room or no lane; a write sets it"),
        counter(first + WORD_BYTES, "hints_woke", "Hints that woke a port; a write sets it"),
        counter(
            first + 2 * WORD_BYTES,
            "hints_unused",
            "Ports that a hint woke and that slept again without a packet; a write sets it",
        ),
    ]
}

impl WakeHintsParameters {
    /// The rules of these parameters where they are of the mechanism of this name.
    ///
    /// # Errors
    /// As of [`Rules::check_rules`].
    pub(in crate::mechanism) fn check_of(&self, kind: &str, setting: &Setting) -> Result<()> {
        ensure!(
            setting.routing.is_some(),
            "kind: {kind} routes hints as packets are routed, and without a topology there is no routing; topology must be set"
        );
        setting
            .check_switch()
            .map_err(|error| anyhow!("kind: {kind} routes hints as packets are routed; {error:#}"))?;
        self.ahead.check_rules(setting)
    }
}

impl Rules for WakeHintsParameters {
    fn check_rules(&self, setting: &Setting) -> Result<()> {
        self.check_of(MECHANISM.name, setting)
    }

    fn saves_when(&self) -> Option<String> {
        self.ahead.saves_when()
    }

    fn warnings(&self, setting: &Setting) -> Vec<String> {
        let in_vain = !self.hints && !self.sideband && self.heeds("hints");
        let said = in_vain.then(|| "sideband: false makes no difference, since hints is false too".into());
        self.ahead.warnings(setting).into_iter().chain(said).collect()
    }

    fn hears_hints(&self) -> bool {
        self.hints && self.heeds("hints")
    }

    fn keeps_lane_on(&self) -> bool {
        self.hints && self.sideband && self.heeds("sideband")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;
    use crate::mechanism::{Chosen, Parameters, Routes, powar};
    use crate::presets;
    use crate::routing::Routing;

    fn with(parameters: WakeHintsParameters) -> Config {
        Config { mechanism: Chosen(Box::new(parameters)), ..presets::by_name("fat-tree-4").expect("a preset") }
    }

    #[test]
    fn resets_are_those_of_ahead_and_the_lane() {
        for (hints, sideband, control) in [(false, false, 0), (true, false, 1), (false, true, 2), (true, true, 3)] {
            let config = with(WakeHintsParameters { hints, sideband, ..WakeHintsParameters::default() });
            config.check().expect("in range");
            let resets = config.mechanism.0.resets(config.cycle_ns);
            assert_eq!((resets[0], resets[5], resets[10]), (3, 1800, 655));
            assert_eq!(resets[12..], [control, 0, 0, 0]);
            assert_eq!(resets.len(), MECHANISM.words.len());
        }
    }

    #[test]
    fn a_policy_is_that_of_ahead_and_powar_too() {
        let mut config = with(WakeHintsParameters::default());
        config.mechanism.0.set_policy("First-On-Hints").expect("a policy");
        assert_eq!(config.mechanism.0.policy(), "first-on-hints");
        assert_eq!(HintValues::of(&config).ahead.powar.policy, 2);
        let read = config.mechanism.with(toml::Table::new()).expect("its own table");
        assert_eq!(read, config.mechanism);
        let parameters = read.of::<WakeHintsParameters>().expect("wake_hints");
        assert_eq!(parameters.ahead.policy(), "first-on-budget");
    }

    #[test]
    fn a_sideband_without_hints_is_warned_about() {
        for (hints, sideband, warns) in [(false, false, 1), (true, false, 0), (false, true, 0), (true, true, 0)] {
            let said = with(WakeHintsParameters { hints, sideband, ..WakeHintsParameters::default() }).warnings();
            assert_eq!(said.len(), warns, "hints {hints}, sideband {sideband}: {said:?}");
            assert!(said.iter().all(|line| line.starts_with("sideband: false makes no difference")), "{said:?}");
        }
    }

    #[test]
    fn a_lane_that_nothing_is_sent_on_is_off() {
        let keeps_on = |policy: &str, hints, sideband| {
            let policy = policy.into();
            with(WakeHintsParameters { policy, hints, sideband, ..Default::default() }).mechanism.0.keeps_lane_on()
        };
        assert!(keeps_on("powar-hints", true, true));
        assert!(!keeps_on("powar-hints", false, true) && !keeps_on("powar-hints", true, false));
        assert!(!keeps_on("reference", true, true));
    }

    /// What it sees depends on the routing: rows only where there is a table.
    #[test]
    fn rows_are_looked_up_where_there_is_a_table() {
        let mut config = with(WakeHintsParameters::default());
        assert!(!config.seen_by(&MECHANISM).routes.looks_up());
        config.route_by(Routing::by_name("table").expect("a routing"));
        config.check().expect("it is for tables, too");
        assert_eq!(config.seen_by(&MECHANISM).routes, Routes::ByTable(1));
        assert_eq!(config.seen_by(&powar::MECHANISM), powar::MECHANISM.sees);
    }

    #[test]
    fn what_it_cannot_route_is_refused() {
        let mut config = with(WakeHintsParameters::default());
        (config.topology, config.routing) = (None, None);
        let error = format!("{:#}", config.check().expect_err("no routing"));
        assert!(error.contains("topology must be set"), "{error}");
        let mut config = presets::by_name("torus-28").expect("a preset");
        (config.mechanism, config.switch.vcs) = (Chosen(MECHANISM.defaults()), 1);
        let error = format!("{:#}", config.check().expect_err("too few virtual channels"));
        assert!(error.contains("switch.vcs"), "{error}");
    }
}
