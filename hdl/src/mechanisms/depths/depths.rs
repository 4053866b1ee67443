//! The power mechanism Depths: POWAR, but a port that has slept for long sleeps deeply, and takes longer to wake.
//!
//! Policy:   POWAR's codes.
//! Latency:  POWAR's; a port that is deep is ready when its deep wake-up is over.
//! Range:    2 to 64 ports; groups of any size.
//! Reset:    POWAR's; no port is deep.
//! Source:   docs/microarchitecture/mechanisms/depths.md.

use super::{DepthRegisters, SleepDepth};
use crate::block;
use crate::mechanisms::powar::Powar;
use crate::power::MechanismPorts;
use powar_config::Config;
use powar_config::mechanism::depths::{DepthsValues, MECHANISM};
use rust_hdl::prelude::*;

block! {
    pub struct Depths(MECHANISM.name, include_str!("depths.rs"), MechanismPorts = MechanismPorts::new(n, MECHANISM.sees))
    /// For the ports and groups of a checked configuration.
    pub fn new(config: &Config) -> Self {
        let n = config.ports;
        let reset = &DepthsValues::of(config);
    }
    children {
        powar: Powar = Powar::with(config, &reset.powar),
        registers: DepthRegisters = DepthRegisters::new(reset),
        /// One per port.
        depth[n]: SleepDepth = SleepDepth::new(),
    }
    sizes { n = n }
}

impl Logic for Depths {
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
        for p in 0..self.n.get() {
            self.depth[p].phase.next = self.powar.phase[p].val();
            self.depth[p].awake.next = self.powar.ready[p].val();
            self.depth[p].deep_after.next = self.registers.deep_after.val();
            self.depth[p].t_wake_deep.next = self.registers.t_wake_deep.val();
        }
        // A port that is deep is in use to POWAR, which looks at `held` for nothing else: once awake there, it stays so
        // until its wake-up is over.
        for p in 0..self.n.get() {
            self.powar.held[p].next = self.ports.held[p].val() | self.depth[p].deep.val();
            self.powar.given[p].next = self.ports.given[p].val();
            self.powar.departing[p].next = self.ports.departing[p].val();
        }
        for p in 0..self.n.get() {
            self.ports.grantable[p].next = self.powar.grantable[p].val();
            self.ports.preferred[p].next = self.powar.preferred[p].val();
            self.ports.ready[p].next = self.depth[p].ready.val();
            self.ports.steady[p].next = self.depth[p].ready.val();
            self.ports.waking[p].next = self.powar.waking[p].val();
            self.ports.hint[p].next = self.powar.hint[p].val();
            self.ports.serves[p].next = self.depth[p].ready.val();
            self.ports.phase[p].next = self.depth[p].shown_phase.val();
            self.ports.level[p].next = self.depth[p].level.val();
        }
    }
}
