//! The statistics of a node's network interface as words of the register bus.
//!
//! Use:      `read` asks for the word at `read_address` until `read_done`, which comes one cycle later with it.
//! Reset:    no answer.
//! Source:   docs/microarchitecture/demonstrator.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::registers::demonstrator::INTERFACE_WORDS;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct StatisticsReader {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// A word of this block is asked for, until `read_done`.
    pub read: Signal<In, Bit>,
    pub read_address: Signal<In, Bits<4>>,
    /// Of the network interface.
    pub statistics: Vec<Signal<In, Bits<32>>>,
    /// The answer, for one cycle; 0 otherwise.
    pub read_done: Signal<Out, Bit>,
    pub read_data: Signal<Out, Bits<32>>,
    read_done_r: Register<Bit>,
    read_data_r: Register<Bits<32>>,
    /// The word at the address; 0 where there is none.
    word: Signal<Local, Bits<32>>,
    info: BlockInfo,
}

impl StatisticsReader {
    pub fn new() -> Self {
        build!(StatisticsReader {
            (clk, rst, read, read_address, read_done, read_data, read_done_r, read_data_r, word)
            [INTERFACE_WORDS.len() => statistics]
            info: BlockInfo::new("statistics_reader", include_str!("statistics_reader.rs")),
        })
    }
}

impl Default for StatisticsReader {
    fn default() -> Self {
        Self::new()
    }
}

impl Logic for StatisticsReader {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, read_done_r, read_data_r);
        match self.read_address.val().index() {
            0 => self.word.next = self.statistics[0].val(),
            1 => self.word.next = self.statistics[1].val(),
            2 => self.word.next = self.statistics[2].val(),
            3 => self.word.next = self.statistics[3].val(),
            4 => self.word.next = self.statistics[4].val(),
            5 => self.word.next = self.statistics[5].val(),
            6 => self.word.next = self.statistics[6].val(),
            7 => self.word.next = self.statistics[7].val(),
            8 => self.word.next = self.statistics[8].val(),
            9 => self.word.next = self.statistics[9].val(),
            _ => self.word.next = 0.into(),
        }
        self.read_done_r.d.next = self.read.val() & !self.read_done_r.q.val();
        self.read_data_r.d.next = 0.into();
        if self.read.val() & !self.read_done_r.q.val() {
            self.read_data_r.d.next = self.word.val();
        }
        self.read_done.next = self.read_done_r.q.val();
        self.read_data.next = self.read_data_r.q.val();
    }
}

rtl_signals!(
    StatisticsReader,
    clocked,
    inputs(read, read_address, statistics),
    outputs(read_done, read_data),
    registers(read_done_r as "read_done", read_data_r as "read_data"),
    children(),
);
