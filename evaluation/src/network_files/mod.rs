//! What software and people need of a network whose switches have routing tables: the tables as register writes, a description, drawings.

mod description;
mod dot;
mod drawing;
mod layout;
mod tables;

pub use description::Description;
pub use tables::tables_fit;

use anyhow::{Context, Result};
use powar_config::Config;
use powar_config::routing::tables::RoutingTables;
use powar_config::topology::graph::Names;
use powar_config::topology::wiring::End;

/// Most switches of a drawing; there is none of a network with more.
pub const MOST_DRAWN: usize = 1024;

/// A network and what its parts are called.
struct Network<'a> {
    config: &'a Config,
    tables: &'a RoutingTables,
    names: &'a Names,
}

impl Network<'_> {
    /// A switch's name; its number if it has none.
    fn switch(&self, switch: usize) -> String {
        self.names.switch(switch)
    }

    /// A node's name; its number if it has none.
    fn node(&self, node: usize) -> String {
        self.names.node(node)
    }

    /// How many nodes are at a switch.
    fn nodes_at(&self, switch: usize) -> usize {
        let ends = self.tables.wiring().ends[switch].iter();
        ends.filter(|end| matches!(end, End::Node { link: 0, .. })).count()
    }
}

/// The files of a configuration's network, names and texts: with tables `tables/switch-K.txt` for every switch K, `network.json`, `network.dot`, and
/// `network.svg` if it has no more than [`MOST_DRAWN`] switches. Without names, switches and nodes are called by their numbers.
///
/// # Errors
/// A configuration without a topology, or whose tables can't be made; tables that are too long as text.
pub fn network_files(config: &Config, names: &Names, with_tables: bool) -> Result<Vec<(String, String)>> {
    let tables = RoutingTables::of(config)?;
    let network = Network { config, tables: &tables, names };
    let mut files = if with_tables { tables::files(&network)? } else { vec![] };
    let description = Description::new(&network);
    files.push(("network.json".into(), serde_json::to_string_pretty(&description).context("network.json")? + "\n"));
    files.push(("network.dot".into(), dot::dot(&network)));
    if tables.wiring().ends.len() <= MOST_DRAWN {
        files.push(("network.svg".into(), drawing::drawing(&network).svg()));
    }
    Ok(files)
}
