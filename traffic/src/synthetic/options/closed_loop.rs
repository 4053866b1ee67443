//! What a closed loop is told.

use crate::synthetic::lengths;
use anyhow::{Result, ensure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Most clients of all nodes.
const MOST_CLIENTS: u64 = 1 << 24;
/// Longest service, and thinking in the mean, cycles.
const MOST_CYCLES: u64 = 1_000_000_000_000;

/// Requests and responses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ClosedLoopOptions {
    /// Requests that an active node may have open, at least 1; at most 16777216 of all nodes together.
    pub outstanding: u32,
    /// Length of a response, 1 to 1048576 flits.
    pub response_flits: u64,
    /// Cycles from the last flit of a request to the response, up to 1e12.
    pub service: u64,
    /// Cycles from the last flit of a response to the next request, in the mean; 0 to 1e12.
    pub think: f64,
    /// Share of the nodes that send requests, above 0 up to 1, rounded to at least one node; all answer. Drawn from the seed.
    pub active: f64,
    /// The number of nodes that send requests, instead of their share; at least 1.
    pub active_nodes: Option<u32>,
    /// Requests that each active node sends in all, at least 1; without, it sends until the traffic's cycles are over.
    pub requests: Option<u64>,
}

impl Default for ClosedLoopOptions {
    /// All nodes, four requests of each on their way, answered with a packet at once.
    fn default() -> Self {
        ClosedLoopOptions {
            outstanding: 4,
            response_flits: 8,
            service: 0,
            think: 0.0,
            active: 1.0,
            active_nodes: None,
            requests: None,
        }
    }
}

impl ClosedLoopOptions {
    /// Checks it for a network in which so many nodes send; how many of them are active.
    pub(crate) fn check(&self, senders: u32) -> Result<u32> {
        let ClosedLoopOptions { outstanding, response_flits, service, think, active, active_nodes, requests } = *self;
        lengths::check("closed_loop.response_flits", response_flits)?;
        ensure!(service <= MOST_CYCLES, "closed_loop.service is `{service}`, expected 0 to {MOST_CYCLES} cycles");
        ensure!(
            (0.0..=MOST_CYCLES as f64).contains(&think),
            "closed_loop.think is `{think}`, expected 0 to {MOST_CYCLES} cycles"
        );
        ensure!(requests != Some(0), "closed_loop.requests is `0`, expected at least 1");
        ensure!(active > 0.0 && active <= 1.0, "closed_loop.active is `{active}`, expected a number above 0 up to 1");
        let nodes = active_nodes.unwrap_or(((f64::from(senders) * active).round() as u32).max(1));
        ensure!(
            (1..=senders).contains(&nodes),
            "closed_loop.active_nodes is `{nodes}`, expected 1 to {senders}, the nodes that the pattern has send"
        );
        let most = MOST_CLIENTS / u64::from(nodes);
        ensure!(
            (1..=most).contains(&u64::from(outstanding)),
            "closed_loop.outstanding is `{outstanding}`, expected 1 to {most} with {nodes} active nodes"
        );
        Ok(nodes)
    }
}
