//! `powar sim`: whole networks.

use crate::{HPL, Scratch, text};
use serde_json::Value;

#[test]
fn synthetic_traffic_comes_out_as_it_went_in() {
    let scratch = Scratch::new();
    let small = ["sim", "--topology", "2-ary-3-tree", "--load", "0.2", "--cycles", "5000", "--json"];
    let powar: Value = serde_json::from_str(&scratch.succeed(&small)).unwrap();
    let number = |field: &str| powar[field].as_f64().unwrap_or_else(|| panic!("{field} in {powar}"));
    assert_eq!((number("nodes"), number("switches"), number("ports")), (8.0, 12.0, 40.0));
    assert!((0.15..0.25).contains(&number("offered")) && (0.15..0.25).contains(&number("accepted")), "{powar}");
    assert_eq!(number("flits"), 8.0 * number("packets"));
    assert_eq!(
        (&powar["policy"], &powar["saturated"], &powar["u_cpu"]),
        (&"powar".into(), &false.into(), &Value::Null)
    );
    // 1 to 5 switches of 31 cycles, two links of 26, 8 flits.
    let latency = powar["packet_latency"]["mean"].as_f64().unwrap();
    assert!((90.0..300.0).contains(&latency), "{powar}");
    let again: Value = serde_json::from_str(&scratch.succeed(&small)).unwrap();
    assert_eq!(powar, again, "one seed, one outcome");
    let printed = scratch.succeed(&small[..small.len() - 1]);
    for part in [
        "2-ary-3-tree: 8 nodes, 12 switches",
        "policy powar\n",
        "pdt=100us t_on=0.5 t_off=0.25 check_period=10us",
        "accepted",
        "W_net",
        "wake-ups",
        "worked example",
    ] {
        assert!(printed.contains(part), "`{part}` is not in {printed}");
    }
}

#[test]
fn a_run_without_packets_says_so() {
    let scratch = Scratch::new();
    // So small a load that the next packet is later than any number of cycles says.
    for (load, cycles) in [("1e-19", "2000"), ("1e-300", "2000"), ("1e-9", "20000")] {
        let printed = scratch.succeed(&["sim", "--topology", "star-4", "--load", load, "--cycles", cycles]);
        let said =
            format!("no node had a message to send to another in these {cycles} cycles: power and energy are those of");
        assert!(printed.contains(&said), "{load}: {printed}");
    }
    let closed = ["--policy", "timetable", "--on-time", "1.6ns", "--off-time", "26ms", "--load", "0.1"];
    let printed = scratch.succeed(&[&["sim", "--topology", "mesh-3x3", "--cycles", "6000"], &closed[..]].concat());
    assert!(printed.contains("no packet came in in these 6000 cycles: power and energy are those of"), "{printed}");
    scratch.write("far-apart.csv", "0,1e300\n1,0\n");
    scratch.succeed(&["sim", "--topology", "star-2", "--traffic-matrix", "far-apart.csv", "--cycles", "2000"]);
}

#[test]
fn ideal_is_reference_with_ports_that_are_awake_only_while_they_send() {
    let scratch = Scratch::new();
    let run = |policy: &str| -> Value {
        let arguments = ["sim", "--topology", "star-4", "--cycles", "2000", "--policy", policy, "--json"];
        serde_json::from_str(&scratch.succeed(&arguments)).unwrap()
    };
    let (reference, ideal) = (run("reference"), run("ideal"));
    assert_eq!((&reference["packets"], &reference["cycles"]), (&ideal["packets"], &ideal["cycles"]));
    assert_eq!((&reference["u_port"], &reference["parameters"]), (&1.0.into(), &"".into()));
    assert_eq!(ideal["u_port"], ideal["sending"]);
    assert!(ideal["power"]["w_net"].as_f64() < reference["power"]["w_net"].as_f64());
    // Both accountings: a tenth of what sleeps lies between them.
    let w_net = |of: &Value, accounting: &str| of[accounting]["w_net"].as_f64().unwrap();
    assert_eq!((w_net(&reference, "power"), w_net(&reference, "worked")), (1.0, 1.0));
    assert!((w_net(&ideal, "power") - (0.1 + 0.9 * w_net(&ideal, "worked"))).abs() < 1e-12, "{ideal}");
}

#[test]
fn a_t_on_from_u_max_on_is_warned_about() {
    let scratch = Scratch::new();
    let warned = |arguments: &[&str]| -> Vec<String> {
        let small = ["sim", "--topology", "torus-4x4-trunk2", "--cycles", "1000", "--load", "0.1"];
        let output = scratch.run(&[&small[..], arguments].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        said.lines().filter_map(|line| line.strip_prefix("powar: warning: ")).map(str::to_string).collect()
    };
    let once = warned(&["--t-on", "0.6"]);
    assert!(once.len() == 1 && once[0].starts_with("t_on: 0.6 is not below U_max = 0."), "{once:?}");
    assert_eq!(warned(&["--t-on", "0.6", "--json"]), once);
    assert!(warned(&["--t-on", "0.4", "--t-off", "0.2"]).is_empty());
    assert!(warned(&["--policy", "first-on"]).is_empty());
}

#[test]
fn negative_values_are_said_to_be_out_of_range() {
    let scratch = Scratch::new();
    for time in ["pdt", "check-period", "t-sleep", "t-wake", "t-quiet", "t-refresh", "hop", "node-link"] {
        for given in [&[&format!("--{time}"), "-5us"][..], &[&format!("--{time}=-5us")]] {
            let arguments = [&["sim", "--json"], given].concat();
            scratch.fail(&arguments, &[&format!("--{time}"), "`-5us` is out of range; a duration is 0 or more"]);
        }
    }
    let fail = |arguments: &[&str], named: &[&str]| scratch.fail(&[&["sim"], arguments].concat(), named);
    fail(&["--t-on", "-0.5"], &["t_on: -0.5 is out of range, t_on >= 2 x t_off = 0.5"]);
    fail(&["--t-off", "-.5"], &["t_off: -0.5 is out of range, t_off > 0"]);
    fail(&["--load", "-1"], &["load", "`-1`", "above 0 up to"]);
    fail(&["--abort-sleep", "-1"], &["--abort-sleep", "'-1'", "true or false"]);
    for (option, range) in [
        ("--vcs", "1..=8"),
        ("--buffer-flits", "1..=4096"),
        ("--packet-flits", "1..=1023"),
        ("--cycles", "1..="),
        ("--warm-up", "0..="),
        ("--seed", "0..="),
    ] {
        fail(&[option, "-1"], &[option, "'-1'", "whole number", range]);
    }
    fail(&["--input", HPL, "--ranks-per-node", "-1"], &["--ranks-per-node", "'-1'", "1..="]);
    fail(&["--input", HPL, "--gap-floor", "-1ns"], &["--gap-floor", "`-1ns` is out of range"]);
    fail(&["--input", HPL, "--gap-scale", "-1"], &["gap_scale", "-1"]);
    // A flag has no value, negative or not, and nothing is a value after --.
    fail(&["--json", "-5"], &["'-5'", "--json"]);
    fail(&["--", "-5"], &["'-5'"]);
}

#[test]
fn wrong_values_are_named() {
    let scratch = Scratch::new();
    let fail = |arguments: &[&str], named: &[&str]| scratch.fail(&[&["sim"], arguments].concat(), named);
    fail(&["--topology", "cube"], &["topology", "`cube`", "K-ary-N-tree", "torus-AxBx..[-trunkL][-nodesC]"]);
    fail(&["--topology", "40-ary-2-tree"], &["topology", "80 ports", "2..=64"]);
    fail(&["--policy", "nope"], &["policy", "`nope`", "reference", "powar", "ideal"]);
    fail(&["--policy", "IDEAL"], &["policy", "`IDEAL` is unknown; did you mean `ideal`?"]);
    fail(&["--traffic", "nope"], &["pattern", "`nope`", "uniform", "tornado"]);
    fail(&["--arrivals", "nope"], &["arrivals", "`nope`", "bernoulli"]);
    fail(&["--load", "1.5"], &["load", "`1.5`", "up to 1"]);
    fail(&["--load=-1"], &["load", "-1"]);
    let last = 1u64 << 48;
    for cycles in ["0", "281474976710657", "18446744073709551615"] {
        fail(&["--cycles", cycles], &["--cycles", cycles, &format!("whole number in 1..={last}")]);
    }
    for warm_up in ["281474976710656", "18446744073709551615", "18446744073709551616"] {
        fail(&["--warm-up", warm_up], &["--warm-up", warm_up, &format!("in 0..={}, or auto", last - 1)]);
    }
    fail(
        &["--cycles", "1000", "--warm-up", "281474976710655"],
        &["warm_up: 281474976710655 is out of range 0..=281474976709656, in front of cycles = 1000"],
    );
    fail(&["--hop", "1ns"], &["hop", "1ns", "8ns or more"]);
    fail(&["--hop", "1000s"], &["hop: 1000000ms is out of range; it must be", "us or less"]);
    fail(&["--node-link", "1000s"], &["node_link: 1000000ms is out of range; it must be", "us or less"]);
    fail(&["--packet-flits", "0"], &["--packet-flits", "0", "1..=1023"]);
    fail(&["--packet-flits", "17", "--buffer-flits", "64"], &["packet_flits", "17", "16"]);
    fail(&["--vcs", "9"], &["--vcs", "'9'", "1..=8"]);
    fail(&["--topology", "torus-3x3", "--vcs", "1"], &["switch.vcs", "1", "2..=8 for torus routing"]);
    fail(
        &["--routing", "left"],
        &["routing: `left` is unknown; it must be one of star, fat-tree, least-occupied, mesh, torus"],
    );
    fail(
        &["--routing", "torus"],
        &["routing: `torus` is not for this fat-tree; it must be one of fat-tree, least-occupied"],
    );
    fail(&["--t-on", "1.1"], &["t_on", "1.1", "t_on <= 1"]);
    fail(&["--t-off", "0.3"], &["t_on", "0.5", "2 x t_off = 0.6"]);
    fail(&["--check-period", "1ms"], &["check_period", "1ms", "625000 cycles", "2..=65535"]);
    fail(&["--traffic", "bit-reversal", "--topology", "torus-3x3"], &["bit-reversal", "9"]);
    fail(&["--input", HPL, "--load", "0.1"], &["--input", "--load"]);
    fail(&["--gap-scale", "2"], &["--input", "not provided"]);
    fail(&["--input", "nowhere.tar.xz"], &["nowhere.tar.xz"]);
    fail(&["--input", HPL, "--topology", "4-ary-2-tree"], &["ranks", "`64`", "at most 16"]);
    fail(&["--rtl", "0"], &["--rtl", "from 1 on, or all"]);
    fail(&["--rtl-nodes", "none"], &["--rtl-nodes", "from 1 on, or all"]);
    fail(&["--interfaces", "axi"], &["--interfaces", "'axi'", "messages, axi-stream"]);
    fail(&["--rtl-nodes", "1", "--interfaces", "messages"], &["interfaces: messages", "expected axi-stream"]);
    fail(&["--rtl-nodes", "all", "--packet-flits", "1"], &["packet_flits: 1 is too short for network interfaces"]);
    fail(
        &["--interfaces", "axi-stream", "--topology", "torus-3x3-trunk2"],
        &["topology: its nodes have 2 links each, and a network interface has 1"],
    );
}

#[test]
fn a_point_of_an_experiment_is_repeated() {
    let scratch = Scratch::new();
    scratch.write(
        "one.toml",
        "title = \"One\"\n[simulation]\ntopology = \"star-4\"\ntraffic = { kind = \"synthetic\", cycles = 2000 }\n",
    );
    scratch.succeed(&["experiment", "one.toml", "--out", "one"]);
    let points = std::fs::read_dir(scratch.path().join("one/points")).unwrap();
    let point = points.map(|entry| entry.unwrap().path()).next().unwrap();
    let point = point.to_str().unwrap();
    let kept: serde_json::Value = serde_json::from_slice(&std::fs::read(point).unwrap()).unwrap();
    let mut again: serde_json::Value =
        serde_json::from_str(&scratch.succeed(&["sim", "--point", point, "--json"])).unwrap();
    // What it is of stands beside the outcome.
    assert_eq!(again["simulation"]["traffic"], kept["simulation"]["traffic"]);
    again.as_object_mut().unwrap().retain(|name, _| !["simulation", "version"].contains(&name.as_str()));
    assert_eq!(kept["outcome"], again);
    scratch.fail(&["sim", "--point", point, "--load", "0.2"], &["point: beside other options"]);
    scratch.fail(&["sim", "--point", "one.toml"], &["point: one.toml is no point of an experiment's results"]);
    scratch.fail(&["experiment", ".", "--page"], &["index.json", "expected a folder that `powar experiment` wrote"]);
}

/// Options of the model and of the oracle: what is asked for comes out, as a table and as JSON.
#[test]
fn tasks_and_the_oracle() {
    let scratch = Scratch::new();
    const SMALL: [&str; 9] =
        ["sim", "--topology", "torus-4x4", "--policy", "reference", "--cycles", "20000", "--traffic", "tasks"];
    fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
        [&SMALL[..], &["--tasks", "concurrent=6,duration=2us,locality=0.9"], more].concat()
    }
    let outcome: Value = serde_json::from_str(&scratch.succeed(&with(&["--oracle=0,10,500", "--json"]))).unwrap();
    // Packets of five flits, unless something else is asked for.
    assert_eq!(outcome["flits"].as_u64(), outcome["packets"].as_u64().map(|packets| 5 * packets));
    let idle = &outcome["idle"];
    let off = ["0", "10", "500"].map(|t_trans| idle["oracle"][t_trans].as_f64().unwrap());
    assert!(off[0] > off[1] && off[1] > off[2] && off[2] > 0.0, "{idle}");
    assert_eq!(idle["links"], 64);
    let printed = scratch.succeed(&with(&["--oracle"]));
    for part in ["links idle", "of the time of 64 links between switches", "at the window's edges", "10 000"] {
        assert!(printed.contains(part), "`{part}` is not in {printed}");
    }
    assert!(!scratch.succeed(&SMALL).contains("links idle"));
    for (given, named) in [
        (&["--oracle=1,1"][..], "oracle: 1 is there twice"),
        (&["--oracle=x"], "--oracle"),
        (&["--load", "0.9"], "tasks.concurrent is `6`, expected 14.4 or more"),
    ] {
        scratch.fail(&with(given), &[named]);
    }
    scratch.fail(&["sim", "--tasks", "radius=1"], &["tasks is given with the pattern `uniform`"]);
    for (given, named) in [
        ("concurent=3", "concurent: unknown field"),
        ("concurrent", "`concurrent` is no NAME=VALUE"),
        ("duration=5q", "duration: `5q` is not a duration"),
        ("radius=1,radius=2", "`radius` is there twice"),
    ] {
        scratch.fail(&["sim", "--traffic", "tasks", "--tasks", given], &["--tasks", named]);
    }
}

#[test]
fn json_says_what_was_simulated_and_runs_again() {
    let scratch = Scratch::new();
    let arguments = ["sim", "--topology", "2-ary-3-tree", "--load", "0.2", "--cycles", "3000", "--warm-up", "500"];
    let said = scratch.succeed(&[&arguments[..], &["--vcs", "2", "--seed", "9", "--json"]].concat());
    let json: Value = serde_json::from_str(&said).unwrap();
    let simulation = &json["simulation"];
    assert_eq!(json["version"], env!("POWAR_VERSION"));
    assert_eq!((&simulation["routing"], &simulation["vcs"]), (&"fat-tree".into(), &2.into()));
    assert_eq!((&simulation["cycle_ns"], &simulation["warm_up"]), (&1.6.into(), &500.into()));
    assert_eq!((&simulation["traffic"]["seed"], &simulation["traffic"]["load"]), (&9.into(), &0.2.into()));
    scratch.write("said.json", &said);
    assert_eq!(scratch.succeed(&["sim", "--point", "said.json", "--json"]), said);
    let text = scratch.succeed(&["sim", "--point", "said.json"]);
    for part in ["routing fat-tree, 2 VCs", "load 0.2, seed 9, warm-up of 500 cycles", "the same, ns", "mean power"] {
        assert!(text.contains(part), "`{part}` is not in {text}");
    }
    scratch.write("other.json", "{}");
    scratch.fail(&["sim", "--point", "other.json"], &["point: other.json is no point", "missing field `simulation`"]);
    // Its simulation is that of the first policy alone.
    let table = scratch.succeed(&["sim", "--topology", "star-4", "--cycles", "100", "--policy", "all", "--json"]);
    scratch.write("table.json", table);
    scratch.fail(&["sim", "--point", "table.json"], &["point: table.json is a table of several policies"]);
}

#[test]
fn several_policies_are_a_table_relative_to_the_reference() {
    let scratch = Scratch::new();
    let arguments = ["sim", "--topology", "2-ary-2-tree", "--load", "0.01", "--cycles", "20000", "--policy"];
    let json = |arguments: &[&str]| -> Value { serde_json::from_str(&scratch.succeed(arguments)).unwrap() };
    let table = json(&[&arguments[..], &["powar,reference,ideal", "--pdt", "1us", "--json"]].concat());
    let rows = table["policies"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["policy"].as_str().unwrap()).collect();
    assert_eq!(names, ["powar", "reference", "ideal"]);
    let alone = json(&[&arguments[..], &["powar", "--pdt", "1us", "--json"]].concat());
    assert_eq!(rows[0]["watts.e_net"], alone["watts"]["e_net"]);
    let energy = |row: usize| rows[row]["watts.e_net"].as_f64().unwrap();
    let relative = |row: usize| rows[row]["relative.watts.e_net"].as_f64().unwrap();
    assert!((relative(0) - energy(0) / energy(1)).abs() < 1e-12 && relative(0) < 1.0 && relative(1) == 1.0, "{table}");
    let every = scratch.succeed(&[&arguments[..], &["all", "--pdt", "1us"]].concat());
    let has = |name: &str| every.lines().any(|line| line.starts_with(name));
    assert!(["reference", "first-on", "powar", "alonso-static", "ideal"].iter().all(|name| has(name)), "{every}");
    // A mechanism of boards can't be in a tree.
    assert!(!has("np-nb") && every.lines().all(|line| line.len() <= 80 || line.starts_with("note")), "{every}");
}
