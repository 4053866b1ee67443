//! What the pattern `hot-spot` is told.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which nodes are hot, and how hot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct HotSpotOptions {
    /// The hot nodes, each named once.
    pub nodes: Vec<u32>,
    /// The share of the packets that goes to them, 0 to 1, besides what uniform traffic sends them.
    pub share: f64,
}

impl Default for HotSpotOptions {
    /// One node, and as much as it just bears of 64 nodes with a load of 0.1: 0.73 flits a cycle.
    fn default() -> Self {
        HotSpotOptions { nodes: vec![0], share: 0.1 }
    }
}
