//! The routing table of one virtual channel: the row of the destination in its head register.
//!
//! Use:      `read` in the cycle at whose end a header comes to the head register: from the next cycle on `row` is that of its destination.
//! Latency:  one cycle. The row stays until the next header comes, whatever is written meanwhile.
//! Range:    rows for addresses of 1 to 16 bits; of an address with bits above those the row is 0: there is no such destination. A row must
//!           not be read in the cycle in which it is written: block RAM may give anything then.
//! Reset:    `row` is 0 until one is read. The memory has no reset: a switch that has been loaded stays loaded. In simulation it starts at 0.
//! Source:   docs/microarchitecture/routing.md.

use crate::block;
use crate::primitives::*;
use powar_config::Config;
use powar_config::routing::table::row_bits;
use powar_config::routing::tables::TableRow;
use rust_hdl::prelude::*;

// One more is the power mechanism's, if that looks rows up: its lookups are the reads.

/// Bits of an address.
const ADDRESS: usize = powar_config::topology::ADDRESS_BITS;

block! {
    pub struct RoutingTable("routing_table", include_str!("routing_table.rs"), clocked)
    pub fn new(config: &Config) -> Self {
        let address_bits = row_bits(config);
        let word_count = TableRow::word_count(config.ports, config.switch.vcs);
    }
    inputs {
        /// The row at this address becomes these words at the end of this cycle.
        write: Bit,
        write_row: Bits<16>,
        write_word[word_count]: Bits<32>,
        /// The head register takes a header with this destination.
        read: Bit,
        read_row: Bits<16>,
    }
    outputs {
        /// The row of the destination in the head register: word 0 lowest (`table_routing`).
        row[word_count]: Bits<32>,
    }
    registers {
        /// A row has been read since the last reset, and there can be one at its address.
        exists_r: Bit,
    }
    others {
        /// A memory for each word of a row.
        words: Vec<Memory<Bits<32>>> = (0..word_count).map(|_| Memory::new(address_bits)).collect(),
    }
    constants {
        /// Bits of an address above those of the rows.
        above: Bits<16> = ((1_usize << ADDRESS) - (1 << address_bits)).to_bits(),
    }
    sizes { word_count = word_count, address_bits = address_bits }
}

impl Logic for RoutingTable {
    #[hdl_gen]
    fn update(&mut self) {
        if self.read.val() {
            self.exists_r.d.next = (self.read_row.val() & self.above.val()) == 0;
        }
        for w in 0..self.word_count.get() {
            self.words[w].clk.next = self.clk.val();
            self.words[w].write.next = self.write.val();
            self.words[w].write_data.next = self.write_word[w].val();
            self.words[w].read.next = self.read.val();
            for b in 0..self.address_bits.get() {
                self.words[w].write_address[b].next = self.write_row.val().get_bit(b);
                self.words[w].read_address[b].next = self.read_row.val().get_bit(b);
            }
            self.row[w].next = 0.into();
            if self.exists_r.q.val() {
                self.row[w].next = self.words[w].q.val();
            }
        }
    }
}
