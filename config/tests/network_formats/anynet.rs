//! BookSim2's `anynet`.

use super::{any_text, counted, counts, error, read};

/// The example of BookSim2 (`src/examples/anynet/anynet_file`).
const EXAMPLE: &str = "\
router 0 node 0 node 1 node 2 router 1
router 1 node 3 node 4 node 5
router 2 node 6 node 7 node 8 router 1 router 0
";

#[test]
fn the_example() {
    let (graph, names, remarks) = read(EXAMPLE);
    assert_eq!((counted(&graph), remarks), ([3, 9, 3], vec![]));
    assert_eq!(graph.cables(), [(0, 1), (2, 1), (2, 0)]);
    assert_eq!((names.switches[2].as_str(), names.nodes[8].as_str()), ("router 2", "node 8"));
    assert_eq!(graph.nodes().iter().map(|&(switch, _)| switch).collect::<Vec<_>>(), [0, 0, 0, 1, 1, 1, 2, 2, 2]);
}

#[test]
fn latencies_are_remarked() {
    let three = "router 0 node 0 node 1 router 1\nrouter 1 node 2 node 3 router 2 5\nrouter 2 node 4 node 5 router 0\n";
    let (graph, _, remarks) = read(three);
    assert_eq!(counted(&graph), [3, 6, 3]);
    assert_eq!(
        remarks,
        ["latency: those of the file, 5 to 5 cycles, are not read; every link takes the configuration's `link_delay`"]
    );
    let (graph, _, remarks) = read("Router 0 Router 1 10 Router 2 5\nrouter 1 node 1\nrouter 2 node 0 3\n");
    assert_eq!(counted(&graph), [3, 2, 2]);
    assert!(remarks[0].contains("3 to 10 cycles"), "{remarks:?}");
}

#[test]
fn every_form() {
    // Numbers in any order, several lines for a router, lines of nodes, ends of lines of another system, a comment, blanks.
    let text = "\u{feff}# four\r\nrouter 7 router 3\r\n\r\nnode 1 router 3\r\n  router 7   router 9 \r\nrouter 9 node 0 router 3\r\nrouter 3 node 2\r\n";
    let (graph, names, _) = read(text);
    assert_eq!(names.switches, ["router 3", "router 7", "router 9"]);
    assert_eq!(names.nodes, ["node 0", "node 1", "node 2"]);
    assert_eq!(graph.nodes(), [(2, 1), (0, 1), (0, 1)]);
    assert_eq!(graph.cables(), [(1, 0), (1, 2), (2, 0)]);
    // Said at both ends, and twice at one, it is one link.
    assert_eq!(counts("router 0 router 1 router 1 node 0\nrouter 1 router 0 node 1\nnode 1 router 1\n"), [2, 2, 1]);
    // Nothing is said of nodes: one at every router.
    assert_eq!(counts("router 0 router 1\nrouter 1 router 2\n"), [3, 3, 2]);
    // An edge list with nodes and switches of such names is one still.
    assert_eq!(counts("node 0 router\nnode 1 router\nrouter other\n"), [2, 2, 1]);
}

#[test]
fn wrong_ones() {
    for (text, wanted) in [
        ("router 0 node 0 router 1\nrouter 1 node 0", "line 2: node 0 is at the routers 0 and 1, expected one"),
        ("router 0 router 1\nnode 0 node 1", "line 2: joins the nodes 0 and 1, expected a router"),
        ("router 0 router 1\nrouter 1 router 1", "line 2: a link leads from router 1 to itself"),
        ("router 0 router 1\nrouter 1 switch 2", "line 2: `switch` is neither `router` nor `node`"),
        ("router 0 router 1\nrouter 1 node", "line 2: behind the last `node` a number is missing"),
        ("router 0 router 1\nrouter one", "line 2: `one` is no number of a router"),
        ("router 0 router 1 x", "line 1: `x` is no latency in cycles"),
        ("router 0 router 1 5 6", "line 1: `6` is neither `router` nor `node`"),
        ("router 0 router 99999999999", "line 1: `router 0 router 99999999999` is none of"),
        (
            "router 0 router 1\nrouter 2 router 3\n",
            "it is in pieces: no way leads from switch `router 0` to `router 2`",
        ),
    ] {
        assert!(error(text).starts_with(wanted), "{} instead of {wanted}", error(text));
    }
}

#[test]
fn mutated_anynet() {
    let words = ["router", "node", "0", "1", "-1", "99999999999", "15", "#", "\u{feff}", "switch", "\r"];
    any_text("mutated_anynet", EXAMPLE, &words);
}
