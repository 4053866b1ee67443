//! Its words; see `control_registers!`.

use crate::mechanisms::control_registers::control_registers;
use powar_config::mechanism::powar::{MECHANISM, PowarValues};
use rust_hdl::prelude::*;

powar_config::powar_words!(control_registers {
    /// The registers of POWAR, written and read while the switch runs.
    ///
    /// Latency:  a write of cycle t shows from cycle t+1 on; `read_data` follows `read_address` in the same cycle.
    /// Range:    any value; each block says what it does with it. The low bits of `write_data` are taken.
    /// Map:      the constants below, byte addresses / 4; writes to other addresses are ignored, reads of them give 0.
    /// Reset:    the configuration's values.
    /// Source:   docs/microarchitecture/mechanisms/powar.md.
    pub struct ControlRegisters("control_registers") of MECHANISM, PowarValues;
    counts {}
});
