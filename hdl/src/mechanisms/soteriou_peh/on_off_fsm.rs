//! The phase of a link that goes off by the load of its router, or when it has been idle.
//!
//! By load:  On -> Draining, until the last packet has gone -> GoingOff -> Off -> ComingOn -> On, as `active` falls and rises.
//! Idle:     On -> GoingOff at once when nobody has used or wanted it for `idle_limit` cycles. A packet that is given the port meanwhile
//!           waits in place. It comes on for a packet that wants or has it.
//! Latency:  one cycle from any input to the phase; `coming_on` shows the decision in the cycle before.
//! Range:    durations 0 to 2^24 - 1 cycles; 0 counts as 1. A transition that has begun is finished.
//! Reset:    On.
//! Source:   Soteriou and Peh 2004, sections III-E and IV; docs/microarchitecture/mechanisms/soteriou_peh.md.

use crate::block;
use crate::power::phase_code;
use powar_config::Phase;
use rust_hdl::prelude::*;

block! {
    pub struct OnOffFsm("on_off_fsm", include_str!("on_off_fsm.rs"), clocked)
    pub fn new() -> Self {}
    inputs {
        /// The link is to be on.
        active: Bit,
        /// It goes off when it has been idle.
        dozes: Bit,
        /// The port is held, given to a packet in this cycle, or a flit sets out for it.
        in_use: Bit,
        /// A packet wants it.
        wanted: Bit,
        /// Idle cycles until it goes off.
        idle_limit: Bits<24>,
        /// Cycles of a transition.
        t_trans: Bits<24>,
    }
    outputs {
        /// Phase of the port: 0 On, 1 GoingOff, 2 Off, 3 ComingOn, 5 Draining.
        phase: Bits<3>,
        /// `ComingOn` begins with the next cycle.
        coming_on: Bit,
    }
    registers {
        phase_r: Bits<3> = (Phase::On as usize).to_bits(),
        /// Cycles of an idle time or a transition, this one with them, of `Draining` at most 2. It goes on only below a limit of as many bits.
        elapsed_r: Bits<24> = 1.into(),
    }
    locals {
        /// How long the phase lasts: one comparator does for all.
        limit: Bits<24>,
        /// This is its last cycle.
        over: Bit,
        /// Its count goes on; the port is still to drain, or has just begun to.
        goes_on: Bit,
        drains_on: Bit,
    }
    constants {
        /// Codes of the phases.
        phase_on: Bits<3> = phase_code(Phase::On),
        phase_going_off: Bits<3> = phase_code(Phase::GoingOff),
        phase_off: Bits<3> = phase_code(Phase::Off),
        phase_coming_on: Bits<3> = phase_code(Phase::ComingOn),
        phase_draining: Bits<3> = phase_code(Phase::Draining),
    }
}

impl Logic for OnOffFsm {
    #[hdl_gen]
    fn update(&mut self) {
        self.limit.next = self.t_trans.val();
        if self.phase_r.q.val() == self.phase_on.val() {
            self.limit.next = self.idle_limit.val();
        }
        self.over.next = self.elapsed_r.q.val() >= self.limit.val();
        self.coming_on.next = false;
        self.goes_on.next = false;
        self.drains_on.next = false;
        if self.phase_r.q.val() == self.phase_on.val() {
            if !self.active.val() {
                self.phase_r.d.next = self.phase_draining.val();
            } else if self.dozes.val() & !self.in_use.val() & !self.wanted.val() {
                if self.over.val() {
                    self.phase_r.d.next = self.phase_going_off.val();
                } else {
                    self.goes_on.next = true;
                }
            }
        } else if self.phase_r.q.val() == self.phase_draining.val() {
            if self.active.val() {
                self.phase_r.d.next = self.phase_on.val();
            } else if self.in_use.val() | (self.elapsed_r.q.val() == 1) {
                // In its first cycle a packet that chose it may still be on its way to it.
                self.drains_on.next = true;
            } else {
                self.phase_r.d.next = self.phase_going_off.val();
            }
        } else if self.phase_r.q.val() == self.phase_off.val() {
            if self.in_use.val() | self.wanted.val() | (self.active.val() & !self.dozes.val()) {
                self.phase_r.d.next = self.phase_coming_on.val();
                self.coming_on.next = true;
            }
        } else if !self.over.val() {
            // It is `GoingOff` or `ComingOn`.
            self.goes_on.next = true;
        } else if self.phase_r.q.val() == self.phase_going_off.val() {
            self.phase_r.d.next = self.phase_off.val();
        } else {
            self.phase_r.d.next = self.phase_on.val();
        }
        self.elapsed_r.d.next = 1.into();
        if self.goes_on.val() {
            self.elapsed_r.d.next = self.elapsed_r.q.val() + 1;
        }
        if self.drains_on.val() {
            self.elapsed_r.d.next = 2.into();
        }
        self.phase.next = self.phase_r.q.val();
    }
}
