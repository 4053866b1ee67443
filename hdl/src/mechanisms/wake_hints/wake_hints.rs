//! The power mechanism Wake hints: Ahead, whose ports are woken before packets come, by words that run ahead of them on the hint lanes.
//!
//! Policy:   POWAR's codes.
//! Latency:  Ahead's. A hint that finds nothing else wakes its port 21 cycles after its start bit came in, and goes on with the next cycle.
//! Range:    2 to 64 ports; groups of any size; any routing.
//! Reset:    Ahead's; no hint is under way.
//! Source:   docs/microarchitecture/mechanisms/wake_hints.md.

use super::{HintChoice, HintMonitor, HintReceiver, HintRegisters, HintSender};
use crate::block;
use crate::mechanisms::ahead::Ahead;
use crate::power::{MechanismPorts, if_seen};
use powar_config::mechanism::wake_hints::{HintValues, MECHANISM};
use powar_config::{Config, Phase};
use rust_hdl::prelude::*;

block! {
    pub struct WakeHints(
        MECHANISM.name,
        include_str!("wake_hints.rs"),
        MechanismPorts = MechanismPorts::new(n, config.seen_by(&MECHANISM))
    )
    /// For a checked configuration.
    pub fn new(config: &Config) -> Self {
        let (n, reset, routes) = (config.ports, HintValues::of(config), config.seen_by(&MECHANISM).routes);
    }
    children {
        ahead: Ahead = Ahead::with(config, &reset.ahead),
        registers: HintRegisters = HintRegisters::new(n, &MECHANISM, &reset),
        /// One per port.
        receiver[n]: HintReceiver = HintReceiver::new(),
        choice: HintChoice = HintChoice::new(config),
        /// One per port, both.
        sender[n]: HintSender = HintSender::new(),
        monitor[n]: HintMonitor = HintMonitor::new(),
    }
    constants {
        phase_on: Bits<3> = (Phase::On as usize).to_bits(),
        phase_draining: Bits<3> = (Phase::Draining as usize).to_bits(),
    }
    sizes { n = n }
    tables {
        /// Words of a row of the routing table, and whether there is one. Not sizes: those are told of in the Verilog of every switch.
        row_words = vec![routes.row_words()],
        has_table = vec![if_seen(routes.looks_up(), 1)],
    }
}

impl Logic for WakeHints {
    #[hdl_gen]
    fn update(&mut self) {
        self.ahead.write_enable.next = self.ports.write_enable.val();
        self.ahead.write_address.next = self.ports.write_address.val();
        self.ahead.write_data.next = self.ports.write_data.val();
        self.ahead.read_address.next = self.ports.read_address.val();
        self.registers.write_enable.next = self.ports.write_enable.val();
        self.registers.write_address.next = self.ports.write_address.val();
        self.registers.write_data.next = self.ports.write_data.val();
        self.registers.read_address.next = self.ports.read_address.val();
        self.ports.read_data.next = self.ahead.read_data.val() | self.registers.read_data.val();
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
            self.receiver[p].listens.next = self.registers.hints.val()
                & (self.registers.sideband.val()
                    | (self.ports.neighbour_phase[p].val() == self.phase_on.val())
                    | (self.ports.neighbour_phase[p].val() == self.phase_draining.val()));
            self.choice.waiting[p].next = self.receiver[p].waiting.val();
            self.choice.destination[p].next = self.receiver[p].destination.val();
            self.choice.grantable[p].next = self.ahead.grantable[p].val();
            self.choice.serves[p].next = self.ahead.serves[p].val();
            self.choice.preferred[p].next = self.ahead.preferred[p].val() | self.monitor[p].foreseen.val();
        }
        // What they do, and where they go on. To Ahead a hint is a packet that is given the port.
        for p in 0..self.n.get() {
            self.ahead.held[p].next = self.ports.held[p].val();
            self.ahead.given[p].next = self.ports.given[p].val() | self.choice.wake[p].val();
            self.ahead.departing[p].next = self.ports.departing[p].val();
            self.monitor[p].wake.next = self.choice.wake[p].val();
            self.monitor[p].given.next = self.ports.given[p].val();
            self.monitor[p].phase.next = self.ahead.phase[p].val();
            self.sender[p].push.next = self.choice.wake[p].val();
            self.sender[p].address.next = self.choice.address.val();
            self.sender[p].sends.next = self.registers.hints.val()
                & (self.registers.sideband.val() | (self.ahead.phase[p].val() == self.phase_on.val()));
            self.registers.broken[p].next = self.receiver[p].dropped.val();
            self.registers.refused[p].next = self.sender[p].dropped.val();
            self.registers.woke[p].next = self.monitor[p].woke.val();
            self.registers.unused[p].next = self.monitor[p].unused.val();
        }
        // What the switch is told.
        for p in 0..self.n.get() {
            self.ports.grantable[p].next = self.ahead.grantable[p].val();
            self.ports.preferred[p].next = self.ahead.preferred[p].val() | self.monitor[p].foreseen.val();
            self.ports.ready[p].next = self.ahead.ready[p].val();
            self.ports.steady[p].next = self.ahead.steady[p].val();
            self.ports.waking[p].next = self.ahead.waking[p].val();
            self.ports.hint[p].next = self.sender[p].hint.val();
            self.ports.serves[p].next = self.ahead.serves[p].val();
            self.ports.phase[p].next = self.ahead.phase[p].val();
            self.ports.level[p].next = self.ahead.level[p].val();
        }
    }
}
