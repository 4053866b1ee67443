//! The power mechanism PerfBound: POWAR, but a port is shown to POWAR as held until its gap has got to the threshold
//! that it has chosen.
//!
//! Policy:   POWAR's codes.
//! Latency:  POWAR's; its power-down threshold runs from the cycle on in which the gap has got to the port's own.
//! Range:    2 to 64 ports; groups of any size.
//! Reset:    POWAR's; every port has the longest threshold.
//! Source:   docs/microarchitecture/mechanisms/perf_bound.md.

use super::{BoundRegisters, GapHistogram, IdleThreshold, WindowSearch};
use crate::block;
use crate::mechanisms::powar::Powar;
use crate::power::MechanismPorts;
use powar_config::Config;
use powar_config::mechanism::perf_bound::{MECHANISM, PerfBoundValues};
use rust_hdl::prelude::*;

block! {
    pub struct PerfBound(MECHANISM.name, include_str!("perf_bound.rs"), MechanismPorts = MechanismPorts::new(n, MECHANISM.sees))
    /// For the ports and groups of a checked configuration.
    pub fn new(config: &Config) -> Self {
        let n = config.ports;
        let reset = &PerfBoundValues::of(config);
    }
    children {
        powar: Powar = Powar::with(config, &reset.powar),
        registers: BoundRegisters = BoundRegisters::new(reset),
        timer: WindowSearch = WindowSearch::new(),
        /// One per port.
        gaps[n]: GapHistogram = GapHistogram::new(),
        /// One per port.
        threshold[n]: IdleThreshold = IdleThreshold::new(),
    }
    sizes { n = n }
}

impl Logic for PerfBound {
    #[hdl_gen]
    fn update(&mut self) {
        self.powar.write_enable.next = self.ports.write_enable.val();
        self.powar.write_address.next = self.ports.write_address.val();
        self.powar.write_data.next = self.ports.write_data.val();
        self.powar.read_address.next = self.ports.read_address.val();
        self.registers.write_enable.next = self.ports.write_enable.val();
        self.registers.write_address.next = self.ports.write_address.val();
        self.registers.write_data.next = self.ports.write_data.val();
        self.registers.read_address.next = self.ports.read_address.val();
        self.ports.read_data.next = self.powar.read_data.val() | self.registers.read_data.val();
        self.timer.period.next = self.registers.period.val();
        for p in 0..self.n.get() {
            self.gaps[p].in_use.next =
                self.ports.held[p].val() | self.ports.given[p].val() | self.ports.departing[p].val();
            self.gaps[p].look.next = self.timer.look.val();
            self.threshold[p].look.next = self.timer.look.val();
            self.threshold[p].count.next = self.gaps[p].looked.val();
            self.threshold[p].idle.next = self.gaps[p].idle.val();
            self.threshold[p].allowed.next = self.registers.allowed.val();
        }
        // A port whose gap is too short is in use to POWAR, which looks at `held` for nothing else.
        for p in 0..self.n.get() {
            self.powar.held[p].next = self.ports.held[p].val() | !self.threshold[p].may_sleep.val();
            self.powar.given[p].next = self.ports.given[p].val();
            self.powar.departing[p].next = self.ports.departing[p].val();
        }
        for p in 0..self.n.get() {
            self.ports.grantable[p].next = self.powar.grantable[p].val();
            self.ports.preferred[p].next = self.powar.preferred[p].val();
            self.ports.ready[p].next = self.powar.ready[p].val();
            self.ports.steady[p].next = self.powar.steady[p].val();
            self.ports.waking[p].next = self.powar.waking[p].val();
            self.ports.hint[p].next = self.powar.hint[p].val();
            self.ports.serves[p].next = self.powar.serves[p].val();
            self.ports.phase[p].next = self.powar.phase[p].val();
            self.ports.level[p].next = self.powar.level[p].val();
        }
    }
}
