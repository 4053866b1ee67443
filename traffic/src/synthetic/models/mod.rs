//! Traffic as a whole: what gives messages at their times. Of a pattern with arrivals that is an open loop, or a closed one
//! ([`super::Synthetic`]); a traffic model makes its own, and is asked for by name where a pattern is.
//!
//! A model is one file or folder here plus one line in [`MODELS`].

pub mod tasks;

use super::options::SyntheticOptions;
use anyhow::Result;
use powar_config::Message;
use powar_config::topology::graph::Names;
use powar_config::topology::wiring::Wiring;

/// What gives messages: a [`Workload`](powar_config::Workload) that has no error but those of its options.
pub(crate) trait Generator: Send {
    /// The first cycle in which it has a message of its own; `u64::MAX`: there will be none before one is delivered.
    fn next_event(&self) -> u64;

    /// Appends all that is due in cycle `now` or was due before.
    fn act(&mut self, now: u64, messages: &mut Vec<Message>);

    /// The last flit of this message comes in in cycle `now`.
    fn delivered(&mut self, _now: u64, _message: &Message) {}

    /// It has acted for the last time.
    fn is_over(&self) -> bool;

    /// Who waits, and for what, a line each. Nodes that wait for nothing but their time don't.
    fn waits(&self) -> Vec<String> {
        Vec::new()
    }
}

/// What traffic is told of the network that is to carry it.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// Nodes, 2 to [`MOST_NODES`](super::MOST_NODES).
    pub nodes: u32,
    /// Nodes along each dimension, the one in which neighbours have consecutive numbers first; empty: one dimension.
    pub dimensions: &'a [u32],
    /// A cycle, nanoseconds.
    pub cycle_ns: f64,
    /// Which link leads where, if it is known: a model may need it.
    pub wiring: Option<&'a Wiring>,
    /// What switches and nodes are called, if they have names: files of a user may call them so.
    pub names: Option<&'a Names>,
}

/// A model that can be asked for by name.
pub struct Model {
    pub name: &'static str,
    /// One line for a help text.
    pub about: &'static str,
    /// Length of its packets, flits, where nobody says otherwise.
    pub packet_flits: u16,
    /// Builds it. Errors name the option, its value and its range.
    pub(crate) build: fn(&SyntheticOptions, &Surroundings) -> Result<Box<dyn Generator>>,
}

/// All models.
pub const MODELS: &[Model] = &[tasks::MODEL];

/// The model of this name; none if it is that of a pattern, or of nothing.
pub fn by_name(name: &str) -> Option<&'static Model> {
    MODELS.iter().find(|model| model.name == name)
}
