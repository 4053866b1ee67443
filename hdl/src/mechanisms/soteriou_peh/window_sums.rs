//! What happens on the links of a router in a sampling window: the sums that its statistics are made of.
//!
//! Sums:     flits in the input buffers, over the cycles of the window; flits that set out for the links; flits that are read from the
//!           buffers. Utilisations of buffers and links are these by cycles and ports, and the age of flits is the first by the last.
//! Latency:  what happens in cycle t is in the sums from cycle t+1 on.
//! Check:    the cycle of a check counts for the next window.
//! Range:    1 to 64 links, buffers of up to 4096 flits, windows of up to 65535 cycles: nothing wraps.
//! Reset:    0.
//! Source:   Soteriou and Peh 2004, equations 1 to 3; docs/microarchitecture/mechanisms/soteriou_peh.md.

use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct WindowSums("window_sums", include_str!("window_sums.rs"), clocked)
    /// Of so many links, 1..=64.
    pub fn new(size: usize) -> Self {}
    inputs {
        /// Last cycle of a window.
        check: Bit,
        /// A flit sets out for link i.
        flit[size]: Bit,
        /// A flit is read from its input buffer.
        leaving[size]: Bit,
        /// Flits in that buffer.
        fill[size]: Bits<13>,
    }
    outputs {
        /// Flits in the buffers, over the cycles of this window that have passed.
        filled: Bits<36>,
        /// Flits that have set out.
        flits: Bits<24>,
        /// Flits that have been read.
        departures: Bits<24>,
    }
    registers { filled_r: Bits<36>, flits_r: Bits<24>, departures_r: Bits<24> }
    locals {
        /// What a cycle adds: flits in buffers, those of one of them first, and flits on their way.
        own_fill: Bits<13>,
        fills: Bits<20>,
        setting_out: Bits<7>,
        read: Bits<7>,
    }
    sizes { size = size }
}

impl Logic for WindowSums {
    #[hdl_gen]
    fn update(&mut self) {
        self.fills.next = 0.into();
        self.setting_out.next = 0.into();
        self.read.next = 0.into();
        for i in 0..self.size.get() {
            self.own_fill.next = self.fill[i].val();
            self.fills.next = self.fills.val() + bit_cast::<20, 13>(self.own_fill.val());
            self.setting_out.next = self.setting_out.val() + self.flit[i].val();
            self.read.next = self.read.val() + self.leaving[i].val();
        }
        if self.check.val() {
            self.filled_r.d.next = bit_cast::<36, 20>(self.fills.val());
            self.flits_r.d.next = bit_cast::<24, 7>(self.setting_out.val());
            self.departures_r.d.next = bit_cast::<24, 7>(self.read.val());
        } else {
            self.filled_r.d.next = self.filled_r.q.val() + bit_cast::<36, 20>(self.fills.val());
            self.flits_r.d.next = self.flits_r.q.val() + bit_cast::<24, 7>(self.setting_out.val());
            self.departures_r.d.next = self.departures_r.q.val() + bit_cast::<24, 7>(self.read.val());
        }
        self.filled.next = self.filled_r.q.val();
        self.flits.next = self.flits_r.q.val();
        self.departures.next = self.departures_r.q.val();
    }
}
