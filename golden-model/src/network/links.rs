//! Flits and credits on the links.

use crate::switch::{Credit, LinkFlit, Payload};
use powar_config::PowerState;
use std::collections::VecDeque;

/// What a flit carries in a network: the header, and its packet's place in the network's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetFlit {
    /// Destination 15:0, packed, and length 25:16 (`docs/microarchitecture.md`, 5.1).
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
}

/// What is on its way over links of one delay, in the order in which it comes out; with the cycle in which it does.
#[derive(Clone, Debug)]
pub(super) struct Delayed<T>(VecDeque<(u64, T)>);

impl<T> Default for Delayed<T> {
    fn default() -> Self {
        Delayed(VecDeque::new())
    }
}

impl<T> Delayed<T> {
    #[inline]
    pub fn push(&mut self, cycle: u64, what: T) {
        debug_assert!(self.0.back().is_none_or(|(last, _)| *last <= cycle), "links of one delay keep the order");
        self.0.push_back((cycle, what));
    }

    /// What comes out in a cycle or should have come out before.
    #[inline]
    pub fn pop(&mut self, now: u64) -> Option<T> {
        match self.0.front() {
            Some((cycle, _)) if *cycle <= now => self.0.pop_front().map(|(_, what)| what),
            _ => None,
        }
    }

    /// The cycle in which the next comes out; `u64::MAX` if there is none.
    #[inline]
    pub fn next(&self) -> u64 {
        self.0.front().map_or(u64::MAX, |(cycle, _)| *cycle)
    }
}

/// What is on its way to a switch: a ring of slots, one for each cycle that is near enough. A port has one link, so a slot holds at
/// most a flit and a credit for each.
#[derive(Clone, Debug)]
pub(super) struct ToSwitch {
    ports: usize,
    /// Slots, a power of two and at least 64, less one.
    mask: u64,
    /// Slot by slot, `ports` places each.
    flits: Box<[LinkFlit<NetFlit>]>,
    credits: Box<[Credit]>,
    /// How many of the places of a slot are taken: by flits, by credits.
    taken: Box<[[u8; 2]]>,
    /// Slots with anything in them, one bit each.
    occupied: Box<[u64]>,
}

impl ToSwitch {
    /// Nothing on its way; what is put in comes out within so many cycles.
    pub fn new(ports: usize, delay: u64) -> ToSwitch {
        let slots = (delay + 1).next_power_of_two().max(64) as usize;
        let (port, vc, power_state) = (0, 0, PowerState::Active);
        ToSwitch {
            ports,
            mask: slots as u64 - 1,
            flits: vec![LinkFlit { port, vc, head: false, power_state, payload: NetFlit::EMPTY }; slots * ports].into(),
            credits: vec![Credit { port, vc }; slots * ports].into(),
            taken: vec![[0; 2]; slots].into(),
            occupied: vec![0; slots / 64].into(),
        }
    }

    #[inline]
    fn slot(&mut self, cycle: u64) -> usize {
        let slot = (cycle & self.mask) as usize;
        self.occupied[slot >> 6] |= 1 << (slot & 63);
        slot
    }

    /// A flit comes in in that cycle.
    #[inline]
    pub fn flit(&mut self, cycle: u64, flit: LinkFlit<NetFlit>) {
        let slot = self.slot(cycle);
        let taken = &mut self.taken[slot][0];
        self.flits[slot * self.ports + usize::from(*taken)] = flit;
        *taken += 1;
    }

    /// A credit comes in in that cycle.
    #[inline]
    pub fn credit(&mut self, cycle: u64, credit: Credit) {
        let slot = self.slot(cycle);
        let taken = &mut self.taken[slot][1];
        self.credits[slot * self.ports + usize::from(*taken)] = credit;
        *taken += 1;
    }

    /// What comes in in a cycle.
    #[inline]
    pub fn at(&self, cycle: u64) -> (&[LinkFlit<NetFlit>], &[Credit]) {
        let slot = (cycle & self.mask) as usize;
        let [flits, credits] = self.taken[slot];
        let places = slot * self.ports..(slot + 1) * self.ports;
        (&self.flits[places.clone()][..flits.into()], &self.credits[places][..credits.into()])
    }

    /// That cycle is over.
    #[inline]
    pub fn clear(&mut self, cycle: u64) {
        let slot = (cycle & self.mask) as usize;
        self.taken[slot] = [0; 2];
        self.occupied[slot >> 6] &= !(1 << (slot & 63));
    }

    /// The cycle, from a given one on, in which the next thing comes in; `u64::MAX` if there is nothing.
    #[inline]
    pub fn next(&self, from: u64) -> u64 {
        let slot = (from & self.mask) as usize;
        if let [occupied] = *self.occupied {
            return match occupied {
                0 => u64::MAX,
                _ => from + u64::from(occupied.rotate_right(slot as u32).trailing_zeros()),
            };
        }
        // The slot's own word twice: its upper part first, its lower part last.
        let words = self.occupied.len();
        (0..=words)
            .find_map(|i| {
                let word = (slot / 64 + i) % words;
                let part = match i {
                    0 => u64::MAX << (slot % 64),
                    _ if i == words => !(u64::MAX << (slot % 64)),
                    _ => u64::MAX,
                };
                let bits = self.occupied[word] & part;
                let place = (word * 64 + bits.trailing_zeros() as usize) as u64;
                (bits != 0).then(|| from + (place.wrapping_sub(slot as u64) & self.mask))
            })
            .unwrap_or(u64::MAX)
    }

    /// What is on its way, in no order.
    fn all(&self) -> impl Iterator<Item = (&[LinkFlit<NetFlit>], &[Credit])> {
        (0..=self.mask).map(|slot| self.at(slot))
    }

    /// A flit for this VC is on its way.
    pub fn has_flit(&self, port: u8, vc: u8) -> bool {
        self.all().any(|(flits, _)| flits.iter().any(|flit| (flit.port, flit.vc) == (port, vc)))
    }

    /// A credit for this VC is on its way.
    pub fn has_credit(&self, port: u8, vc: u8) -> bool {
        self.all().any(|(_, credits)| credits.contains(&Credit { port, vc }))
    }
}

/// A flit on the link from a switch to a node, or a credit on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct AtNode<T> {
    pub node: u32,
    pub lane: u8,
    pub what: T,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_tells_what_comes_in_next_however_long_it_is() {
        for delay in [1, 63, 64, 200, 4097] {
            let mut ring = ToSwitch::new(2, delay);
            assert_eq!(ring.next(5), u64::MAX);
            for from in (0..3 * delay).step_by(37) {
                for later in [0, 1, delay / 2, delay] {
                    ring.credit(from + delay, Credit { port: 0, vc: 1 });
                    ring.credit(from + later, Credit { port: 1, vc: 3 });
                    assert_eq!(ring.next(from), from + later, "delay {delay}");
                    assert!(ring.has_credit(1, 3) && !ring.has_credit(1, 2) && !ring.has_flit(1, 3));
                    assert_eq!(ring.at(from + later).1.last(), Some(&Credit { port: 1, vc: 3 }));
                    ring.clear(from + later);
                    assert_eq!(ring.next(from), if later == delay { u64::MAX } else { from + delay });
                    ring.clear(from + delay);
                }
            }
        }
    }
}
