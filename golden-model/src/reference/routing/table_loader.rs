//! `table_loader`: the register words through which software loads the routing tables of a switch.

use crate::lock_step::{Block, Observed, Slots, declare};
use crate::reference::power::mechanism::{READ, Write, write_signals};
use crate::reference::power::power_manager::Read;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::registers::{WORD_BYTES, Word, routing_words};
use powar_config::signal::{RST, data, destination, flag};
use powar_config::{Config, Owner, Role, SignalDecl, SignalSpec};

/// The loader; the public fields are its registers.
#[derive(Clone, Debug)]
pub struct TableLoader {
    /// `table_row`, and `table_word0` ...
    words: Vec<Word>,
    /// The word that was asked for last; 0 if it is none of these.
    pub read_data: u32,
    /// The tables' row becomes `word` at the end of this cycle.
    pub write: bool,
    pub row: u16,
    pub word: Vec<u32>,
}

impl TableLoader {
    /// The loader of this configuration's switch, whose routing has a table, in its state after reset.
    pub fn new(config: &Config) -> Self {
        let words = routing_words(config);
        let word = vec![0; words.len() - 1];
        TableLoader { words, read_data: 0, write: false, row: 0, word }
    }

    /// The place of an address (byte address / 4) among the words.
    fn place(&self, address: u16) -> Option<usize> {
        self.words.iter().position(|word| word.offset / WORD_BYTES == address)
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        (self.read_data, self.write, self.row) = (0, false, 0);
        self.word.fill(0);
    }

    /// The clock edge.
    pub fn clock(&mut self, write: Option<Write>, read: &Read) {
        if read.request {
            self.read_data = match self.place(read.address) {
                None => 0,
                Some(0) => self.row.into(),
                Some(place) => self.word[place - 1],
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
                Some(place) => {
                    self.word[place] = data;
                    self.write = place + 1 == self.word.len();
                }
            }
        }
    }

    fn outputs(&self) -> [SignalSpec; 4] {
        [data("read_data"), flag("write"), destination("row"), data("word").rows(Owner::Block, self.word.len())]
    }
}

impl Registers for TableLoader {
    fn list(&self, rows: &mut RegisterRows) {
        let [read_data, write, row, word] = self.outputs();
        rows.one(read_data, self.read_data);
        rows.one(write, self.write);
        rows.one(row, self.row);
        rows.many(word, self.word.iter().copied());
    }
}

impl Block for TableLoader {
    fn signals(&self) -> Vec<SignalDecl> {
        let mut signals = declare(Role::Input, [RST]);
        signals.extend(write_signals());
        signals.extend(declare(Role::Input, READ));
        signals.extend(declare(Role::Output, self.outputs()));
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
