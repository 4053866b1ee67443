//! A switch of a mesh.

use super::Mesh;
use crate::topology::Topology;
use crate::topology::view::{MAX_PORTS, PortSet, Sighting, SwitchView};
use anyhow::{Context, Result, ensure};

/// A switch of a mesh with ports +x, -x, +y, -y, .., then those of its nodes. With C nodes a switch node v sits at switch v / C, whose
/// coordinates are its digits, x first.
///
/// Adaptive routing decides only while a packet travels, so the view has to say which packets pass: those with the observed switch on their
/// dimension-order path. There the packet may take, adaptively, any direction that brings it closer; deterministically that of
/// dimension order; at its destination the port of the node.
#[derive(Clone, Debug)]
pub struct MeshSwitch {
    dimensions: Vec<u32>,
    nodes: u32,
    switch: u32,
}

impl MeshSwitch {
    /// The switch with this number.
    ///
    /// # Errors
    /// A mesh that is none, a switch that it does not have.
    pub fn new(mesh: &Mesh, switch: u32) -> Result<MeshSwitch> {
        mesh.check()?;
        let ports = mesh.ports_of_a_switch();
        ensure!(ports <= MAX_PORTS as usize, "topology: its switches have {ports} ports, out of range 2..=64");
        let dimensions: Vec<u32> = mesh.dimensions.iter().map(|&size| size as u32).collect();
        let switches = dimensions.iter().try_fold(1u32, |switches, &size| switches.checked_mul(size));
        let switches = switches.filter(|&switches| switches <= 1 << 24);
        let switches = switches
            .with_context(|| format!("topology.dimensions: {dimensions:?} make more switches than {}", 1 << 24))?;
        ensure!(switch < switches, "switch is `{switch}`, expected 0 to {}", switches - 1);
        Ok(MeshSwitch { dimensions, nodes: mesh.nodes as u32, switch })
    }

    /// The coordinates of two switches, dimension by dimension.
    fn coordinates(&self, one: u32, other: u32) -> impl Iterator<Item = (u32, u32)> {
        let mut weight = 1;
        self.dimensions.iter().map(move |size| {
            let pair = (one / weight % size, other / weight % size);
            weight *= size;
            pair
        })
    }

    /// Ports from one switch towards another, in the order of dimensions.
    fn productive(&self, from: u32, to: u32) -> impl Iterator<Item = u32> {
        let directions = self.coordinates(from, to).zip((0..).step_by(2));
        directions
            .filter(|((from, to), _)| from != to)
            .map(|((from, to), plus)| if from < to { plus } else { plus + 1 })
    }

    fn neighbour(&self, of: u32, port: u32) -> u32 {
        let stride: u32 = self.dimensions[..port as usize / 2].iter().product();
        if port.is_multiple_of(2) { of + stride } else { of - stride }
    }

    fn node_port(&self, node: u32) -> u32 {
        2 * self.dimensions.len() as u32 + node % self.nodes
    }
}

impl SwitchView for MeshSwitch {
    fn ports(&self) -> u16 {
        (2 * self.dimensions.len() as u32 + self.nodes) as u16
    }

    fn nodes(&self) -> u32 {
        self.dimensions.iter().product::<u32>() * self.nodes
    }

    fn hops(&self, source: u32, destination: u32) -> u32 {
        let switches = self.coordinates(source / self.nodes, destination / self.nodes);
        switches.map(|(from, to)| from.abs_diff(to)).sum::<u32>() + 1
    }

    fn observe(&self, source: u32, destination: u32, _sequence: u64) -> Option<Sighting> {
        let (mut here, there) = (source / self.nodes, destination / self.nodes);
        let mut input = self.node_port(source);
        let mut hops_before = 0;
        while here != self.switch {
            let port = self.productive(here, there).next()?;
            here = self.neighbour(here, port);
            input = port ^ 1;
            hops_before += 1;
        }
        let set = |port: u32| -> PortSet { 1 << port };
        let adaptive = self.productive(here, there).map(set).fold(0, |ports, port| ports | port);
        let deterministic = set(self.productive(here, there).next().unwrap_or_else(|| self.node_port(destination)));
        Some(Sighting { input: input as u16, adaptive, deterministic, hops_before })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn switch(nodes: usize, number: u32) -> MeshSwitch {
        MeshSwitch::new(&Mesh { dimensions: vec![4, 3], nodes }, number).unwrap()
    }

    #[test]
    fn every_direction_that_brings_a_packet_closer_is_offered_x_first() {
        // From (1,1) to (3,0): +x and -y.
        let seen = switch(1, 5).observe(5, 3, 0).unwrap();
        assert_eq!((seen.input, seen.adaptive, seen.deterministic), (4, 0b1001, 0b0001));
        // There, from the west.
        let seen = switch(1, 3).observe(1, 3, 0).unwrap();
        assert_eq!((seen.input, seen.adaptive, seen.deterministic, seen.hops_before), (1, 0, 1 << 4, 2));
    }

    #[test]
    fn the_way_round_is_no_way() {
        assert_eq!(switch(1, 0).observe(0, 3, 0).unwrap().adaptive, 1);
        assert_eq!((switch(1, 0).hops(0, 11), switch(2, 0).hops(0, 1), switch(2, 0).nodes()), (6, 1, 24));
    }

    #[test]
    fn as_many_switches_see_a_packet_as_it_passes() {
        for (source, destination) in [(0, 35), (5, 20), (17, 16), (33, 1)] {
            let sightings = (0..12).filter_map(|number| switch(3, number).observe(source, destination, 0));
            let mut seen: Vec<u32> = sightings.map(|sighting| sighting.hops_before).collect();
            seen.sort_unstable();
            assert_eq!(seen, (0..switch(3, 0).hops(source, destination)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn bad_parameters_are_named() {
        let error = |dimensions: &[usize], nodes, switch| {
            MeshSwitch::new(&Mesh { dimensions: dimensions.into(), nodes }, switch).unwrap_err().to_string()
        };
        assert_eq!(error(&[4, 1], 1, 0), "topology.dimensions: [4, 1] must be one or more sizes in 2..=256");
        assert_eq!(error(&[4, 4], 0, 0), "topology.nodes: 0 is out of range 1..=62");
        assert_eq!(error(&[4, 4], 61, 0), "topology: its switches have 65 ports, out of range 2..=64");
        assert_eq!(error(&[4, 4], 1, 16), "switch is `16`, expected 0 to 15");
    }
}
