//! Synthetic traffic against its definitions.

mod arrivals;
mod closed_loop;
mod options;
mod patterns;
mod self_similarity;
mod tasks;

use powar_config::{Message, Workload};
use powar_traffic::synthetic::{Synthetic, SyntheticOptions};

/// What an open loop sends, with the cycles.
fn run(options: &SyntheticOptions, nodes: u32, dimensions: &[u32]) -> Vec<(u64, Message)> {
    let mut traffic = Synthetic::new(options, nodes, dimensions).unwrap();
    let (mut all, mut messages) = (Vec::new(), Vec::new());
    while !traffic.is_over() {
        let now = traffic.next_event();
        traffic.act(now, &mut messages).unwrap();
        assert!(traffic.next_event() > now);
        assert!(!messages.is_empty(), "an event in cycle {now} without a message");
        all.extend(messages.drain(..).map(|message| (now, message)));
    }
    assert_eq!(traffic.next_event(), u64::MAX);
    assert!(traffic.computing(0).is_empty() && traffic.waits().is_empty());
    all
}
