//! Software that reads and writes the switch's registers over AXI4-Lite, so that ports sleep often.

use super::options::Disturbances;
use crate::random::Random;
use crate::stimulus::software::Software;
use powar_config::registers::ADDRESS_BITS;
use powar_config::{Config, Layout, Role};

/// One AXI4-Lite master; it holds what it asks for until it is taken.
#[derive(Clone)]
pub(super) struct RegisterAccess {
    software: Software,
    slots: Slots,
    write: Option<Write>,
    read: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Write {
    address: u64,
    data: u64,
    strobes: u64,
    /// The address and the data may come one after the other.
    address_shown: bool,
    data_shown: bool,
}

#[derive(Clone, Copy, Debug)]
struct Slots {
    awvalid: usize,
    awaddr: usize,
    wvalid: usize,
    wdata: usize,
    wstrb: usize,
    bready: usize,
    arvalid: usize,
    araddr: usize,
    rready: usize,
    awready: usize,
    arready: usize,
}

impl RegisterAccess {
    pub(super) fn new(config: &Config, layout: &Layout) -> Option<Self> {
        let input = |name: &str| layout.input(&format!("s_axi_{name}"));
        let output = |name: &str| layout.observed(Role::Output, &format!("s_axi_{name}"));
        let slots = Slots {
            awvalid: input("awvalid")?,
            awaddr: input("awaddr")?,
            wvalid: input("wvalid")?,
            wdata: input("wdata")?,
            wstrb: input("wstrb")?,
            bready: input("bready")?,
            arvalid: input("arvalid")?,
            araddr: input("araddr")?,
            rready: input("rready")?,
            awready: output("awready")?,
            arready: output("arready")?,
        };
        Some(RegisterAccess { software: Software::new(config), slots, write: None, read: None })
    }

    /// Forgets what it has asked for: a reset.
    pub(super) fn reset(&mut self) {
        (self.write, self.read) = (None, None);
    }

    /// Takes the answers of the cycle before and drives this one.
    pub(super) fn drive(
        &mut self,
        rates: &Disturbances,
        last: Option<&[u64]>,
        random: &mut Random,
        inputs: &mut [u64],
    ) {
        let slots = self.slots;
        if let Some(last) = last {
            self.write = self.write.filter(|_| last[slots.awready] == 0);
            self.read = self.read.filter(|_| last[slots.arready] == 0);
        }
        if self.write.is_none() && random.one_in(rates.register_write) {
            self.write = Some(self.some_write(random));
        }
        if self.read.is_none() && random.one_in(rates.register_read) {
            self.read = Some(self.software.address(random));
        }
        // Wires that nobody looks at show anything.
        for slot in [slots.awaddr, slots.araddr] {
            inputs[slot] = random.below(1 << ADDRESS_BITS);
        }
        (inputs[slots.wdata], inputs[slots.wstrb]) = (random.below(1 << 32), random.below(16));
        if let Some(write) = &mut self.write {
            write.address_shown |= !random.one_in(4);
            write.data_shown |= !random.one_in(4);
            if write.address_shown {
                (inputs[slots.awvalid], inputs[slots.awaddr]) = (1, write.address);
            }
            if write.data_shown {
                (inputs[slots.wvalid], inputs[slots.wdata], inputs[slots.wstrb]) = (1, write.data, write.strobes);
            }
        }
        if let Some(address) = self.read {
            (inputs[slots.arvalid], inputs[slots.araddr]) = (1, address);
        }
        inputs[slots.bready] = u64::from(!random.one_in(3));
        inputs[slots.rready] = u64::from(!random.one_in(3));
    }

    /// Mostly a word that can be written, with a value that leaves the ports something to do.
    fn some_write(&self, random: &mut Random) -> Write {
        let (mut address, data) = self.software.write(random);
        if random.one_in(10) {
            address = self.software.address_not_written(random);
        }
        let strobes = if random.one_in(10) { random.below(16) } else { 0xf };
        Write { address, data, strobes, address_shown: false, data_shown: false }
    }
}
