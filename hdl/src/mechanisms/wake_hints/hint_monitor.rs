//! What foresight was good for at one output port: which hints woke it, and whether a packet came.
//!
//! Rule:     a port that a hint has woken is foreseen until it is given to a packet, or goes to sleep unused.
//! Latency:  `woke` and `unused` follow in the same cycle, `foreseen` in the next one.
//! Reset:    nothing is foreseen, the port was awake.
//! Source:   docs/microarchitecture/mechanisms/wake_hints.md.

use crate::block;
use crate::power::phase_code;
use powar_config::Phase;
use rust_hdl::prelude::*;

block! {
    pub struct HintMonitor("hint_monitor", include_str!("hint_monitor.rs"), clocked)
    pub fn new() -> Self {}
    inputs {
        /// A hint has chosen the port.
        wake: Bit,
        /// The port is given to a packet in this cycle.
        given: Bit,
        /// Phase of the port: 0 On, 1 GoingOff, 2 Off, 3 ComingOn, 4 Refreshing, 5 Draining.
        phase: Bits<3>,
    }
    outputs {
        /// The hint wakes it: it sleeps, or is on its way there, and no packet is foreseen.
        woke: Bit,
        /// The port goes to sleep, and no packet has been given it since a hint woke it.
        unused: Bit,
        /// A hint has woken it, and no packet has been given it since.
        foreseen: Bit,
    }
    registers {
        foreseen_r: Bit,
        /// The port was `On` in the cycle before.
        awake_r: Bit = true,
    }
    constants {
        phase_on: Bits<3> = phase_code(Phase::On),
        phase_going_off: Bits<3> = phase_code(Phase::GoingOff),
        phase_off: Bits<3> = phase_code(Phase::Off),
        phase_refreshing: Bits<3> = phase_code(Phase::Refreshing),
    }
}

impl Logic for HintMonitor {
    #[hdl_gen]
    fn update(&mut self) {
        self.unused.next =
            self.foreseen_r.q.val() & self.awake_r.q.val() & (self.phase.val() == self.phase_going_off.val());
        self.woke.next = self.wake.val()
            & (!self.foreseen_r.q.val() | self.unused.val())
            & ((self.phase.val() == self.phase_going_off.val())
                | (self.phase.val() == self.phase_off.val())
                | (self.phase.val() == self.phase_refreshing.val()));
        self.awake_r.d.next = self.phase.val() == self.phase_on.val();
        self.foreseen_r.d.next = !self.given.val() & (self.woke.val() | (self.foreseen_r.q.val() & !self.unused.val()));
        self.foreseen.next = self.foreseen_r.q.val();
    }
}
