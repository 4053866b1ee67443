//! What an outcome says of every part on request.

use serde::{Deserialize, Serialize};

/// Tables that are as long as the network or its traffic, which an outcome has on request; the figures beside them are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Details {
    /// Every link ([`Outcome::links`](super::Outcome::links)).
    pub links: bool,
    /// The distribution of latencies ([`Outcome::histogram`](super::Outcome::histogram)).
    pub histogram: bool,
    /// Each source and destination ([`Outcome::flows`](super::Outcome::flows)): some hundred bytes for a flow, and 8 for each of its packets and messages.
    pub flows: bool,
}
