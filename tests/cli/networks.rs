//! Networks from files: `--network` of `powar sim`, `powar check routing` and `powar emit`.

use crate::Scratch;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

const NET: &str = "# Five switches, one of which has no nodes.\na b\nb c 2\nc d\nd a\na e\nc e\nnode n0 a\nnode n1 b\nnode n2 c 2\nnode n3 d\nnode n4 d\n";

#[test]
fn a_network_from_a_file_is_simulated_and_checked() {
    let scratch = Scratch::new();
    scratch.write("nets/lab.edges", NET);
    let command = ["--network", "nets/lab.edges", "--load", "0.1", "--cycles", "3000", "--json"];
    let by_file: Value = serde_json::from_str(&scratch.succeed(&[&["sim"][..], &command].concat())).unwrap();
    assert_eq!((&by_file["nodes"], &by_file["switches"], &by_file["ports"]), (&5.into(), &5.into(), &20.into()));
    assert_eq!(by_file["topology"], "file:nets/lab.edges");
    let name = ["sim", "--topology", "file:nets/lab.edges"];
    let by_name: Value = serde_json::from_str(&scratch.succeed(&[&name[..], &command[2..]].concat())).unwrap();
    assert_eq!(by_file, by_name);
    assert_eq!(
        scratch.succeed(&["check", "routing", "--network", "nets/lab.edges", "--vcs", "2"]).lines().next(),
        Some("lab, table-limited routing, 2 VCs: free of deadlock")
    );
    scratch.write("ring.graphml", "<graphml><graph><node id='a'/><node id='b'/><node id='c'/><edge source='a' target='b'/><edge source='b' target='c'/><edge source='c' target='a'/></graph></graphml>");
    let text = scratch.succeed(&["check", "routing", "--network", "ring.graphml", "--nodes-per-switch", "3"]);
    assert!(text.contains("3 switches, 60 virtual channels, packets from all nodes to all 9 nodes"), "{text}");
}

#[test]
fn a_design_comes_with_tables_description_and_drawings() {
    let scratch = Scratch::new();
    scratch.write("lab.edges", NET);
    let emit = ["emit", "--top", "switch", "--network", "lab.edges", "--out"];
    let written = scratch.succeed(&[&emit[..], &["a"]].concat());
    let names: BTreeSet<&str> = written.lines().collect();
    for name in [
        "lab_powar_switch.v",
        "config.toml",
        "network.json",
        "network.svg",
        "network.dot",
        "tables/switch-0.txt",
        "tables/switch-4.txt",
    ] {
        assert!(names.contains(format!("a/{name}").as_str()), "{name} is not in {written}");
    }
    // The configuration needs no other file, and gives the same design and the same tables; names alone are not in it.
    scratch.write("lab.edges", "a b\n");
    scratch.succeed(&["emit", "--top", "switch", "--config", "a/config.toml", "--tables", "--out", "b"]);
    let files = scratch.files();
    for name in &names {
        let (one, other) = (&files[Path::new(name)], &files[Path::new(&name.replacen('a', "b", 1))]);
        let is_named = ["network.", "tables/", "files.sha256"].iter().any(|part| name.contains(part));
        assert!(is_named || one == other, "{name}");
        if name.contains("tables/") {
            let writes = |bytes: &Option<Vec<u8>>| {
                let text = String::from_utf8(bytes.clone().unwrap()).unwrap();
                text.lines().filter(|line| !line.starts_with('#')).map(String::from).collect::<Vec<_>>()
            };
            assert_eq!(writes(one), writes(other), "{name}");
        }
    }
    scratch.succeed(&["check", "routing", "--config", "a/config.toml"]);
}

#[test]
fn bad_networks_are_said_in_a_line() {
    let scratch = Scratch::new();
    scratch.write("loop.edges", "a b\na a\n");
    scratch.write("bytes.edges", b"a b\nb \xff\n");
    let one_back =
        "<node id='a'/><node id='b'/><node id='c'/><edge source='a' target='b'/><edge source='b' target='a'/>";
    let mixed =
        format!("<graphml><graph edgedefault='directed'>{one_back}\n<edge source='b' target='c'/></graph></graphml>");
    scratch.write("directed.graphml", mixed);
    scratch.write("net.gml", "graph [\n node [\n id 0\n ]\n]\n");
    scratch.write("good.edges", "a b\nb c\n");
    for command in [&["sim"][..], &["check", "routing"], &["emit", "--out", "design"]] {
        let fail = |options: &[&str], named: &[&str]| scratch.fail(&[command, options].concat(), named);
        fail(&["--network", "loop.edges"], &["loop.edges", "line 2", "from switch `a` to itself"]);
        fail(&["--network", "bytes.edges"], &["bytes.edges", "line 2", "UTF-8"]);
        fail(&["--network", "directed.graphml"], &["directed.graphml", "line 2", "edgedefault=\"undirected\""]);
        fail(&["--network", "net.gml"], &["net.gml", "looks like GML", "write_graphml", "anynet"]);
        fail(&["--network", "none.edges"], &["none.edges", "can't be read"]);
        fail(&["--network", "."], &["can't be read"]);
        fail(&["--network", "good.edges", "--nodes-per-switch", "64"], &["--nodes-per-switch", "1..=63"]);
        fail(&["--network", "good.edges", "--nodes-per-switch", "63"], &["switch `b`", "65 ports", "2..=64"]);
        fail(&["--nodes-per-switch", "2"], &["--network"]);
    }
    scratch.fail(&["sim", "--network", "good.edges", "--topology", "torus-4x4"], &["--network", "--topology"]);
    scratch.fail(&["check", "routing", "--network", "good.edges", "--preset", "fat-tree-2"], &["network", "--preset"]);
    scratch
        .fail(&["emit", "--network", "good.edges", "--preset", "fat-tree-2", "--out", "x"], &["network", "--preset"]);
    scratch.fail(&["emit", "--config", "good.edges", "--out", "x"], &["good.edges"]);
}

/// What others mean by the same words is said beside what is done, by every command, and no result changes its form.
#[test]
fn how_a_file_was_read_is_said() {
    let scratch = Scratch::new();
    scratch.write("weights.edges", "0 1 10\n0 3 10\n1 2 10\n2 3 10\n");
    scratch.write(
        "three.anynet",
        "router 0 node 0 node 1 router 1\nrouter 1 node 2 node 3 router 2 5\nrouter 2 node 4 node 5 router 0\n",
    );
    scratch.write(
        "one.toml",
        "title = \"t\"\n[simulation]\ntopology = \"file:weights.edges\"\ntraffic = { kind = \"synthetic\", cycles = 5000 }\n[[sweep]]\nname = \"load\"\nkey = \"traffic.load\"\nvalues = [0.1]\n",
    );
    let sim = ["sim", "--load", "0.1", "--cycles", "500", "--policy", "reference", "--json", "--network"];
    for (command, file, line) in [
        (&sim[..], "weights.edges", "weights.edges: cables: a third number in every line is taken for"),
        (&sim, "three.anynet", "three.anynet: latency: those of the file, 5 to 5 cycles, are not read"),
        (&["check", "routing", "--network"], "three.anynet", "three.anynet: latency: "),
        (&["emit", "--out", "design", "--network"], "weights.edges", "weights.edges: cables: "),
        (&["experiment"], "one.toml", "weights.edges: cables: "),
    ] {
        let output = scratch.run(&[command, &[file]].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{said}");
        let warnings: Vec<_> =
            said.lines().filter(|said| said.starts_with("powar: warning: ") && said.contains(line)).collect();
        assert_eq!(warnings.len(), 1, "{said}");
    }
    let anynet = scratch.run(&["check", "routing", "--network", "three.anynet"]);
    let text = String::from_utf8(anynet.stdout).unwrap();
    assert!(text.contains("3 switches") && text.contains("to all 6 nodes"), "{text}");
}
