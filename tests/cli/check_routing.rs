//! `powar check routing`: whether packets of a network can block each other.

use crate::Scratch;
use serde_json::{Value, json};

#[test]
fn networks_are_named_with_what_was_looked_at() {
    let scratch = Scratch::new();
    let command = ["check", "routing", "--topology", "torus-4x4x4,k4-n2", "--vcs", "3"];
    let text = scratch.succeed(&command);
    let expected = "\
torus-4x4x4, torus routing, 3 VCs: free of deadlock
  64 switches, 1 008 virtual channels, packets from all nodes to all 64 nodes; a packet crosses 7 switches at most
k4-n2, fat-tree routing, 3 VCs: free of deadlock
  6 switches, 144 virtual channels, packets from all nodes to all 16 nodes; a packet crosses 3 switches at most
";
    assert_eq!(text, expected);
    let all: Value = serde_json::from_str(&scratch.succeed(&[&command[..], &["--json"]].concat())).unwrap();
    let torus = &all[0];
    assert_eq!((&torus["network"], &torus["most_hops"]), (&json!("torus-4x4x4"), &json!(7)));
    assert_eq!((&torus["flaw"], &all[1]["routing"]), (&Value::Null, &json!("fat-tree")));
}

#[test]
fn the_configuration_s_network_is_checked_with_another_routing_on_request() {
    let text = Scratch::new().succeed(&["check", "routing", "--routing", "least-occupied", "--preset", "fat-tree-2"]);
    assert!(text.starts_with("fat-tree-2, least-occupied routing, 4 VCs: free of deadlock\n"), "{text}");
}

#[test]
fn nodes_of_a_network_in_a_file_are_part_of_its_name_in_a_list() {
    let scratch = Scratch::new();
    scratch.write("lab.edges", "a b\nb c\n");
    scratch.write("odd,nodes=2.edges", "a b\nb c\n");
    let text = scratch.succeed(&["check", "routing", "--topology", "file:lab.edges,nodes=2,star-4"]);
    assert!(text.contains("to all 6 nodes") && text.contains("\nstar-4, "), "{text}");
    let text = scratch.succeed(&["check", "routing", "--network", "odd,nodes=2.edges"]);
    assert!(text.contains("to all 3 nodes"), "{text}");
    scratch.fail(&["check", "routing", "--topology", "star-4,nodes=2"], &["topology", "`nodes=2`"]);
    let sim = ["sim", "--load", "0.01", "--cycles", "1000", "--network"];
    scratch.succeed(&[&sim[..], &["odd,nodes=2.edges"]].concat());
    scratch.write("attribute.edges", "a b\na,nodes=2\n");
    scratch.fail(&[&sim[..], &["attribute.edges"]].concat(), &["attribute.edges: line 2: `nodes=2` is an attribute"]);
}

#[test]
fn what_can_not_be_checked_is_said_in_a_line() {
    let scratch = Scratch::new();
    scratch.fail(&["check", "routing", "--topology", "ring-4"], &["topology", "`ring-4`", "torus-AxBx.."]);
    scratch.fail(&["check", "routing", "--routing", "left"], &["routing", "`left`", "least-occupied"]);
    scratch.fail(&["check", "routing", "--topology", "torus-4x4", "--vcs", "1"], &["vcs", "1", "2..=8"]);
    scratch.fail(&["check", "--topology", "torus-4x4"], &["--topology"]);
    scratch.fail(&["check", "routing", "--cycles", "5"], &["--cycles"]);
}
