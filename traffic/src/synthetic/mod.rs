//! Synthetic traffic for a whole network, as [`Workload`]: patterns, arrival processes, ramps, and a closed loop.
//!
//! ```text
//! pattern      where a node sends to         patterns::PATTERNS
//! arrivals     when it has its next packet   arrivals::ARRIVALS, at a load that a ramp may change over time
//! lengths      of how many flits             packet_flits, LongPackets, packet_lengths
//!     |
//! open loop: at its time, whatever the network does    |    closed loop: requests, answered; few on their way
//! ```
//!
//! or a model that has all of this of its own, asked for where a pattern is: models::MODELS.
//!
//! Every node has random numbers of its own: one seed gives one traffic, the same on every network and under every policy.
//!
//! ```
//! use powar_config::Workload;
//! use powar_traffic::synthetic::{Synthetic, SyntheticOptions};
//!
//! # fn main() -> anyhow::Result<()> {
//! let options = SyntheticOptions { pattern: "tornado".into(), load: 0.2, cycles: 1000, ..Default::default() };
//! let mut traffic = Synthetic::new(&options, 64, &[4, 4, 4])?;
//! let mut messages = Vec::new();
//! while !traffic.is_over() {
//!     let now = traffic.next_event();
//!     traffic.act(now, &mut messages)?;
//! }
//! let flits: u64 = messages.iter().map(|message| message.flits).sum();
//! assert!((11_000..15_000).contains(&flits)); // about 0.2 x 64 x 1000
//! # Ok(())
//! # }
//! ```

mod agenda;
pub mod arrivals;
mod closed_loop;
pub mod hurst;
mod lengths;
pub mod models;
mod open_loop;
mod options;
pub mod patterns;
pub mod random;
pub mod timeline;

pub use arrivals::ARRIVALS;
pub use lengths::LongPackets;
pub use models::{MODELS, Surroundings};
pub use options::{
    ClosedLoopOptions, Durations, HotSpotOptions, IncastOptions, Level, MatrixOptions, SelfSimilarOptions,
    SyntheticOptions, TasksOptions,
};
pub use patterns::PATTERNS;

use anyhow::{Result, ensure};
use closed_loop::ClosedLoop;
use models::Generator;
use open_loop::OpenLoop;
use options::MOST_LOAD;
use patterns::{Pattern, PatternParameters};
use powar_config::{Message, Workload};

/// Most nodes.
pub const MOST_NODES: u32 = 1 << 24;

/// Synthetic traffic.
pub struct Synthetic {
    traffic: Box<dyn Generator>,
    senders: u32,
    described: Option<String>,
}

impl Synthetic {
    /// For so many nodes, 2 to [`MOST_NODES`]. `dimensions` are the nodes along each dimension of the network, the one in which
    /// neighbours have consecutive numbers first; empty: one dimension. Only tornado and neighbor look at them.
    ///
    /// # Errors
    /// As of [`Synthetic::in_network`]; a model that has to know links or times.
    pub fn new(options: &SyntheticOptions, nodes: u32, dimensions: &[u32]) -> Result<Synthetic> {
        Synthetic::in_network(options, &Surroundings { nodes, dimensions, cycle_ns: 1.0, wiring: None, names: None })
    }

    /// For a network of which there is more to know.
    ///
    /// # Errors
    /// Nodes, dimensions or options make no sense; one line with the field, its value and its range. Whether the nodes' links
    /// can carry the load is for [`SyntheticOptions::check_links`].
    pub fn in_network(options: &SyntheticOptions, surroundings: &Surroundings) -> Result<Synthetic> {
        let &Surroundings { nodes, dimensions, .. } = surroundings;
        ensure!((2..=MOST_NODES).contains(&nodes), "nodes is `{nodes}`, expected 2 to {MOST_NODES}");
        let dimensions = if dimensions.is_empty() { &[nodes] } else { dimensions };
        let product = dimensions.iter().try_fold(1_u32, |product, &size| product.checked_mul(size));
        ensure!(
            product == Some(nodes),
            "dimensions is `{dimensions:?}`, expected sizes with the product {nodes}, the nodes"
        );
        arrivals::by_name(&options.arrivals)?;
        if let Some(model) = models::by_name(&options.pattern) {
            ensure!(
                options.closed_loop.is_none(),
                "closed_loop is given with the pattern `{}`, expected it with a pattern that has no times of its own",
                model.name
            );
            return Ok(Synthetic { traffic: (model.build)(options, surroundings)?, senders: nodes, described: None });
        }
        let surroundings = &Surroundings { dimensions, ..*surroundings };
        let parameters = PatternParameters { options, surroundings };
        let pattern = (patterns::by_name(&options.pattern)?.build)(&parameters)?;
        check_weights(options, pattern.as_ref(), surroundings)?;
        let sending = (0..nodes).filter(|&node| pattern.sends(node)).count() as u32;
        let described = pattern.described().map(|described| format!("{}: {described}", options.pattern));
        Ok(match &options.closed_loop {
            None => {
                let open = OpenLoop::new(options, nodes, pattern)?;
                Synthetic { traffic: Box::new(open), senders: sending, described }
            }
            Some(closed) => {
                let closed = ClosedLoop::new(options, closed, nodes, pattern)?;
                Synthetic { senders: closed.active(), traffic: Box::new(closed), described }
            }
        })
    }

    /// What its pattern is in particular, in a line; none of those whose name says everything.
    pub fn described(&self) -> Option<&str> {
        self.described.as_deref()
    }

    /// Nodes that send of themselves: all but those that a permutation maps to themselves; in a closed loop, the active ones. The
    /// load of the whole network, in flits a cycle, is as many times that of a node.
    pub fn senders(&self) -> u32 {
        self.senders
    }
}

/// Checks the load of nodes that have more than others against their links.
fn check_weights(options: &SyntheticOptions, pattern: &dyn Pattern, surroundings: &Surroundings) -> Result<()> {
    let (load, nodes) = (options.load, surroundings.nodes);
    let links = |node: u32| surroundings.wiring.map_or(MOST_LOAD as usize, |wiring| wiring.nodes[node as usize].len());
    let most = |node: u32| links(node) as f64 / pattern.weight(node);
    let unequal = (0..nodes).filter(|&node| pattern.sends(node) && pattern.weight(node) != 1.0);
    let Some(tightest) = unequal.min_by(|&one, &other| most(one).total_cmp(&most(other))) else { return Ok(()) };
    ensure!(
        options.closed_loop.is_some() || load <= most(tightest),
        "load is `{load}`, expected a number above 0 up to {}: node {tightest} has {:.4} times the load, and its links carry {}",
        four_digits(most(tightest)),
        pattern.weight(tightest),
        links(tightest)
    );
    Ok(())
}

/// A number above 0 rounded down to four digits.
fn four_digits(number: f64) -> f64 {
    let digits = 10_f64.powf(3.0 - number.log10().floor());
    (number * digits).floor() / digits
}

impl Workload for Synthetic {
    fn next_event(&self) -> u64 {
        self.traffic.next_event()
    }

    fn act(&mut self, now: u64, messages: &mut Vec<Message>) -> Result<()> {
        self.traffic.act(now, messages);
        Ok(())
    }

    fn sent(&mut self, _: u64, _: &Message) {}

    fn delivered(&mut self, now: u64, message: &Message) {
        self.traffic.delivered(now, message);
    }

    fn is_over(&self) -> bool {
        self.traffic.is_over()
    }

    fn waits(&self) -> Vec<String> {
        self.traffic.waits()
    }

    fn computing(&self, _: u64) -> Vec<f64> {
        Vec::new()
    }
}
