//! Files with networks as others write them: each tool's own, what is remarked of it, what a file of another format looks like.

mod anynet;
mod edge_lists;
mod foreign;
mod graphml;
mod ibnetdiscover;
use crate::mutation;
use mutation::{Mutator, little_memory, try_many};
use powar_config::topology::graph::{Graph, Names, format};
use powar_config::topology::{Topology, Wiring};

/// The network that a text says, and the lines that are remarked.
fn read(text: &str) -> (Graph, Names, Vec<String>) {
    let (graph, names) = format::read(text.as_bytes(), None).unwrap_or_else(|error| panic!("{error:#}\n{text}"));
    let remarks = graph.remarks().to_vec();
    assert!(remarks.iter().all(|line| !line.contains('\n') && line.len() < 400), "{remarks:?}");
    (graph, names, remarks)
}

/// Switches, nodes and cables of a text of which nothing is remarked.
fn counts(text: &str) -> [usize; 3] {
    let (graph, _, remarks) = read(text);
    assert_eq!(remarks, [""; 0], "{text}");
    counted(&graph)
}

fn counted(graph: &Graph) -> [usize; 3] {
    [graph.switches(), graph.nodes().len(), graph.cables().len()]
}

fn error(bytes: impl AsRef<[u8]>) -> String {
    let line = format!("{:#}", format::read(bytes.as_ref(), None).expect_err("must be refused"));
    assert!(!line.contains('\n') && line.len() < 400, "{line:?}");
    line
}

/// The examples of the page about networks say what the page says of them.
#[test]
fn the_pages_examples() {
    const PAGE: &str = include_str!("../../docs/networks.md");
    let example = |heading: &str| {
        let (_, section) = PAGE.split_once(&format!("\n### {heading}\n")).expect("a section");
        let (_, block) = section.split_once("\n```").expect("an example");
        let (text, _) = block.split_once("\n```").expect("its end");
        text.split_once('\n').expect("lines").1
    };
    for (heading, counts, remarks) in [
        ("Edge lists", [4, 2, 7], 0),
        ("GraphML", [2, 3, 1], 0),
        ("anynet", [3, 6, 3], 1),
        ("ibnetdiscover", [2, 2, 1], 1),
    ] {
        let (graph, _, said) = read(example(heading));
        assert_eq!((counted(&graph), said.len()), (counts, remarks), "{heading}");
    }
}

/// Changes to a good text: never a panic, always a line or a network.
fn any_text(test: &str, good: &str, words: &[&str]) {
    try_many(test, |seed| {
        let [bytes] = Mutator::new(seed, words).mutated([good.to_owned()]);
        match format::read(&bytes, None) {
            Ok((graph, names)) => {
                assert_eq!((names.switches.len(), names.nodes.len()), (graph.switches(), graph.nodes().len()));
                let ports = graph.ports().unwrap();
                assert!((2..=64).contains(&ports));
                let wiring: Wiring = Topology::cables(&graph, ports).unwrap();
                assert_eq!(wiring.nodes.len(), graph.nodes().len());
                true
            }
            Err(error) => {
                let line = format!("{error:#}");
                assert!(!line.contains('\n') && line.len() < 1000, "{line:?}");
                false
            }
        }
    });
    little_memory();
}
