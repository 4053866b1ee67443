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
use crate::synthetic::options::SelfSimilarOptions;
use crate::synthetic::random::Random;
use crate::synthetic::timeline::{LoadProfile, Timeline};
use anyhow::Result;

pub const ARRIVALS: Arrivals = Arrivals {
    name: "self-similar",
    about: "bursts and silence of Pareto lengths; together long-range dependent (table self_similar)",
    build,
};

/// Bursts and silence at some load: what sources have in common.
pub(crate) struct Bursts {
    options: SelfSimilarOptions,
    /// Share of the time that a source is in a burst.
    bursting: f64,
    /// Length of silence in the mean, cycles.
    mean_off: f64,
    /// Counts packets of an endless burst.
    line: Timeline,
}

/// A source, and where it is in time.
#[derive(Clone, Debug)]
pub(crate) struct Source {
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

impl Bursts {
    /// Sources with this load each, in flits a cycle; `table` is what error messages call the options.
    pub fn new(options: SelfSimilarOptions, load: &LoadProfile, mean_flits: f64, table: &str) -> Result<Bursts> {
        let highest = load.highest();
        options.check(highest, table)?;
        let bursting = highest / options.burst_load;
        let mean_off = options.mean_on * (1.0 / bursting - 1.0);
        let line = Timeline::new(load, 1.0, |load| load / bursting / mean_flits);
        Ok(Bursts { options, bursting, mean_off, line })
    }

    /// A source that somebody meets at the time `start`.
    pub fn source(&self, start: f64, random: &mut Random) -> Source {
        let SelfSimilarOptions { alpha_on, alpha_off, mean_on, .. } = self.options;
        let owed = random.unit();
        let (time, burst) = if random.chance(self.bursting) {
            (start, random.pareto_rest(alpha_on, mean_on))
        } else {
            (start + random.pareto_rest(alpha_off, self.mean_off), random.pareto(alpha_on, mean_on))
        };
        Source { time, end: time + burst, owed, step: 0 }
    }

    /// The time of a source's next packet; none before `stop`, and then never again.
    pub fn next(&self, source: &mut Source, stop: f64, random: &mut Random) -> Option<f64> {
        let SelfSimilarOptions { alpha_on, alpha_off, mean_on, .. } = self.options;
        while source.time < stop {
            match self.line.advance(&mut source.step, source.time, source.owed, source.end) {
                Ok(time) => {
                    (source.time, source.owed) = (time, 1.0);
                    return (time < stop).then_some(time);
                }
                Err(owed) => {
                    source.owed = owed;
                    source.time = source.end + random.pareto(alpha_off, self.mean_off);
                    source.end = source.time + random.pareto(alpha_on, mean_on);
                }
            }
        }
        None
    }
}

/// One source a node.
struct SelfSimilar {
    bursts: Bursts,
    stop: f64,
    nodes: Vec<Source>,
}

fn build(parameters: &ArrivalParameters, random: &mut [Random]) -> Result<Box<dyn ArrivalProcess>> {
    let options = parameters.options.self_similar.clone().unwrap_or_default();
    let bursts = Bursts::new(options, parameters.load, parameters.mean_flits, "self_similar")?;
    let nodes = random.iter_mut().map(|random| bursts.source(parameters.start as f64, random)).collect();
    Ok(Box::new(SelfSimilar { bursts, stop: parameters.stop as f64, nodes }))
}

impl ArrivalProcess for SelfSimilar {
    fn next(&mut self, node: u32, random: &mut Random) -> u64 {
        let time = self.bursts.next(&mut self.nodes[node as usize], self.stop, random);
        time.map_or(u64::MAX, |time| time as u64)
    }
}
