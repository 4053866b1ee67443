//! Self-similar traffic: every node alternates between bursts and silence, both of Pareto lengths, as in Alonso et al., *Power
//! consumption management in fat-tree interconnection networks*, 2015, section 4.5.
//!
//! Many such sources together have the Hurst index H = (3 - min(alpha_on, alpha_off)) / 2 (Taqqu, Willinger and Sherman, *Proof of
//! a fundamental result in self-similar traffic modeling*, 1997).
//!
//! In a burst a node has packets at equal distances, at the rate `burst_load`; bursts last `mean_on` cycles in the mean, and
//! silence as long as the load asks: mean_on (burst_load / load - 1). A ramp changes the rate of the bursts and leaves their times as
//! they are: those of the highest load. (Were silence stretched instead, long silences would keep the load behind the ramp.)
//!
//! Sources begin in equilibrium, within a burst with probability load / burst_load and with the rest of a period that a visitor at
//! a random time meets; so the expected load is the one asked for in every cycle from the first on. What a finite run shows is off
//! by far more than with memoryless arrivals: that is what self-similar means.

use super::{ArrivalParameters, ArrivalProcess, Arrivals};
use crate::synthetic::random::Random;
use crate::synthetic::timeline::Timeline;
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

pub const ARRIVALS: Arrivals = Arrivals {
    name: "self-similar",
    about: "bursts and silence of Pareto lengths; together long-range dependent (table self_similar)",
    build,
};

/// Bursts and silence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfSimilarOptions {
    /// Shape of the bursts' lengths; above 1 (or there were no mean) and below 2 (or there were no long-range dependence).
    pub alpha_on: f64,
    /// Shape of the lengths of silence, above 1 and below 2.
    pub alpha_off: f64,
    /// Length of a burst in the mean, cycles, 1 to 1e9.
    pub mean_on: f64,
    /// Flits a cycle in a burst, at least the load, at most 64.
    pub burst_load: f64,
}

impl Default for SelfSimilarOptions {
    /// H = 0.8, and bursts of 128 flits at the rate of one link: Alonso et al. report H above 0.7.
    fn default() -> Self {
        SelfSimilarOptions { alpha_on: 1.4, alpha_off: 1.4, mean_on: 128.0, burst_load: 1.0 }
    }
}

impl SelfSimilarOptions {
    /// The Hurst index of many sources together.
    pub fn hurst(&self) -> f64 {
        (3.0 - self.alpha_on.min(self.alpha_off)) / 2.0
    }

    fn check(&self, load: f64) -> Result<()> {
        for (field, alpha) in [("alpha_on", self.alpha_on), ("alpha_off", self.alpha_off)] {
            ensure!(
                (1.01..=1.99).contains(&alpha),
                "self_similar.{field} is `{alpha}`, expected a number from 1.01 to 1.99"
            );
        }
        let SelfSimilarOptions { mean_on, burst_load, .. } = *self;
        ensure!((1.0..=1e9).contains(&mean_on), "self_similar.mean_on is `{mean_on}`, expected 1 to 1000000000 cycles");
        ensure!(
            (load..=64.0).contains(&burst_load),
            "self_similar.burst_load is `{burst_load}`, expected a number from {load}, the load, to 64"
        );
        Ok(())
    }
}

struct SelfSimilar {
    options: SelfSimilarOptions,
    /// Length of silence in the mean, cycles.
    mean_off: f64,
    /// Counts packets of an endless burst.
    line: Timeline,
    stop: f64,
    nodes: Vec<Source>,
}

/// Where a node is.
#[derive(Clone, Debug)]
struct Source {
    /// Time up to which its packets are known; within a burst.
    time: f64,
    /// End of the burst.
    end: f64,
    /// What is left of the distance to the next packet, 1 after a packet. Goes on from burst to burst, so that bursts of any
    /// length carry their share.
    owed: f64,
    /// Place on the line.
    step: u32,
}

fn build(parameters: &ArrivalParameters, random: &mut [Random]) -> Result<Box<dyn ArrivalProcess>> {
    let options = parameters.options.self_similar.clone().unwrap_or_default();
    let highest = parameters.load.highest();
    options.check(highest)?;
    let SelfSimilarOptions { alpha_on, alpha_off, mean_on, burst_load } = options;
    let bursting = highest / burst_load;
    let mean_off = mean_on * (1.0 / bursting - 1.0);
    let line = Timeline::new(parameters.load, 1.0, |load| load / bursting / parameters.mean_flits);
    let start = parameters.start as f64;
    let source = |random: &mut Random| {
        let owed = random.unit();
        let (time, burst) = if random.chance(bursting) {
            (start, random.pareto_rest(alpha_on, mean_on))
        } else {
            (start + random.pareto_rest(alpha_off, mean_off), random.pareto(alpha_on, mean_on))
        };
        Source { time, end: time + burst, owed, step: 0 }
    };
    let nodes = random.iter_mut().map(source).collect();
    Ok(Box::new(SelfSimilar { options, mean_off, line, stop: parameters.stop as f64, nodes }))
}

impl ArrivalProcess for SelfSimilar {
    fn next(&mut self, node: u32, random: &mut Random) -> u64 {
        let SelfSimilarOptions { alpha_on, alpha_off, mean_on, .. } = self.options;
        let source = &mut self.nodes[node as usize];
        while source.time < self.stop {
            match self.line.advance(&mut source.step, source.time, source.owed, source.end) {
                Ok(time) => {
                    (source.time, source.owed) = (time, 1.0);
                    return time as u64;
                }
                Err(owed) => {
                    source.owed = owed;
                    source.time = source.end + random.pareto(alpha_off, self.mean_off);
                    source.end = source.time + random.pareto(alpha_on, mean_on);
                }
            }
        }
        u64::MAX
    }
}
