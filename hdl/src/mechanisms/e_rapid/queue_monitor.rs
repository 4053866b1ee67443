//! How long packets wait for one other board: the share of a window that decides who is given more wavelengths, and their rates.
//!
//! Count:    cycles in which a packet wants the board and no wavelength to it is free.
//! Latency:  a sample of cycle t shows in `waited` from cycle t+1 on; its cycle counts for the next window.
//! Range:    counts stop at 4095.
//! Reset:    0.
//! Source:   Kodi and Louri 2007, section 3.2 (Buffer_util); docs/microarchitecture/mechanisms/e_rapid.md.

use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct QueueMonitor("queue_monitor", include_str!("queue_monitor.rs"), clocked)
    pub fn new() -> Self {}
    inputs {
        /// A packet wants the board, and no link to it is free.
        waits: Bit,
        /// LinkRequest passes the first link to it: a window is over.
        sample: Bit,
    }
    outputs {
        /// Cycles of the last window in which a packet waited.
        waited: Bits<12>,
    }
    registers {
        /// Those of this window.
        count_r: Bits<12>,
        waited_r: Bits<12>,
    }
    locals {
        /// `count` without this cycle.
        counted: Bits<12>,
    }
}

impl Logic for QueueMonitor {
    #[hdl_gen]
    fn update(&mut self) {
        self.counted.next = self.count_r.q.val();
        if self.sample.val() {
            self.counted.next = 0.into();
            self.waited_r.d.next = self.count_r.q.val();
        }
        self.count_r.d.next = self.counted.val() + (self.waits.val() & !self.counted.val().all());
        self.waited.next = self.waited_r.q.val();
    }
}
