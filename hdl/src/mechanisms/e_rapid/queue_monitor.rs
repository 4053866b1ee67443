//! How long packets wait for one other board: the share of a window that decides who is given more wavelengths, and their rates.
//!
//! Count:    cycles in which a packet wants the board and no wavelength to it is free.
//! Latency:  a sample of cycle t shows in `waited` from cycle t+1 on; its cycle counts for the next window.
//! Range:    counts stop at 4095.
//! Reset:    0.
//! Source:   Kodi and Louri 2007, section 3.2 (Buffer_util); docs/microarchitecture/mechanisms/e_rapid.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct QueueMonitor {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// A packet wants the board, and no link to it is free.
    pub waits: Signal<In, Bit>,
    /// LinkRequest passes the first link to it: a window is over.
    pub sample: Signal<In, Bit>,
    /// Cycles of the last window in which a packet waited.
    pub waited: Signal<Out, Bits<12>>,
    /// Those of this window.
    count_r: Register<Bits<12>>,
    waited_r: Register<Bits<12>>,
    /// `count` without this cycle.
    counted: Signal<Local, Bits<12>>,
    info: BlockInfo,
}

impl QueueMonitor {
    pub fn new() -> Self {
        build!(QueueMonitor {
            (clk, rst, waits, sample, waited, count_r, waited_r, counted)
            info: BlockInfo::new("queue_monitor", include_str!("queue_monitor.rs")),
        })
    }
}

impl Default for QueueMonitor {
    fn default() -> Self {
        Self::new()
    }
}

impl Logic for QueueMonitor {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, count_r, waited_r);
        self.counted.next = self.count_r.q.val();
        if self.sample.val() {
            self.counted.next = 0.into();
            self.waited_r.d.next = self.count_r.q.val();
        }
        self.count_r.d.next = self.counted.val() + (self.waits.val() & !self.counted.val().all());
        self.waited.next = self.waited_r.q.val();
    }
}

rtl_signals!(
    QueueMonitor,
    clocked,
    inputs(waits, sample),
    outputs(waited),
    registers(count_r as "count", waited_r as "waited"),
    children(),
);
