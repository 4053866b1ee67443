//! What the control registers hold.

use super::Policy;
use crate::Config;
use crate::units::Nanoseconds;

/// Reset values of the control registers (`docs/microarchitecture/mechanisms/powar.md`), in cycles and flits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterValues {
    pub policy: u8,
    pub pdt: u32,
    pub check_period: u16,
    pub on_flits: u16,
    pub off_flits: u16,
    pub t_sleep: u32,
    pub t_wake: u32,
    pub t_quiet: u32,
    pub t_refresh: u32,
    pub abort_sleep: bool,
}

impl Config {
    /// Reset values of the control registers. The configuration must have passed [`Config::check`].
    pub fn register_values(&self) -> RegisterValues {
        let cycles = |duration: Nanoseconds| duration.cycles(self.cycle_ns) as u32;
        let check_period = cycles(self.check_period) as u16;
        let flits = |fraction: f64| (fraction * f64::from(check_period)).round() as u16;
        RegisterValues {
            policy: Policy::by_name(&self.policy).expect("checked").code,
            pdt: cycles(self.pdt),
            check_period,
            on_flits: flits(self.t_on),
            off_flits: flits(self.t_off),
            t_sleep: cycles(self.t_sleep),
            t_wake: cycles(self.t_wake),
            t_quiet: cycles(self.t_quiet),
            t_refresh: cycles(self.t_refresh),
            abort_sleep: self.abort_sleep,
        }
    }
}
