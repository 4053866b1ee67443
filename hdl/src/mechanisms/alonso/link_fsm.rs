//! The phase of one output port, whose link is to be on or off.
//!
//! Phases:   On -> Draining, until the last packet has gone -> GoingOff (turn_off) -> Off -> ComingOn (turn_on) -> On. A link that is to be
//!           on again goes from `Draining` straight to `On`, from `GoingOff` and `Off` to `ComingOn`; `ComingOn` is always finished.
//! Latency:  one cycle from any input to the phase; `coming_on` shows the decision in the cycle before.
//! Range:    durations 0 to 2^24 - 1 cycles; 0 counts as 1.
//! Reset:    On.
//! Source:   docs/microarchitecture/mechanisms/alonso.md.

use crate::block;
use crate::power::phase_code;
use powar_config::Phase;
use rust_hdl::prelude::*;

block! {
    pub struct LinkFsm("link_fsm", include_str!("link_fsm.rs"), clocked)
    pub fn new() -> Self {}
    inputs {
        /// The link is to be on.
        active: Bit,
        /// The port is held, given to a packet in this cycle, or a flit sets out for it.
        in_use: Bit,
        /// turn_on, cycles.
        turn_on: Bits<24>,
        /// turn_off, cycles.
        turn_off: Bits<24>,
    }
    outputs {
        /// Phase of the port: 0 On, 1 GoingOff, 2 Off, 3 ComingOn, 5 Draining.
        phase: Bits<3>,
        /// `ComingOn` begins with the next cycle.
        coming_on: Bit,
    }
    registers {
        phase_r: Bits<3> = (Phase::On as usize).to_bits(),
        /// Cycles of `GoingOff` or `ComingOn`, this one with them, of `Draining` at most 2. It goes on only below a limit of as many bits.
        elapsed_r: Bits<24> = 1.into(),
    }
    locals {
        /// How long the phase lasts: one comparator does for both.
        limit: Bits<24>,
        /// This is its last cycle.
        over: Bit,
        /// It goes on; the port is still to drain, or has just begun to.
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

impl Logic for LinkFsm {
    #[hdl_gen]
    fn update(&mut self) {
        self.limit.next = self.turn_on.val();
        if self.phase_r.q.val() == self.phase_going_off.val() {
            self.limit.next = self.turn_off.val();
        }
        self.over.next = self.elapsed_r.q.val() >= self.limit.val();
        self.coming_on.next = false;
        // What holds in most cases: the phase goes on, or a new one begins.
        self.goes_on.next = false;
        self.drains_on.next = false;
        if self.phase_r.q.val() == self.phase_on.val() {
            if !self.active.val() {
                self.phase_r.d.next = self.phase_draining.val();
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
        } else if self.phase_r.q.val() == self.phase_coming_on.val() {
            if self.over.val() {
                self.phase_r.d.next = self.phase_on.val();
            } else {
                self.goes_on.next = true;
            }
        } else if self.active.val() {
            // It is `GoingOff` or `Off`.
            self.phase_r.d.next = self.phase_coming_on.val();
            self.coming_on.next = true;
        } else if self.phase_r.q.val() == self.phase_going_off.val() {
            if self.over.val() {
                self.phase_r.d.next = self.phase_off.val();
            } else {
                self.goes_on.next = true;
            }
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
