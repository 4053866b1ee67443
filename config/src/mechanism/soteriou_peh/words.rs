//! The control registers (`docs/microarchitecture/mechanisms/soteriou_peh.md`).

use super::MECHANISM;
use crate::mechanism::control_values::control_values;

control_values! {
    /// What the control registers of Soteriou and Peh's mechanism hold.
    pub struct SoteriouPehValues of MECHANISM {
        policy: u8 = Policy, 2, "Power policy, by its code";
        window: u16 = Duration, 16, "Sampling window, cycles";
        sleep_load: u32 = Count, 20, "Load for off with one link on, times 10 windows";
        sleep_step: u32 = Count, 20, "More for each further link on";
        wake_load: u32 = Count, 20, "Load for on with one link off, times 10 windows";
        wake_step: u32 = Count, 20, "Less for each further link off";
        t_trans: u32 = Duration, 24, "Cycles of a transition";
        age_limit: u16 = Count, 16, "Age beyond which idle times double, quarters of a cycle";
        idle_1: u32 = Duration, 23, "Idle cycles until a link goes off with one link on, or none";
        idle_2: u32 = Duration, 23, "Likewise with two links on";
        idle_3: u32 = Duration, 23, "With three";
        idle_4: u32 = Duration, 23, "With four and more";
    }
}

impl SoteriouPehValues {
    /// Idle cycles until a link goes off, by how many are on: one or none, two, three, more.
    pub fn idle(&self) -> [u32; 4] {
        [self.idle_1, self.idle_2, self.idle_3, self.idle_4]
    }
}
