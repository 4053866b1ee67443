//! `statistics_reader`: the statistics of a node's network interface as words of the register bus.

use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::registers::demonstrator::INTERFACE_WORDS;
use powar_config::signal::{count, data, flag, word_address};
use powar_config::{Habit, Owner};

/// The block; the field is its registers `read_done`, `read_data`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatisticsReader {
    /// The word that was asked for.
    pub answer: Option<u32>,
}

impl StatisticsReader {
    /// After reset.
    pub fn new() -> Self {
        Self::default()
    }

    /// The clock edge: number of the word that is asked for, and the statistics in this cycle.
    pub fn clock(&mut self, read: Option<u8>, statistics: &[u32]) {
        let asked = read.filter(|_| self.answer.is_none());
        self.answer = asked.map(|place| statistics.get(usize::from(place)).copied().unwrap_or(0));
    }
}

impl Registers for StatisticsReader {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(flag("read_done"), self.answer.is_some());
        rows.one(data("read_data"), self.answer.unwrap_or(0));
    }
}

inputs! {
    /// What the block sees in a cycle: the word that is asked for, by its number, and all words.
    #[derive(Clone, Debug)]
    pub struct ReaderInputs {
        pub read: Option<u8> = (flag("read").habit(Habit::Tide), word_address("read_address", 4)),
        pub statistics: Vec<u32> = count("statistics", 32).rows(Owner::Part("statistics"), INTERFACE_WORDS.len()),
    }
}

impl Block for StatisticsReader {
    type Inputs<'a> = ReaderInputs;

    fn outputs(&self, _: &ReaderInputs, rows: &mut RegisterRows) {
        self.list(rows);
    }

    fn edge(&mut self, rst: bool, seen: &ReaderInputs) {
        if rst { *self = Self::new() } else { self.clock(seen.read, &seen.statistics) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_comes_a_cycle_after_it_is_asked_for_and_goes_again() {
        let statistics: Vec<u32> = (100..110).collect();
        let mut block = StatisticsReader::new();
        for (place, word) in [(0, 100), (9, 109), (10, 0)] {
            block.clock(Some(place), &statistics);
            assert_eq!(block.answer, Some(word));
            block.clock(Some(place), &statistics);
            assert_eq!(block.answer, None);
        }
    }
}
