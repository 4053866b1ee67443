//! k-ary n-cubes with trunks.

mod view;
mod wiring;

pub use view::TorusSwitch;

use super::{Named, SwitchView, Topology, TopologyKind, Wiring, no_file, number, with_number};
use crate::group::Group;
use crate::table;
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// The entry in the list of topologies.
pub static KIND: TopologyKind = TopologyKind {
    name: "torus",
    forms: "torus-AxBx..[-trunkL][-nodesC]",
    parameters: &["dimensions", "trunk", "nodes"],
    of_name,
    file: no_file,
    parse: |table| Ok(Box::new(table::read::<Torus>(table)?)),
};

/// k-ary n-cube with trunks: ports in groups of `trunk`, two groups a dimension (plus, minus); last those of the nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Torus {
    /// Switches along each dimension.
    pub dimensions: Vec<usize>,
    /// Parallel links from a switch to each neighbour.
    pub trunk: usize,
    /// Nodes at a switch: one, with a trunk of links as well, or several with a link each.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub nodes: usize,
}

fn one() -> usize {
    1
}

/// Configurations of one node a switch need not say so.
fn is_one(nodes: &usize) -> bool {
    *nodes == 1
}

fn of_name(name: &str) -> Option<Result<Named>> {
    let rest = name.strip_prefix("torus-")?;
    let (rest, nodes) = with_number(rest, "-nodes")?;
    let (sizes, trunk) = with_number(rest, "-trunk")?;
    let torus = Torus { dimensions: sizes.split('x').map(number).collect::<Option<_>>()?, trunk, nodes };
    let ports = torus.ports_of_a_switch();
    Some(Ok((Box::new(torus), ports)))
}

impl Torus {
    /// The first port to a node, behind two trunks a dimension.
    pub fn first_node_port(&self) -> usize {
        2 * self.dimensions.len() * self.trunk
    }

    /// Ports to nodes.
    pub fn node_ports(&self) -> usize {
        if self.nodes == 1 { self.trunk } else { self.nodes }
    }

    fn ports_of_a_switch(&self) -> usize {
        self.first_node_port() + self.node_ports()
    }

    /// Bases of the digits that tell the nodes of a switch apart: none if there is one.
    fn node_digit(&self) -> Option<usize> {
        (self.nodes > 1).then_some(self.nodes)
    }
}

impl Topology for Torus {
    fn kind(&self) -> &'static TopologyKind {
        &KIND
    }

    fn check(&self) -> Result<()> {
        let Torus { dimensions, trunk, nodes } = self;
        ensure!(
            !dimensions.is_empty() && dimensions.iter().all(|size| (2..=256).contains(size)),
            "topology.dimensions: {dimensions:?} must be one or more sizes in 2..=256"
        );
        ensure!((1..=32).contains(trunk), "topology.trunk: {trunk} is out of range 1..=32");
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

    /// The trunks.
    fn groups(&self, _ports: usize) -> Vec<Group> {
        let trunks = 2 * self.dimensions.len() + usize::from(self.nodes == 1);
        (0..trunks).map(|group| Group { first: group * self.trunk, size: self.trunk }).collect()
    }

    fn dimensions(&self, ports: usize) -> Vec<usize> {
        self.bases(ports)
    }

    fn cables(&self, _ports: usize) -> Result<Wiring> {
        wiring::cables(self)
    }

    fn view(&self, _ports: usize, switch: u32) -> Result<Box<dyn SwitchView>> {
        Ok(Box::new(TorusSwitch::new(self, switch)?))
    }

    fn table(&self) -> toml::Table {
        table::written(self)
    }
}
