//! Incast: many nodes send to one or a few and nobody else sends, as the answers to a query in a data centre or the reads of a file that is striped over
//! servers (Phanishayee et al., *Measurement and analysis of TCP throughput collapse in cluster-based storage systems*, FAST 2008).
//! Of several receivers each packet goes to one, each as likely.

use super::{Pattern, PatternKind, PatternParameters, node_list};
use crate::synthetic::options::IncastOptions;
use crate::synthetic::random::Random;
use anyhow::{Result, ensure};

pub const PATTERN: PatternKind =
    PatternKind { name: "incast", about: "all others, or some, to one node (0) or a few (incast)", build };

/// Stream of random numbers that no node has.
const STREAM: u64 = (1 << 40) + 1;

struct Incast {
    receivers: Vec<u32>,
    /// By node.
    sends: Vec<bool>,
}

fn build(parameters: &PatternParameters) -> Result<Box<dyn Pattern>> {
    let nodes = parameters.surroundings.nodes;
    let IncastOptions { nodes: receivers, senders, fan_in } = parameters.options.incast.clone().unwrap_or_default();
    let receives = node_list::places("incast.nodes", &receivers, nodes)?;
    let mut others: Vec<u32> = (0..nodes).filter(|&node| receives[node as usize] == receivers.len() as u32).collect();
    ensure!(!others.is_empty(), "incast.nodes has all {nodes} nodes, expected one at least that sends");
    let mut sends = vec![false; nodes as usize];
    if let Some(fan_in) = fan_in {
        let most = others.len() as u32;
        ensure!(senders.is_empty(), "incast.fan_in is `{fan_in}` beside senders, expected one of them");
        ensure!((1..=most).contains(&fan_in), "incast.fan_in is `{fan_in}`, expected 1 to {most}, the other nodes");
        let mut random = Random::new(parameters.options.seed, STREAM);
        for place in 0..fan_in as usize {
            let other = place + random.below((others.len() - place) as u32) as usize;
            others.swap(place, other);
        }
        others.truncate(fan_in as usize);
    } else if !senders.is_empty() {
        node_list::places("incast.senders", &senders, nodes)?;
        let both = senders.iter().find(|sender| receivers.contains(sender));
        ensure!(
            both.is_none(),
            "incast.senders has `{}`, which receives, expected other nodes than incast.nodes",
            both.unwrap_or(&0)
        );
        others = senders;
    }
    others.iter().for_each(|&sender| sends[sender as usize] = true);
    Ok(Box::new(Incast { receivers, sends }))
}

impl Pattern for Incast {
    fn sends(&self, source: u32) -> bool {
        self.sends[source as usize]
    }

    fn described(&self) -> Option<String> {
        let senders = self.sends.iter().filter(|sends| **sends).count();
        let nodes = if senders == 1 { "node sends" } else { "nodes send" };
        Some(format!("{senders} {nodes} to {}", node_list::shown(&self.receivers)))
    }

    fn destination(&self, _: u32, random: &mut Random) -> u32 {
        match *self.receivers {
            [only] => only,
            ref several => several[random.below(several.len() as u32) as usize],
        }
    }
}
