//! k-ary n-meshes: tori without the links around.

mod view;
mod wiring;

pub use view::MeshSwitch;

use super::{Named, SwitchView, Topology, TopologyKind, Wiring, no_file, number, with_number};
use crate::group::Group;
use crate::table;
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// The entry in the list of topologies.
pub static KIND: TopologyKind = TopologyKind {
    name: "mesh",
    forms: "mesh-AxBx..[-nodesC]",
    parameters: &["dimensions", "nodes"],
    of_name,
    file: no_file,
    parse: |table| Ok(Box::new(table::read::<Mesh>(table)?)),
};

/// k-ary n-mesh: two ports a dimension (plus, minus), then one for each node. The outer ports at its edges have no cable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mesh {
    /// Switches along each dimension.
    pub dimensions: Vec<usize>,
    /// Nodes at a switch.
    #[serde(default = "one")]
    pub nodes: usize,
}

fn one() -> usize {
    1
}

fn of_name(name: &str) -> Option<Result<Named>> {
    let (sizes, nodes) = with_number(name.strip_prefix("mesh-")?, "-nodes")?;
    let mesh = Mesh { dimensions: sizes.split('x').map(number).collect::<Option<_>>()?, nodes };
    let ports = mesh.ports_of_a_switch();
    Some(Ok((Box::new(mesh), ports)))
}

impl Mesh {
    /// The first port to a node, behind two a dimension.
    pub fn first_node_port(&self) -> usize {
        2 * self.dimensions.len()
    }

    fn ports_of_a_switch(&self) -> usize {
        self.first_node_port() + self.nodes
    }

    /// Base of the digit that tells the nodes of a switch apart; none if there is one.
    fn node_digit(&self) -> Option<usize> {
        (self.nodes > 1).then_some(self.nodes)
    }
}

impl Topology for Mesh {
    fn kind(&self) -> &'static TopologyKind {
        &KIND
    }

    fn check(&self) -> Result<()> {
        let Mesh { dimensions, nodes } = self;
        ensure!(
            !dimensions.is_empty() && dimensions.iter().all(|size| (2..=256).contains(size)),
            "topology.dimensions: {dimensions:?} must be one or more sizes in 2..=256"
        );
        ensure!((1..=62).contains(nodes), "topology.nodes: {nodes} is out of range 1..=62");
        Ok(())
    }

    fn ports(&self) -> Option<usize> {
        Some(self.ports_of_a_switch())
    }

    /// That of the node at its switch if there are several, then those of the switch.
    fn bases(&self, _ports: usize) -> Vec<usize> {
        self.node_digit().into_iter().chain(self.dimensions.iter().copied()).collect()
    }

    /// The directions.
    fn groups(&self, _ports: usize) -> Vec<Group> {
        (0..self.first_node_port()).map(|first| Group { first, size: 1 }).collect()
    }

    fn dimensions(&self, ports: usize) -> Vec<usize> {
        self.bases(ports)
    }

    fn cables(&self, _ports: usize) -> Result<Wiring> {
        wiring::cables(self)
    }

    fn view(&self, _ports: usize, switch: u32) -> Result<Box<dyn SwitchView>> {
        Ok(Box::new(MeshSwitch::new(self, switch)?))
    }

    fn table(&self) -> toml::Table {
        table::written(self)
    }
}
