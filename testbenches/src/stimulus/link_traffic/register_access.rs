//! Software that reads and writes the switch's registers over AXI4-Lite, so that ports sleep often.

use super::options::Disturbances;
use crate::random::Random;
use crate::stimulus::software::Software;
use powar_config::registers::ADDRESS_BITS;
use powar_config::routing::table;
use powar_config::{Config, Layout, Role};

/// One AXI4-Lite master; it holds what it asks for until it is taken.
#[derive(Clone)]
pub(super) struct RegisterAccess {
    software: Software,
    slots: Slots,
    write: Option<Write>,
    read: Option<u64>,
    /// The rows of the switch's routing table as they are to be, and writes that are still to be made to load it, the last one first.
    table: Vec<table::Write>,
    /// Addresses of the words that say which ports lead to nodes.
    node_ports: Vec<u16>,
    to_load: Vec<table::Write>,
    /// Cycles until what has been written is in the table.
    settling: u32,
}

/// Cycles from the one in which the last word of a row is taken to the first in which a header may meet the new row.
const SETTLING: u32 = 2;

#[derive(Clone, Copy, Debug)]
struct Write {
    address: u64,
    data: u64,
    strobes: u64,
    /// The address and the data may come one after the other.
    address_shown: bool,
    data_shown: bool,
    /// The bus has taken the address, and the data.
    address_taken: bool,
    data_taken: bool,
}

impl Write {
    /// All bytes of a word.
    fn whole(address: u64, data: u64) -> Write {
        let no = false;
        Write { address, data, strobes: 0xf, address_shown: no, data_shown: no, address_taken: no, data_taken: no }
    }

    /// What is left of it behind a cycle in which the bus was ready for these: `None` once all of it is taken.
    fn behind(self, address_ready: bool, data_ready: bool) -> Option<Self> {
        let address_taken = self.address_taken || self.address_shown && address_ready;
        let data_taken = self.data_taken || self.data_shown && data_ready;
        (!(address_taken && data_taken)).then_some(Write { address_taken, data_taken, ..self })
    }
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
    wready: usize,
    arready: usize,
}

impl RegisterAccess {
    pub(super) fn new(config: &Config, layout: &Layout, mut table: Vec<table::Write>) -> Option<Self> {
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
            wready: output("wready")?,
            arready: output("arready")?,
        };
        let to_load = table.iter().rev().copied().collect();
        let software = Software::new(config);
        let of_rows = table.iter().take_while(|&&(address, _)| address < table::NODE_PORTS).count();
        let node_ports = table.split_off(of_rows).into_iter().map(|(address, _)| address).collect();
        Some(RegisterAccess {
            software,
            slots,
            write: None,
            read: None,
            table,
            node_ports,
            to_load,
            settling: SETTLING,
        })
    }

    /// The routing table is loaded, if there is one: packets may come.
    pub(super) fn is_ready(&self) -> bool {
        self.table.is_empty() || self.settling == 0
    }

    /// Forgets what it has asked for: a reset. What is loaded stays loaded.
    pub(super) fn reset(&mut self) {
        (self.write, self.read) = (None, None);
        self.to_load.clear();
        if !self.is_ready() {
            self.to_load.extend(self.table.iter().rev());
            self.settling = SETTLING;
        }
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
            self.write = self.write.and_then(|write| write.behind(last[slots.awready] == 1, last[slots.wready] == 1));
            self.read = self.read.filter(|_| last[slots.arready] == 0);
        }
        if self.write.is_none() && (!self.to_load.is_empty() || !self.is_ready()) {
            self.write = self.to_load.pop().map(|(address, data)| Write::whole(address.into(), data.into()));
            if self.write.is_none() {
                self.settling = self.settling.saturating_sub(1);
            }
        } else if self.write.is_none() && random.one_in(rates.register_write) {
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
            if write.address_shown && !write.address_taken {
                (inputs[slots.awvalid], inputs[slots.awaddr]) = (1, write.address);
            }
            if write.data_shown && !write.data_taken {
                (inputs[slots.wvalid], inputs[slots.wdata], inputs[slots.wstrb]) = (1, write.data, write.strobes);
            }
        }
        if let Some(address) = self.read {
            (inputs[slots.arvalid], inputs[slots.araddr]) = (1, address);
        }
        // A row is written when its last word is taken, and not later, if no answer is in its way.
        inputs[slots.bready] = u64::from(!random.one_in(3) || !self.is_ready());
        inputs[slots.rready] = u64::from(!random.one_in(3));
    }

    /// Mostly a word that can be written, with a value that leaves the ports something to do.
    fn some_write(&mut self, random: &mut Random) -> Write {
        if !self.table.is_empty() && random.one_in(8) {
            return self.row_again(random);
        }
        if !self.node_ports.is_empty() && random.one_in(8) {
            let address = self.node_ports[random.below(self.node_ports.len() as u64) as usize];
            return Write::whole(address.into(), random.below(1 << 32));
        }
        let (mut address, data) = self.software.write(random);
        if random.one_in(10) {
            address = self.software.address_not_written(random);
        }
        let strobes = if random.one_in(10) { random.below(16) } else { 0xf };
        Write { strobes, ..Write::whole(address, data) }
    }

    /// Begins to write a row of the routing table once more, as it is.
    fn row_again(&mut self, random: &mut Random) -> Write {
        // Row 0 begins behind the write of its number, and each row with its first word.
        let words = self.table[2..].iter().position(|&(address, _)| address == table::WORD0);
        let words = words.map_or(self.table.len() - 1, |behind| behind + 1);
        let row = random.below(((self.table.len() - 1) / words) as u64) as usize;
        self.to_load.extend(self.table[1 + row * words..][..words].iter().rev());
        Write::whole(table::ROW.into(), row as u64)
    }
}
