//! The check that packets can't block each other for ever: on every network that has a name, on routings that are wrong, and beside a
//! plain form of the same check on routings by chance.

mod by_chance;

use powar_config::Config;
use powar_config::routing::tables::RoutingTables;
use powar_config::routing::{Routing, RoutingSees};
use powar_config::topology::Wiring;
use powar_config::topology::wiring::End;
use powar_golden::deadlock_freedom::{Finding, Flaw, Step, check, check_unit};
use powar_golden::reference::routing::{Route, RoutingInputs, RoutingUnit, routing_unit};
use std::sync::Arc;

fn network(name: &str, vcs: usize) -> Config {
    let mut config = Config::of_network(name).unwrap();
    config.switch.vcs = vcs;
    config
}

fn finding(config: &Config) -> Finding {
    check(config, u64::MAX, &mut |_, _| ()).unwrap()
}

/// The check of a routing unit in place of the configuration's own.
fn with_unit(config: &Config, unit: impl RoutingUnit, sees: RoutingSees) -> Finding {
    let tables = sees.table.then(|| RoutingTables::of(config).unwrap());
    check_unit(config, &Wiring::new(config).unwrap(), &unit, sees, tables.as_deref(), u64::MAX, &mut |_, _| ())
}

#[test]
fn networks_with_a_name_are_free_of_deadlock_and_their_routings_minimal() {
    for (name, vcs) in [
        ("star-4", 1),
        ("star-64", 8),
        ("8-ary-2-tree", 4),
        ("4-ary-4-tree", 1),
        ("2-ary-3-tree", 3),
        ("k4-n3", 4),
        ("k8-n2", 2),
        ("k2-n4", 1),
        ("torus-4x4x4", 2),
        ("torus-4x4x4", 4),
        ("torus-4x4x4-trunk4", 4),
        ("torus-2x3", 3),
        ("torus-9", 2),
        ("torus-5x4", 8),
        ("torus-4x4-trunk4-nodes4", 4),
        ("torus-3x4-nodes2", 2),
        ("mesh-4x4", 1),
        ("mesh-3x4x2-nodes3", 2),
        ("mesh-8x8", 4),
        ("boards-2x1", 1),
        ("boards-3x2", 2),
        ("boards-4x4", 1),
        ("boards-8x8", 4),
    ] {
        let config = network(name, vcs);
        let wiring = Wiring::new(&config).unwrap();
        let nodes = wiring.nodes.len();
        let most = (0..nodes).flat_map(|node| wiring.hops_from(node)).max().unwrap();
        let found = finding(&config);
        assert_eq!(found.flaw, None, "{name}, {vcs} VCs");
        assert_eq!((found.destinations, found.nodes), (nodes, nodes), "{name}");
        assert_eq!(found.most_hops, Some(most), "{name}, {vcs} VCs");
    }
}

/// A way over another group has two links within groups and one between them more than the shortest.
#[test]
fn dragonflies_are_free_of_deadlock() {
    for (name, vcs, most) in
        [("dragonfly-p1a2h1", 3, 4), ("dragonfly-p2a4h2", 4, 4), ("dragonfly-p4a4h1", 3, 4), ("dragonfly-p2a3h2", 8, 4)]
    {
        let mut config = network(name, vcs);
        let nodes = Wiring::new(&config).unwrap().nodes.len();
        for (routing, most) in [("dragonfly-minimal", most), ("dragonfly-ugal", most + 2)] {
            config.route_by(Routing::by_name(routing).unwrap());
            let found = finding(&config);
            assert_eq!((found.flaw, found.destinations), (None, nodes), "{name}, {routing}");
            assert_eq!(found.most_hops, Some(most), "{name}, {routing}");
        }
    }
    // With one VC for all links within groups there is a circle.
    let circle = changed(&network("dragonfly-p2a4h2", 4), |_, route| {
        if route.deterministic_vcs.count_ones() == 1 {
            route.deterministic_vcs = 1;
        }
    });
    assert!(matches!(circle.flaw, Some(Flaw::Deadlock { .. })), "{:?}", circle.flaw);
}

/// What frees boards of deadlock is that a packet crosses one cable between them: if it goes round from board to board there is a circle.
#[test]
fn packets_from_board_to_board_wait_for_each_other() {
    let config = network("boards-4x2", 4);
    let round = changed(&config, |_, route| {
        if route.adaptive != 0 {
            (route.adaptive, route.deterministic) = (0b1111 << 2, 1 << (2 + 3));
        }
    });
    let Some(Flaw::Deadlock { circle, .. }) = &round.flaw else { panic!("{round:?}") };
    is_circle(&config, circle);
}

#[test]
fn a_routing_that_sees_all_is_asked_under_all_it_may_see() {
    for (name, vcs) in [("2-ary-2-tree", 2), ("4-ary-2-tree", 4), ("k4-n2", 3), ("2-ary-3-tree", 1)] {
        let mut config = network(name, vcs);
        config.route_by(Routing::by_name("least-occupied").unwrap());
        let found = finding(&config);
        assert_eq!(found.flaw, None, "{name}");
        let wiring = Wiring::new(&config).unwrap();
        assert_eq!(found.most_hops, (0..wiring.nodes.len()).flat_map(|node| wiring.hops_from(node)).max());
    }
}

/// A network that is routed by one of the routings for when links are off.
fn with_links_off(name: &str, routing: &str, vcs: usize) -> Config {
    let mut config = network(name, vcs);
    config.switch.buffer_flits = 64 * vcs;
    config.route_by(Routing::by_name(routing).unwrap());
    config.check_switch().unwrap();
    config
}

/// Every on/off state of every switch; the most switches that a packet crosses, misroutes and escape included.
#[test]
fn routings_when_links_are_off_are_free_of_deadlock_in_every_state() {
    for (name, routing, vcs, most) in [
        ("mesh-4x4", "staircase-escape", 3, 13),
        ("mesh-4x4-nodes2", "staircase-escape", 4, 13),
        ("mesh-2x5", "staircase-escape", 3, 12),
        ("mesh-8x8", "staircase-escape", 3, 25),
        ("torus-4x4", "staircase-escape", 3, 15),
        ("torus-3x5", "staircase-escape", 3, 16),
        ("torus-8x8", "staircase-escape", 3, 27),
        ("mesh-4x4", "alternating-escape", 3, 17),
        ("mesh-2x5", "alternating-escape", 3, 8),
        ("mesh-7x8", "alternating-escape", 3, 41),
        ("mesh-8x8", "alternating-escape", 3, 43),
        ("torus-4x4", "alternating-escape", 3, 15),
        ("torus-3x5-nodes2", "alternating-escape", 5, 14),
        ("torus-8x8", "alternating-escape", 3, 35),
        ("mesh-4x4", "west-last-east-last", 2, 12),
        ("mesh-4x4-nodes2", "west-last-east-last", 5, 12),
        ("mesh-2x5", "west-last-east-last", 2, 7),
        ("mesh-5x2", "west-last-east-last", 3, 7),
        ("mesh-7x8", "west-last-east-last", 2, 32),
        ("mesh-8x8", "west-last-east-last", 2, 33),
    ] {
        let found = finding(&with_links_off(name, routing, vcs));
        assert_eq!((&found.flaw, found.destinations), (&None, found.nodes), "{name}, {routing}");
        assert_eq!(found.most_hops, Some(most), "{name}, {routing}");
    }
}

#[test]
fn a_packet_can_rely_on_no_port_that_is_off() {
    let config = with_links_off("mesh-4x4", "staircase-escape", 3);
    // The escape over the column where the row is ever-on, and back: in some state it goes nowhere.
    let aside = changed(&config, |inputs, route| {
        let even = (inputs.position ^ inputs.position >> 2) & 1 == 0;
        if even && route.deterministic & 0b11 != 0 && inputs.position & 3 != 0 && inputs.position >> 2 == 1 {
            (route.deterministic, route.adaptive) = (0b0100, 0);
        }
    });
    let Some(Flaw::NoWay { at }) = aside.flaw else { panic!("{aside:?}") };
    assert!(at.off >> 2 & 1 == 1 && at.switch / 4 == 1, "{at}");
    assert!(at.to_string().contains("off)"), "{at}");
    // Adaptive ways alone may all be off: a packet on them has no way out.
    let alone = changed(&config, |_, route| {
        if route.adaptive != 0 {
            (route.deterministic, route.deterministic_vcs) = (0, 0);
        }
    });
    assert!(matches!(alone.flaw, Some(Flaw::Deadlock { .. })), "{alone:?}");
}

#[test]
fn stairs_with_the_two_turns_that_are_left_out_have_a_circle() {
    // Both escape channels in one: what goes up and what goes down turn every way.
    let config = with_links_off("mesh-4x4", "staircase-escape", 3);
    let one = changed(&config, |inputs, route| {
        if route.deterministic & 0b1111 != 0 {
            route.deterministic_vcs = 0b100;
        }
        if inputs.input_port < 4 && inputs.input_vc == 2 {
            route.adaptive = 0;
        }
    });
    let Some(Flaw::Deadlock { circle, .. }) = &one.flaw else { panic!("{one:?}") };
    is_circle(&config, circle);
    // Both turns of a mesh's streets in one channel, too.
    let config = with_links_off("mesh-5x5", "alternating-escape", 3);
    let one = changed(&config, |_, route| {
        if route.deterministic & 0b1111 != 0 {
            route.deterministic_vcs = 0b100;
        }
    });
    assert!(matches!(one.flaw, Some(Flaw::Deadlock { .. })), "{one:?}");
}

#[test]
fn packets_that_may_be_misrouted_twice_go_in_circles() {
    let config = with_links_off("mesh-4x4", "staircase-escape", 3);
    let twice = changed(&config, |inputs, route| {
        if route.adaptive == 0 && route.adaptive_vcs != 0 {
            let [x, y] = [inputs.position & 3, inputs.position >> 2];
            let cables = u64::from(x < 3) | u64::from(x > 0) << 1 | u64::from(y < 3) << 2 | u64::from(y > 0) << 3;
            route.adaptive = cables & inputs.serves & !(1 << inputs.input_port);
        }
    });
    assert_eq!((twice.flaw, twice.most_hops), (None, None));
}

#[test]
fn of_large_networks_some_destinations_are_looked_at() {
    let mut config = network("torus-8x8x8", 4);
    config.route_by(&powar_config::routing::torus::ROUTING);
    let found = check(&config, 1 << 14, &mut |_, _| ()).unwrap();
    assert_eq!((found.destinations, found.nodes, found.flaw), (32, 512, None));
    let mut told = vec![];
    check(&network("star-4", 1), u64::MAX, &mut |done, of| told.push((done, of))).unwrap();
    assert_eq!(told, [(1, 4), (2, 4), (3, 4), (4, 4)]);
}

#[test]
fn tables_are_free_of_deadlock_in_every_kind_of_network_and_a_planted_circle_is_found() {
    let routed_by_table = |name, vcs| {
        let mut config = network(name, vcs);
        config.route_by(&powar_config::routing::table::ROUTING);
        config
    };
    for name in
        ["star-4", "4-ary-2-tree", "k4-n3", "mesh-4x3-nodes2", "torus-5x3-trunk2", "dragonfly-p2a4h2", "boards-4x2"]
    {
        for vcs in [1, 2, 4] {
            let found = finding(&routed_by_table(name, vcs));
            assert_eq!(found.flaw, None, "{name}, {vcs} VCs");
        }
    }
    // Both VCs for shortest ways only, as it would be without an escape.
    let config = routed_by_table("torus-5x3-trunk2", 2);
    let found = changed(&config, |_, route| {
        if route.deterministic_vcs == 0b10 {
            (route.deterministic, route.deterministic_vcs, route.adaptive_vcs) = (0, 0, 0b11);
        }
    });
    let Some(Flaw::Deadlock { circle, .. }) = &found.flaw else { panic!("{:?}", found.flaw) };
    is_circle(&config, circle);
}

const FILES: [&str; 2] = ["file:tests/networks/ring.edges", "file:../experiments/networks/random-40.edges"];

#[test]
fn networks_from_files_are_free_of_deadlock() {
    for name in FILES {
        for vcs in [1, 2, 4] {
            let config = network(name, vcs);
            let wiring = Wiring::new(&config).unwrap();
            let found = finding(&config);
            assert_eq!((found.flaw, found.destinations), (None, wiring.nodes.len()), "{name}, {vcs} VCs");
            let shortest = (0..wiring.nodes.len()).flat_map(|node| wiring.hops_from(node)).max();
            // Packets may come back from the escape, and go a longer way then.
            assert!(
                found.most_hops.is_none() || found.most_hops >= shortest,
                "{name}, {vcs} VCs: {:?}",
                found.most_hops
            );
        }
    }
}

/// An escape that takes shortest ways instead goes up after it has gone down.
#[test]
fn an_escape_that_goes_up_after_down_is_found() {
    let name = FILES[1];
    let shortest_ways = RoutingTables::of(&network(name, 2)).unwrap();
    for vcs in [1, 3] {
        let (config, tables) = (network(name, vcs), shortest_ways.clone());
        let up_and_down = move |inputs: &RoutingInputs, route: &mut Route| {
            let shortest = tables.row(inputs.position.into(), inputs.destination).adaptive;
            if route.deterministic_vcs.count_ones() == 1 && shortest != 0 {
                route.deterministic = shortest & shortest.wrapping_neg();
            }
        };
        let found = changed(&config, up_and_down);
        let Some(Flaw::Deadlock { circle, .. }) = &found.flaw else { panic!("{vcs} VCs: {:?}", found.flaw) };
        is_circle(&config, circle);
    }
}

/// What a fault makes of the routes of a network's own unit.
struct Changed<F> {
    own: Arc<dyn RoutingUnit>,
    change: F,
}

impl<F> std::fmt::Debug for Changed<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}, changed", self.own)
    }
}

impl<F: Fn(&RoutingInputs, &mut Route) + Send + Sync> RoutingUnit for Changed<F> {
    fn name(&self) -> &'static str {
        "changed"
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        let mut route = self.own.route(inputs);
        (self.change)(inputs, &mut route);
        route
    }
}

fn changed(config: &Config, change: impl Fn(&RoutingInputs, &mut Route) + Send + Sync + 'static) -> Finding {
    with_unit(config, Changed { own: routing_unit(config).unwrap(), change }, config.routing_sees())
}

/// Both escape channels of a torus in one: without the dateline.
fn without_dateline(vcs: usize) -> impl Fn(&RoutingInputs, &mut Route) + Send + Sync {
    move |_, route| {
        if route.deterministic_vcs.count_ones() == 1 {
            route.deterministic_vcs = 1 << (vcs - 1);
        }
    }
}

/// That each packet of a circle stands in front of the channel of the next.
fn is_circle(config: &Config, circle: &[Step]) {
    let wiring = Wiring::new(config).unwrap();
    for (i, step) in circle.iter().enumerate() {
        let next = circle[(i + 1) % circle.len()];
        let before = wiring.ends[next.switch as usize][usize::from(next.port)];
        assert!(matches!(before, End::Switch { switch, .. } if switch == step.switch), "{step} before {next}");
        assert_ne!(wiring.nodes[step.destination as usize][0].0, step.switch, "{step} is where it should be");
    }
}

#[test]
fn a_torus_without_its_dateline_is_told_with_a_circle_round_a_ring() {
    for (name, vcs, ring) in [("torus-4", 2, 4), ("torus-4x4", 2, 4), ("torus-6x3", 2, 6), ("torus-5x5x5", 2, 5)] {
        let config = network(name, vcs);
        let found = changed(&config, without_dateline(vcs));
        let Some(Flaw::Deadlock { circle, .. }) = found.flaw.clone() else { panic!("{name}: {found:?}") };
        assert_eq!(circle.len(), ring, "{name}: {}", found.flaw.unwrap());
        is_circle(&config, &circle);
    }
    // In a ring of three no packet goes on in it.
    assert_eq!(changed(&network("torus-3x3", 2), without_dateline(2)).flaw, None);
}

#[test]
fn an_escape_that_is_asked_for_on_the_wrong_channels_is_none() {
    // Adaptive packets on the escape channels, too: whoever is on them may then wait for an adaptive one only.
    let config = network("torus-4x4", 4);
    let everywhere = |_: &RoutingInputs, route: &mut Route| {
        if route.adaptive != 0 {
            route.adaptive_vcs = 0xf;
            (route.deterministic, route.deterministic_vcs) = (0, 0);
        }
    };
    let found = changed(&config, everywhere);
    let Some(Flaw::Deadlock { circle, .. }) = &found.flaw else { panic!("{found:?}") };
    is_circle(&config, circle);
    // But with a way out on each, it does no harm that they use all: Duato's escape.
    let used = |_: &RoutingInputs, route: &mut Route| {
        if route.adaptive != 0 {
            route.adaptive_vcs = 0x7;
        }
    };
    let found = changed(&network("torus-4x4", 4), used);
    assert!(found.flaw.is_some(), "a packet on escape VC 2 that came adaptively stands in the way of class 0");
}

#[test]
fn other_flaws_are_named_with_their_packet() {
    let tree = network("4-ary-2-tree", 2);
    let said =
        |config: &Config, change: fn(&RoutingInputs, &mut Route)| changed(config, change).flaw.unwrap().to_string();
    let text = said(&tree, |inputs, route| {
        if inputs.destination == 5 {
            *route = Route::default();
        }
    });
    assert!(
        text.ends_with("has a destination that the routing unit does not know") && text.contains("node 5"),
        "{text}"
    );
    let text = said(&tree, |inputs, route| {
        if inputs.stage == 1 {
            route.deterministic_vcs = 0;
        }
    });
    assert!(text.ends_with("may go nowhere"), "{text}");
    let text = said(&tree, |inputs, route| {
        if inputs.stage == 1 {
            route.deterministic <<= 4;
        }
    });
    assert!(text.contains("which has no cable"), "{text}");
    let text = said(&tree, |inputs, route| {
        if inputs.stage == 0 && route.deterministic != 0 {
            route.deterministic = 1;
        }
    });
    assert!(text.ends_with("may go to output port 0, where node 0 is"), "{text}");
}

#[test]
fn what_only_some_conditions_leave_a_packet_is_no_way_out() {
    // Up only over ports that serve: none may.
    let mut config = network("2-ary-2-tree", 1);
    config.route_by(Routing::by_name("least-occupied").unwrap());
    let found = changed(&config, |inputs, route| {
        if inputs.stage == 0 && route.adaptive != 0 {
            route.adaptive &= inputs.serves;
            route.deterministic = 0;
        }
    });
    assert!(matches!(found.flaw, Some(Flaw::NoWay { .. })), "{found:?}");
}

/// Who has not come in yet may have to wait for room; who has may not, nor may anybody wait for room that does not come.
#[test]
fn packets_from_nodes_alone_may_wait_for_room() {
    let mut config = network("2-ary-2-tree", 1);
    config.route_by(Routing::by_name("least-occupied").unwrap());
    let kept_out = |inputs: &RoutingInputs, route: &mut Route| {
        let from_node = inputs.stage == 0 && inputs.input_port < 2;
        if from_node && inputs.occupancy.iter().any(|&flits| flits > 8) {
            (route.adaptive, route.deterministic) = (0, 0);
        }
    };
    assert_eq!(changed(&config, kept_out).flaw, None);
    let kept_in = |inputs: &RoutingInputs, route: &mut Route| {
        if inputs.stage == 1 && inputs.occupancy.iter().any(|&flits| flits > 8) {
            (route.adaptive, route.deterministic) = (0, 0);
        }
    };
    let found = changed(&config, kept_in);
    assert!(matches!(found.flaw, Some(Flaw::NoWay { .. })), "{found:?}");
    let for_ever = |inputs: &RoutingInputs, route: &mut Route| {
        if inputs.stage == 0 && inputs.input_port < 2 {
            (route.adaptive, route.deterministic) = (0, 0);
        }
    };
    let found = changed(&config, for_ever);
    assert!(matches!(found.flaw, Some(Flaw::NoWay { .. })), "{found:?}");
}

#[test]
fn ways_in_circles_have_no_most_hops() {
    // Once round the ring in any case.
    let config = network("torus-4", 4);
    let found = changed(&config, |_, route| {
        if route.adaptive != 0 {
            (route.adaptive, route.adaptive_vcs) = (0b11, 0b11);
        }
    });
    assert_eq!((found.most_hops, found.flaw), (None, None));
}
