//! `routing_table`: the routing table of one virtual channel.

use crate::inputs;
use crate::lock_step::Block;
use crate::reference::buffers::memory::Memory;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::routing::table::row_bits;
use powar_config::routing::tables::TableRow;
use powar_config::signal::{destination, flag, set};
use powar_config::{Config, Habit, Owner};

/// The table; what is public is its register.
#[derive(Clone, Debug)]
pub struct RoutingTable {
    address_bits: usize,
    /// A memory for each word of a row.
    memory: Vec<Memory>,
    /// A row has been read since the last reset, and its address had no bit above those of the table.
    pub exists: bool,
}

inputs! {
    /// What the table sees in a cycle.
    #[derive(Clone, Copy, Debug)]
    pub struct RoutingTableInputs<'a> of block: &RoutingTable {
        /// The row at this address becomes these words of 32 bits.
        pub write: bool = flag("write"),
        pub write_row: u16 = destination("write_row").habit(Habit::Usual),
        pub write_word: &'a [u64] = set("write_word", 32).rows(Owner::Block, block.memory.len()),
        /// The head register takes a header with this destination.
        pub read: bool = flag("read").habit(Habit::Frequent),
        pub read_row: u16 = destination("read_row"),
    }
}

impl RoutingTable {
    /// The table of this configuration's switch in its state after reset, with nothing in it.
    pub fn new(config: &Config) -> Self {
        let (address_bits, words) = (row_bits(config), TableRow::word_count(config.ports, config.switch.vcs));
        RoutingTable { address_bits, memory: vec![Memory::new(1 << address_bits); words], exists: false }
    }

    /// The row of the destination in the head register, in words of 32 bits.
    pub fn row(&self) -> impl Iterator<Item = u64> {
        self.memory.iter().map(|memory| if self.exists { memory.output } else { 0 })
    }

    /// The clock edge; with `rst` the memory passes it as always.
    pub fn clock(&mut self, rst: bool, inputs: &RoutingTableInputs) {
        let place = |row: u16| usize::from(row) % (1 << self.address_bits);
        let read = inputs.read.then_some(place(inputs.read_row));
        for (memory, &word) in self.memory.iter_mut().zip(inputs.write_word) {
            memory.clock(read, inputs.write.then_some((place(inputs.write_row), word)));
        }
        if inputs.read {
            self.exists = u32::from(inputs.read_row) >> self.address_bits == 0;
        }
        self.exists &= !rst;
    }
}

impl Registers for RoutingTable {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(flag("exists"), self.exists);
    }
}

impl Block for RoutingTable {
    type Inputs<'a> = RoutingTableInputs<'a>;

    fn outputs(&self, _: &RoutingTableInputs, rows: &mut RegisterRows) {
        rows.many(set("row", 32), self.row());
    }

    fn edge(&mut self, rst: bool, seen: &RoutingTableInputs) {
        self.clock(rst, seen);
    }
}
