//! The flip-flop: every state bit of the design is one of these or a [`super::BitRegister`].

use super::{Announcement, ClockReset};
use num_bigint::BigUint;
use num_traits::Num;
use rust_hdl::core::signal::get_signal_id;
use rust_hdl::prelude::*;

/// A register with a synchronous, active-high reset: at the rising clock edge `q` takes the reset value while `rst` is high and `d`
/// otherwise.
///
/// `q` starts at the reset value, so a simulation may leave the reset out; hardware has no initial value and needs it.
/// Clock and reset come from the owning block through [`crate::block!`] or [`crate::dff_setup!`], which also make `d`
/// keep `q` where the kernel says nothing else.
#[derive(Clone, Debug)]
pub struct Register<T: Synth> {
    /// Clock and reset, driven by `block!` or `dff_setup!`.
    pub clock: ClockReset,
    /// The value after the next rising edge.
    pub d: Signal<In, T>,
    /// The value now.
    pub q: Signal<Out, T>,
    reset: T,
    id: usize,
}

impl<T: Synth> Register<T> {
    /// A register that holds `reset` after reset.
    pub fn new(reset: T) -> Self {
        Self {
            clock: ClockReset::default(),
            d: Signal::default(),
            q: Signal::new_with_default(reset),
            reset,
            id: get_signal_id(),
        }
    }

    /// Keeps the present value; called by `block!` or `dff_setup!`, overridden by any later assignment to `d`.
    #[inline]
    pub fn hold(&mut self) {
        self.d.next = self.q.val();
    }

    fn reset_bits(&self) -> BigUint {
        // A literal prints as <width>'h<digits>; rust-hdl offers no other way to its value. A negative one keeps no digits here
        // and would come out as 0, but signed registers are refused by the back end.
        let literal = format!("{:x}", self.reset.verilog());
        let digits = literal.rsplit("'h").next().unwrap_or_default();
        BigUint::from_str_radix(digits, 16).unwrap_or_default()
    }
}

impl<T: Synth> Default for Register<T> {
    /// A register that holds the default of its type after reset: zero, or the first variant.
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: Synth> Logic for Register<T> {
    #[inline]
    fn update(&mut self) {
        if self.clock.rising_edge() {
            self.q.next = if self.clock.in_reset() { self.reset } else { self.d.val() };
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        let reset = format!("{}'h{:x}", T::BITS, self.reset_bits());
        Verilog::Custom(format!("always @(posedge clock) if (rst) q <= {reset}; else q <= d;"))
    }
}

impl<T: Synth> Block for Register<T> {
    fn connect_all(&mut self) {
        self.connect();
    }

    #[inline]
    fn update_all(&mut self) {
        self.update();
        self.clock.update_all();
        self.d.update_all();
        self.q.update_all();
    }

    #[inline]
    fn has_changed(&self) -> bool {
        self.clock.has_changed() || self.d.has_changed() || self.q.has_changed()
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
