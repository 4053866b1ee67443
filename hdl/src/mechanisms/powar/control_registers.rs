//! Its words, one row each; see `control_registers!`.

use crate::mechanisms::control_registers::control_registers;
use powar_config::mechanism::powar::{MECHANISM, PowarValues};
use rust_hdl::prelude::*;

control_registers! {
    /// The registers of POWAR, written and read while the switch runs.
    ///
    /// Latency:  a write of cycle t shows from cycle t+1 on; `read_data` follows `read_address` in the same cycle.
    /// Range:    any value; each block says what it does with it. The low bits of `write_data` are taken.
    /// Map:      the constants below, byte addresses / 4; writes to other addresses are ignored, reads of them give 0.
    /// Reset:    the configuration's values.
    /// Source:   docs/microarchitecture/mechanisms/powar.md.
    pub struct ControlRegisters("control_registers") of MECHANISM, PowarValues;
    counts {}
    numbers {
        /// Policy code.
        policy: 2, policy_r, policy_at;
        /// Power-down threshold, cycles.
        pdt: 24, pdt_r, pdt_at;
        /// Check period, cycles.
        check_period: 16, check_period_r, check_period_at;
        /// T_on, flits per selectable port and check period.
        on_flits: 16, on_flits_r, on_flits_at;
        /// T_off likewise.
        off_flits: 16, off_flits_r, off_flits_at;
        /// T_s, cycles.
        t_sleep: 24, t_sleep_r, t_sleep_at;
        /// T_w, cycles.
        t_wake: 24, t_wake_r, t_wake_at;
        /// T_q, cycles; 0 = no refresh.
        t_quiet: 24, t_quiet_r, t_quiet_at;
        /// T_r, cycles; 0 = no refresh.
        t_refresh: 24, t_refresh_r, t_refresh_at;
    }
    flags {
        /// A wake request aborts `EnteringSleep`.
        abort_sleep: abort_sleep_r, abort_sleep_at;
    }
}
