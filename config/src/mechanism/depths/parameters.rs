//! The parameters, as users write them, and what stands in the control registers.

use super::MECHANISM;
use crate::Setting;
use crate::config::MAX_COUNT;
use crate::mechanism::control_values::control_values;
use crate::mechanism::parameter_table::{ParameterTable, parameters};
use crate::mechanism::powar::{PowarParameters, PowarValues};
use crate::mechanism::{Draw, Residency, Rules};
use crate::phase::Phase;
use crate::units::Nanoseconds;
use anyhow::Result;

parameters! {
    /// The parameters: POWAR's, whose T_s and T_w are those of light sleep, and those of depth.
    pub struct DepthsParameters of MECHANISM, policy "powar-depths", around powar: PowarParameters {
        deep_after: Time = 0.0, in 0..=MAX_COUNT,
            "How long a port sleeps lightly before it sleeps deeply; 0: it never does";
        /// IEEE 802.3bj: 5.5 us, and 0.72 us for the way from light sleep to deep
        /// (`docs/microarchitecture/mechanisms/depths.md`).
        t_wake_deep: Time = 6220.0, in 1..=MAX_COUNT, "Time to wake from deep sleep, in all";
        light_power: Number = 0.0, in 0.0..=1.0,
            "What a port in light sleep draws, as a share of its full power; no less than one in deep sleep does";
    }
}

control_values! {
    /// What the control registers hold (`docs/microarchitecture/mechanisms/depths.md`): POWAR's, which are those of the
    /// `powar` in it, and those of depth.
    pub struct DepthsValues of DepthsParameters, around powar: PowarValues, rows depths_words {
        deep_after: u32 = Duration, 24, "Cycles that a port sleeps lightly before it sleeps deeply; 0 = for ever";
        t_wake_deep: u32 = Duration, 24, "Cycles that it takes to wake from deep sleep, in all";
    }
}

impl Rules for DepthsParameters {
    fn check_rules(&self, setting: &Setting) -> Result<()> {
        self.powar.check_rules(setting)
    }

    fn saves_when(&self) -> Option<String> {
        let when = self.powar.saves_when()?;
        match (self.light_power < 1.0, self.deep_after.0 > 0.0) {
            (true, _) => Some(when),
            (false, true) => Some(format!("{when} and has slept for deep_after = {}", self.deep_after)),
            (false, false) => None,
        }
    }

    fn warnings(&self, setting: &Setting) -> Vec<String> {
        let said =
            depth_in_vain(self.deep_after, self.t_wake_deep, self.light_power).filter(|_| self.heeds("deep_after"));
        self.powar.warnings(setting).into_iter().chain(said).collect()
    }

    fn draw(&self, pair: &Residency) -> Draw {
        draw_in_light_sleep(self.light_power, pair)
    }
}

/// What is to be said of parameters of depth that make no difference, or one that can only be a loss.
pub(in crate::mechanism) fn depth_in_vain(
    deep_after: Nanoseconds,
    t_wake_deep: Nanoseconds,
    light_power: f64,
) -> Option<String> {
    match deep_after.0 > 0.0 {
        false if t_wake_deep != DepthsParameters::default().t_wake_deep => Some(format!(
            "t_wake_deep: {t_wake_deep} makes no difference, since no port sleeps deeply: deep_after is 0"
        )),
        true if light_power == 0.0 => Some(format!(
            "deep_after: {deep_after} can only be a loss: with light_power 0 a port draws no less in deep sleep than in light sleep"
        )),
        _ => None,
    }
}

/// What a port draws in a pair where light sleep draws that much.
pub(in crate::mechanism) fn draw_in_light_sleep(light_power: f64, pair: &Residency) -> Draw {
    let is_light = pair.phase == Phase::Off && pair.level == 0;
    if is_light { Draw::AtLeast(light_power) } else { pair.draw }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;
    use crate::mechanism::Chosen;
    use crate::presets;

    fn with(parameters: DepthsParameters) -> Config {
        Config { mechanism: Chosen(Box::new(parameters)), ..presets::by_name("fat-tree-4").expect("a preset") }
    }

    #[test]
    fn resets_are_those_of_powar_and_of_depth() {
        let config = with(DepthsParameters { deep_after: Nanoseconds(16e3), ..DepthsParameters::default() });
        config.check().expect("in range");
        let resets = config.mechanism.0.resets(config.cycle_ns);
        // T_s, T_w and the deep wake-up are 1800, 2600 and 3887.5 cycles of 1.6 ns, and times are rounded up.
        assert_eq!((resets[0], resets[5], resets[6]), (3, 1800, 2600));
        assert_eq!(resets[10..], [10_000, 3888]);
        assert_eq!(DepthsValues::of(&with(DepthsParameters::default())).deep_after, 0, "the single mode");
    }

    #[test]
    fn a_policy_is_that_of_powar_too() {
        let mut config = with(DepthsParameters::default());
        config.mechanism.0.set_policy("First-On-Depths").expect("a policy");
        assert_eq!(DepthsValues::of(&config).powar.policy, 2);
        let read = config.mechanism.with(toml::Table::new()).expect("its own table");
        assert_eq!(read, config.mechanism);
        assert_eq!(read.of::<DepthsParameters>().expect("depths").powar.policy, "first-on");
    }

    #[test]
    fn light_sleep_draws_its_share_and_all_else_what_it_does_in_powar() {
        let light_power = 0.7;
        let config = with(DepthsParameters { light_power, ..DepthsParameters::default() });
        let draws: Vec<Draw> = config.mechanism.residency().iter().map(|pair| pair.draw).collect();
        let full = Draw::Share(1.0);
        assert_eq!(draws, [full, full, Draw::AtLeast(light_power), full, full, Draw::SleepFraction]);
    }

    #[test]
    fn depth_in_vain_is_warned_about() {
        let said = |policy: &str, deep_after, t_wake_deep, light_power| {
            let mut parameters = DepthsParameters { light_power, policy: policy.into(), ..DepthsParameters::default() };
            (parameters.deep_after, parameters.t_wake_deep) = (Nanoseconds(deep_after), Nanoseconds(t_wake_deep));
            with(parameters).warnings()
        };
        for (policy, deep_after, t_wake_deep, light_power, begins) in [
            ("powar-depths", 0.0, 6220.0, 0.0, ""),
            ("powar-depths", 0.0, 6220.0, 0.7, ""),
            ("powar-depths", 1e5, 5500.0, 0.7, ""),
            ("powar-depths", 0.0, 5500.0, 0.7, "t_wake_deep: 5.5us makes no difference"),
            ("powar-depths", 1e5, 6220.0, 0.0, "deep_after: 100us can only be a loss"),
            ("reference", 1e5, 6220.0, 0.0, ""),
        ] {
            let said = said(policy, deep_after, t_wake_deep, light_power);
            assert_eq!(said.len(), usize::from(!begins.is_empty()), "{said:?}");
            assert!(said.iter().all(|line| line.starts_with(begins)), "{said:?}");
        }
    }

    #[test]
    fn a_port_saves_in_light_sleep_or_only_in_deep() {
        let saves = |light_power, deep_after| {
            let deep_after = Nanoseconds(deep_after);
            DepthsParameters { light_power, deep_after, ..DepthsParameters::default() }.saves_when()
        };
        assert!(saves(0.7, 0.0).is_some_and(|when| when.contains("pdt") && !when.contains("deep_after")));
        assert!(saves(1.0, 1e4).is_some_and(|when| when.ends_with("has slept for deep_after = 10us")));
        assert_eq!(saves(1.0, 0.0), None);
        let mut parameters = DepthsParameters::default();
        parameters.powar.policy = "reference".into();
        assert_eq!(parameters.saves_when(), None);
    }

    #[test]
    fn values_out_of_range_are_named() {
        let of = |deep_after, t_wake_deep, light_power| DepthsParameters {
            deep_after: Nanoseconds(deep_after),
            t_wake_deep: Nanoseconds(t_wake_deep),
            light_power,
            ..DepthsParameters::default()
        };
        for (parameters, expected) in [
            (of(30e6, 6220.0, 0.7), "deep_after: 30ms is 18750000 cycles, out of range 0..=16777215"),
            (of(0.0, 0.0, 0.7), "t_wake_deep: 0 is 0 cycles, out of range 1..=16777215"),
            (of(0.0, 6220.0, 1.5), "light_power: 1.5 is out of range 0..=1"),
            (of(0.0, 6220.0, f64::NAN), "light_power: NaN is out of range 0..=1"),
        ] {
            let error = format!("{:#}", with(parameters).check().expect_err("out of range"));
            assert!(error.contains(expected), "{error}");
        }
    }
}
