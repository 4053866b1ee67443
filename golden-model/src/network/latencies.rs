//! Latencies, as a histogram.

use hdrhistogram::Histogram;
use std::ops::RangeInclusive;

/// Latencies in cycles: how many, their mean and their distribution.
#[derive(Clone, Debug)]
pub struct Latencies {
    sum: u128,
    histogram: Histogram<u64>,
}

impl Default for Latencies {
    fn default() -> Self {
        // Three digits: quantiles are right within 0.1 %.
        Latencies { sum: 0, histogram: Histogram::new(3).expect("3 significant digits are allowed") }
    }
}

impl Latencies {
    pub(super) fn record(&mut self, cycles: u64) {
        self.sum += u128::from(cycles);
        self.histogram.record(cycles).expect("the histogram grows as it must");
    }

    pub fn count(&self) -> u64 {
        self.histogram.len()
    }

    /// The mean, cycles; 0 of none.
    pub fn mean(&self) -> f64 {
        if self.count() == 0 { 0.0 } else { self.sum as f64 / self.count() as f64 }
    }

    /// The latency that the share `quantile` (0..=1) does not exceed, within 0.1 %.
    pub fn quantile(&self, quantile: f64) -> u64 {
        self.histogram.value_at_quantile(quantile)
    }

    pub fn max(&self) -> u64 {
        self.histogram.max()
    }

    /// The distribution: latencies that are one up to 2047 cycles, and within 0.1 % above, in ascending order, and how
    /// many each is of.
    pub fn bins(&self) -> impl Iterator<Item = (RangeInclusive<u64>, u64)> + '_ {
        let bins = self.histogram.iter_recorded().map(|bin| (bin.value_iterated_to(), bin.count_at_value()));
        bins.map(|(value, count)| {
            (self.histogram.lowest_equivalent(value)..=self.histogram.highest_equivalent(value), count)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the sorted list, by the nearest rank.
    #[test]
    fn quantiles_and_bins_are_those_of_the_list() {
        let mut latencies = Latencies::default();
        let mut list: Vec<u64> = (0..5_000).map(|number| number * number % 99_991 + 60).collect();
        list.iter().for_each(|&cycles| latencies.record(cycles));
        list.sort_unstable();
        for quantile in [0.5, 0.9, 0.95, 0.99, 0.999, 1.0] {
            let exact = list[(quantile * list.len() as f64).ceil() as usize - 1];
            let seen = latencies.quantile(quantile);
            assert!(seen.abs_diff(exact) as f64 <= 0.001 * exact as f64, "{quantile}: {seen} is not {exact}");
        }
        let bins: Vec<_> = latencies.bins().collect();
        for (cycles, count) in &bins {
            assert_eq!(list.iter().filter(|latency| cycles.contains(latency)).count() as u64, *count, "{cycles:?}");
            assert!(cycles.start() == cycles.end() || *cycles.start() >= 2048, "{cycles:?}");
        }
        assert_eq!(bins.iter().map(|(_, count)| count).sum::<u64>(), 5_000);
    }
}
