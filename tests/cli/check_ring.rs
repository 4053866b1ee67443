//! `powar check ring`: the power mechanisms of a whole ring of boards.

use crate::Scratch;
use powar_tools::tools_or_skip;
use serde_json::{Value, json};

#[test]
fn a_ring_is_checked_and_the_waves_of_a_board_are_written() {
    if tools_or_skip("check_ring").is_none() {
        return;
    }
    let scratch = Scratch::new();
    let command = ["check", "ring", "--topology", "boards-2x1", "--cycles", "3000", "--lost", "20"];
    let text = scratch.succeed(&[&command[..], &["--vcd", "r.vcd", "--board", "1"]].concat());
    assert!(text.starts_with("e_rapid of boards-2x1, a ring of 2 boards: equal in 3 000 cycles ("), "{text}");
    assert!(text.ends_with("  waves: r.vcd (gtkwave r.gtkw)\n"), "{text}");
    let waves = std::fs::read_to_string(scratch.path().join("r.vcd")).unwrap();
    assert!(waves.contains("board 1 of 2") && waves.contains("srequest_w0_to_board1"), "no message of board 1");
    let all: Value = serde_json::from_str(&scratch.succeed(&[&command[..], &["--json"]].concat())).unwrap();
    let ring = &all[0];
    assert_eq!((&ring["equal"], &ring["boards"], &ring["cycles"]), (&json!(true), &json!(2), &json!(3000)));
    assert!(ring["words"].as_u64() > Some(10) && ring["spoilt"].as_u64() > Some(0), "{ring}");
}

#[test]
fn what_can_not_be_checked_is_said_in_a_line() {
    let scratch = Scratch::new();
    scratch.fail(&["check", "ring"], &["mechanism.kind", "powar", "e_rapid"]);
    scratch.fail(&["check", "ring", "--topology", "torus-4x4"], &["topology must be boards-BxD"]);
    scratch.fail(&["check", "ring", "--topology", "boards-9x1"], &["topology", "boards-9x1", "73 ports"]);
    let boards = ["check", "ring", "--topology", "boards-3x1"];
    let fail = |more: &[&str], named: &[&str]| scratch.fail(&[&boards[..], more].concat(), named);
    fail(&["--vcd", "r.vcd", "--board", "3"], &["board", "3", "0..=2"]);
    fail(&["--board", "1"], &["--vcd"]);
    fail(&["--vcd", "r.txt"], &["r.txt", ".vcd"]);
    fail(&["--delay", "5000"], &["--delay", "0..=4095"]);
    fail(&["--block", "e_rapid"], &["--block"]);
    scratch.fail(&["check", "ring", "--topology", "boards-3x1,boards-4x1", "--vcd", "r.vcd"], &["--vcd", "2"]);
    scratch.fail(&["check", "--lost", "5"], &["--lost"]);
}
