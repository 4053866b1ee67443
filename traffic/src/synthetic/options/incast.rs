//! What the pattern `incast` is told.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who sends to whom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct IncastOptions {
    /// The nodes that receive, each named once.
    pub nodes: Vec<u32>,
    /// The nodes that send, none of them a receiver; empty: all others.
    pub senders: Vec<u32>,
    /// Instead of `senders`: so many of the others, drawn from the seed.
    pub fan_in: Option<u32>,
}

impl Default for IncastOptions {
    /// All others to node 0.
    fn default() -> Self {
        IncastOptions { nodes: vec![0], senders: vec![], fan_in: None }
    }
}
