//! `axi_lite_decoder`: one AXI4-Lite master, a window of 64 KiB for each slave.

use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{choice, code, data, flag, flags, number};
use powar_config::{Habit, Meaning, Owner, SignalSpec};

const SLVERR: u8 = 2;

/// How far an access has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Idle,
    Forward,
    Answer,
}

/// Names of the states, by code.
const STATES: [&str; 3] = ["Idle", "Forward", "Answer"];

/// The decoder; the public fields are its registers. Vectors have one bit a slave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxiLiteDecoder {
    slaves: usize,
    pub bresp: u8,
    pub rresp: u8,
    pub rdata: u32,
    pub awvalid: u64,
    pub wvalid: u64,
    pub arvalid: u64,
    pub awaddr: u16,
    pub wdata: u32,
    pub wstrb: u8,
    pub araddr: u16,
    pub write_state: State,
    pub read_state: State,
    pub write_window: u64,
    pub read_window: u64,
}

inputs! {
    /// Requests of the master.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct MasterInputs {
        pub awvalid: bool = flag("s_axi_awvalid").habit(Habit::Tide),
        pub awaddr: u32 = SignalSpec::new("s_axi_awaddr", 32, Meaning::ByteAddress),
        pub wvalid: bool = flag("s_axi_wvalid").habit(Habit::Tide),
        pub wdata: u32 = data("s_axi_wdata"),
        pub wstrb: u8 = SignalSpec::new("s_axi_wstrb", 4, Meaning::ByteEnables),
        pub bready: bool = flag("s_axi_bready").habit(Habit::Tide),
        pub arvalid: bool = flag("s_axi_arvalid").habit(Habit::Tide),
        pub araddr: u32 = SignalSpec::new("s_axi_araddr", 32, Meaning::ByteAddress),
        pub rready: bool = flag("s_axi_rready").habit(Habit::Tide),
    }
}

inputs! {
    /// Answers of the slaves: vectors of flags, and a row each.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct SlaveInputs of slaves: usize {
        pub awready: u64 = often("m_axi_awready", slaves),
        pub wready: u64 = often("m_axi_wready", slaves),
        pub bvalid: u64 = often("m_axi_bvalid", slaves),
        pub bresp: Vec<u8> = response("m_axi_bresp", slaves),
        pub arready: u64 = often("m_axi_arready", slaves),
        pub rvalid: u64 = often("m_axi_rvalid", slaves),
        pub rdata: Vec<u32> = data("m_axi_rdata").rows(Owner::Block, slaves),
        pub rresp: Vec<u8> = response("m_axi_rresp", slaves),
    }
}

impl AxiLiteDecoder {
    /// For so many slaves, up to 64, after reset.
    pub fn new(slaves: usize) -> Self {
        AxiLiteDecoder {
            slaves,
            bresp: 0,
            rresp: 0,
            rdata: 0,
            awvalid: 0,
            wvalid: 0,
            arvalid: 0,
            awaddr: 0,
            wdata: 0,
            wstrb: 0,
            araddr: 0,
            write_state: State::Idle,
            read_state: State::Idle,
            write_window: 0,
            read_window: 0,
        }
    }

    /// The slave in whose window an address is, one-hot.
    fn hit(&self, address: u32) -> u64 {
        let window = (address >> 16) as usize;
        if window < self.slaves { 1 << window } else { 0 }
    }

    /// A write is taken from the master: `s_axi_awready` and `s_axi_wready`.
    pub fn write_now(&self, master: &MasterInputs) -> bool {
        self.write_state == State::Idle && master.awvalid && master.wvalid
    }

    /// A read is taken: `s_axi_arready`.
    pub fn read_now(&self, master: &MasterInputs) -> bool {
        self.read_state == State::Idle && master.arvalid
    }

    /// `m_axi_bready`.
    pub fn bready(&self) -> u64 {
        if self.write_state == State::Forward { self.write_window } else { 0 }
    }

    /// `m_axi_rready`.
    pub fn rready(&self) -> u64 {
        if self.read_state == State::Forward { self.read_window } else { 0 }
    }

    /// The clock edge.
    pub fn clock(&mut self, master: &MasterInputs, slaves: &SlaveInputs) {
        self.clock_writes(master, slaves);
        self.clock_reads(master, slaves);
    }

    fn clock_writes(&mut self, master: &MasterInputs, slaves: &SlaveInputs) {
        self.awvalid &= !slaves.awready;
        self.wvalid &= !slaves.wready;
        match self.write_state {
            State::Idle if self.write_now(master) => {
                let hit = self.hit(master.awaddr);
                (self.awaddr, self.wdata, self.wstrb) = (master.awaddr as u16, master.wdata, master.wstrb);
                self.write_window = hit;
                self.awvalid |= hit;
                self.wvalid |= hit;
                if hit == 0 {
                    (self.write_state, self.bresp) = (State::Answer, SLVERR);
                } else {
                    self.write_state = State::Forward;
                }
            }
            State::Forward if slaves.bvalid & self.write_window != 0 => {
                self.bresp = slaves.bresp[self.write_window.trailing_zeros() as usize];
                self.write_state = State::Answer;
            }
            State::Answer if master.bready => self.write_state = State::Idle,
            _ => (),
        }
    }

    fn clock_reads(&mut self, master: &MasterInputs, slaves: &SlaveInputs) {
        self.arvalid &= !slaves.arready;
        match self.read_state {
            State::Idle if self.read_now(master) => {
                let hit = self.hit(master.araddr);
                self.araddr = master.araddr as u16;
                self.read_window = hit;
                self.arvalid |= hit;
                if hit == 0 {
                    (self.read_state, self.rresp, self.rdata) = (State::Answer, SLVERR, 0);
                } else {
                    self.read_state = State::Forward;
                }
            }
            State::Forward if slaves.rvalid & self.read_window != 0 => {
                let slave = self.read_window.trailing_zeros() as usize;
                (self.rresp, self.rdata) = (slaves.rresp[slave], slaves.rdata[slave]);
                self.read_state = State::Answer;
            }
            State::Answer if master.rready => self.read_state = State::Idle,
            _ => (),
        }
    }
}

impl Registers for AxiLiteDecoder {
    fn list(&self, rows: &mut RegisterRows) {
        let slaves = |name| SignalSpec::new(name, self.slaves, Meaning::Flag);
        rows.one(number("s_axi_bresp", 2), self.bresp);
        rows.one(number("s_axi_rresp", 2), self.rresp);
        rows.one(data("s_axi_rdata"), self.rdata);
        rows.one(slaves("m_axi_awvalid"), self.awvalid);
        rows.one(slaves("m_axi_wvalid"), self.wvalid);
        rows.one(slaves("m_axi_arvalid"), self.arvalid);
        rows.one(number("m_axi_awaddr", 16), self.awaddr);
        rows.one(data("m_axi_wdata"), self.wdata);
        rows.one(number("m_axi_wstrb", 4), self.wstrb);
        rows.one(number("m_axi_araddr", 16), self.araddr);
        rows.one(code("write_state", 2, &STATES), self.write_state as u8);
        rows.one(code("read_state", 2, &STATES), self.read_state as u8);
        rows.one(choice("write_window", self.slaves), self.write_window);
        rows.one(choice("read_window", self.slaves), self.read_window);
    }
}

fn often(name: &'static str, slaves: usize) -> SignalSpec {
    flags(name, Owner::Block, slaves).habit(Habit::Tide)
}

fn response(name: &'static str, slaves: usize) -> SignalSpec {
    SignalSpec::new(name, 2, Meaning::Level).rows(Owner::Block, slaves)
}

inputs! {
    /// What the decoder sees in a cycle.
    #[derive(Clone, Debug)]
    pub struct DecoderInputs of block: &AxiLiteDecoder {
        pub master: MasterInputs = (),
        pub slaves: SlaveInputs = block.slaves,
    }
}

impl Block for AxiLiteDecoder {
    type Inputs<'a> = DecoderInputs;

    fn outputs(&self, seen: &DecoderInputs, rows: &mut RegisterRows) {
        let (write_now, read_now) = (self.write_now(&seen.master), self.read_now(&seen.master));
        let slaves = |name| flags(name, Owner::Block, self.slaves);
        rows.one(flag("s_axi_awready"), write_now);
        rows.one(flag("s_axi_wready"), write_now);
        rows.one(flag("s_axi_bvalid"), self.write_state == State::Answer);
        rows.one(number("s_axi_bresp", 2), self.bresp);
        rows.one(flag("s_axi_arready"), read_now);
        rows.one(flag("s_axi_rvalid"), self.read_state == State::Answer);
        rows.one(data("s_axi_rdata"), self.rdata);
        rows.one(number("s_axi_rresp", 2), self.rresp);
        rows.one(slaves("m_axi_awvalid"), self.awvalid);
        rows.one(number("m_axi_awaddr", 16), self.awaddr);
        rows.one(slaves("m_axi_wvalid"), self.wvalid);
        rows.one(data("m_axi_wdata"), self.wdata);
        rows.one(number("m_axi_wstrb", 4), self.wstrb);
        rows.one(slaves("m_axi_bready"), self.bready());
        rows.one(slaves("m_axi_arvalid"), self.arvalid);
        rows.one(number("m_axi_araddr", 16), self.araddr);
        rows.one(slaves("m_axi_rready"), self.rready());
    }

    fn edge(&mut self, rst: bool, seen: &DecoderInputs) {
        if rst { *self = Self::new(self.slaves) } else { self.clock(&seen.master, &seen.slaves) }
    }
}
