//! The power mechanism Ahead: POWAR, but a port that has made packets wait for as long as it may is shown to POWAR as held, and so stays awake.
//!
//! Policy:   POWAR's codes.
//! Latency:  POWAR's.
//! Range:    2 to 64 ports; groups of any size.
//! Reset:    POWAR's; every port may make packets wait for as long as `cap` says.
//! Source:   docs/microarchitecture/mechanisms/ahead.md.

use super::{BudgetRegisters, WaitBudget};
use crate::block;
use crate::mechanisms::powar::Powar;
use crate::power::MechanismPorts;
use powar_config::Config;
use powar_config::mechanism::ahead::{AheadValues, MECHANISM};
use rust_hdl::prelude::*;

block! {
    pub struct Ahead(MECHANISM.name, include_str!("ahead.rs"), MechanismPorts = MechanismPorts::new(n, MECHANISM.sees))
    /// For the ports and groups of a checked configuration, with these values after reset.
    pub fn with(config: &Config, reset: &AheadValues) -> Self {
        let n = config.ports;
    }
    children {
        powar: Powar = Powar::with(config, &reset.powar),
        registers: BudgetRegisters = BudgetRegisters::new(reset),
        /// One per port.
        budget[n]: WaitBudget = WaitBudget::new(reset.cap),
    }
    sizes { n = n }
}

impl Ahead {
    /// For a checked configuration.
    pub fn new(config: &Config) -> Self {
        Ahead::with(config, &AheadValues::of(config))
    }
}

impl Logic for Ahead {
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
            self.budget[p].held.next = self.ports.held[p].val();
            self.budget[p].ready.next = self.powar.ready[p].val();
            self.budget[p].earn.next = self.registers.earn.val();
            self.budget[p].cap.next = self.registers.cap.val();
            self.budget[p].reserve.next = self.registers.reserve.val();
        }
        // A port without enough is in use to POWAR, which looks at `held` for nothing else.
        for p in 0..self.n.get() {
            self.powar.held[p].next = self.ports.held[p].val() | !self.budget[p].may_sleep.val();
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
