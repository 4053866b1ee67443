//! What the pattern `matrix` is told.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A traffic matrix.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MatrixOptions {
    /// CSV: a square of rates, or lines `source,destination,rate` (`docs/networks.md`).
    pub file: PathBuf,
    /// What its rows are; its size tells unless given: nodes if there are as many, else switches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Level>,
}

/// What sends and receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    Nodes,
    Switches,
}

impl Level {
    /// What there is several of.
    pub(crate) fn plural(self) -> &'static str {
        match self {
            Level::Nodes => "nodes",
            Level::Switches => "switches",
        }
    }
}
