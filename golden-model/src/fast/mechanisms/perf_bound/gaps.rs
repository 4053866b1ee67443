//! The gap of a port that is under way, or the last one: where it began says when it gets to each threshold.

/// The longest gap that is told from a longer one.
const LONGEST: u64 = (1 << 24) - 1;

/// A gap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// Its first cycle.
    pub since: u64,
}

impl Gap {
    /// The cycle in which it gets to the threshold in this place.
    pub fn reaches(self, place: usize) -> u64 {
        self.since + (1 << place) - 1
    }

    /// Whether it has got there before cycle `now`, but not before cycle `from`.
    pub fn has_reached(self, place: usize, from: u64, now: u64) -> bool {
        (from..now).contains(&self.reaches(place))
    }

    /// Its cycles before cycle `now`.
    pub fn cycles(self, now: u64) -> u64 {
        LONGEST.min(now - self.since)
    }
}
