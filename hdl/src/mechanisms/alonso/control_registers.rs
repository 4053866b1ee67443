//! Its words; see `control_registers!`.

use crate::mechanisms::control_registers::control_registers;
use powar_config::mechanism::alonso::{AlonsoValues, MECHANISM};
use rust_hdl::prelude::*;

/// Name of its Verilog module, and in the list of blocks.
pub(super) const NAME: &str = "alonso_control_registers";

powar_config::alonso_words!(control_registers {
    /// The registers of Alonso's mechanism, written and read while the switch runs.
    ///
    /// Latency:  a write of cycle t shows from cycle t+1 on; `read_data` follows `read_address` in the same cycle.
    /// Range:    any value; each block says what it does with it. The low bits of `write_data` are taken.
    /// Map:      the constants below, byte addresses / 4; writes to other addresses are ignored, reads of them give 0.
    /// Reset:    the configuration's values.
    /// Source:   docs/microarchitecture/mechanisms/alonso.md.
    pub struct ControlRegisters(NAME) of MECHANISM, AlonsoValues;
    counts {}
});
