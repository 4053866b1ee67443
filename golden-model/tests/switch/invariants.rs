//! What holds whatever well-behaved neighbours do: no flit is lost, doubled, reordered or interleaved, no buffer overflows,
//! every credit comes back. The bench asserts it; here is the traffic.

use crate::support::cases;
use crate::switch::bench::{Bench, star};
use fastrand::Rng;
use powar_config::switch::IN_FLIGHT_FLITS;
use powar_config::topology::{FatTree, Torus};
use powar_config::units::Nanoseconds;
use powar_config::{Config, Group, Routing, presets};
use proptest::prelude::*;

/// A switch of any kind with everything drawn.
fn random_switch(rng: &mut Rng) -> Config {
    let mut config = match rng.u8(0..4) {
        0 | 1 => star(rng.usize(2..7), 1, 16, 4),
        2 => presets::by_name("fat-tree-2").unwrap(),
        _ => torus(rng),
    };
    let topology = config.topology.as_ref().unwrap();
    if let (Some(tree), true) = (topology.of::<FatTree>(), rng.bool()) {
        config.topology = Some(Box::new(FatTree { folded: true, ..tree.clone() }));
    }
    // Nobody loads a table here.
    let topology = &**config.topology.as_ref().unwrap();
    let known: Vec<_> = Routing::of(topology).filter(|routing| !routing.sees.table).collect();
    let routing = known[rng.usize(0..known.len())];
    config.route_by(routing);
    let least = config.routing().unwrap().least_vcs;
    let longest = rng.usize(1..=9);
    config.switch.vcs = rng.usize(least..=8);
    config.switch.max_packet_flits = longest;
    config.switch.short_packets = [None, Some(true), Some(false)][rng.usize(0..3)];
    // Often no more than a packet and six flits: then a port waits for every credit.
    config.switch.buffer_flits = config.switch.vcs * (longest + IN_FLIGHT_FLITS + [0, 1, 7, 30][rng.usize(0..4)]);
    config.switch.flit_bits = [64, 128][rng.usize(0..2)];
    config.cycle_ns = 1.0;
    let powar = config.powar_mut().unwrap();
    powar.policy = powar_config::mechanism::powar::policy::ALL[rng.usize(0..4)].name.into();
    let cycles = |rng: &mut Rng, most: u32| Nanoseconds(f64::from(rng.u32(1..=most)));
    (powar.pdt, powar.t_sleep, powar.t_wake) = (Nanoseconds(f64::from(rng.u32(0..30))), cycles(rng, 9), cycles(rng, 9));
    if rng.bool() {
        (powar.t_quiet, powar.t_refresh) = (cycles(rng, 20), cycles(rng, 8));
    }
    powar.abort_sleep = rng.bool();
    powar.check_period = Nanoseconds(f64::from(rng.u32(2..60)));
    config.check().unwrap();
    config.check_switch().unwrap();
    config
}

fn torus(rng: &mut Rng) -> Config {
    let mut config = presets::by_name("torus-28").unwrap();
    let dimensions = vec![rng.usize(2..6), rng.usize(2..6)];
    let trunk = rng.usize(1..3);
    config.ports = 5 * trunk;
    config.groups = (0..5).map(|group| Group { first: group * trunk, size: trunk }).collect();
    config.topology = Some(Box::new(Torus { dimensions, trunk, nodes: 1 }));
    config
}

/// Random packets through a random switch; returns what came out, as packets per output port.
fn run(seed: u64) -> Bench {
    let mut rng = Rng::with_seed(seed);
    let mut config = random_switch(&mut rng);
    // Packets come in anywhere for anywhere.
    config.switch.every_turn = true;
    println!("seed {seed}: {config:?}");
    let bases = config.topology.as_ref().unwrap().bases(config.ports);
    let nodes: usize = bases.iter().product();
    let mut bench = Bench::new(&config, seed);
    bench.set_position(powar_config::topology::pack_address(&bases, rng.usize(0..nodes)), rng.u8(0..2));
    let (ports, vcs, longest) = (config.ports, config.switch.vcs, config.switch.max_packet_flits);
    let mut invalid = 0;
    for _ in 0..rng.usize(1..40) {
        let chance = |rng: &mut Rng| [10, 60, 200, 255][rng.usize(0..4)];
        bench.eagerness = (chance(&mut rng), chance(&mut rng));
        let hot = rng.usize(0..nodes);
        for _ in 0..rng.usize(0..60) {
            let node = if rng.u8(0..3) == 0 { hot } else { rng.usize(0..nodes) };
            let mut destination = powar_config::topology::pack_address(&bases, node);
            if rng.u8(0..20) == 0 {
                destination |= 0x8000;
                invalid += 1;
            }
            let flits = [1, longest, rng.usize(1..=longest)][rng.usize(0..3)];
            bench.send(rng.usize(0..ports), rng.usize(0..vcs), destination, flits);
        }
        bench.steps(rng.usize(0..150));
    }
    bench.eagerness = (255, 255);
    bench.run_dry(200_000);
    assert_eq!(bench.whole.len() + invalid, bench.packets.len());
    let dropped: u64 = (0..ports).map(|port| bench.counter("dropped_packets", port)).sum();
    // Several virtual channels never drop in one cycle, so every dropped packet is counted.
    assert_eq!(dropped, invalid as u64);
    for name in ["framing_errors", "overflow_errors", "credit_errors"] {
        assert!((0..ports).all(|port| bench.counter(name, port) == 0), "{name}");
    }
    bench
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn nothing_is_lost_doubled_reordered_or_interleaved(seed: u64) {
        let bench = run(seed);
        // The switch has forgotten everything but where its round robins stand.
        for row in 0..bench.config.ports * bench.config.switch.vcs {
            for name in ["head_valid", "holding", "fetching", "arriving", "flits.some", "headers.some"] {
                prop_assert_eq!(bench.register(&format!("input_port.vc.{name}"), row), 0, "{}", name);
            }
        }
        prop_assert_eq!(bench.output("held", 0), 0);
    }
}

/// In a switch that has not every turn: what comes in at a port that leads up for a node that is not below is dropped, and nothing else is.
#[test]
fn a_packet_without_a_turn_is_dropped_and_counted() {
    let config = presets::by_name("fat-tree-2").unwrap();
    let bases = config.topology.as_ref().unwrap().bases(config.ports);
    let nodes: usize = bases.iter().product();
    let address = |node| powar_config::topology::pack_address(&bases, node);
    let mut bench = Bench::new(&config, 1);
    bench.set_position(address(0), 0);
    bench.eagerness = (255, 255);
    for (port, node) in [(2, 1), (2, nodes - 1), (0, nodes - 1), (3, nodes - 1), (1, 0)] {
        bench.send(port, 0, address(node), 3);
    }
    bench.run_dry(2_000);
    assert_eq!(bench.whole.len(), 3);
    let dropped: Vec<u64> = (0..config.ports).map(|port| bench.counter("dropped_packets", port)).collect();
    assert_eq!(dropped, [0, 0, 1, 1]);
}
