//! Bundles: switches of a network that are stepped as one (`docs/bundles.md`).
//!
//! Outside, a switch has its number and its ports. Inside, where trains and credits go from link to link, it is a part of a bundle, which has a number
//! and the ports of all of its switches.

use super::NetPacket;
use crate::fast::switch::Switch;
use anyhow::Result;
use powar_config::Config;
use powar_config::routing::tables::RoutingTables;
use powar_config::topology::wiring::{End, Place, Wiring};

/// Which switches are in which bundle: as many in each as in the first, by their numbers; the last may have fewer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bundles {
    /// Switches of the network, and of a bundle.
    switches: usize,
    size: usize,
    /// Ports of a switch.
    switch_ports: usize,
}

impl Bundles {
    /// Switches of so many ports, in bundles of `most` at most: in as few as there can be, none much larger than the others.
    pub fn new(switches: usize, switch_ports: usize, most: usize) -> Bundles {
        let bundles = switches.div_ceil(most).max(1);
        Bundles { switches, size: switches.div_ceil(bundles).max(1), switch_ports }
    }

    /// Switches of a bundle.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Bundles that there are.
    pub fn number(&self) -> usize {
        self.switches.div_ceil(self.size)
    }

    /// Ports of a bundle.
    pub fn ports(&self) -> usize {
        self.size * self.switch_ports
    }

    /// The bundle and its port that a switch's port is inside.
    #[inline]
    pub fn inside(&self, (switch, port): (u32, u8)) -> (u32, u8) {
        let (size, ports) = (self.size as u32, self.switch_ports as u8);
        (switch / size, (switch % size) as u8 * ports + port)
    }

    /// The switch and its port that a bundle's port is outside.
    #[inline]
    pub fn outside(&self, (bundle, port): (u32, u8)) -> (u32, u8) {
        let (size, ports) = (self.size as u32, self.switch_ports as u8);
        (bundle * size + u32::from(port / ports), port % ports)
    }

    /// What is at the other end of every port of every bundle, a row each; those at other switches by bundle.
    pub fn ends(&self, wiring: &Wiring) -> Box<[End]> {
        let inside = |end: &End| match *end {
            End::Switch { switch, port } => {
                let (switch, port) = self.inside((switch, port));
                End::Switch { switch, port }
            }
            end => end,
        };
        let mut ends: Vec<End> = wiring.ends.iter().flatten().map(inside).collect();
        ends.resize(self.number() * self.ports(), End::Open);
        ends.into()
    }

    /// All bundles of a network, each made of golden switches in one and told its number.
    ///
    /// # Errors
    /// Those of the configuration and of `make`.
    pub fn make<S>(
        &self,
        config: &Config,
        wiring: &Wiring,
        mut make: impl FnMut(u32, Switch<NetPacket>) -> Result<S>,
    ) -> Result<Vec<S>> {
        let tables = config.routing_sees().table.then(|| RoutingTables::of(config)).transpose()?;
        let of_places = |(number, places): (usize, &[Place])| {
            let places: Vec<_> = places.iter().map(|place| (place.position, place.stage)).collect();
            let mut bundle = Switch::bundle(config, &places)?;
            tables.iter().for_each(|tables| bundle.load_table(tables.clone(), number * self.size));
            make(number as u32, bundle)
        };
        wiring.places.chunks(self.size).enumerate().map(of_places).collect()
    }

    /// All switches by number: the bundle of each, and its ports there.
    pub fn switches(self) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> {
        (0..self.switches).map(move |switch| {
            let first = switch % self.size * self.switch_ports;
            (switch / self.size, first..first + self.switch_ports)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inside_and_outside_are_two_names_of_a_port() {
        for (switches, ports, most, bundles) in
            [(64, 7, 9, 8), (16, 16, 4, 4), (10, 16, 4, 3), (5, 33, 1, 5), (1, 4, 16, 1)]
        {
            let of = Bundles::new(switches, ports, most);
            assert_eq!((of.number(), of.size() <= most), (bundles, true));
            for (switch, (bundle, range)) in of.switches().enumerate() {
                for port in 0..ports {
                    let (outside, inside) = ((switch as u32, port as u8), (bundle as u32, (range.start + port) as u8));
                    assert_eq!((of.inside(outside), of.outside(inside)), (inside, outside));
                }
            }
        }
    }

    /// Whoever follows a cable there and back comes home, and places without a switch lead nowhere.
    #[test]
    fn cables_lead_back() {
        let config = Config::of_network("torus-5x2").unwrap();
        let wiring = Wiring::new(&config).unwrap();
        let of = Bundles::new(10, config.ports, 4);
        let (ends, ports) = (of.ends(&wiring), of.ports());
        assert_eq!((of.size(), ends.len()), (4, 3 * ports));
        assert!(ends[10 * config.ports..].iter().all(|end| matches!(end, End::Open)));
        let mut cables = 0;
        for (place, end) in ends.iter().enumerate() {
            if let End::Switch { switch, port } = *end {
                let back = ends[switch as usize * ports + usize::from(port)];
                assert_eq!(back, End::Switch { switch: (place / ports) as u32, port: (place % ports) as u8 });
                cables += 1;
            }
        }
        assert_eq!(cables, wiring.ends.iter().flatten().filter(|end| matches!(end, End::Switch { .. })).count());
    }
}
