//! The register words through which software loads the routing tables of a switch.
//!
//! Use:      write the number of a row to `table_row`, then the words of the row; the last one writes the row and counts `table_row` up, so
//!           that a whole table is its first row's number and all words in order.
//! Latency:  a row is in the tables two cycles after its last word was written. `read_data` comes one cycle after `read_request`.
//! Range:    1 to 3 words a row. Bits that a word does not have are ignored; behind the last row comes row 0.
//!           If the routing sees which ports lead to nodes, software says so in 1 or 2 more words.
//! Reset:    row 0, words 0, no port leads to a node; the tables keep what they have.
//! Source:   docs/microarchitecture/routing.md.

use crate::block;
use powar_config::Config;
use powar_config::registers::{WORD_BYTES, Word, routing_words};
use powar_config::routing::table::NODE_PORTS;
use rust_hdl::prelude::*;

block! {
    pub struct TableLoader("table_loader", include_str!("table_loader.rs"), clocked)
    /// For a configuration whose routing has a table.
    pub fn new(config: &Config) -> Self {
        let list = routing_words(config);
        let (row, words) = list.split_first().expect("a routing with a table has words");
        let (words, node_ports): (Vec<&Word>, Vec<&Word>) = words.iter().partition(|word| word.offset < NODE_PORTS);
        let at = |offset: u16| usize::from(offset / WORD_BYTES);
    }
    inputs {
        /// Write `write_data` to the word at `write_address`, byte address / 4, at the end of this cycle.
        write_enable: Bit,
        write_address: Bits<10>,
        write_data: Bits<32>,
        /// A word is asked for, and its byte address / 4.
        read_request: Bit,
        read_address: Bits<14>,
    }
    outputs {
        /// The word that was asked for last; 0 if it is none of these.
        read_data: Bits<32>,
        /// The tables' row becomes `word` at the end of this cycle.
        write: Bit,
        row: Bits<16>,
        word[words.len()]: Bits<32>,
        /// Ports that lead to nodes, 32 in each, if the routing sees them.
        node_ports[node_ports.len()]: Bits<32>,
    }
    registers {
        read_data_r: Bits<32>,
        write_r: Bit,
        row_r: Bits<16>,
        word_r[words.len()]: Bits<32>,
        node_ports_r[node_ports.len()]: Bits<32>,
    }
    constants {
        /// Address of `table_row` as writes and as reads have it, and those of the words.
        row_at: Bits<10> = at(row.offset).to_bits(),
        row_read_at: Bits<14> = at(row.offset).to_bits(),
        /// Bits that a row's number has, and those that each word has.
        row_mask: Bits<16> = u64::from(row.mask()).into(),
        word_mask[words.len(); w]: Bits<32> = u64::from(words[w].mask()).into(),
        node_ports_mask[node_ports.len(); w]: Bits<32> = u64::from(node_ports[w].mask()).into(),
    }
    sizes { word_count = words.len(), node_words = node_ports.len() }
    tables {
        word_at = words.iter().map(|word| at(word.offset)).collect(),
        node_ports_at = node_ports.iter().map(|word| at(word.offset)).collect(),
    }
}

impl Logic for TableLoader {
    #[hdl_gen]
    fn update(&mut self) {
        self.write_r.d.next =
            self.write_enable.val() & (self.write_address.val() == (self.word_at[self.word_count - 1]).to_bits());
        if self.write_enable.val() & (self.write_address.val() == self.row_at.val()) {
            self.row_r.d.next = bit_cast::<16, 32>(self.write_data.val()) & self.row_mask.val();
        } else if self.write_r.q.val() {
            self.row_r.d.next = (self.row_r.q.val() + 1) & self.row_mask.val();
        }
        for w in 0..self.word_count.get() {
            if self.write_enable.val() & (self.write_address.val() == self.word_at[w].to_bits()) {
                self.word_r[w].d.next = self.write_data.val() & self.word_mask[w].val();
            }
        }
        for w in 0..self.node_words.get() {
            if self.write_enable.val() & (self.write_address.val() == self.node_ports_at[w].to_bits()) {
                self.node_ports_r[w].d.next = self.write_data.val() & self.node_ports_mask[w].val();
            }
        }
        if self.read_request.val() {
            self.read_data_r.d.next = 0.into();
            if self.read_address.val() == self.row_read_at.val() {
                self.read_data_r.d.next = bit_cast::<32, 16>(self.row_r.q.val());
            }
            for w in 0..self.word_count.get() {
                if self.read_address.val() == self.word_at[w].to_bits() {
                    self.read_data_r.d.next = self.word_r[w].q.val();
                }
            }
            for w in 0..self.node_words.get() {
                if self.read_address.val() == self.node_ports_at[w].to_bits() {
                    self.read_data_r.d.next = self.node_ports_r[w].q.val();
                }
            }
        }
        self.read_data.next = self.read_data_r.q.val();
        self.write.next = self.write_r.q.val();
        self.row.next = self.row_r.q.val();
        for w in 0..self.word_count.get() {
            self.word[w].next = self.word_r[w].q.val();
        }
        for w in 0..self.node_words.get() {
            self.node_ports[w].next = self.node_ports_r[w].q.val();
        }
    }
}
