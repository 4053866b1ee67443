//! The parameters, as users write them, and what stands in the control registers.

use super::{MECHANISM, Policy};
use crate::config::MAX_COUNT;
use crate::mechanism::Rules;
use crate::mechanism::control_values::control_values;
use crate::mechanism::parameter_table::parameters;
use crate::{Config, Setting};
use anyhow::{Context, Result, ensure};

parameters! {
    /// POWAR's parameters. Thresholds are fractions of a port's bandwidth.
    pub struct PowarParameters of MECHANISM, policy "powar" {
        pdt: Time = 100e3, in 0..=MAX_COUNT, "Power-down threshold, such as 10us";
        t_on: Number = 0.5, "Utilisation above which one more port is selectable, at least twice T_off, at most 1";
        t_off: Number = 0.25, "Utilisation below which one port less is selectable";
        check_period: Time = 10e3, in 2..=65535, "How often utilisation is compared with them, 2 to 65535 cycles";
        /// EEE at 10 Gb/s: 2.88 us.
        t_sleep: Time = 2880.0, in 1..=MAX_COUNT, "Time to enter sleep";
        /// EEE at 10 Gb/s: 4.16 us.
        t_wake: Time = 4160.0, in 1..=MAX_COUNT, "Time to wake";
        t_quiet: Time = 0.0, in 0..=MAX_COUNT, "Quiet period while asleep; 0: no refresh";
        t_refresh: Time = 0.0, in 0..=MAX_COUNT, "Refresh period while asleep, at full power; 0: no refresh";
        abort_sleep: Flag = false, "A wake request aborts the way to sleep";
    }
}

control_values! {
    /// What the control registers of POWAR hold (`docs/microarchitecture/mechanisms/powar.md`).
    pub struct PowarValues of PowarParameters, policy 2 bits, rows powar_words {
        pdt: u32 = Duration, 24, "Power-down threshold, cycles: an idle port sleeps after it";
        check_period: u16 = Duration, 16, "Check period, cycles";
        on_flits: u16 = Count, 16, "T_on, flits per selectable port and check period",
            from |of, cycle_ns| of.check_period.share(of.t_on, cycle_ns);
        off_flits: u16 = Count, 16, "T_off, likewise", from |of, cycle_ns| of.check_period.share(of.t_off, cycle_ns);
        t_sleep: u32 = Duration, 24, "T_s, cycles to enter sleep";
        t_wake: u32 = Duration, 24, "T_w, cycles to wake";
        t_quiet: u32 = Duration, 24, "T_q, cycles of a quiet period while asleep; 0 = no refresh";
        t_refresh: u32 = Duration, 24, "T_r, cycles of a refresh while asleep; 0 = no refresh";
        abort_sleep: bool = Flag, 1, "A wake request aborts the way to sleep";
    }
}

impl Rules for PowarParameters {
    fn check_rules(&self, setting: &Setting) -> Result<()> {
        let PowarParameters { t_on, t_off, .. } = *self;
        ensure!(t_off > 0.0, "t_off: {t_off} is out of range, t_off > 0");
        ensure!(t_on >= 2.0 * t_off, "t_on: {t_on} is out of range, t_on >= 2 x t_off = {}", 2.0 * t_off);
        ensure!(t_on <= 1.0, "t_on: {t_on} is out of range, t_on <= 1");
        ensure!(
            self.check_period.share(t_off, setting.cycle_ns) >= 1,
            "check_period: {} is {} cycles, too short for t_off = {t_off}: less than one flit",
            self.check_period,
            self.check_period.cycles(setting.cycle_ns)
        );
        ensure!(
            (self.t_quiet.0 == 0.0) == (self.t_refresh.0 == 0.0),
            "t_refresh: {} with t_quiet {}: both must be 0 (no refresh) or neither",
            self.t_refresh,
            self.t_quiet
        );
        Ok(())
    }

    fn saves_when(&self) -> Option<String> {
        let sleeps = Policy::by_name(&self.policy).is_ok_and(|policy| policy.sleeps);
        sleeps.then(|| format!("a port goes to sleep when it has been idle for pdt = {}", self.pdt))
    }

    /// A T_on that is not below U_max, where that is known and the policy has a use for thresholds.
    fn warnings(&self, setting: &Setting) -> Vec<String> {
        let Some(u_max) = setting.known_u_max() else { return vec![] };
        let decides = Policy::by_name(&self.policy).is_ok_and(|policy| policy.only_selectable)
            && setting.shape.groups.iter().any(|group| group.size > 1);
        let warns = (decides && self.t_on >= u_max).then(|| {
            format!(
                "t_on: {} is not below U_max = {u_max} of {}, what its links carry of uniform traffic (POWAR, section 3)",
                self.t_on, setting.name
            )
        });
        warns.into_iter().collect()
    }
}

impl Config {
    /// The parameters of a configuration whose mechanism is POWAR.
    ///
    /// # Errors
    /// Its mechanism is another.
    pub fn powar(&self) -> Result<&PowarParameters> {
        let name = self.mechanism().name;
        self.mechanism.of().with_context(|| format!("mechanism.kind: {name}, expected powar"))
    }

    /// The same, to be changed.
    ///
    /// # Errors
    /// Its mechanism is another.
    pub fn powar_mut(&mut self) -> Result<&mut PowarParameters> {
        let name = self.mechanism().name;
        self.mechanism.of_mut().with_context(|| format!("mechanism.kind: {name}, expected powar"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(network: &str, policy: &str, t_on: f64) -> Config {
        let mut config = Config::of_network(network).unwrap();
        let parameters = config.powar_mut().unwrap();
        (parameters.policy, parameters.t_on, parameters.t_off) = (policy.into(), t_on, t_on / 2.0);
        config.check().unwrap();
        config
    }

    fn warning(config: &Config) -> Option<String> {
        config.powar().unwrap().warnings(&config.setting()).pop()
    }

    #[test]
    fn a_t_on_from_u_max_on_is_warned_about() {
        let u_max = Config::of_network("8-ary-2-tree").unwrap().known_u_max().unwrap();
        assert_eq!(warning(&of("8-ary-2-tree", "powar", u_max - 0.01)), None);
        let said = warning(&of("8-ary-2-tree", "powar", u_max)).unwrap();
        assert!(said.starts_with(&format!("t_on: {u_max} is not below U_max = {u_max} of 8-ary-2-tree")), "{said}");
        assert!(!said.contains('\n'));
        assert_eq!(warning(&of("2-ary-3-tree", "powar", 1.0)), None, "not measured");
        assert_eq!(warning(&of("torus-4x4x4", "powar", 0.9)), None, "a group of one port has nothing to add");
        assert_eq!(warning(&of("8-ary-2-tree", "first-on", 1.0)), None, "its ports are always selectable");
    }

    #[test]
    fn what_the_configuration_says_of_u_max_counts_more() {
        let with = |u_max| Config { u_max: Some(u_max), ..of("8-ary-2-tree", "powar", 0.5) };
        assert_eq!(warning(&with(0.51)), None);
        assert!(warning(&with(0.5)).unwrap().contains("U_max = 0.5 "));
    }
}
