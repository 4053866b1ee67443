//! Hot spots: a share of the packets goes to a few hot nodes, each as likely, and the rest is uniform (Pfister and Norton, *"Hot
//! spot" contention and combining in multistage interconnection networks*, 1985). The rest goes to hot nodes as well as to
//! others. A hot node sends the share to the other hot ones; if it is the only one, all it sends is uniform.

use super::uniform::Uniform;
use super::{Pattern, PatternKind, PatternParameters, node_list};
use crate::synthetic::options::HotSpotOptions;
use crate::synthetic::random::Random;
use anyhow::{Result, ensure};

pub const PATTERN: PatternKind = PatternKind {
    name: "hot-spot",
    about: "a share of the packets to hot nodes (0.1 to node 0), the rest uniform (hot_spot)",
    build,
};

struct HotSpot {
    hot: Vec<u32>,
    /// By node: its place among the hot ones, or their number.
    place: Vec<u32>,
    share: f64,
    uniform: Uniform,
}

fn build(parameters: &PatternParameters) -> Result<Box<dyn Pattern>> {
    let nodes = parameters.surroundings.nodes;
    let HotSpotOptions { nodes: hot, share } = parameters.options.hot_spot.clone().unwrap_or_default();
    ensure!((0.0..=1.0).contains(&share), "hot_spot.share is `{share}`, expected a number from 0 to 1");
    let place = node_list::places("hot_spot.nodes", &hot, nodes)?;
    Ok(Box::new(HotSpot { hot, place, share, uniform: Uniform { nodes } }))
}

impl Pattern for HotSpot {
    fn described(&self) -> Option<String> {
        Some(format!("a share of {} to {}, the rest uniform", self.share, node_list::shown(&self.hot)))
    }

    fn destination(&self, source: u32, random: &mut Random) -> u32 {
        if random.chance(self.share) {
            let own = self.place[source as usize];
            let others = self.hot.len() as u32 - u32::from(own < self.hot.len() as u32);
            if others > 0 {
                let other = random.below(others);
                return self.hot[(other + u32::from(other >= own)) as usize];
            }
        }
        self.uniform.destination(source, random)
    }
}
