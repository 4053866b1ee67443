//! What buffers hold, told a run of flits at a time.
//!
//! A mechanism that looks at buffers once in a while need not be clocked in every cycle in which a flit moves: how many there are in a cycle, and
//! the sum of that over all cycles before it, follow from when runs began.

use super::flit_totals::Total;
use crate::bits::is_set;
use std::ops::Range;

/// What a mechanism sees of the buffers of all ports, if it asks for it ([`powar_config::Sees`]); else there are no ports.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    ports: Box<[PortBuffers]>,
}

/// Of a port: the flits that come in over its link, that enter its buffer and that leave it; and the credits that are taken and that come back.
#[derive(Clone, Copy, Debug, Default)]
struct PortBuffers {
    arrived: Total,
    entered: Timed,
    left: Timed,
    taken: Total,
    returned: Total,
}

impl PortBuffers {
    fn fill(&self, now: u64) -> u64 {
        self.entered.total.before(now).wrapping_sub(self.left.total.before(now))
    }

    fn occupancy(&self, now: u64) -> u64 {
        self.taken.before(now).wrapping_sub(self.returned.before(now))
    }
}

/// A total, with the sum of the cycles from which on its flits count, modulo 2^64.
#[derive(Clone, Copy, Debug, Default)]
struct Timed {
    total: Total,
    counted_from: u64,
}

impl Timed {
    #[inline]
    fn add(&mut self, begin: u64, flits: u16) {
        self.total.add(begin, flits);
        self.counted_from = self.counted_from.wrapping_add(sum_down(self.total.until, flits.into()));
    }

    /// So many flits more, or fewer, from cycle `now` on.
    fn change(&mut self, now: u64, flits: u64) {
        self.total.flits = self.total.flits.wrapping_add(flits);
        self.counted_from = self.counted_from.wrapping_add(flits.wrapping_mul(now));
    }

    /// The flits before a cycle, summed up over all cycles before `now`, modulo 2^64.
    #[inline]
    fn sum(&self, now: u64) -> u64 {
        let counted_from = self.counted_from.wrapping_sub(sum_down(self.total.until, self.total.coming(now)));
        self.total.before(now).wrapping_mul(now).wrapping_sub(counted_from)
    }
}

/// The sum of so many numbers of which `first` is the first and each is one less than the one before.
#[inline]
fn sum_down(first: u64, count: u64) -> u64 {
    (count * first).wrapping_sub(count * count.saturating_sub(1) / 2)
}

impl Buffers {
    /// Empty buffers.
    pub(super) fn new(ports: usize) -> Buffers {
        Buffers { ports: vec![PortBuffers::default(); ports].into() }
    }

    /// Empty buffers of as many ports.
    pub(super) fn clear(&mut self) {
        self.ports.fill(PortBuffers::default());
    }

    /// So many flits come in on a port, one a cycle, the first in cycle `begin`. Those of the run before have; so of the other runs.
    #[inline]
    pub(crate) fn arrive(&mut self, port: usize, begin: u64, flits: u16) {
        self.ports[port].arrived.add(begin, flits);
    }

    /// So many find room in the buffer of an input port.
    #[inline]
    pub(crate) fn enter(&mut self, port: usize, begin: u64, flits: u16) {
        self.ports[port].entered.add(begin, flits);
    }

    /// So many are read from the buffer of an input port.
    #[inline]
    pub(crate) fn leave(&mut self, port: usize, begin: u64, flits: u16) {
        self.ports[port].left.add(begin, flits);
    }

    /// So many credits of an output port are taken.
    #[inline]
    pub(crate) fn take(&mut self, port: usize, begin: u64, credits: u16) {
        self.ports[port].taken.add(begin, credits);
    }

    /// So many credits come back to an output port.
    #[inline]
    pub(crate) fn take_back(&mut self, port: usize, begin: u64, credits: u16) {
        self.ports[port].returned.add(begin, credits);
    }

    /// What is seen in cycle `now`, however it came about. Until something else is told, buffers stay as full as that.
    pub(crate) fn show(&mut self, now: u64, shown: &ShownBuffers) {
        for (port, of_port) in self.ports.iter_mut().enumerate() {
            let moves = |vector: u64| u16::from(is_set(vector, port));
            of_port.arrived.add(now, moves(shown.arriving));
            of_port.entered.change(now, u64::from(shown.fill[port]).wrapping_sub(of_port.fill(now)));
            // A flit that leaves makes the buffer no emptier than what is shown next: another one makes up for it.
            of_port.entered.add(now, moves(shown.leaving));
            of_port.left.add(now, moves(shown.leaving));
            let more = u64::from(shown.occupancy[port]).wrapping_sub(of_port.occupancy(now));
            of_port.taken.flits = of_port.taken.flits.wrapping_add(more);
        }
    }

    /// Whether a flit comes in at a port in cycle `now`, kept or lost.
    pub fn is_arriving(&self, port: usize, now: u64) -> bool {
        self.ports[port].arrived.coming(now) != 0
    }

    /// Whether a flit is read from the buffer of a port in cycle `now`.
    pub fn is_leaving(&self, port: usize, now: u64) -> bool {
        self.ports[port].left.total.coming(now) != 0
    }

    /// Flits in the buffer of an input port in cycle `now`, all VCs.
    pub fn fill(&self, port: usize, now: u64) -> u64 {
        self.ports[port].fill(now)
    }

    /// Flits in the buffer at the other end of an output port and on the way there and back in cycle `now`, all VCs.
    pub fn occupancy(&self, port: usize, now: u64) -> u64 {
        self.ports[port].occupancy(now)
    }

    /// The sum of [`Buffers::fill`] over a range of ports and all cycles before `now`, modulo 2^64.
    pub fn sum_of_fill(&self, ports: Range<usize>, now: u64) -> u64 {
        let of_port = |port: &PortBuffers| port.entered.sum(now).wrapping_sub(port.left.sum(now));
        self.ports[ports].iter().fold(0, |sum, port| sum.wrapping_add(of_port(port)))
    }

    /// The flits that have been read from the buffers of a range of ports before cycle `now`, modulo 2^64.
    pub fn left(&self, ports: Range<usize>, now: u64) -> u64 {
        self.ports[ports].iter().fold(0, |sum, port| sum.wrapping_add(port.left.total.before(now)))
    }

    /// The buffers of a range of ports are empty in cycle `now`, and nothing that is told of comes in.
    pub fn are_empty(&self, ports: Range<usize>, now: u64) -> bool {
        self.ports[ports].iter().all(|port| {
            let PortBuffers { entered, left, .. } = port;
            (entered.total.coming(now), left.total.coming(now)) == (0, 0) && entered.total.flits == left.total.flits
        })
    }
}

/// What buffers show in a cycle; vectors have one bit a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownBuffers {
    /// Ports at which a flit comes in, and ports of whose buffers one is read.
    pub arriving: u64,
    pub leaving: u64,
    /// Flits in the buffer of each input port.
    pub fill: [u16; 64],
    /// Flits in the buffer at the other end of each output port and on the way there and back.
    pub occupancy: [u16; 64],
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs beside flits that are counted one by one.
    #[test]
    fn runs_add_up_as_single_flits_do() {
        let mut rng = fastrand::Rng::with_seed(5);
        let mut buffers = Buffers::new(2);
        // Of port 1: the first cycle behind each run, flits in the buffer and on the way, and what adds up.
        let (mut free, mut fill, mut occupancy, mut sum, mut left) = ([0u64; 4], 0u64, 0u64, 0u64, 0u64);
        for now in 0..5000 {
            assert_eq!((buffers.fill(1, now), buffers.occupancy(1, now)), (fill, occupancy), "cycle {now}");
            assert_eq!((buffers.sum_of_fill(1..2, now), buffers.left(0..2, now)), (sum, left), "cycle {now}");
            assert_eq!((buffers.fill(0, now), buffers.sum_of_fill(0..1, now)), (0, 0));
            let begins: [bool; 4] = std::array::from_fn(|i| free[i] <= now && rng.u8(0..5) == 0);
            let flits = 1 + rng.u16(0..6);
            if begins[0] {
                free[0] = now + u64::from(flits);
                buffers.arrive(1, now, flits);
                buffers.enter(1, now, flits);
            }
            let most = fill.min(u64::from(flits));
            if begins[1] && most > 0 {
                free[1] = now + most;
                buffers.leave(1, now, most as u16);
            }
            if begins[2] {
                free[2] = now + u64::from(flits);
                buffers.take(1, now, flits);
            }
            let most = occupancy.min(u64::from(flits));
            if begins[3] && most > 0 {
                free[3] = now + most;
                buffers.take_back(1, now, most as u16);
            }
            let moves = free.map(|free| free > now);
            assert_eq!([buffers.is_arriving(1, now), buffers.is_leaving(1, now)], [moves[0], moves[1]]);
            assert_eq!(buffers.are_empty(0..2, now), (fill, moves[0], moves[1]) == (0, false, false));
            sum += fill;
            left += u64::from(moves[1]);
            fill = fill + u64::from(moves[0]) - u64::from(moves[1]);
            occupancy = occupancy + u64::from(moves[2]) - u64::from(moves[3]);
        }
        assert!(left > 1000 && sum > left);
    }

    #[test]
    fn what_is_shown_is_seen() {
        let mut rng = fastrand::Rng::with_seed(6);
        let mut buffers = Buffers::new(3);
        let (mut shown, mut sum, mut left) = (None, 0, 0);
        for now in 0..3000u64 {
            let moving = if rng.bool() {
                let numbers = |rng: &mut fastrand::Rng| std::array::from_fn(|_| rng.u16(0..8192));
                let (arriving, leaving) = (rng.u64(..), rng.u64(..));
                let news = ShownBuffers { arriving, leaving, fill: numbers(&mut rng), occupancy: numbers(&mut rng) };
                buffers.show(now, &news);
                shown = Some(news);
                (arriving, leaving)
            } else {
                (0, 0)
            };
            for port in 0..3 {
                let (fill, occupancy) = shown.as_ref().map_or((0, 0), |it| (it.fill[port], it.occupancy[port]));
                assert_eq!((buffers.fill(port, now), buffers.occupancy(port, now)), (fill.into(), occupancy.into()));
                assert_eq!(buffers.is_arriving(port, now), is_set(moving.0, port));
                assert_eq!(buffers.is_leaving(port, now), is_set(moving.1, port));
            }
            assert_eq!((buffers.sum_of_fill(0..3, now), buffers.left(0..3, now)), (sum, left), "cycle {now}");
            sum += shown.as_ref().map_or(0, |it| it.fill[..3].iter().map(|&flits| u64::from(flits)).sum());
            left += u64::from((moving.1 & 7).count_ones());
        }
    }
}
