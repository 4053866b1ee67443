//! What foresight was good for at one output port: which hints woke it, and whether a packet came.
//!
//! Rule:     a port that a hint has woken is foreseen until it is given to a packet, or goes to sleep unused.
//! Latency:  `woke` and `unused` follow in the same cycle, `foreseen` in the next one.
//! Reset:    nothing is foreseen, the port was awake.
//! Source:   docs/microarchitecture/mechanisms/wake_hints.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::Phase;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct HintMonitor {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// A hint has chosen the port.
    pub wake: Signal<In, Bit>,
    /// The port is given to a packet in this cycle.
    pub given: Signal<In, Bit>,
    /// Phase of the port: 0 On, 1 GoingOff, 2 Off, 3 ComingOn, 4 Refreshing, 5 Draining.
    pub phase: Signal<In, Bits<3>>,
    /// The hint wakes it: it sleeps, or is on its way there, and no hint before has woken it from this sleep.
    pub woke: Signal<Out, Bit>,
    /// The port goes to sleep, and no packet has been given it since a hint woke it.
    pub unused: Signal<Out, Bit>,
    /// A hint has woken it, and no packet has been given it since.
    pub foreseen: Signal<Out, Bit>,
    foreseen_r: Register<Bit>,
    /// The port was `On` in the cycle before.
    awake_r: Register<Bit>,
    phase_on: Constant<Bits<3>>,
    phase_going_off: Constant<Bits<3>>,
    phase_off: Constant<Bits<3>>,
    phase_refreshing: Constant<Bits<3>>,
    info: BlockInfo,
}

/// The code of a phase.
fn code(phase: Phase) -> Constant<Bits<3>> {
    Constant::new((phase as usize).to_bits())
}

impl HintMonitor {
    pub fn new() -> Self {
        build!(HintMonitor {
            (clk, rst, wake, given, phase, woke, unused, foreseen, foreseen_r)
            awake_r: Register::new(true),
            phase_on: code(Phase::On),
            phase_going_off: code(Phase::GoingOff),
            phase_off: code(Phase::Off),
            phase_refreshing: code(Phase::Refreshing),
            info: BlockInfo::new("hint_monitor", include_str!("hint_monitor.rs")),
        })
    }
}

impl Default for HintMonitor {
    fn default() -> Self {
        Self::new()
    }
}

impl Logic for HintMonitor {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, foreseen_r, awake_r);
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

rtl_signals!(
    HintMonitor,
    clocked,
    inputs(wake, given, phase),
    outputs(woke, unused, foreseen),
    registers(foreseen_r as "foreseen", awake_r as "awake"),
    children(),
);
