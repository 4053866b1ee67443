//! The only switch of a network: a node at every port.

use crate::topology::view::{MAX_PORTS, Sighting, SwitchView};
use anyhow::{Result, ensure};

/// One switch, node p at port p. It sees every packet, and each has one way only: the port of its destination.
#[derive(Clone, Debug)]
pub struct StarSwitch {
    ports: u32,
}

impl StarSwitch {
    /// Of so many ports, 2 to [`MAX_PORTS`]; the switch can only be 0.
    ///
    /// # Errors
    /// Ports out of range, another switch.
    pub fn new(ports: usize, switch: u32) -> Result<StarSwitch> {
        ensure!((2..=MAX_PORTS as usize).contains(&ports), "ports is `{ports}`, expected 2 to {MAX_PORTS}");
        ensure!(switch == 0, "switch is `{switch}`, expected 0, the only switch of a star");
        Ok(StarSwitch { ports: ports as u32 })
    }
}

impl SwitchView for StarSwitch {
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

    #[test]
    fn every_packet_goes_from_its_node_s_port_to_its_destination_s() {
        let star = StarSwitch::new(64, 0).unwrap();
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
        let error = |ports, switch| StarSwitch::new(ports, switch).unwrap_err().to_string();
        assert_eq!(error(1, 0), "ports is `1`, expected 2 to 64");
        assert_eq!(error(65, 0), "ports is `65`, expected 2 to 64");
        assert_eq!(error(16, 1), "switch is `1`, expected 0, the only switch of a star");
    }
}
