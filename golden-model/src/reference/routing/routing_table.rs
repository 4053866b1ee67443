//! `routing_table`: the routing table of one virtual channel.

use crate::lock_step::{Frames, Observed, Slots, declare};
use crate::reference::buffers::memory::Memory;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::routing::table::row_bits;
use powar_config::routing::tables::TableRow;
use powar_config::signal::{RST, destination, flag, set};
use powar_config::{Config, Habit, Owner, Role, SignalDecl};

/// The table; what is public is its register.
#[derive(Clone, Debug)]
pub struct RoutingTable {
    address_bits: usize,
    /// A memory for each word of a row.
    memory: Vec<Memory>,
    /// A row has been read since the last reset, and its address had no bit above those of the table.
    pub exists: bool,
}

/// What the table sees in a cycle.
#[derive(Clone, Copy, Debug)]
pub struct RoutingTableInputs<'a> {
    /// The row at this address becomes these words of 32 bits.
    pub write: bool,
    pub write_row: u16,
    pub write_word: &'a [u64],
    /// The head register takes a header with this destination.
    pub read: bool,
    pub read_row: u16,
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

impl Frames for RoutingTable {
    fn signals(&self) -> Vec<SignalDecl> {
        let words = self.memory.len();
        let inputs = [
            RST,
            flag("write"),
            destination("write_row").habit(Habit::Usual),
            set("write_word", 32).rows(Owner::Block, words),
            flag("read").habit(Habit::Frequent),
            destination("read_row"),
        ];
        let mut signals = declare(Role::Input, inputs);
        signals.extend(declare(Role::Output, [set("row", 32).rows(Owner::Block, words)]));
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let mut slots = Slots(inputs);
        let rst = slots.bit();
        let seen = RoutingTableInputs {
            write: slots.bit(),
            write_row: slots.one() as u16,
            write_word: slots.rows(self.memory.len()),
            read: slots.bit(),
            read_row: slots.one() as u16,
        };
        observed.rows(self.row());
        RegisterRows::of(self).observe(observed);
        self.clock(rst, &seen);
    }
}
