//! The parameters, as users write them, and what stands in the control registers.

use super::MECHANISM;
use crate::Setting;
use crate::config::MAX_COUNT;
use crate::mechanism::control_values::control_values;
use crate::mechanism::depths::{depth_in_vain, draw_in_light_sleep};
use crate::mechanism::parameter_table::{ParameterTable, parameters};
use crate::mechanism::wake_hints::{COUNTERS, HintValues, WakeHintsParameters, counters_from};
use crate::mechanism::{Draw, Residency, Rules, joined};
use crate::registers::Word;
use anyhow::{Result, ensure};

parameters! {
    /// The parameters: those of Wake hints, whose T_s and T_w are those of light sleep, and those of depth.
    pub struct HintsDepthsParameters of MECHANISM, policy "powar-hints-depths", around hints: WakeHintsParameters {
        deep_after: Time = 0.0, in 0..=MAX_COUNT,
            "How long a port sleeps lightly before it sleeps deeply; 0: it never does";
        /// That of Depths.
        t_wake_deep: Time = 6220.0, in 1..=MAX_COUNT, "Time to wake from deep sleep, in all";
        light_power: Number = 0.0, in 0.0..=1.0,
            "What a port in light sleep draws, as a share of its full power; no less than one in deep sleep does";
    }
}

control_values! {
    /// What the control registers hold (`docs/microarchitecture/mechanisms/hints_depths.md`), counters of hints apart: those of Wake hints, and
    /// those of depth.
    pub struct HintsDepthsValues of HintsDepthsParameters, around hints: HintValues, rows hints_depths_words {
        deep_after: u32 = Duration, 24,
            "Cycles that a port sleeps lightly with a budget for a deep wake-up before it sleeps deeply; 0 = for ever";
        t_wake_deep: u32 = Duration, 24, "Cycles that it takes to wake from deep sleep, in all";
    }
}

/// What begins as a configuration says, and counters of hints behind it, which begin at 0.
pub(super) const WORDS: [Word; HintsDepthsValues::WORDS.len() + COUNTERS] =
    joined(&HintsDepthsValues::WORDS, &counters_from(HintsDepthsValues::WORDS.len()));

impl HintsDepthsParameters {
    /// What a port must have to fall deeply asleep, cycles; 0 if none ever does.
    fn deep_reserve(&self, cycle_ns: f64) -> u64 {
        if self.deep_after.0 == 0.0 {
            return 0;
        }
        self.t_wake_deep.cycles(cycle_ns).max(self.hints.ahead.powar.t_wake.cycles(cycle_ns)) + 1
    }
}

impl Rules for HintsDepthsParameters {
    fn check_rules(&self, setting: &Setting) -> Result<()> {
        self.hints.check_of(MECHANISM.name, setting)?;
        let ahead = &self.hints.ahead;
        let (cap, least) = (ahead.cap_cycles(setting.cycle_ns), self.deep_reserve(setting.cycle_ns));
        ensure!(
            cap >= least,
            "cap: {} x (t_sleep + t_wake) is {cap} cycles, and a port needs {least} to sleep deeply; cap must be at least {}",
            ahead.cap,
            ahead.least_cap(least, setting.cycle_ns)
        );
        Ok(())
    }

    fn saves_when(&self) -> Option<String> {
        let when = self.hints.saves_when()?;
        match (self.light_power < 1.0, self.deep_after.0 > 0.0) {
            (true, _) => Some(when),
            (false, true) => Some(format!("{when}, and has slept for deep_after = {}", self.deep_after)),
            (false, false) => None,
        }
    }

    fn warnings(&self, setting: &Setting) -> Vec<String> {
        let said =
            depth_in_vain(self.deep_after, self.t_wake_deep, self.light_power).filter(|_| self.heeds("deep_after"));
        self.hints.warnings(setting).into_iter().chain(said).collect()
    }

    fn hears_hints(&self) -> bool {
        self.hints.hears_hints()
    }

    fn keeps_lane_on(&self) -> bool {
        self.hints.keeps_lane_on()
    }

    fn draw(&self, pair: &Residency) -> Draw {
        draw_in_light_sleep(self.light_power, pair)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;
    use crate::mechanism::Chosen;
    use crate::presets;
    use crate::units::Nanoseconds;

    fn with(parameters: HintsDepthsParameters) -> Config {
        Config { mechanism: Chosen(Box::new(parameters)), ..presets::by_name("fat-tree-4").expect("a preset") }
    }

    #[test]
    fn resets_are_those_of_wake_hints_and_of_depth() {
        let config = with(HintsDepthsParameters { deep_after: Nanoseconds(16e3), ..HintsDepthsParameters::default() });
        config.check().expect("in range");
        let resets = config.mechanism.0.resets(config.cycle_ns);
        assert_eq!((resets[0], resets[5], resets[10], resets[12]), (3, 1800, 655, 3));
        assert_eq!(resets[13..], [10_000, 3888, 0, 0, 0]);
        assert_eq!(HintsDepthsValues::of(&with(HintsDepthsParameters::default())).deep_after, 0, "the single mode");
        let addresses: Vec<u16> = MECHANISM.words.iter().map(|word| word.offset).collect();
        assert!(addresses.is_sorted() && addresses[13..] == [0x74, 0x78, 0x7C, 0x80, 0x84], "{addresses:x?}");
    }

    #[test]
    fn a_policy_is_that_of_all_that_it_is_around() {
        let mut config = with(HintsDepthsParameters::default());
        config.mechanism.0.set_policy("First-On-Hints-Depths").expect("a policy");
        assert_eq!(HintsDepthsValues::of(&config).hints.ahead.powar.policy, 2);
        let read = config.mechanism.with(toml::Table::new()).expect("its own table");
        assert_eq!(read, config.mechanism);
        let parameters = read.of::<HintsDepthsParameters>().expect("hints_depths");
        assert_eq!(parameters.hints.policy, "first-on-hints");
    }

    #[test]
    fn what_it_cannot_route_is_refused_by_its_own_name() {
        let mut config = with(HintsDepthsParameters::default());
        (config.topology, config.routing) = (None, None);
        let error = format!("{:#}", config.check().expect_err("no routing"));
        assert!(
            error.contains("kind: hints_depths routes hints as packets are routed, and without a topology"),
            "{error}"
        );
    }

    #[test]
    fn a_cap_that_is_too_small_for_a_deep_wake_up_is_refused() {
        let of = |deep_after: f64, cap: f64| {
            let mut parameters =
                HintsDepthsParameters { deep_after: Nanoseconds(deep_after), ..HintsDepthsParameters::default() };
            let ahead = &mut parameters.hints.ahead;
            (ahead.cap, ahead.powar.t_sleep, ahead.powar.t_wake) = (cap, Nanoseconds(180.0), Nanoseconds(340.0));
            with(parameters)
        };
        of(0.0, 4.0).check().expect("no port sleeps deeply");
        let error = format!("{:#}", of(100e3, 4.0).check().expect_err("less than a deep wake-up"));
        let expected = "cap: 4 x (t_sleep + t_wake) is 1304 cycles, and a port needs 3889 to sleep deeply; cap must be at least 12";
        assert!(error.contains(expected), "{error}");
        of(100e3, 12.0).check().expect("the least that is named");
    }
}
