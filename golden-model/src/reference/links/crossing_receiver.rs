//! `crossing_receiver`: the half of a `link_crossing` that has the receiver's clock.

use super::CrossingSizes;
use super::crossing_sender::{Entry, credit_codes, entry_bits};
use super::gray_counter::GrayCounter;
use super::link_stage::Back;
use super::synchroniser::Synchroniser;
use crate::lock_step::{Frames, Observed, Slots, declare};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{RST, count, flag, phase, vc_number};
use powar_config::{Config, Habit, Owner, Role, SignalDecl};

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

impl Frames for CrossingReceiver {
    fn signals(&self) -> Vec<SignalDecl> {
        let (sizes, to) = (self.sizes, Owner::OutputLink);
        let inputs = [
            RST,
            count("written_gray", sizes.pointer_bits()).habit(Habit::Held),
            entry_bits("entry"),
            flag("out_credit_valid").of(to),
            vc_number("out_credit_vc").of(to),
        ];
        let outputs = [
            flag("fetch"),
            count("place", sizes.place_bits),
            count("read_gray", sizes.pointer_bits()),
            credit_codes("credit_gray", sizes),
            flag("out_valid").of(to),
            flag("out_head").of(to),
            vc_number("out_vc").of(to),
            phase("out_phase").of(to),
            flag("out_hint").of(to),
        ];
        let mut signals = declare(Role::Input, inputs);
        signals.extend(declare(Role::Output, outputs));
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let mut slots = Slots(inputs);
        let rst = slots.bit();
        let (written_gray, entry) = (slots.one() as u16, Entry::unpacked(slots.one() as u16));
        let credit = Back::take(&mut slots);
        let link = self.link(entry);
        observed.put(self.fetches().is_some());
        observed.put(self.place() as u64);
        observed.put(self.read.gray);
        observed.rows(self.returned.iter().map(|returned| returned.gray));
        observed.rows([link.valid, link.head]);
        observed.rows([link.vc, link.phase]);
        observed.put(link.hint);
        RegisterRows::of(self).observe(observed);
        if rst { self.reset() } else { self.clock(written_gray, credit) }
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
