//! Section 3.14: the power controller of a switch, composed of the other blocks exactly as the page joins them.
//!
//! This is the reference: every block passes every clock edge.

use crate::bits::is_set;
use crate::lock_step::{Block, Observed};
use crate::reference::allocation::Selector;
use crate::reference::allocation::selector::SelectorInputs;
use crate::reference::arbiters::PortArbiter;
use crate::reference::mechanisms::powar::control_registers::write_of;
use crate::reference::mechanisms::powar::power_manager::{self, ManagerInputs};
use crate::reference::mechanisms::powar::{ControlRegisters, PowerManager};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::{Config, Deterministic, Role, SignalDecl};

/// The power controller, block by block.
#[derive(Clone, Debug)]
pub struct StepwiseController {
    config: Config,
    pub registers: ControlRegisters,
    pub power: PowerManager,
    pub selectors: Vec<Selector>,
    pub arbiters: Vec<PortArbiter>,
    rows: RegisterRows,
}

/// What the controller sees in a cycle, with vectors over the ports.
#[derive(Clone, Copy, Debug)]
pub struct StepwiseInputs<'a> {
    /// Candidate set P of each requester.
    pub adaptive: &'a [u64],
    /// Deterministic set D of each requester.
    pub deterministic: &'a [u64],
    /// A flit leaves on the port.
    pub flit_valid: u64,
    /// That flit is its packet's tail.
    pub flit_tail: u64,
    /// A write to a control register: address and data.
    pub write: Option<(u8, u32)>,
}

impl StepwiseController {
    /// A controller after reset. The configuration must have passed [`Config::check`].
    pub fn new(config: &Config) -> Self {
        let (ports, requesters) = (config.ports, config.requesters());
        StepwiseController {
            config: config.clone(),
            registers: ControlRegisters::new(config.register_values()),
            power: PowerManager::new(config),
            selectors: vec![Selector::new(ports, config.deterministic); requesters],
            arbiters: vec![PortArbiter::new(requesters); ports],
            rows: RegisterRows::default(),
        }
    }

    /// Row r: the port that requester r is given in this cycle, one-hot.
    pub fn grant(&self) -> Vec<u64> {
        let mut rows = vec![0; self.selectors.len()];
        for port in 0..self.config.ports {
            let winner = self.arbiters[port].grant(self.requests(port), self.is_free(port));
            for (requester, row) in rows.iter_mut().enumerate() {
                *row |= u64::from(is_set(winner, requester)) << port;
            }
        }
        rows
    }

    /// Whether this is the last cycle of a check period.
    pub fn check(&self) -> bool {
        self.power.timer.check(self.registers.values.check_period)
    }

    /// The requesters whose choice is this port.
    fn requests(&self, port: usize) -> u64 {
        let chosen = |selector: &Selector| u64::from(is_set(selector.choice, port));
        self.selectors.iter().enumerate().fold(0, |vector, (r, selector)| vector | chosen(selector) << r)
    }

    fn is_free(&self, port: usize) -> bool {
        !is_set(self.power.busy, port)
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = StepwiseController::new(&self.config);
    }

    /// The clock edge. All children see the outputs that the others have before it.
    pub fn clock(&mut self, inputs: &StepwiseInputs) {
        let grant = self.grant();
        let given = grant.iter().fold(0, |vector, row| vector | row);
        let requests: Vec<(u64, bool)> =
            (0..self.config.ports).map(|port| (self.requests(port), self.is_free(port))).collect();
        let (busy, awake, selectable) = (self.power.busy, self.power.awake(), self.power.selectable());

        for (requester, selector) in self.selectors.iter_mut().enumerate() {
            selector.clock(&SelectorInputs {
                policy: self.registers.policy(),
                adaptive: inputs.adaptive[requester],
                deterministic: inputs.deterministic[requester],
                busy,
                awake,
                selectable,
                accept: grant[requester] != 0,
            });
        }
        for (arbiter, (request, free)) in self.arbiters.iter_mut().zip(requests) {
            arbiter.clock(request, free);
        }
        self.power.clock(&ManagerInputs {
            values: &self.registers.values,
            clear_statistics: self.registers.clear_statistics,
            given,
            flit_valid: inputs.flit_valid,
            released: inputs.flit_tail,
        });
        self.registers.clock(inputs.write);
    }
}

/// The signals of the power controller, in the order in which both implementations fill the observed frame.
pub fn signals(config: &Config) -> Vec<SignalDecl> {
    let (n, r) = (config.ports, config.requesters());
    let mut signals = Vec::new();
    for (name, rows, width) in [
        ("rst", 1, 1),
        ("adaptive", r, n),
        ("deterministic", r, n),
        ("flit_valid", 1, n),
        ("flit_tail", 1, n),
        ("write_enable", 1, 1),
        ("write_address", 1, 4),
        ("write_data", 1, 32),
    ] {
        signals.push(SignalDecl::new(Role::Input, name, rows, width));
    }

    signals.push(SignalDecl::new(Role::Output, "grant", r, n));
    signals.extend(power_manager::outputs(n));
    signals.extend(RegisterRows::of(&StepwiseController::new(config)).declarations());
    signals
}

impl Block for StepwiseController {
    fn signals(&self) -> Vec<SignalDecl> {
        signals(&self.config)
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        observed.rows(self.grant());
        self.power.observe(self.check(), observed);
        let mut registers = std::mem::take(&mut self.rows);
        registers.read(self);
        registers.observe(observed);
        self.rows = registers;
        let (rst, rows) = (inputs[0] == 1, self.selectors.len());
        let (sets, rest) = inputs[1..].split_at(2 * rows);
        if rst {
            return self.reset();
        }
        self.clock(&StepwiseInputs {
            adaptive: &sets[..rows],
            deterministic: &sets[rows..],
            flit_valid: rest[0],
            flit_tail: rest[1],
            write: write_of(rest[2], rest[3], rest[4]),
        });
    }
}

impl Registers for StepwiseController {
    fn list(&self, rows: &mut RegisterRows) {
        rows.child("registers", [&self.registers]);
        rows.child("power", [&self.power]);
        rows.child("selector", &self.selectors);
        rows.child("arbiter", &self.arbiters);
    }
}

impl Registers for ControlRegisters {
    fn list(&self, rows: &mut RegisterRows) {
        for ((name, width), value) in ControlRegisters::REGISTERS.into_iter().zip(self.contents()) {
            rows.one(name, width, value);
        }
    }
}

impl Registers for Selector {
    fn list(&self, rows: &mut RegisterRows) {
        let n = self.ports();
        rows.one("choice", n, self.choice);
        rows.one("choice_adaptive", 1, self.choice_adaptive);
        rows.one("rrp", n, self.rrp);
        if self.deterministic() == Deterministic::Set {
            rows.one("drp", n, self.drp);
        }
    }
}

impl Registers for PortArbiter {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one("pointer", self.requesters(), self.pointer);
    }
}
