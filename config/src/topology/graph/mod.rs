//! Any network: a list of switches, nodes and cables.

mod draft;
pub mod format;
mod text;
mod view;
mod wiring;

use draft::Draft;
pub use view::GraphSwitch;

use super::{Named, SwitchView, Topology, TopologyKind, Wiring, number};
use crate::group::Group;
use crate::table;
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The entry in the list of topologies.
pub static KIND: TopologyKind = TopologyKind {
    name: "graph",
    forms: "file:PATH[,nodes=C]",
    parameters: &["switches", "nodes", "cables"],
    of_name,
    file,
    parse: |table| Ok(Box::new(table::read::<Written>(table)?.graph()?)),
};

/// What the name of a network in a file begins with.
const FILE: &str = "file:";
/// What is between the path and the nodes of a switch.
const NODES: &str = ",nodes=";
/// Most nodes that may be asked for at every switch: a port is left for a cable.
pub const MOST_NODES_AT_A_SWITCH: usize = 63;

/// A network of switches `0..switches`, which have as many ports as the one that needs the most, 2 at least. Ports of a switch are those of its nodes, in
/// their order, then those of its cables, in theirs; those that are left are open.
#[derive(Clone, Debug)]
pub struct Graph {
    network: Arc<Network>,
    remarks: Arc<[String]>,
}

/// What was said of a file is no part of the network.
impl PartialEq for Graph {
    fn eq(&self, other: &Graph) -> bool {
        Arc::ptr_eq(&self.network, &other.network) || self.network == other.network
    }
}

/// What a [`Graph`] is made of; it is shared by the configurations of all switches.
#[derive(Debug, PartialEq)]
struct Network {
    ports: usize,
    switches: usize,
    /// Of each node: its switch, and the links to it.
    nodes: Vec<(u32, u8)>,
    /// The two switches of each cable.
    cables: Vec<(u32, u32)>,
}

/// Names that a file has for switches and nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Of each switch.
    pub switches: Vec<String>,
    /// Of each node.
    pub nodes: Vec<String>,
    /// Local identifiers of switches in an InfiniBand subnet, by number.
    pub switch_lids: BTreeMap<u32, u16>,
    /// The same of nodes.
    pub node_lids: BTreeMap<u32, u16>,
}

/// The parameters as a configuration has them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    switches: usize,
    nodes: String,
    cables: String,
}

impl Written {
    fn graph(&self) -> Result<Graph> {
        let mut draft = Draft::numbered(self.switches)?;
        text::read_nodes(&self.nodes, &mut draft).context("nodes")?;
        text::read_cables(&self.cables, &mut draft).context("cables")?;
        Ok(draft.network()?.0)
    }
}

impl Graph {
    /// The network in a file, and its names; with so many nodes at every switch, 1..=63, if the file says nothing of nodes: one unless given.
    ///
    /// # Errors
    /// One line: a file that can't be read, with the line where it has one; a network that can't be built.
    pub fn from_file(path: &Path, nodes: Option<usize>) -> Result<(Graph, Names)> {
        let within = |nodes: usize| (1..=MOST_NODES_AT_A_SWITCH).contains(&nodes);
        if let Some(nodes) = nodes.filter(|&nodes| !within(nodes)) {
            anyhow::bail!("nodes: {nodes} is out of range 1..={MOST_NODES_AT_A_SWITCH}");
        }
        let (mut graph, names) = format::read_file(path, nodes).with_context(|| path.display().to_string())?;
        graph.remarks = graph.remarks.iter().map(|line| format!("{}: {line}", path.display())).collect();
        Ok((graph, names))
    }

    /// Switches.
    pub fn switches(&self) -> usize {
        self.network.switches
    }

    /// Of each node: its switch, and how many links lead there.
    pub fn nodes(&self) -> &[(u32, u8)] {
        &self.network.nodes
    }

    /// The two switches of each cable.
    pub fn cables(&self) -> &[(u32, u32)] {
        &self.network.cables
    }
}

/// Path and nodes of `file:PATH[,nodes=C]`. An empty C is none: so a path may have `,nodes=` in it.
fn parts(name: &str) -> Option<(&str, Option<&str>)> {
    let rest = name.strip_prefix(FILE)?;
    Some(match rest.rsplit_once(NODES) {
        Some((path, nodes)) => (path, Some(nodes).filter(|nodes| !nodes.is_empty())),
        None => (rest, None),
    })
}

fn file(name: &str) -> Option<&str> {
    Some(parts(name)?.0)
}

fn of_name(name: &str) -> Option<Result<Named>> {
    let (path, nodes) = parts(name)?;
    Some(of_parts(path, nodes))
}

fn of_parts(path: &str, nodes: Option<&str>) -> Result<Named> {
    let (graph, _) = read_parts(path, nodes)?;
    let ports = graph.network.ports;
    Ok((Box::new(graph), ports))
}

fn read_parts(path: &str, nodes: Option<&str>) -> Result<(Graph, Names)> {
    ensure!(!path.is_empty(), "topology: the path of a network's file is needed: file:PATH");
    Graph::from_file(Path::new(path), nodes.map(count).transpose()?).context("topology")
}

impl Names {
    /// The names in the file that a network's name is of; none of a network that is not in a file, whose switches and nodes have numbers only.
    ///
    /// # Errors
    /// The file can't be read.
    pub fn of(name: &str) -> Result<Names> {
        parts(name).map_or_else(|| Ok(Names::default()), |(path, nodes)| Ok(read_parts(path, nodes)?.1))
    }

    /// A switch's name; its number if it has none.
    pub fn switch(&self, switch: usize) -> String {
        self.switches.get(switch).cloned().unwrap_or_else(|| switch.to_string())
    }

    /// A node's name; its number if it has none.
    pub fn node(&self, node: usize) -> String {
        self.nodes.get(node).cloned().unwrap_or_else(|| node.to_string())
    }
}

/// Nodes of a switch in a network's name.
fn count(text: &str) -> Result<usize> {
    number(text).with_context(|| format!("topology: nodes: `{text}` is no number in 1..={MOST_NODES_AT_A_SWITCH}"))
}

/// The name of the network in a file, as it is given to `Config::of_network`.
pub fn name_of_file(path: &str, nodes: Option<usize>) -> String {
    match nodes {
        Some(nodes) => format!("{FILE}{path}{NODES}{nodes}"),
        None if path.contains(NODES) => format!("{FILE}{path}{NODES}"),
        None => format!("{FILE}{path}"),
    }
}

impl Topology for Graph {
    fn kind(&self) -> &'static TopologyKind {
        &KIND
    }

    /// It was checked when it was made.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    fn ports(&self) -> Option<usize> {
        Some(self.network.ports)
    }

    fn bases(&self, _ports: usize) -> Vec<usize> {
        vec![self.network.nodes.len()]
    }

    /// None: which ports lead the same way, nobody has said; all are always selectable.
    fn groups(&self, _ports: usize) -> Vec<Group> {
        vec![]
    }

    fn cables(&self, _ports: usize) -> Result<Wiring> {
        Ok(wiring::cables(self))
    }

    fn view(&self, ports: usize, switch: u32) -> Result<Box<dyn SwitchView>> {
        Ok(Box::new(GraphSwitch::new(self, ports, switch)?))
    }

    fn remarks(&self) -> &[String] {
        &self.remarks
    }

    fn table(&self) -> toml::Table {
        let (nodes, cables) = (text::nodes(self.nodes()), text::cables(self.cables()));
        table::written(&Written { switches: self.switches(), nodes, cables })
    }

    fn equals(&self, other: &dyn Topology) -> bool {
        other.of::<Graph>().is_some_and(|other| self == other)
    }
}
