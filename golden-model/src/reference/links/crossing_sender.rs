//! `crossing_sender`: the half of a `link_crossing` that has the sender's clock.

use super::CrossingSizes;
use super::gray_counter::{GrayCounter, gray_code};
use super::link_stage::{Back, Forward};
use super::synchroniser::Synchroniser;
use crate::bits::{is_set, rotated_up, vector};
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::arbiters::round_robin;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{count, data, flag, phase, pointer, vc_number};
use powar_config::{Config, Habit, Meaning, Owner, SignalSpec};

inputs! {
    /// An entry of the queue but for the words of the flit.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Entry {
        /// It has a flit.
        pub valid: bool = flag("in_valid").of(Owner::InputLink).habit(Habit::Tide),
        pub head: bool = flag("in_head").of(Owner::InputLink),
        pub vc: u8 = vc_number("in_vc").of(Owner::InputLink),
        /// Code of the phase.
        pub phase: u8 = phase("in_phase").of(Owner::InputLink).habit(Habit::Held),
        pub hint: bool = flag("in_hint").of(Owner::InputLink).habit(Habit::Held),
    }
}

impl Entry {
    /// What the sender drives.
    pub fn of(link: &Forward) -> Entry {
        Entry { valid: link.valid, head: link.head, vc: link.vc, phase: link.phase, hint: link.hint }
    }

    /// 8 it has a flit, 7 hint, 6:4 phase, 3:1 virtual channel, 0 head.
    pub fn packed(self) -> u16 {
        let (valid, hint, head) = (u16::from(self.valid), u16::from(self.hint), u16::from(self.head));
        valid << 8 | hint << 7 | u16::from(self.phase) << 4 | u16::from(self.vc) << 1 | head
    }

    /// The entry of these bits.
    pub fn unpacked(bits: u16) -> Entry {
        let field = |low: u32| (bits >> low & 7) as u8;
        let bit = |place: u32| bits >> place & 1 == 1;
        Entry { valid: bit(8), hint: bit(7), phase: field(4), vc: field(1), head: bit(0) }
    }
}

/// The block; the public fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossingSender {
    sizes: CrossingSizes,
    /// Entries stored.
    pub written: GrayCounter,
    /// Entries read, as far as they are seen.
    pub read: Synchroniser,
    /// Of each virtual channel: credits that have come back, as far as they are seen.
    pub returned: Vec<Synchroniser>,
    /// Of each virtual channel: credits given to the sender.
    pub given: Vec<GrayCounter>,
    /// Phase and hint of the entry stored last.
    pub told_phase: u8,
    pub told_hint: bool,
    /// One-hot pointer: where the search for the next credit starts.
    pub pointer: u64,
    /// The credit on the link.
    pub credit: Back,
    pub overflow_error: bool,
}

impl CrossingSender {
    /// That of this configuration's links, in its state after reset.
    pub fn new(config: &Config) -> Self {
        CrossingSender::of(CrossingSizes::new(config))
    }

    pub(super) fn of(sizes: CrossingSizes) -> Self {
        CrossingSender {
            sizes,
            written: GrayCounter::new(sizes.pointer_bits()),
            read: Synchroniser::new(sizes.pointer_bits()),
            returned: vec![Synchroniser::new(sizes.credit_bits); sizes.vcs],
            given: vec![GrayCounter::new(sizes.credit_bits); sizes.vcs],
            told_phase: 0,
            told_hint: false,
            pointer: 1,
            credit: Back::default(),
            overflow_error: false,
        }
    }

    /// All entries are seen to be read.
    pub fn is_empty(&self) -> bool {
        self.written.gray == self.read.second
    }

    /// As many entries as there are places are seen not to be read.
    pub fn is_full(&self) -> bool {
        let all_places = 1 << self.sizes.place_bits;
        let numbers = 2 * all_places;
        gray_code((self.written.count + all_places) % numbers) == self.read.second
    }

    /// Where an entry is stored in this cycle, if one is.
    pub fn stores(&self, entry: Entry) -> Option<usize> {
        let changed = (entry.phase, entry.hint) != (self.told_phase, self.told_hint);
        let stores = if entry.valid { !self.is_full() } else { changed && self.is_empty() };
        stores.then_some(self.place())
    }

    fn place(&self) -> usize {
        usize::from(self.written.count) % (1 << self.sizes.place_bits)
    }

    /// The clock edge, with the other half's Gray codes.
    pub fn clock(&mut self, entry: Entry, read_gray: u16, credit_gray: &[u16]) {
        let stores = self.stores(entry).is_some();
        self.overflow_error |= entry.valid && !stores;
        if stores {
            (self.told_phase, self.told_hint) = (entry.phase, entry.hint);
        }
        let pending = vector(&self.given, |v, given| given.gray != self.returned[v].second);
        let grant = round_robin(pending, self.pointer, self.sizes.vcs);
        self.credit = Back { credit_valid: grant != 0, credit_vc: grant.checked_ilog2().unwrap_or(0) as u8 };
        if grant != 0 {
            self.pointer = rotated_up(grant, self.sizes.vcs);
        }
        self.written.clock(stores);
        self.read.clock(read_gray);
        for (v, given) in self.given.iter_mut().enumerate() {
            given.clock(is_set(grant, v));
            self.returned[v].clock(credit_gray[v]);
        }
    }

    /// The edge with the reset.
    pub fn reset(&mut self) {
        *self = CrossingSender::of(self.sizes);
    }
}

impl Registers for CrossingSender {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(phase("told_phase"), self.told_phase);
        rows.one(flag("told_hint"), self.told_hint);
        rows.one(pointer("pointer", self.sizes.vcs), self.pointer);
        rows.one(flag("in_credit_valid").of(Owner::InputLink), self.credit.credit_valid);
        rows.one(vc_number("in_credit_vc").of(Owner::InputLink), self.credit.credit_vc);
        rows.one(flag("overflow_error"), self.overflow_error);
        rows.child("written", [&self.written]);
        rows.child("read", [&self.read]);
        rows.child("returned", &self.returned);
        rows.child("given", &self.given);
    }
}

/// Gray codes of credits, a row for each virtual channel.
pub(super) fn credit_codes(name: &'static str, sizes: CrossingSizes) -> SignalSpec {
    count(name, sizes.credit_bits).rows(Owner::Block, sizes.vcs)
}

/// An entry as a row.
pub(super) fn entry_bits(name: &'static str) -> SignalSpec {
    SignalSpec { width: 9, meaning: Meaning::Data, ..data(name) }
}

inputs! {
    /// What the half sees in a cycle: the link, and Gray codes of the other half.
    #[derive(Clone, Debug)]
    pub struct SenderInputs of block: &CrossingSender {
        pub entry: Entry = (),
        pub read_gray: u16 = count("read_gray", block.sizes.pointer_bits()).habit(Habit::Beside),
        pub credit_gray: Vec<u16> = credit_codes("credit_gray", block.sizes).habit(Habit::Held),
    }
}

impl Block for CrossingSender {
    type Inputs<'a> = SenderInputs;

    fn outputs(&self, seen: &SenderInputs, rows: &mut RegisterRows) {
        rows.one(flag("store"), self.stores(seen.entry).is_some());
        rows.one(count("place", self.sizes.place_bits), self.place() as u64);
        rows.one(entry_bits("entry"), seen.entry.packed());
        rows.one(count("written_gray", self.sizes.pointer_bits()), self.written.gray);
        self.credit.show(rows);
        rows.one(flag("overflow_error"), self.overflow_error);
    }

    fn edge(&mut self, rst: bool, seen: &SenderInputs) {
        if rst { self.reset() } else { self.clock(seen.entry, seen.read_gray, &seen.credit_gray) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 8 entries, 2 virtual channels of up to 7 credits.
    fn sender() -> CrossingSender {
        CrossingSender::of(CrossingSizes { vcs: 2, place_bits: 3, credit_bits: 3 })
    }

    #[test]
    fn a_flit_for_which_there_is_no_place_is_lost_and_told() {
        let mut block = sender();
        let flit = Entry { valid: true, ..Entry::default() };
        for place in 0..8 {
            assert_eq!(block.stores(flit), Some(place));
            block.clock(flit, 0, &[0, 0]);
        }
        assert!(block.is_full() && !block.overflow_error);
        block.clock(flit, gray_code(1), &[0, 0]);
        assert!(block.overflow_error && block.written.count == 8);
        block.clock(Entry::default(), gray_code(1), &[0, 0]);
        assert_eq!(block.stores(flit), Some(0));
    }

    #[test]
    fn a_phase_without_a_flit_waits_until_the_queue_is_seen_to_be_empty() {
        let mut block = sender();
        let flit = Entry { valid: true, ..Entry::default() };
        let off = Entry { phase: 2, ..Entry::default() };
        assert_eq!(block.stores(Entry::default()), None);
        block.clock(flit, 0, &[0, 0]);
        assert_eq!(block.stores(off), None);
        // Two edges later it is seen that the flit has been read.
        block.clock(off, gray_code(1), &[0, 0]);
        block.clock(off, gray_code(1), &[0, 0]);
        assert_eq!(block.stores(off), Some(1));
        block.clock(off, gray_code(1), &[0, 0]);
        assert_eq!((block.stores(off), block.told_phase), (None, 2));
    }

    #[test]
    fn every_credit_is_given_and_virtual_channels_take_turns() {
        let mut block = sender();
        let idle = Entry::default();
        let mut given = vec![];
        for _ in 0..9 {
            block.clock(idle, 0, &[gray_code(3), gray_code(2)]);
            given.push(block.credit.credit_valid.then_some(block.credit.credit_vc));
        }
        assert_eq!(given, [None, None, Some(0), Some(1), Some(0), Some(1), Some(0), None, None]);
    }

    #[test]
    fn an_entry_is_what_was_packed() {
        let entry = Entry { valid: true, head: false, vc: 6, phase: 5, hint: true };
        assert_eq!(entry.packed(), 1 << 8 | 1 << 7 | 5 << 4 | 6 << 1);
        assert_eq!(Entry::unpacked(entry.packed()), entry);
    }
}
