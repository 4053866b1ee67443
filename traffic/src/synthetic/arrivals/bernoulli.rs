//! A coin a cycle, as BookSim's `bernoulli` injection: in each cycle, whatever came before, a packet with probability load / length.
//!
//! The coins are not tossed: the gap to the next success is geometric and drawn at once, as an exponential wait on a clock that
//! goes -ln(1 - p) a cycle. Where a ramp changes p the clock changes its pace, so each cycle has exactly its own p. A node with
//! more than one packet a cycle has several coins in each.

use super::{ArrivalParameters, ArrivalProcess, Arrivals};
use crate::synthetic::random::Random;
use crate::synthetic::timeline::Timeline;
use anyhow::Result;

pub const ARRIVALS: Arrivals =
    Arrivals { name: "bernoulli", about: "a packet in each cycle with the same probability, without memory", build };

/// No run has so many coins: with a load near to 0 the next success may be later than any number says.
const NEVER: f64 = (1u64 << 62) as f64;

struct Bernoulli {
    /// Coins a cycle.
    coins: u64,
    /// In coins.
    line: Timeline,
    /// By node: the next coin, and its step of the line.
    nodes: Vec<(u64, u32)>,
}

fn build(parameters: &ArrivalParameters, random: &mut [Random]) -> Result<Box<dyn ArrivalProcess>> {
    let packets = parameters.load.highest() / parameters.mean_flits;
    let coins = packets.ceil().max(1.0);
    let pace = |load: f64| -(-(load / parameters.mean_flits / coins).min(1.0)).ln_1p();
    Ok(Box::new(Bernoulli {
        coins: coins as u64,
        line: Timeline::new(parameters.load, coins, pace),
        nodes: vec![(parameters.start * coins as u64, 0); random.len()],
    }))
}

impl ArrivalProcess for Bernoulli {
    fn next(&mut self, node: u32, random: &mut Random) -> u64 {
        let (coin, step) = &mut self.nodes[node as usize];
        match self.line.after(step, *coin as f64, random.exponential()) {
            // Behind the last cycle that there is, nobody waits for it.
            Some(success) if success < NEVER => {
                let success = success as u64;
                *coin = success + 1;
                if self.coins == 1 { success } else { success / self.coins }
            }
            _ => u64::MAX,
        }
    }
}
