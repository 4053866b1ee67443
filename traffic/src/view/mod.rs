//! What one switch of a network sees of the traffic between all nodes.
//!
//! A topology is one file here plus one line in [`TOPOLOGIES`].

pub mod fat_tree;
pub mod star;
pub mod torus;

use anyhow::{Context, Result, ensure};

/// A set of ports: bit p stands for port p.
pub type PortSet = u64;

/// Most ports a switch may have, because a [`PortSet`] has one bit per port.
pub const MAX_PORTS: u32 = 64;

/// How the observed switch meets one packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// Port the packet comes in on.
    pub input: u16,
    /// Ports adaptive routing may choose; empty when routing leaves no choice.
    pub adaptive: PortSet,
    /// Ports of deterministic routing; empty when there is none.
    pub deterministic: PortSet,
    /// Switches the packet has passed before this one.
    pub hops_before: u32,
}

/// A network with one switch under observation. Rank r runs on node r.
pub trait SwitchView: Send + Sync {
    /// Ports of the observed switch, at most [`MAX_PORTS`].
    fn ports(&self) -> u16;

    /// Nodes of the network.
    fn nodes(&self) -> u32;

    /// Switches a packet passes between two different nodes.
    fn hops(&self, source: u32, destination: u32) -> u32;

    /// What the observed switch sees of a packet, if it passes.
    ///
    /// `sequence` counts the packets of this source, so that a view can spread them over
    /// parallel links without a memory of its own. Source and destination differ.
    fn observe(&self, source: u32, destination: u32, sequence: u64) -> Option<Sighting>;
}

/// What the topologies are built from; each reads the fields it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewParameters {
    /// k of a k-ary n-tree: ports down and ports up of a switch. Of a star: its ports.
    pub radix: u32,
    /// n of a k-ary n-tree.
    pub levels: u32,
    /// Switches along each dimension of a torus.
    pub dimensions: Vec<u32>,
    /// Parallel links from a torus switch to each neighbour and to its node.
    pub trunk: u32,
    /// Which switch is observed.
    pub switch: u32,
}

impl Default for ViewParameters {
    /// The two networks of POWAR, section 4.2: the 8-ary 2-tree and the 4x4x4 torus with trunks of
    /// four links.
    fn default() -> Self {
        ViewParameters { radix: 8, levels: 2, dimensions: vec![4, 4, 4], trunk: 4, switch: 0 }
    }
}

/// A kind of network that can be observed.
pub struct Topology {
    pub name: &'static str,
    /// One line for a help text.
    pub about: &'static str,
    /// Builds the view; errors name the parameter, its value and its range.
    pub build: fn(&ViewParameters) -> Result<Box<dyn SwitchView>>,
}

/// All topologies.
pub const TOPOLOGIES: &[Topology] = &[fat_tree::TOPOLOGY, star::TOPOLOGY, torus::TOPOLOGY];

/// The view of the topology called `name` on the traffic of `ranks` ranks.
pub fn view(name: &str, parameters: &ViewParameters, ranks: u32) -> Result<Box<dyn SwitchView>> {
    let topology = TOPOLOGIES.iter().find(|topology| topology.name == name).with_context(|| {
        let known: Vec<_> = TOPOLOGIES.iter().map(|topology| topology.name).collect();
        format!("topology is `{name}`, expected one of {}", known.join(", "))
    })?;
    let view = (topology.build)(parameters)?;
    check_ranks(view.as_ref(), ranks)?;
    Ok(view)
}

/// Checks that every rank has a node of its own.
pub(crate) fn check_ranks(view: &dyn SwitchView, ranks: u32) -> Result<()> {
    ensure!(ranks <= view.nodes(), "ranks is `{ranks}`, expected at most {}, the nodes of the network", view.nodes());
    Ok(())
}
