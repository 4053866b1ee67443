//! `demonstrator_registers`: the registers of the demonstrator over AXI4-Lite.

use crate::inputs;
use crate::lock_step::Block;
use crate::reference::registers::register_bus::BusInputs;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::registers::demonstrator::{self, OWN};
use powar_config::registers::{Access, WORD_BYTES};
use powar_config::signal::{data, flag, number, word_address};
use powar_config::{Config, Habit, Meaning, Owner, SignalSpec};

const OKAY: u8 = 0;
const SLVERR: u8 = 2;

/// The block; the public fields are its registers.
#[derive(Clone, Debug)]
pub struct DemonstratorRegisters {
    config: Config,
    pub bvalid: bool,
    pub bresp: u8,
    pub rvalid: bool,
    pub rresp: u8,
    pub rdata: u32,
    /// A word of a node is asked for.
    pub read: bool,
    /// Byte address / 4.
    pub read_address: u16,
    pub run: bool,
    pub clear: bool,
    pub cycles: u32,
    pub bus_errors: u32,
    pub serial_errors: u32,
    pub pending: bool,
    pub exists: bool,
    pub own: u8,
}

inputs! {
    /// What comes in beside the bus.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct OtherInputs {
        /// The word of a node that was asked for.
        pub answer: Option<u32> = (flag("read_done").habit(Habit::Tide), data("read_data")),
        pub bus_error: bool = flag("bus_error"),
        pub serial_error: bool = flag("serial_error"),
    }
}

/// A word of a node to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeWrite {
    /// Byte address / 4.
    pub address: u16,
    pub data: u32,
}

impl DemonstratorRegisters {
    /// For a configuration with a demonstrator, after reset.
    pub fn new(config: &Config) -> Self {
        DemonstratorRegisters {
            config: config.clone(),
            bvalid: false,
            bresp: 0,
            rvalid: false,
            rresp: 0,
            rdata: 0,
            read: false,
            read_address: 0,
            run: false,
            clear: false,
            cycles: 0,
            bus_errors: 0,
            serial_errors: 0,
            pending: false,
            exists: false,
            own: 0,
        }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = Self::new(&self.config);
    }

    /// `awready` and `wready`.
    pub fn write_now(&self, bus: &BusInputs) -> bool {
        bus.awvalid && bus.wvalid && (!self.bvalid || bus.bready)
    }

    /// `arready`.
    pub fn read_now(&self, bus: &BusInputs) -> bool {
        bus.arvalid && !self.pending && !self.read && (!self.rvalid || bus.rready)
    }

    /// The register that a write would change.
    fn written(&self, bus: &BusInputs) -> Option<demonstrator::Register> {
        let register = demonstrator::lookup(bus.awaddr, &self.config)?;
        (bus.wstrb == 0b1111 && register.word.access == Access::ReadWrite).then_some(register)
    }

    /// What a node is told: `write_enable`, `write_address`, `write_data`.
    pub fn node_write(&self, bus: &BusInputs) -> Option<NodeWrite> {
        let of_node = self.written(bus).is_some_and(|register| register.node.is_some());
        let write = NodeWrite { address: bus.awaddr / WORD_BYTES, data: bus.wdata };
        (self.write_now(bus) && of_node).then_some(write)
    }

    fn own_word(&self) -> u32 {
        match OWN[usize::from(self.own)].name {
            "control" => self.run.into(),
            "clear" => self.clear.into(),
            "cycles" => self.cycles,
            "bus_errors" => self.bus_errors,
            "serial_errors" => self.serial_errors,
            // What the demonstrator is stands in the map itself.
            _ => OWN[usize::from(self.own)].reset_value(&self.config),
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, bus: &BusInputs, other: &OtherInputs) {
        let old = self.clone();
        let (write_now, read_now) = (old.write_now(bus), old.read_now(bus));
        let written = old.written(bus).filter(|_| write_now);
        let own_write = |name| written.is_some_and(|register| register.node.is_none() && register.word.name == name);
        if write_now {
            self.bresp = if written.is_some() { OKAY } else { SLVERR };
        }
        self.bvalid = write_now || (old.bvalid && !bus.bready);
        if own_write("control") {
            self.run = bus.wdata & 1 == 1;
        }
        self.clear = own_write("clear") && bus.wdata & 1 == 1;
        self.cycles = old.cycles.wrapping_add(1);
        let counted = |count: u32, event: bool| if old.clear { 0 } else { count.wrapping_add(event.into()) };
        self.bus_errors = counted(old.bus_errors, other.bus_error);
        self.serial_errors = counted(old.serial_errors, other.serial_error);

        let asked = demonstrator::lookup(bus.araddr, &self.config);
        let of_node = asked.is_some_and(|register| register.node.is_some());
        let done = other.answer.filter(|_| old.read);
        self.read = if read_now { of_node } else { old.read && done.is_none() };
        self.pending = read_now && !of_node;
        if read_now {
            self.read_address = bus.araddr / WORD_BYTES;
            self.exists = asked.is_some();
            self.own = (bus.araddr >> 2) as u8 & 7;
        }
        self.rvalid = old.pending || done.is_some() || (old.rvalid && !bus.rready);
        if old.pending {
            (self.rresp, self.rdata) = if old.exists { (OKAY, old.own_word()) } else { (SLVERR, 0) };
        } else if let Some(word) = done {
            (self.rresp, self.rdata) = (OKAY, word);
        }
    }
}

/// What it answers.
const RESPONSES: [SignalSpec; 5] = [
    flag("s_axi_bvalid"),
    number("s_axi_bresp", 2),
    flag("s_axi_rvalid"),
    number("s_axi_rresp", 2),
    data("s_axi_rdata"),
];

impl DemonstratorRegisters {
    fn responses(&self) -> impl Iterator<Item = (SignalSpec, u32)> {
        let values = [self.bvalid.into(), self.bresp.into(), self.rvalid.into(), self.rresp.into(), self.rdata];
        RESPONSES.into_iter().zip(values)
    }
}

impl Registers for DemonstratorRegisters {
    fn list(&self, rows: &mut RegisterRows) {
        self.responses().for_each(|(register, value)| rows.one(register, value));
        rows.one(flag("read"), self.read);
        rows.one(word_address("read_address", 14), self.read_address);
        rows.one(flag("run"), self.run);
        rows.one(flag("clear"), self.clear);
        rows.one(data("cycles"), self.cycles);
        rows.one(number("bus_errors", 32), self.bus_errors);
        rows.one(number("serial_errors", 32), self.serial_errors);
        rows.one(flag("pending"), self.pending);
        rows.one(flag("exists"), self.exists);
        rows.one(number("own", 3), self.own);
    }
}

inputs! {
    /// What the block sees in a cycle.
    #[derive(Clone, Copy, Debug)]
    pub struct DemonstratorRegistersInputs {
        pub bus: BusInputs = (Owner::Block, Meaning::DemonstratorAddress, Habit::Tide, Habit::AsMeant),
        pub other: OtherInputs = (),
    }
}

impl Block for DemonstratorRegisters {
    type Inputs<'a> = DemonstratorRegistersInputs;

    fn outputs(&self, seen: &DemonstratorRegistersInputs, rows: &mut RegisterRows) {
        let bus = &seen.bus;
        rows.one(flag("s_axi_awready"), self.write_now(bus));
        rows.one(flag("s_axi_wready"), self.write_now(bus));
        rows.one(flag("s_axi_arready"), self.read_now(bus));
        self.responses().for_each(|(response, value)| rows.one(response, value));
        rows.one(flag("write_enable"), self.node_write(bus).is_some());
        rows.one(word_address("write_address", 14), bus.awaddr / WORD_BYTES);
        rows.one(data("write_data"), bus.wdata);
        rows.one(flag("read"), self.read);
        rows.one(word_address("read_address", 14), self.read_address);
        rows.one(flag("run"), self.run);
        rows.one(flag("clear"), self.clear);
        rows.one(data("cycles"), self.cycles);
    }

    fn edge(&mut self, rst: bool, seen: &DemonstratorRegistersInputs) {
        if rst { self.reset() } else { self.clock(&seen.bus, &seen.other) }
    }
}
