//! The routing table of the event-driven switch, and the register words through which software loads it.

use crate::reference::power::mechanism::Write;
use crate::reference::power::power_manager::Read;
use crate::reference::routing::TableLoader;
use powar_config::Config;
use powar_config::routing::table::row_bits;
use powar_config::routing::tables::{RoutingTables, TableRow};
use std::sync::Arc;

/// A row that has been in the loader's registers in cycle t is in the answer for what has come to a head register in t + 1 or later. Such an
/// answer is given a cycle after that.
const UNTIL_SEEN: u64 = 2;

/// What all virtual channels of a switch have in their routing tables.
#[derive(Clone, Debug)]
pub(super) struct Table {
    rows: Rows,
    pub loader: TableLoader,
    ports: usize,
    vcs: usize,
    address_bits: usize,
    /// Rows that are on their way to the memory: the cycle in which they are seen, their address.
    due: Vec<(u64, u16, TableRow)>,
    /// Ports to nodes, of each of several switches in one: theirs have no bus, so that nothing but a reset changes them. Of one switch they are in
    /// the loader.
    of_parts: Vec<u64>,
}

#[derive(Clone, Debug)]
enum Rows {
    /// Those that software would write for a switch of a network, made when they are asked for; of several, the first of them.
    Computed(Arc<RoutingTables>, usize),
    /// Those that software has written, by address; all of them, or none while there are none.
    Written(Vec<TableRow>),
}

impl Table {
    /// A table with nothing in it; `None` if the configuration's routing has none.
    pub fn new(config: &Config) -> Option<Box<Table>> {
        config.routing_sees().table.then(|| {
            Box::new(Table {
                rows: Rows::Written(Vec::new()),
                loader: TableLoader::new(config),
                ports: config.ports,
                vcs: config.switch.vcs,
                address_bits: row_bits(config),
                due: Vec::new(),
                of_parts: Vec::new(),
            })
        })
    }

    /// Loads the tables of so many switches of a network, with the number of the first.
    pub fn load(&mut self, tables: Arc<RoutingTables>, first: usize, switches: usize) {
        match switches {
            1 => self.loader.load_node_ports(tables.node_ports(first)),
            _ => self.of_parts = (first..first + switches).map(|switch| tables.node_ports(switch)).collect(),
        }
        self.rows = Rows::Computed(tables, first);
    }

    /// The ports of a part of the switch that lead to nodes, bit 0 its first port; what software has written is for all of it.
    #[inline]
    pub fn node_ports(&self, part: usize) -> u64 {
        self.of_parts.get(part).copied().unwrap_or_else(|| self.loader.node_ports())
    }

    /// Bits that an address has.
    pub fn address_bits(&self) -> usize {
        self.address_bits
    }

    /// The row of a destination for a part of the switch; what software has written is for all of it.
    #[inline]
    pub fn row(&self, part: usize, destination: u16) -> TableRow {
        match &self.rows {
            Rows::Computed(tables, first) => tables.row(first + part, destination),
            Rows::Written(rows) => rows.get(usize::from(destination)).copied().unwrap_or_default(),
        }
    }

    /// Something of it changes with the next edge, whether or not there is a write or a read.
    pub fn is_active(&self) -> bool {
        self.loader.write || !self.due.is_empty()
    }

    /// The clock edge that ends cycle `now`, before routes are asked for in it.
    pub fn clock(&mut self, now: u64, write: Option<Write>, read: &Read) {
        while self.due.first().is_some_and(|&(seen, ..)| seen <= now) {
            let (_, address, row) = self.due.remove(0);
            self.write(address, row);
        }
        if self.loader.write {
            self.due.push((now + UNTIL_SEEN, self.loader.row, self.written()));
        }
        self.loader.clock(write, read);
    }

    /// A reset: what is on its way to the memory gets there, and no row has been read.
    pub fn reset(&mut self) {
        if self.loader.write {
            self.due.push((0, self.loader.row, self.written()));
        }
        for (_, address, row) in std::mem::take(&mut self.due) {
            self.write(address, row);
        }
        self.loader.reset();
        self.of_parts.clear();
    }

    /// The row in the loader's registers.
    fn written(&self) -> TableRow {
        TableRow::of_words(&self.loader.word, self.ports, self.vcs)
    }

    fn write(&mut self, address: u16, row: TableRow) {
        let rows = 1 << self.address_bits;
        if let Rows::Computed(tables, switch) = &self.rows {
            self.rows = Rows::Written((0..rows).map(|address| tables.row(*switch, address as u16)).collect());
        }
        if let Rows::Written(known) = &mut self.rows {
            known.resize(rows, TableRow::default());
            known[usize::from(address)] = row;
        }
    }
}
