//! Networks from files: what is written for software and people, and simulations of them.

use powar_config::routing::tables::{RoutingTables, TableRow};
use powar_config::topology::graph::{Graph, Names};
use powar_config::topology::wiring::{End, Wiring};
use powar_config::{Config, Routing, Topology};
use powar_evaluation::experiment::{File, Plan, RunOptions, Status, run};
use powar_evaluation::network::{Simulation, Traffic, simulate};
use powar_evaluation::network_files::{network_files, tables_fit};
use powar_traffic::synthetic::SyntheticOptions;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const RANDOM: &str = "../experiments/networks/random-40.edges";

/// A network in a file, as `powar emit --network` has it.
fn of_file(path: &str) -> (Config, Names) {
    let (graph, names) = Graph::from_file(Path::new(path), None).unwrap();
    let ports = graph.ports().unwrap();
    (Config::of_topology("net", Box::new(graph), ports).unwrap(), names)
}

fn files(config: &Config, names: &Names) -> BTreeMap<String, String> {
    network_files(config, names, true).unwrap().into_iter().collect()
}

/// What a switch has in its table after the writes of a file, by the rule of the table's registers, and which of its ports lead to nodes, if that is written.
fn loaded(text: &str, ports: usize, vcs: usize) -> (BTreeMap<u32, TableRow>, Option<u64>) {
    let mut node_ports = None;
    let (mut row, mut words, mut table) = (None, vec![0; TableRow::word_count(ports, vcs)], BTreeMap::new());
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (address, value) = line.split_once(' ').unwrap();
        let (address, value) = (u32::from_str_radix(address, 16).unwrap(), u32::from_str_radix(value, 16).unwrap());
        if address == 0x0010 {
            row = Some(value);
            continue;
        }
        if address >= 0x0020 {
            *node_ports.get_or_insert(0) |= u64::from(value) << (8 * (address - 0x0020));
            continue;
        }
        let place = (address as usize - 0x0014) / 4;
        words[place] = value;
        if place + 1 == words.len() {
            let now = row.expect("table_row is written first");
            assert!(table.insert(now, TableRow::of_words(&words, ports, vcs)).is_none());
            row = Some(now + 1);
        }
    }
    (table, node_ports)
}

#[test]
fn tables_are_what_is_simulated() {
    let mesh = Config::of_network("mesh-3x3-nodes2").unwrap();
    let mut wide = Config::of_network("star-40").unwrap();
    wide.route_by(Routing::by_name("table-limited").unwrap());
    for (config, names) in [of_file(RANDOM), (mesh, Names::default()), (wide, Names::default())] {
        let (ports, vcs) = (config.ports, config.switch.vcs);
        let tables = RoutingTables::of(&config).unwrap();
        let files = files(&config, &names);
        let of_switches: Vec<&String> = files.keys().filter(|name| name.starts_with("tables/")).collect();
        assert_eq!(of_switches.len(), tables.wiring().ends.len());
        assert!(of_switches.is_sorted(), "they sort as they are numbered");
        let digits = (of_switches.len() - 1).to_string().len();
        for (switch, name) in of_switches.into_iter().enumerate() {
            assert_eq!(*name, format!("tables/switch-{switch:0digits$}.txt"));
            let (table, node_ports) = loaded(&files[name], ports, vcs);
            let known = config.routing_sees().to_node.then(|| tables.node_ports(switch));
            assert_eq!(node_ports, known, "{name}");
            let bits = powar_config::routing::table::row_bits(&config);
            assert!(table.keys().copied().eq(0..1 << bits), "{name}: rows of all packed addresses");
            for (address, row) in table {
                assert_eq!(row, tables.row(switch, address as u16), "{name}, row {address}");
            }
        }
        let first = &files[&format!("tables/switch-{:0digits$}.txt", 0)];
        assert!(first.starts_with("# Routing table of switch 0 ("), "{first:.100}");
    }
}

#[test]
fn descriptions_and_drawings_show_every_cable() {
    let (config, names) = of_file(RANDOM);
    let wiring = Wiring::new(&config).unwrap();
    let files = files(&config, &names);
    let json: Value = serde_json::from_str(&files["network.json"]).unwrap();
    assert_eq!((&json["ports"], &json["vcs"], &json["name"]), (&8.into(), &4.into(), &"net".into()));
    for (switch, ends) in wiring.ends.iter().enumerate() {
        let described = &json["switches"][switch];
        assert_eq!(
            (&described["name"], &described["position"]),
            (&names.switches[switch].as_str().into(), &switch.into())
        );
        for (port, end) in ends.iter().enumerate() {
            let wanted = match *end {
                End::Node { node, link } => serde_json::json!({ "node": { "node": node, "link": link } }),
                End::Switch { switch, port } => serde_json::json!({ "switch": { "switch": switch, "port": port } }),
                End::Open => "open".into(),
            };
            assert_eq!(described["ports"][port], wanted, "switch {switch}, port {port}");
        }
    }
    assert_eq!(json["nodes"].as_array().unwrap().len(), 120);
    assert_eq!(
        json["nodes"][7],
        serde_json::json!({ "node": 7, "name": "s02.1", "address": 7, "switch": 2, "ports": [1] })
    );
    let roots =
        json["switches"].as_array().unwrap().iter().filter(|switch| switch["rank"] == 0 && switch["level"] == 0);
    assert_eq!(roots.count(), 1);
    // 100 cables and 120 links of nodes; 100 lines and 40 + 120 discs.
    let dot = &files["network.dot"];
    assert_eq!(dot.lines().filter(|line| line.contains(" -- ")).count(), 220);
    assert!(dot.contains("s0 [shape = box, label = \"s00\"]"), "{dot:.300}");
    let svg = &files["network.svg"];
    assert_eq!((svg.matches("<polyline").count(), svg.matches("<polygon").count()), (100, 160));
    assert!(names.switches.iter().all(|name| svg.contains(&format!(">{name}</text>"))));
    assert!(files == self::files(&config, &names), "the same network, the same files");
}

#[test]
fn switches_in_a_drawing_do_not_lie_on_each_other() {
    for name in
        ["star-4", "8-ary-2-tree", "torus-4x4-trunk4", "dragonfly-p2a4h2", "boards-4x4", &format!("file:{RANDOM}")]
    {
        let config = Config::of_network(name).unwrap();
        let svg = &files(&config, &Names::default())["network.svg"];
        let number = |text: &str, key: &str| -> f64 {
            let rest = &text[text.find(&format!("{key}=\"")).unwrap() + key.len() + 2..];
            rest[..rest.find('"').unwrap()].parse().unwrap()
        };
        let (width, height) = (number(svg, "width"), number(svg, "height"));
        // The names of switches stand in their middles.
        let middles: Vec<(f64, f64)> = svg
            .lines()
            .filter(|line| line.contains("fill=\"#ffffff\"") || line.contains("fill=\"#fff\""))
            .filter(|line| line.starts_with("<text"))
            .map(|line| (number(line, "x"), number(line, "y")))
            .collect();
        assert_eq!(middles.len(), Wiring::new(&config).unwrap().ends.len(), "{name}");
        for (place, one) in middles.iter().enumerate() {
            assert!((0.0..width).contains(&one.0) && (0.0..height).contains(&one.1), "{name}");
            for other in &middles[..place] {
                assert!((one.0 - other.0).hypot(one.1 - other.1) > 20.0, "{name}: {one:?} and {other:?}");
            }
        }
    }
}

#[test]
fn tables_that_are_too_long_are_refused() {
    let config = Config::of_network("torus-16x16x16-nodes16").unwrap();
    assert!(!tables_fit(&config));
    let error = network_files(&config, &Names::default(), true).unwrap_err().to_string();
    assert_eq!(error, "tables: 4096 switches with 65536 rows of 2 words are 7168 MiB of text, out of range 0..=256");
    assert!(tables_fit(&of_file(RANDOM).0));
}

fn simulation(policy: &str, load: f64) -> Simulation {
    let traffic = SyntheticOptions { load, cycles: 110_000, ..SyntheticOptions::default() };
    Simulation {
        topology: format!("file:{RANDOM}"),
        policy: policy.into(),
        traffic: Traffic::Synthetic(traffic),
        warm_up: 10_000,
        mechanism: [("powar".to_owned(), "pdt = '10us'".parse().unwrap())].into(),
        ..Simulation::default()
    }
}

/// Uniform traffic under every policy of POWAR's mechanism: it comes in, and ports sleep.
#[test]
fn policies_on_a_network_from_a_file() {
    let mut awake = BTreeMap::new();
    for policy in ["reference", "round-robin", "first-on", "powar"] {
        let outcome = simulate(&simulation(policy, 0.001), &mut |_| ()).unwrap();
        assert_eq!((outcome.nodes, outcome.switches, outcome.ports), (120, 40, 320));
        assert!(!outcome.saturated, "{policy}");
        assert!((outcome.accepted - outcome.offered).abs() < 0.05 * outcome.offered, "{policy}: {}", outcome.accepted);
        awake.insert(policy, outcome.u_port);
    }
    assert_eq!(awake["reference"], 1.0);
    assert!(awake.iter().filter(|(policy, _)| **policy != "reference").all(|(_, &share)| share < 0.85), "{awake:?}");
}

#[test]
fn an_experiment_s_network_is_relative_to_its_file_and_kept_by_what_its_file_says() {
    let folder = tempfile::tempdir().unwrap();
    let text = "title = 'Net'\n[simulation]\ntopology = 'file:nets/a.edges,nodes=2'\npolicy = 'reference'\n\
                traffic = { kind = 'synthetic', load = 0.1, cycles = 500 }\n";
    let plan = || Plan::new("net".into(), File::parse(text).unwrap(), folder.path());
    let error = format!("{:#}", plan().unwrap_err());
    assert!(error.contains("nets/a.edges: can't be read"), "{error}");
    std::fs::create_dir(folder.path().join("nets")).unwrap();
    let path = folder.path().join("nets/a.edges");
    std::fs::write(&path, "a b\nb c\nc a\n").unwrap();
    let results = folder.path().join("results");
    let simulated = || {
        let first = std::sync::Mutex::new(None);
        let observe = |status: Status| {
            first.lock().unwrap().get_or_insert(status.all - status.kept);
            Ok(())
        };
        let results = run(&plan().unwrap(), &results, &RunOptions::default(), &observe).unwrap();
        (first.into_inner().unwrap().unwrap(), results.rows[0].outcome.nodes)
    };
    assert_eq!(simulated(), (1, 6));
    assert_eq!(simulated(), (0, 6));
    std::fs::write(&path, "a b\nb c\nc a\nc d\n").unwrap();
    assert_eq!(simulated(), (1, 8));
    std::fs::write(&path, "a b\nb a a\n").unwrap();
    let error = format!("{:#}", plan().unwrap_err());
    assert!(error.contains("a.edges: line 2: `a` is no whole number") && !error.contains('\n'), "{error}");
}

/// Simulations of the same network by name and from its file come to the same, but for the way that packets are routed: here there is one.
#[test]
fn a_star_from_a_file_is_a_star() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("star.edges");
    std::fs::write(&path, "node a hub\nnode b hub\nnode c hub\nnode d hub\n").unwrap();
    let of = |topology: String| {
        let outcome = simulate(&Simulation { topology, ..simulation("powar", 0.003) }, &mut |_| ()).unwrap();
        (outcome.cycles, outcome.packets, outcome.u_port, outcome.packet_latency.mean, outcome.wake_ups)
    };
    assert_eq!(of(format!("file:{}", path.display())), of("star-4".into()));
}

#[test]
fn names_of_a_file_are_unique_in_the_shipped_network() {
    let (_, names) = of_file(RANDOM);
    let unique: BTreeSet<&String> = names.switches.iter().chain(&names.nodes).collect();
    assert_eq!(unique.len(), 160);
}
