//! Flits by port, told a run at a time.

/// How many flits have left on each port.
///
/// A run of flits is told of once, when the first of them sets out: how many there were before a cycle follows from when the run ends.
#[derive(Clone, Debug)]
pub struct FlitTotals {
    of_port: Box<[Total; 64]>,
}

/// How many flits there have been, of which the last run may still be under way.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Total {
    /// The first cycle behind the last run, and the flits before it.
    pub until: u64,
    pub flits: u64,
}

impl Total {
    /// A run of flits, one a cycle, the first in cycle `begin`. The run before has ended.
    #[inline]
    pub fn add(&mut self, begin: u64, flits: u16) {
        debug_assert!(self.until <= begin, "one flit a cycle");
        *self = Total { until: begin + u64::from(flits), flits: self.flits.wrapping_add(flits.into()) };
    }

    /// Flits in cycle `now` and later, as far as they are told of.
    #[inline]
    pub fn coming(&self, now: u64) -> u64 {
        self.until.saturating_sub(now)
    }

    /// The flits before cycle `now`.
    #[inline]
    pub fn before(&self, now: u64) -> u64 {
        self.flits.wrapping_sub(self.coming(now))
    }
}

impl FlitTotals {
    /// No flits on any port.
    pub(super) fn new() -> Self {
        FlitTotals { of_port: Box::new([Total::default(); 64]) }
    }

    /// So many flits set out on a port, one a cycle, the first in cycle `begin`. Those of the run before have.
    #[inline]
    pub(crate) fn add(&mut self, port: usize, begin: u64, flits: u16) {
        self.of_port[port & 63].add(begin, flits);
    }

    /// The flits of a port before cycle `now`.
    #[inline]
    pub fn of_port(&self, port: usize, now: u64) -> u64 {
        self.of_port[port].before(now)
    }

    /// The flits of a range of ports before cycle `now`, modulo 2^32 as in registers.
    pub fn sum(&self, ports: std::ops::Range<usize>, now: u64) -> u32 {
        ports.fold(0, |sum, port| sum.wrapping_add(self.of_port(port, now) as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flits_count_from_the_cycle_behind_theirs() {
        let mut totals = FlitTotals::new();
        totals.add(3, 10, 4);
        totals.add(63, 11, 1);
        let counts: Vec<u64> = (10..16).map(|now| totals.of_port(3, now)).collect();
        assert_eq!(counts, [0, 1, 2, 3, 4, 4]);
        assert_eq!((totals.sum(0..64, 12), totals.sum(0..64, 14), totals.sum(4..63, 14)), (3, 5, 0));
        totals.add(3, 14, 2);
        assert_eq!((totals.of_port(3, 14), totals.of_port(3, 15), totals.of_port(3, 99)), (4, 5, 6));
    }

    #[test]
    fn sums_wrap_at_32_bits_and_totals_do_not() {
        let mut totals = FlitTotals::new();
        totals.of_port[8].flits = u64::from(u32::MAX) - 1;
        totals.add(8, 5, 3);
        let counts: Vec<u32> = (5..9).map(|now| totals.sum(7..9, now)).collect();
        assert_eq!(counts, [u32::MAX - 1, u32::MAX, 0, 1]);
        assert_eq!(totals.of_port(8, 8), u64::from(u32::MAX) + 2);
    }
}
