//! Headers of the packets of one virtual channel that wait: pointers of a queue in a memory that somebody else owns, and in front of
//! it a register with the oldest.
//!
//! Entry:    bytes of the last beat less one 31:26, length 25:16, address 15:0.
//! Use:      `fetch` only if `wants`, and the word that was read in `fetched` one cycle later; `take` only if `valid`.
//! Latency:  an entry is `valid` three cycles after its `push` at the earliest, the next one two cycles after `take`.
//! Range:    1 to 4096 entries in the memory; never `push` when it is full.
//! Reset:    empty.
//! Source:   docs/microarchitecture/network_interface.md.

use crate::buffers::VcQueue;
use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct HeaderQueue {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// An entry is written at `write_pointer`.
    pub push: Signal<In, Bit>,
    /// The memory is read at `read_pointer`.
    pub fetch: Signal<In, Bit>,
    /// Output of the memory.
    pub fetched: Signal<In, Bits<32>>,
    /// The entry in the head register is used.
    pub take: Signal<In, Bit>,
    /// The head register is free for the next entry, and there is one.
    pub wants: Signal<Out, Bit>,
    /// There is an entry that is not taken in this cycle.
    pub holds: Signal<Out, Bit>,
    pub write_pointer: Signal<Out, Bits<12>>,
    pub read_pointer: Signal<Out, Bits<12>>,
    /// An entry is in the head register.
    pub valid: Signal<Out, Bit>,
    /// That entry.
    pub entry: Signal<Out, Bits<32>>,
    valid_r: Register<Bit>,
    entry_r: Register<Bits<32>>,
    /// `fetched` is the next entry.
    fetching_r: Register<Bit>,
    places: Settled<VcQueue>,
    info: BlockInfo,
}

impl HeaderQueue {
    /// For `depth` entries in the memory, 1..=4096.
    pub fn new(depth: usize) -> Self {
        build!(HeaderQueue {
            (
                clk, rst, push, fetch, fetched, take, wants, holds, write_pointer, read_pointer, valid, entry, valid_r,
                entry_r, fetching_r,
            )
            places: VcQueue::new(depth).into(),
            info: BlockInfo::new("header_queue", include_str!("header_queue.rs")),
        })
    }
}

impl Logic for HeaderQueue {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, valid_r, entry_r, fetching_r);
        self.places.clk.next = self.clk.val();
        self.places.rst.next = self.rst.val();
        self.places.push.next = self.push.val();
        self.places.pop.next = self.fetch.val();
        self.write_pointer.next = self.places.write_pointer.val();
        self.read_pointer.next = self.places.read_pointer.val();
        self.wants.next =
            self.places.count.val().any() & !self.fetching_r.q.val() & (!self.valid_r.q.val() | self.take.val());
        self.holds.next =
            self.places.count.val().any() | self.fetching_r.q.val() | (self.valid_r.q.val() & !self.take.val());
        self.fetching_r.d.next = self.fetch.val();
        self.valid_r.d.next = self.fetching_r.q.val() | (self.valid_r.q.val() & !self.take.val());
        if self.fetching_r.q.val() {
            self.entry_r.d.next = self.fetched.val();
        }
        self.valid.next = self.valid_r.q.val();
        self.entry.next = self.entry_r.q.val();
    }
}

rtl_signals!(
    HeaderQueue,
    clocked,
    inputs(push, fetch, fetched, take),
    outputs(wants, holds, write_pointer, read_pointer, valid, entry),
    registers(valid_r as "valid", entry_r as "entry", fetching_r as "fetching"),
    children(places),
);
