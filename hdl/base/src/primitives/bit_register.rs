//! A register for a bit vector whose width is known only when the block is built.

use super::{Announcement, ClockReset};
use num_bigint::BigUint;
use rust_hdl::core::signal::get_signal_id;
use rust_hdl::prelude::*;

/// [`super::Register`] for a vector of single bits: port masks, pointers in one-hot code.
///
/// `d` and `q` have one signal per bit; in Verilog they are one packed vector. `dff_setup!(self, clk, mask)` sets up all of them.
#[derive(Clone, Debug)]
pub struct BitRegister {
    /// Clock and reset, driven by `block!` or `dff_setup!`.
    pub clock: ClockReset,
    /// The bits after the next rising edge.
    pub d: Vec<Signal<In, Bit>>,
    /// The bits now.
    pub q: Vec<Signal<Out, Bit>>,
    reset: Vec<bool>,
    id: usize,
}

impl BitRegister {
    /// A register of `reset.len()` bits, which holds `reset` (bit 0 first) after reset.
    pub fn new(reset: Vec<bool>) -> Self {
        Self {
            clock: ClockReset::default(),
            d: reset.iter().map(|_| Signal::default()).collect(),
            q: reset.iter().map(|&bit| Signal::new_with_default(bit)).collect(),
            reset,
            id: get_signal_id(),
        }
    }

    /// Keeps the present value; called by `block!` or `dff_setup!`, overridden by any later assignment to `d`.
    #[inline]
    pub fn hold(&mut self) {
        for (d, q) in self.d.iter_mut().zip(&self.q) {
            d.next = q.val();
        }
    }

    fn reset_bits(&self) -> BigUint {
        let mut value = BigUint::default();
        for (position, &bit) in self.reset.iter().enumerate() {
            value.set_bit(position as u64, bit);
        }
        value
    }
}

impl Logic for BitRegister {
    #[inline]
    fn update(&mut self) {
        if !self.clock.rising_edge() {
            return;
        }
        let in_reset = self.clock.in_reset();
        for ((q, d), &reset) in self.q.iter_mut().zip(&self.d).zip(&self.reset) {
            q.next = if in_reset { reset } else { d.val() };
        }
    }

    /// Claims `d` as well: `dff_setup!` drives every bit, but rust-hdl's bookkeeping does not look into a `Vec`.
    fn connect(&mut self) {
        self.d.iter_mut().for_each(Logic::connect);
        self.q.iter_mut().for_each(Logic::connect);
    }

    fn hdl(&self) -> Verilog {
        let bits = self.reset.iter().enumerate();
        let statements = bits.map(|(position, &reset)| {
            let reset = u8::from(reset);
            format!("always @(posedge clock) if (rst) q${position} <= 1'b{reset}; else q${position} <= d${position};")
        });
        Verilog::Custom(statements.collect::<Vec<_>>().join("\n"))
    }
}

impl Block for BitRegister {
    fn connect_all(&mut self) {
        self.connect();
    }

    #[inline]
    fn update_all(&mut self) {
        self.update();
        self.clock.update_all();
        self.d.iter_mut().for_each(Block::update_all);
        self.q.iter_mut().for_each(Block::update_all);
    }

    #[inline]
    fn has_changed(&self) -> bool {
        self.clock.has_changed() || self.d.iter().any(Block::has_changed) || self.q.iter().any(Block::has_changed)
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        self.clock.accept("clock", probe);
        self.d.accept("d", probe);
        self.q.accept("q", probe);
        Announcement::Reset(self.reset_bits()).visit("reset", self.id, probe);
        probe.visit_end_scope(name, self);
    }
}
