//! Its words, one row each; see `control_registers!`.

use crate::mechanisms::control_registers::control_registers;
use powar_config::mechanism::soteriou_peh::{MECHANISM, SoteriouPehValues};
use rust_hdl::prelude::*;

/// Name of its Verilog module, and in the list of blocks.
pub(super) const NAME: &str = "soteriou_peh_control_registers";

control_registers! {
    /// The registers of Soteriou and Peh's mechanism, written and read while the switch runs.
    ///
    /// Latency:  a write of cycle t shows from cycle t+1 on; `read_data` follows `read_address` in the same cycle.
    /// Range:    any value; each block says what it does with it. The low bits of `write_data` are taken.
    /// Map:      the constants below, byte addresses / 4; writes to other addresses are ignored, reads of them give 0.
    /// Reset:    the configuration's values.
    /// Source:   docs/microarchitecture/mechanisms/soteriou_peh.md.
    pub struct ControlRegisters(NAME) of MECHANISM, SoteriouPehValues;
    counts {}
    numbers {
        /// Policy code.
        policy: 2, policy_r, policy_at;
        /// Sampling window, cycles.
        window: 16, window_r, window_at;
        /// Load for off with one link on, times 10 windows.
        sleep_load: 20, sleep_load_r, sleep_load_at;
        /// More for each further link on.
        sleep_step: 20, sleep_step_r, sleep_step_at;
        /// Load for on with one link off, likewise.
        wake_load: 20, wake_load_r, wake_load_at;
        /// Less for each further link off.
        wake_step: 20, wake_step_r, wake_step_at;
        /// Cycles of a transition.
        t_trans: 24, t_trans_r, t_trans_at;
        /// Age beyond which idle times double, quarters of a cycle.
        age_limit: 16, age_limit_r, age_limit_at;
        /// Idle cycles until a link goes off with one link on, or none.
        idle_1: 23, idle_1_r, idle_1_at;
        /// With two.
        idle_2: 23, idle_2_r, idle_2_at;
        /// With three.
        idle_3: 23, idle_3_r, idle_3_at;
        /// With four and more.
        idle_4: 23, idle_4_r, idle_4_at;
    }
    flags {}
}
