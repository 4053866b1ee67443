//! Headers of the packets of one virtual channel that wait: pointers of a queue in a memory that somebody else owns, and in front of
//! it a register with the oldest.
//!
//! Entry:    bytes of the last beat less one 31:26, length 25:16, address 15:0.
//! Use:      `fetch` only if `wants`, and the word that was read in `fetched` one cycle later; `take` only if `valid`.
//! Latency:  an entry is `valid` three cycles after its `push` at the earliest, the next one two cycles after `take`.
//! Range:    1 to 4096 entries in the memory; never `push` when it is full.
//! Reset:    empty.
//! Source:   docs/microarchitecture/network_interface.md.

use crate::block;
use crate::buffers::VcQueue;
use rust_hdl::prelude::*;

block! {
    pub struct HeaderQueue("header_queue", include_str!("header_queue.rs"), clocked)
    /// For `depth` entries in the memory, 1..=4096.
    pub fn new(depth: usize) -> Self {}
    inputs {
        /// An entry is written at `write_pointer`.
        push: Bit,
        /// The memory is read at `read_pointer`.
        fetch: Bit,
        /// Output of the memory.
        fetched: Bits<32>,
        /// The entry in the head register is used.
        take: Bit,
    }
    outputs {
        /// The head register is free for the next entry, and there is one.
        wants: Bit,
        /// There is an entry that is not taken in this cycle.
        holds: Bit,
        write_pointer: Bits<12>,
        read_pointer: Bits<12>,
        /// An entry is in the head register.
        valid: Bit,
        /// That entry.
        entry: Bits<32>,
    }
    registers {
        valid_r: Bit,
        entry_r: Bits<32>,
        /// `fetched` is the next entry.
        fetching_r: Bit,
    }
    children { places: VcQueue = VcQueue::new(depth, false) }
}

impl Logic for HeaderQueue {
    #[hdl_gen]
    fn update(&mut self) {
        self.places.push.next = self.push.val();
        self.places.pop.next = self.fetch.val();
        self.write_pointer.next = self.places.write_pointer.val();
        self.read_pointer.next = self.places.read_pointer.val();
        self.wants.next = self.places.some.val() & !self.fetching_r.q.val() & (!self.valid_r.q.val() | self.take.val());
        self.holds.next = self.places.some.val() | self.fetching_r.q.val() | (self.valid_r.q.val() & !self.take.val());
        self.fetching_r.d.next = self.fetch.val();
        self.valid_r.d.next = self.fetching_r.q.val() | (self.valid_r.q.val() & !self.take.val());
        if self.fetching_r.q.val() {
            self.entry_r.d.next = self.fetched.val();
        }
        self.valid.next = self.valid_r.q.val();
        self.entry.next = self.entry_r.q.val();
    }
}
