//! A subtractor for a bit vector whose width is known only when the block is built.

use super::{Announcement, concatenation};
use rust_hdl::core::signal::get_signal_id;
use rust_hdl::prelude::*;

/// `difference = a - b` on unsigned vectors of equal width, modulo 2 to the width; bit 0 first.
///
/// A kernel cannot calculate with vectors of single bits, and synthesis puts a subtraction written as one on the carry chain. In
/// Verilog it is one line in the module of the owner.
#[derive(Clone, Debug)]
pub struct Subtractor {
    pub a: Vec<Signal<In, Bit>>,
    pub b: Vec<Signal<In, Bit>>,
    pub difference: Vec<Signal<Out, Bit>>,
    id: usize,
}

impl Subtractor {
    /// A subtractor of `width` bits.
    pub fn new(width: usize) -> Self {
        Self {
            a: (0..width).map(|_| Signal::default()).collect(),
            b: (0..width).map(|_| Signal::default()).collect(),
            difference: (0..width).map(|_| Signal::default()).collect(),
            id: get_signal_id(),
        }
    }
}

impl Logic for Subtractor {
    #[inline]
    fn update(&mut self) {
        // Everything starts at zero, which is consistent, so the result only needs computing after a change.
        if !self.a.iter().chain(&self.b).any(|signal| signal.changed) {
            return;
        }
        let mut borrow = false;
        for ((difference, a), b) in self.difference.iter_mut().zip(&self.a).zip(&self.b) {
            let (a, b) = (a.val(), b.val());
            difference.next = a ^ b ^ borrow;
            borrow = (!a & (b | borrow)) | (b & borrow);
        }
    }

    fn connect(&mut self) {
        self.difference.iter_mut().for_each(Logic::connect);
    }

    fn hdl(&self) -> Verilog {
        let bits = |name: &str| concatenation(name, self.a.len());
        Verilog::Custom(format!("always @(*) {} = {} - {};", bits("difference"), bits("a"), bits("b")))
    }
}

impl Block for Subtractor {
    fn connect_all(&mut self) {
        self.connect();
    }

    #[inline]
    fn update_all(&mut self) {
        self.update();
        self.a.iter_mut().chain(&mut self.b).for_each(Block::update_all);
        self.difference.iter_mut().for_each(Block::update_all);
    }

    #[inline]
    fn has_changed(&self) -> bool {
        self.a.iter().chain(&self.b).any(Block::has_changed) || self.difference.iter().any(Block::has_changed)
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        self.a.accept("a", probe);
        self.b.accept("b", probe);
        self.difference.accept("difference", probe);
        Announcement::Subtractor.visit("operation", self.id, probe);
        probe.visit_end_scope(name, self);
    }
}
