//! `table_loader`: the register words through which software loads the routing tables of a switch.

use crate::lock_step::{Frames, Observed, Slots, declare};
use crate::reference::power::mechanism::{READ, Write, write_signals};
use crate::reference::power::power_manager::Read;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::registers::{WORD_BYTES, Word, routing_words};
use powar_config::routing::table::NODE_PORTS;
use powar_config::signal::{RST, data, destination, flag};
use powar_config::{Config, Owner, Role, SignalDecl, SignalSpec};

/// The loader; the public fields are its registers.
#[derive(Clone, Debug)]
pub struct TableLoader {
    /// `table_row`, `table_word0` ..., and those that say which ports lead to nodes, if the routing sees that.
    words: Vec<Word>,
    /// The word that was asked for last; 0 if it is none of these.
    pub read_data: u32,
    /// The tables' row becomes `word` at the end of this cycle.
    pub write: bool,
    pub row: u16,
    pub word: Vec<u32>,
    /// Ports that lead to nodes, 32 in each.
    pub node_ports: Vec<u32>,
}

impl TableLoader {
    /// The loader of this configuration's switch, whose routing has a table, in its state after reset.
    pub fn new(config: &Config) -> Self {
        let words = routing_words(config);
        let of_row = words.iter().filter(|word| word.offset < NODE_PORTS).count() - 1;
        let node_ports = vec![0; words.len() - 1 - of_row];
        TableLoader { words, read_data: 0, write: false, row: 0, word: vec![0; of_row], node_ports }
    }

    /// Ports that lead to nodes: bit p is port p.
    pub fn node_ports(&self) -> u64 {
        self.node_ports.iter().rev().fold(0, |ports, &word| ports << 32 | u64::from(word))
    }

    /// As if software had said that these ports lead to nodes; nothing happens if the routing does not see that.
    pub fn load_node_ports(&mut self, ports: u64) {
        for (place, word) in self.node_ports.iter_mut().enumerate() {
            *word = (ports >> (32 * place)) as u32;
        }
    }

    /// The place of an address (byte address / 4) among the words.
    fn place(&self, address: u16) -> Option<usize> {
        self.words.iter().position(|word| word.offset / WORD_BYTES == address)
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        (self.read_data, self.write, self.row) = (0, false, 0);
        self.word.fill(0);
        self.node_ports.fill(0);
    }

    /// The clock edge.
    pub fn clock(&mut self, write: Option<Write>, read: &Read) {
        if read.request {
            self.read_data = match self.place(read.address) {
                None => 0,
                Some(0) => self.row.into(),
                Some(place) => *self.word.iter().chain(&self.node_ports).nth(place - 1).expect("a word's place"),
            };
        }
        let row_mask = self.words[0].mask() as u16;
        if self.write {
            self.row = self.row.wrapping_add(1) & row_mask;
        }
        let written = write.and_then(|write| Some((self.place(write.address)?, write.data)));
        self.write = false;
        if let Some((place, data)) = written {
            let data = data & self.words[place].mask();
            match place.checked_sub(1) {
                None => self.row = data as u16,
                Some(place) if place < self.word.len() => {
                    self.word[place] = data;
                    self.write = place + 1 == self.word.len();
                }
                Some(place) => self.node_ports[place - self.word.len()] = data,
            }
        }
    }

    fn outputs(&self) -> [SignalSpec; 4] {
        [data("read_data"), flag("write"), destination("row"), data("word").rows(Owner::Block, self.word.len())]
    }

    /// Which ports lead to nodes, if the routing sees that.
    fn of_ports(&self) -> Option<SignalSpec> {
        let words = self.node_ports.len();
        (words > 0).then(|| data("node_ports").rows(Owner::Block, words))
    }
}

impl Registers for TableLoader {
    fn list(&self, rows: &mut RegisterRows) {
        let [read_data, write, row, word] = self.outputs();
        rows.one(read_data, self.read_data);
        rows.one(write, self.write);
        rows.one(row, self.row);
        rows.many(word, self.word.iter().copied());
        if let Some(node_ports) = self.of_ports() {
            rows.many(node_ports, self.node_ports.iter().copied());
        }
    }
}

impl Frames for TableLoader {
    fn signals(&self) -> Vec<SignalDecl> {
        let mut signals = declare(Role::Input, [RST]);
        signals.extend(write_signals());
        signals.extend(declare(Role::Input, READ));
        signals.extend(declare(Role::Output, self.outputs().into_iter().chain(self.of_ports())));
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let mut slots = Slots(inputs);
        let rst = slots.bit();
        let write = Write::take(&mut slots);
        let read = Read::take(&mut slots);
        let shown = RegisterRows::of(self);
        for _ in ["as outputs", "as registers"] {
            shown.observe(observed);
        }
        if rst { self.reset() } else { self.clock(write, &read) }
    }
}
