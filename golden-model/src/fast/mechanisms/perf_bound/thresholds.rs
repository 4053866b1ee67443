//! The thresholds of all ports, and how often their gaps have got to each.
//!
//! Of the gap under way nothing is counted: what it has got to since a counter was looked at follows from where it
//! began. A gap that is over is added to the counters.

use super::gaps::Gap;
use crate::bits::{is_set, low_bits, ones};
use crate::fast::frame::Frame;
use powar_config::mechanism::perf_bound::THRESHOLDS;

#[derive(Clone, Debug)]
pub(super) struct Thresholds {
    ports: usize,
    /// Ports in use since the cycle that was clocked last; the others are in a gap.
    used: u64,
    gap: [Gap; 64],
    /// How often gaps that are over got to each threshold since it was looked at, by port.
    counts: Vec<[u8; THRESHOLDS]>,
    /// The last cycle in which each was looked at.
    looked: [u64; THRESHOLDS],
    /// The place of each port's threshold.
    place: [u8; 64],
    /// Ports that seek one.
    seeks: u64,
    /// Ports in a gap that has not got to the threshold, in the cycle that was clocked last.
    kept: u64,
    /// The first cycle in which one of them has.
    next_due: u64,
}

impl Thresholds {
    /// The state after reset in cycle `now`: all ports are in a gap.
    pub fn new(ports: usize, now: u64) -> Thresholds {
        let place = THRESHOLDS as u8 - 1;
        let mut thresholds = Thresholds {
            ports,
            used: 0,
            gap: [Gap { since: now }; 64],
            counts: vec![[0; THRESHOLDS]; ports],
            looked: [now; THRESHOLDS],
            place: [place; 64],
            seeks: 0,
            kept: low_bits(ports),
            next_due: 0,
        };
        thresholds.find_next();
        thresholds
    }

    /// Ports that POWAR is to take for used, in the cycle of the last [`Thresholds::note`].
    #[inline]
    pub fn kept_awake(&self) -> u64 {
        self.kept
    }

    /// These are the ports that were in use in the cycle that was clocked last.
    #[inline]
    pub fn are_used_by(&self, used: u64) -> bool {
        used & low_bits(self.ports) == self.used
    }

    /// The first cycle in which a gap gets to its port's threshold, if all ports stay as they are.
    #[inline]
    pub fn next_event(&self) -> u64 {
        self.next_due
    }

    /// In cycle `now` these ports are in use.
    #[inline]
    pub fn note(&mut self, now: u64, used: u64) {
        let used = used & low_bits(self.ports);
        let changed = used ^ self.used;
        if changed == 0 && now < self.next_due {
            return;
        }
        for port in ones(changed & used) {
            self.end_gap(port, now);
        }
        for port in ones(changed & !used) {
            self.gap[port] = Gap { since: now };
        }
        self.used = used;
        self.kept = (self.kept | changed) & !used;
        for port in ones(self.kept) {
            if self.due(port) <= now {
                self.kept &= !(1 << port);
            }
        }
        self.find_next();
    }

    /// Cycle `now` is the first one behind the gap of a port.
    fn end_gap(&mut self, port: usize, now: u64) {
        let gap = self.gap[port];
        for (place, count) in self.counts[port].iter_mut().enumerate() {
            if gap.reaches(place) >= now {
                break;
            }
            let counts = gap.has_reached(place, self.looked[place], now);
            *count = count.saturating_add(u8::from(counts));
        }
    }

    /// The cycle in which the gap of a port gets to its threshold.
    fn due(&self, port: usize) -> u64 {
        self.gap[port].reaches(self.place[port].into())
    }

    fn find_next(&mut self) {
        self.next_due = ones(self.kept).map(|port| self.due(port)).min().unwrap_or(u64::MAX);
    }

    /// A counter of a port in cycle `now`.
    fn count(&self, port: usize, place: usize, now: u64) -> u8 {
        let under_way = !is_set(self.used, port) && self.gap[port].has_reached(place, self.looked[place], now);
        self.counts[port][place].saturating_add(u8::from(under_way))
    }

    /// The clock edge that ends cycle `now`, in which the threshold in this place is looked at.
    pub fn look(&mut self, now: u64, place: usize, allowed: u8) {
        let every = low_bits(self.ports);
        let open = if place == 0 { every } else { self.seeks };
        let mut seeks = 0;
        for port in ones(open) {
            let count = self.count(port, place, now);
            if place == 0 && count == 0 {
                continue;
            }
            if count <= allowed || place == THRESHOLDS - 1 {
                self.place[port] = place as u8;
            } else {
                seeks |= 1 << port;
            }
        }
        self.seeks = seeks;
        for counts in &mut self.counts {
            counts[place] = 0;
        }
        self.looked[place] = now;
        // A longer threshold may hold for a gap that had got to the one before.
        self.kept = every & !self.used;
        self.next_due = now + 1;
    }

    /// The registers in cycle `now`.
    pub fn observe(&self, now: u64, frame: &mut Frame) {
        let cycles = |port: usize| if is_set(self.used, port) { 0 } else { self.gap[port].cycles(now) };
        frame.fill(self.ports, cycles);
        frame.fill(self.ports * THRESHOLDS, |row| self.count(row / THRESHOLDS, row % THRESHOLDS, now).into());
        frame.fill(self.ports, |port| 1 << self.place[port]);
        frame.fill(self.ports, |port| is_set(self.seeks, port).into());
    }
}
