//! Section 3.13: the power controller of a switch, composed of the other blocks exactly as the page joins them.
//!
//! This is the reference: every block passes every clock edge.

use super::control_registers::write_of;
use super::port_power_fsm::FsmInputs;
use super::port_statistics::StatisticsInputs;
use super::selector::SelectorInputs;
use super::{CheckTimer, ControlRegisters, PortArbiter, PortGroup, PortPowerFsm, PortStatistics, Selector};
use crate::bits::{is_set, low_bits};
use crate::lock_step::{Block, Observed};
use powar_config::{Config, Deterministic, Group, Role, SignalDecl};

/// The power controller, block by block.
#[derive(Clone, Debug)]
pub struct StepwiseController {
    config: Config,
    pub registers: ControlRegisters,
    pub timer: CheckTimer,
    pub selectors: Vec<Selector>,
    pub arbiters: Vec<PortArbiter>,
    pub groups: Vec<PortGroup>,
    pub fsms: Vec<PortPowerFsm>,
    pub statistics: Vec<PortStatistics>,
    /// Ports held by a packet.
    pub busy: u64,
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
            timer: CheckTimer::new(),
            selectors: vec![Selector::new(ports, config.deterministic); requesters],
            arbiters: vec![PortArbiter::new(requesters); ports],
            groups: config.groups.iter().map(|group| PortGroup::new(group.size)).collect(),
            fsms: vec![PortPowerFsm::new(); ports],
            statistics: vec![PortStatistics::default(); ports],
            busy: 0,
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

    /// Ports that are held and can send.
    pub fn transmit(&self) -> u64 {
        self.busy & self.awake()
    }

    /// Ports in state `Active`.
    pub fn awake(&self) -> u64 {
        self.of_fsms(PortPowerFsm::awake)
    }

    /// Ports that may be chosen: those of a group by its decision, all others always.
    pub fn selectable(&self) -> u64 {
        let mut selectable = low_bits(self.config.ports);
        for (place, group) in self.config.groups.iter().zip(&self.groups) {
            selectable &= !(low_bits(place.size) << place.first);
            selectable |= group.selectable() << place.first;
        }
        selectable
    }

    /// Whether this is the last cycle of a check period.
    pub fn check(&self) -> bool {
        self.timer.check(self.registers.values.check_period)
    }

    fn of_fsms(&self, property: impl Fn(&PortPowerFsm) -> bool) -> u64 {
        self.fsms.iter().enumerate().fold(0, |vector, (port, fsm)| vector | u64::from(property(fsm)) << port)
    }

    /// The requesters whose choice is this port.
    fn requests(&self, port: usize) -> u64 {
        let chosen = |selector: &Selector| u64::from(is_set(selector.choice, port));
        self.selectors.iter().enumerate().fold(0, |vector, (r, selector)| vector | chosen(selector) << r)
    }

    fn is_free(&self, port: usize) -> bool {
        !is_set(self.busy, port)
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = StepwiseController::new(&self.config);
    }

    /// The clock edge. All children see the outputs that the others have before it.
    pub fn clock(&mut self, inputs: &StepwiseInputs) {
        let before = self.clone();
        let (grant, awake, selectable, check) = (before.grant(), before.awake(), before.selectable(), before.check());
        let given = grant.iter().fold(0, |vector, row| vector | row);
        let policy = before.registers.policy();
        let values = before.registers.values;

        for (requester, selector) in self.selectors.iter_mut().enumerate() {
            selector.clock(&SelectorInputs {
                policy,
                adaptive: inputs.adaptive[requester],
                deterministic: inputs.deterministic[requester],
                busy: before.busy,
                awake,
                selectable,
                accept: grant[requester] != 0,
            });
        }
        for (port, arbiter) in self.arbiters.iter_mut().enumerate() {
            arbiter.clock(before.requests(port), before.is_free(port));
        }
        for (place, group) in self.config.groups.iter().zip(&mut self.groups) {
            group.clock(group_flits(place, inputs.flit_valid), check, values.on_flits, values.off_flits);
        }
        for port in 0..self.config.ports {
            let fsm_inputs = FsmInputs {
                sleep_enable: policy.sleeps,
                abort_sleep: values.abort_sleep,
                in_use: is_set(before.busy | inputs.flit_valid, port),
                wake_request: is_set(given, port),
                durations: before.registers.durations(),
            };
            let fsm = &before.fsms[port];
            self.statistics[port].clock(&StatisticsInputs {
                state: fsm.state,
                refreshing: fsm.refreshing,
                wake_started: fsm.wake_started(&fsm_inputs),
                flit: is_set(inputs.flit_valid, port),
                clear: before.registers.clear_statistics,
            });
            self.fsms[port].clock(&fsm_inputs);
        }
        self.timer.clock(values.check_period);
        self.registers.clock(inputs.write);
        self.busy = given | before.busy & !(inputs.flit_valid & inputs.flit_tail);
    }
}

/// The flits of a group's ports, bit 0 being its first port.
fn group_flits(place: &Group, flit_valid: u64) -> u64 {
    flit_valid >> place.first & low_bits(place.size)
}

/// The signals of the power controller, in the order in which both implementations fill the observed frame.
pub fn signals(config: &Config) -> Vec<SignalDecl> {
    let (n, r, groups) = (config.ports, config.requesters(), config.groups.len());
    let mut signals = Vec::new();
    let mut declare = |role, name: String, rows, width| signals.push(SignalDecl::new(role, name, rows, width));

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
        declare(Role::Input, name.into(), rows, width);
    }

    declare(Role::Output, "grant".into(), r, n);
    for name in ["transmit", "busy", "awake", "refreshing", "full_power", "selectable"] {
        declare(Role::Output, name.into(), 1, n);
    }
    declare(Role::Output, "power_state".into(), n, 2);
    declare(Role::Output, "check".into(), 1, 1);
    for name in PortStatistics::NAMES {
        declare(Role::Output, name.into(), n, 32);
    }

    declare(Role::Register, "busy".into(), 1, n);
    for (name, width) in ControlRegisters::REGISTERS {
        declare(Role::Register, format!("registers.{name}"), 1, width);
    }
    declare(Role::Register, "timer.count".into(), 1, 16);
    for (name, width) in [("choice", n), ("choice_adaptive", 1), ("rrp", n)] {
        declare(Role::Register, format!("selector.{name}"), r, width);
    }
    if config.deterministic == Deterministic::Set {
        declare(Role::Register, "selector.drp".into(), r, n);
    }
    declare(Role::Register, "arbiter.pointer".into(), n, r);
    if let Some(widest) = config.groups.iter().map(|group| group.size).max() {
        for (name, width) in [
            ("flit_counter.count", 24),
            ("threshold_comparator.on_limit", 24),
            ("threshold_comparator.off_limit", 24),
            ("selectable_ports.selectable", widest),
            ("selectable_ports.n_selectable", 7),
        ] {
            declare(Role::Register, format!("group.{name}"), groups, width);
        }
    }
    for (name, width) in [("state", 2), ("refreshing", 1), ("wake_pending", 1), ("count", 24)] {
        declare(Role::Register, format!("fsm.{name}"), n, width);
    }
    for name in PortStatistics::NAMES {
        declare(Role::Register, format!("statistics.{name}"), n, 32);
    }
    signals
}

impl Block for StepwiseController {
    fn signals(&self) -> Vec<SignalDecl> {
        signals(&self.config)
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        self.observe(observed);
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

impl StepwiseController {
    fn observe(&self, observed: &mut Observed) {
        observed.rows(self.grant());
        observed.rows([self.transmit(), self.busy, self.awake(), self.of_fsms(|fsm| fsm.refreshing)]);
        observed.rows([self.of_fsms(PortPowerFsm::full_power), self.selectable()]);
        observed.rows(self.fsms.iter().map(|fsm| fsm.state as u8));
        observed.put(self.check());
        self.observe_statistics(observed);

        observed.put(self.busy);
        observed.rows(self.registers.contents());
        observed.put(self.timer.count);
        observed.rows(self.selectors.iter().map(|selector| selector.choice));
        observed.rows(self.selectors.iter().map(|selector| selector.choice_adaptive));
        observed.rows(self.selectors.iter().map(|selector| selector.rrp));
        if self.config.deterministic == Deterministic::Set {
            observed.rows(self.selectors.iter().map(|selector| selector.drp));
        }
        observed.rows(self.arbiters.iter().map(|arbiter| arbiter.pointer));
        observed.rows(self.groups.iter().map(|group| group.flit_counter.count));
        observed.rows(self.groups.iter().map(|group| group.threshold_comparator.on_limit));
        observed.rows(self.groups.iter().map(|group| group.threshold_comparator.off_limit));
        observed.rows(self.groups.iter().map(|group| group.selectable_ports.selectable()));
        observed.rows(self.groups.iter().map(|group| group.selectable_ports.n_selectable));
        observed.rows(self.fsms.iter().map(|fsm| fsm.state as u8));
        observed.rows(self.fsms.iter().map(|fsm| fsm.refreshing));
        observed.rows(self.fsms.iter().map(|fsm| fsm.wake_pending));
        observed.rows(self.fsms.iter().map(|fsm| fsm.count));
        self.observe_statistics(observed);
    }

    fn observe_statistics(&self, observed: &mut Observed) {
        for place in 0..PortStatistics::NAMES.len() {
            observed.rows(self.statistics.iter().map(|statistics| statistics.values()[place]));
        }
    }
}
