//! Pointers and fill of a circular queue in a memory that somebody else owns.
//!
//! Latency:  one cycle from `push` and `pop` to the pointers and the count.
//! Range:    1 to 4096 entries. Never `push` when full or `pop` when empty; both in one cycle are fine.
//! Reset:    empty, pointers at 0.
//! Source:   docs/microarchitecture/buffers.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct VcQueue {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// An entry is written at `write_pointer`.
    pub push: Signal<In, Bit>,
    /// The entry at `read_pointer` is read.
    pub pop: Signal<In, Bit>,
    pub write_pointer: Signal<Out, Bits<12>>,
    pub read_pointer: Signal<Out, Bits<12>>,
    /// Entries in the queue.
    pub count: Signal<Out, Bits<13>>,
    write_pointer_r: Register<Bits<12>>,
    read_pointer_r: Register<Bits<12>>,
    count_r: Register<Bits<13>>,
    /// The last place; place 0 follows.
    last_place: Constant<Bits<12>>,
    /// The bits that a place has, and a number of entries; synthesis leaves the others out.
    place_mask: Constant<Bits<12>>,
    count_mask: Constant<Bits<13>>,
    /// What comes to `count`: 1, 0, or all ones, which is one less.
    step: Signal<Local, Bits<13>>,
    /// 0 if the place after the last is 0 by these bits alone, else 1.
    wraps_early: Size,
    info: BlockInfo,
}

impl VcQueue {
    /// For `depth` entries, 1..=4096.
    pub fn new(depth: usize) -> Self {
        VcQueue {
            clk: Default::default(),
            rst: Default::default(),
            push: Default::default(),
            pop: Default::default(),
            write_pointer: Default::default(),
            read_pointer: Default::default(),
            count: Default::default(),
            write_pointer_r: Register::new(0.into()),
            read_pointer_r: Register::new(0.into()),
            count_r: Register::new(0.into()),
            last_place: Constant::new((depth - 1).to_bits()),
            place_mask: Constant::new((depth.next_power_of_two() - 1).to_bits()),
            count_mask: Constant::new(((depth + 1).next_power_of_two() - 1).to_bits()),
            step: Default::default(),
            wraps_early: usize::from(!depth.is_power_of_two()).into(),
            info: BlockInfo::new("vc_queue", include_str!("vc_queue.rs")),
        }
    }
}

impl Logic for VcQueue {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, write_pointer_r, read_pointer_r, count_r);
        if self.push.val() {
            self.write_pointer_r.d.next = (self.write_pointer_r.q.val() + 1) & self.place_mask.val();
            if (self.wraps_early.val() == 1) & (self.write_pointer_r.q.val() == self.last_place.val()) {
                self.write_pointer_r.d.next = 0.into();
            }
        }
        if self.pop.val() {
            self.read_pointer_r.d.next = (self.read_pointer_r.q.val() + 1) & self.place_mask.val();
            if (self.wraps_early.val() == 1) & (self.read_pointer_r.q.val() == self.last_place.val()) {
                self.read_pointer_r.d.next = 0.into();
            }
        }
        // One adder for both directions.
        self.step.next = 0.into();
        if self.pop.val() & !self.push.val() {
            self.step.next = self.count_mask.val();
        }
        if self.push.val() & !self.pop.val() {
            self.step.next = 1.into();
        }
        self.count_r.d.next = (self.count_r.q.val() + self.step.val()) & self.count_mask.val();
        self.write_pointer.next = self.write_pointer_r.q.val();
        self.read_pointer.next = self.read_pointer_r.q.val();
        self.count.next = self.count_r.q.val();
    }
}

rtl_signals!(
    VcQueue,
    clocked,
    inputs(push, pop),
    outputs(write_pointer, read_pointer, count),
    registers(write_pointer_r as "write_pointer", read_pointer_r as "read_pointer", count_r as "count"),
    children(),
);
