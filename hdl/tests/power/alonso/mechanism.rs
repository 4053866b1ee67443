//! The mechanism alone.

use super::{stay, torus, tree};
use crate::power::bench::Bench;
use powar_config::mechanism::Chosen;
use powar_config::mechanism::alonso::{AlonsoParameters, MECHANISM};
use powar_config::registers::mechanism_address;
use powar_config::{Config, Phase};
use powar_hdl::registry;

fn alonso(config: &Config) -> Bench {
    Bench::new(registry::by_name(config, MECHANISM.name).expect("a block"))
}

/// A switch of the tree at this stage and position, whose neighbours are in these phases.
fn at(stage: u64, position: u64, neighbours: [Phase; 4]) -> Bench {
    let mut bench = alonso(&tree());
    bench.set("stage", 0, stage);
    bench.set("position", 0, position);
    neighbours.into_iter().enumerate().for_each(|(port, phase)| near(&mut bench, port, phase));
    bench
}

fn near(bench: &mut Bench, port: usize, phase: Phase) {
    bench.set("neighbour_phase", port, phase as u64);
}

/// One more cycle, and the ports whose links are to be on in it.
fn next(bench: &mut Bench) -> u64 {
    bench.cycle();
    bench.see("serves", 0)
}

/// A switch of stage 1 outside the Minimal Tree, with neighbours and links that are off.
fn quiet() -> Bench {
    let mut bench = at(1, 0b010, [Phase::Off; 4]);
    assert_eq!(next(&mut bench), 0b1111);
    assert_eq!(next(&mut bench), 0);
    bench.cycles(8);
    assert_eq!((0..4).map(|port| bench.see("phase", port)).collect::<Vec<_>>(), stay(Phase::Off, 4));
    assert_eq!((bench.see("ready", 0), bench.see("grantable", 0)), (0, 0));
    bench
}

#[test]
fn it_has_the_signals_it_sees_only() {
    let bench = alonso(&tree());
    for present in ["position", "stage", "wanted", "neighbour_phase", "hint_in", "held", "given", "departing"] {
        assert!(bench.has(present), "{present}");
    }
    for absent in ["arriving", "leaving", "fill", "occupancy"] {
        assert!(!bench.has(absent), "{absent}");
    }
}

#[test]
fn a_leaf_switch_without_load_keeps_its_links_of_the_minimal_tree() {
    let mut bench = at(0, 0b110, [Phase::On; 4]);
    let off = [stay(Phase::On, 21), stay(Phase::Draining, 2), stay(Phase::GoingOff, 4), stay(Phase::Off, 3)].concat();
    assert_eq!(bench.history("phase", 3, 30), off);
    let seen = ["serves", "grantable", "ready", "steady"].map(|signal| bench.see(signal, 0));
    assert_eq!((seen, bench.see("preferred", 0)), ([0b0111; 4], 0b1111));
    bench.cycles(60);
    assert_eq!(bench.see("ready", 0), 0b0111);
    // A message waits at node 1.
    bench.set("hint_in", 0, 0b0010);
    assert_eq!(bench.history("waking", 0, 3), [0, 0b1000, 0]);
    assert_eq!(bench.history("phase", 3, 6), [stay(Phase::ComingOn, 5), stay(Phase::On, 1)].concat());
    bench.cycles(60);
    assert_eq!(bench.see("grantable", 0), 0b1111, "it still waits");
}

#[test]
fn hints_of_other_switches_are_none() {
    let mut bench = at(1, 0b100, [Phase::On; 4]);
    bench.set("hint_in", 0, 0b1111);
    bench.cycles(30);
    assert_eq!(bench.see("serves", 0), 0b0111, "it is in the Minimal Tree, since digit 2 is above its stage");
}

#[test]
fn load_brings_links_back() {
    let mut bench = at(0, 0, [Phase::On; 4]);
    bench.cycles(40);
    assert_eq!(bench.see("serves", 0), 0b0111);
    // 20 flits a period on the one up-link, more than the 10 of U_on.
    bench.set("departing", 0, 0b0100);
    bench.cycles(41);
    assert_eq!(bench.see("serves", 0), 0b1111);
}

#[test]
fn a_packet_finishes_on_a_link_that_is_to_go_off() {
    let mut bench = at(0, 0, [Phase::On; 4]);
    bench.cycles(20);
    // Given in the cycle in which it is no longer grantable.
    bench.set("given", 0, 0b1000);
    assert_eq!(next(&mut bench), 0b0111);
    bench.set("given", 0, 0);
    bench.set("held", 0, 0b1000);
    assert_eq!(bench.history("phase", 3, 9), stay(Phase::Draining, 9));
    let seen = ["ready", "steady", "grantable"].map(|signal| bench.see(signal, 0));
    assert_eq!(seen, [0b1111, 0b1111, 0b0111]);
    bench.set("held", 0, 0);
    bench.set("departing", 0, 0b1000);
    assert_eq!(bench.history("phase", 3, 2), stay(Phase::Draining, 2));
    bench.set("departing", 0, 0);
    assert_eq!(bench.history("phase", 3, 2), [stay(Phase::Draining, 1), stay(Phase::GoingOff, 1)].concat());
}

#[test]
fn outside_the_tree_up_links_follow_those_from_below() {
    let mut bench = quiet();
    near(&mut bench, 1, Phase::ComingOn);
    assert_eq!(next(&mut bench), 0);
    assert_eq!(next(&mut bench), 0b1011, "up-link 1 with down-link 1, and all down-links");
    assert_eq!(bench.see("waking", 0), 0b1011);
    near(&mut bench, 1, Phase::On);
    bench.cycles(70);
    assert_eq!((bench.see("serves", 0), bench.see("ready", 0)), (0b1011, 0b1011), "it is kept, whatever the load");
    near(&mut bench, 1, Phase::Draining);
    assert_eq!(next(&mut bench), 0b1011);
    assert_eq!(next(&mut bench), 0b0011, "the neighbour has not gone off yet");
    near(&mut bench, 1, Phase::Off);
    bench.cycle();
    assert_eq!(next(&mut bench), 0);
}

#[test]
fn outside_the_tree_one_more_link_goes_with_the_load_but_the_last_stays() {
    let mut bench = at(1, 0b010, [Phase::On, Phase::On, Phase::Off, Phase::Off]);
    bench.cycles(30);
    assert_eq!(bench.see("serves", 0), 0b0111);
    near(&mut bench, 0, Phase::Draining);
    bench.cycle();
    assert_eq!(next(&mut bench), 0b0111, "link 0 is the last");
    near(&mut bench, 1, Phase::Draining);
    bench.cycles(50);
    assert_eq!(bench.see("serves", 0), 0b0011, "nobody needs it");
}

#[test]
fn packets_turn_links_on() {
    let mut bench = quiet();
    bench.set("wanted", 0, 0b1000);
    bench.cycle();
    assert_eq!(next(&mut bench), 0b0100, "any up-link will do");
    bench.cycles(60);
    assert_eq!((bench.see("serves", 0), bench.see("grantable", 0)), (0b0100, 0b0100), "as long as it waits");
    bench.set("wanted", 0, 0);
    bench.cycles(50);
    assert_eq!(bench.see("serves", 0), 0);
    bench.set("wanted", 0, 0b0001);
    bench.cycle();
    assert_eq!(next(&mut bench), 0b0011);
    bench.set("wanted", 0, 0);
    bench.cycle();
    assert_eq!(next(&mut bench), 0);
}

#[test]
fn a_link_from_above_turns_one_up_link_on() {
    let mut bench = quiet();
    near(&mut bench, 3, Phase::ComingOn);
    bench.cycle();
    assert_eq!(next(&mut bench), 0b0111);
    bench.cycles(50);
    assert_eq!(bench.see("serves", 0), 0b0011, "no packet came from below");
}

#[test]
fn the_up_ports_of_a_root_say_nothing() {
    let mut bench = at(2, 0b100, [Phase::Off, Phase::Off, Phase::On, Phase::On]);
    bench.cycle();
    assert_eq!(next(&mut bench), 0);
    near(&mut bench, 0, Phase::On);
    bench.cycle();
    assert_eq!(next(&mut bench) & 0b0011, 0b0011);
}

#[test]
fn at_the_start_the_tree_alone_may_be_on() {
    let starting = |mut config: Config| {
        let parameters = AlonsoParameters { start: true, ..config.alonso().expect("its mechanism").clone() };
        config.mechanism = Chosen(Box::new(parameters.clone()));
        config
    };
    let mut bench = alonso(&starting(tree()));
    assert_eq!((next(&mut bench), next(&mut bench)), (0b1111, 0b0111));
    let mut bench = alonso(&starting(torus()));
    assert_eq!((next(&mut bench), next(&mut bench)), (0b11_1111, 0b01_0101));
}

#[test]
fn one_link_of_a_trunk_stays_on() {
    let mut bench = alonso(&torus());
    bench.set("position", 0, 1);
    bench.set("departing", 0, 0b00_1000);
    (0..6).for_each(|port| near(&mut bench, port, Phase::Off));
    bench.cycles(60);
    assert_eq!((bench.see("serves", 0), bench.see("grantable", 0)), (0b01_1101, 0b01_1101), "one trunk is in use");
}

#[test]
fn a_written_policy_is_obeyed_and_read_back() {
    let address = |name: &str| u64::from(mechanism_address(&MECHANISM, name) / 4);
    let mut bench = at(0, 0, [Phase::On; 4]);
    bench.cycles(40);
    let reads = [
        ("policy", 2),
        ("check_period", 20),
        ("on_flits", 10),
        ("off_flits", 5),
        ("turn_on", 6),
        ("turn_off", 4),
        ("litmus", 1),
        ("start", 0),
    ];
    for (name, value) in reads {
        bench.set("read_address", 0, address(name));
        bench.cycle();
        assert_eq!(bench.see("read_data", 0), value, "{name}");
    }
    let write = |bench: &mut Bench, name: &str, value: u64| {
        for (signal, value) in [("write_enable", 1), ("write_address", address(name)), ("write_data", value)] {
            bench.set(signal, 0, value);
        }
        bench.cycle();
        bench.set("write_enable", 0, 0);
    };
    for (name, _) in reads {
        write(&mut bench, name, 0);
        bench.set("read_address", 0, address(name));
        bench.cycle();
        assert_eq!(bench.see("read_data", 0), 0, "{name}");
    }
    bench.cycles(10);
    assert_eq!(
        (bench.see("serves", 0), bench.see("grantable", 0)),
        (0b1111, 0b1111),
        "nothing is off without a policy"
    );
}
