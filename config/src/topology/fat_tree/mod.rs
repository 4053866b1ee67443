//! k-ary n-trees.

mod view;
mod wiring;

pub use view::FatTreeLeaf;

use super::{Named, SwitchView, Topology, TopologyKind, Wiring, no_file, number};
use crate::group::Group;
use crate::table;
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// The entry in the list of topologies.
pub static KIND: TopologyKind = TopologyKind {
    name: "fat-tree",
    forms: "K-ary-N-tree, kK-nN (with folded roots)",
    parameters: &["k", "n", "folded"],
    of_name,
    file: no_file,
    parse: |table| Ok(Box::new(table::read::<FatTree>(table)?)),
};

/// k-ary n-tree: ports 0..k go down, k..2k go up. With a folded root all 2k ports of a root switch go down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FatTree {
    pub k: usize,
    pub n: usize,
    #[serde(default)]
    pub folded: bool,
}

fn of_name(name: &str) -> Option<Result<Named>> {
    let (k, n, folded) = match name.strip_suffix("-tree") {
        Some(rest) => {
            let (k, n) = rest.split_once("-ary-")?;
            (k, n, false)
        }
        None => {
            let (k, n) = name.strip_prefix('k')?.split_once("-n")?;
            (k, n, true)
        }
    };
    let tree = FatTree { k: number(k)?, n: number(n)?, folded };
    let ports = 2 * tree.k;
    Some(Ok((Box::new(tree), ports)))
}

impl Topology for FatTree {
    fn kind(&self) -> &'static TopologyKind {
        &KIND
    }

    fn check(&self) -> Result<()> {
        let FatTree { k, n, .. } = *self;
        ensure!((1..=32).contains(&k), "topology.k: {k} is out of range 1..=32");
        ensure!((1..=8).contains(&n), "topology.n: {n} is out of range 1..=8");
        Ok(())
    }

    fn ports(&self) -> Option<usize> {
        Some(2 * self.k)
    }

    fn bases(&self, _ports: usize) -> Vec<usize> {
        vec![self.k; self.n]
    }

    fn stages(&self) -> usize {
        self.n
    }

    /// The up-ports.
    fn groups(&self, _ports: usize) -> Vec<Group> {
        vec![Group { first: self.k, size: self.k }]
    }

    fn cables(&self, _ports: usize) -> Result<Wiring> {
        wiring::cables(self.k, self.n, self.folded)
    }

    /// The view of a leaf switch.
    fn view(&self, _ports: usize, switch: u32) -> Result<Box<dyn SwitchView>> {
        Ok(Box::new(FatTreeLeaf::new(self, switch)?))
    }

    fn table(&self) -> toml::Table {
        table::written(self)
    }
}
