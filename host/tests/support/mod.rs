//! A demonstrator made of golden models, with a pseudo-terminal for its serial port: bytes go to and from the bridge, and every byte takes some
//! cycles. Packets go from node to node on wires of their own, not through the switch.

use powar_config::registers::demonstrator::{NODE_BASE, NODE_STRIDE, Site, WINDOWS};
use powar_config::{Config, CycleModel, Role};
use powar_golden::reference::demonstrator::axi_lite_decoder::{MasterInputs, SlaveInputs, State};
use powar_golden::reference::demonstrator::demonstrator_registers::OtherInputs;
use powar_golden::reference::demonstrator::traffic_checker::CheckerInputs;
use powar_golden::reference::demonstrator::traffic_generator::GeneratorInputs;
use powar_golden::reference::demonstrator::uart_bridge::{BridgeInputs, State as BridgeState};
use powar_golden::reference::demonstrator::{
    AxiLiteDecoder, Beat, DemonstratorRegisters, StatisticsReader, TrafficChecker, TrafficGenerator, UartBridge,
};
use powar_golden::reference::registers::register_bus::BusInputs;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Cycles that a byte on the line takes, and without one after which the bridge drops half a command.
const BYTE_CYCLES: u32 = 40;
const TIMEOUT: u32 = 2000;

/// The demonstrator, cycle by cycle.
struct Machine {
    bridge: UartBridge,
    decoder: AxiLiteDecoder,
    registers: DemonstratorRegisters,
    switch: Box<dyn CycleModel + Send>,
    inputs: Vec<u64>,
    observed: Vec<u64>,
    generators: Vec<TrafficGenerator>,
    checkers: Vec<TrafficChecker>,
    /// There are no network interfaces: their statistics stay 0.
    readers: Vec<StatisticsReader>,
    site: Site,
    /// Beats on their way to each node, packet behind packet.
    wires: Vec<VecDeque<Beat>>,
    /// Beats of the packet that each node sends, until it is whole.
    halves: Vec<Vec<Beat>>,
    /// One packet in so many is lost; 0: none.
    lose_one_in: u64,
    packets: u64,
}

impl Machine {
    fn new(config: &Config, lose_one_in: u64) -> Self {
        let switch = powar_golden::twins::blocks(config).into_iter().find(|(name, _)| name == "powar_switch");
        let switch = switch.expect("a switch").1;
        let (inputs, observed) = (vec![0; switch.layout().input_slots()], vec![0; switch.layout().observed_slots()]);
        Machine {
            bridge: UartBridge::new(),
            decoder: AxiLiteDecoder::new(WINDOWS),
            registers: DemonstratorRegisters::new(config),
            switch,
            inputs,
            observed,
            generators: vec![TrafficGenerator::new(config); config.ports],
            checkers: vec![TrafficChecker::new(config); config.ports],
            readers: vec![StatisticsReader::new(); config.ports],
            site: Site::new(config).expect("a switch of a network"),
            wires: vec![VecDeque::new(); config.ports],
            halves: vec![vec![]; config.ports],
            lose_one_in,
            packets: 0,
        }
    }

    /// A cycle with a byte that comes in; the byte that goes out.
    fn cycle(&mut self, byte: Option<u8>) -> Option<u8> {
        let sent = self.bridge.sends();
        let master = MasterInputs {
            awvalid: self.bridge.awvalid,
            awaddr: self.bridge.bus_address(),
            wvalid: self.bridge.wvalid,
            wdata: self.bridge.data,
            wstrb: 0b1111,
            bready: self.bridge.state == BridgeState::Write,
            arvalid: self.bridge.arvalid,
            araddr: self.bridge.bus_address(),
            rready: self.bridge.state == BridgeState::Read,
        };
        let bus = |slave: usize, decoder: &AxiLiteDecoder| BusInputs {
            awvalid: decoder.awvalid >> slave & 1 == 1,
            awaddr: decoder.awaddr,
            wvalid: decoder.wvalid >> slave & 1 == 1,
            wdata: decoder.wdata,
            wstrb: decoder.wstrb,
            bready: decoder.bready() >> slave & 1 == 1,
            arvalid: decoder.arvalid >> slave & 1 == 1,
            araddr: decoder.araddr,
            rready: decoder.rready() >> slave & 1 == 1,
        };
        let own = bus(1, &self.decoder);
        self.step_switch(&bus(0, &self.decoder));
        let of_switch = |name: &str| self.observed[self.switch.layout().slot(Role::Output, name).unwrap()];
        let flags = |name: &str, own: bool| of_switch(name) | u64::from(own) << 1;
        let (write_now, read_now) = (self.registers.write_now(&own), self.registers.read_now(&own));
        let slaves = SlaveInputs {
            awready: flags("s_axi_awready", write_now),
            wready: flags("s_axi_wready", write_now),
            bvalid: flags("s_axi_bvalid", self.registers.bvalid),
            bresp: vec![of_switch("s_axi_bresp") as u8, self.registers.bresp],
            arready: flags("s_axi_arready", read_now),
            rvalid: flags("s_axi_rvalid", self.registers.rvalid),
            rdata: vec![of_switch("s_axi_rdata") as u32, self.registers.rdata],
            rresp: vec![of_switch("s_axi_rresp") as u8, self.registers.rresp],
        };
        let answered = |state: State, response: u8| (state == State::Answer).then_some(response);
        let to_bridge = BridgeInputs {
            byte,
            tx_ready: true,
            timeout: TIMEOUT,
            awready: self.decoder.write_now(&master),
            wready: self.decoder.write_now(&master),
            written: answered(self.decoder.write_state, self.decoder.bresp),
            arready: self.decoder.read_now(&master),
            read: answered(self.decoder.read_state, self.decoder.rresp).map(|response| (self.decoder.rdata, response)),
        };
        let bus_error = self.bridge.bus_error(&to_bridge);
        let answer = self.step_nodes(&own);
        self.registers.clock(&own, &OtherInputs { answer, bus_error, serial_error: false });
        self.decoder.clock(&master, &slaves);
        self.bridge.clock(&to_bridge);
        sent
    }

    fn step_switch(&mut self, bus: &BusInputs) {
        let layout = self.switch.layout();
        let values = [
            ("s_axi_awvalid", bus.awvalid.into()),
            ("s_axi_awaddr", bus.awaddr.into()),
            ("s_axi_wvalid", bus.wvalid.into()),
            ("s_axi_wdata", bus.wdata.into()),
            ("s_axi_wstrb", bus.wstrb.into()),
            ("s_axi_bready", bus.bready.into()),
            ("s_axi_arvalid", bus.arvalid.into()),
            ("s_axi_araddr", bus.araddr.into()),
            ("s_axi_rready", bus.rready.into()),
        ];
        for (name, value) in values {
            self.inputs[layout.input(name).expect("an input of the switch")] = value;
        }
        self.switch.cycle(&self.inputs, &mut self.observed);
    }

    /// The nodes; the word that one of them answers.
    fn step_nodes(&mut self, own: &BusInputs) -> Option<u32> {
        let write = self.registers.node_write(own);
        let place = |address: u16, node: usize| {
            let first = (NODE_BASE + node as u16 * NODE_STRIDE) / 4;
            address.checked_sub(first).filter(|&place| place < NODE_STRIDE / 4).map(|place| place as u8)
        };
        let (run, clear, cycles) = (self.registers.run, self.registers.clear, self.registers.cycles);
        let mut answer = None;
        for node in 0..self.generators.len() {
            let asked = place(self.registers.read_address, node).filter(|_| self.registers.read);
            let generator = &mut self.generators[node];
            answer = answer.or(generator.read_done.then_some(generator.read_data)).or(self.checkers[node].answer());
            let reader = &mut self.readers[node];
            answer = answer.or(reader.answer);
            reader.clock(asked.and_then(|place| place.checked_sub(64)), &[0; 10]);
            if generator.tvalid {
                let beat = generator.beat();
                let to = self.site.addresses.iter().position(|address| *address == Some(beat.node));
                let (last, to) = (beat.last, to.expect("an address of a node"));
                self.halves[node].push(Beat { node: node as u16, ..beat });
                if last {
                    let packet = std::mem::take(&mut self.halves[node]);
                    self.packets += 1;
                    let is_lost = self.lose_one_in != 0 && self.packets.is_multiple_of(self.lose_one_in);
                    self.wires[to].extend(packet.into_iter().filter(|_| !is_lost));
                }
            }
            let write = write.and_then(|write| Some((place(write.address, node)?, write.data)));
            let read = asked.filter(|&place| place < 16);
            let write = write.filter(|&(place, _)| place < 16);
            let node = node as u8;
            generator.clock(&GeneratorInputs { node, run, clear, cycles, write, read, tready: true });
            let read = asked.filter(|place| (16..64).contains(place));
            let beat = self.wires[usize::from(node)].front().cloned();
            let exit = self.site.exits[usize::from(node)];
            let seen = CheckerInputs { node: exit, ordered: true, clear, cycles, read, beat };
            let checker = &mut self.checkers[usize::from(node)];
            if checker.tready(&seen) {
                self.wires[usize::from(node)].pop_front();
            }
            checker.clock(&seen);
        }
        answer
    }
}

/// A demonstrator that runs in a thread of its own until it is dropped.
pub struct Simulated {
    /// The pseudo-terminal to open.
    pub path: String,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    /// Held open, so that the terminal stays while nobody else has it.
    _user: File,
}

impl Simulated {
    pub fn new(config: &Config) -> Self {
        Simulated::losing(config, 0)
    }

    /// One that loses one packet in so many.
    pub fn losing(config: &Config, lose_one_in: u64) -> Self {
        use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
        use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
        grantpt(&terminal).and_then(|()| unlockpt(&terminal)).expect("its other end");
        let path = ptsname(&terminal, vec![]).expect("its name").into_string().expect("plain text");
        let user = File::options().read(true).write(true).open(&path).expect("its other end");
        let mut settings = tcgetattr(&user).expect("a terminal");
        settings.make_raw();
        tcsetattr(&user, OptionalActions::Now, &settings).expect("raw");
        rustix::fs::fcntl_setfl(&terminal, rustix::fs::OFlags::NONBLOCK).expect("it need not wait");
        let over = Arc::new(AtomicBool::new(false));
        let (machine, line, ends) = (Machine::new(config, lose_one_in), File::from(terminal), over.clone());
        let thread = std::thread::spawn(move || serve(machine, line, &ends));
        Simulated { path, over, thread: Some(thread), _user: user }
    }
}

impl Drop for Simulated {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the machine doesn't panic");
        }
    }
}

fn serve(mut machine: Machine, mut line: File, over: &AtomicBool) {
    let mut bytes = [0; 64];
    while !over.load(Ordering::Relaxed) {
        let mut sent = vec![];
        let count = match line.read(&mut bytes) {
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::WouldBlock => 0,
            Err(error) => panic!("the pseudo-terminal: {error}"),
        };
        for &byte in &bytes[..count] {
            for cycle in 0..BYTE_CYCLES {
                sent.extend(machine.cycle(Some(byte).filter(|_| cycle == 0)));
            }
        }
        // What is asked for comes within this many cycles.
        (0..200).for_each(|_| sent.extend(machine.cycle(None)));
        line.write_all(&sent).expect("the pseudo-terminal");
        if count == 0 {
            std::thread::sleep(Duration::from_micros(100));
        }
    }
}
