//! Tables of a simulation's outcome: `powar sim --links`, `--histogram`, `--flows` and `--series`.

use crate::Scratch;
use serde_json::Value;

const DOCS: &str = include_str!("../../docs/networks.md");
const SIM: [&str; 7] = ["sim", "--topology", "2-ary-2-tree", "--load", "0.2", "--cycles", "5000"];

/// What the page shows of each table is what its command writes.
#[test]
fn the_documented_command_writes_the_documented_tables() {
    let scratch = Scratch::new();
    let start = "powar sim --topology 2-ary-3-tree";
    let command = DOCS.lines().find(|line| line.starts_with(start) && line.contains("--links")).expect("a command");
    let arguments: Vec<&str> = command.split(' ').skip(1).collect();
    let printed = scratch.succeed(&arguments);
    for name in ["links", "histogram", "flows", "series"] {
        let table = std::fs::read_to_string(scratch.path().join(format!("{name}.csv"))).unwrap();
        let head: String = table.lines().take(3).map(|line| format!("{line}\n")).collect();
        assert!(DOCS.contains(&format!("```text\n{head}```")), "{name}.csv begins with\n{head}");
        let line = printed.lines().find(|line| line.ends_with(&format!(" rows in {name}.csv"))).expect(name);
        let rows: String = line.chars().filter(char::is_ascii_digit).collect();
        assert_eq!(rows, (table.lines().count() - 1).to_string(), "{line}");
    }
    let files: Vec<_> = scratch.files().into_keys().collect();
    assert_eq!(files.len(), 4, "{files:?}");
    // Once more, over what is there.
    assert_eq!((scratch.succeed(&arguments), scratch.files().len()), (printed, 4));
}

#[test]
fn json_has_the_tables_that_are_asked_for() {
    let scratch = Scratch::new();
    let json = |arguments: &[&str]| -> Value {
        serde_json::from_str(&scratch.succeed(&[&SIM[..], arguments, &["--json"]].concat())).unwrap()
    };
    let plain = json(&[]);
    let names = ["links", "histogram", "flows", "series"];
    assert!(names.iter().all(|name| plain.get(name).is_none()), "{plain}");
    let latency = plain["packet_latency"].as_object().unwrap();
    assert_eq!(latency.len(), 8, "{latency:?}");
    let quantiles = ["p50", "p90", "p95", "p99", "p999", "max"].map(|name| latency[name].as_u64().unwrap());
    assert!(quantiles.is_sorted() && quantiles[0] > 0, "{latency:?}");
    let full = json(&["--histogram", "--flows", "--interval", "1000", "--links", "links.csv"]);
    let rows = |name: &str| full[name].as_array().unwrap_or_else(|| panic!("{name} in {full}")).len();
    // 8 cables between switches and nodes, each way; every pair of 4 nodes; 15 000 cycles.
    assert_eq!((rows("links"), rows("flows"), rows("series")), (16, 12, 15));
    assert!(rows("histogram") > 10);
    assert_eq!(full["links"][0]["from"], serde_json::json!({"kind": "switch", "name": "0", "port": 0}));
    assert!(full["links"][0]["phases"]["On"].as_f64() > Some(0.0));
    let file = std::fs::read_to_string(scratch.path().join("links.csv")).unwrap();
    assert_eq!(file.lines().count(), 1 + rows("links"));
    assert!(full.as_object().unwrap().iter().all(|(name, value)| {
        // What was asked for is said with the rest of the simulation.
        name == "simulation" || names.contains(&name.as_str()) || plain[name] == *value
    }));
}

#[test]
fn a_program_has_tables_and_the_energy_of_a_cluster() {
    let scratch = Scratch::new();
    let program = ["sim", "--topology", "2-ary-2-tree", "--skeleton", "halo-fft:x=2,y=2,z=1,steps=1"];
    let printed =
        scratch.succeed(&[&program[..], &["--series", "s.csv", "--interval", "1", "--links", "l.csv"]].concat());
    for part in [
        "latency, cycles      mean      p50      p90      p95      p99    p99.9      max",
        "mean power",
        "energy a bit",
    ] {
        assert!(printed.contains(part), "`{part}` is not in {printed}");
    }
    assert!(printed.contains("       network          nodes        cluster\n"), "{printed}");
    assert!(printed.lines().all(|line| line.chars().count() <= 80), "{printed}");
    let series = std::fs::read_to_string(scratch.path().join("s.csv")).unwrap();
    let lines = series.lines().count();
    assert!((100..10_001).contains(&lines), "{lines}");
}

#[test]
fn what_can_not_be_told_is_refused_before_anything_is_simulated() {
    let scratch = Scratch::new();
    scratch.write("folder/kept", "");
    let fail = |arguments: &[&str], named: &[&str]| scratch.fail(&[&SIM[..], arguments].concat(), named);
    fail(&["--links"], &["links: a FILE is needed without --json"]);
    fail(&["--flows", "-"], &["flows: `-` is no file", "--json"]);
    fail(&["--flows", "a.csv", "--links", "a.csv"], &["flows: a.csv is the file of --links too"]);
    fail(&["--flows", "./a.csv", "--links", "a.csv"], &["flows: ./a.csv is the file of --links too"]);
    fail(&["--histogram", "missing/a.csv"], &["histogram", "missing/a.csv", "No such file"]);
    fail(&["--links", "folder"], &["links", "folder", "directory"]);
    fail(&["--series", "s.csv"], &["series: the length of an interval is needed", "--interval 10us"]);
    fail(&["--interval", "1us"], &["interval: for --series FILE or --json"]);
    fail(&["--interval", "0", "--json"], &["--interval", "1 cycle or more"]);
    fail(&["--interval", "often", "--json"], &["--interval", "`often`", "number of cycles"]);
    fail(&["--interval", "1", "--json"], &["interval: 1 is out of range 2..", "10000"]);
}

/// A table in place of what the simulation is made of would be the end of that.
#[test]
fn no_table_replaces_what_is_read() {
    let scratch = Scratch::new();
    let files = [
        ("a.goal", "num_ranks 2\nrank 0 {\na: send 8b to 1 tag 1\n}\nrank 1 {\na: recv 8b from 0 tag 1\n}\n"),
        ("places", "1\n0\n"),
        ("mix.toml", "title = \"one\"\n[[job]]\nname = \"a\"\ninput = \"a.goal\"\n"),
        ("net.edges", "0 1\n1 2\n"),
        ("m.csv", "0,0.1\n0.1,0\n"),
    ];
    files.iter().for_each(|(name, text)| scratch.write(name, text));
    let program = ["sim", "--topology", "star-2", "--policy", "first-on"];
    let synthetic = [&program[..], &["--cycles", "1000"]].concat();
    let cases: [(&[&str], &[&str], &str); 5] = [
        (&program, &["--input", "a.goal"], "./a.goal"),
        (&program, &["--input", "a.goal", "--placement", "places"], "places"),
        (&program, &["--mix", "mix.toml"], "a.goal"),
        (&["sim", "--cycles", "1000"], &["--network", "net.edges"], "net.edges"),
        (&synthetic, &["--traffic-matrix", "m.csv"], "m.csv"),
    ];
    for (first, options, table) in cases {
        let said = format!("links: {table} is an input of the simulation; expected another file");
        scratch.fail(&[first, options, &["--links", table]].concat(), &[&said]);
    }
    for (name, text) in files {
        assert_eq!(std::fs::read_to_string(scratch.path().join(name)).unwrap(), text, "{name}");
    }
}
