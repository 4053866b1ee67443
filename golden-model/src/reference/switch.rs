//! `powar_switch`: the whole switch, composed of the other blocks exactly as the page joins them.
//!
//! This is the reference: every block passes every clock edge.

use crate::bits::{self, is_set};
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::allocation::Allocator;
use crate::reference::allocation::allocator::AllocatorInputs;
use crate::reference::buffers::input_port::InputPortInputs;
use crate::reference::buffers::{InputPort, VirtualChannel};
use crate::reference::links::crossbar::Departing;
use crate::reference::links::output_port::OutputPortInputs;
use crate::reference::links::{Crossbar, OutputPort};
use crate::reference::mechanisms;
use crate::reference::power::held_ports::HeldInputs;
use crate::reference::power::mechanism::MechanismOutputs;
use crate::reference::power::power_manager::ManagerInputs;
use crate::reference::power::surroundings::RING;
use crate::reference::power::{PowerManager, PowerMechanism, Surroundings};
use crate::reference::registers::RegisterBus;
use crate::reference::registers::register_bus::{BUS_SIGNALS, BusInputs};
use crate::reference::routing::route_register::{RouteRegister, RouteRegisterInputs, Shown};
use crate::reference::routing::routing_table::RoutingTableInputs;
use crate::reference::routing::{Route, RoutingInputs, RoutingTable, RoutingUnit, TableLoader, routing_unit, row};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::routing::tables::TableRow;
use powar_config::signal::{flags, flit_word, level, phase, position, ring_word, stage, vc_number};
use powar_config::{Config, Habit, Owner, Sees, registers};
use std::sync::Arc;

/// The switch, block by block.
#[derive(Clone, Debug)]
pub struct StepwiseSwitch {
    config: Config,
    pub bus: RegisterBus,
    pub power: PowerManager,
    pub inputs: Vec<InputPort>,
    pub routing: Arc<dyn RoutingUnit>,
    /// Route register iV + v is that of virtual channel v of input port i.
    pub routes: Vec<RouteRegister>,
    /// Of each of them the routing table, and what loads these; there if the routing has a table.
    pub tables: Vec<RoutingTable>,
    pub table_loader: Option<TableLoader>,
    /// That of the mechanism, if it looks rows up.
    pub lookup_table: Option<RoutingTable>,
    pub allocator: Allocator,
    pub crossbar: Crossbar,
    pub outputs: Vec<OutputPort>,
}

inputs! {
    /// What the switch sees in a cycle, with a mechanism that sees so much. A link's flits have a slot for every word,
    /// port by port.
    #[derive(Clone, Copy, Debug)]
    pub struct SwitchInputs<'a> of (config, sees): (&Config, Sees) {
        pub position: u16 = position("position"),
        pub stage: u8 = stage("stage"),
        pub in_valid: u64 = flags("in_valid", Owner::InputLink, config.ports).known_as("valid").habit(Habit::Tide),
        pub in_head: u64 = flags("in_head", Owner::InputLink, config.ports).known_as("head"),
        pub in_vc: &'a [u64] = vc_number("in_vc").rows(Owner::InputLink, config.ports).known_as("vc"),
        pub in_phase: &'a [u64] =
            phase("in_phase").rows(Owner::InputLink, config.ports).known_as("phase").habit(quiet(sees, Habit::Usual)),
        pub in_hint: u64 =
            flags("in_hint", Owner::InputLink, config.ports).known_as("hint").habit(quiet(sees, Habit::AsMeant)),
        pub in_flit: &'a [u64] =
            flit_word("in_flit").rows(Owner::InputLink, config.ports * config.switch.flit_words()).known_as("flit"),
        pub out_credit_valid: u64 =
            flags("out_credit_valid", Owner::OutputLink, config.ports).known_as("credit_valid").habit(Habit::Tide),
        pub out_credit_vc: &'a [u64] =
            vc_number("out_credit_vc").rows(Owner::OutputLink, config.ports).known_as("credit_vc"),
        /// Word of the control ring that comes in; 0 if there is no ring.
        pub ring_in: u64 = ring_word("ring_in", sees.ring).of(RING),
        pub bus: BusInputs = BUS_SIGNALS,
    }
}

/// What neighbours do is of interest to mechanisms that see them: they are off for long.
const fn quiet(sees: Sees, otherwise: Habit) -> Habit {
    if sees.neighbours { Habit::Drought } else { otherwise }
}

/// What the registers show the allocator, in rows.
struct ToAllocator {
    /// Row i: VCs of input port i.
    valid: Vec<u64>,
    drop: Vec<u64>,
    can_take: Vec<u64>,
    /// Row iV + v.
    adaptive: Vec<u64>,
    deterministic: Vec<u64>,
    adaptive_vcs: Vec<u64>,
    deterministic_vcs: Vec<u64>,
    /// Row w: output ports.
    open: Vec<u64>,
    room: Vec<u64>,
}

/// A vector with a bit for each of some things.
fn vector<T>(things: &[T], bit: impl Fn(&T) -> bool) -> u64 {
    bits::vector(things, |_, thing| bit(thing))
}

impl StepwiseSwitch {
    /// A switch after reset.
    ///
    /// # Panics
    /// If the configuration does not pass [`Config::check_switch`].
    pub fn new(config: &Config) -> Self {
        StepwiseSwitch::with_mechanism(config, mechanisms::build(config))
    }

    /// The same with a mechanism after reset that need not be the configuration's. The register map stays the configuration's.
    ///
    /// # Panics
    /// As of [`StepwiseSwitch::new`].
    pub fn with_mechanism(config: &Config, mechanism: Box<dyn PowerMechanism>) -> Self {
        config.check_switch().expect("the configuration of a switch is checked");
        let (sees, has_table) = (mechanism.sees(), config.routing_sees().table);
        let tables = if has_table { config.ports * config.switch.vcs } else { 0 };
        StepwiseSwitch {
            config: config.clone(),
            bus: RegisterBus::new(config),
            power: PowerManager::new(config.ports, mechanism, registers::ERRORS.len())
                .for_short_packets(config.switch.short_packets()),
            inputs: vec![InputPort::new(config, sees); config.ports],
            routing: routing_unit(config).expect("every topology has a routing unit"),
            routes: vec![RouteRegister::new(config); config.ports * config.switch.vcs],
            tables: vec![RoutingTable::new(config); tables],
            table_loader: has_table.then(|| TableLoader::new(config)),
            lookup_table: sees.routes.looks_up().then(|| RoutingTable::new(config)),
            allocator: Allocator::new(config, sees),
            crossbar: Crossbar::new(config),
            outputs: vec![OutputPort::new(config, sees); config.ports],
        }
    }

    /// The edge with `rst`; the input ports' memories pass it as any other, so they need what is on their links.
    pub fn reset(&mut self, inputs: &SwitchInputs) {
        self.pass(true, inputs);
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &SwitchInputs) {
        self.pass(false, inputs);
    }

    fn to_allocator(&self) -> ToAllocator {
        let (n, v) = (self.config.ports, self.config.switch.vcs);
        let accept = |row: usize| is_set(self.allocator.granted.accept[row / v], row % v);
        let shown: Vec<Shown> = self.routes.iter().enumerate().map(|(row, route)| route.shown(accept(row))).collect();
        let of_inputs = |flag: fn(&Shown) -> bool| shown.chunks(v).map(|routes| vector(routes, flag)).collect();
        let of_routes = |row: fn(&Shown) -> u64| shown.iter().map(row).collect();
        let of_outputs =
            |row: fn(&OutputPort) -> u64| (0..v).map(|w| vector(&self.outputs, |port| is_set(row(port), w))).collect();
        ToAllocator {
            valid: of_inputs(|route| route.valid),
            drop: of_inputs(|route| route.drop),
            can_take: (0..n).map(|i| self.inputs[i].can_take()).collect(),
            adaptive: of_routes(|route| route.adaptive),
            deterministic: of_routes(|route| route.deterministic),
            adaptive_vcs: of_routes(|route| route.adaptive_vcs),
            deterministic_vcs: of_routes(|route| route.deterministic_vcs),
            open: of_outputs(|port| port.open),
            room: of_outputs(|port| port.room),
        }
    }

    /// Row iV + v: where the packet in the head register of input port i's VC v may go.
    fn routes(&self, inputs: &SwitchInputs, serves: u64) -> Vec<Route> {
        let occupancy = self.occupancy();
        let sees = self.config.routing_sees();
        let of_vc = |(number, vc): (usize, &VirtualChannel)| {
            let words: Vec<u64> = self.tables.get(number).map_or_else(Vec::new, |table| table.row().collect());
            let seen = RoutingInputs {
                position: inputs.position,
                stage: inputs.stage,
                destination: vc.destination,
                header: vc.header_shown(),
                input_port: (number / self.config.switch.vcs) as u8,
                input_vc: (number % self.config.switch.vcs) as u8,
                serves,
                occupancy: &occupancy,
                row: row(&words, self.config.ports, self.config.switch.vcs),
                to_node: self.table_loader.as_ref().map_or(0, TableLoader::node_ports),
            };
            self.routing.route(&seen.seen_by(sees))
        };
        self.inputs.iter().flat_map(|port| &port.vcs).enumerate().map(of_vc).collect()
    }

    /// Row p: occupancy of output port p.
    fn occupancy(&self) -> Vec<u64> {
        self.outputs.iter().map(OutputPort::occupancy).collect()
    }

    fn pass(&mut self, rst: bool, inputs: &SwitchInputs) {
        let shown = self.power.outputs(inputs.position, inputs.stage);
        let rows = self.to_allocator();
        let allocation = self.allocation(&rows, &shown);
        let decision = self.allocator.decide(&allocation);
        let (given, wanted) = (decision.given, self.allocator.wanted(&allocation));
        let select: Vec<u64> = self.inputs.iter().map(InputPort::select).collect();
        let release = vector(&self.inputs, |port| port.select_release);
        let Departing { departing, released } = self.crossbar.departing(&select, release);
        // The last flits of a packet all release its port, which may have been given to the next packet when the tail departs.
        let released = released & !self.allocator.granted.ports();
        let data: Vec<u64> = self.inputs.iter().flat_map(InputPort::data).collect();
        let flits = self.crossbar.flit(&data);

        let of_routes = self.of_routes(inputs, shown.serves);
        let lengths: Vec<u64> = self.routes.iter().map(|route| route.current.length.into()).collect();
        let of_inputs = self.of_inputs(inputs, &shown, &lengths);
        let freed = self.freed(&of_inputs);
        let free_next = self.power.free_next(&HeldInputs { given, departing, released, freed });
        let of_outputs = self.of_outputs(inputs, &shown, given, free_next, &flits);
        let error = self.errors(&of_inputs, &of_outputs);
        let fill: Vec<u64> = self.inputs.iter().map(InputPort::fill).collect();
        let leaves = self.inputs.iter().zip(&of_inputs).map(|(port, inputs)| port.read(inputs).read != 0);
        let leaving = vector(&leaves.collect::<Vec<bool>>(), |leaves| *leaves);
        let occupancy = self.occupancy();
        let lookup_row: Vec<u64> = self.lookup_table.iter().flat_map(RoutingTable::row).collect();
        // What the mechanism does not see has no effect on it.
        let around = Surroundings {
            position: inputs.position,
            stage: inputs.stage,
            wanted,
            arriving: inputs.in_valid,
            leaving,
            fill: &fill,
            occupancy: &occupancy,
            neighbour_phase: inputs.in_phase,
            hint_in: inputs.in_hint,
            ring_in: inputs.ring_in,
            lookup_row: &lookup_row,
        };

        self.clock_tables(rst, &of_inputs, shown.lookup);
        let select_head = vector(&self.inputs, |port| port.select_head);
        for (port, inputs) in self.inputs.iter_mut().zip(&of_inputs) {
            port.clock(rst, inputs);
        }
        if rst {
            self.reset_all_but_inputs_and_tables();
            return;
        }
        self.outputs.iter_mut().zip(&of_outputs).for_each(|(port, inputs)| port.clock(inputs));
        self.routes.iter_mut().zip(&of_routes).for_each(|(route, inputs)| route.clock(inputs));
        self.allocator.clock(&allocation, &decision);
        self.crossbar.clock(&select, select_head);
        let around = around.seen_by(self.power.mechanism.sees());
        self.clock_power_and_bus(inputs, around, HeldInputs { given, departing, released, freed }, &error);
    }

    /// What the allocator looks at.
    fn allocation<'a>(&self, rows: &'a ToAllocator, shown: &MechanismOutputs) -> AllocatorInputs<'a> {
        AllocatorInputs {
            valid: &rows.valid,
            drop: &rows.drop,
            adaptive: &rows.adaptive,
            deterministic: &rows.deterministic,
            adaptive_vcs: &rows.adaptive_vcs,
            deterministic_vcs: &rows.deterministic_vcs,
            can_take: &rows.can_take,
            can_read: vector(&self.inputs, |port| port.can_read),
            open: &rows.open,
            room: &rows.room,
            // What is granted does not depend on it, and it depends on that.
            at_once: 0,
            held: self.power.held(),
            ready: shown.ready,
            steady: shown.steady,
            preferred: vector(&self.outputs, |port| port.prefer),
        }
    }

    /// The third stage accepts the packet of this route register.
    fn accepts(&self, row: usize) -> bool {
        let vcs = self.config.switch.vcs;
        is_set(self.allocator.granted.accept[row / vcs], row % vcs)
    }

    /// With next routes: the virtual channels of input port i whose route register can take an answer.
    fn places(&self, i: usize) -> u64 {
        let vcs = self.config.switch.vcs;
        let has_place = |row: usize| self.config.next_routes() && self.routes[row].has_place(self.accepts(row));
        (0..vcs).fold(0, |places, vc| places | u64::from(has_place(i * vcs + vc)) << vc)
    }

    /// Of the route registers.
    fn of_routes(&self, inputs: &SwitchInputs, serves: u64) -> Vec<RouteRegisterInputs> {
        let vcs = self.config.switch.vcs;
        let taken = |i: usize| self.inputs[i].taken(self.places(i), self.allocator.granted.accept[i]);
        let taken: Vec<u64> = (0..self.config.ports).map(taken).collect();
        let of_route = |(row, route): (usize, Route)| {
            let (i, vc) = (row / vcs, row % vcs);
            let packet = &self.inputs[i].vcs[vc];
            RouteRegisterInputs {
                head_valid: if self.config.next_routes() { is_set(taken[i], vc) } else { packet.head_valid },
                malformed: packet.malformed,
                length: packet.length,
                accept: self.accepts(row),
                turns: self.config.turns(i),
                route,
            }
        };
        self.routes(inputs, serves).into_iter().enumerate().map(of_route).collect()
    }

    /// Of the input ports. Row iV + v of `lengths`: what route register iV + v holds.
    fn of_inputs<'a>(
        &self,
        inputs: &SwitchInputs<'a>,
        shown: &MechanismOutputs,
        lengths: &'a [u64],
    ) -> Vec<InputPortInputs<'a>> {
        let (v, w) = (self.config.switch.vcs, self.config.switch.flit_words());
        let granted = &self.allocator.granted;
        let of_input = |i: usize| InputPortInputs {
            in_valid: is_set(inputs.in_valid, i),
            in_head: is_set(inputs.in_head, i),
            in_vc: inputs.in_vc[i] as u8,
            in_flit: &inputs.in_flit[i * w..(i + 1) * w],
            in_phase: inputs.in_phase[i] as u8,
            ready: shown.ready,
            steady: shown.steady,
            accept: granted.accept[i],
            grant: granted.grant[i],
            drop: is_set(granted.drop, i),
            grant_ready: is_set(granted.ready, i),
            grant_steady: is_set(granted.steady, i),
            has_place: self.places(i),
            accepted_length: &lengths[i * v..(i + 1) * v],
        };
        (0..self.config.ports).map(of_input).collect()
    }

    /// The output ports that are released in the cycle in which they are granted.
    fn freed(&self, of_inputs: &[InputPortInputs]) -> u64 {
        let at_once = |i: &usize| self.config.switch.short_packets() && self.inputs[*i].at_once(&of_inputs[*i]);
        self.allocator.granted.freed((0..self.config.ports).filter(at_once).fold(0, |inputs, i| inputs | 1 << i))
    }

    /// Of the output ports, which get a row of `flits` each.
    fn of_outputs<'a>(
        &self,
        inputs: &SwitchInputs,
        shown: &MechanismOutputs,
        given: u64,
        free_next: u64,
        flits: &'a [u64],
    ) -> Vec<OutputPortInputs<'a>> {
        let words = self.config.switch.flit_words();
        let granted = &self.allocator.granted;
        let of_output = |p: usize| OutputPortInputs {
            granted: is_set(granted.ports(), p),
            given: is_set(given, p),
            allowed: granted.allowed(p),
            free_next: is_set(free_next, p),
            grantable: is_set(shown.grantable, p),
            preferred: is_set(shown.preferred, p),
            valid: is_set(self.crossbar.valid, p),
            head: is_set(self.crossbar.head, p),
            flit: &flits[p * words..(p + 1) * words],
            phase: shown.phase[p],
            hint: is_set(shown.hint, p),
            out_credit_valid: is_set(inputs.out_credit_valid, p),
            out_credit_vc: inputs.out_credit_vc[p] as u8,
        };
        (0..self.config.ports).map(of_output).collect()
    }

    /// Row p: the events of port p that are counted, those of the input port lowest.
    fn errors(&self, of_inputs: &[InputPortInputs], of_outputs: &[OutputPortInputs]) -> Vec<u64> {
        let error_of = |p: usize| {
            let of_input = self.inputs[p].events(&of_inputs[p]).list();
            let of_output = self.outputs[p].credit_error(&of_outputs[p]);
            vector(&of_input, |event| *event) | u64::from(of_output) << of_input.len()
        };
        (0..self.config.ports).map(error_of).collect()
    }

    /// The edge of the routing tables: all are written at once, and each is read for the packet that its virtual channel loads, or for the address
    /// that the mechanism looks up.
    fn clock_tables(&mut self, rst: bool, of_inputs: &[InputPortInputs], lookup: Option<u16>) {
        let written: Option<(u16, Vec<u64>)> = self
            .table_loader
            .as_ref()
            .filter(|loader| loader.write)
            .map(|loader| (loader.row, loader.word.iter().map(|&word| word.into()).collect()));
        let loads = self.inputs.iter().zip(of_inputs).flat_map(|(port, inputs)| port.loads(inputs));
        let nothing = vec![0; TableRow::word_count(self.config.ports, self.config.switch.vcs)];
        let asked = (lookup.is_some(), lookup.unwrap_or(0));
        let all = self.tables.iter_mut().zip(loads).chain(self.lookup_table.iter_mut().map(|table| (table, asked)));
        for (table, (read, read_row)) in all {
            let (write_row, write_word) = written.as_ref().map_or((0, &nothing), |(row, words)| (*row, words));
            table.clock(rst, &RoutingTableInputs { write: written.is_some(), write_row, write_word, read, read_row });
        }
    }

    /// Memories pass the edge with `rst` as any other; these have none.
    fn reset_all_but_inputs_and_tables(&mut self) {
        self.bus.reset();
        self.power.reset();
        self.routes.iter_mut().for_each(RouteRegister::reset);
        self.table_loader.iter_mut().for_each(TableLoader::reset);
        self.allocator.reset();
        self.crossbar.reset();
        self.outputs.iter_mut().for_each(OutputPort::reset);
    }

    /// The edge of the power manager, of the register bus and of what it reads and writes.
    fn clock_power_and_bus(&mut self, inputs: &SwitchInputs, around: Surroundings, held: HeldInputs, error: &[u64]) {
        let (write, read) = (self.bus.write(&inputs.bus), self.bus.read);
        // Of a word that is not its own, each owner answers 0.
        let of_table = self.table_loader.as_ref().map_or(0, |loader| loader.read_data);
        let done = self.power.read_done.then_some(self.power.read_data | of_table);
        if let Some(loader) = &mut self.table_loader {
            loader.clock(write, &read);
        }
        let HeldInputs { given, departing, released, freed } = held;
        self.power.clock(&ManagerInputs { around, given, departing, released, freed, error, write, read });
        self.bus.clock(&inputs.bus, done);
    }
}

impl Registers for StepwiseSwitch {
    fn list(&self, rows: &mut RegisterRows) {
        rows.owners(Owner::Part("bus"), "bus", [&self.bus]);
        rows.owners(Owner::Block, "power", [&self.power]);
        rows.owners(Owner::InputPort, "input_port", &self.inputs);
        rows.child_of(Owner::InputVc, "route", &self.routes);
        if let Some(loader) = &self.table_loader {
            rows.child_of(Owner::InputVc, "routing_table", &self.tables);
            rows.owners(Owner::Part("table_loader"), "table_loader", [loader]);
            rows.owners(Owner::Part("lookup_table"), "lookup_table", &self.lookup_table);
        }
        rows.child("allocator", [&self.allocator]);
        rows.child("crossbar", [&self.crossbar]);
        rows.owners(Owner::OutputPort, "output_port", &self.outputs);
    }
}

inputs! {
    /// As inputs of the block.
    #[derive(Clone, Copy, Debug)]
    pub struct SwitchFrame<'a> of block: &StepwiseSwitch {
        pub inputs: SwitchInputs<'a> = (&block.config, block.power.mechanism.entry().sees),
    }
}

impl Block for StepwiseSwitch {
    type Inputs<'a> = SwitchFrame<'a>;

    fn outputs(&self, seen: &SwitchFrame, rows: &mut RegisterRows) {
        let (n, outputs, from, to) = (self.config.ports, &self.outputs, Owner::InputLink, Owner::OutputLink);
        let ports = |name| flags(name, Owner::Port, n);
        let shown = self.power.outputs(seen.inputs.position, seen.inputs.stage);
        rows.one(flags("out_valid", to, n).known_as("valid"), vector(outputs, |port| port.out_valid));
        rows.one(flags("out_head", to, n).known_as("head"), vector(outputs, |port| port.out_head));
        rows.many(vc_number("out_vc").of(to).known_as("vc"), outputs.iter().map(|port| port.out_vc));
        rows.many(phase("out_phase").of(to).known_as("phase"), outputs.iter().map(|port| port.out_phase));
        rows.one(flags("out_hint", to, n).known_as("hint"), vector(outputs, |port| port.out_hint));
        let flits = outputs.iter().flat_map(|port| port.out_flit.iter().copied());
        rows.many(flit_word("out_flit").of(to).known_as("flit"), flits);
        let credits = vector(&self.inputs, |port| port.in_credit_valid);
        rows.one(flags("in_credit_valid", from, n).known_as("credit_valid"), credits);
        let credit_vcs = self.inputs.iter().map(|port| port.in_credit_vc);
        rows.many(vc_number("in_credit_vc").of(from).known_as("credit_vc"), credit_vcs);
        rows.one(ports("held"), self.power.held());
        rows.one(ports("grantable"), shown.grantable);
        rows.one(ports("preferred"), shown.preferred);
        rows.one(ports("ready"), shown.ready);
        rows.many(phase("phase").of(Owner::Port), shown.phase);
        rows.many(level("level").of(Owner::Port), shown.level);
        if let ring @ Some(_) = self.power.mechanism.entry().sees.ring {
            rows.one(ring_word("ring_out", ring).of(RING), shown.ring);
        }
        self.bus.show(rows);
    }

    fn edge(&mut self, rst: bool, seen: &SwitchFrame) {
        self.pass(rst, &seen.inputs);
    }
}
