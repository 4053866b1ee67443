//! Software that reads and writes the switch's registers over AXI4-Lite, so that ports sleep often.

use super::options::Disturbances;
use crate::random::Random;
use powar_config::{Layout, Role, register_map};

/// One AXI4-Lite master; it holds what it asks for until it is taken.
#[derive(Clone, Debug)]
pub(super) struct RegisterAccess {
    ports: usize,
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
    pub(super) fn new(layout: &Layout, ports: usize) -> Option<Self> {
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
        Some(RegisterAccess { ports, slots, write: None, read: None })
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
            self.read = Some(self.some_address(random));
        }
        // Wires that nobody looks at show anything.
        for slot in [slots.awaddr, slots.araddr] {
            inputs[slot] = random.below(1 << register_map::ADDRESS_BITS);
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

    /// Mostly a control register with a value that leaves the ports something to do.
    fn some_write(&self, random: &mut Random) -> Write {
        let register = match random.below(16) {
            // Rarely, so that the statistics have time to grow.
            0 => 10,
            1..=3 => 0,
            // What decides most on how often ports sleep.
            4..=6 => 1,
            _ => 2 + random.below(8),
        };
        let small = match register {
            // Reference, which never sleeps, only now and then.
            0 => random.below(4).max(random.below(4)),
            1 => random.below(64),
            2 => 1 + random.below(200),
            3 => random.below(160),
            4 => random.below(80),
            9 | 10 => random.below(2),
            _ => random.below(40),
        };
        // Bits that the register does not have.
        let high = match register {
            0 | 9 | 10 => random.bits() << 2,
            2..=4 => random.bits() << 16,
            _ => random.bits() << 24,
        };
        let data = if register == 9 || register == 10 { small | high & !3 } else { small | high };
        let address = u64::from(register_map::CONTROL_BASE) + 4 * register;
        Write {
            address: if random.one_in(10) { self.some_address(random) & !0x7f | 1 } else { address },
            data: data & 0xffff_ffff,
            strobes: if random.one_in(10) { random.below(16) } else { 0xf },
            address_shown: false,
            data_shown: false,
        }
    }

    /// Any address: mostly one of the map, or just beside it.
    fn some_address(&self, random: &mut Random) -> u64 {
        let port = u64::from(register_map::PORT_BASE);
        match random.below(8) {
            0 => random.below(1 << register_map::ADDRESS_BITS),
            1 => 4 * random.below(4),
            2 | 3 => u64::from(register_map::CONTROL_BASE) + 4 * random.below(13),
            4 => port + random.below(self.ports as u64 * 0x40 + 0x40),
            _ => port + 0x40 * random.below(self.ports as u64) + 4 * random.below(14),
        }
    }
}
