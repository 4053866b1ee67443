//! A packet every length / load cycles, each node with a phase of its own, so that they don't all send at once.

use super::{ArrivalParameters, ArrivalProcess, Arrivals};
use crate::synthetic::random::Random;
use crate::synthetic::timeline::Timeline;
use anyhow::Result;

pub const ARRIVALS: Arrivals =
    Arrivals { name: "periodic", about: "packets at equal distances, each node with a random phase", build };

struct Periodic {
    line: Timeline,
    /// By node: time of the last packet, step of the line, periods to the next packet.
    nodes: Vec<(f64, u32, f64)>,
}

fn build(parameters: &ArrivalParameters, random: &mut [Random]) -> Result<Box<dyn ArrivalProcess>> {
    let line = Timeline::new(parameters.load, 1.0, |load| load / parameters.mean_flits);
    let nodes = random.iter_mut().map(|random| (parameters.start as f64, 0, random.unit())).collect();
    Ok(Box::new(Periodic { line, nodes }))
}

impl ArrivalProcess for Periodic {
    fn next(&mut self, node: u32, _: &mut Random) -> u64 {
        let (time, step, periods) = &mut self.nodes[node as usize];
        let Some(next) = self.line.after(step, *time, *periods) else { return u64::MAX };
        *time = next;
        *periods = 1.0;
        next as u64
    }
}
