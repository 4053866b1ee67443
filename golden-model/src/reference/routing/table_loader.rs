//! `table_loader`: the register words through which software loads the routing tables of a switch.

use crate::inputs;
use crate::lock_step::Block;
use crate::reference::power::mechanism::{WRITE_INPUT, Write};
use crate::reference::power::power_manager::Read;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::Config;
use powar_config::registers::{WORD_BYTES, Word, routing_words};
use powar_config::routing::table::NODE_PORTS;
use powar_config::signal::{data, destination, flag};

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
}

impl Registers for TableLoader {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(data("read_data"), self.read_data);
        rows.one(flag("write"), self.write);
        rows.one(destination("row"), self.row);
        rows.many(data("word"), self.word.iter().copied());
        // The words of which ports lead to nodes are there if the routing sees that.
        if !self.node_ports.is_empty() {
            rows.many(data("node_ports"), self.node_ports.iter().copied());
        }
    }
}

inputs! {
    /// What the loader sees of software in a cycle.
    #[derive(Clone, Copy, Debug)]
    pub struct LoaderInputs {
        pub write: Option<Write> = WRITE_INPUT,
        pub read: Read = (),
    }
}

impl Block for TableLoader {
    type Inputs<'a> = LoaderInputs;

    fn outputs(&self, _: &LoaderInputs, rows: &mut RegisterRows) {
        self.list(rows);
    }

    fn edge(&mut self, rst: bool, seen: &LoaderInputs) {
        if rst { self.reset() } else { self.clock(seen.write, &seen.read) }
    }
}
