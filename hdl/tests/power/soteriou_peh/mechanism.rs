//! The mechanism alone.

use super::{any, mesh, stay, torus};
use crate::power::bench::Bench;
use powar_config::mechanism::soteriou_peh::{MECHANISM, Places};
use powar_config::topology::connectivity::{ALTERNATING, ON_DEMAND, STAIRCASE};
use powar_config::topology::pack_address;
use powar_config::{Config, Phase};
use powar_hdl::registry;

fn mechanism(config: &Config) -> Bench {
    Bench::new(registry::by_name(config, MECHANISM.name).expect("a block"))
}

/// The ports that have been off at some time of so many cycles.
fn off(bench: &mut Bench, ports: usize, cycles: usize) -> u64 {
    let mut off = 0;
    for _ in 0..cycles {
        bench.cycle();
        for port in 0..ports {
            let is_off = bench.see("phase", port) == Phase::Off as u64;
            assert!(!is_off || bench.see("serves", 0) >> port & 1 == 0);
            off |= u64::from(is_off) << port;
        }
    }
    off
}

#[test]
fn it_has_all_signals() {
    let bench = mechanism(&torus("reference"));
    for present in ["position", "wanted", "arriving", "leaving", "fill", "occupancy", "neighbour_phase", "hint_in"] {
        assert!(bench.has(present), "{present}");
    }
}

/// All switches of a mesh and of a torus, each policy.
#[test]
fn without_load_all_candidates_of_the_graph_go_off_and_no_other() {
    for (policy, graph) in [
        ("on-off-staircase", Some(&STAIRCASE)),
        ("on-off-alternating", Some(&ALTERNATING)),
        ("on-off-on-demand", Some(&ON_DEMAND)),
        ("reference", None),
    ] {
        for config in [mesh(policy), torus(policy)] {
            let topology = config.topology.as_ref().expect("a topology");
            let (grid, bases) = (Places::of(&config).expect("a grid").grid, topology.bases(config.ports));
            let nodes = topology.nodes(config.ports) / grid.switches();
            for switch in 0..grid.switches() {
                let mut bench = mechanism(&config);
                bench.set("position", 0, pack_address(&bases, switch * nodes).into());
                let expected = graph.map_or(0, |graph| graph.candidates(&grid, switch));
                // With one link on, an idle time is 64 times as long.
                let cycles = if policy == "on-off-on-demand" { 500 } else { 110 };
                assert_eq!(off(&mut bench, config.ports, cycles), expected, "{}, {policy}, {switch}", config.name);
            }
        }
    }
}

#[test]
fn design_1_keeps_links_on_under_load_and_brings_them_back() {
    let mut bench = mechanism(&torus("on-off-staircase"));
    // All buffers are a fourth full.
    (0..4).for_each(|link| bench.set("fill", link, 10));
    assert_eq!(off(&mut bench, 5, 100), 0, "17.5 %");
    (0..4).for_each(|link| bench.set("fill", link, 0));
    assert_eq!(off(&mut bench, 5, 100), 0b1100);
    assert_eq!(bench.see("serves", 0), 0b10011);
    bench.set("wanted", 0, 0b1000);
    assert_eq!(bench.history("waking", 0, 3), [0b1000, 0, 0], "a packet in front of it");
    bench.set("wanted", 0, 0);
    (0..4).for_each(|link| bench.set("fill", link, 10));
    // The first window has the load of a part of it only.
    bench.cycles(110);
    assert_eq!(bench.see("serves", 0), 0b11111);
}

#[test]
fn design_2_lets_idle_links_off_and_wakes_them_for_packets() {
    let mut bench = mechanism(&mesh("on-off-on-demand"));
    // Inside: x = 1, y = 1.
    bench.set("position", 0, 0b01_01_00);
    // All but port 0 are in use.
    bench.set("held", 0, 0b111_1110);
    assert_eq!(bench.history("phase", 0, 7), [stay(Phase::On, 6), stay(Phase::GoingOff, 1)].concat());
    bench.cycles(20);
    assert_eq!(bench.see("ready", 0), 0b111_1110);
    assert_eq!(bench.see("idle_limit", 0), 4 * 6, "with three on");
    // A packet waits in a buffer and none leaves: twice as long.
    bench.set("fill", 1, 1);
    bench.cycles(45);
    assert_eq!(bench.see("idle_limit", 0), 2 * 4 * 6);
    bench.set("wanted", 0, 1);
    let on = [stay(Phase::Off, 1), stay(Phase::ComingOn, 4), stay(Phase::On, 1)].concat();
    assert_eq!(bench.history("phase", 0, 6), on);
}

#[test]
fn all_ports_of_any_switch_are_links() {
    let mut bench = mechanism(&any());
    assert_eq!(off(&mut bench, 3, 600), 0b111);
}
