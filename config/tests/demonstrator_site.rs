//! What stands for what is behind the ports of a demonstrator's switch, and which switches there is no demonstrator of.

use powar_config::registers::demonstrator::{self, Site};
use powar_config::topology::wiring::{End, Wiring};
use powar_config::{Chosen, Config, Routing, SwitchConfig, mechanism, presets};
use std::collections::BTreeSet;

fn site(network: &str) -> Site {
    Site::new(&Config::of_network(network).unwrap()).unwrap()
}

#[test]
fn a_star_is_plain_and_nothing_else_is() {
    let star = site("star-5");
    assert!(star.is_plain());
    assert_eq!((star.switch, star.position, star.stage), (0, 0, 0));
    for network in ["4-ary-2-tree", "k4-n2", "mesh-3x3", "torus-3x3", "dragonfly-p2a4h2", "boards-4x2"] {
        assert!(!site(network).is_plain(), "{network}");
    }
    // Nodes have more than one VC by the table.
    let mut by_table = Config::of_network("star-5").unwrap();
    by_table.route_by(Routing::by_name("table").unwrap());
    assert!(!Site::new(&by_table).unwrap().is_plain());
    by_table.switch = SwitchConfig { vcs: 1, ..by_table.switch };
    assert!(Site::new(&by_table).unwrap().is_plain());
}

#[test]
fn packets_up_a_tree_may_come_out_at_any_up_port() {
    let leaf = site("4-ary-2-tree");
    assert_eq!((leaf.switch, leaf.stage), (0, 0));
    assert_eq!(leaf.exits, [0, 1, 2, 3, 4, 4, 4, 4]);
    assert_eq!(leaf.ordered, [true, true, true, true, false, false, false, false]);
    let addresses: Vec<u16> = leaf.addresses.iter().flatten().copied().collect();
    assert_eq!(addresses[..4], [0, 1, 2, 3]);
    // Nodes of other leaves, a different one for each port.
    assert!(addresses[4..].iter().all(|&address| (4..16).contains(&address)), "{addresses:?}");
    assert_eq!(addresses.iter().collect::<BTreeSet<_>>().len(), 8);
}

#[test]
fn ports_that_lead_nowhere_have_no_address() {
    // All switches are corners, with one cable in each dimension and a node.
    let corner = site("mesh-2x2");
    assert_eq!(corner.addresses.iter().filter(|address| address.is_none()).count(), 2);
    // A switch in the middle has cables all round.
    let middle = site("mesh-3x3");
    assert_eq!((middle.switch, middle.addresses.contains(&None)), (4, false));
}

#[test]
fn an_address_is_that_of_a_node_behind_its_port() {
    for network in ["2-ary-3-tree", "k4-n2", "mesh-3x4-nodes2", "torus-5x3-trunk2", "dragonfly-p2a4h2", "boards-4x2"] {
        let config = Config::of_network(network).unwrap();
        let (site, wiring) = (Site::new(&config).unwrap(), Wiring::new(&config).unwrap());
        let switch = site.switch as usize;
        for (port, end) in wiring.ends[switch].iter().enumerate() {
            let node = site.addresses[port]
                .map(|address| wiring.addresses.iter().position(|&its| its == address).expect("a node's address"));
            match *end {
                End::Node { node: here, .. } => assert_eq!(node, Some(here as usize), "{network}, port {port}"),
                End::Switch { .. } => {
                    let elsewhere = &wiring.nodes[node.expect("there are nodes everywhere")];
                    assert!(elsewhere.iter().all(|&(its, _)| its != site.switch), "{network}, port {port}");
                    assert!(!site.ordered[port], "{network}, port {port}");
                }
                End::Open => assert_eq!(node, None, "{network}, port {port}"),
            }
            // Exits are at the same kind of end.
            let exit = usize::from(site.exits[port]);
            let same = std::mem::discriminant(&wiring.ends[switch][exit]) == std::mem::discriminant(end);
            assert!(exit <= port && same, "{network}, port {port}");
        }
    }
}

#[test]
fn of_a_node_with_several_links_the_first_stands_for_all() {
    let trunks = site("torus-5x3-trunk2");
    let ports = trunks.exits.len();
    assert_eq!(trunks.exits[ports - 2..], [ports as u8 - 2; 2]);
    assert_eq!(trunks.addresses[ports - 2], trunks.addresses[ports - 1]);
    assert!(trunks.ordered.iter().all(|ordered| !ordered));
}

#[test]
fn there_is_a_demonstrator_of_every_switch_but_a_few() {
    let refusal = |config: &Config| demonstrator::check(config).unwrap_err().to_string();
    for preset in presets::ALL.iter().map(|preset| preset.config()) {
        if preset.ports <= demonstrator::MOST_NODES {
            demonstrator::check(&preset).unwrap_or_else(|error| panic!("{}: {error}", preset.name));
        } else {
            assert_eq!(refusal(&preset), "ports: 64 is out of range 2..=60 for a demonstrator");
        }
    }
    let mut streets = Config::of_network("mesh-4x4").unwrap();
    streets.switch = SwitchConfig { vcs: 3, buffer_flits: 192, ..streets.switch };
    streets.route_by(Routing::by_name("west-last-east-last").unwrap());
    assert!(refusal(&streets).starts_with("routing: west-last-east-last is not for a demonstrator"));
    let ring = mechanism::ALL.into_iter().find(|mechanism| mechanism.sees.ring.is_some()).unwrap();
    let boards = Config { mechanism: Chosen(ring.defaults()), ..Config::of_network("boards-4x2").unwrap() };
    assert!(refusal(&boards).starts_with("mechanism.kind: e_rapid is not for a demonstrator"), "{}", refusal(&boards));
}
