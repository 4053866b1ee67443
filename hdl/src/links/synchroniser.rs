//! Two flip-flops for a value of another clock: the first may hang between 0 and 1 for a moment, the second has what became of it.
//!
//! Use:      only for values of which one bit changes at a time, such as those of a `gray_counter`: bits that change together may come apart.
//!           No logic stands before the first flip-flops, none between them and the second.
//! Latency:  between one and two cycles.
//! Range:    1 to 16 bits.
//! Reset:    0, which must be what the other clock has after its own.
//! Source:   docs/microarchitecture/crossing.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Synchroniser {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Flip-flops of another clock.
    pub value: Vec<Signal<In, Bit>>,
    /// Their value, in step with this clock.
    pub seen: Vec<Signal<Out, Bit>>,
    /// The flip-flops that may hang.
    first_r: BitRegister,
    second_r: BitRegister,
    bits: Size,
    info: BlockInfo,
}

impl Synchroniser {
    /// Of `bits` bits, 1..=16.
    pub fn new(bits: usize) -> Self {
        build!(Synchroniser {
            (clk, rst)
            [bits => value, seen]
            first_r: BitRegister::new(vec![false; bits]),
            second_r: BitRegister::new(vec![false; bits]),
            bits: bits.into(),
            info: BlockInfo::new("synchroniser", include_str!("synchroniser.rs")),
        })
    }
}

impl Logic for Synchroniser {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, first_r, second_r);
        for b in 0..self.bits.get() {
            self.first_r.d[b].next = self.value[b].val();
            self.second_r.d[b].next = self.first_r.q[b].val();
            self.seen[b].next = self.second_r.q[b].val();
        }
    }
}

rtl_signals!(
    Synchroniser,
    clocked,
    inputs(value),
    outputs(seen),
    registers(first_r as "first", second_r as "second"),
    children(),
);
