//! `powar host`: what it prints, and what it says of devices that are none.

use crate::{Scratch, text};
use powar_config::presets;

#[path = "../../host/tests/support/mod.rs"]
pub mod support;

const PRESET: [&str; 3] = ["host", "--preset", "fat-tree-2"];

fn host<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    PRESET.iter().chain(arguments).copied().collect()
}

#[test]
fn registers_are_listed_and_written_without_a_device() {
    let scratch = Scratch::new();
    let list = scratch.succeed(&host(&["list"]));
    assert!(list.contains("0x01098  port2.flits              read         Flits sent\n"), "{list}");
    let lines = scratch.succeed(&host(&["list", "--json"]));
    let first: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!((first["name"].as_str(), first["address"].as_u64()), (Some("switch.id"), Some(0)));
    scratch.succeed(&host(&["list", "--out", "maps"]));
    let files: Vec<String> = scratch.files().keys().map(|path| path.display().to_string()).collect();
    let map = |ending| format!("maps/powar_demonstrator_registers.{ending}");
    let maps = ["h", "json", "md", "rdl"].map(map);
    assert_eq!(files[..3], ["maps", "maps/csr.csv", "maps/files.sha256"]);
    assert_eq!(files[3..], maps);
    // Nor do those of another device take their place unasked.
    let other =
        |force: &[&'static str]| [&["host", "--preset", "demonstrator-8", "list", "--out", "maps"], force].concat();
    scratch.fail(&other(&[]), &["maps/powar_demonstrator_registers", "is of another design", "--force"]);
    scratch.succeed(&other(&["--force"]));
}

#[test]
fn what_is_wrong_is_one_line() {
    let scratch = Scratch::new();
    scratch.fail(&host(&["--port", "/dev/none", "get", "switch.id"]), &["port", "/dev/none", "No such file"]);
    scratch.fail(&host(&["--port", "/dev/null", "get", "switch.id"]), &["/dev/null is not a serial port"]);
    scratch.fail(&host(&["get", "flits"]), &["register", "`flits` is unknown"]);
    scratch.fail(&host(&["get", "port9.flits"]), &["`port9.flits` is unknown"]);
    scratch.fail(&host(&["set", "port0.flits", "1"]), &["port0.flits: can only be read"]);
    scratch.fail(&host(&["set", "node0.load", "0x40000"]), &["node0.load: 262144 is out of range 0..=131071"]);
    scratch.fail(&host(&["set", "node0.load", "much"]), &["much", "0..=4294967295"]);
    scratch.fail(&host(&["load-table"]), &["table: fat-tree-2 is routed by fat-tree, which has none to load"]);
    scratch.fail(&host(&["--baud", "0", "get", "switch.id"]), &["--baud", "1..=12000000"]);
    scratch.fail(&host(&["--timeout", "soon", "get", "switch.id"]), &["soon", "500ms"]);
    scratch.fail(&host(&["script", "none.txt"]), &["none.txt"]);
    scratch.write("bad.txt", "reset-counters\njump\n");
    scratch.fail(&host(&["script", "bad.txt"]), &["line 2", "`jump` is none of get"]);
    scratch
        .fail(&["host", "--preset", "fat-tree-32", "list"], &["ports: 64 is out of range 2..=60 for a demonstrator"]);
}

#[test]
fn a_device_is_read_set_watched_and_run_by_a_script() {
    let simulated = support::Simulated::new(&presets::by_name("fat-tree-2").unwrap());
    let scratch = Scratch::new();
    let with = |arguments: &[&str]| {
        let mut all = vec!["--port", &simulated.path, "--timeout", "5s"];
        all.extend(arguments);
        scratch.succeed(&host(&all))
    };
    assert_eq!(with(&["get", "demo.id"]), "demo.id                  1347376964  0x504f5744\n");
    with(&["traffic", "--load", "0.3", "--pattern", "neighbour", "--burst", "100/300", "--start"]);
    assert_eq!(with(&["--json", "get", "node1.load"]), "{\"name\":\"node1.load\",\"address\":70152,\"value\":19661}\n");
    let watched = with(&["watch", "--every", "50ms", "--count", "2"]);
    assert_eq!(watched.matches("port  ").count(), 2, "{watched}");
    assert!(watched.contains(" 0 errors\n"), "{watched}");
    scratch.write("measure.txt", "traffic stop\nreset-counters\nget port*.flits # none\nwatch 10ms\n");
    let answers = with(&["script", "measure.txt"]);
    let objects: Vec<serde_json::Value> = answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 4);
    assert_eq!(objects[2]["get"].as_array().unwrap().len(), 4);
    assert_eq!(objects[3]["watch"]["nodes"][3]["packets_sent"], 0);
    // A device of another size.
    let wrong = scratch.run(&["host", "--preset", "fat-tree-4", "--port", &simulated.path, "get", "demo.id"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("device: switch.geometry reads as"), "{}", text(&wrong.stderr));
}
