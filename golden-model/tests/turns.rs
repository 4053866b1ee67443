//! The turns that a switch has (docs/microarchitecture/switch.md) are those that packets of its network need, and in trees and between boards no more.

use crate::support::every_routing::with_every_routing;
use powar_config::routing::{self, tables::RoutingTables};
use powar_config::topology::wiring::{End, Wiring};
use powar_config::{Config, RoutingSees};
use powar_golden::reference::routing::{Route, RoutingInputs, RoutingUnit, routing_unit};
use std::collections::BTreeSet;

/// Bit 26 of a header: what packets ask `least-occupied` for.
const ASKS: u32 = 1 << 26;

/// A network of every kind with every routing that is for it.
fn configs() -> Vec<Config> {
    with_every_routing(&[
        "star-5",
        "2-ary-3-tree",
        "4-ary-2-tree",
        "k2-n3",
        "mesh-3x3",
        "torus-5x3-trunk2",
        "torus-4x4",
        "dragonfly-p2a4h2",
        "boards-4x2",
        "boards-3x3",
    ])
}

/// A network whose routing units are asked.
struct Network {
    config: Config,
    wiring: Wiring,
    unit: std::sync::Arc<dyn RoutingUnit>,
    tables: Option<std::sync::Arc<RoutingTables>>,
    sees: RoutingSees,
}

impl Network {
    fn new(config: &Config) -> Network {
        let sees = config.routing_sees();
        Network {
            config: config.clone(),
            wiring: Wiring::new(config).unwrap(),
            unit: routing_unit(config).unwrap(),
            tables: sees.table.then(|| RoutingTables::of(config).unwrap()),
            sees,
        }
    }

    fn route(&self, switch: usize, (port, vc): (usize, usize), header: u32, occupancy: &[u64]) -> Route {
        let (place, destination) = (self.wiring.places[switch], header as u16);
        let inputs = RoutingInputs {
            position: place.position,
            stage: place.stage,
            destination,
            header,
            input_port: port as u8,
            input_vc: vc as u8,
            serves: self.wiring.connected(switch),
            occupancy,
            row: self.tables.as_ref().map(|tables| tables.row(switch, destination)).unwrap_or_default(),
            to_node: self.tables.as_ref().map_or(0, |tables| tables.node_ports(switch)),
        };
        self.unit.route(&inputs.seen_by(self.sees))
    }

    /// By input port, of all switches together: the output ports that packets which nodes send ask for there, one bit each. All ways are followed.
    fn needed(&self) -> Vec<u64> {
        let (ports, vcs) = (self.config.ports, self.config.switch.vcs);
        // Where a unit looks at buffers: as full as each other, empty, and one of them full.
        let mut fills = vec![vec![0; ports]];
        if self.sees.occupancy {
            fills.extend((0..ports).map(|full| (0..ports).map(|port| if port == full { 100 } else { 0 }).collect()));
        }
        let mut needed = vec![0; ports];
        for (node, &address) in self.wiring.addresses.iter().enumerate() {
            for header in [u32::from(address), u32::from(address) | ASKS] {
                let mut seen = BTreeSet::new();
                let of_others = self.wiring.nodes.iter().enumerate().filter(|&(from, _)| from != node);
                let links = of_others.flat_map(|(_, links)| links);
                let mut open: Vec<(usize, usize, usize)> = links
                    .flat_map(|&(switch, port)| (0..vcs).map(move |vc| (switch as usize, port.into(), vc)))
                    .collect();
                while let Some(at) = open.pop() {
                    if !seen.insert(at) {
                        continue;
                    }
                    let (switch, port, vc) = at;
                    for occupancy in &fills {
                        let route = self.route(switch, (port, vc), header, occupancy);
                        assert!(route.routable, "{}: {at:?}", self.config.name);
                        let sets =
                            [(route.adaptive, route.adaptive_vcs), (route.deterministic, route.deterministic_vcs)];
                        for (set, with) in sets {
                            needed[port] |= set;
                            for output in (0..ports).filter(|output| set >> output & 1 == 1) {
                                if let End::Switch { switch, port } = self.wiring.ends[switch][output] {
                                    let onward = (0..vcs).filter(|vc| with >> vc & 1 == 1);
                                    open.extend(onward.map(|vc| (switch as usize, port.into(), vc)));
                                }
                            }
                        }
                    }
                }
            }
        }
        needed
    }
}

#[test]
fn a_switch_has_the_turns_that_packets_need() {
    let configs = configs();
    let asked: BTreeSet<&str> = configs.iter().map(|config| config.routing().unwrap().name).collect();
    assert_eq!(asked.len(), routing::ALL.len(), "{asked:?}");
    let mut without_some = BTreeSet::new();
    for config in &configs {
        let (needed, routing) = (Network::new(config).needed(), config.routing().unwrap().name);
        for (input, &needed) in needed.iter().enumerate() {
            let turns = config.turns(input);
            assert_eq!(needed & !turns, 0, "{routing} in {}: from port {input}", config.name);
            if config.near_ports() < config.ports {
                without_some.insert(routing);
                // A node may send to itself, and a neighbour below that is told to: that alone is not needed.
                assert_eq!(turns & !needed & !(1 << input), 0, "{routing} in {}: from port {input}", config.name);
            }
        }
    }
    assert_eq!(without_some, BTreeSet::from(["boards", "fat-tree", "least-occupied"]));
}

#[test]
fn a_switch_with_every_turn_has_every_turn() {
    for mut config in configs() {
        config.switch.every_turn = true;
        assert!((0..config.ports).all(|input| config.turns(input) == u64::MAX >> (64 - config.ports)));
    }
}
