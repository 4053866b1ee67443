//! The control registers (`docs/microarchitecture/mechanisms/timetable.md`).

use super::MECHANISM;
use crate::mechanism::control_values::control_values;

control_values! {
    /// What the control registers of the timetable hold.
    pub struct TimetableValues of MECHANISM {
        policy: u8 = Policy, 1, "Power policy, by its code";
        on_time: u32 = Duration, 24, "Cycles for which ports are open";
        off_time: u32 = Duration, 24, "Cycles for which they are closed";
    }
}
