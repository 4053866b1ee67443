//! A synchronous memory with one write port and one read port, made for the block RAM of an FPGA.

use super::{Announcement, concatenation, number, vector};
use rust_hdl::core::signal::get_signal_id;
use rust_hdl::prelude::*;

/// A memory of `2^address_bits` words: at the rising clock edge `write` stores `write_data` at `write_address`, and `read` puts the
/// word at `read_address` on `q`, which keeps it until the next read; with an output register it is on `q` one cycle later, which leaves
/// it a whole cycle from a block RAM, whose words come late.
///
/// Neither the words nor `q` have a reset; in simulation all of them start at 0. A word must not be read in the cycle in which it is
/// written: a simulation gives the old word, block RAM may give anything.
///
/// An address has one signal per bit, lowest first, because its width is known only when the block is built. In Verilog the words are
/// an array `<field>_mem` in the module of the owner, and `q` is `<field>_q`. The owner passes its clock on:
/// `self.words.clk.next = self.clk.val()`.
#[derive(Clone, Debug)]
pub struct Memory<T: Synth> {
    /// The clock of the owner.
    pub clk: Signal<In, Clock>,
    /// Store `write_data` at `write_address`.
    pub write: Signal<In, Bit>,
    pub write_address: Vec<Signal<In, Bit>>,
    pub write_data: Signal<In, T>,
    /// Fetch the word at `read_address`.
    pub read: Signal<In, Bit>,
    pub read_address: Vec<Signal<In, Bit>>,
    /// The word fetched last.
    pub q: Signal<Out, T>,
    words: Vec<T>,
    /// The word fetched last, if `q` is an output register that follows it.
    fetched: Option<T>,
    id: usize,
}

impl<T: Synth> Memory<T> {
    /// A memory of `2^address_bits` words, 1..=24 address bits.
    pub fn new(address_bits: usize) -> Self {
        Self::build(address_bits, None)
    }

    /// The same with an output register.
    pub fn with_output_register(address_bits: usize) -> Self {
        Self::build(address_bits, Some(T::default()))
    }

    fn build(address_bits: usize, fetched: Option<T>) -> Self {
        Self {
            clk: Signal::default(),
            write: Signal::default(),
            write_address: vector(address_bits),
            write_data: Signal::default(),
            read: Signal::default(),
            read_address: vector(address_bits),
            q: Signal::default(),
            words: vec![T::default(); 1 << address_bits],
            fetched,
            id: get_signal_id(),
        }
    }
}

impl<T: Synth> Logic for Memory<T> {
    #[inline]
    fn update(&mut self) {
        if !self.clk.pos_edge() {
            return;
        }
        if let Some(fetched) = self.fetched {
            self.q.next = fetched;
        }
        if self.read.val() {
            let word = self.words[number(&self.read_address)];
            match &mut self.fetched {
                Some(fetched) => *fetched = word,
                None => self.q.next = word,
            }
        }
        if self.write.val() {
            self.words[number(&self.write_address)] = self.write_data.val();
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        let address = |name: &str| concatenation(name, self.read_address.len());
        Verilog::Custom(format!(
            "reg [{high}:0] words [0:{last}];\nreg [{high}:0] fetched;\nalways @(posedge clk) begin\nif (write) words[{write}] <= write_data;\nif (read) {word} <= words[{read}];\n{second}end",
            high = T::BITS.max(1) - 1,
            last = self.words.len() - 1,
            write = address("write_address"),
            read = address("read_address"),
            word = if self.fetched.is_some() { "fetched" } else { "q" },
            second = if self.fetched.is_some() { "q <= fetched;\n" } else { "" },
        ))
    }
}

impl<T: Synth> Block for Memory<T> {
    fn connect_all(&mut self) {
        self.connect();
    }

    #[inline]
    fn update_all(&mut self) {
        self.update();
        self.clk.update_all();
        self.write.update_all();
        self.write_address.iter_mut().for_each(Block::update_all);
        self.write_data.update_all();
        self.read.update_all();
        self.read_address.iter_mut().for_each(Block::update_all);
        self.q.update_all();
    }

    #[inline]
    fn has_changed(&self) -> bool {
        self.clk.has_changed()
            || self.write.has_changed()
            || self.write_address.iter().any(Block::has_changed)
            || self.write_data.has_changed()
            || self.read.has_changed()
            || self.read_address.iter().any(Block::has_changed)
            || self.q.has_changed()
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        self.clk.accept("clk", probe);
        self.write.accept("write", probe);
        self.write_address.accept("write_address", probe);
        self.write_data.accept("write_data", probe);
        self.read.accept("read", probe);
        self.read_address.accept("read_address", probe);
        self.q.accept("q", probe);
        Announcement::Memory { output_register: self.fetched.is_some() }.visit("storage", self.id, probe);
        probe.visit_end_scope(name, self);
    }
}
