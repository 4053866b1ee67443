//! Its words; see `control_registers!`.

use crate::mechanisms::control_registers::control_registers;
use powar_config::mechanism::e_rapid::{ERapidValues, MECHANISM};
use rust_hdl::prelude::*;

/// Name of its Verilog module, and in the list of blocks.
pub(super) const NAME: &str = "e_rapid_control_registers";

powar_config::e_rapid_words!(control_registers {
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
        ring_errors: 16;
        /// Messages that did not come back.
        lost_messages: 16;
    }
});
