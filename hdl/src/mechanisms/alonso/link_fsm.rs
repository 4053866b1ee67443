//! The phase of one output port, whose link is to be on or off.
//!
//! Phases:   On -> Draining, until the last packet has gone -> GoingOff (T_off) -> Off -> ComingOn (T_on) -> On. A link that is to be
//!           on again goes from `Draining` straight to `On`, from `GoingOff` and `Off` to `ComingOn`; `ComingOn` is always finished.
//! Latency:  one cycle from any input to the phase; `coming_on` shows the decision in the cycle before.
//! Range:    durations 0 to 2^24 - 1 cycles; 0 counts as 1.
//! Reset:    On.
//! Source:   docs/microarchitecture/mechanisms/alonso.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::Phase;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct LinkFsm {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// The link is to be on.
    pub active: Signal<In, Bit>,
    /// The port is held, given to a packet in this cycle, or a flit sets out for it.
    pub in_use: Signal<In, Bit>,
    /// T_on, cycles.
    pub t_on: Signal<In, Bits<24>>,
    /// T_off, cycles.
    pub t_off: Signal<In, Bits<24>>,
    /// Phase of the port: 0 On, 1 GoingOff, 2 Off, 3 ComingOn, 5 Draining.
    pub phase: Signal<Out, Bits<3>>,
    /// `ComingOn` begins with the next cycle.
    pub coming_on: Signal<Out, Bit>,
    phase_r: Register<Bits<3>>,
    /// Cycles of `GoingOff` or `ComingOn`, this one with them, of `Draining` at most 2. It goes on only below a limit of as many bits.
    elapsed_r: Register<Bits<24>>,
    /// How long the phase lasts: one comparator does for both.
    limit: Signal<Local, Bits<24>>,
    /// This is its last cycle.
    over: Signal<Local, Bit>,
    /// It goes on; the port is still to drain, or has just begun to.
    goes_on: Signal<Local, Bit>,
    drains_on: Signal<Local, Bit>,
    /// Codes of the phases.
    phase_on: Constant<Bits<3>>,
    phase_going_off: Constant<Bits<3>>,
    phase_off: Constant<Bits<3>>,
    phase_coming_on: Constant<Bits<3>>,
    phase_draining: Constant<Bits<3>>,
    info: BlockInfo,
}

/// The code of a phase.
pub(super) fn code(phase: Phase) -> Constant<Bits<3>> {
    Constant::new((phase as usize).to_bits())
}

impl LinkFsm {
    pub fn new() -> Self {
        build!(LinkFsm {
            (clk, rst, active, in_use, t_on, t_off, phase, coming_on, limit, over, goes_on, drains_on)
            elapsed_r: Register::new(1.into()),
            phase_r: Register::new((Phase::On as usize).to_bits()),
            phase_on: code(Phase::On),
            phase_going_off: code(Phase::GoingOff),
            phase_off: code(Phase::Off),
            phase_coming_on: code(Phase::ComingOn),
            phase_draining: code(Phase::Draining),
            info: BlockInfo::new("link_fsm", include_str!("link_fsm.rs")),
        })
    }
}

impl Default for LinkFsm {
    fn default() -> Self {
        Self::new()
    }
}

impl Logic for LinkFsm {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, phase_r, elapsed_r);
        self.limit.next = self.t_on.val();
        if self.phase_r.q.val() == self.phase_going_off.val() {
            self.limit.next = self.t_off.val();
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

rtl_signals!(
    LinkFsm,
    clocked,
    inputs(active, in_use, t_on, t_off),
    outputs(phase, coming_on),
    registers(phase_r as "phase", elapsed_r as "elapsed"),
    children(),
);
