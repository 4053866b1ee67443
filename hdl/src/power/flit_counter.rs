//! Counts the flits that a group of ports forwards in a check period (FC of Algorithms 2 and 3).
//!
//! Latency:  a flit of cycle t is in `count` from cycle t+1 on.
//! Range:    any group size from 1 to 64; 64 ports over the longest period, 65535 cycles, stay below 2^24.
//! Check:    a flit forwarded in the check cycle itself counts for the next period.
//! Reset:    0.
//! Source:   POWAR Algorithms 2 and 3; docs/microarchitecture/power.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct FlitCounter {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Port i of the group forwards a flit in this cycle.
    pub flit: Vec<Signal<In, Bit>>,
    /// Last cycle of the check period.
    pub check: Signal<In, Bit>,
    /// Flits forwarded since the last check.
    pub count: Signal<Out, Bits<24>>,
    count_r: Register<Bits<24>>,
    /// Flits of this cycle.
    flits: Signal<Local, Bits<24>>,
    size: Size,
    info: BlockInfo,
}

impl FlitCounter {
    /// For a group of `size` ports, 1..=64.
    pub fn new(size: usize) -> Self {
        FlitCounter {
            clk: Default::default(),
            rst: Default::default(),
            flit: vector(size),
            check: Default::default(),
            count: Default::default(),
            count_r: Register::new(0.into()),
            flits: Default::default(),
            size: size.into(),
            info: BlockInfo::new("flit_counter", include_str!("flit_counter.rs")),
        }
    }
}

impl Logic for FlitCounter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, count_r);
        self.flits.next = 0.into();
        for i in 0..self.size.get() {
            self.flits.next = self.flits.val() + self.flit[i].val();
        }
        if self.check.val() {
            self.count_r.d.next = self.flits.val();
        } else {
            self.count_r.d.next = self.count_r.q.val() + self.flits.val();
        }
        self.count.next = self.count_r.q.val();
    }
}

rtl_signals!(
    FlitCounter,
    clocked,
    inputs(flit, check),
    outputs(count),
    registers(count_r as "count"),
    children(),
);
