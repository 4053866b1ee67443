//! k-ary n-cubes with trunks.

mod view;
mod wiring;

pub use view::TorusSwitch;

use super::{Named, SwitchView, Topology, TopologyKind, Wiring, number};
use crate::config::Group;
use crate::table;
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// The entry in the list of topologies.
pub static KIND: TopologyKind = TopologyKind {
    name: "torus",
    forms: "torus-AxBx.. or torus-AxBx..-trunkL",
    parameters: &["dimensions", "trunk"],
    of_name,
    parse: |table| Ok(Box::new(table::read::<Torus>(table)?)),
};

/// k-ary n-cube with trunks: ports in groups of `trunk`, two groups a dimension (plus, minus), the node's last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Torus {
    /// Switches along each dimension.
    pub dimensions: Vec<usize>,
    /// Parallel links from a switch to each neighbour and to its node.
    pub trunk: usize,
}

fn of_name(name: &str) -> Option<Named> {
    let rest = name.strip_prefix("torus-")?;
    let (sizes, trunk) = match rest.split_once("-trunk") {
        Some((sizes, trunk)) => (sizes, number(trunk)?),
        None => (rest, 1),
    };
    let torus = Torus { dimensions: sizes.split('x').map(number).collect::<Option<_>>()?, trunk };
    let ports = torus.groups_of_ports() * trunk;
    Some((Box::new(torus), ports))
}

impl Torus {
    /// Trunks of a switch: two a dimension and the node's.
    fn groups_of_ports(&self) -> usize {
        2 * self.dimensions.len() + 1
    }
}

impl Topology for Torus {
    fn kind(&self) -> &'static TopologyKind {
        &KIND
    }

    fn check(&self) -> Result<()> {
        let Torus { dimensions, trunk } = self;
        ensure!(
            !dimensions.is_empty() && dimensions.iter().all(|size| (2..=256).contains(size)),
            "topology.dimensions: {dimensions:?} must be one or more sizes in 2..=256"
        );
        ensure!((1..=32).contains(trunk), "topology.trunk: {trunk} is out of range 1..=32");
        Ok(())
    }

    fn ports(&self) -> Option<usize> {
        Some(self.groups_of_ports() * self.trunk)
    }

    fn bases(&self, _ports: usize) -> Vec<usize> {
        self.dimensions.clone()
    }

    /// The trunks.
    fn groups(&self, _ports: usize) -> Vec<Group> {
        (0..self.groups_of_ports()).map(|group| Group { first: group * self.trunk, size: self.trunk }).collect()
    }

    fn dimensions(&self, _ports: usize) -> Vec<usize> {
        self.dimensions.clone()
    }

    fn cables(&self, _ports: usize) -> Result<Wiring> {
        wiring::cables(&self.dimensions, self.trunk)
    }

    fn view(&self, _ports: usize, switch: u32) -> Result<Box<dyn SwitchView>> {
        Ok(Box::new(TorusSwitch::new(self, switch)?))
    }

    fn table(&self) -> toml::Table {
        table::written(self)
    }

    fn clone_box(&self) -> Box<dyn Topology> {
        Box::new(self.clone())
    }
}
