//! What synthetic traffic is made of, and what each of its parts is told.

mod closed_loop;
mod hot_spot;
mod incast;
mod matrix;
mod self_similar;
mod tasks;

pub use closed_loop::ClosedLoopOptions;
pub use hot_spot::HotSpotOptions;
pub use incast::IncastOptions;
pub use matrix::{Level, MatrixOptions};
pub use self_similar::SelfSimilarOptions;
pub use tasks::{Durations, TasksOptions};

use super::lengths::{Lengths, LongPackets};
use super::timeline::{LAST_CYCLE, LoadProfile};
use anyhow::{Result, ensure};
use powar_config::units::number;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Most flits a node may have a cycle: as many links as the largest switch has ports.
pub const MOST_LOAD: u32 = 64;

/// Synthetic traffic: the `[traffic]` table of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SyntheticOptions {
    /// Where nodes send to: a name of [`PATTERNS`](super::PATTERNS), or what the whole traffic is: one of [`MODELS`](super::MODELS).
    pub pattern: String,
    /// When nodes send: a name of [`ARRIVALS`](super::ARRIVALS). Of no meaning in a closed loop and in models.
    pub arrivals: String,
    /// Flits per sending node and cycle, above 0 up to the links of a node, at most 64. Of no meaning in a closed loop.
    pub load: f64,
    /// Length of a packet, or of a request, 1 to 1048576 flits. One longer than the network's packets is cut by the network.
    pub packet_flits: u64,
    /// Packets of another length among them.
    pub long_packets: Option<LongPackets>,
    /// Instead of `packet_flits`: several lengths, each with its share of the packets, as (flits, share); the shares' sum is 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub packet_lengths: Vec<(u64, f64)>,
    /// One seed, one traffic: whatever the network does, an open loop sends the same packets in the same cycles.
    pub seed: u64,
    /// The first cycle with traffic.
    pub start: u64,
    /// Cycles with traffic: what is not sent before `start + cycles` is not sent.
    pub cycles: u64,
    /// The load over time, as points (cycle, share of `load`) with straight lines between them, the cycle counted from that of the
    /// simulation's beginning; shares from 0 to 1. Before the first point and after the last it is as there. Empty: `load` throughout.
    pub ramp: Vec<(u64, f64)>,
    /// Of the pattern `hot-spot`; has defaults.
    pub hot_spot: Option<HotSpotOptions>,
    /// Of the pattern `incast`; has defaults.
    // What is kept of simulations without it has no such field; so it is with all those below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incast: Option<IncastOptions>,
    /// Of the pattern `matrix`, which needs it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matrix: Option<MatrixOptions>,
    /// Of the arrivals `self-similar`; has defaults.
    pub self_similar: Option<SelfSimilarOptions>,
    /// Requests and responses instead of arrivals at a load.
    pub closed_loop: Option<ClosedLoopOptions>,
    /// Of the model `tasks`; has defaults.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tasks: Option<TasksOptions>,
}

impl Default for SyntheticOptions {
    /// Uniform Bernoulli traffic at a tenth of a link, in packets of 8 flits (POWAR, section 4.1).
    fn default() -> Self {
        SyntheticOptions {
            pattern: "uniform".to_string(),
            arrivals: "bernoulli".to_string(),
            load: 0.1,
            packet_flits: 8,
            long_packets: None,
            packet_lengths: Vec::new(),
            seed: 1,
            start: 0,
            cycles: 100_000,
            ramp: Vec::new(),
            hot_spot: None,
            incast: None,
            matrix: None,
            self_similar: None,
            closed_loop: None,
            tasks: None,
        }
    }
}

impl SyntheticOptions {
    /// The cycle from which on nothing is sent.
    pub fn stop(&self) -> u64 {
        self.start.saturating_add(self.cycles)
    }

    /// Flits of the longest packet that nodes give.
    pub fn longest(&self) -> u64 {
        let long = self.long_packets.as_ref().filter(|long| long.share > 0.0).map(|long| long.flits);
        let response = self.closed_loop.as_ref().map(|closed| closed.response_flits);
        let several = self.packet_lengths.iter().filter(|(_, share)| *share > 0.0).map(|&(flits, _)| flits).max();
        [Some(several.unwrap_or(self.packet_flits)), long, response].into_iter().flatten().max().unwrap_or(1)
    }

    /// Checks the load against the links that a node has into its network.
    ///
    /// # Errors
    /// The load is more than they carry; one line with the field, its value and its range.
    pub fn check_links(&self, links: u32) -> Result<()> {
        let load = self.load;
        ensure!(
            self.closed_loop.is_some() || load > 0.0 && load <= f64::from(links),
            "load is `{}`, expected a number above 0 up to {links}, the links of a node",
            number(load)
        );
        Ok(())
    }

    /// Checks what concerns neither pattern nor arrivals alone; lengths and load over time.
    pub(crate) fn check(&self) -> Result<(Lengths, LoadProfile)> {
        let SyntheticOptions { load, start, cycles, .. } = *self;
        ensure!(
            load > 0.0 && load <= f64::from(MOST_LOAD),
            "load is `{}`, expected a number above 0 up to {MOST_LOAD} flits per node and cycle",
            number(load)
        );
        ensure!(start <= LAST_CYCLE, "start is `{start}`, expected 0 to {LAST_CYCLE}");
        ensure!((1..=LAST_CYCLE).contains(&cycles), "cycles is `{cycles}`, expected 1 to {LAST_CYCLE}");
        for (table, given, pattern) in [
            ("hot_spot", self.hot_spot.is_some(), "hot-spot"),
            ("incast", self.incast.is_some(), "incast"),
            ("matrix", self.matrix.is_some(), "matrix"),
            ("tasks", self.tasks.is_some(), "tasks"),
        ] {
            ensure!(
                !given || self.pattern == pattern,
                "{table} is given with the pattern `{}`, expected it with `{pattern}` only",
                self.pattern
            );
        }
        ensure!(
            self.self_similar.is_none() || self.arrivals == "self-similar" && self.closed_loop.is_none(),
            "self_similar is given with the arrivals `{}`, expected it with `self-similar` in an open loop only",
            self.arrivals
        );
        ensure!(
            self.ramp.is_empty() || self.closed_loop.is_none(),
            "ramp is given in a closed loop, expected it in an open loop, which has a load"
        );
        let lengths = Lengths::new(self.packet_flits, self.long_packets.as_ref(), &self.packet_lengths)?;
        Ok((lengths, LoadProfile::new(load, &self.ramp)?))
    }
}
