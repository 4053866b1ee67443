//! A network as JSON: what is called how, and what is connected where.

use super::Network;
use powar_config::topology::wiring::End;
use serde::Serialize;

/// A network, for programs.
#[derive(Clone, Debug, Serialize)]
pub struct Description {
    /// Of the configuration.
    pub name: String,
    /// Ports of every switch, and virtual channels of its input ports.
    pub ports: usize,
    pub vcs: usize,
    pub switches: Vec<DescribedSwitch>,
    pub nodes: Vec<DescribedNode>,
}

/// A switch.
#[derive(Clone, Debug, Serialize)]
pub struct DescribedSwitch {
    pub switch: usize,
    pub name: String,
    /// In an InfiniBand subnet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lid: Option<u16>,
    /// What its input `position` is.
    pub position: u16,
    /// Links between it and the root of the escape, and its place in the order of the escape: a cable goes up towards the lower number.
    pub level: u32,
    pub rank: u32,
    /// What each port leads to.
    pub ports: Vec<DescribedPort>,
}

/// What a port leads to.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DescribedPort {
    /// A node, and which of its links.
    Node { node: u32, link: u8 },
    /// A switch, and its port.
    Switch { switch: u32, port: u8 },
    /// Nothing.
    Open,
}

/// A node.
#[derive(Clone, Debug, Serialize)]
pub struct DescribedNode {
    pub node: usize,
    pub name: String,
    /// In an InfiniBand subnet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lid: Option<u16>,
    /// In headers of packets; the row of routing tables.
    pub address: u16,
    pub switch: u32,
    /// Ports of the switch, in the order of the node's links.
    pub ports: Vec<u8>,
}

impl Description {
    pub(super) fn new(network: &Network) -> Description {
        let wiring = network.tables.wiring();
        let root = (0..wiring.ends.len()).find(|&switch| network.tables.rank(switch) == 0).unwrap_or_default();
        let port = |end: &End| match *end {
            End::Node { node, link } => DescribedPort::Node { node, link },
            End::Switch { switch, port } => DescribedPort::Switch { switch, port },
            End::Open => DescribedPort::Open,
        };
        let switch = |(switch, ends): (usize, &Vec<End>)| DescribedSwitch {
            switch,
            name: network.switch(switch),
            lid: network.names.switch_lids.get(&(switch as u32)).copied(),
            position: wiring.places[switch].position,
            level: network.tables.distance(switch, root),
            rank: network.tables.rank(switch),
            ports: ends.iter().map(port).collect(),
        };
        let node = |(node, links): (usize, &Vec<(u32, u8)>)| DescribedNode {
            node,
            name: network.node(node),
            lid: network.names.node_lids.get(&(node as u32)).copied(),
            address: wiring.addresses[node],
            switch: links[0].0,
            ports: links.iter().map(|&(_, port)| port).collect(),
        };
        Description {
            name: network.config.name.clone(),
            ports: network.config.ports,
            vcs: network.config.switch.vcs,
            switches: wiring.ends.iter().enumerate().map(switch).collect(),
            nodes: wiring.nodes.iter().enumerate().map(node).collect(),
        }
    }
}
