//! Latencies: of all, by length, and by source and destination.

use anyhow::Result;
use powar_config::topology::graph::Names;
use powar_golden::network::{Flow, FlowLatencies, Flows, Latencies, Measurement};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Latencies, cycles. `pX` is what X % of them do not exceed, within 0.1 %; those that kept results do not have are none, as all are if there is no latency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LatencySummary {
    pub count: u64,
    pub mean: Option<f64>,
    /// The median; results kept from before there was another quantile call it so.
    #[serde(alias = "median")]
    pub p50: Option<u64>,
    #[serde(default)]
    pub p90: Option<u64>,
    #[serde(default)]
    pub p95: Option<u64>,
    pub p99: Option<u64>,
    /// What 99.9 % do not exceed.
    #[serde(default)]
    pub p999: Option<u64>,
    pub max: Option<u64>,
}

impl LatencySummary {
    /// As it is, but of results that were kept when a latency of nothing was 0: that is none.
    pub(crate) fn if_any(self) -> LatencySummary {
        if self.count == 0 { LatencySummary::default() } else { self }
    }
}

impl From<&Latencies> for LatencySummary {
    fn from(latencies: &Latencies) -> Self {
        if latencies.count() == 0 {
            return LatencySummary::default();
        }
        LatencySummary {
            count: latencies.count(),
            mean: Some(latencies.mean()),
            p50: Some(latencies.quantile(0.5)),
            p90: Some(latencies.quantile(0.9)),
            p95: Some(latencies.quantile(0.95)),
            p99: Some(latencies.quantile(0.99)),
            p999: Some(latencies.quantile(0.999)),
            max: Some(latencies.max()),
        }
    }
}

/// What a latency is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LatencyOf {
    /// As [`Outcome::packet_latency`](super::Outcome::packet_latency) and so on.
    #[default]
    Packet,
    Network,
    Message,
}

/// Latencies of one length, or as good as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HistogramBin {
    pub latency_of: LatencyOf,
    /// The shortest and the longest latency that it is of, cycles: the same up to 2047, and within 0.1 % above.
    pub from_cycles: u64,
    pub to_cycles: u64,
    /// How many had it.
    pub count: u64,
    /// The share of all that were not longer.
    pub cumulative_share: f64,
}

/// The histograms of what was measured, one after the other, in ascending order each; a bin of nothing is left out.
pub(super) fn histogram(measurement: &Measurement) -> Vec<HistogramBin> {
    let Measurement { packet_latency, network_latency, message_latency, .. } = measurement;
    let all = [
        (LatencyOf::Packet, packet_latency),
        (LatencyOf::Network, network_latency),
        (LatencyOf::Message, message_latency),
    ];
    all.into_iter().flat_map(|(latency_of, latencies)| bins(latency_of, latencies)).collect()
}

fn bins(latency_of: LatencyOf, latencies: &Latencies) -> impl Iterator<Item = HistogramBin> + '_ {
    let all = latencies.count() as f64;
    latencies.bins().scan(0, move |so_far, (cycles, count)| {
        *so_far += count;
        let cumulative_share = *so_far as f64 / all;
        Some(HistogramBin {
            latency_of,
            from_cycles: *cycles.start(),
            to_cycles: *cycles.end(),
            count,
            cumulative_share,
        })
    })
}

/// Messages from one node to another that were given in the measured cycles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FlowSummary {
    /// Names of the nodes; their numbers if they have none.
    pub source: String,
    pub destination: String,
    /// Messages and packets that came in.
    pub messages: u64,
    pub packets: u64,
    /// Flits that the messages have, whether or not they came in.
    pub flits: u64,
    pub packet_latency: FlowLatency,
    pub message_latency: FlowLatency,
}

/// Latencies of a flow, cycles; none if nothing came in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FlowLatency {
    pub mean: Option<f64>,
    pub p50: Option<u64>,
    pub p99: Option<u64>,
    pub max: Option<u64>,
}

impl From<&FlowLatencies> for FlowLatency {
    fn from(latencies: &FlowLatencies) -> Self {
        let sorted = latencies.sorted();
        if sorted.count() == 0 {
            return FlowLatency::default();
        }
        FlowLatency {
            mean: Some(sorted.mean()),
            p50: Some(sorted.quantile(0.5)),
            p99: Some(sorted.quantile(0.99)),
            max: Some(sorted.max()),
        }
    }
}

/// All flows that there were in the network of this name, by source and destination.
///
/// # Errors
/// The network's file can't be read.
pub(super) fn flows(flows: &Flows, topology: &str) -> Result<Vec<FlowSummary>> {
    let names = Names::of(topology)?;
    let mut all: Vec<_> = flows.iter().collect();
    all.sort_unstable_by_key(|(ends, _)| **ends);
    let summary = |(&(source, destination), flow): (&(u32, u32), &Flow)| FlowSummary {
        source: names.node(source as usize),
        destination: names.node(destination as usize),
        messages: flow.message_latency.count(),
        packets: flow.packet_latency.count(),
        flits: flow.flits,
        packet_latency: FlowLatency::from(&flow.packet_latency),
        message_latency: FlowLatency::from(&flow.message_latency),
    };
    Ok(all.into_iter().map(summary).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_under_the_old_name_is_read() {
        let kept = r#"{"count": 2, "mean": 5.0, "median": 4, "p99": 6, "max": 6}"#;
        let summary: LatencySummary = serde_json::from_str(kept).unwrap();
        let (p50, p99, max) = (Some(4), Some(6), Some(6));
        let expected = LatencySummary { count: 2, mean: Some(5.0), p50, p99, max, ..Default::default() };
        assert_eq!((summary, summary.if_any()), (expected, expected));
        assert!(serde_json::to_string(&summary).unwrap().contains("\"p50\":4,\"p90\":null"));
    }

    /// 0 would be taken for a latency, and the shortest.
    #[test]
    fn of_nothing_there_is_no_latency() {
        let none = LatencySummary::from(&Latencies::default());
        let text = r#"{"count":0,"mean":null,"p50":null,"p90":null,"p95":null,"p99":null,"p999":null,"max":null}"#;
        assert_eq!(serde_json::to_string(&none).unwrap(), text);
        let kept = r#"{"count": 0, "mean": 0.0, "p50": 0, "p99": 0, "max": 0}"#;
        assert_eq!(serde_json::from_str::<LatencySummary>(kept).unwrap().if_any(), none);
    }
}
