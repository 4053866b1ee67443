//! How deeply one output port sleeps, and how long it takes to come up from there.
//!
//! Depth:    a port that has slept for `deep_after` cycles, refreshes among them, is deep; 0 means never.
//! Wake-up:  a deep port that wakes may send when `t_wake_deep` cycles have passed since it began to, and T_w too.
//! Latency:  `ready`, `shown_phase` and `level` follow in the same cycle, `deep` in the next one.
//! Range:    durations 0 to 2^24 - 1 cycles; a `t_wake_deep` of 0 counts as 1. A new one holds for what is under way.
//! Reset:    not deep.
//! Source:   docs/microarchitecture/mechanisms/depths.md.

use crate::block;
use crate::power::phase_code;
use powar_config::Phase;
use rust_hdl::prelude::*;

block! {
    pub struct SleepDepth("sleep_depth", include_str!("sleep_depth.rs"), clocked)
    pub fn new() -> Self {}
    inputs {
        /// Phase of the port by POWAR: 0 On, 1 GoingOff, 2 Off, 3 ComingOn, 4 Refreshing, 5 Draining.
        phase: Bits<3>,
        /// It is `On`.
        awake: Bit,
        /// Cycles that a port sleeps lightly before it sleeps deeply; 0: for ever.
        deep_after: Bits<24>,
        /// Cycles that a deep wake-up takes in all.
        t_wake_deep: Bits<24>,
    }
    outputs {
        /// The port sleeps deeply, or its deep wake-up is not over.
        deep: Bit,
        /// The port may send.
        ready: Bit,
        /// Phase of the port: one that is held back is `ComingOn`.
        shown_phase: Bits<3>,
        /// 1 in deep sleep.
        level: Bits<3>,
    }
    registers {
        deep_r: Bit,
        /// With this cycle: cycles asleep, on the way to depth, or cycles of the deep wake-up. It goes on only below a
        /// limit of as many bits.
        elapsed_r: Bits<24> = 1.into(),
    }
    locals {
        /// By POWAR the port sleeps.
        asleep: Bit,
        /// It is on the way into depth, or out of it.
        counts: Bit,
        /// How long that takes: one comparator does for both.
        limit: Bits<24>,
        /// This is its last cycle.
        over: Bit,
    }
    constants {
        phase_off: Bits<3> = phase_code(Phase::Off),
        phase_coming_on: Bits<3> = phase_code(Phase::ComingOn),
        phase_refreshing: Bits<3> = phase_code(Phase::Refreshing),
    }
}

impl Logic for SleepDepth {
    #[hdl_gen]
    fn update(&mut self) {
        self.asleep.next =
            (self.phase.val() == self.phase_off.val()) | (self.phase.val() == self.phase_refreshing.val());
        self.counts.next = self.asleep.val() ^ self.deep_r.q.val();
        self.limit.next = self.t_wake_deep.val();
        if self.asleep.val() {
            self.limit.next = self.deep_after.val();
        }
        self.over.next = self.elapsed_r.q.val() >= self.limit.val();
        self.elapsed_r.d.next = 1.into();
        if self.counts.val() & !self.over.val() {
            self.elapsed_r.d.next = self.elapsed_r.q.val() + 1;
        }
        // Without a second threshold no port goes deep, but one that is comes up.
        if self.counts.val() & self.over.val() & (!self.asleep.val() | self.deep_after.val().any()) {
            self.deep_r.d.next = self.asleep.val();
        }
        self.deep.next = self.deep_r.q.val();
        self.ready.next = self.awake.val() & !self.deep_r.q.val();
        self.shown_phase.next = self.phase.val();
        if self.awake.val() & self.deep_r.q.val() {
            self.shown_phase.next = self.phase_coming_on.val();
        }
        self.level.next = 0.into();
        if self.deep_r.q.val() & (self.phase.val() == self.phase_off.val()) {
            self.level.next = 1.into();
        }
    }
}
