//! What a port did: the part of its counters that power and traffic follow from.

/// A port's counters but for errors, 32 bits each; they wrap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PortCounts {
    /// Cycles in each pair of phase and level, in the order of the mechanism's residency.
    pub cycles: Vec<u32>,
    /// Times that the port began to wake.
    pub wake_ups: u32,
    /// Flits that it sent.
    pub flits: u32,
}

impl PortCounts {
    /// What was counted since an earlier reading less than 2^32 cycles ago, with no clear and no reset between.
    pub fn since(&self, earlier: &PortCounts) -> PortCounts {
        let pairs = self.cycles.iter().zip(&earlier.cycles);
        PortCounts {
            cycles: pairs.map(|(now, before)| now.wrapping_sub(*before)).collect(),
            wake_ups: self.wake_ups.wrapping_sub(earlier.wake_ups),
            flits: self.flits.wrapping_sub(earlier.flits),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_wrap_and_differences_do_not_mind() {
        let before = PortCounts { cycles: vec![u32::MAX, 7], wake_ups: 1, flits: u32::MAX - 1 };
        let after = PortCounts { cycles: vec![2, 7], wake_ups: 1, flits: 1 };
        assert_eq!(after.since(&before), PortCounts { cycles: vec![3, 0], wake_ups: 0, flits: 3 });
    }
}
