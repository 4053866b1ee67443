//! A switch of a network from a list.

use super::Graph;
use crate::routing::tables::RoutingTables;
use crate::topology::view::{PortSet, Sighting, SwitchView};
use crate::topology::wiring::End;
use crate::topology::{Topology, pack_address};
use anyhow::{Result, ensure};

/// A switch of any network.
///
/// A packet goes a shortest way, at each switch over the lowest port that is on one. There it may take, adaptively, every port on a shortest way;
/// deterministically, that lowest one; at its destination, all links of the node. The n-th packet of a node with L links goes into the network over link
/// n mod L.
#[derive(Debug)]
pub struct GraphSwitch {
    tables: RoutingTables,
    ports: u16,
    switch: usize,
}

impl GraphSwitch {
    /// The switch with this number.
    ///
    /// # Errors
    /// A switch that there is not; a network too large for [`RoutingTables`].
    pub fn new(graph: &Graph, ports: usize, switch: u32) -> Result<GraphSwitch> {
        let switches = graph.switches();
        ensure!((switch as usize) < switches, "switch is `{switch}`, expected 0 to {}", switches - 1);
        let mut wiring = Topology::cables(graph, ports)?;
        wiring.addresses = (0..wiring.nodes.len()).map(|node| pack_address(&graph.bases(ports), node)).collect();
        Ok(GraphSwitch { tables: RoutingTables::new(&wiring, 1)?, ports: ports as u16, switch: switch as usize })
    }

    /// The switch of a node.
    fn home(&self, node: u32) -> usize {
        self.tables.wiring().nodes[node as usize][0].0 as usize
    }
}

impl SwitchView for GraphSwitch {
    fn ports(&self) -> u16 {
        self.ports
    }

    fn nodes(&self) -> u32 {
        self.tables.wiring().nodes.len() as u32
    }

    fn hops(&self, source: u32, destination: u32) -> u32 {
        self.tables.distance(self.home(source), self.home(destination)) + 1
    }

    fn observe(&self, source: u32, destination: u32, sequence: u64) -> Option<Sighting> {
        let links = &self.tables.wiring().nodes[source as usize];
        let (mut here, there) = (self.home(source), self.home(destination));
        let mut input = links[(sequence % links.len() as u64) as usize].1;
        let mut hops_before = 0;
        while here != self.switch {
            let first = self.tables.shortest(here, there);
            if first == 0 {
                return None;
            }
            let End::Switch { switch, port } = self.tables.wiring().ends[here][first.trailing_zeros() as usize] else {
                return None;
            };
            (here, input, hops_before) = (switch as usize, port, hops_before + 1);
        }
        let (adaptive, deterministic): (PortSet, PortSet) = if here == there {
            let links = &self.tables.wiring().nodes[destination as usize];
            (0, links.iter().fold(0, |ports, &(_, port)| ports | 1 << port))
        } else {
            let shortest = self.tables.shortest(here, there);
            (shortest, shortest & shortest.wrapping_neg())
        };
        Some(Sighting { input: input.into(), adaptive, deterministic, hops_before })
    }
}
