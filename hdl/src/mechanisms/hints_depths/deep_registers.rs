//! Its words; see `control_registers!`.

use crate::mechanisms::control_registers::control_registers;
use powar_config::mechanism::hints_depths::{HintsDepthsValues, MECHANISM};
use rust_hdl::prelude::*;

powar_config::hints_depths_words!(control_registers {
    /// What software sets of the depths of all ports, written and read while the switch runs.
    ///
    /// Latency:  a write of cycle t shows from cycle t+1 on; `read_data` follows `read_address` in the same cycle.
    /// Range:    any value. The low bits of `write_data` are taken.
    /// Map:      the constants below, byte addresses / 4; writes to other addresses are ignored, reads of them give 0.
    /// Reset:    the configuration's values.
    /// Source:   docs/microarchitecture/mechanisms/hints_depths.md.
    pub struct DeepRegisters("deep_registers") of MECHANISM, HintsDepthsValues;
    counts {}
});
