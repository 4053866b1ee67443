//! The control registers (`docs/microarchitecture/mechanisms/powar.md`).

use super::MECHANISM;
use crate::mechanism::control_values::control_values;

control_values! {
    /// What the control registers of POWAR hold.
    pub struct PowarValues of MECHANISM {
        policy: u8 = Policy, 2, "Power policy, by its code";
        pdt: u32 = Duration, 24, "Power-down threshold, cycles: an idle port sleeps after it";
        check_period: u16 = Duration, 16, "Check period, cycles";
        on_flits: u16 = Count, 16, "T_on, flits per selectable port and check period";
        off_flits: u16 = Count, 16, "T_off, likewise";
        t_sleep: u32 = Duration, 24, "T_s, cycles to enter sleep";
        t_wake: u32 = Duration, 24, "T_w, cycles to wake";
        t_quiet: u32 = Duration, 24, "T_q, cycles of a quiet period while asleep; 0 = no refresh";
        t_refresh: u32 = Duration, 24, "T_r, cycles of a refresh while asleep; 0 = no refresh";
        abort_sleep: bool = Flag, 1, "A wake request aborts the way to sleep";
    }
}
