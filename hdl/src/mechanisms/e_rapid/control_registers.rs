//! Its words, one row each; see `control_registers!`.

use crate::mechanisms::control_registers::control_registers;
use powar_config::mechanism::e_rapid::{ERapidValues, MECHANISM};
use rust_hdl::prelude::*;

/// Name of its Verilog module, and in the list of blocks.
pub(super) const NAME: &str = "e_rapid_control_registers";

control_registers! {
    /// The registers of E-RAPID's mechanism, written and read while the switch runs.
    ///
    /// Latency:  a write of cycle t shows from cycle t+1 on; `read_data` follows `read_address` in the same cycle, and so do the counts.
    /// Range:    any value; each block says what it does with it. The low bits of `write_data` are taken.
    /// Map:      the constants below, byte addresses / 4; writes to other addresses and to the counts are ignored, reads of others give 0.
    /// Reset:    the configuration's values.
    /// Source:   docs/microarchitecture/mechanisms/e_rapid.md.
    pub struct ControlRegisters(NAME) of MECHANISM, ERapidValues;
    counts {
        /// Words of the ring thrown away for their parity.
        ring_errors: 16, ring_errors_at;
        /// Messages that did not come back.
        lost_messages: 16, lost_messages_at;
    }
    numbers {
        /// Policy code: bit 0 power, bit 1 bandwidth.
        policy: 2, policy_r, policy_at;
        /// Reconfiguration window, cycles.
        window: 12, window_r, window_at;
        /// Cycles of a window with packets waiting at and below which a wavelength goes one level down.
        b_min: 12, b_min_r, b_min_at;
        /// Cycles above which it goes one level up.
        b_max: 12, b_max_r, b_max_at;
        /// Cycles above which a board is given more wavelengths.
        b_con: 12, b_con_r, b_con_at;
        /// Most wavelengths that a board is given to another.
        degree: 4, degree_r, degree_at;
        /// Cycles of a change of rate, and from laser on to the first flit.
        dead_time: 8, dead_time_r, dead_time_at;
    }
    flags {}
}
