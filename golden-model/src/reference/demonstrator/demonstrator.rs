//! `powar_demonstrator`: a switch with a node at each port, and the serial port to their registers.
//!
//! The blocks are those of the reference but for the switch, which is the event-driven one: it shows the same and takes a small part of the
//! time.

use super::axi_lite_decoder::{MasterInputs, SlaveInputs, State as BusState};
use super::demonstrator_registers::{NodeWrite, OtherInputs};
use super::traffic_checker::CheckerInputs;
use super::traffic_generator::GeneratorInputs;
use super::uart_bridge::{BridgeInputs, State as BridgeState};
use super::uart_receiver::ReceiverEvents;
use super::{
    AxiLiteDecoder, Beat, DemonstratorRegisters, StatisticsReader, TrafficChecker, TrafficGenerator, UartBridge,
    UartReceiver, UartTransmitter,
};
use crate::fast;
use crate::inputs;
use crate::lock_step::{Frames, FromRows, Observed, declare, input, take_behind_rst};
use crate::reference::mechanisms::Twin;
use crate::reference::network_interface::NetworkInterface;
use crate::reference::network_interface::injection_queues::QueuesInputs;
use crate::reference::network_interface::network_interface::NetworkInterfaceInputs;
use crate::reference::network_interface::reception::ReceptionInputs;
use crate::reference::registers::register_bus::BusInputs;
use crate::register_rows::{RegisterRows, Registers};
use anyhow::Result;
use powar_config::registers::WORD_BYTES;
use powar_config::registers::demonstrator::{
    CHECKER, INTERFACE, NODE_BASE, NODE_STRIDE, Site, WINDOWS, check, of_switch,
};
use powar_config::signal::{RST, duration, flag, flags};
use powar_config::{Config, Layout, Meaning, Owner, Phase, Role, SignalDecl, SignalSpec};

/// Windows of the bus.
const SWITCH: usize = 0;
const OWN: usize = 1;

/// The demonstrator; the public fields are its children, but the switch.
pub struct Demonstrator {
    pub receiver: UartReceiver,
    pub transmitter: UartTransmitter,
    pub bridge: UartBridge,
    pub decoder: AxiLiteDecoder,
    pub registers: DemonstratorRegisters,
    pub generators: Vec<TrafficGenerator>,
    pub interfaces: Vec<NetworkInterface>,
    pub readers: Vec<StatisticsReader>,
    pub checkers: Vec<TrafficChecker>,
    network: Network,
    site: Site,
    words: usize,
}

inputs! {
    /// What comes in from outside in a cycle.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct DemonstratorInputs {
        pub rx: bool = SignalSpec::new("rx", 1, Meaning::SerialLine),
        /// Cycles of a bit.
        pub divider: u16 = duration("divider", 16),
        /// Cycles without a byte after which half a command is dropped.
        pub timeout: u32 = duration("timeout", 24),
    }
}

/// The switch, with the frames of the cycle under way.
struct Network {
    model: Twin,
    inputs: Vec<u64>,
    shown: Vec<u64>,
}

impl Network {
    fn new(model: Twin) -> Self {
        let layout = model.layout();
        Network { inputs: vec![0; layout.input_slots()], shown: vec![0; layout.observed_slots()], model }
    }

    fn layout(&self) -> &Layout {
        self.model.layout()
    }

    /// Rows of an input from this one on.
    fn input(&mut self, name: &str, row: usize, rows: usize) -> &mut [u64] {
        let first = self.layout().input(name).expect("an input of the switch") + row;
        &mut self.inputs[first..first + rows]
    }

    fn set(&mut self, name: &str, row: usize, value: impl Into<u64>) {
        self.input(name, row, 1)[0] = value.into();
    }

    /// A bit of a vector.
    fn set_bit(&mut self, name: &str, bit: usize, value: bool) {
        let row = &mut self.input(name, 0, 1)[0];
        *row = *row & !(1 << bit) | u64::from(value) << bit;
    }

    /// Rows of an output in the cycle under way.
    fn output(&self, name: &str, row: usize, rows: usize) -> &[u64] {
        let first = self.layout().slot(Role::Output, name).expect("an output of the switch") + row;
        &self.shown[first..first + rows]
    }

    fn one(&self, name: &str) -> u64 {
        self.output(name, 0, 1)[0]
    }

    fn bit(&self, name: &str, bit: usize) -> bool {
        self.one(name) >> bit & 1 == 1
    }

    fn set_bus(&mut self, bus: &BusInputs) {
        let flags = [
            ("s_axi_awvalid", bus.awvalid),
            ("s_axi_wvalid", bus.wvalid),
            ("s_axi_bready", bus.bready),
            ("s_axi_arvalid", bus.arvalid),
            ("s_axi_rready", bus.rready),
        ];
        flags.into_iter().for_each(|(name, value)| self.set(name, 0, value));
        self.set("s_axi_awaddr", 0, bus.awaddr);
        self.set("s_axi_wdata", 0, bus.wdata);
        self.set("s_axi_wstrb", 0, bus.wstrb);
        self.set("s_axi_araddr", 0, bus.araddr);
    }

    /// What a network interface shows on the link of its port.
    fn set_link(&mut self, port: usize, words: usize, interface: &NetworkInterface) {
        let NetworkInterface { injection, reception, .. } = interface;
        self.set_bit("in_valid", port, injection.out_valid);
        self.set_bit("in_head", port, injection.out_head);
        self.set("in_vc", port, injection.out_vc);
        self.set("in_phase", port, Phase::On as u64);
        self.set_bit("in_hint", port, injection.out_hint);
        self.input("in_flit", port * words, words).copy_from_slice(&injection.out_flit);
        self.set_bit("out_credit_valid", port, reception.in_credit_valid);
        self.set("out_credit_vc", port, reception.in_credit_vc);
    }

    /// The registers and where they are in the frame.
    fn registers(&self) -> impl Iterator<Item = (&SignalDecl, usize)> {
        let mut next = 0;
        let placed = self.layout().observed.iter().map(move |signal| {
            let first = next;
            next += signal.rows;
            (signal, first)
        });
        placed.filter(|(signal, _)| signal.role == Role::Register)
    }
}

impl Demonstrator {
    /// After reset.
    ///
    /// # Errors
    /// There is no demonstrator of this configuration.
    pub fn new(config: &Config) -> Result<Self> {
        check(config)?;
        let (n, site) = (config.ports, Site::new(config)?);
        let mut network = Network::new(fast::switch::twin(&of_switch(config))?);
        network.set("position", 0, site.position);
        network.set("stage", 0, site.stage);
        Ok(Demonstrator {
            receiver: UartReceiver::new(),
            transmitter: UartTransmitter::new(),
            bridge: UartBridge::new(),
            decoder: AxiLiteDecoder::new(WINDOWS),
            registers: DemonstratorRegisters::new(config),
            generators: vec![TrafficGenerator::new(config); n],
            interfaces: vec![NetworkInterface::new(config); n],
            readers: vec![StatisticsReader::new(); n],
            checkers: vec![TrafficChecker::new(config); n],
            network,
            site,
            words: config.switch.flit_words(),
        })
    }

    /// `links_on`: ports whose phase is `On` or `Draining`, of the cycle that [`Demonstrator::clock`] has passed last.
    pub fn links_on(&self) -> u64 {
        let phases = self.network.output("phase", 0, self.generators.len()).iter();
        let is_on = |phase: u64| phase == Phase::On as u64 || phase == Phase::Draining as u64;
        phases.enumerate().fold(0, |ports, (p, &phase)| ports | u64::from(is_on(phase)) << p)
    }

    fn requests(&self) -> MasterInputs {
        let bridge = &self.bridge;
        MasterInputs {
            awvalid: bridge.awvalid,
            awaddr: bridge.bus_address(),
            wvalid: bridge.wvalid,
            wdata: bridge.data,
            wstrb: 0b1111,
            bready: bridge.state == BridgeState::Write,
            arvalid: bridge.arvalid,
            araddr: bridge.bus_address(),
            rready: bridge.state == BridgeState::Read,
        }
    }

    /// The bus of a window.
    fn bus(&self, window: usize) -> BusInputs {
        let decoder = &self.decoder;
        let of_window = |vector: u64| vector >> window & 1 == 1;
        BusInputs {
            awvalid: of_window(decoder.awvalid),
            awaddr: decoder.awaddr,
            wvalid: of_window(decoder.wvalid),
            wdata: decoder.wdata,
            wstrb: decoder.wstrb,
            bready: of_window(decoder.bready()),
            arvalid: of_window(decoder.arvalid),
            araddr: decoder.araddr,
            rready: of_window(decoder.rready()),
        }
    }

    /// What both windows answer; the switch has been shown its bus.
    fn answers(&self, own: &BusInputs) -> SlaveInputs {
        let (network, registers) = (&self.network, &self.registers);
        let flags = |name: &str, own: bool| network.one(name) | u64::from(own) << OWN;
        let (write_now, read_now) = (registers.write_now(own), registers.read_now(own));
        SlaveInputs {
            awready: flags("s_axi_awready", write_now),
            wready: flags("s_axi_wready", write_now),
            bvalid: flags("s_axi_bvalid", registers.bvalid),
            bresp: vec![network.one("s_axi_bresp") as u8, registers.bresp],
            arready: flags("s_axi_arready", read_now),
            rvalid: flags("s_axi_rvalid", registers.rvalid),
            rdata: vec![network.one("s_axi_rdata") as u32, registers.rdata],
            rresp: vec![network.one("s_axi_rresp") as u8, registers.rresp],
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, rst: bool, inputs: &DemonstratorInputs) {
        self.show_network(rst);
        let requests = self.requests();
        let own = self.bus(OWN);
        let answers = self.answers(&own);
        let (write_now, read_now) = (self.decoder.write_now(&requests), self.decoder.read_now(&requests));
        let answered = |state: BusState, response: u8| (state == BusState::Answer).then_some(response);
        let to_bridge = BridgeInputs {
            byte: self.receiver.valid.then_some(self.receiver.data),
            tx_ready: self.transmitter.ready(),
            timeout: inputs.timeout,
            awready: write_now,
            wready: write_now,
            written: answered(self.decoder.write_state, self.decoder.bresp),
            arready: read_now,
            read: answered(self.decoder.read_state, self.decoder.rresp).map(|response| (self.decoder.rdata, response)),
        };
        let listening = self.bridge.listening();
        let ReceiverEvents { framing_error, overrun } = self.receiver.events(listening);
        let other = OtherInputs {
            answer: self.node_answer(),
            bus_error: self.bridge.bus_error(&to_bridge),
            serial_error: framing_error || overrun,
        };
        let byte = self.bridge.sends();
        self.clock_nodes(rst, &own);
        if rst {
            self.receiver = UartReceiver::new();
            self.transmitter = UartTransmitter::new();
            self.bridge = UartBridge::new();
            self.decoder = AxiLiteDecoder::new(WINDOWS);
            self.registers.reset();
        } else {
            self.receiver.clock(inputs.rx, inputs.divider, listening);
            self.transmitter.clock(byte, inputs.divider);
            self.bridge.clock(&to_bridge);
            self.decoder.clock(&requests, &answers);
            self.registers.clock(&own, &other);
        }
    }

    /// The switch's cycle: its links are those of the interfaces. What it shows is kept.
    fn show_network(&mut self, rst: bool) {
        let bus = self.bus(SWITCH);
        let Demonstrator { network, interfaces, words, .. } = self;
        network.set("rst", 0, rst);
        network.set_bus(&bus);
        for (port, interface) in interfaces.iter().enumerate() {
            network.set_link(port, *words, interface);
        }
        network.model.cycle(&network.inputs, &mut network.shown);
    }

    /// The word that a node answers with. No two do.
    fn node_answer(&self) -> Option<u32> {
        let of_generator = self.generators.iter().find(|one| one.read_done).map(|one| one.read_data);
        let of_checker = || self.checkers.iter().find_map(TrafficChecker::answer);
        of_generator.or_else(of_checker).or_else(|| self.readers.iter().find_map(|reader| reader.answer))
    }

    fn clock_nodes(&mut self, rst: bool, own: &BusInputs) {
        let DemonstratorRegisters { run, clear, cycles, read, read_address, .. } = self.registers;
        let write = self.registers.node_write(own);
        for node in 0..self.generators.len() {
            let (generator, checker) = (&mut self.generators[node], &mut self.checkers[node]);
            let (interface, reader) = (&mut self.interfaces[node], &mut self.readers[node]);
            let asked = place(read_address, node).filter(|_| read);
            let is_generators = |place: &u8| usize::from(*place) < CHECKER;
            let is_checkers = |place: &u8| (CHECKER..INTERFACE).contains(&usize::from(*place));
            let of_interface = asked.and_then(|place| place.checked_sub(INTERFACE as u8));
            let written = write.and_then(|NodeWrite { address, data }| Some((place(address, node)?, data)));
            let of_generator = GeneratorInputs {
                node: node as u8,
                run,
                clear,
                cycles,
                write: written.filter(|(place, _)| is_generators(place)),
                read: asked.filter(is_generators),
                tready: interface.queues.tready(),
            };
            let of_checker = CheckerInputs {
                node: self.site.exits[node],
                ordered: self.site.ordered[node],
                clear,
                cycles,
                read: asked.filter(is_checkers),
                beat: interface.reception.beat(),
            };
            let Beat { data, keep, last, node: destination } = generator.beat();
            let data: Vec<u64> = data.into_iter().map(u64::from).collect();
            let to_interface = NetworkInterfaceInputs {
                address: node as u16,
                clear,
                stream: QueuesInputs {
                    tvalid: generator.tvalid,
                    tdata: &data,
                    tkeep: keep,
                    tlast: last,
                    tdest: destination,
                    start: 0,
                    read: 0,
                },
                tuser: 0,
                link: ReceptionInputs {
                    in_valid: self.network.bit("out_valid", node),
                    in_head: self.network.bit("out_head", node),
                    in_vc: self.network.output("out_vc", node, 1)[0] as u8,
                    in_flit: self.network.output("out_flit", node * self.words, self.words),
                    tready: checker.tready(&of_checker),
                },
                out_credit_valid: self.network.bit("in_credit_valid", node),
                out_credit_vc: self.network.output("in_credit_vc", node, 1)[0] as u8,
            };
            reader.clock(of_interface, &interface.statistics);
            interface.clock(rst, &to_interface);
            if rst {
                *reader = StatisticsReader::new();
                generator.reset();
                checker.reset(&of_checker);
            } else {
                generator.clock(&of_generator);
                checker.clock(&of_checker);
            }
        }
    }
}

/// The number of a word among those of a node, if it is one of them; by its byte address / 4.
fn place(address: u16, node: usize) -> Option<u8> {
    let first = (NODE_BASE + node as u16 * NODE_STRIDE) / WORD_BYTES;
    address.checked_sub(first).filter(|&place| place < NODE_STRIDE / WORD_BYTES).map(|place| place as u8)
}

impl Registers for Demonstrator {
    /// Those of the switch are apart.
    fn list(&self, rows: &mut RegisterRows) {
        rows.child("receiver", [&self.receiver]);
        rows.child("transmitter", [&self.transmitter]);
        rows.child("bridge", [&self.bridge]);
        rows.child("decoder", [&self.decoder]);
        rows.child("registers", [&self.registers]);
        rows.child("generator", &self.generators);
        rows.child("network_interface", &self.interfaces);
        rows.child("statistics_reader", &self.readers);
        rows.child("packet_checker", &self.checkers);
    }
}

impl Frames for Demonstrator {
    fn signals(&self) -> Vec<SignalDecl> {
        let mut signals = vec![input(RST)];
        DemonstratorInputs::declare((), &mut signals);
        let ports = flags("links_on", Owner::Port, self.generators.len());
        signals.extend(declare(Role::Output, [flag("tx"), ports]));
        signals.extend(RegisterRows::of(self).declarations());
        let of_switch = |(signal, _): (&SignalDecl, usize)| {
            let mut signal = signal.clone();
            signal.name = format!("network.{}", signal.name);
            signal.own_name = format!("network.{}", signal.own_name);
            signal
        };
        signals.extend(self.network.registers().map(of_switch));
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let (rst, seen) = take_behind_rst((), inputs);
        let (tx, rows) = (self.transmitter.tx, RegisterRows::of(self));
        self.clock(rst, &seen);
        // What the switch showed before the edge is known only now.
        observed.put(tx);
        observed.put(self.links_on());
        observed.rows(rows.rows());
        for (signal, first) in self.network.registers() {
            observed.rows(self.network.shown[first..first + signal.rows].iter().copied());
        }
    }
}

#[cfg(test)]
mod tests;
