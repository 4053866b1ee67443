//! A switch of a torus with aggregated links.

use super::Torus;
use crate::topology::Topology;
use crate::topology::view::{MAX_PORTS, PortSet, Sighting, SwitchView};
use anyhow::{Context, Result, ensure};

/// A switch of a torus in which `trunk` parallel links form one aggregated link.
///
/// Aggregated link g has the ports g * trunk .. (g + 1) * trunk - 1 (POWAR, section 3.2). The
/// order is +x, -x, +y, -y, +z, -z, ..., and last the node. With C nodes a switch, which have a link each,
/// node v sits at switch v / C, whose coordinates are its digits, x first: x + X * (y + Y * z).
///
/// Adaptive routing decides only while a packet travels, so the view has to say which packets pass:
/// those with the observed switch on their dimension-order path (x, then y, then z, the shorter way
/// round, + when both are equally long). There the packet may take, adaptively, any link of any
/// direction that brings it closer (both directions of a dimension when equally long);
/// deterministically, the links of its dimension-order direction; at its destination, the links of
/// the node. It comes in on the links towards the switch it came from. The n-th packet of node s
/// uses link (s + n) mod trunk of every trunk it comes in on.
#[derive(Clone, Debug)]
pub struct TorusSwitch {
    dimensions: Vec<u32>,
    trunk: u32,
    /// Nodes a switch, and the ports to them.
    nodes: u32,
    first_node_port: u32,
    node_ports: u32,
    switch: u32,
}

/// One hop: along this dimension, up (+) or down (-).
#[derive(Clone, Copy)]
struct Direction {
    dimension: usize,
    up: bool,
}

impl Direction {
    fn group(self) -> u32 {
        2 * self.dimension as u32 + u32::from(!self.up)
    }

    fn reverse(self) -> Direction {
        Direction { up: !self.up, ..self }
    }
}

impl TorusSwitch {
    /// The switch with this number.
    ///
    /// # Errors
    /// A torus that is none, a switch that it does not have.
    pub fn new(torus: &Torus, switch: u32) -> Result<TorusSwitch> {
        torus.check()?;
        let dimensions: Vec<u32> = torus.dimensions.iter().map(|&size| size as u32).collect();
        let ports = torus.ports_of_a_switch();
        ensure!(ports <= MAX_PORTS as usize, "topology: its switches have {ports} ports, out of range 2..=64");
        let switches = dimensions.iter().try_fold(1u32, |switches, &size| switches.checked_mul(size));
        let switches = switches.filter(|&switches| switches <= 1 << 24);
        let switches = switches
            .with_context(|| format!("topology.dimensions: {dimensions:?} make more switches than {}", 1 << 24))?;
        ensure!(switch < switches, "switch is `{switch}`, expected 0 to {}", switches - 1);
        Ok(TorusSwitch {
            dimensions,
            trunk: torus.trunk as u32,
            nodes: torus.nodes as u32,
            first_node_port: torus.first_node_port() as u32,
            node_ports: torus.node_ports() as u32,
            switch,
        })
    }

    /// Hops from `from` to `to` along one dimension, going up and going down.
    fn distances(&self, from: u32, to: u32, dimension: usize) -> (u32, u32) {
        let stride: u32 = self.dimensions[..dimension].iter().product();
        let size = self.dimensions[dimension];
        let (a, b) = (from / stride % size, to / stride % size);
        ((b + size - a) % size, (a + size - b) % size)
    }

    /// The dimension-order hop from `from` towards `to`; `None` when it is there.
    fn next_hop(&self, from: u32, to: u32) -> Option<Direction> {
        (0..self.dimensions.len()).find_map(|dimension| {
            let (up, down) = self.distances(from, to, dimension);
            (up != 0).then_some(Direction { dimension, up: up <= down })
        })
    }

    fn neighbour(&self, of: u32, direction: Direction) -> u32 {
        let stride: u32 = self.dimensions[..direction.dimension].iter().product();
        let size = self.dimensions[direction.dimension];
        let here = of / stride % size;
        let there = if direction.up { (here + 1) % size } else { (here + size - 1) % size };
        of - here * stride + there * stride
    }

    /// Links to a node of this switch.
    fn node_links(&self, node: u32) -> PortSet {
        let links = if self.nodes == 1 { (1 << self.node_ports) - 1 } else { 1 << (node % self.nodes) };
        links << self.first_node_port
    }

    fn links(&self, group: u32) -> PortSet {
        ((1 << self.trunk) - 1) << (group * self.trunk)
    }

    fn productive_links(&self, to: u32) -> PortSet {
        let mut links = 0;
        for dimension in 0..self.dimensions.len() {
            let (up, down) = self.distances(self.switch, to, dimension);
            if up != 0 && up <= down {
                links |= self.links(Direction { dimension, up: true }.group());
            }
            if down != 0 && down <= up {
                links |= self.links(Direction { dimension, up: false }.group());
            }
        }
        links
    }
}

impl SwitchView for TorusSwitch {
    fn ports(&self) -> u16 {
        (self.first_node_port + self.node_ports) as u16
    }

    fn nodes(&self) -> u32 {
        self.dimensions.iter().product::<u32>() * self.nodes
    }

    fn hops(&self, source: u32, destination: u32) -> u32 {
        let (source, destination) = (source / self.nodes, destination / self.nodes);
        let links: u32 = (0..self.dimensions.len())
            .map(|dimension| {
                let (up, down) = self.distances(source, destination, dimension);
                up.min(down)
            })
            .sum();
        links + 1
    }

    fn observe(&self, source: u32, destination: u32, sequence: u64) -> Option<Sighting> {
        let (mut here, there) = (source / self.nodes, destination / self.nodes);
        let trunk = u64::from(self.trunk);
        let link = ((u64::from(source) + sequence % trunk) % trunk) as u32;
        let mut input = self.first_node_port + if self.nodes == 1 { link } else { source % self.nodes };
        let mut hops_before = 0;
        while here != self.switch {
            let direction = self.next_hop(here, there)?;
            here = self.neighbour(here, direction);
            input = direction.reverse().group() * self.trunk + link;
            hops_before += 1;
        }
        let (adaptive, deterministic) = match self.next_hop(here, there) {
            None => (0, self.node_links(destination)),
            Some(direction) => (self.productive_links(there), self.links(direction.group())),
        };
        Some(Sighting { input: input as u16, adaptive, deterministic, hops_before })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn switch(switch: u32) -> TorusSwitch {
        TorusSwitch::new(&Torus { dimensions: vec![4, 4, 4], trunk: 4, nodes: 1 }, switch).unwrap()
    }

    /// Node with these coordinates in the 4x4x4 torus.
    fn node(x: u32, y: u32, z: u32) -> u32 {
        x + 4 * y + 16 * z
    }

    const PLUS_X: PortSet = 0xf;
    const MINUS_X: PortSet = 0xf0;
    const PLUS_Y: PortSet = 0xf00;
    const MINUS_Z: PortSet = 0xf0_0000;
    const NODE: PortSet = 0xf00_0000;

    #[test]
    fn the_source_s_switch_offers_every_productive_direction() {
        let seen = switch(0).observe(0, node(1, 1, 3), 6).unwrap();
        assert_eq!(seen.input, 24 + 2);
        assert_eq!(seen.adaptive, PLUS_X | PLUS_Y | MINUS_Z);
        assert_eq!(seen.deterministic, PLUS_X);
        assert_eq!(seen.hops_before, 0);
    }

    #[test]
    fn half_way_round_both_directions_are_productive_and_plus_is_first() {
        let seen = switch(0).observe(0, node(2, 0, 0), 0).unwrap();
        assert_eq!(seen.adaptive, PLUS_X | MINUS_X);
        assert_eq!(seen.deterministic, PLUS_X);
    }

    #[test]
    fn a_packet_comes_in_from_where_it_was() {
        // Travelling +x from (3,0,0) over the edge to (0,0,0), then +y.
        let seen = switch(0).observe(node(3, 0, 0), node(0, 1, 0), 0).unwrap();
        assert_eq!(seen.input, 4 + 3, "first port of -x, plus the source's link");
        assert_eq!(seen.adaptive, PLUS_Y);
        assert_eq!(seen.deterministic, PLUS_Y);
        assert_eq!(seen.hops_before, 1);
    }

    #[test]
    fn the_destination_s_switch_hands_over_to_the_node() {
        // Dimension order arrives along the last dimension: -z from z = 1.
        let seen = switch(0).observe(node(1, 1, 1), 0, 1).unwrap();
        assert_eq!(seen.input, 16 + (21 + 1) % 4, "from the +z neighbour");
        assert_eq!(seen.adaptive, 0);
        assert_eq!(seen.deterministic, NODE);
        assert_eq!(seen.hops_before, 3);
    }

    #[test]
    fn nodes_of_their_own_have_a_port_each() {
        let torus = Torus { dimensions: vec![4, 4], trunk: 4, nodes: 3 };
        let switch = |number| TorusSwitch::new(&torus, number).unwrap();
        // Nodes 0 to 2 are at (0,0), 3 to 5 at (1,0).
        assert_eq!((switch(0).ports(), switch(0).nodes(), switch(0).hops(2, 3), switch(0).hops(0, 2)), (19, 48, 2, 1));
        let first = switch(0).observe(2, 4, 9).unwrap();
        assert_eq!((first.input, first.adaptive, first.deterministic), (18, PLUS_X, PLUS_X));
        let second = switch(1).observe(2, 4, 9).unwrap();
        assert_eq!((second.input, second.adaptive, second.deterministic, second.hops_before), (4 + 3, 0, 1 << 17, 1));
        let neighbours = switch(0).observe(2, 1, 0).unwrap();
        assert_eq!((neighbours.input, neighbours.deterministic), (18, 1 << 17));
    }

    #[test]
    fn a_switch_off_the_dimension_order_path_sees_nothing() {
        assert_eq!(switch(0).observe(node(1, 0, 0), node(2, 1, 0), 0), None);
        // (0,1,0) is on a minimal path from (0,0,0) to (1,1,0), but not on the x-first one.
        assert_eq!(switch(node(0, 1, 0)).observe(0, node(1, 1, 0), 0), None);
    }

    #[test]
    fn as_many_switches_see_a_packet_as_it_passes() {
        for (source, destination) in [(0, 63), (5, 42), (17, 16), (63, 1)] {
            let mut seen: Vec<u32> = (0..64)
                .filter_map(|s| switch(s).observe(source, destination, 0))
                .map(|sighting| sighting.hops_before)
                .collect();
            seen.sort_unstable();
            let hops = switch(0).hops(source, destination);
            assert_eq!(seen, (0..hops).collect::<Vec<_>>());
        }
    }

    #[test]
    fn bad_parameters_are_named() {
        let error = |dimensions: &[usize], trunk, switch| {
            TorusSwitch::new(&Torus { dimensions: dimensions.into(), trunk, nodes: 1 }, switch).unwrap_err().to_string()
        };
        assert_eq!(error(&[4, 1], 1, 0), "topology.dimensions: [4, 1] must be one or more sizes in 2..=256");
        assert_eq!(error(&[4, 4, 4], 10, 0), "topology: its switches have 70 ports, out of range 2..=64");
        assert_eq!(error(&[4, 4, 4], 4, 64), "switch is `64`, expected 0 to 63");
        assert_eq!(
            error(&[256; 4], 1, 0),
            "topology.dimensions: [256, 256, 256, 256] make more switches than 16777216"
        );
    }
}
