//! Traffic matrices: what each form of a file says, what is refused and how, that what comes out is what the matrix says, and that no text makes the
//! reader panic.

use crate::common::mutation;

use mutation::{Mutator, little_memory, try_many};
use powar_config::topology::graph::{Graph, Names};
use powar_config::topology::wiring::Wiring;
use powar_config::{Config, Workload};
use powar_traffic::synthetic::patterns::{Parts, Rates, read_rates};
use powar_traffic::synthetic::{Level, MatrixOptions, Surroundings, Synthetic, SyntheticOptions};
use std::collections::BTreeMap;
use std::path::Path;

fn read(text: impl AsRef<[u8]>, nodes: u32, switches: u32) -> anyhow::Result<Rates> {
    read_rates(text.as_ref(), &Parts::new(nodes, Some(switches), None, None))
}

/// Source, destination, rate.
fn flat(rates: &Rates) -> Vec<(u32, u32, f64)> {
    let of_row = |(source, row): (u32, &Vec<(u32, f64)>)| {
        row.iter().map(|&(destination, rate)| (source, destination, rate)).collect::<Vec<_>>()
    };
    (0..).zip(&rates.rows).flat_map(of_row).collect()
}

/// 0 sends 1 to 1 and 2 to 2; 1 sends 0.5 to 0; 2 is silent.
const FLAT: [(u32, u32, f64); 3] = [(0, 1, 1.0), (0, 2, 2.0), (1, 0, 0.5)];

#[test]
fn forms_of_a_square() {
    for text in [
        "0,1,2\n0.5,0,0\n0,0,0\n",
        "\u{feff}0,1,2\r\n0.5,0,0\r\n0,0,0\r\n",
        "# numpy.savetxt\n0.0e+00 1.0e+00 2.0e+00\n5.0e-01 0 0\n\n0 0 0",
        "0;1;2\n0.5; 0;0\n0;0;0\n",
        "0\t1\t2\n0.5\t0\t0\n0\t0\t0\n",
        "a,b,c\n0,1,2\n0.5,0,0\n0,0,0\n",
        "a,0,1,2\nb,0.5,0,0\nc,0,0,0\n",
        ",a,b,c\na,0,1,2\nb,0.5,0,0\nc,0,0,0\n",
        "node,0,1,2\n0,0,1,2\n1,0.5,0,0\n2,0,0,0\n",
        ",0,1,2\n0,0,1,2\n1,0.5,0,0\n2,0,0,0\n",
        // pandas without its index: numbers above the columns.
        "0,1,2\n0,1,2\n0.5,0,0\n0,0,0\n",
        "0,0,1,2\n1,0.5,0,0\n2,0,0,0\n",
        "\"a\",\"b\",\"c\"\n\"0\",1,2\n0.5,0,0\n0,0,0\n",
        // Numbers say which is which, in any order.
        ",2,0,1\n2,0,0,0\n1,0,0.5,0\n0,2,0,1\n",
        "source,destination,rate\n0,2,2\n0,1,0.75\n1,0,0.5\n0,1,0.25\n",
        // By the names, in any order; with the index of pandas.
        "destination,source,rate\n2,0,2\n1,0,0.75\n0,1,0.5\n1,0,0.25\n",
        "weight,target,source\n2,2,0\n1,1,0\n0.5,0,1\n",
        ",source,destination,bytes\n0,0,2,2\n1,0,1,1\n2,1,0,0.5\n",
        "from;to;Mbit/s\n1;0;.5\n0;1;1\n0;2;2\n2;2;0\n",
    ] {
        let rates = read(text, 3, 7).unwrap_or_else(|error| panic!("{text:?}: {error:#}"));
        assert_eq!((rates.level, flat(&rates)), (Level::Nodes, FLAT.to_vec()), "{text:?}");
    }
    assert_eq!(
        format!("{:#}", read("0,1,x\n0,2,2\n", 8, 4).unwrap_err()),
        "line 1, column 3: rate is `x`, expected a number of 0 or more"
    );
    // Triples without a line above, where no square could have three columns.
    let triples = read("0,1,1\n0,2,2\n1,0,0.5\n", 8, 4).unwrap();
    assert_eq!((flat(&triples), triples.rows.len()), (FLAT.to_vec(), 8));
}

#[test]
fn the_size_says_what_a_matrix_is_of() {
    let square = "0,1\n1,0\n";
    assert_eq!(read(square, 2, 4).unwrap().level, Level::Nodes);
    assert_eq!(read(square, 4, 2).unwrap().level, Level::Switches);
    assert_eq!(read(square, 2, 2).unwrap().level, Level::Nodes);
    let asked = |of| read_rates(square.as_bytes(), &Parts::new(2, Some(2), None, Some(of))).unwrap().level;
    assert_eq!((asked(Level::Nodes), asked(Level::Switches)), (Level::Nodes, Level::Switches));
}

#[test]
fn names_are_those_of_the_network() {
    let names = Names {
        switches: vec!["s".into(), "t".into()],
        nodes: ["x", "y", "z"].map(String::from).to_vec(),
        ..Names::default()
    };
    let read = |text: &str| {
        read_rates(text.as_bytes(), &Parts::new(3, Some(2), Some(&names), None)).map_err(|error| format!("{error:#}"))
    };
    let expected = FLAT.to_vec();
    assert_eq!(flat(&read(",z,x,y\nx,2,0,1\nz,0,0,0\ny,0,0.5,0\n").unwrap()), expected);
    assert_eq!(flat(&read("z,x,y\n0,0,0\n2,0,1\n0,0.5,0\n").unwrap()), expected);
    assert_eq!(flat(&read("source,destination,rate\ny,x,0.5\nx,y,1\n0,z,2\n").unwrap()), expected);
    assert_eq!(read("a,b,c\n0,1,2\n0.5,0,0\n0,0,0\n").map(|rates| flat(&rates)), Ok(expected), "names of nobody");
    let error = "node is `w`, expected 0 to 2, or a name of the network's file";
    assert_eq!(read("x,y,w\n0,1,2\n0.5,0,0\n0,0,0\n").unwrap_err(), error);
    assert_eq!(read("source,destination,rate\nx,y,1\nw,y,1\n").unwrap_err(), format!("line 3: {error}"));
    assert_eq!(read("x,y,x\n0,1,2\n0.5,0,0\n0,0,0\n").unwrap_err(), "node `x` is named twice, expected each once");
}

#[test]
fn what_is_wrong_is_said_in_a_line() {
    for (text, says) in [
        ("", "the file has no numbers"),
        ("# nothing\n\n", "the file has no numbers"),
        ("0,1,2\n-0.5,0,0\n0,0,0\n", "line 2, column 1: rate is `-0.5`, expected a number of 0 or more"),
        ("0,1,nan\n0,0,0\n0,0,0\n", "line 1, column 3: rate is `nan`, expected a number of 0 or more"),
        ("0,1,2\r\n0,0,inf\r\n0,0,0\r\n", "line 2, column 3: rate is `inf`"),
        ("0,x,2\n0,0,0\n0,0,0\n", "line 1, column 2: rate is `x`"),
        ("0,1,\n0,0,0\n0,0,0\n", "line 1, column 3: rate is ``"),
        ("0,1,2\n0.5,0\n0,0,0\n", "line 2: there are 2 values, expected 3 as in the lines before"),
        ("0,1,2\n0.5,0,0\n", "the matrix has 2 rows of 3 values, expected a square"),
        ("0,1,3\n1,0,0\n0,0,0\n0,0,1\n", "the matrix has 4 rows of 3 values, expected a square"),
        ("0,1,2\n1,0,0\n0,0,0\n0,0,1\n1,1,1\n", "line 5: there are more rows than columns, expected a square"),
        ("0,1\n1,0\n", "the matrix has 2 rows, expected 3 (nodes) or 7 (switches)"),
        ("0,0,0\n0,0,0\n0,0,0\n", "all rates are 0, expected one above 0"),
        ("0,1,2\n0,0.5,0\n0,0,0\n", "line 2: the rate from 1 to itself is `0.5`, expected 0"),
        ("0,1e308,1e308\n0,0,0\n0,0,0\n", "the sum of the rates is beyond all numbers"),
        ("a,b\n0,1,2\n0,0,0\n0,0,0\n", "line 1: there are 2 names, expected 3, one for each column"),
        (",a,b,c\nb,0,1,2\na,0,0,0\nc,0,0,0\n", "a row is named `b` and its column `a`, expected one order"),
        (",0,1,1\n0,0,1,2\n1,0,0,0\n2,0,0,0\n", "node `1` is named twice, expected each once"),
        (",1,2,3\n1,0,1,2\n2,0,0,0\n3,0,0,0\n", "node is `3`, expected 0 to 2"),
        ("source,destination,rate\n0,3,1\n", "line 2: node is `3`, expected 0 to 2"),
        ("source,destination,rate\n0,1\n", "line 2: there are 2 values, expected 3: source, destination and rate"),
        (
            "rate,source,to_whom\n1,0,1\n",
            "the columns are `rate,source,to_whom`, expected source, destination and rate, in this order",
        ),
        ("source,destination,rate\n0,1,-1\n", "line 2, column 3: rate is `-1`"),
        ("source,destination,rate\n0,1,1\n1,1,1\n", "line 3: the rate from 1 to itself is `1.0`, expected 0"),
        ("source,destination,rate\n", "all rates are 0, expected one above 0"),
        ("source,destination\n0,1\n", "the columns are `source,destination`, expected source, destination and rate"),
    ] {
        let error = format!("{:#}", read(text, 3, 7).expect_err(text));
        assert!(error.starts_with(says) && !error.contains('\n'), "{text:?}: {error}, expected {says}");
    }
    assert_eq!(format!("{:#}", read(b"0,1\n\xff,0\n", 2, 2).unwrap_err()), "line 2: the text is not UTF-8");
}

/// What synthetic traffic of a matrix comes to: packets by source and destination, in so many cycles of packets of one flit.
fn flows(network: &str, text: &str, load: f64, cycles: u64) -> BTreeMap<(u32, u32), f64> {
    let (traffic, folder) = traffic(network, text, &SyntheticOptions { load, cycles, ..options() });
    drop(folder);
    let (mut traffic, mut messages) = (traffic.unwrap(), vec![]);
    while !traffic.is_over() {
        let now = traffic.next_event();
        traffic.act(now, &mut messages).unwrap();
    }
    let mut flows = BTreeMap::new();
    for message in messages {
        *flows.entry((message.source, message.destination)).or_default() += 1.0;
    }
    flows
}

fn options() -> SyntheticOptions {
    SyntheticOptions { pattern: "matrix".into(), packet_flits: 1, seed: 3, ..Default::default() }
}

fn traffic(network: &str, text: &str, options: &SyntheticOptions) -> (Result<Synthetic, String>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rates.csv");
    std::fs::write(&file, text).unwrap();
    let config = Config::of_network(network).unwrap();
    let wiring = Wiring::new(&config).unwrap();
    let surroundings = Surroundings {
        nodes: wiring.nodes.len() as u32,
        dimensions: &[],
        cycle_ns: 1.0,
        wiring: Some(&wiring),
        names: None,
    };
    let options = SyntheticOptions { matrix: Some(MatrixOptions { file, of: None }), ..options.clone() };
    (Synthetic::in_network(&options, &surroundings).map_err(|error| format!("{error:#}")), folder)
}

/// Each flow within five standard deviations of a Poisson number of what it should be, and no others.
#[track_caller]
fn assert_flows(seen: &BTreeMap<(u32, u32), f64>, expected: &[((u32, u32), f64)]) {
    assert_eq!(seen.keys().copied().collect::<Vec<_>>(), expected.iter().map(|(flow, _)| *flow).collect::<Vec<_>>());
    for (flow, packets) in expected {
        assert!((seen[flow] - packets).abs() < 5.0 * packets.sqrt(), "{flow:?}: {}, expected {packets}", seen[flow]);
    }
}

#[test]
fn what_comes_out_is_what_the_matrix_says() {
    // Rows of 3, 0.5, 0 and 0.5: three senders, 4/3 in the mean. A load of 0.2 is 0.2 x 3 flits a cycle in all.
    let text = "0,1,2,0\n0.5,0,0,0\n0,0,0,0\n0.25,0.25,0,0\n";
    let all = 0.2 * 3.0 * 100_000.0;
    let expected = [((0, 1), 1.0), ((0, 2), 2.0), ((1, 0), 0.5), ((3, 0), 0.25), ((3, 1), 0.25)];
    let expected = expected.map(|(flow, rate)| (flow, rate / 4.0 * all));
    assert_flows(&flows("star-4", text, 0.2, 100_000), &expected);
    // The unit of the rates makes no difference, and a uniform matrix is uniform traffic to the packet.
    let thousandfold = text.replace("0.25", "250").replace("0.5", "500").replace('1', "1e3").replace(",2,", ",2000,");
    assert_eq!(flows("star-4", &thousandfold, 0.2, 1_000), flows("star-4", text, 0.2, 1_000));
}

#[test]
fn every_kind_of_arrivals_keeps_to_the_rows() {
    let text = "0,1,2,0\n0.5,0,0,0\n0,0,0,0\n0.25,0.25,0,0\n";
    for arrivals in ["bernoulli", "periodic", "self-similar"] {
        let options = SyntheticOptions { arrivals: arrivals.into(), load: 0.2, cycles: 2_000_000, ..options() };
        let mut traffic = traffic("star-4", text, &options).0.unwrap();
        let (mut sent, mut messages) = ([0.0_f64; 4], vec![]);
        while !traffic.is_over() {
            traffic.act(traffic.next_event(), &mut messages).unwrap();
            messages.drain(..).for_each(|message| sent[message.source as usize] += 1.0 / 2e6);
        }
        for (sent, expected) in sent.into_iter().zip([0.45, 0.075, 0.0, 0.075]) {
            // Bursts without a memory's end vary by far more than memoryless packets.
            assert!((sent - expected).abs() <= 0.1 * expected, "{arrivals}: {sent}, expected {expected}");
        }
    }
}

#[test]
fn nodes_share_what_their_switch_sends_and_receives() {
    // Two nodes at each of three switches: 0 sends to 1 and to itself, 1 to 2. Each node of 0 sends 2, each of 1 sends 1.
    let text = "1,3,0\n0,0,2\n0,0,0\n";
    let expected = [(0, 1, 0.5), (0, 2, 0.75), (0, 3, 0.75), (1, 0, 0.5), (1, 2, 0.75), (1, 3, 0.75)];
    let expected = expected.into_iter().chain([(2, 4, 0.5), (2, 5, 0.5), (3, 4, 0.5), (3, 5, 0.5)]);
    // 0.2 in the mean of four senders is what a rate of 1.5 is.
    let expected: Vec<_> =
        expected.map(|(source, destination, rate)| ((source, destination), rate / 1.5 * 0.2 * 100_000.0)).collect();
    assert_flows(&flows("mesh-3-nodes2", text, 0.2, 100_000), &expected);
}

#[test]
fn a_row_beyond_its_links_is_said() {
    let text = "0,1,2,0\n0.5,0,0,0\n0,0,0,0\n0.25,0.25,0,0\n";
    let error = |load| traffic("star-4", text, &SyntheticOptions { load, ..options() }).0.map(|_| ()).unwrap_err();
    let expected = "load is `0.5`, expected a number above 0 up to 0.4444: node 0 has 2.2500 times the load, and its links carry 1";
    assert_eq!(error(0.5), expected);
    assert!(traffic("star-4", text, &SyntheticOptions { load: 0.4444, ..options() }).0.is_ok());
    let small = traffic("8-ary-2-tree", "0,1\n1,0", &options()).0.map(|_| ()).unwrap_err();
    assert!(small.contains("rates.csv: the matrix has 2 rows, expected 64 (nodes) or 16 (switches)"), "{small}");
    let roots = (0..16).map(|row| (0..16).map(|column| u8::from(row == 0 && column == 15).to_string()).collect());
    let roots: Vec<String> = roots.map(|row: Vec<String>| row.join(",")).collect();
    let error = traffic("8-ary-2-tree", &roots.join("\n"), &options()).0.map(|_| ()).unwrap_err();
    assert!(error.ends_with("switch 15 has no nodes, expected rates of 0 for it"), "{error}");
    let alone = traffic("mesh-2x2", "0,1,0,0\n0,1,0,0\n0,0,0,0\n0,0,0,0\n", &options()).0.map(|_| ()).unwrap_err();
    assert!(alone.ends_with("line 2: the rate from 1 to itself is `1.0`, expected 0"), "{alone}");
}

const WORDS: &[&str] = &[
    "0",
    "1",
    "-1",
    "1e308",
    "1e-320",
    "nan",
    "inf",
    "",
    ",",
    ";",
    "\t",
    " ",
    "\"",
    "\"\"",
    "\n",
    "\r\n",
    "\r",
    "#",
    "source",
    "destination",
    "rate",
    "x",
    "y",
    "3",
    "4",
    "99999999999",
    "\u{feff}",
    "\u{0}",
    "0x1",
    "1,2",
    "0,1,2,3",
];

#[test]
fn mutated() {
    let names = Names { switches: vec![], nodes: ["x", "y", "z", "w"].map(String::from).to_vec(), ..Names::default() };
    try_many("matrix::mutated", |seed| {
        let mut mutator = Mutator::new(seed, WORDS);
        let text = match mutator.below(4) {
            0 => "0,1,2,3\n1,0,0,0\n0,0.5,0,1\n0,0,1,0\n",
            1 => ",x,y,z,w\nx,0,1,2,3\ny,1,0,0,0\nz,0,0.5,0,1\nw,0,0,1,0\n",
            2 => "source,destination,rate\nx,y,1\ny,x,2.5\n3,0,1\nz,x,0\n",
            _ => "0 1\n1 0\n",
        };
        let [bytes] = mutator.mutated([text.to_owned()]);
        let of = [None, Some(Level::Nodes), Some(Level::Switches)][mutator.below(3)];
        match read_rates(&bytes, &Parts::new(4, Some(2), Some(&names), of)) {
            Ok(rates) => {
                assert_eq!(rates.rows.len(), if rates.level == Level::Nodes { 4 } else { 2 });
                let flat = flat(&rates);
                assert!(!flat.is_empty() && flat.iter().all(|(.., rate)| *rate > 0.0 && rate.is_finite()));
                true
            }
            Err(error) => {
                let line = format!("{error:#}");
                assert!(!line.contains('\n') && line.len() < 300, "{line:?}");
                false
            }
        }
    });
    little_memory();
}

/// Names of a file's network are found through its name.
#[test]
fn names_come_from_the_networks_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ring.edges");
    std::fs::write(&path, "nodes 2\nb a\na c\nc b\n").unwrap();
    let (_, names) = Graph::from_file(Path::new(&path), None).unwrap();
    assert_eq!(names.switches, ["b", "a", "c"]);
    let named = powar_config::topology::graph::Names::of(&format!("file:{}", path.display())).unwrap();
    assert_eq!(named, names);
    assert_eq!(powar_config::topology::graph::Names::of("8-ary-2-tree").unwrap(), Names::default());
}
