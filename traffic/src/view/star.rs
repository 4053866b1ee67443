//! The only switch of a network: a node at every port.

use super::{MAX_PORTS, Sighting, SwitchView, Topology, ViewParameters};
use anyhow::{Result, ensure};

pub(super) const TOPOLOGY: Topology = Topology {
    name: "star",
    about: "one switch with a node at every port (radix: its ports)",
    build: |parameters| Ok(Box::new(Star::new(parameters)?)),
};

/// One switch, node p at port p. It sees every packet, and each has one way only: the port of its destination.
#[derive(Clone, Debug)]
pub struct Star {
    ports: u32,
}

impl Star {
    /// Reads `radix` (the ports, 2 to [`MAX_PORTS`]) and `switch`, which can only be 0.
    pub fn new(parameters: &ViewParameters) -> Result<Star> {
        let ViewParameters { radix: ports, switch, .. } = *parameters;
        ensure!((2..=MAX_PORTS).contains(&ports), "radix is `{ports}`, expected 2 to {MAX_PORTS}");
        ensure!(switch == 0, "switch is `{switch}`, expected 0, the only switch of a star");
        Ok(Star { ports })
    }
}

impl SwitchView for Star {
    fn ports(&self) -> u16 {
        self.ports as u16
    }

    fn nodes(&self) -> u32 {
        self.ports
    }

    fn hops(&self, _source: u32, _destination: u32) -> u32 {
        1
    }

    fn observe(&self, source: u32, destination: u32, _sequence: u64) -> Option<Sighting> {
        Some(Sighting { input: source as u16, adaptive: 0, deterministic: 1 << destination, hops_before: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn star(radix: u32, switch: u32) -> Result<Star> {
        Star::new(&ViewParameters { radix, switch, ..ViewParameters::default() })
    }

    #[test]
    fn every_packet_goes_from_its_node_s_port_to_its_destination_s() {
        let star = star(64, 0).unwrap();
        assert_eq!((star.ports(), star.nodes()), (64, 64));
        for (source, destination) in [(0, 1), (5, 63), (63, 0)] {
            for sequence in [0, 1, u64::MAX] {
                let seen = star.observe(source, destination, sequence).unwrap();
                assert_eq!(u32::from(seen.input), source);
                assert_eq!((seen.adaptive, seen.deterministic), (0, 1 << destination));
                assert_eq!((seen.hops_before, star.hops(source, destination)), (0, 1));
            }
        }
    }

    #[test]
    fn bad_parameters_are_named() {
        let error = |radix, switch| star(radix, switch).unwrap_err().to_string();
        assert_eq!(error(1, 0), "radix is `1`, expected 2 to 64");
        assert_eq!(error(65, 0), "radix is `65`, expected 2 to 64");
        assert_eq!(error(16, 1), "switch is `1`, expected 0, the only switch of a star");
    }

    #[test]
    fn there_are_as_many_nodes_as_ports() {
        let parameters = ViewParameters { radix: 16, ..ViewParameters::default() };
        assert!(super::super::view("star", &parameters, 16).is_ok());
        let error = super::super::view("star", &parameters, 17).err().expect("too many ranks").to_string();
        assert_eq!(error, "ranks is `17`, expected at most 16, the nodes of the network");
    }
}
