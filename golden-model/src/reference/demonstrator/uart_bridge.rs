//! `uart_bridge`: LiteX's UARTBone protocol to an AXI4-Lite master.

use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{code, count, data, duration, elapsed, flag, number};
use powar_config::{Habit, Meaning, SignalSpec};

/// What the bridge waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Command,
    Length,
    Address,
    Data,
    Write,
    Read,
    Send,
}

/// Names of the states, by code.
const STATES: [&str; 7] = ["Command", "Length", "Address", "Data", "Write", "Read", "Send"];

/// The bridge; the fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UartBridge {
    pub awvalid: bool,
    pub wvalid: bool,
    pub arvalid: bool,
    pub state: State,
    /// First byte.
    pub command: u8,
    /// Words that are left.
    pub words: u8,
    /// Byte address / 4.
    pub address: u32,
    pub data: u32,
    /// Byte of the number under way.
    pub place: u8,
    /// Cycles without a byte.
    pub elapsed: u32,
}

inputs! {
    /// What comes in from the serial line and the bus.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct BridgeInputs {
        /// A byte from the receiver.
        pub byte: Option<u8> =
            (flag("rx_valid").habit(Habit::Tide), SignalSpec::new("rx_data", 8, Meaning::SerialByte)),
        pub tx_ready: bool = flag("tx_ready").habit(Habit::Tide),
        /// Cycles.
        pub timeout: u32 = duration("timeout", 24),
        pub awready: bool = flag("m_axi_awready").habit(Habit::Tide),
        pub wready: bool = flag("m_axi_wready").habit(Habit::Tide),
        /// The response of a write.
        pub written: Option<u8> =
            (flag("m_axi_bvalid").habit(Habit::Tide), SignalSpec::new("m_axi_bresp", 2, Meaning::Level)),
        pub arready: bool = flag("m_axi_arready").habit(Habit::Tide),
        /// The word and the response of a read.
        pub read: Option<(u32, u8)> = (
            flag("m_axi_rvalid").habit(Habit::Tide),
            (data("m_axi_rdata"), SignalSpec::new("m_axi_rresp", 2, Meaning::Level)),
        ),
    }
}

impl Default for UartBridge {
    fn default() -> Self {
        Self::new()
    }
}

impl UartBridge {
    /// After reset.
    pub fn new() -> Self {
        UartBridge {
            awvalid: false,
            wvalid: false,
            arvalid: false,
            state: State::Command,
            command: 0,
            words: 0,
            address: 0,
            data: 0,
            place: 0,
            elapsed: 0,
        }
    }

    /// `rx_ready`: a byte would be taken.
    pub fn listening(&self) -> bool {
        self.waiting() || self.state == State::Command
    }

    fn waiting(&self) -> bool {
        matches!(self.state, State::Length | State::Address | State::Data)
    }

    /// The byte for the transmitter.
    pub fn sends(&self) -> Option<u8> {
        (self.state == State::Send).then_some((self.data >> 24) as u8)
    }

    /// Byte address of the access.
    pub fn bus_address(&self) -> u32 {
        self.address << 2
    }

    /// An access is answered with an error.
    pub fn bus_error(&self, inputs: &BridgeInputs) -> bool {
        match self.state {
            State::Write => inputs.written.is_some_and(|response| response != 0),
            State::Read => inputs.read.is_some_and(|(_, response)| response != 0),
            _ => false,
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &BridgeInputs) {
        let old = self.clone();
        let byte = inputs.byte.filter(|_| old.listening());
        let expired = old.waiting() && inputs.byte.is_none() && old.elapsed >= inputs.timeout;
        let pauses = old.waiting() && inputs.byte.is_none() && !expired;
        self.elapsed = if pauses { (old.elapsed + 1) & 0xff_ffff } else { 0 };
        self.awvalid = old.awvalid && !inputs.awready;
        self.wvalid = old.wvalid && !inputs.wready;
        self.arvalid = old.arvalid && !inputs.arready;
        let fourth = old.place == 3;
        let mut word_done = false;
        match (old.state, byte) {
            (State::Command, _) => {
                self.place = 0;
                if let Some(byte) = byte {
                    (self.command, self.state) = (byte, State::Length);
                }
            }
            (State::Length, Some(byte)) => (self.words, self.state) = (byte, State::Address),
            (State::Address, Some(byte)) => {
                self.address = old.address << 8 | u32::from(byte);
                self.place = (old.place + 1) % 4;
                if fourth {
                    self.state = match old.command {
                        1 | 3 if old.words != 0 => State::Data,
                        2 | 4 if old.words != 0 => State::Read,
                        _ => State::Command,
                    };
                }
            }
            (State::Data, Some(byte)) => {
                self.data = old.data << 8 | u32::from(byte);
                self.place = (old.place + 1) % 4;
                if fourth {
                    self.state = State::Write;
                    (self.awvalid, self.wvalid) = (true, true);
                }
            }
            (State::Length | State::Address | State::Data, None) => (),
            (State::Write, _) => word_done = inputs.written.is_some(),
            (State::Read, _) => {
                if let Some((word, _)) = inputs.read {
                    (self.data, self.state) = (word, State::Send);
                }
            }
            (State::Send, _) => {
                if inputs.tx_ready {
                    self.data = old.data << 8;
                    self.place = (old.place + 1) % 4;
                    word_done = fourth;
                }
            }
        }
        if word_done {
            self.words = old.words.wrapping_sub(1);
            if matches!(old.command, 1 | 2) {
                self.address = old.address.wrapping_add(1);
            }
            self.state = match old.state {
                _ if old.words == 1 => State::Command,
                State::Write => State::Data,
                _ => State::Read,
            };
        }
        if expired {
            (self.state, self.place) = (State::Command, 0);
        }
        if self.state == State::Read && old.state != State::Read {
            self.arvalid = true;
        }
    }
}

impl Registers for UartBridge {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(flag("m_axi_awvalid"), self.awvalid);
        rows.one(flag("m_axi_wvalid"), self.wvalid);
        rows.one(flag("m_axi_arvalid"), self.arvalid);
        rows.one(code("state", 3, &STATES), self.state as u8);
        rows.one(number("command", 8), self.command);
        rows.one(count("words", 8), self.words);
        rows.one(number("address", 32), self.address);
        rows.one(data("data"), self.data);
        rows.one(count("place", 2), self.place);
        rows.one(elapsed("elapsed", 24), self.elapsed);
    }
}

impl Block for UartBridge {
    type Inputs<'a> = BridgeInputs;

    fn outputs(&self, seen: &BridgeInputs, rows: &mut RegisterRows) {
        rows.one(flag("rx_ready"), self.listening());
        rows.one(flag("tx_valid"), self.state == State::Send);
        rows.one(number("tx_data", 8), self.data >> 24);
        rows.one(flag("m_axi_awvalid"), self.awvalid);
        rows.one(number("m_axi_awaddr", 32), self.bus_address());
        rows.one(flag("m_axi_wvalid"), self.wvalid);
        rows.one(data("m_axi_wdata"), self.data);
        rows.one(number("m_axi_wstrb", 4), 0b1111u8);
        rows.one(flag("m_axi_bready"), self.state == State::Write);
        rows.one(flag("m_axi_arvalid"), self.arvalid);
        rows.one(number("m_axi_araddr", 32), self.bus_address());
        rows.one(flag("m_axi_rready"), self.state == State::Read);
        rows.one(flag("bus_error"), self.bus_error(seen));
    }

    fn edge(&mut self, rst: bool, seen: &BridgeInputs) {
        if rst { *self = Self::new() } else { self.clock(seen) }
    }
}
