//! The clock and reset pins of a register.

use rust_hdl::prelude::*;

/// Clock and synchronous reset of a register, always the `clk` and `rst` of the block that owns it.
///
/// The signals are private and only `block!` and `dff_setup!` drive them: a register with a clock or reset of its own
/// would need the simulation and the Verilog to agree on edges that rust-hdl orders differently.
#[derive(Clone, Debug, Default)]
pub struct ClockReset {
    clk: Signal<In, Clock>,
    rst: Signal<In, Bit>,
}

impl ClockReset {
    /// Takes over the clock and the reset of the owner; called by `block!` or `dff_setup!`.
    #[inline]
    pub fn drive(&mut self, clk: Clock, rst: Bit) {
        self.clk.next = clk;
        self.rst.next = rst;
    }

    #[inline]
    pub(super) fn rising_edge(&self) -> bool {
        self.clk.pos_edge()
    }

    #[inline]
    pub(super) fn in_reset(&self) -> bool {
        self.rst.val()
    }
}

impl Logic for ClockReset {
    fn update(&mut self) {}
    fn connect(&mut self) {
        self.clk.connect();
        self.rst.connect();
    }
}

impl Block for ClockReset {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        self.clk.update_all();
        self.rst.update_all();
    }

    fn has_changed(&self) -> bool {
        self.clk.has_changed() || self.rst.has_changed()
    }

    /// The clock takes the name of the whole field, which is what `dff_setup!` of rust-hdl's kernel parser writes to.
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        self.clk.accept(name, probe);
        self.rst.accept("rst", probe);
    }
}
