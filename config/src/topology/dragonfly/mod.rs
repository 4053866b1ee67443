//! Dragonflies: groups of switches, each with a link to every other of its group, and a link between every two groups.

mod view;
mod wiring;

pub use view::DragonflySwitch;

use super::{Named, SwitchView, Topology, TopologyKind, Wiring, no_file, number};
use crate::group::Group;
use crate::table;
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// The entry in the list of topologies.
pub static KIND: TopologyKind = TopologyKind {
    name: "dragonfly",
    forms: "dragonfly-pPaAhH",
    parameters: &["p", "a", "h"],
    of_name,
    file: no_file,
    parse: |table| Ok(Box::new(table::read::<Dragonfly>(table)?)),
};

/// A dragonfly of a h + 1 groups, the most that there can be (Kim et al. 2008). Ports of a switch: its p nodes, the a - 1 others of its group, lowest
/// first, h links to other groups. Link j of a group, at switch j / h of it, leads to the group j + 1 further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dragonfly {
    /// Nodes at a switch.
    pub p: usize,
    /// Switches of a group.
    pub a: usize,
    /// Links of a switch to other groups.
    pub h: usize,
}

fn of_name(name: &str) -> Option<Result<Named>> {
    let (p, rest) = name.strip_prefix("dragonfly-p")?.split_once('a')?;
    let (a, h) = rest.split_once('h')?;
    let dragonfly = Dragonfly { p: number(p)?, a: number(a)?, h: number(h)? };
    Some(Ok((Box::new(dragonfly), dragonfly.ports_of_a_switch())))
}

impl Dragonfly {
    /// The number of groups.
    pub fn groups_of_switches(&self) -> usize {
        self.a * self.h + 1
    }

    /// The first port to another group, behind those to nodes and within the group.
    pub fn first_global_port(&self) -> usize {
        self.p + self.a - 1
    }

    /// The port of a switch of a group to another one of it.
    pub fn local_port(&self, from: usize, to: usize) -> usize {
        self.p + to - usize::from(to > from)
    }

    /// The link of a group that leads to another one, 0..a h.
    pub fn global_link(&self, from: usize, to: usize) -> usize {
        let groups = self.groups_of_switches();
        (to + groups - from - 1) % groups
    }

    fn ports_of_a_switch(&self) -> usize {
        self.first_global_port() + self.h
    }
}

impl Topology for Dragonfly {
    fn kind(&self) -> &'static TopologyKind {
        &KIND
    }

    fn check(&self) -> Result<()> {
        let Dragonfly { p, a, h } = self;
        ensure!((1..=62).contains(p), "topology.p: {p} is out of range 1..=62");
        ensure!((2..=63).contains(a), "topology.a: {a} is out of range 2..=63");
        ensure!((1..=62).contains(h), "topology.h: {h} is out of range 1..=62");
        Ok(())
    }

    fn ports(&self) -> Option<usize> {
        Some(self.ports_of_a_switch())
    }

    /// The node at its switch, the switch in its group, the group.
    fn bases(&self, _ports: usize) -> Vec<usize> {
        vec![self.p, self.a, self.groups_of_switches()]
    }

    /// Each leads elsewhere, and a packet may go by one of them alone.
    fn groups(&self, _ports: usize) -> Vec<Group> {
        vec![]
    }

    /// Nodes of a group, groups.
    fn dimensions(&self, _ports: usize) -> Vec<usize> {
        vec![self.p * self.a, self.groups_of_switches()]
    }

    fn cables(&self, _ports: usize) -> Result<Wiring> {
        wiring::cables(self)
    }

    fn view(&self, _ports: usize, switch: u32) -> Result<Box<dyn SwitchView>> {
        Ok(Box::new(DragonflySwitch::new(self, switch)?))
    }

    fn table(&self) -> toml::Table {
        table::written(self)
    }
}
