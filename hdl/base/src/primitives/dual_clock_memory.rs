//! A memory that one clock writes and another reads, made for the block RAM of an FPGA.

use super::{Announcement, concatenation, number, vector};
use rust_hdl::core::signal::get_signal_id;
use rust_hdl::prelude::*;

/// A memory of `2^address_bits` words: at a rising edge of `write_clk`, `write` stores `write_data` at `write_address`; at one of `read_clk`,
/// `read` puts the word at `read_address` on `q`, which keeps it until the next read.
///
/// Neither the words nor `q` have a reset; in simulation all of them start at 0. A word may be read only if it was written some time before:
/// of a word that is written at the same moment a simulation gives the old value, block RAM may give anything.
///
/// An address has one signal per bit, lowest first. In Verilog the words are an array `<field>_mem` in the module of the owner, and `q` is
/// `<field>_q`. The owner passes two of its clocks on: `self.words.write_clk.next = self.send_clk.val()`.
#[derive(Clone, Debug)]
pub struct DualClockMemory<T: Synth> {
    pub write_clk: Signal<In, Clock>,
    /// Store `write_data` at `write_address`.
    pub write: Signal<In, Bit>,
    pub write_address: Vec<Signal<In, Bit>>,
    pub write_data: Signal<In, T>,
    pub read_clk: Signal<In, Clock>,
    /// Fetch the word at `read_address`.
    pub read: Signal<In, Bit>,
    pub read_address: Vec<Signal<In, Bit>>,
    /// The word fetched last.
    pub q: Signal<Out, T>,
    words: Vec<T>,
    id: usize,
}

impl<T: Synth> DualClockMemory<T> {
    /// A memory of `2^address_bits` words, 1..=24 address bits.
    pub fn new(address_bits: usize) -> Self {
        Self {
            write_clk: Signal::default(),
            write: Signal::default(),
            write_address: vector(address_bits),
            write_data: Signal::default(),
            read_clk: Signal::default(),
            read: Signal::default(),
            read_address: vector(address_bits),
            q: Signal::default(),
            words: vec![T::default(); 1 << address_bits],
            id: get_signal_id(),
        }
    }
}

impl<T: Synth> Logic for DualClockMemory<T> {
    #[inline]
    fn update(&mut self) {
        // Read first, so that edges of both clocks at once give the old word.
        if self.read_clk.pos_edge() && self.read.val() {
            self.q.next = self.words[number(&self.read_address)];
        }
        if self.write_clk.pos_edge() && self.write.val() {
            self.words[number(&self.write_address)] = self.write_data.val();
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        let address = |name: &str| concatenation(name, self.read_address.len());
        Verilog::Custom(format!(
            "reg [{high}:0] words [0:{last}];\nalways @(posedge write_clk) if (write) words[{write}] <= write_data;\nalways @(posedge read_clk) if (read) q <= words[{read}];\n",
            high = T::BITS.max(1) - 1,
            last = self.words.len() - 1,
            write = address("write_address"),
            read = address("read_address"),
        ))
    }
}

impl<T: Synth> Block for DualClockMemory<T> {
    fn connect_all(&mut self) {
        self.connect();
    }

    #[inline]
    fn update_all(&mut self) {
        self.update();
        self.write_clk.update_all();
        self.write.update_all();
        self.write_address.iter_mut().for_each(Block::update_all);
        self.write_data.update_all();
        self.read_clk.update_all();
        self.read.update_all();
        self.read_address.iter_mut().for_each(Block::update_all);
        self.q.update_all();
    }

    #[inline]
    fn has_changed(&self) -> bool {
        self.write_clk.has_changed()
            || self.write.has_changed()
            || self.write_address.iter().any(Block::has_changed)
            || self.write_data.has_changed()
            || self.read_clk.has_changed()
            || self.read.has_changed()
            || self.read_address.iter().any(Block::has_changed)
            || self.q.has_changed()
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        self.write_clk.accept("write_clk", probe);
        self.write.accept("write", probe);
        self.write_address.accept("write_address", probe);
        self.write_data.accept("write_data", probe);
        self.read_clk.accept("read_clk", probe);
        self.read.accept("read", probe);
        self.read_address.accept("read_address", probe);
        self.q.accept("q", probe);
        Announcement::Memory { output_register: false }.visit("storage", self.id, probe);
        probe.visit_end_scope(name, self);
    }
}
