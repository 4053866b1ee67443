//! The power mechanism Hints and depths: Wake hints, whose ports sleep lightly or deeply, and deeply only with a budget for it.
//!
//! Policy:   POWAR's codes.
//! Latency:  that of Wake hints; a port that is deep is ready when its deep wake-up is over.
//! Range:    2 to 64 ports; groups of any size; any routing.
//! Reset:    that of Wake hints; no port is deep.
//! Source:   docs/microarchitecture/mechanisms/hints_depths.md.

use super::{DeepBudget, DeepRegisters, DeepReserve};
use crate::block;
use crate::mechanisms::ahead::{BudgetRegisters, WaitBudget};
use crate::mechanisms::depths::SleepDepth;
use crate::mechanisms::powar::Powar;
use crate::mechanisms::wake_hints::{HintChoice, HintMonitor, HintReceiver, HintRegisters, HintSender};
use crate::power::{MechanismPorts, if_seen, phase_code};
use powar_config::mechanism::hints_depths::{HintsDepthsValues, MECHANISM};
use powar_config::{Config, Phase};
use rust_hdl::prelude::*;

block! {
    pub struct HintsDepths(
        MECHANISM.name,
        include_str!("hints_depths.rs"),
        MechanismPorts = MechanismPorts::new(n, config.seen_by(&MECHANISM))
    )
    /// For a checked configuration.
    pub fn new(config: &Config) -> Self {
        let (n, reset, routes) = (config.ports, HintsDepthsValues::of(config), config.seen_by(&MECHANISM).routes);
        let ahead = &reset.hints.ahead;
    }
    children {
        powar: Powar = Powar::with(config, &ahead.powar),
        budget_registers: BudgetRegisters = BudgetRegisters::new(ahead),
        /// One per port.
        budget[n]: WaitBudget = WaitBudget::new(ahead.cap),
        deep_registers: DeepRegisters = DeepRegisters::new(&reset),
        deep_reserve: DeepReserve = DeepReserve::new(&reset),
        /// One per port, both.
        deep_budget[n]: DeepBudget = DeepBudget::new(),
        depth[n]: SleepDepth = SleepDepth::new(),
        hint_registers: HintRegisters = HintRegisters::new(n, &MECHANISM, &reset.hints),
        /// One per port.
        receiver[n]: HintReceiver = HintReceiver::new(),
        choice: HintChoice = HintChoice::new(config),
        /// One per port, both.
        sender[n]: HintSender = HintSender::new(),
        monitor[n]: HintMonitor = HintMonitor::new(),
    }
    constants {
        phase_on: Bits<3> = phase_code(Phase::On),
        phase_draining: Bits<3> = phase_code(Phase::Draining),
    }
    sizes { n = n }
    tables {
        /// Words of a row of the routing table, and whether there is one. Not sizes: those are told of in the Verilog of every switch.
        row_words = vec![routes.row_words()],
        has_table = vec![if_seen(routes.looks_up(), 1)],
    }
}

impl Logic for HintsDepths {
    #[hdl_gen]
    fn update(&mut self) {
        self.powar.write_enable.next = self.ports.write_enable.val();
        self.powar.write_address.next = self.ports.write_address.val();
        self.powar.write_data.next = self.ports.write_data.val();
        self.powar.read_address.next = self.ports.read_address.val();
        self.budget_registers.write_enable.next = self.ports.write_enable.val();
        self.budget_registers.write_address.next = self.ports.write_address.val();
        self.budget_registers.write_data.next = self.ports.write_data.val();
        self.budget_registers.read_address.next = self.ports.read_address.val();
        self.deep_registers.write_enable.next = self.ports.write_enable.val();
        self.deep_registers.write_address.next = self.ports.write_address.val();
        self.deep_registers.write_data.next = self.ports.write_data.val();
        self.deep_registers.read_address.next = self.ports.read_address.val();
        self.hint_registers.write_enable.next = self.ports.write_enable.val();
        self.hint_registers.write_address.next = self.ports.write_address.val();
        self.hint_registers.write_data.next = self.ports.write_data.val();
        self.hint_registers.read_address.next = self.ports.read_address.val();
        self.ports.read_data.next = self.powar.read_data.val()
            | self.budget_registers.read_data.val()
            | self.deep_registers.read_data.val()
            | self.hint_registers.read_data.val();
        // A port that is held back makes packets wait as one that wakes does, and loses these cycles too. Whether it may sleep deeply is
        // for its budget to say.
        self.deep_reserve.t_wake.next = self.budget_registers.t_wake.val();
        self.deep_reserve.t_wake_deep.next = self.deep_registers.t_wake_deep.val();
        for p in 0..self.n.get() {
            self.budget[p].held.next = self.ports.held[p].val();
            self.budget[p].ready.next = self.depth[p].ready.val();
            self.budget[p].earn.next = self.budget_registers.earn.val();
            self.budget[p].cap.next = self.budget_registers.cap.val();
            self.budget[p].reserve.next = self.budget_registers.reserve.val();
            self.deep_budget[p].left.next = self.budget[p].left.val();
            self.deep_budget[p].reserve.next = self.deep_reserve.reserve.val();
            self.deep_budget[p].deep_after.next = self.deep_registers.deep_after.val();
            self.depth[p].phase.next = self.powar.phase[p].val();
            self.depth[p].awake.next = self.powar.ready[p].val();
            self.depth[p].deep_after.next = self.deep_budget[p].allowed_after.val();
            self.depth[p].t_wake_deep.next = self.deep_registers.t_wake_deep.val();
        }
        // Hints that come in.
        self.choice.position.next = self.ports.position[0].val();
        self.choice.stage.next = self.ports.stage[0].val();
        for k in 0..self.has_table[0] {
            self.ports.lookup[k].next = self.choice.lookup[k].val();
            self.ports.lookup_address[k].next = self.choice.lookup_address[k].val();
        }
        for w in 0..self.row_words[0] {
            self.choice.lookup_row[w].next = self.ports.lookup_row[w].val();
        }
        for p in 0..self.n.get() {
            self.receiver[p].hint_in.next = self.ports.hint_in[p].val();
            self.receiver[p].take.next = self.choice.take[p].val();
            self.receiver[p].listens.next = self.hint_registers.hints.val()
                & (self.hint_registers.sideband.val()
                    | (self.ports.neighbour_phase[p].val() == self.phase_on.val())
                    | (self.ports.neighbour_phase[p].val() == self.phase_draining.val()));
            self.choice.waiting[p].next = self.receiver[p].waiting.val();
            self.choice.destination[p].next = self.receiver[p].destination.val();
            self.choice.grantable[p].next = self.powar.grantable[p].val();
            self.choice.serves[p].next = self.depth[p].ready.val();
            self.choice.preferred[p].next = self.powar.preferred[p].val() | self.monitor[p].foreseen.val();
        }
        // What they do, and where they go on.
        for p in 0..self.n.get() {
            self.monitor[p].wake.next = self.choice.wake[p].val();
            self.monitor[p].given.next = self.ports.given[p].val();
            self.monitor[p].phase.next = self.depth[p].shown_phase.val();
            self.sender[p].push.next = self.choice.wake[p].val();
            self.sender[p].address.next = self.choice.address.val();
            self.sender[p].sends.next = self.hint_registers.hints.val()
                & (self.hint_registers.sideband.val() | (self.depth[p].shown_phase.val() == self.phase_on.val()));
            self.hint_registers.broken[p].next = self.receiver[p].dropped.val();
            self.hint_registers.refused[p].next = self.sender[p].dropped.val();
            self.hint_registers.woke[p].next = self.monitor[p].woke.val();
            self.hint_registers.unused[p].next = self.monitor[p].unused.val();
        }
        // To POWAR, which looks at `held` for nothing else, a port without enough is in use, and so is one that is deep: once awake
        // there, it stays so until its wake-up is over. A hint is a packet that is given the port.
        for p in 0..self.n.get() {
            self.powar.held[p].next =
                self.ports.held[p].val() | !self.budget[p].may_sleep.val() | self.depth[p].deep.val();
            self.powar.given[p].next = self.ports.given[p].val() | self.choice.wake[p].val();
            self.powar.departing[p].next = self.ports.departing[p].val();
        }
        // What the switch is told.
        for p in 0..self.n.get() {
            self.ports.grantable[p].next = self.powar.grantable[p].val();
            self.ports.preferred[p].next = self.powar.preferred[p].val() | self.monitor[p].foreseen.val();
            self.ports.ready[p].next = self.depth[p].ready.val();
            self.ports.steady[p].next = self.depth[p].ready.val();
            self.ports.waking[p].next = self.powar.waking[p].val();
            self.ports.hint[p].next = self.sender[p].hint.val();
            self.ports.serves[p].next = self.depth[p].ready.val();
            self.ports.phase[p].next = self.depth[p].shown_phase.val();
            self.ports.level[p].next = self.depth[p].level.val();
        }
    }
}
