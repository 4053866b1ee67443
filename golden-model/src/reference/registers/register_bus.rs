//! `register_bus`: configuration and status over AXI4-Lite.

use crate::inputs;
use crate::lock_step::Block;
use crate::reference::power::mechanism::{READ, WRITE, Write};
use crate::reference::power::power_manager::Read;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::registers::{self, Access, RegisterOwner, WORD_BYTES};
use powar_config::signal::{data, flag, number};
use powar_config::{Config, Habit, Meaning, Owner, SignalSpec};

const OKAY: u8 = 0;
const SLVERR: u8 = 2;

/// The bus; the public fields are its registers.
#[derive(Clone, Debug)]
pub struct RegisterBus {
    config: Config,
    /// What was taken and waits.
    pub held: Held,
    pub bvalid: bool,
    pub bresp: u8,
    pub rvalid: bool,
    pub rresp: u8,
    pub rdata: u32,
    /// The word that owners are asked for, from the cycle after the one in which the read is taken.
    pub read: Read,
    /// A read has been taken and has no answer yet.
    pub reading: bool,
    /// Which of the words of the bus it was: 1 `id`, 2 `geometry`, 3 `buffers`, 0 none.
    pub constant: u8,
    /// It was the address of a word.
    pub exists: bool,
}

/// What the channels of requests have taken before it could go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// An address to write at waits.
    pub aw_waits: bool,
    pub aw_address: u16,
    /// A word to write waits.
    pub w_waits: bool,
    pub w_data: u32,
    pub w_strobes: u8,
    /// An address to read at waits.
    pub ar_waits: bool,
    pub ar_address: u16,
}

impl Held {
    /// What there is to be done: what waits, else what comes.
    pub fn before(&self, inputs: &BusInputs) -> BusInputs {
        let mut all = *inputs;
        if self.aw_waits {
            (all.awvalid, all.awaddr) = (true, self.aw_address);
        }
        if self.w_waits {
            (all.wvalid, all.wdata, all.wstrb) = (true, self.w_data, self.w_strobes);
        }
        if self.ar_waits {
            (all.arvalid, all.araddr) = (true, self.ar_address);
        }
        all
    }

    /// The clock edge: what can't go on waits. What goes on at once is kept as well, where nobody looks at it.
    pub fn clock(&mut self, inputs: &BusInputs, write_now: bool, read_now: bool) {
        let there = self.before(inputs);
        if there.awvalid {
            self.aw_address = there.awaddr;
        }
        if there.wvalid {
            (self.w_data, self.w_strobes) = (there.wdata, there.wstrb);
        }
        if there.arvalid {
            self.ar_address = there.araddr;
        }
        self.aw_waits = there.awvalid && !write_now;
        self.w_waits = there.wvalid && !write_now;
        self.ar_waits = there.arvalid && !read_now;
    }
}

/// What buses differ in: to what they belong, what their addresses mean, how random inputs drive handshakes and the
/// words that are written.
pub(crate) type BusSignals = (Owner, Meaning, Habit, Habit);

/// The bus of a switch.
pub(crate) const BUS_SIGNALS: BusSignals = (BUS, Meaning::ByteAddress, Habit::AsMeant, Habit::Usual);

inputs! {
    /// The bus's requests in a cycle, `s_axi_` left out.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct BusInputs of (owner, address, handshakes, data): BusSignals {
        pub awvalid: bool = flag("s_axi_awvalid").of(owner).habit(handshakes),
        pub awaddr: u16 = SignalSpec::new("s_axi_awaddr", 16, address).of(owner),
        pub wvalid: bool = flag("s_axi_wvalid").of(owner).habit(handshakes),
        pub wdata: u32 = powar_config::signal::data("s_axi_wdata").of(owner).habit(data),
        pub wstrb: u8 = SignalSpec::new("s_axi_wstrb", 4, Meaning::ByteEnables).of(owner),
        pub bready: bool = flag("s_axi_bready").of(owner).habit(handshakes),
        pub arvalid: bool = flag("s_axi_arvalid").of(owner).habit(handshakes),
        pub araddr: u16 = SignalSpec::new("s_axi_araddr", 16, address).of(owner),
        pub rready: bool = flag("s_axi_rready").of(owner).habit(handshakes),
    }
}

impl RegisterBus {
    /// The bus of this configuration's switch in its state after reset.
    pub fn new(config: &Config) -> Self {
        RegisterBus {
            config: config.clone(),
            held: Held::default(),
            bvalid: false,
            bresp: 0,
            rvalid: false,
            rresp: 0,
            rdata: 0,
            read: Read::default(),
            reading: false,
            constant: 0,
            exists: false,
        }
    }

    /// A write is done in this cycle.
    fn write_now(&self, inputs: &BusInputs) -> bool {
        let there = self.held.before(inputs);
        there.awvalid && there.wvalid && (!self.bvalid || inputs.bready)
    }

    /// A read begins in this cycle.
    fn read_now(&self, inputs: &BusInputs) -> bool {
        self.held.before(inputs).arvalid && !self.reading && (!self.rvalid || inputs.rready)
    }

    /// The write that owners are told of: `write_enable`, `write_address` and `write_data`.
    pub fn write(&self, inputs: &BusInputs) -> Option<Write> {
        let there = self.held.before(inputs);
        (self.write_now(inputs) && self.writable(&there)).then(|| self.shown_write(inputs))
    }

    /// What stands on `write_address` and `write_data`, with `write_enable` or without.
    fn shown_write(&self, inputs: &BusInputs) -> Write {
        let there = self.held.before(inputs);
        Write { address: (there.awaddr / WORD_BYTES) & 0x3ff, data: there.wdata }
    }

    fn writable(&self, inputs: &BusInputs) -> bool {
        let register = registers::lookup(inputs.awaddr, &self.config);
        inputs.wstrb == 0b1111 && register.is_some_and(|register| register.word.access == Access::ReadWrite)
    }

    /// The number of an address among the words of the bus; 0: none of them.
    fn constant_at(&self, address: u16) -> u8 {
        match registers::lookup(address, &self.config).map(|register| register.owner) {
            Some(RegisterOwner::Switch(place @ 0..=2)) => place as u8 + 1,
            _ => 0,
        }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        self.held = Held::default();
        (self.bvalid, self.bresp, self.rvalid, self.rresp, self.rdata) = (false, 0, false, 0, 0);
        (self.read, self.reading, self.constant, self.exists) = (Read::default(), false, 0, false);
    }

    /// The clock edge. `done` is the word that was asked for, in the cycle in which it is there.
    pub fn clock(&mut self, inputs: &BusInputs, done: Option<u32>) {
        let (write_now, read_now) = (self.write_now(inputs), self.read_now(inputs));
        let there = self.held.before(inputs);
        self.held.clock(inputs, write_now, read_now);
        if write_now {
            self.bresp = if self.writable(&there) { OKAY } else { SLVERR };
        }
        self.bvalid = write_now || (self.bvalid && !inputs.bready);
        let answer = self.reading && (!self.exists || self.constant != 0 || done.is_some());
        if answer {
            self.rresp = if self.exists { OKAY } else { SLVERR };
            self.rdata = match (self.exists, self.constant) {
                (false, _) => 0,
                (true, 0) => done.expect("an answer without a word of this block is that of the owner"),
                // What the switch is stands in the map itself: it is the configuration, not behaviour.
                (true, constant) => registers::SWITCH[usize::from(constant) - 1].reset_value(&self.config),
            };
        }
        self.rvalid = answer || (self.rvalid && !inputs.rready);
        self.reading = read_now || (self.reading && !answer);
        self.read.request = false;
        if read_now {
            self.exists = registers::lookup(there.araddr, &self.config).is_some();
            self.constant = self.constant_at(there.araddr);
            self.read = Read { request: self.exists && self.constant == 0, address: there.araddr / WORD_BYTES };
        }
    }

    /// Lists the outputs on the bus.
    pub(crate) fn show(&self, rows: &mut RegisterRows) {
        rows.one(flag("s_axi_awready").of(BUS), !self.held.aw_waits);
        rows.one(flag("s_axi_wready").of(BUS), !self.held.w_waits);
        rows.one(flag("s_axi_arready").of(BUS), !self.held.ar_waits);
        self.responses().for_each(|(response, value)| rows.one(response.of(BUS), value));
    }

    /// What it answers, which it holds in registers.
    fn responses(&self) -> impl Iterator<Item = (SignalSpec, u32)> {
        let values = [self.bvalid.into(), self.bresp.into(), self.rvalid.into(), self.rresp.into(), self.rdata];
        RESPONSES.into_iter().zip(values)
    }
}

/// What belongs to the bus.
const BUS: Owner = Owner::Part("bus");

const RESPONSES: [SignalSpec; 5] = [
    flag("s_axi_bvalid"),
    number("s_axi_bresp", 2),
    flag("s_axi_rvalid"),
    number("s_axi_rresp", 2),
    data("s_axi_rdata"),
];

impl Registers for RegisterBus {
    fn list(&self, rows: &mut RegisterRows) {
        self.responses().for_each(|(register, value)| rows.one(register, value));
        let Held { aw_waits, aw_address, w_waits, w_data, w_strobes, ar_waits, ar_address } = self.held;
        rows.one(flag("aw_waits"), aw_waits);
        rows.one(number("aw_address", 16), aw_address);
        rows.one(flag("w_waits"), w_waits);
        rows.one(data("w_data"), w_data);
        rows.one(number("w_strobes", 4), w_strobes);
        rows.one(flag("ar_waits"), ar_waits);
        rows.one(number("ar_address", 16), ar_address);
        rows.one(READ[0].of(Owner::Block), self.read.request);
        rows.one(READ[1].of(Owner::Block), self.read.address);
        rows.one(flag("reading"), self.reading);
        rows.one(number("constant", 2), self.constant);
        rows.one(flag("exists"), self.exists);
    }
}

inputs! {
    /// What the block sees in a cycle: the bus, and the word that was asked for, in the cycle in which it is there.
    #[derive(Clone, Copy, Debug)]
    pub struct RegisterBusInputs {
        pub bus: BusInputs = BUS_SIGNALS,
        pub done: Option<u32> = (flag("read_done"), data("read_data")),
    }
}

impl Block for RegisterBus {
    type Inputs<'a> = RegisterBusInputs;

    fn outputs(&self, seen: &RegisterBusInputs, rows: &mut RegisterRows) {
        let shown = self.shown_write(&seen.bus);
        self.show(rows);
        rows.one(WRITE[0], self.write(&seen.bus).is_some());
        rows.one(WRITE[1], shown.address);
        rows.one(WRITE[2], shown.data);
        rows.one(READ[0], self.read.request);
        rows.one(READ[1], self.read.address);
    }

    fn edge(&mut self, rst: bool, seen: &RegisterBusInputs) {
        if rst { self.reset() } else { self.clock(&seen.bus, seen.done) }
    }
}
