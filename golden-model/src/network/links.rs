//! Trains and credits on the links.

use crate::fast::switch::{Credits, Payload, Train};
use powar_config::Phase;
use std::collections::VecDeque;

/// What a flit carries in a network: the header, and its packet's place in the network's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetFlit {
    /// Destination 15:0, packed, and length 25:16 (`docs/microarchitecture/switch.md`).
    pub header: u32,
    pub packet: u32,
}

impl NetFlit {
    /// Flits of its packet.
    pub fn length(&self) -> u16 {
        (self.header >> 16 & 0x3ff) as u16
    }
}

impl Payload for NetFlit {
    const EMPTY: Self = NetFlit { header: 0, packet: 0 };

    #[inline]
    fn header(&self) -> u32 {
        self.header
    }

    /// All flits of a packet look alike.
    #[inline]
    fn behind(&self, _: u16) -> Self {
        *self
    }
}

/// What is on its way over links of one delay, in the order in which it comes out.
#[derive(Clone, Debug)]
pub(super) struct Delayed<T> {
    items: VecDeque<T>,
    /// Of items that come out together: the cycle, and how many they are.
    batches: VecDeque<(u64, usize)>,
    /// Items in no batch yet.
    loose: usize,
}

impl<T> Default for Delayed<T> {
    fn default() -> Self {
        Delayed { items: VecDeque::new(), batches: VecDeque::new(), loose: 0 }
    }
}

impl<T> Delayed<T> {
    #[inline]
    pub fn push(&mut self, what: T) {
        self.items.push_back(what);
        self.loose += 1;
    }

    /// What has been put in since the last time comes out in that cycle.
    #[inline]
    pub fn close(&mut self, cycle: u64) {
        if self.loose != 0 {
            debug_assert!(
                self.batches.back().is_none_or(|(last, _)| *last < cycle),
                "links of one delay keep the order"
            );
            self.batches.push_back((cycle, std::mem::take(&mut self.loose)));
        }
    }

    /// How many items come out in a cycle: they are to be popped.
    #[inline]
    pub fn due(&mut self, now: u64) -> usize {
        match self.batches.front() {
            Some((cycle, _)) if *cycle <= now => self.batches.pop_front().map_or(0, |(_, items)| items),
            _ => 0,
        }
    }

    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.items.pop_front()
    }

    /// The cycle in which the next comes out; `u64::MAX` if there is none.
    #[inline]
    pub fn next(&self) -> u64 {
        self.batches.front().map_or(u64::MAX, |(cycle, _)| *cycle)
    }
}

/// What is due in cycles that are near enough, in any order.
#[derive(Clone, Debug)]
pub(super) struct Calendar<T> {
    slots: Box<[Vec<T>]>,
    cycles: Cycles,
}

impl<T> Calendar<T> {
    /// Nothing is due; what is put in is due within so many cycles.
    pub fn new(delay: u64) -> Calendar<T> {
        let cycles = Cycles::new(delay);
        Calendar { slots: (0..=cycles.mask).map(|_| Vec::new()).collect(), cycles }
    }

    #[inline]
    pub fn push(&mut self, cycle: u64, what: T) {
        let slot = self.cycles.slot(cycle);
        self.slots[slot].push(what);
        self.cycles.mark(slot);
    }

    /// Takes what is due in a cycle, to be given back with [`Calendar::over`] for its memory.
    #[inline]
    pub fn take(&mut self, cycle: u64) -> Vec<T> {
        let slot = self.cycles.slot(cycle);
        self.cycles.clear(slot);
        std::mem::take(&mut self.slots[slot])
    }

    /// What was due in a cycle has been done.
    #[inline]
    pub fn over(&mut self, cycle: u64, mut done: Vec<T>) {
        done.clear();
        self.slots[self.cycles.slot(cycle)] = done;
    }

    /// The cycle, from a given one on, in which there is something due next; `u64::MAX` if there is none.
    #[inline]
    pub fn next(&self, from: u64) -> u64 {
        self.cycles.next(from)
    }
}

/// The cycles near enough, as slots of a ring: those in which something happens are marked.
#[derive(Clone, Debug)]
struct Cycles {
    /// Slots, a power of two and at least 64, less one.
    mask: u64,
    marked: Box<[u64]>,
}

impl Cycles {
    fn new(delay: u64) -> Cycles {
        let slots = (delay + 1).next_power_of_two().max(64);
        Cycles { mask: slots - 1, marked: vec![0; slots as usize / 64].into() }
    }

    #[inline]
    fn slot(&self, cycle: u64) -> usize {
        (cycle & self.mask) as usize
    }

    #[inline]
    fn mark(&mut self, slot: usize) {
        self.marked[slot >> 6] |= 1 << (slot & 63);
    }

    #[inline]
    fn clear(&mut self, slot: usize) {
        self.marked[slot >> 6] &= !(1 << (slot & 63));
    }

    /// The first marked cycle from a given one on; `u64::MAX` if there is none.
    #[inline]
    fn next(&self, from: u64) -> u64 {
        let slot = self.slot(from);
        if let [marked] = *self.marked {
            return match marked {
                0 => u64::MAX,
                _ => from + u64::from(marked.rotate_right(slot as u32).trailing_zeros()),
            };
        }
        // The slot's own word twice: its upper part first, its lower part last.
        let words = self.marked.len();
        (0..=words)
            .find_map(|i| {
                let word = (slot / 64 + i) % words;
                let part = match i {
                    0 => u64::MAX << (slot % 64),
                    _ if i == words => !(u64::MAX << (slot % 64)),
                    _ => u64::MAX,
                };
                let bits = self.marked[word] & part;
                let place = (word * 64 + bits.trailing_zeros() as usize) as u64;
                (bits != 0).then(|| from + (place.wrapping_sub(slot as u64) & self.mask))
            })
            .unwrap_or(u64::MAX)
    }
}

/// Who has something to do in which of the cycles that are near enough.
#[derive(Clone, Debug)]
pub(super) struct Agenda {
    /// Words of a slot, one bit a member.
    words: usize,
    bits: Box<[u64]>,
    cycles: Cycles,
}

impl Agenda {
    /// Nothing to do; what is put in is due within so many cycles.
    pub fn new(members: usize, delay: u64) -> Agenda {
        let (cycles, words) = (Cycles::new(delay), members.div_ceil(64));
        Agenda { words, bits: vec![0; (cycles.mask as usize + 1) * words].into(), cycles }
    }

    /// One has something to do in that cycle.
    #[inline]
    pub fn add(&mut self, cycle: u64, member: u32) {
        let slot = self.cycles.slot(cycle);
        self.bits[slot * self.words + (member >> 6) as usize] |= 1 << (member & 63);
        self.cycles.mark(slot);
    }

    pub fn words(&self) -> usize {
        self.words
    }

    /// Those with something to do in a cycle, 64 of them; it is done.
    #[inline]
    pub fn take(&mut self, cycle: u64, word: usize) -> u64 {
        std::mem::take(&mut self.bits[self.cycles.slot(cycle) * self.words + word])
    }

    /// That cycle is over, everything has been taken.
    #[inline]
    pub fn over(&mut self, cycle: u64) {
        self.cycles.clear(self.cycles.slot(cycle));
    }

    /// The cycle, from a given one on, in which there is the next thing to do; `u64::MAX` if there is none.
    #[inline]
    pub fn next(&self, from: u64) -> u64 {
        self.cycles.next(from)
    }
}

/// What begins to come in at the switches in a cycle. A port has one link, so each switch has places for a train and a run of credits of each port.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    /// Switches with something to do, be it because something comes in; one bit each.
    pub todo: Box<[u64]>,
    /// How many places of each switch are taken: by trains, by credits.
    taken: Box<[[u8; 2]]>,
    /// Switch by switch, 1 << `shift` places each.
    trains: Box<[Train<NetFlit>]>,
    credits: Box<[Credits]>,
    shift: u32,
}

impl Row {
    fn new(switches: usize, ports: usize) -> Row {
        let shift = ports.next_power_of_two().trailing_zeros();
        let (port, vc, head, phase, payload) = (0, 0, false, Phase::On, NetFlit::EMPTY);
        Row {
            todo: vec![0; switches.div_ceil(64)].into(),
            taken: vec![[0; 2]; switches].into(),
            trains: vec![Train { port, vc, head, phase, flits: 0, payload }; switches << shift].into(),
            credits: vec![Credits { port, vc, credits: 0 }; switches << shift].into(),
            shift,
        }
    }

    #[inline]
    pub fn add(&mut self, switch: u32) {
        self.todo[(switch >> 6) as usize] |= 1 << (switch & 63);
    }

    /// A train comes in at a switch's port.
    #[inline(always)]
    pub fn train(&mut self, switch: u32, train: &Train<NetFlit>, port: u8) {
        if self.taken[switch as usize] == [0; 2] {
            // With the first thing that comes in.
            self.add(switch);
        }
        let taken = &mut self.taken[switch as usize];
        let place = &mut self.trains[((switch as usize) << self.shift) + usize::from(taken[0])];
        *place = Train { port, ..*train };
        taken[0] += 1;
    }

    /// Credits come in.
    #[inline(always)]
    pub fn credits(&mut self, switch: u32, credits: Credits) {
        if self.taken[switch as usize] == [0; 2] {
            self.add(switch);
        }
        let taken = &mut self.taken[switch as usize];
        self.credits[((switch as usize) << self.shift) + usize::from(taken[1])] = credits;
        taken[1] += 1;
    }

    /// What comes in at a switch.
    #[inline]
    pub fn at(&self, switch: usize) -> (&[Train<NetFlit>], &[Credits]) {
        let ([trains, credits], first) = (self.taken[switch], switch << self.shift);
        (&self.trains[first..first + usize::from(trains)], &self.credits[first..first + usize::from(credits)])
    }

    /// It has come in.
    #[inline]
    pub fn clear(&mut self, switch: usize) {
        self.taken[switch] = [0; 2];
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.todo.iter().all(|&switches| switches == 0)
    }
}

/// What is on its way to the switches: a ring of rows, one for each cycle that is near enough.
#[derive(Clone, Debug)]
pub(super) struct ToSwitches {
    rows: Box<[Row]>,
    cycles: Cycles,
}

impl ToSwitches {
    /// Nothing on its way; what is put in comes out within so many cycles.
    pub fn new(switches: usize, ports: usize, delay: u64) -> ToSwitches {
        let cycles = Cycles::new(delay);
        ToSwitches { rows: (0..=cycles.mask).map(|_| Row::new(switches, ports)).collect(), cycles }
    }

    /// The row of a cycle, to work with for a while: so its places are found once and not for every flit.
    #[inline]
    pub fn take(&mut self, cycle: u64) -> Row {
        std::mem::take(&mut self.rows[self.cycles.slot(cycle)])
    }

    /// Puts a row back in its place.
    #[inline]
    pub fn put_back(&mut self, cycle: u64, row: Row) {
        let slot = self.cycles.slot(cycle);
        if row.is_empty() {
            self.cycles.clear(slot);
        } else {
            self.cycles.mark(slot);
        }
        self.rows[slot] = row;
    }

    /// A switch has something to do in that cycle.
    #[inline]
    pub fn add(&mut self, cycle: u64, switch: u32) {
        let slot = self.cycles.slot(cycle);
        self.rows[slot].add(switch);
        self.cycles.mark(slot);
    }

    /// A train comes in at the port that it names.
    pub fn train(&mut self, cycle: u64, switch: u32, train: &Train<NetFlit>) {
        let slot = self.cycles.slot(cycle);
        self.rows[slot].train(switch, train, train.port);
        self.cycles.mark(slot);
    }

    /// Credits come in.
    pub fn credits(&mut self, cycle: u64, switch: u32, credits: Credits) {
        let slot = self.cycles.slot(cycle);
        self.rows[slot].credits(switch, credits);
        self.cycles.mark(slot);
    }

    /// The cycle, from a given one on, in which a switch has something to do next; `u64::MAX` if there is none.
    #[inline]
    pub fn next(&self, from: u64) -> u64 {
        self.cycles.next(from)
    }

    /// Of a train for this VC nothing has come in yet.
    pub fn has_train(&self, switch: u32, port: u8, vc: u8) -> bool {
        let is_it = |train: &Train<NetFlit>| (train.port, train.vc) == (port, vc);
        self.rows.iter().any(|row| row.at(switch as usize).0.iter().any(is_it))
    }

    /// Likewise of credits.
    pub fn has_credits(&self, switch: u32, port: u8, vc: u8) -> bool {
        let are_they = |run: &Credits| (run.port, run.vc) == (port, vc);
        self.rows.iter().any(|row| row.at(switch as usize).1.iter().any(are_they))
    }
}

/// What comes in at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct AtNode<T> {
    pub node: u32,
    pub lane: u8,
    pub vc: u8,
    pub what: T,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_tells_what_comes_in_next_however_long_it_is() {
        for (delay, switches) in [(1, 1), (63, 65), (64, 3), (200, 64), (4097, 2)] {
            let mut ring = ToSwitches::new(switches, 2, delay);
            let last = switches as u32 - 1;
            let put = |ring: &mut ToSwitches, cycle, credit| {
                let mut row = ring.take(cycle);
                row.credits(last, credit);
                ring.put_back(cycle, row);
            };
            assert_eq!(ring.next(5), u64::MAX);
            for from in (0..3 * delay).step_by(37) {
                for later in [0, 1, delay / 2, delay] {
                    put(&mut ring, from + delay, Credits { credits: 1, port: 0, vc: 1 });
                    put(&mut ring, from + later, Credits { credits: 1, port: 1, vc: 3 });
                    assert!(
                        ring.has_credits(last, 1, 3) && !ring.has_credits(last, 1, 2) && !ring.has_train(last, 1, 3)
                    );
                    assert!(last == 0 || !ring.has_credits(0, 1, 3));
                    for cycle in if later == delay { vec![from + delay] } else { vec![from + later, from + delay] } {
                        assert_eq!(ring.next(from), cycle, "delay {delay}");
                        let mut row = ring.take(cycle);
                        assert_eq!(std::mem::take(&mut row.todo[last as usize / 64]), 1 << (last & 63));
                        let credits = row.at(last as usize).1;
                        assert_eq!(credits.contains(&Credits { credits: 1, port: 1, vc: 3 }), cycle == from + later);
                        assert_eq!(credits.contains(&Credits { credits: 1, port: 0, vc: 1 }), cycle == from + delay);
                        row.clear(last as usize);
                        ring.put_back(cycle, row);
                    }
                    assert_eq!(ring.next(from), u64::MAX);
                }
            }
        }
    }
}
