//! The register bus (section 5.12): AXI4-Lite, one access in each direction at a time.

use crate::reference::registers::register_bus::BusInputs;
use powar_config::Config;
use powar_config::register_map::{self, Place};

impl BusInputs {
    /// A write of a control register by its address of section 3.12, whose answer is taken at once.
    pub fn write(register: u8, data: u32) -> BusInputs {
        let awaddr = register_map::CONTROL_BASE + u16::from(register) * register_map::WORD_BYTES;
        BusInputs { awvalid: true, awaddr, wvalid: true, wdata: data, wstrb: 0b1111, bready: true, ..Self::default() }
    }

    /// A read of a word, with the last answer taken.
    pub fn read(address: u16) -> BusInputs {
        BusInputs { arvalid: true, araddr: address, rready: true, ..Self::default() }
    }
}

/// The registers of the bus, all of them outputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BusOutputs {
    pub bvalid: bool,
    /// 0 OKAY, 2 SLVERR.
    pub bresp: u8,
    pub rvalid: bool,
    pub rresp: u8,
    pub rdata: u32,
}

/// The answer to an access that there is no register for.
const SLVERR: u8 = 2;

impl BusOutputs {
    /// `awready` and `wready`.
    pub fn write_ready(&self, inputs: &BusInputs) -> bool {
        inputs.awvalid && inputs.wvalid && (!self.bvalid || inputs.bready)
    }

    /// `arready`.
    pub fn read_ready(&self, inputs: &BusInputs) -> bool {
        inputs.arvalid && (!self.rvalid || inputs.rready)
    }

    /// The clock edge. `word` is what stands at a place of the map in this cycle. The write for the control registers, if
    /// there is one.
    pub(super) fn clock(
        &mut self,
        inputs: &BusInputs,
        config: &Config,
        word: impl Fn(Place) -> u32,
    ) -> Option<(u8, u32)> {
        let before = *self;
        self.bvalid = before.write_ready(inputs) || before.bvalid && !inputs.bready;
        self.rvalid = before.read_ready(inputs) || before.rvalid && !inputs.rready;
        if before.read_ready(inputs) {
            let found = register_map::lookup(inputs.araddr, config);
            self.rresp = if found.is_some() { 0 } else { SLVERR };
            self.rdata = found.map_or(0, |register| word(register.place));
        }
        if !before.write_ready(inputs) {
            return None;
        }
        let written = match register_map::lookup(inputs.awaddr, config).map(|register| register.place) {
            Some(Place::Control(address)) if inputs.wstrb == 0b1111 => Some((address as u8, inputs.wdata)),
            _ => None,
        };
        self.bresp = if written.is_some() { 0 } else { SLVERR };
        written
    }
}
