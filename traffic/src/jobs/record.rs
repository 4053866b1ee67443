//! What is known of a job that has run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A job: where and when it ran, and what its ranks sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobRecord {
    pub name: String,
    /// Its ranks, a core each.
    pub tasks: u32,
    /// The nodes that it had for itself.
    pub nodes: u32,
    /// The lowest of them; the others are those that were free next, not always its neighbours.
    pub first_node: u32,
    /// The cycle in which it was placed and began.
    pub start: u64,
    /// The cycle in which its last rank ended.
    pub end: u64,
    /// Payload of all messages, those within a node included, bytes.
    pub bytes: u64,
    /// Payload of those that entered the network, bytes.
    pub network_bytes: u64,
}
