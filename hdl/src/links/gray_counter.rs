//! A counter that another clock may look at: its Gray code changes in one bit a step, so a sample is the value before a step or that after it.
//!
//! Latency:  one cycle from `step` to `count` and `gray`.
//! Range:    2 to 16 bits; after the largest value comes 0, which is one bit away in Gray code as well.
//! Reset:    0.
//! Source:   docs/microarchitecture/crossing.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct GrayCounter {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Count one more.
    pub step: Signal<In, Bit>,
    /// The number, in binary and in Gray code.
    pub count: Vec<Signal<Out, Bit>>,
    pub gray: Vec<Signal<Out, Bit>>,
    count_r: BitRegister,
    gray_r: BitRegister,
    /// The number less all ones, which is one more, or less 0.
    next: Subtractor,
    bits: Size,
    info: BlockInfo,
}

impl GrayCounter {
    /// Of `bits` bits, 2..=16.
    pub fn new(bits: usize) -> Self {
        build!(GrayCounter {
            (clk, rst, step)
            [bits => count, gray]
            count_r: BitRegister::new(vec![false; bits]),
            gray_r: BitRegister::new(vec![false; bits]),
            next: Subtractor::new(bits),
            bits: bits.into(),
            info: BlockInfo::new("gray_counter", include_str!("gray_counter.rs")),
        })
    }
}

impl Logic for GrayCounter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, count_r, gray_r);
        for b in 0..self.bits.get() {
            self.next.a[b].next = self.count_r.q[b].val();
            self.next.b[b].next = self.step.val();
        }
        for b in 0..self.bits.get() {
            self.count_r.d[b].next = self.next.difference[b].val();
        }
        for b in 0..(self.bits - 1) {
            self.gray_r.d[b].next = self.next.difference[b].val() ^ self.next.difference[b + 1].val();
        }
        self.gray_r.d[self.bits - 1].next = self.next.difference[self.bits - 1].val();
        for b in 0..self.bits.get() {
            self.count[b].next = self.count_r.q[b].val();
            self.gray[b].next = self.gray_r.q[b].val();
        }
    }
}

rtl_signals!(
    GrayCounter,
    clocked,
    inputs(step),
    outputs(count, gray),
    registers(count_r as "count", gray_r as "gray"),
    children(),
);
