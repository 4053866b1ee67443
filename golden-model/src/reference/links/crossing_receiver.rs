//! `crossing_receiver`: the half of a `link_crossing` that has the receiver's clock.

use super::CrossingSizes;
use super::crossing_sender::{Entry, credit_codes, entry_bits};
use super::gray_counter::GrayCounter;
use super::link_stage::Back;
use super::synchroniser::Synchroniser;
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{count, flag, phase, vc_number};
use powar_config::{Config, Habit, Owner};

/// The block; the public fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossingReceiver {
    sizes: CrossingSizes,
    /// Entries read.
    pub read: GrayCounter,
    /// Entries stored, as far as they are seen.
    pub written: Synchroniser,
    /// Of each virtual channel: credits that have come back.
    pub returned: Vec<GrayCounter>,
    /// An entry was read in the cycle before.
    pub fetched: bool,
    /// An entry has been read since the reset.
    pub told: bool,
}

impl CrossingReceiver {
    /// That of this configuration's links, in its state after reset.
    pub fn new(config: &Config) -> Self {
        CrossingReceiver::of(CrossingSizes::new(config))
    }

    pub(super) fn of(sizes: CrossingSizes) -> Self {
        CrossingReceiver {
            sizes,
            read: GrayCounter::new(sizes.pointer_bits()),
            written: Synchroniser::new(sizes.pointer_bits()),
            returned: vec![GrayCounter::new(sizes.credit_bits); sizes.vcs],
            fetched: false,
            told: false,
        }
    }

    /// From where an entry is read in this cycle, if one is seen.
    pub fn fetches(&self) -> Option<usize> {
        (self.read.gray != self.written.second).then_some(self.place())
    }

    fn place(&self) -> usize {
        usize::from(self.read.count) % (1 << self.sizes.place_bits)
    }

    /// The link, if the memory shows this entry.
    pub fn link(&self, entry: Entry) -> Entry {
        let told = if self.told { entry } else { Entry::default() };
        Entry { valid: self.fetched && entry.valid, phase: told.phase, hint: told.hint, ..entry }
    }

    /// The clock edge, with the other half's Gray code.
    pub fn clock(&mut self, written_gray: u16, credit: Back) {
        let fetches = self.fetches().is_some();
        self.fetched = fetches;
        self.told |= fetches;
        self.read.clock(fetches);
        self.written.clock(written_gray);
        for (v, returned) in self.returned.iter_mut().enumerate() {
            returned.clock(credit.credit_valid && usize::from(credit.credit_vc) == v);
        }
    }

    /// The edge with the reset.
    pub fn reset(&mut self) {
        *self = CrossingReceiver::of(self.sizes);
    }
}

impl Registers for CrossingReceiver {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(flag("fetched"), self.fetched);
        rows.one(flag("told"), self.told);
        rows.child("read", [&self.read]);
        rows.child("written", [&self.written]);
        rows.child("returned", &self.returned);
    }
}

inputs! {
    /// What the half sees in a cycle: a Gray code of the other half, the entry that the memory shows, a credit.
    #[derive(Clone, Copy, Debug)]
    pub struct ReceiverInputs of block: &CrossingReceiver {
        pub written_gray: u16 = count("written_gray", block.sizes.pointer_bits()).habit(Habit::Held),
        pub entry: u16 = entry_bits("entry"),
        pub credit: Back = (),
    }
}

impl Block for CrossingReceiver {
    type Inputs<'a> = ReceiverInputs;

    fn outputs(&self, seen: &ReceiverInputs, rows: &mut RegisterRows) {
        let (link, to) = (self.link(Entry::unpacked(seen.entry)), Owner::OutputLink);
        rows.one(flag("fetch"), self.fetches().is_some());
        rows.one(count("place", self.sizes.place_bits), self.place() as u64);
        rows.one(count("read_gray", self.sizes.pointer_bits()), self.read.gray);
        rows.many(credit_codes("credit_gray", self.sizes), self.returned.iter().map(|returned| returned.gray));
        rows.one(flag("out_valid").of(to), link.valid);
        rows.one(flag("out_head").of(to), link.head);
        rows.one(vc_number("out_vc").of(to), link.vc);
        rows.one(phase("out_phase").of(to), link.phase);
        rows.one(flag("out_hint").of(to), link.hint);
    }

    fn edge(&mut self, rst: bool, seen: &ReceiverInputs) {
        if rst { self.reset() } else { self.clock(seen.written_gray, seen.credit) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::gray_counter::gray_code;
    use super::*;

    fn receiver() -> CrossingReceiver {
        CrossingReceiver::of(CrossingSizes { vcs: 2, place_bits: 3, credit_bits: 3 })
    }

    #[test]
    fn entries_are_read_in_order_from_two_edges_on_and_are_on_the_link_in_the_next_cycle() {
        let mut block = receiver();
        let flit = Entry { valid: true, phase: 5, hint: true, ..Entry::default() };
        let mut seen = vec![];
        for _ in 0..6 {
            seen.push((block.fetches(), block.link(flit).valid, block.link(flit).phase));
            block.clock(gray_code(2), Back::default());
        }
        let (idle, on, sends) = ((None, false, 0), (None, false, 5), true);
        assert_eq!(seen, [idle, idle, (Some(0), false, 0), (Some(1), sends, 5), (None, sends, 5), on]);
    }

    #[test]
    fn credits_are_counted_by_virtual_channel() {
        let mut block = receiver();
        for credit_vc in [0, 1, 1, 5, 0, 1] {
            block.clock(0, Back { credit_valid: true, credit_vc });
            block.clock(0, Back { credit_valid: false, credit_vc });
        }
        assert_eq!(block.returned.iter().map(|counter| counter.gray).collect::<Vec<_>>(), [2, 3].map(gray_code));
    }
}
