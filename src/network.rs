//! Options that name a network in a file.

use crate::commands::{as_text, warn};
use crate::selection::{input_file, whole};
use anyhow::{Context, Result};
use powar_config::Config;
use powar_config::topology::Topology;
use powar_config::topology::graph::{Graph, MOST_NODES_AT_A_SWITCH, Names, format, name_of_file};
use std::path::{Path, PathBuf};

/// A network in a file.
#[derive(clap::Args)]
pub struct NetworkArgs {
    #[arg(long, value_name = "FILE", help = help(), value_parser = input_file())]
    network: Option<PathBuf>,
    /// Nodes at every switch of a network in a file that says nothing of nodes [default: 1]
    #[arg(long, value_name = "C", requires = "network", value_parser = whole::<usize>(1..=MOST_NODES_AT_A_SWITCH as u64))]
    nodes_per_switch: Option<usize>,
}

fn help() -> String {
    let formats = format::FORMATS.map(|format| format.name).join(", ");
    format!("A network in a file instead, in one of the formats {formats} (docs/networks.md)")
}

impl NetworkArgs {
    /// The network's name as a topology; none if no file is given.
    ///
    /// # Errors
    /// A path that is not UTF-8: the name stands in results.
    pub fn name(&self) -> Result<Option<String>> {
        let Some(path) = &self.network else { return Ok(None) };
        Ok(Some(name_of_file(as_text("network", path)?, self.nodes_per_switch)))
    }

    /// The configuration of its switches, which is named after the file, and what its parts are called; none if no file is given.
    ///
    /// # Errors
    /// A file that can't be read, a network that can't be built.
    pub fn config(&self) -> Result<Option<(Config, Names)>> {
        let Some(path) = &self.network else { return Ok(None) };
        let (graph, names) = Graph::from_file(path, self.nodes_per_switch).context("network")?;
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
        let ports = graph.ports().context("network: has no ports")?;
        let remarks = graph.remarks().to_vec();
        let config = Config::of_topology(&name, Box::new(graph), ports).with_context(|| of(path))?;
        warn(remarks);
        Ok(Some((config, names)))
    }
}

fn of(path: &Path) -> String {
    format!("network: {}", path.display())
}
