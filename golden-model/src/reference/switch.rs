//! Section 5.13: the whole switch, composed of the other blocks exactly as the page joins them.
//!
//! This is the reference: every block passes every clock edge.

use crate::bits::{is_set, ones};
use crate::lock_step::{Block, Observed};
use crate::reference::allocation::Allocator;
use crate::reference::allocation::allocator::{AllocatorInputs, Decision};
use crate::reference::buffers::InputPort;
use crate::reference::buffers::input_port::{InputPortInputs, Reading};
use crate::reference::links::crossbar::Sent;
use crate::reference::links::output_port::OutputPortInputs;
use crate::reference::links::{Crossbar, OutputPort};
use crate::reference::mechanisms::powar::PowerManager;
use crate::reference::mechanisms::powar::power_manager::ManagerInputs;
use crate::reference::registers::RegisterBus;
use crate::reference::registers::register_bus::{self, BusInputs, PortWords};
use crate::reference::routing::{Route, RoutingUnit, routing_unit};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::{Config, Role, SignalDecl};
use std::sync::Arc;

/// The switch, block by block.
#[derive(Clone, Debug)]
pub struct StepwiseSwitch {
    config: Config,
    pub bus: RegisterBus,
    pub power: PowerManager,
    pub inputs: Vec<InputPort>,
    pub routing: Arc<dyn RoutingUnit>,
    pub allocator: Allocator,
    pub crossbar: Crossbar,
    pub outputs: Vec<OutputPort>,
    rows: RegisterRows,
}

/// What the switch sees in a cycle. A link's flits have a slot for every word, port by port.
#[derive(Clone, Copy, Debug)]
pub struct SwitchInputs<'a> {
    pub position: u16,
    pub stage: u8,
    pub in_valid: u64,
    pub in_head: u64,
    pub in_vc: &'a [u64],
    pub in_power_state: &'a [u64],
    pub in_flit: &'a [u64],
    pub out_credit_valid: u64,
    pub out_credit_vc: &'a [u64],
    pub bus: BusInputs,
}

/// What the blocks show each other in a cycle.
struct Wires {
    reading: Vec<Reading>,
    routes: Vec<Route>,
    /// Row i: the VCs of input port i whose destination exists.
    routable: Vec<u64>,
    adaptive: Vec<u64>,
    deterministic: Vec<u64>,
    adaptive_vcs: Vec<u64>,
    deterministic_vcs: Vec<u64>,
    drop: Vec<u64>,
    can_take: Vec<u64>,
    ready: u64,
    room: Vec<u64>,
}

impl StepwiseSwitch {
    /// A switch after reset.
    ///
    /// # Panics
    /// If the configuration does not pass [`Config::check_switch`].
    pub fn new(config: &Config) -> Self {
        config.check_switch().expect("the configuration of a switch is checked");
        StepwiseSwitch {
            config: config.clone(),
            bus: RegisterBus::new(config),
            power: PowerManager::new(config),
            inputs: vec![InputPort::new(config); config.ports],
            routing: routing_unit(config).expect("every topology has a routing unit"),
            allocator: Allocator::new(config),
            crossbar: Crossbar::new(config),
            outputs: vec![OutputPort::new(config); config.ports],
            rows: RegisterRows::default(),
        }
    }

    /// The edge with `rst`; the input ports' memories pass it as any other, so they need what is on their links.
    pub fn reset(&mut self, inputs: &SwitchInputs) {
        self.edge(true, inputs);
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &SwitchInputs) {
        self.edge(false, inputs);
    }

    /// What does not depend on the allocator's decision.
    fn wires(&self, inputs: &SwitchInputs) -> Wires {
        let (n, v) = (self.config.ports, self.config.switch.vcs);
        let awake = self.power.awake();
        let destinations = self.inputs.iter().flat_map(|port| port.vcs.iter().map(|vc| vc.destination));
        let routes: Vec<Route> = destinations.map(|to| self.routing.route(inputs.position, inputs.stage, to)).collect();
        let bits_of =
            |i: usize, bit: &dyn Fn(usize) -> bool| (0..v).fold(0, |row, vc| row | u64::from(bit(i * v + vc)) << vc);
        let routable: Vec<u64> = (0..n).map(|i| bits_of(i, &|row| routes[row].routable)).collect();
        let present: Vec<u64> = (0..n).map(|i| self.inputs[i].present(routable[i])).collect();
        let sets = |set: fn(&Route) -> u64| {
            let of_row = |(row, route)| if is_set(present[row / v], row % v) { set(route) } else { 0 };
            routes.iter().enumerate().map(of_row).collect::<Vec<u64>>()
        };
        let reading: Vec<Reading> = self.inputs.iter().map(|port| port.read(awake)).collect();
        let room_of = |w: usize| {
            self.outputs.iter().enumerate().fold(0, |row, (p, port)| row | u64::from(is_set(port.room(), w)) << p)
        };
        Wires {
            adaptive: sets(|route| route.adaptive),
            deterministic: sets(|route| route.deterministic),
            adaptive_vcs: routes.iter().map(|route| route.adaptive_vcs).collect(),
            deterministic_vcs: routes.iter().map(|route| route.deterministic_vcs).collect(),
            drop: (0..n).map(|i| self.inputs[i].drop(routable[i])).collect(),
            can_take: (0..n).map(|i| self.inputs[i].can_take(&reading[i])).collect(),
            ready: reading.iter().enumerate().fold(0, |row, (i, reading)| row | u64::from(reading.ready) << i),
            room: (0..v).map(room_of).collect(),
            reading,
            routes,
            routable,
        }
    }

    fn edge(&mut self, rst: bool, inputs: &SwitchInputs) {
        let (n, v, w) = (self.config.ports, self.config.switch.vcs, self.config.switch.flit_words());
        let wires = self.wires(inputs);
        debug_assert_eq!(wires.routes.len(), n * v);
        let (values, clear) = (self.bus.registers.values, self.bus.registers.clear_statistics);
        let (busy, awake, selectable) = (self.power.busy, self.power.awake(), self.power.selectable());
        let allocation = AllocatorInputs {
            policy: self.bus.registers.policy(),
            adaptive: &wires.adaptive,
            deterministic: &wires.deterministic,
            adaptive_vcs: &wires.adaptive_vcs,
            deterministic_vcs: &wires.deterministic_vcs,
            drop: &wires.drop,
            can_take: &wires.can_take,
            ready: wires.ready,
            room: &wires.room,
            busy,
            awake,
            selectable,
        };
        let decision = self.allocator.decide(&allocation);
        let given_vc = self.given_vcs(&decision);
        let select: Vec<u64> = wires.reading.iter().map(|reading| reading.select).collect();
        let select_vc: Vec<u64> = wires.reading.iter().map(|reading| reading.select_vc).collect();
        let vector = |bit: fn(&Reading) -> bool| {
            wires.reading.iter().enumerate().fold(0, |row, (i, reading)| row | u64::from(bit(reading)) << i)
        };
        let departing = self.crossbar.departing(&select, &select_vc, vector(|reading| reading.select_release));
        let Sent { valid, vc, mark: head } = self.crossbar.sent();
        let data: Vec<u64> = self.inputs.iter().flat_map(InputPort::data).map(u64::from).collect();
        let flits = self.crossbar.flit(&data);
        let power_state: Vec<u8> = self.power.power_state().collect();
        let words: Vec<PortWords> = (0..n).map(|port| self.port_words(port, selectable)).collect();

        for (i, port) in self.inputs.iter_mut().enumerate() {
            let grant = &decision.grant[i * v..(i + 1) * v];
            let ports = grant.iter().fold(0, |ports, row| ports | row);
            port.clock(
                rst,
                &InputPortInputs {
                    in_valid: is_set(inputs.in_valid, i),
                    in_head: is_set(inputs.in_head, i),
                    in_vc: inputs.in_vc[i] as u8,
                    in_flit: &inputs.in_flit[i * w..(i + 1) * w],
                    in_power_state: inputs.in_power_state[i] as u8,
                    awake,
                    routable: wires.routable[i],
                    accept: decision.accept[i],
                    grant,
                    grant_vc: ones(ports).fold(0, |vcs, p| vcs | given_vc[p]),
                    clear,
                },
            );
        }
        if rst {
            self.bus.reset();
            self.power.reset();
            self.allocator.reset();
            self.crossbar.reset();
            self.outputs.iter_mut().for_each(OutputPort::reset);
            return;
        }
        for (p, port) in self.outputs.iter_mut().enumerate() {
            port.clock(&OutputPortInputs {
                given: is_set(decision.given, p),
                allowed: decision.allowed[p],
                departing_vc: departing.vc[p],
                valid: is_set(valid, p),
                head: is_set(head, p),
                vc: vc[p],
                flit: &flits[p * w..(p + 1) * w],
                power_state: power_state[p],
                out_credit_valid: is_set(inputs.out_credit_valid, p),
                out_credit_vc: inputs.out_credit_vc[p] as u8,
                clear,
            });
        }
        self.allocator.clock(&allocation, &decision);
        self.crossbar.clock(&select, &select_vc, vector(|reading| reading.select_head));
        self.power.clock(&ManagerInputs {
            values: &values,
            clear_statistics: clear,
            given: decision.given,
            flit_valid: departing.valid,
            released: departing.mark,
        });
        self.bus.clock(&inputs.bus, &words);
    }

    /// Row p: the output VC of the packet that is given output port p.
    fn given_vcs(&self, decision: &Decision) -> Vec<u64> {
        let of_port = |(p, port): (usize, &OutputPort)| port.given_vc(is_set(decision.given, p), decision.allowed[p]);
        self.outputs.iter().enumerate().map(of_port).collect()
    }

    /// What software reads of a port.
    fn port_words(&self, port: usize, selectable: u64) -> PortWords {
        let (input, output, fsm) = (&self.inputs[port], &self.outputs[port], &self.power.fsms[port]);
        let mut counters = [0; 12];
        counters[..7].copy_from_slice(&self.power.statistics[port].values());
        counters[7..].copy_from_slice(&[
            input.dropped_packets,
            input.framing_errors,
            input.overflow_errors,
            input.sleeping_link_flits,
            output.credit_errors,
        ]);
        PortWords {
            counters,
            power_state: fsm.state as u8,
            busy: is_set(self.power.busy, port),
            awake: fsm.awake(),
            selectable: is_set(selectable, port),
        }
    }
}

/// The signals of the switch, in the order in which both implementations fill the observed frame.
///
/// # Panics
/// If the configuration does not pass [`Config::check_switch`].
pub fn signals(config: &Config) -> Vec<SignalDecl> {
    let (n, w) = (config.ports, config.switch.flit_words());
    let declare = |role, list: &[(&str, usize, usize)]| {
        list.iter().map(|&(name, rows, width)| SignalDecl::new(role, name, rows, width)).collect::<Vec<_>>()
    };
    let mut signals = declare(
        Role::Input,
        &[
            ("rst", 1, 1),
            ("position", 1, 16),
            ("stage", 1, 4),
            ("in_valid", 1, n),
            ("in_head", 1, n),
            ("in_vc", n, 3),
            ("in_power_state", n, 2),
            ("in_flit", n * w, 32),
            ("out_credit_valid", 1, n),
            ("out_credit_vc", n, 3),
        ],
    );
    signals.extend(register_bus::inputs());
    signals.extend(declare(
        Role::Output,
        &[
            ("out_valid", 1, n),
            ("out_head", 1, n),
            ("out_vc", n, 3),
            ("out_power_state", n, 2),
            ("out_flit", n * w, 32),
            ("in_credit_valid", 1, n),
            ("in_credit_vc", n, 3),
            ("busy", 1, n),
            ("awake", 1, n),
            ("selectable", 1, n),
            ("full_power", 1, n),
            ("check", 1, 1),
        ],
    ));
    signals.extend(register_bus::outputs());
    signals.extend(RegisterRows::of(&StepwiseSwitch::new(config)).declarations());
    signals
}

impl Registers for StepwiseSwitch {
    fn list(&self, rows: &mut RegisterRows) {
        rows.child("bus", [&self.bus]);
        rows.child("power", [&self.power]);
        rows.child("input_port", &self.inputs);
        rows.child("allocator", [&self.allocator]);
        rows.child("crossbar", [&self.crossbar]);
        rows.child("output_port", &self.outputs);
    }
}

impl StepwiseSwitch {
    fn observe(&self, bus: &BusInputs, observed: &mut Observed) {
        let outputs = &self.outputs;
        let vector = |bit: fn(&OutputPort) -> bool| {
            outputs.iter().enumerate().fold(0u64, |row, (p, port)| row | u64::from(bit(port)) << p)
        };
        observed.rows([vector(|port| port.out_valid), vector(|port| port.out_head)]);
        observed.rows(outputs.iter().map(|port| port.out_vc));
        observed.rows(outputs.iter().map(|port| port.out_power_state));
        observed.rows(outputs.iter().flat_map(|port| port.out_flit.iter().copied()));
        let credit = |(i, port): (usize, &InputPort)| u64::from(port.in_credit_valid) << i;
        observed.put(self.inputs.iter().enumerate().map(credit).fold(0, |row, bit| row | bit));
        observed.rows(self.inputs.iter().map(|port| port.in_credit_vc));
        let power = &self.power;
        observed.rows([power.busy, power.awake(), power.selectable(), power.full_power()]);
        observed.put(power.timer.check(self.bus.registers.values.check_period));
        self.bus.observe(bus, observed);
    }
}

impl Block for StepwiseSwitch {
    fn signals(&self) -> Vec<SignalDecl> {
        signals(&self.config)
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let (n, w) = (self.config.ports, self.config.switch.flit_words());
        let (ports, rest) = inputs[5..].split_at(2 * n + n * w);
        let seen = SwitchInputs {
            position: inputs[1] as u16,
            stage: inputs[2] as u8,
            in_valid: inputs[3],
            in_head: inputs[4],
            in_vc: &ports[..n],
            in_power_state: &ports[n..2 * n],
            in_flit: &ports[2 * n..],
            out_credit_valid: rest[0],
            out_credit_vc: &rest[1..1 + n],
            bus: BusInputs::from_slots(&rest[1 + n..]),
        };
        self.observe(&seen.bus, observed);
        let mut rows = std::mem::take(&mut self.rows);
        rows.read(self);
        rows.observe(observed);
        self.rows = rows;
        if inputs[0] == 1 { self.reset(&seen) } else { self.clock(&seen) }
    }
}
