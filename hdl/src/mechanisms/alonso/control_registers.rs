//! Its words, one row each; see `control_registers!`.

use crate::mechanisms::control_registers::control_registers;
use powar_config::mechanism::alonso::{AlonsoValues, MECHANISM};
use rust_hdl::prelude::*;

/// Name of its Verilog module, and in the list of blocks.
pub(super) const NAME: &str = "alonso_control_registers";

control_registers! {
    /// The registers of Alonso's mechanism, written and read while the switch runs.
    ///
    /// Latency:  a write of cycle t shows from cycle t+1 on; `read_data` follows `read_address` in the same cycle.
    /// Range:    any value; each block says what it does with it. The low bits of `write_data` are taken.
    /// Map:      the constants below, byte addresses / 4; writes to other addresses are ignored, reads of them give 0.
    /// Reset:    the configuration's values.
    /// Source:   docs/microarchitecture/mechanisms/alonso.md.
    pub struct ControlRegisters(NAME) of MECHANISM, AlonsoValues;
    counts {}
    numbers {
        /// Policy code.
        policy: 2, policy_r, policy_at;
        /// Check period, cycles.
        check_period: 16, check_period_r, check_period_at;
        /// U_on, flits per link and check period.
        on_flits: 16, on_flits_r, on_flits_at;
        /// U_off likewise.
        off_flits: 16, off_flits_r, off_flits_at;
        /// Cycles until a link that comes on is usable.
        t_on: 24, t_on_r, t_on_at;
        /// Cycles at full power of a link that goes off.
        t_off: 24, t_off_r, t_off_at;
    }
    flags {
        /// Hints of nodes switch all links on.
        litmus: litmus_r, litmus_at;
        /// Only the Minimal Tree is on after a reset.
        start: start_r, start_at;
    }
}
