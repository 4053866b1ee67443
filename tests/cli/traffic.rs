//! `powar sim`: patterns with parameters, traffic matrices, lengths of packets, placements of ranks.

use crate::{HPL, Scratch};
use serde_json::Value;

const NETWORKS: &str = include_str!("../../docs/networks.md");
const PROGRAMS: &str = include_str!("../../docs/programs.md");
const JOBS: &str = include_str!("../../docs/jobs.md");

/// The blocks of a page that begin with this word.
fn blocks<'a>(page: &'a str, word: &str) -> Vec<&'a str> {
    let begin = format!("\n```{word}\n");
    page.split(&begin).skip(1).map(|rest| &rest[..rest.find("```").unwrap()]).collect()
}

impl Scratch {
    fn outcome(&self, arguments: &[&str]) -> Value {
        let all = [&["sim", "--cycles", "20000", "--policy", "reference", "--json"], arguments].concat();
        serde_json::from_str(&self.succeed(&all)).unwrap()
    }
}

fn number(outcome: &Value, field: &str) -> f64 {
    outcome[field].as_f64().unwrap_or_else(|| panic!("{field} in {outcome}"))
}

#[test]
fn hot_spots_and_incast_have_defaults_and_parameters() {
    let scratch = Scratch::new();
    let star = ["--topology", "star-4", "--traffic"];
    let run = |arguments: &[&str]| scratch.outcome(&[&star, arguments].concat());
    assert_eq!(run(&["hot-spot"])["traffic"], "hot-spot: a share of 0.1 to node 0, the rest uniform");
    let given = run(&["hot-spot", "--hot-spot", "nodes=1,3,share=0.3"]);
    assert_eq!(given["traffic"], "hot-spot: a share of 0.3 to nodes 1, 3, the rest uniform");
    // One link takes all that comes in: 1/64 of a flit a node and cycle.
    let incast = scratch.outcome(&["--topology", "8-ary-2-tree", "--traffic", "incast", "--load", "0.05"]);
    let (offered, accepted) = (number(&incast, "offered"), number(&incast, "accepted"));
    assert!((offered - 63.0 * 0.05 / 64.0).abs() < 0.003, "{incast}");
    assert!((0.014..=1.0 / 64.0).contains(&accepted), "{incast}");
    assert_eq!(incast["traffic"], "incast: 63 nodes send to node 0");
    let few = run(&["incast", "--incast", "nodes=2,senders=0-1", "--load", "0.2"]);
    assert_eq!(few["traffic"], "incast: 2 nodes send to node 2");
    assert!((number(&few, "accepted") - 0.1).abs() < 0.01, "{few}");
    let text = scratch.succeed(&["sim", "--topology", "star-4", "--traffic", "incast", "--cycles", "1000"]);
    assert!(text.starts_with("traffic incast: 3 nodes send to node 0\nstar-4: "), "{text}");
    let fail = |arguments: &[&str], named: &[&str]| scratch.fail(&[&["sim"], &star[..], arguments].concat(), named);
    fail(&["hot-spot", "--hot-spot", "nodes=4"], &["hot_spot.nodes has `4`, expected 0 to 3"]);
    fail(&["hot-spot", "--hot-spot", "share=2"], &["hot_spot.share is `2`", "0 to 1"]);
    fail(&["hot-spot", "--hot-spot", "heat=2"], &["--hot-spot", "heat: unknown field"]);
    fail(&["uniform", "--incast", "fan_in=2"], &["incast is given with the pattern `uniform`"]);
    fail(&["incast", "--incast", "fan_in=4"], &["incast.fan_in is `4`, expected 1 to 3"]);
    fail(&["incast", "--input", HPL], &["--input", "--traffic"]);
}

#[test]
fn a_matrix_of_the_page_is_what_is_sent() {
    let scratch = Scratch::new();
    let [square, triples] = blocks(NETWORKS, "csv")[..] else { panic!("two examples") };
    scratch.write("rates.csv", square);
    scratch.write("triples.csv", format!("\u{feff}{}", triples.replace('\n', "\r\n")));
    let star = ["--topology", "star-4", "--load", "0.1", "--traffic-matrix"];
    let run = |file: &str| scratch.outcome(&[&star[..], &[file]].concat());
    let (one, other) = (run("rates.csv"), run("triples.csv"));
    assert_eq!(one["packets"], other["packets"]);
    assert_eq!(one["traffic"], "matrix: rates.csv, 3 of 4 nodes send, a node 2.250 times the load at most");
    // Three of four nodes.
    assert!((number(&one, "offered") - 0.075).abs() < 0.01, "{one}");
    // Of an experiment, relative to its file, and kept by what the file says.
    let experiment = "title = 'Matrix'\n[simulation]\ntopology = 'star-4'\npolicy = 'reference'\nwarm_up = 10000\n\
                      traffic = { kind = 'synthetic', pattern = 'matrix', load = 0.1, cycles = 30000, matrix = { file = 'rates.csv' } }\n";
    scratch.write("lab/one.toml", experiment);
    scratch.write("lab/rates.csv", square);
    scratch.succeed(&["experiment", "lab/one.toml", "--out", "out"]);
    let point = scratch.path().join("out/points").read_dir().unwrap().next().unwrap().unwrap().path();
    let kept: Value = serde_json::from_slice(&std::fs::read(point).unwrap()).unwrap();
    assert_eq!((&kept["outcome"]["packets"], &kept["outcome"]["offered"]), (&one["packets"], &one["offered"]));
    scratch.write("lab/rates.csv", format!("# the same by other words\n{square}"));
    scratch.succeed(&["experiment", "lab/one.toml", "--out", "out"]);
    assert_eq!(scratch.path().join("out/points").read_dir().unwrap().count(), 2);
    // By the names of a network's file, and of its switches.
    scratch.write("ring.edges", "nodes 2\nx y\ny z\nz x\n");
    scratch.write("switches.csv", "source,destination,rate\nz,x,1\n");
    let ring = ["--network", "ring.edges", "--traffic-matrix", "switches.csv", "--matrix-of", "switches"];
    assert_eq!(
        scratch.outcome(&ring)["traffic"],
        "matrix: switches.csv, 1 of 3 switches send, a node 1.000 times the load at most"
    );
    for (text, named) in [
        ("0,1\n1,0\n", "matrix: bad.csv: the matrix has 2 rows, expected 4 (nodes)"),
        ("0,1,0,0\n0,0,-1,0\n0,0,0,0\n0,0,0,0\n", "line 2, column 3: rate is `-1`"),
    ] {
        scratch.write("bad.csv", text);
        scratch.fail(&["sim", "--topology", "star-4", "--traffic-matrix", "bad.csv"], &[named]);
    }
    let fail = |arguments: &[&str], named: &[&str]| scratch.fail(&[&["sim"], arguments].concat(), named);
    let too_much = ["--topology", "star-4", "--traffic-matrix", "rates.csv", "--load", "0.5"];
    fail(&too_much, &["load is `0.5`, expected a number above 0 up to 0.4444: node 0 has 2.2500 times the load"]);
    fail(&["--traffic-matrix", "nowhere.csv"], &["matrix: nowhere.csv: can't be read"]);
    fail(&["--traffic", "matrix"], &["matrix is missing, expected one with a file: --traffic-matrix FILE"]);
    fail(&["--matrix-of", "nodes"], &["--traffic-matrix", "not provided"]);
    fail(&["--traffic-matrix", "rates.csv", "--matrix-of", "racks"], &["--matrix-of", "nodes or switches"]);
}

#[test]
fn packets_have_lengths_with_shares() {
    let scratch = Scratch::new();
    let outcome = scratch.outcome(&["--topology", "star-4", "--load", "0.3", "--packet-lengths", "1:0.5,8:0.3,16:0.2"]);
    assert!((number(&outcome, "offered") - 0.3).abs() < 0.02, "{outcome}");
    let mean = number(&outcome, "flits") / number(&outcome, "packets");
    assert!((mean - 6.1).abs() < 0.3, "{mean}");
    // Cut into packets of four flits: of 1, 2 and 4 packets.
    let cut =
        ["--topology", "star-4", "--load", "0.3", "--packet-lengths", "1:0.5,8:0.3,16:0.2", "--packet-flits", "4"];
    let outcome = scratch.outcome(&cut);
    let mean = number(&outcome, "packets") / number(&outcome, "messages");
    assert!((mean - 1.9).abs() < 0.1, "{mean}");
    let fail = |lengths: &str, named: &str| scratch.fail(&["sim", "--packet-lengths", lengths], &[named]);
    fail("1:0.5,8:0.3", "packet_lengths has shares with the sum `0.8`, expected 1");
    fail("8", "expected FLITS:SHARE, such as 8:0.3");
    fail("0:1", "expected FLITS:SHARE, such as 8:0.3");
}

#[test]
fn ranks_run_where_a_file_or_a_name_says() {
    let scratch = Scratch::new();
    let file = blocks(PROGRAMS, "text").into_iter().find(|block| block.starts_with("# Four ranks")).unwrap();
    scratch.write("ranks.txt", file);
    let of = |options: &[&str]| -> Value {
        let program =
            ["sim", "--skeleton", "all-reduce:ranks=4,steps=1,parameters=100k", "--policy", "reference", "--json"];
        let mut said: Value = serde_json::from_str(&scratch.succeed(&[&program[..], options].concat())).unwrap();
        // What comes out, whatever the options are called.
        said.as_object_mut().unwrap().retain(|name, _| !["simulation", "version"].contains(&name.as_str()));
        said
    };
    let placed = of(&["--placement", "ranks.txt", "--ranks-per-node", "2"]);
    let linear = of(&["--placement", "linear"]);
    assert_eq!(linear, of(&[]));
    // Nodes 0 to 3 are at one switch, of which a packet takes one hop; node 9 is at another.
    assert!(number(&placed, "flit_hops") / number(&placed, "flits") > 1.5, "{placed}");
    assert_eq!(number(&linear, "flit_hops"), number(&linear, "flits"));
    assert_eq!(of(&["--placement", "random"]), of(&["--placement", "random:1"]));
    assert_ne!(of(&["--placement", "random:2"]), of(&["--placement", "random:1"]));
    let two = ["--ranks-per-node", "2", "--placement"];
    assert_ne!(of(&[&two[..], &["round-robin"]].concat()), of(&[&two[..], &["linear"]].concat()));
    scratch.write("one.toml", "title = 'Ranks'\n[simulation]\npolicy = 'reference'\ntraffic = { kind = 'trace', ranks_per_node = 2, skeleton = 'all-reduce:ranks=4,steps=1,parameters=100k', placement = 'ranks.txt' }\n");
    scratch.succeed(&["experiment", "one.toml", "--out", "out"]);
    let point = scratch.path().join("out/points").read_dir().unwrap().next().unwrap().unwrap().path();
    let kept: Value = serde_json::from_slice(&std::fs::read(point).unwrap()).unwrap();
    assert_eq!(kept["outcome"], placed);
    let program = ["sim", "--skeleton", "all-reduce:ranks=4,steps=1,parameters=100k", "--placement"];
    let fail = |options: &[&str], named: &str| scratch.fail(&[&program[..], options].concat(), &[named]);
    fail(&["ranks.txt"], "placement: ranks.txt: line 4: node `9` has 2 ranks, expected 1, the ranks per node");
    fail(
        &["nowhere"],
        "placement: `nowhere` is unknown; it must be one of linear, round-robin, spread, random or a file",
    );
    fail(&["linear:3"], "placement is `linear:3`, expected `linear`, which has no seed");
    fail(&["ranks.txt", "--topology", "star-4", "--ranks-per-node", "2"], "line 3: node is `9`, expected 0 to 3");
    scratch.fail(&["sim", "--placement", "linear"], &["--input", "not provided"]);
}

#[test]
fn the_mix_of_the_page_places_its_jobs() {
    let scratch = Scratch::new();
    let mix = blocks(JOBS, "toml").into_iter().find(|block| block.contains("placement")).unwrap();
    scratch.write("mix.toml", mix);
    let run = ["sim", "--topology", "4-ary-2-tree", "--mix", "mix.toml", "--policy", "reference", "--json"];
    let outcome: Value = serde_json::from_str(&scratch.succeed(&run)).unwrap();
    let jobs = outcome["jobs"].as_array().unwrap();
    let of = |name: &str| jobs.iter().find(|job| job["name"] == name).unwrap_or_else(|| panic!("{name} in {outcome}"));
    assert_eq!((&of("halo")["nodes"], &of("halo")["first_node"]), (&4.into(), &0.into()));
    assert_eq!((&of("search")["nodes"], &of("search")["first_node"]), (&4.into(), &1.into()));
    assert_eq!(of("learner")["nodes"], 2);
    for (from, to, named) in [
        ("nodes = [0, 2, 4, 6]", "nodes = [0, 2, 4, 16]", "job `halo`: nodes has `16`, expected 0 to 15"),
        ("\"random:3\"", "\"ranks\"", "job `learner`: placement: `ranks` is unknown; it must be one of linear"),
    ] {
        assert!(mix.contains(from));
        scratch.write("bad.toml", mix.replace(from, to));
        scratch.fail(&["sim", "--topology", "4-ary-2-tree", "--mix", "bad.toml"], &[named]);
    }
}
