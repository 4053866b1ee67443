//! The control registers (`docs/microarchitecture/mechanisms/alonso.md`).

use super::MECHANISM;
use crate::mechanism::control_values::control_values;

control_values! {
    /// What the control registers of Alonso's mechanism hold.
    pub struct AlonsoValues of MECHANISM {
        policy: u8 = Policy, 2, "Power policy, by its code";
        check_period: u16 = Duration, 16, "Check period, cycles";
        on_flits: u16 = Count, 16, "U_on, flits per link and check period";
        off_flits: u16 = Count, 16, "U_off, likewise";
        t_on: u32 = Duration, 24, "Cycles until a link that comes on is usable";
        t_off: u32 = Duration, 24, "Cycles at full power of a link that goes off";
        litmus: bool = Flag, 1, "Hints of nodes switch all links on";
        start: bool = Flag, 1, "Only the Minimal Tree is on after a reset";
    }
}
