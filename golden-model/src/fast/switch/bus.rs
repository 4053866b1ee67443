//! The register bus: AXI4-Lite, one access in each direction at a time.

use crate::reference::power::mechanism::Write;
use crate::reference::power::power_manager::Read;
use crate::reference::registers::register_bus::BusInputs;
use powar_config::Config;
use powar_config::registers::{self, Access, RegisterOwner, WORD_BYTES};

impl BusInputs {
    /// A write of a word at a byte address, whose answer is taken at once.
    pub fn write(address: u16, data: u32) -> BusInputs {
        BusInputs {
            awvalid: true,
            awaddr: address,
            wvalid: true,
            wdata: data,
            wstrb: 0b1111,
            bready: true,
            ..Self::default()
        }
    }

    /// A read of a word, with the last answer taken. Its answer is shown two cycles later or more: a counter waits for its turn.
    pub fn read(address: u16) -> BusInputs {
        BusInputs { arvalid: true, araddr: address, rready: true, ..Self::default() }
    }
}

/// The registers of the bus; the first five are outputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BusRegisters {
    pub bvalid: bool,
    /// 0 OKAY, 2 SLVERR.
    pub bresp: u8,
    pub rvalid: bool,
    pub rresp: u8,
    pub rdata: u32,
    /// The word that owners are asked for, from the cycle after the one in which the read is taken.
    pub read: Read,
    /// A read has been taken and has no answer yet.
    pub reading: bool,
    /// Which of the words that never change it was, counted from 1; 0: none.
    pub constant: u8,
    /// It was the address of a word.
    pub exists: bool,
}

/// The answer to an access that there is no register for.
const SLVERR: u8 = 2;
/// Words of every switch that never change: the first of them.
const CONSTANTS: usize = 3;

impl BusRegisters {
    /// `awready` and `wready`.
    pub fn write_ready(&self, inputs: &BusInputs) -> bool {
        inputs.awvalid && inputs.wvalid && (!self.bvalid || inputs.bready)
    }

    /// `arready`.
    pub fn read_ready(&self, inputs: &BusInputs) -> bool {
        inputs.arvalid && !self.reading && (!self.rvalid || inputs.rready)
    }

    /// The clock edge. `done` is the word that was asked for, in the cycle in which it is there. The write for the owner of its word, if
    /// there is one.
    pub(super) fn clock(&mut self, inputs: &BusInputs, config: &Config, done: Option<u32>) -> Option<Write> {
        let before = *self;
        self.bvalid = before.write_ready(inputs) || before.bvalid && !inputs.bready;
        let constant = usize::from(before.constant).checked_sub(1);
        let word = match constant {
            _ if !before.exists => Some(0),
            Some(place) => Some(registers::SWITCH[place].reset_value(config)),
            None => done,
        };
        let answer = word.filter(|_| before.reading);
        self.rvalid = answer.is_some() || before.rvalid && !inputs.rready;
        if let Some(word) = answer {
            (self.rresp, self.rdata) = (if before.exists { 0 } else { SLVERR }, word);
        }
        let taken = before.read_ready(inputs);
        self.reading = taken || before.reading && answer.is_none();
        self.read.request = false;
        if taken {
            let place = registers::lookup(inputs.araddr, config).map(|register| register.owner);
            self.exists = place.is_some();
            self.constant = match place {
                Some(RegisterOwner::Switch(place)) if place < CONSTANTS => place as u8 + 1,
                _ => 0,
            };
            self.read = Read { request: self.exists && self.constant == 0, address: inputs.araddr / WORD_BYTES };
        }
        if !before.write_ready(inputs) {
            return None;
        }
        let register = registers::lookup(inputs.awaddr, config);
        let writable = register.is_some_and(|register| register.word.access == Access::ReadWrite);
        let writes = writable && inputs.wstrb == 0b1111;
        self.bresp = if writes { 0 } else { SLVERR };
        writes.then_some(Write { address: (inputs.awaddr / WORD_BYTES) & 0x3ff, data: inputs.wdata })
    }
}
