//! What one switch of a network sees of the traffic between all nodes.

use anyhow::{Result, ensure};

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

/// The view of one switch of the network with this name.
///
/// # Errors
/// An unknown name, a network that cannot be built, a switch that it does not have.
pub fn view(network: &str, switch: u32) -> Result<Box<dyn SwitchView>> {
    let (topology, ports) = super::by_name(network)?;
    topology.check()?;
    topology.view(ports, switch)
}

/// Checks that every rank has a node of its own.
///
/// # Errors
/// More ranks than nodes.
pub fn check_ranks(view: &dyn SwitchView, ranks: u32) -> Result<()> {
    ensure!(ranks <= view.nodes(), "ranks is `{ranks}`, expected at most {}, the nodes of the network", view.nodes());
    Ok(())
}
