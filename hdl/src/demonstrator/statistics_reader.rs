//! The statistics of a node's network interface as words of the register bus.
//!
//! Use:      `read` asks for the word at `read_address` until `read_done`, which comes one cycle later with it.
//! Reset:    no answer.
//! Source:   docs/microarchitecture/demonstrator.md.

use crate::block;
use powar_config::registers::demonstrator::INTERFACE_WORDS;
use rust_hdl::prelude::*;

block! {
    pub struct StatisticsReader("statistics_reader", include_str!("statistics_reader.rs"), clocked)
    pub fn new() -> Self {}
    inputs {
        /// A word of this block is asked for, until `read_done`.
        read: Bit,
        read_address: Bits<4>,
        /// Of the network interface.
        statistics[INTERFACE_WORDS.len()]: Bits<32>,
    }
    outputs {
        /// The answer, for one cycle; 0 otherwise.
        read_done: Bit,
        read_data: Bits<32>,
    }
    registers { read_done_r: Bit, read_data_r: Bits<32> }
    locals {
        /// The word at the address; 0 where there is none.
        word: Bits<32>,
    }
}

impl Logic for StatisticsReader {
    #[hdl_gen]
    fn update(&mut self) {
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
