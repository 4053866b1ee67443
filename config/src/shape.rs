//! What parts of a configuration are told of the rest of it: routings of the switch, mechanisms of the routing too.
//!
//! A configuration names its routing and its mechanism, so these can't name it.

use crate::group::Group;
use crate::switch::SwitchConfig;
use crate::topology::Topology;
use serde::{Deserialize, Serialize};

/// What the deterministic set D of Algorithm 1 may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Deterministic {
    /// Nothing or one port (fat-tree).
    Single,
    /// Any set: the ports of an aggregated link (torus).
    Set,
}

/// The switch of a configuration, whatever routes its packets and lets its ports sleep.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'a> {
    /// Output ports, 2..=64.
    pub ports: usize,
    /// What the routing unit's deterministic set may hold.
    pub deterministic: Deterministic,
    /// Groups of ports whose selectability is managed.
    pub groups: &'a [Group],
    /// Buffers and flits.
    pub switch: &'a SwitchConfig,
    /// The network that the switch is part of. None: any.
    pub topology: Option<&'a dyn Topology>,
}
