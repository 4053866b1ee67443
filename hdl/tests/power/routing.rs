//! What a routing sees reaches it: a unit alone, and the units of a switch.

use crate::power::bench::Bench;
use crate::power::lint::lint;
use powar_config::mechanism::{self, Chosen};
use powar_config::routing::least_occupied;
use powar_config::topology::{FatTree, Torus};
use powar_config::{Config, Group, Routing, SwitchConfig, presets};
use powar_hdl::registry;

/// Two ports down and two up, three virtual channels, folded roots.
fn config() -> Config {
    let topology = FatTree { k: 2, n: 3, folded: true };
    let preset = presets::by_name("fat-tree-2").expect("a preset");
    let config = Config {
        routing: Some(&least_occupied::ROUTING),
        deterministic: least_occupied::ROUTING.deterministic,
        switch: SwitchConfig {
            vcs: 3,
            buffer_flits: 72,
            max_packet_flits: 8,
            flit_bits: 32,
            ..SwitchConfig::default()
        },
        topology: Some(Box::new(topology)),
        ..preset
    };
    config.check_switch().expect("a switch");
    config
}

fn block(config: &Config, name: &str) -> Bench {
    Bench::new(registry::by_name(config, name).expect("a block"))
}

/// P, D and their virtual channels for a packet that came in at port 0 on virtual channel 2.
fn sets(
    bench: &mut Bench,
    [stage, destination]: [u64; 2],
    ordered: bool,
    serves: u64,
    occupancy: [u64; 4],
) -> [u64; 4] {
    bench.set("stage", 0, stage);
    bench.set("destination", 0, destination);
    bench.set("header", 0, u64::from(ordered) << 26 | 3 << 16 | destination);
    bench.set("input_vc", 0, 2);
    bench.set("serves", 0, serves);
    for (port, flits) in occupancy.into_iter().enumerate() {
        bench.set("occupancy", port, flits);
    }
    bench.cycle();
    ["adaptive", "deterministic", "adaptive_vcs", "deterministic_vcs"].map(|signal| bench.see(signal, 0))
}

#[test]
fn packets_go_up_where_the_next_buffer_is_emptiest() {
    let mut bench = block(&config(), "least_occupied_routing");
    // Port 0 is the emptiest of all, but it does not lead there.
    assert_eq!(sets(&mut bench, [0, 0b110], false, 0b1111, [0, 9, 5, 4]), [0b1000, 0b0100, 0b100, 0b100]);
    assert_eq!(sets(&mut bench, [0, 0b110], false, 0b1111, [0, 9, 4, 5]), [0b0100, 0b1000, 0b100, 0b100]);
    assert_eq!(sets(&mut bench, [0, 0b110], false, 0b1111, [0, 9, 4, 4]), [0b1100, 0, 0b100, 0b100]);
    assert_eq!(
        sets(&mut bench, [0, 0b110], false, 0b0100, [0, 9, 5, 4]),
        [0b0100, 0b1000, 0b100, 0b100],
        "port 3 does not serve"
    );
    assert_eq!(
        sets(&mut bench, [0, 0b110], false, 0b0011, [0, 9, 5, 4]),
        [0b1000, 0b0100, 0b100, 0b100],
        "no port up serves"
    );
    bench.set("input_port", 0, 3);
    assert_eq!(
        sets(&mut bench, [0, 0b110], false, 0b1111, [0, 9, 5, 4]),
        [0b0100, 0, 0b100, 0b100],
        "it came from port 3"
    );
    assert_eq!(
        sets(&mut bench, [0, 0b110], false, 0b1000, [0, 9, 5, 4]),
        [0b1000, 0b0100, 0b100, 0b100],
        "no other serves"
    );
}

#[test]
fn packets_in_order_have_one_way() {
    let mut bench = block(&config(), "least_occupied_routing");
    assert_eq!(sets(&mut bench, [0, 0b110], true, 0b1111, [0, 9, 5, 4]), [0, 0b0100, 0, 0b100]);
    assert_eq!(sets(&mut bench, [0, 0b111], true, 0, [0, 9, 4, 5]), [0, 0b1000, 0, 0b100]);
    // A folded root: both ports of a subtree, or its first.
    assert_eq!(sets(&mut bench, [2, 0b110], false, 0b1111, [0, 9, 5, 4]), [0b1000, 0b0010, 0b100, 0b100]);
    assert_eq!(sets(&mut bench, [2, 0b110], true, 0b1111, [0, 9, 5, 4]), [0, 0b0010, 0, 0b100]);
    // Down there is no choice.
    for ordered in [false, true] {
        assert_eq!(sets(&mut bench, [0, 0b001], ordered, 0b1111, [0, 9, 5, 4]), [0, 0b0010, 0, 0b100]);
        assert_eq!(sets(&mut bench, [0, 0b1000], ordered, 0b1111, [0, 9, 5, 4]), [0; 4], "there is no such node");
    }
}

#[test]
fn a_destination_has_the_vc_of_its_remainder() {
    for vcs in 1..=8 {
        let switch =
            SwitchConfig { vcs, buffer_flits: 24 * vcs, max_packet_flits: 8, flit_bits: 32, ..SwitchConfig::default() };
        let star = Config { ports: 64, switch, ..presets::by_name("star-16").expect("a preset") };
        let mut bench = block(&star, "star_routing");
        for destination in 0..64 {
            bench.set("destination", 0, destination);
            bench.cycle();
            let channel = 1 << (destination % vcs as u64);
            assert_eq!(bench.see("deterministic_vcs", 0), channel, "{destination} of {vcs} virtual channels");
        }
    }
}

/// Packets of three flits from port 0, one in order, to a node above: the second sees what the first has left in the next buffer.
#[test]
fn header_and_occupancy_reach_the_units_of_a_switch() {
    let mut bench = block(&config(), "powar_switch");
    let mut seen = vec![];
    let mut packet = |bench: &mut Bench, header: u64| {
        for flit in 0..12 {
            bench.set("in_valid", 0, u64::from(flit < 3));
            bench.set("in_head", 0, u64::from(flit == 0));
            bench.set("in_vc", 0, 1);
            bench.set("in_flit", 0, if flit == 0 { header | 3 << 16 } else { 0 });
            bench.cycle();
            let (valid, head) = (bench.see("out_valid", 0), bench.see("out_head", 0));
            if head & valid != 0 {
                let port = valid.trailing_zeros() as usize;
                seen.push((port, bench.see("out_vc", port), bench.see("out_flit", port)));
            }
        }
    };
    packet(&mut bench, 0b110);
    packet(&mut bench, 0b110);
    packet(&mut bench, 0x2F << 26 | 0b111);
    packet(&mut bench, 0x2E << 26 | 0b111);
    let header = |user: u64, destination: u64| user << 26 | 3 << 16 | destination;
    let (first, second) = (seen[0].0, seen[1].0);
    assert_eq!(
        [first.min(second), first.max(second)],
        [2, 3],
        "the second packet goes where the first did not: {seen:?}"
    );
    assert_eq!(seen[2], (3, 1, header(0x2F, 0b111)), "in order: k + destination[0]");
    assert_eq!(seen[3], (2, 1, header(0x2E, 0b111)), "port 3 holds six flits, port 2 three");
}

#[test]
fn verilog_of_any_number_of_vcs_has_no_warning() {
    let star = presets::by_name("star-16").expect("a preset");
    let star = Config { ports: 5, ..star };
    let tree = Config { routing: None, ..config() };
    let torus = presets::by_name("torus-28").expect("a preset");
    let small = Torus { dimensions: vec![3, 3], trunk: 1, nodes: 1 };
    let groups = (0..5).map(|first| Group { first, size: 1 }).collect();
    let torus = Config { ports: 5, groups, topology: Some(Box::new(small)), ..torus };
    for (number, (config, vcs)) in
        [(&tree, 1), (&tree, 3), (&star, 5), (&star, 6), (&star, 7), (&torus, 3)].into_iter().enumerate()
    {
        let switch =
            SwitchConfig { vcs, buffer_flits: 24 * vcs, max_packet_flits: 8, flit_bits: 32, ..SwitchConfig::default() };
        let config = Config { switch, ..config.clone() };
        let block = registry::by_name(&config, "powar_switch").expect("a switch");
        lint(&format!("any_vcs_{number}"), "powar_switch", block);
    }
}

#[test]
fn verilog_of_a_routing_that_sees_everything_has_no_warning() {
    for mechanism in mechanism::ALL {
        let config = Config { mechanism: Chosen(mechanism.defaults()), ..config() };
        // One that is for other networks.
        if config.check().is_err() {
            continue;
        }
        let block = registry::by_name(&config, "powar_switch").expect("a switch");
        lint(&format!("least_occupied_{}", mechanism.name), "powar_switch", block);
    }
    lint(
        "least_occupied",
        "least_occupied_routing",
        registry::by_name(&config(), "least_occupied_routing").expect("a block"),
    );
}

/// Switches of 5 or 6 ports with a routing for when links are off.
fn with_links_off(name: &str, routing: &str, vcs: usize) -> Config {
    let mut config = Config::of_network(name).expect("a network");
    config.route_by(Routing::by_name(routing).expect("a routing"));
    config.switch =
        SwitchConfig { vcs, buffer_flits: 24 * vcs, max_packet_flits: 8, flit_bits: 32, ..SwitchConfig::default() };
    config.check_switch().expect("a switch");
    config
}

#[test]
fn ways_are_those_that_serve_and_the_escape_is_there_whatever_does() {
    // From (1, 1) to (3, 2), in a mesh of 4 x 4 with one digit of two bits each.
    let mut bench = block(&with_links_off("mesh-4x4", "staircase-escape", 4), "staircase_escape_routing");
    let mut sets = |input_port: u64, input_vc: u64, serves: u64| {
        for (input, value) in [("position", 0b0101), ("destination", 0b1011)] {
            bench.set(input, 0, value);
        }
        for (input, value) in [("input_port", input_port), ("input_vc", input_vc), ("serves", serves)] {
            bench.set(input, 0, value);
        }
        bench.cycle();
        ["adaptive", "deterministic", "adaptive_vcs", "deterministic_vcs"].map(|signal| bench.see(signal, 0))
    };
    assert_eq!(sets(4, 3, 0b11111), [0b0101, 0b0001, 0b0011, 0b0100]);
    assert_eq!(sets(4, 3, 0b11110), [0b0100, 0b0001, 0b0011, 0b0100]);
    assert_eq!(sets(4, 3, 0b11010), [0b1010, 0b0001, 0b0011, 0b0100], "aside");
    assert_eq!(sets(0, 1, 0b11010), [0, 0b0001, 0b0011, 0b0100], "it has been led aside already");
    assert_eq!(sets(1, 3, 0b11111), [0, 0b0001, 0, 0b1000], "on the escape");
}

#[test]
fn verilog_of_routings_when_links_are_off_has_no_warning() {
    for (number, (name, routing, vcs)) in [
        ("mesh-4x4", "staircase-escape", 3),
        ("torus-5x3-nodes2", "staircase-escape", 8),
        ("mesh-3x8-nodes3", "alternating-escape", 4),
        ("torus-8x8", "alternating-escape", 3),
        ("mesh-8x8", "west-last-east-last", 2),
        ("mesh-2x5-nodes2", "west-last-east-last", 3),
        ("mesh-7x2", "west-last-east-last", 8),
        ("torus-9x2-nodes2", "torus-limited", 2),
    ]
    .into_iter()
    .enumerate()
    {
        let config = with_links_off(name, routing, vcs);
        let module = format!("{}_routing", routing.replace('-', "_"));
        let block = registry::by_name(&config, &module).expect("a unit");
        lint(&format!("links_off_{number}"), &module, block);
    }
    let config = with_links_off("torus-4x4", "staircase-escape", 3);
    lint("links_off", "powar_switch", registry::by_name(&config, "powar_switch").expect("a switch"));
}
