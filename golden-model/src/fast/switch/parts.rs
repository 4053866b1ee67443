//! A switch that is several: equal ones side by side, each with its ports behind those of the one before (`docs/bundles.md`).
//!
//! Masks over ports hold the ports of all of them, so that a step of all costs little more than one of each. A pointer past the last
//! port of a part is as good as one at its first, and routing sees its own part and nothing else.

use super::{Payload, Switch, mechanisms};
use crate::bits::low_bits;
use anyhow::Result;
use powar_config::routing::tables::RoutingTables;
use powar_config::{Config, Group};
use std::sync::Arc;

/// Bits of a mask over ports.
const MOST_PORTS: usize = 64;

/// Which ports are one switch, and where each of these is in the network.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    /// Ports of a part.
    pub ports: usize,
    /// By port, its part.
    of_port: [u8; MOST_PORTS],
    /// By part: packed address and stage.
    pub places: Box<[(u16, u8)]>,
}

impl Parts {
    /// Switches of so many ports, one at each of the places.
    pub fn new(ports: usize, places: &[(u16, u8)]) -> Parts {
        Parts { ports, of_port: std::array::from_fn(|port| (port / ports) as u8), places: places.into() }
    }

    /// The part that a port is of.
    #[inline]
    pub fn of(&self, port: usize) -> usize {
        self.of_port[port & 63].into()
    }

    /// The first port of a part.
    #[inline]
    pub fn first(&self, part: usize) -> usize {
        part * self.ports
    }

    /// All ports of a part.
    pub fn mask(&self, part: usize) -> u64 {
        low_bits(self.ports) << self.first(part)
    }
}

impl<P: Payload> Switch<P> {
    /// Equal switches in one, after reset, each at its place: packed address and stage. Port p of switch i is port `i * config.ports + p`. There is no
    /// register bus, and of one with a routing table the switches have their numbers in the network one after the other.
    ///
    /// # Errors
    /// As of [`Switch::new`].
    ///
    /// # Panics
    /// There are more places than [`Switch::most_in_a_bundle`] says, or none.
    pub fn bundle(config: &Config, places: &[(u16, u8)]) -> Result<Self> {
        config.check()?;
        let most = Switch::<P>::most_in_a_bundle(config);
        assert!((1..=most).contains(&places.len()), "{} switches in a bundle of {most}", places.len());
        let all = side_by_side(config, places.len());
        Switch::of_parts(config, &all, mechanisms::build(&all), places)
    }

    /// How many switches of a configuration, which has been checked, may be one: as many as have their ports in a mask, if their mechanism is as good for the
    /// ports of many as for those of one; else 1.
    pub fn most_in_a_bundle(config: &Config) -> usize {
        let sees_ports_alone = config.mechanism().sees == Default::default();
        let many = sees_ports_alone && mechanisms::build(config).regards_ports_alone();
        if many { (MOST_PORTS / config.ports).max(1) } else { 1 }
    }

    /// Loads the routing table of a switch of a network, with its number there (of several, that of the first), as software does before there are packets. Nothing changes in a switch
    /// whose routing has no table.
    pub fn load_table(&mut self, tables: Arc<RoutingTables>, switch: usize) {
        let parts = self.input.router.parts();
        if let Some(table) = &mut self.input.router.table {
            table.load(tables, switch, parts);
        }
    }

    /// Puts the switch, which is one, to another place in the network, from the cycle under way on.
    pub fn move_to(&mut self, position: u16, stage: u8) {
        if self.place != (position, stage) {
            self.place = (position, stage);
            (self.power.seen.around.position, self.power.seen.around.stage) = (position, stage);
            self.input.reroute(position, stage);
        }
    }
}

/// The configuration with ports and groups so many times; all else is as of one.
fn side_by_side(config: &Config, times: usize) -> Config {
    let shifted =
        |first: usize| config.groups.iter().map(move |group| Group { first: first + group.first, size: group.size });
    let groups = (0..times).flat_map(|part| shifted(part * config.ports)).collect();
    Config { ports: config.ports * times, groups, ..config.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_those_of_their_part() {
        let parts = Parts::new(7, &[(3, 0), (4, 0), (9, 1)]);
        assert_eq!([0, 6, 7, 13, 14, 20].map(|port| parts.of(port)), [0, 0, 1, 1, 2, 2]);
        assert_eq!([0, 1, 2].map(|part| parts.first(part)), [0, 7, 14]);
        assert_eq!(parts.mask(2), 0x7f << 14);
    }
}
