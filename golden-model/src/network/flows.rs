//! What is measured beside the figures of a whole network, since it takes memory: each pair of source and destination.

use super::latencies::Latencies;
use std::collections::HashMap;

/// Latencies of a flow that are kept one by one; a histogram of more takes less room than they would.
const FEW: usize = 1 << 13;

/// Messages from one node to another that were given in the window.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// Flits that they have, whether or not all have come in.
    pub flits: u64,
    /// As those of a [`Measurement`](super::Measurement), of this flow's packets and messages.
    pub packet_latency: FlowLatencies,
    pub message_latency: FlowLatencies,
}

/// All flows, by source and destination.
pub type Flows = HashMap<(u32, u32), Flow>;

/// Latencies of a flow, cycles. There may be a million flows of a few packets each: those are kept as they are, and quantiles of them are exact.
#[derive(Clone, Debug)]
pub enum FlowLatencies {
    Few(Vec<u64>),
    Many(Box<Latencies>),
}

impl Default for FlowLatencies {
    fn default() -> Self {
        FlowLatencies::Few(vec![])
    }
}

impl FlowLatencies {
    pub(super) fn record(&mut self, cycles: u64) {
        match self {
            FlowLatencies::Many(all) => all.record(cycles),
            FlowLatencies::Few(few) if few.len() < FEW => few.push(cycles),
            FlowLatencies::Few(few) => {
                let mut all = Box::<Latencies>::default();
                few.iter().chain([&cycles]).for_each(|&cycles| all.record(cycles));
                *self = FlowLatencies::Many(all);
            }
        }
    }

    /// Latencies that are all recorded: of these quantiles can be asked for.
    pub fn sorted(&self) -> FlowLatencies {
        let mut sorted = self.clone();
        if let FlowLatencies::Few(few) = &mut sorted {
            few.sort_unstable();
        }
        sorted
    }

    pub fn count(&self) -> u64 {
        match self {
            FlowLatencies::Few(few) => few.len() as u64,
            FlowLatencies::Many(all) => all.count(),
        }
    }

    /// The mean, cycles; 0 of none.
    pub fn mean(&self) -> f64 {
        match self {
            FlowLatencies::Few(few) => few.iter().sum::<u64>() as f64 / few.len().max(1) as f64,
            FlowLatencies::Many(all) => all.mean(),
        }
    }

    /// The latency that the share `quantile` (0..=1) of [sorted](FlowLatencies::sorted) ones does not exceed, within 0.1 %; 0 of none.
    pub fn quantile(&self, quantile: f64) -> u64 {
        match self {
            FlowLatencies::Few(few) => {
                let rank = (quantile * few.len() as f64).ceil() as usize;
                few.get(rank.saturating_sub(1)).copied().unwrap_or(0)
            }
            FlowLatencies::Many(all) => all.quantile(quantile),
        }
    }

    /// The longest; 0 of none.
    pub fn max(&self) -> u64 {
        match self {
            FlowLatencies::Few(few) => few.iter().copied().max().unwrap_or(0),
            FlowLatencies::Many(all) => all.max(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_say_the_same() {
        let mut flow = FlowLatencies::default();
        assert_eq!((flow.count(), flow.mean(), flow.quantile(0.5), flow.max()), (0, 0.0, 0, 0));
        let mut all: Vec<u64> = vec![];
        for number in 0..3 * FEW as u64 {
            // Up to 100 000 cycles, in no order.
            let latency = number * 7919 % 100_003;
            flow.record(latency);
            all.push(latency);
            if !matches!(all.len(), 1 | 10 | 999 | FEW) && all.len() != FEW + 1 && all.len() != 3 * FEW {
                continue;
            }
            let mut expected = all.clone();
            expected.sort_unstable();
            let sorted = flow.sorted();
            let mean = expected.iter().sum::<u64>() as f64 / expected.len() as f64;
            assert!((sorted.mean() - mean).abs() < 1e-6 && sorted.count() == expected.len() as u64);
            for quantile in [0.5, 0.9, 0.99, 1.0] {
                let exact = expected[((quantile * expected.len() as f64).ceil() as usize).max(1) - 1] as f64;
                let seen = sorted.quantile(quantile) as f64;
                assert!((seen - exact).abs() <= 0.001 * exact, "{quantile} of {}: {seen}, {exact}", all.len());
            }
        }
        assert!(matches!(flow, FlowLatencies::Many(_)));
    }
}
