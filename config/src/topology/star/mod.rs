//! One switch with a node at every port.

mod view;
mod wiring;

pub use view::StarSwitch;

use super::{SwitchView, Topology, TopologyKind, Wiring, no_file, number};
use crate::group::Group;
use crate::table;
use anyhow::Result;
use serde::{Deserialize, Serialize};

/// The entry in the list of topologies.
pub static KIND: TopologyKind = TopologyKind {
    name: "star",
    forms: "star-N",
    parameters: &[],
    of_name: |name| Some(Ok((Box::new(Star {}), number(name.strip_prefix("star-")?)?))),
    file: no_file,
    parse: |table| Ok(Box::new(table::read::<Star>(table)?)),
};

/// One switch with a node at every port.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Star {}

impl Topology for Star {
    fn kind(&self) -> &'static TopologyKind {
        &KIND
    }

    fn check(&self) -> Result<()> {
        Ok(())
    }

    fn ports(&self) -> Option<usize> {
        None
    }

    fn bases(&self, ports: usize) -> Vec<usize> {
        vec![ports]
    }

    fn groups(&self, _ports: usize) -> Vec<Group> {
        vec![]
    }

    fn cables(&self, ports: usize) -> Result<Wiring> {
        Ok(wiring::cables(ports))
    }

    fn view(&self, ports: usize, switch: u32) -> Result<Box<dyn SwitchView>> {
        Ok(Box::new(StarSwitch::new(ports, switch)?))
    }

    fn table(&self) -> toml::Table {
        table::written(self)
    }
}
