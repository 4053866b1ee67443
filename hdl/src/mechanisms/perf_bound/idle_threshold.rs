//! How long one output port has to be idle before it may fall asleep: the shortest threshold that would have cost the
//! last window no more than is allowed.
//!
//! Search:   counters come one a cycle, that of the shortest threshold first; the first that is no more than `allowed`
//!           decides.
//! Latency:  what is taken in cycle t holds from cycle t+1 on.
//! Range:    any values. If no counter is few enough, the longest threshold is taken; if no gap began in the window, it
//!           stays as it is.
//! Reset:    the longest threshold.
//! Source:   docs/microarchitecture/mechanisms/perf_bound.md.

use crate::block;
use powar_config::mechanism::perf_bound::THRESHOLDS;
use rust_hdl::prelude::*;

/// The longest threshold, cycles.
const LONGEST: u64 = 1 << (THRESHOLDS - 1);

block! {
    pub struct IdleThreshold("idle_threshold", include_str!("idle_threshold.rs"), clocked)
    pub fn new() -> Self {}
    inputs {
        /// The threshold whose counter comes, cycles; 0: none does.
        look: Bits<24>,
        /// How often a gap got to it in the window.
        count: Bits<8>,
        /// Cycles of the gap under way with this one.
        idle: Bits<24>,
        /// How often a port may fall asleep in a window.
        allowed: Bits<8>,
    }
    outputs {
        /// The gap has got to the threshold.
        may_sleep: Bit,
    }
    registers {
        threshold_r: Bits<24> = LONGEST.into(),
        /// Counters come, and none was few enough.
        seeks_r: Bit,
    }
    locals {
        /// The search is not over before this cycle.
        open: Bit,
        /// No gap began in the window.
        nothing: Bit,
        /// This threshold is taken.
        take: Bit,
    }
    constants { last: Bits<5> = (THRESHOLDS as u64 - 1).into() }
}

impl Logic for IdleThreshold {
    #[hdl_gen]
    fn update(&mut self) {
        self.open.next = self.look.val().get_bit(0) | self.seeks_r.q.val();
        self.nothing.next = self.look.val().get_bit(0) & !self.count.val().any();
        self.take.next = self.open.val()
            & !self.nothing.val()
            & self.look.val().any()
            & ((self.count.val() <= self.allowed.val()) | (self.look.val() >> self.last.val()).any());
        if self.take.val() {
            self.threshold_r.d.next = self.look.val();
        }
        self.seeks_r.d.next = self.open.val() & !self.nothing.val() & !self.take.val();
        self.may_sleep.next = self.idle.val() >= self.threshold_r.q.val();
    }
}
