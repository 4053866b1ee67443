//! The register bus: AXI4-Lite, one access in each direction at a time.

use crate::reference::power::mechanism::Write;
use crate::reference::power::power_manager::Read;
use crate::reference::registers::register_bus::{BusInputs, Held};
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

/// The registers of the bus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BusRegisters {
    /// What was taken and waits.
    pub held: Held,
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
    /// What waits can go on as soon as the answer before it is taken.
    pub(super) fn is_active(&self) -> bool {
        self.reading || self.held.ar_waits || self.held.aw_waits && self.held.w_waits
    }

    /// The clock edge. `done` is the word that was asked for, in the cycle in which it is there. The write for the owner of its word, if
    /// there is one.
    pub(super) fn clock(&mut self, inputs: &BusInputs, config: &Config, done: Option<u32>) -> Option<Write> {
        let before = *self;
        let there = before.held.before(inputs);
        let writes_now = there.awvalid && there.wvalid && (!before.bvalid || inputs.bready);
        let reads_now = there.arvalid && !before.reading && (!before.rvalid || inputs.rready);
        self.held.clock(inputs, writes_now, reads_now);
        self.bvalid = writes_now || before.bvalid && !inputs.bready;
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
        self.reading = reads_now || before.reading && answer.is_none();
        self.read.request = false;
        if reads_now {
            let place = registers::lookup(there.araddr, config).map(|register| register.owner);
            self.exists = place.is_some();
            self.constant = match place {
                Some(RegisterOwner::Switch(place)) if place < CONSTANTS => place as u8 + 1,
                _ => 0,
            };
            self.read = Read { request: self.exists && self.constant == 0, address: there.araddr / WORD_BYTES };
        }
        if !writes_now {
            return None;
        }
        let register = registers::lookup(there.awaddr, config);
        let writable = register.is_some_and(|register| register.word.access == Access::ReadWrite);
        let writes = writable && there.wstrb == 0b1111;
        self.bresp = if writes { 0 } else { SLVERR };
        writes.then_some(Write { address: (there.awaddr / WORD_BYTES) & 0x3ff, data: there.wdata })
    }
}
