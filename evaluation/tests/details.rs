//! What an outcome says of every link, every latency and every flow: the parts sum up to the whole.

use powar_evaluation::network::{
    Details, EndKind, HistogramBin, Interfaces, JobsOptions, LatencyOf, LatencySummary, Link, Outcome, Simulation,
    Traffic, simulate,
};
use powar_traffic::synthetic::{ClosedLoopOptions, SyntheticOptions};

const ALL: Details = Details { links: true, histogram: true, flows: true };

fn run(simulation: &Simulation) -> Outcome {
    simulate(simulation, &mut |_| {}).unwrap()
}

fn pattern(pattern: &str, load: f64) -> Traffic {
    Traffic::Synthetic(SyntheticOptions { pattern: pattern.into(), load, cycles: 6_000, ..Default::default() })
}

fn program(skeleton: &str) -> Traffic {
    toml::from_str(&format!("kind = 'trace'\nskeleton = '{skeleton}'")).unwrap()
}

fn jobs() -> Traffic {
    let mix = concat!(env!("CARGO_MANIFEST_DIR"), "/../experiments/jobs/small.toml").into();
    Traffic::Jobs(JobsOptions { mix, ..JobsOptions::default() })
}

/// Networks of every kind of link and mechanism, under all kinds of traffic.
fn simulations() -> Vec<Simulation> {
    let random = concat!("file:", env!("CARGO_MANIFEST_DIR"), "/../experiments/networks/random-40.edges");
    let pdt = |time: &str| toml::from_str(&format!("powar.pdt = '{time}'\nalonso.start = true")).unwrap();
    let closed = ClosedLoopOptions { requests: Some(20), ..Default::default() };
    let closed = SyntheticOptions { closed_loop: Some(closed), ..Default::default() };
    let cases = [
        ("2-ary-3-tree", "powar", pattern("uniform", 0.1)),
        ("2-ary-3-tree", "ideal", pattern("tornado", 0.1)),
        ("torus-4x4-trunk2", "first-on", pattern("uniform", 0.05)),
        ("torus-4x4-trunk2", "alonso-static", pattern("uniform", 0.05)),
        ("boards-4x4", "p-b", pattern("uniform", 0.2)),
        ("star-4", "reference", pattern("uniform", 0.95)),
        (random, "powar", pattern("uniform", 0.02)),
        ("2-ary-3-tree", "powar", Traffic::Synthetic(closed)),
        ("2-ary-3-tree", "powar", program("halo-fft:x=2,y=2,z=2,steps=1")),
        ("2-ary-3-tree", "powar", jobs()),
    ];
    let simulation = |(topology, policy, traffic): (&str, &str, Traffic)| Simulation {
        topology: topology.into(),
        policy: policy.into(),
        warm_up: if matches!(traffic, Traffic::Synthetic(_)) { 1_000 } else { 0 },
        traffic,
        mechanism: pdt("200ns"),
        details: ALL,
        ..Simulation::default()
    };
    let mut all: Vec<Simulation> = cases.into_iter().map(simulation).collect();
    all.push(Simulation { interfaces: Interfaces::AxiStream, ..all[0].clone() });
    all
}

#[track_caller]
fn close(seen: f64, expected: f64, what: &str) {
    assert!((seen - expected).abs() <= 1e-9 * expected.abs().max(1e-9), "{what}: {seen} is not {expected}");
}

#[test]
fn links_sum_up_to_the_network() {
    for simulation in simulations() {
        let outcome = run(&simulation);
        let name = format!("{} {} {:?}", outcome.topology, outcome.policy, simulation.interfaces);
        let links = outcome.links.as_ref().unwrap();
        let of = |kind: EndKind| links.iter().filter(move |link| link.from.kind == kind);
        let flits = |kind| of(kind).map(|link| link.flits).sum::<u64>();
        assert_eq!(of(EndKind::Switch).count(), outcome.ports, "{name}");
        let cycles = outcome.cycles as f64;
        close(flits(EndKind::Switch) as f64, outcome.sending * outcome.ports as f64 * cycles, &name);
        if !matches!(simulation.traffic, Traffic::Synthetic(_)) {
            // All of it was measured.
            assert_eq!((flits(EndKind::Switch), flits(EndKind::Node)), (outcome.flit_hops, outcome.flits), "{name}");
        }
        close(of(EndKind::Switch).map(|link| link.energy_j.unwrap()).sum(), outcome.watts.e_net, &name);
        close(of(EndKind::Switch).map(|link| link.power_w.unwrap()).sum(), outcome.watts.w_net, &name);
        assert_eq!(links.iter().map(|link| link.wake_ups).sum::<u64>(), outcome.wake_ups, "{name}");
        for link in links {
            close(link.phases.values().sum(), 1.0, &name);
            close(link.flits_per_cycle, link.flits as f64 / cycles, &name);
            assert!((0.0..=1.0).contains(&link.flits_per_cycle), "{name}: {link:?}");
            assert_eq!(link.energy_j.is_none(), link.from.kind == EndKind::Node, "{name}: {link:?}");
            let back = links.iter().filter(|back| (&back.from, &back.to) == (&link.to, &link.from)).count();
            assert_eq!(back, 1, "{name}: the other direction of {link:?}");
        }
        let between: Vec<&Link> = of(EndKind::Switch).filter(|link| link.to.kind == EndKind::Switch).collect();
        let mean = between.iter().map(|link| link.flits_per_cycle).sum::<f64>() / between.len() as f64;
        if let Some(expected) = outcome.link_utilisation.mean {
            close(mean, expected, &name);
        }
        if outcome.mechanism == "powar" {
            let off = of(EndKind::Switch).map(|link| link.phases["Off"]).sum::<f64>() / outcome.ports as f64;
            close(1.0 - off, outcome.u_port, &name);
        }
    }
}

#[test]
fn links_of_a_file_have_its_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lab.edges");
    std::fs::write(&path, "left right 2\nnode here left\nnode \"there\" right 2\n").unwrap();
    let topology = format!("file:{}", path.display());
    let outcome = run(&Simulation { topology, traffic: pattern("uniform", 0.1), details: ALL, ..Default::default() });
    let ends: Vec<String> = (outcome.links.unwrap().iter())
        .map(|link| format!("{}:{} {}:{}", link.from.name, link.from.port, link.to.name, link.to.port))
        .collect();
    // Ports of a switch are those of its nodes, then those of its cables.
    let expected = [
        "left:0 here:0",
        "left:1 right:2",
        "left:2 right:3",
        "right:0 there:0",
        "right:1 there:1",
        "right:2 left:1",
        "right:3 left:2",
        "here:0 left:0",
        "there:0 right:0",
        "there:1 right:1",
    ];
    assert_eq!(ends, expected);
    let flows = outcome.flows.unwrap();
    let ends: Vec<(&str, &str)> = flows.iter().map(|flow| (&*flow.source, &*flow.destination)).collect();
    assert_eq!(ends, [("here", "there"), ("there", "here")]);
}

/// What a node puts on its links before a cycle and from it on is what it puts on them in all.
#[test]
fn links_of_nodes_are_counted_in_the_window_alone() {
    for (topology, interfaces) in [
        ("torus-4x4-trunk2", Interfaces::Messages),
        ("2-ary-3-tree", Interfaces::Messages),
        ("2-ary-3-tree", Interfaces::AxiStream),
    ] {
        let flits = |warm_up: u64, cycles: u64| -> Vec<u64> {
            let options = SyntheticOptions { load: 0.6, cycles, ..SyntheticOptions::default() };
            let outcome = run(&Simulation {
                topology: topology.into(),
                interfaces,
                traffic: Traffic::Synthetic(options),
                warm_up,
                details: Details { links: true, ..Details::default() },
                ..Simulation::default()
            });
            let links = outcome.links.unwrap().into_iter().filter(|link| link.from.kind == EndKind::Node);
            links.map(|link| link.flits).collect()
        };
        let (whole, first, rest) = (flits(0, 3_000), flits(0, 1_234), flits(1_234, 3_000));
        let sum: Vec<u64> = first.iter().zip(&rest).map(|(first, rest)| first + rest).collect();
        assert_eq!(whole, sum, "{topology} {interfaces:?}");
        assert!(whole.iter().all(|flits| *flits > 0), "{topology}: {whole:?}");
    }
}

#[test]
fn histograms_have_every_latency() {
    for simulation in simulations() {
        let outcome = run(&simulation);
        let bins = outcome.histogram.as_ref().unwrap();
        for (latency_of, summary) in [
            (LatencyOf::Packet, &outcome.packet_latency),
            (LatencyOf::Network, &outcome.network_latency),
            (LatencyOf::Message, &outcome.message_latency),
        ] {
            let bins: Vec<&HistogramBin> = bins.iter().filter(|bin| bin.latency_of == latency_of).collect();
            let name = format!("{} {} {latency_of:?}", outcome.topology, outcome.policy);
            assert!(summary.count > 0, "{name}");
            assert_eq!(bins.iter().map(|bin| bin.count).sum::<u64>(), summary.count, "{name}");
            assert_eq!(bins.last().unwrap().cumulative_share, 1.0);
            assert!(bins.windows(2).all(|pair| pair[0].to_cycles < pair[1].from_cycles), "{name}");
            assert!(bins.iter().all(|bin| bin.to_cycles - bin.from_cycles <= bin.from_cycles / 1000), "{name}");
            let middle = |bin: &HistogramBin| (bin.from_cycles + bin.to_cycles) as f64 / 2.0 * bin.count as f64;
            let mean = bins.iter().map(|bin| middle(bin)).sum::<f64>() / summary.count as f64;
            let exact = summary.mean.unwrap();
            assert!((mean - exact).abs() <= 0.001 * exact, "{name}: {mean} {summary:?}");
            let LatencySummary { p50, p90, p95, p99, p999, max, .. } = *summary;
            let quantiles = [(0.5, p50), (0.9, p90), (0.95, p95), (0.99, p99), (0.999, p999), (1.0, max)];
            for (share, cycles) in quantiles {
                let cycles = cycles.unwrap();
                let bin = bins.iter().find(|bin| bin.cumulative_share >= share - 1e-12).unwrap();
                assert!((bin.from_cycles..=bin.to_cycles).contains(&cycles), "{name}: {share}: {cycles}, {bin:?}");
            }
        }
    }
}

#[test]
fn flows_sum_up_to_the_network() {
    for simulation in simulations() {
        let outcome = run(&simulation);
        let name = format!("{} {}", outcome.topology, outcome.policy);
        let flows = outcome.flows.as_ref().unwrap();
        let sum = |value: fn(&powar_evaluation::network::FlowSummary) -> u64| flows.iter().map(value).sum::<u64>();
        assert_eq!(sum(|flow| flow.messages), outcome.message_latency.count, "{name}");
        assert_eq!(sum(|flow| flow.packets), outcome.packet_latency.count, "{name}");
        close(sum(|flow| flow.flits) as f64, outcome.offered * (outcome.nodes as u64 * outcome.cycles) as f64, &name);
        // The histogram of all has the longest within 0.1 %.
        let longest = flows.iter().filter_map(|flow| flow.packet_latency.max).max().unwrap();
        assert!(
            (longest..=longest + longest / 1000).contains(&outcome.packet_latency.max.unwrap()),
            "{name}: {longest}"
        );
        let weighted = |flow: &powar_evaluation::network::FlowSummary| {
            flow.packet_latency.mean.unwrap_or(0.0) * flow.packets as f64
        };
        let mean = flows.iter().map(weighted).sum::<f64>() / outcome.packet_latency.count as f64;
        close(mean, outcome.packet_latency.mean.unwrap(), &name);
        for flow in flows {
            assert!(flow.source != flow.destination && flow.packets >= flow.messages, "{flow:?}");
            let latency = &flow.message_latency;
            assert!(latency.p50 <= latency.p99 && latency.p99 <= latency.max, "{flow:?}");
        }
    }
}

/// Whoever looks, everything else comes out the same, and a kept simulation has the same key.
#[test]
fn looking_changes_nothing() {
    for looking in simulations() {
        let blind = Simulation { details: Details::default(), ..looking.clone() };
        assert_eq!(serde_json::to_string(&blind).unwrap(), serde_json::to_string(&looking).unwrap());
        let with = run(&looking);
        let text = serde_json::to_string(&with).unwrap();
        assert_eq!(serde_json::from_str::<Outcome>(&text).unwrap(), with);
        assert_eq!(run(&blind), Outcome { links: None, histogram: None, flows: None, ..with });
    }
}

#[test]
fn a_joule_a_bit_is_the_energy_over_what_came_in() {
    for simulation in simulations() {
        let outcome = run(&simulation);
        let came_in = outcome.accepted * (outcome.nodes as u64 * outcome.cycles) as f64;
        // Packets of 8 flits of 128 bits; of a stream the first carries none.
        let share = if simulation.interfaces == Interfaces::AxiStream { 7.0 / 8.0 } else { 1.0 };
        let bits = outcome.payload_bits.unwrap() as f64;
        match simulation.traffic {
            Traffic::Synthetic(_) => assert!((bits - came_in * share * 128.0).abs() <= 128.0, "{bits} {came_in}"),
            // The last packet of a message is filled up.
            _ => assert!(bits > 0.0 && bits <= came_in * 128.0, "{bits} {came_in}"),
        }
        close(outcome.j_per_bit.unwrap() * bits, outcome.watts.e_net, &outcome.topology);
    }
}

/// Boards under some policy and load for complement traffic, as one interval.
fn boards(policy: &str, load: f64) -> Outcome {
    let options = SyntheticOptions { pattern: "bit-complement".into(), load, cycles: 20_000, ..Default::default() };
    run(&Simulation {
        topology: "boards-4x4".into(),
        policy: policy.into(),
        traffic: Traffic::Synthetic(options),
        interval: 20_000,
        details: ALL,
        ..Simulation::default()
    })
}

#[test]
fn the_bit_rate_over_time_is_that_of_the_links() {
    for policy in ["np-nb", "p-nb", "np-b", "p-b"] {
        let outcome = boards(policy, 0.2);
        let (mut sum, mut sends) = (0.0, 0.0);
        let is_channel = |link: &&Link| (link.from.kind, link.to.kind) == (EndKind::Switch, EndKind::Switch);
        for link in outcome.links.as_deref().unwrap().iter().filter(is_channel) {
            for level in 0..6 {
                let share = link.phases[&format!("On{level}")];
                (sum, sends) = (sum + share * (5.0 + f64::from(level)), sends + share);
            }
        }
        let [interval] = &outcome.series[..] else { panic!("{:?}", outcome.series) };
        close(interval.bit_rate.unwrap(), sum / sends, policy);
        let saves = policy.starts_with("p-");
        assert!(saves == (interval.bit_rate.unwrap() < 9.0), "{policy}: {interval:?}");
    }
}

#[test]
fn buffers_over_time_are_as_full_as_what_waits() {
    let utilisation = |policy, load| boards(policy, load).series[0].buffer_utilisation.unwrap();
    // A wavelength of 25 flits in 32 cycles for four nodes: more than it carries, and hardly anything.
    let (full, empty) = (utilisation("np-nb", 0.5), utilisation("np-nb", 0.005));
    assert!(full > 0.6 && full <= 1.0 && empty < 0.1, "{full} {empty}");
    let two = utilisation("np-b", 0.5);
    assert!(two < 0.8 * full, "with more wavelengths: {two} {full}");
    for simulation in simulations() {
        let interval = 500;
        let series = run(&Simulation { interval, ..simulation.clone() }).series;
        let has = |value: fn(&powar_evaluation::network::Interval) -> bool| series.iter().any(value);
        let is_e_rapid = simulation.policy == "p-b";
        assert_eq!(has(|one| one.buffer_utilisation.is_some()), is_e_rapid, "{}", simulation.topology);
        assert_eq!(has(|one| one.bit_rate.is_some()), is_e_rapid, "{}", simulation.topology);
    }
}

#[test]
fn programs_and_mixes_have_series() {
    for traffic in [program("halo-fft:x=2,y=2,z=2,steps=1"), jobs()] {
        let without = Simulation {
            topology: "2-ary-3-tree".into(),
            mechanism: toml::from_str("powar.pdt = '200ns'").unwrap(),
            traffic,
            ..Simulation::default()
        };
        let whole = run(&without);
        // Some intervals, and so many that they have to double.
        for (interval, most) in [(whole.cycles / 7, 8), (1, 9_999)] {
            let with = run(&Simulation { interval, ..without.clone() });
            let series = &with.series;
            assert!(series.len() <= most && series.len() >= most.min(5_000) / 2, "{}", series.len());
            let length = series[0].cycle;
            assert!(length >= interval && length.is_multiple_of(interval));
            let (mut before, mut flits, mut awake) = (0, 0.0, 0.0);
            for one in series {
                let cycles = one.cycle - before;
                assert!(cycles == length || one.cycle == series.last().unwrap().cycle, "{one:?} behind {before}");
                flits += one.accepted * cycles as f64 * with.nodes as f64;
                awake += one.u_port.unwrap() * cycles as f64;
                before = one.cycle;
            }
            assert!((flits - with.flits as f64).abs() < 1e-6 * flits, "{flits} {}", with.flits);
            assert!((awake / before as f64 - with.u_port).abs() < 1e-9, "{awake} {before} {}", with.u_port);
            assert!(before <= with.cycles && series.iter().any(|one| one.latency.is_some()));
            assert_eq!(Outcome { series: vec![], ..with }, whole);
        }
    }
}
