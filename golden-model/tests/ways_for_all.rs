//! A routing that says that it takes all has a way for every packet, wherever it comes in: what a demonstrator asks of it
//! (docs/microarchitecture/demonstrator.md).

use crate::support::every_routing::with_every_routing;
use powar_config::Config;
use powar_config::registers::demonstrator::Site;
use powar_config::routing::{self, tables::RoutingTables};
use powar_config::topology::wiring::Wiring;
use powar_golden::reference::routing::{RoutingInputs, routing_unit};
use std::collections::BTreeSet;

/// A network of every kind with every routing that is for it.
fn configs() -> Vec<Config> {
    with_every_routing(&[
        "star-5",
        "2-ary-3-tree",
        "k4-n2",
        "mesh-3x3",
        "mesh-2x2x2-nodes2",
        "mesh-4x4",
        "torus-5x3-trunk2",
        "torus-4x4",
        "dragonfly-p2a4h2",
        "boards-4x2",
    ])
}

/// Whether some packet would have no way at one of the switches, with any set of its candidates on.
fn leaves_a_packet_without_a_way(config: &Config) -> bool {
    let (wiring, unit, routing) =
        (Wiring::new(config).unwrap(), routing_unit(config).unwrap(), config.routing().unwrap());
    let topology = &**config.topology.as_ref().unwrap();
    let tables = routing.sees.table.then(|| RoutingTables::of(config).unwrap());
    let candidates = routing.counts_on.map(|graph| graph.candidates_of(topology).unwrap());
    let occupancy = vec![0; config.ports];
    (0..wiring.ends.len()).any(|switch| {
        let off: Vec<u64> = match &candidates {
            Some(candidates) => (0..u64::from(u16::MAX)).filter(|off| off & !candidates[switch] == 0).collect(),
            None => vec![0],
        };
        let place = wiring.places[switch];
        let mut arrivals = (0..config.ports).flat_map(|port| (0..config.switch.vcs).map(move |vc| (port, vc)));
        arrivals.any(|(port, vc)| {
            let to = |&destination: &u16, off: u64| {
                let inputs = RoutingInputs {
                    position: place.position,
                    stage: place.stage,
                    destination,
                    header: destination.into(),
                    input_port: port as u8,
                    input_vc: vc as u8,
                    serves: wiring.connected(switch) & !off,
                    occupancy: &occupancy,
                    row: tables.as_ref().map(|tables| tables.row(switch, destination)).unwrap_or_default(),
                    to_node: tables.as_ref().map_or(0, |tables| tables.node_ports(switch)),
                };
                let route = unit.route(&inputs.seen_by(routing.sees));
                let on = |ports: u64, vcs: u64| ports & wiring.connected(switch) & !off != 0 && vcs != 0;
                !on(route.adaptive, route.adaptive_vcs) && !on(route.deterministic, route.deterministic_vcs)
            };
            wiring.addresses.iter().any(|address| off.iter().any(|&off| to(address, off)))
        })
    })
}

#[test]
fn only_routings_that_take_all_have_a_way_for_all() {
    let configs = configs();
    let asked: BTreeSet<&str> = configs.iter().map(|config| config.routing().unwrap().name).collect();
    assert_eq!(asked.len(), routing::ALL.len(), "{asked:?}");
    let mut lacking = BTreeSet::new();
    for config in &configs {
        let routing = config.routing().unwrap();
        if leaves_a_packet_without_a_way(config) {
            assert!(!routing.takes_all, "{}, {}", config.name, routing.name);
            lacking.insert(routing.name);
        }
    }
    // And none is refused for nothing.
    let refused: BTreeSet<&str> = routing::ALL.iter().filter(|one| !one.takes_all).map(|one| one.name).collect();
    assert_eq!(lacking, refused);
}

/// What comes in on one VC for a node goes out on one VC.
#[test]
fn routings_that_keep_order_have_one_way_to_a_node() {
    for config in configs() {
        let (wiring, unit, routing) =
            (Wiring::new(&config).unwrap(), routing_unit(&config).unwrap(), config.routing().unwrap());
        if !routing.keeps_order {
            continue;
        }
        let site = Site::new(&config).unwrap();
        let occupancy = vec![0; config.ports];
        for port in (0..config.ports).filter(|&port| site.ordered[port]) {
            for (input, vc) in (0..config.ports).flat_map(|input| (0..config.switch.vcs).map(move |vc| (input, vc))) {
                let destination = site.addresses[port].unwrap();
                let inputs = RoutingInputs {
                    position: site.position,
                    stage: site.stage,
                    destination,
                    header: destination.into(),
                    input_port: input as u8,
                    input_vc: vc as u8,
                    serves: wiring.connected(site.switch as usize),
                    occupancy: &occupancy,
                    ..RoutingInputs::default()
                };
                let route = unit.route(&inputs.seen_by(routing.sees));
                assert_eq!((route.adaptive, route.deterministic), (0, 1 << port), "{}", config.name);
                assert_eq!(route.deterministic_vcs.count_ones(), 1, "{}", config.name);
            }
        }
    }
}
