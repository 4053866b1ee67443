//! What a port did: the part of its counters that power and traffic follow from.

/// What a port's counters but for errors would be if they had 64 bits: the registers hold the lower 32 of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PortCounts {
    /// Cycles in each pair of phase and level, in the order of the mechanism's residency.
    pub cycles: Vec<u64>,
    /// Times that the port began to wake.
    pub wake_ups: u64,
    /// Flits that it sent.
    pub flits: u64,
}

impl PortCounts {
    /// What was counted since an earlier reading, with no clear and no reset between.
    pub fn since(&self, earlier: &PortCounts) -> PortCounts {
        let pairs = self.cycles.iter().zip(&earlier.cycles);
        PortCounts {
            cycles: pairs.map(|(now, before)| now - before).collect(),
            wake_ups: self.wake_ups - earlier.wake_ups,
            flits: self.flits - earlier.flits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_of_each_count() {
        let before = PortCounts { cycles: vec![u32::MAX.into(), 7], wake_ups: 1, flits: 5 };
        let after = PortCounts { cycles: vec![1 << 40, 7], wake_ups: 1, flits: 8 };
        let cycles = vec![(1 << 40) - u64::from(u32::MAX), 0];
        assert_eq!(after.since(&before), PortCounts { cycles, wake_ups: 0, flits: 3 });
    }
}
