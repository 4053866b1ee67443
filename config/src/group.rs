//! Groups of ports.

use serde::{Deserialize, Serialize};

/// A run of ports whose selectability is managed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Lowest port of the group.
    pub first: usize,
    /// Ports in the group.
    pub size: usize,
}

impl Group {
    /// The group's ports, lowest first.
    pub fn ports(self) -> std::ops::Range<usize> {
        self.first..self.first + self.size
    }
}
