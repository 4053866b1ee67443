//! Section 5.12: configuration and status over AXI4-Lite.

use crate::lock_step::{Block, Observed, input, output};
use crate::reference::mechanisms::powar::ControlRegisters;
use crate::reference::power::PortStatistics;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::register_map::{self, Access, Place};
use powar_config::{Config, Role, SignalDecl};

/// The names of a port's error counters, in the order of their words.
const ERRORS: [&str; 5] =
    ["dropped_packets", "framing_errors", "overflow_errors", "sleeping_link_flits", "credit_errors"];
const OKAY: u8 = 0;
const SLVERR: u8 = 2;

/// The bus; the public fields are its child and its registers.
#[derive(Clone, Debug)]
pub struct RegisterBus {
    config: Config,
    pub registers: ControlRegisters,
    pub bvalid: bool,
    pub bresp: u8,
    pub rvalid: bool,
    pub rresp: u8,
    pub rdata: u32,
}

/// The bus's requests in a cycle, `s_axi_` left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BusInputs {
    pub awvalid: bool,
    pub awaddr: u16,
    pub wvalid: bool,
    pub wdata: u32,
    pub wstrb: u8,
    pub bready: bool,
    pub arvalid: bool,
    pub araddr: u16,
    pub rready: bool,
}

/// What software reads of a port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortWords {
    /// Words 0 to 11: statistics and error counters.
    pub counters: [u32; 12],
    pub power_state: u8,
    pub busy: bool,
    pub awake: bool,
    pub selectable: bool,
}

impl PortWords {
    /// Word 12.
    fn status(&self) -> u32 {
        let flags = [self.busy, self.awake, self.selectable].map(u32::from);
        u32::from(self.power_state) | flags[0] << 2 | flags[1] << 3 | flags[2] << 4
    }
}

impl BusInputs {
    /// From the nine slots of an input frame.
    pub fn from_slots(slots: &[u64]) -> Self {
        BusInputs {
            awvalid: slots[0] == 1,
            awaddr: slots[1] as u16,
            wvalid: slots[2] == 1,
            wdata: slots[3] as u32,
            wstrb: slots[4] as u8,
            bready: slots[5] == 1,
            arvalid: slots[6] == 1,
            araddr: slots[7] as u16,
            rready: slots[8] == 1,
        }
    }
}

impl RegisterBus {
    /// The bus of this configuration's switch in its state after reset.
    pub fn new(config: &Config) -> Self {
        RegisterBus {
            registers: ControlRegisters::new(config.register_values()),
            config: config.clone(),
            bvalid: false,
            bresp: 0,
            rvalid: false,
            rresp: 0,
            rdata: 0,
        }
    }

    /// A write is taken: `awready` and `wready`.
    pub fn write_now(&self, inputs: &BusInputs) -> bool {
        inputs.awvalid && inputs.wvalid && (!self.bvalid || inputs.bready)
    }

    /// A read is taken: `arready`.
    pub fn read_now(&self, inputs: &BusInputs) -> bool {
        inputs.arvalid && (!self.rvalid || inputs.rready)
    }

    fn writable(&self, inputs: &BusInputs) -> bool {
        let register = register_map::lookup(inputs.awaddr, &self.config);
        inputs.wstrb == 0b1111 && register.is_some_and(|register| register.word.access == Access::ReadWrite)
    }

    /// The word at an address in this cycle; `None` if it can't be read.
    fn word(&self, address: u16, ports: &[PortWords]) -> Option<u32> {
        let register = register_map::lookup(address, &self.config)?;
        Some(match register.place {
            // What the switch is stands in the map itself: it is the configuration, not behaviour.
            Place::Identity(_) => register.word.reset.value(&self.config),
            Place::Control(a) => self.registers.contents()[a],
            Place::Port { port, word } => ports[port].counters.get(word).copied().unwrap_or(ports[port].status()),
        })
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        self.registers.reset();
        (self.bvalid, self.bresp, self.rvalid, self.rresp, self.rdata) = (false, 0, false, 0, 0);
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &BusInputs, ports: &[PortWords]) {
        let (write_now, read_now) = (self.write_now(inputs), self.read_now(inputs));
        let writable = self.writable(inputs);
        if read_now {
            let word = self.word(inputs.araddr, ports);
            (self.rresp, self.rdata) = (if word.is_some() { OKAY } else { SLVERR }, word.unwrap_or(0));
        }
        self.rvalid = read_now || (self.rvalid && !inputs.rready);
        if write_now {
            self.bresp = if writable { OKAY } else { SLVERR };
        }
        self.bvalid = write_now || (self.bvalid && !inputs.bready);
        let write = (write_now && writable).then_some(((inputs.awaddr >> 2 & 0xf) as u8, inputs.wdata));
        self.registers.clock(write);
    }

    /// Puts the outputs on the bus.
    pub(crate) fn observe(&self, inputs: &BusInputs, observed: &mut Observed) {
        let write_now = self.write_now(inputs);
        observed.rows([write_now, write_now, self.read_now(inputs)]);
        self.observe_answers(observed);
    }

    fn observe_answers(&self, observed: &mut Observed) {
        observed.put(self.bvalid);
        observed.put(self.bresp);
        observed.put(self.rvalid);
        observed.put(self.rresp);
        observed.put(self.rdata);
    }
}

/// Declares the inputs on the bus.
pub(crate) fn inputs() -> [SignalDecl; 9] {
    [
        ("s_axi_awvalid", 1),
        ("s_axi_awaddr", 16),
        ("s_axi_wvalid", 1),
        ("s_axi_wdata", 32),
        ("s_axi_wstrb", 4),
        ("s_axi_bready", 1),
        ("s_axi_arvalid", 1),
        ("s_axi_araddr", 16),
        ("s_axi_rready", 1),
    ]
    .map(|(name, width)| input(name, width))
}

/// Declares the outputs on the bus.
pub(crate) fn outputs() -> [SignalDecl; 8] {
    [
        ("s_axi_awready", 1),
        ("s_axi_wready", 1),
        ("s_axi_arready", 1),
        ("s_axi_bvalid", 1),
        ("s_axi_bresp", 2),
        ("s_axi_rvalid", 1),
        ("s_axi_rresp", 2),
        ("s_axi_rdata", 32),
    ]
    .map(|(name, width)| output(name, width))
}

impl Registers for RegisterBus {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one("s_axi_bvalid", 1, self.bvalid);
        rows.one("s_axi_bresp", 2, self.bresp);
        rows.one("s_axi_rvalid", 1, self.rvalid);
        rows.one("s_axi_rresp", 2, self.rresp);
        rows.one("s_axi_rdata", 32, self.rdata);
        rows.child("registers", [&self.registers]);
    }
}

impl Block for RegisterBus {
    fn signals(&self) -> Vec<SignalDecl> {
        let n = self.config.ports;
        let mut signals = vec![input("rst", 1)];
        signals.extend(inputs());
        for name in PortStatistics::NAMES.into_iter().chain(ERRORS) {
            signals.push(SignalDecl::new(Role::Input, name, n, 32));
        }
        signals.push(SignalDecl::new(Role::Input, "power_state", n, 2));
        signals.extend(["busy", "awake", "selectable"].map(|name| input(name, n)));
        signals.extend(outputs());
        signals.extend(ControlRegisters::REGISTERS.map(|(name, width)| output(name, width)));
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let n = self.config.ports;
        let seen = BusInputs::from_slots(&inputs[1..10]);
        let (counters, status) = inputs[10..].split_at(12 * n);
        let flag = |vector: usize, port: usize| status[n + vector] >> port & 1 == 1;
        let ports: Vec<PortWords> = (0..n)
            .map(|port| PortWords {
                counters: std::array::from_fn(|word| counters[word * n + port] as u32),
                power_state: status[port] as u8,
                busy: flag(0, port),
                awake: flag(1, port),
                selectable: flag(2, port),
            })
            .collect();
        self.observe(&seen, observed);
        observed.rows(self.registers.contents());
        self.observe_answers(observed);
        observed.rows(self.registers.contents());
        if inputs[0] == 1 { self.reset() } else { self.clock(&seen, &ports) }
    }
}
