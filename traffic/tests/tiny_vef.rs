//! Hand-written VEF traces with departures worked out by hand, to the cycle.
//!
//! A cycle is 1.6 ns, so 16 ns are 10 cycles; a packet is 8 flits for 128 bytes; a message has come in
//! 32 cycles (50 ns rounded up) after its last flit has left.

use crate::common;
use common::{SMALL_TREE, arrivals_of, textbook, vef_file};
use powar_traffic::{ReplayOptions, Trace, TrafficOptions};

/// First cycle, source, destination, bytes.
type Departure = (u64, u32, u32, u64);

fn departures_with(text: &str, options: &TrafficOptions) -> Vec<Departure> {
    let file = vef_file(text);
    let trace = Trace::open(file.path()).unwrap();
    let replay = trace.replay(options, Box::new(|_, _| 1)).unwrap();
    replay.map(|message| message.unwrap()).map(|m| (m.start, m.source, m.destination, m.bytes)).collect()
}

fn departures(text: &str) -> Vec<Departure> {
    departures_with(text, &textbook())
}

/// All tasks enter one collective at time 0; a line gives operation, task and sizes.
fn collective(tasks: u32, lines: &[&str]) -> Vec<Departure> {
    let world: Vec<String> = (0..tasks).map(|task| task.to_string()).collect();
    let lines: String = lines.iter().map(|line| format!("G0 0 {line} 0 0 -1\n")).collect();
    departures(&format!("VEF {tasks} 0 1 1 {tasks} 0\nC0 {}\n{lines}", world.join(" ")))
}

#[test]
fn dep_0_is_a_time_of_its_own() {
    let text = "VEF 2 3 1 0 0 0\nC0 0 1\n0 0 1 300 0 160 -1\n1 1 0 8 0 1 -1\n2 0 1 8 0 176 -1\n";
    // 1 ns is rounded up to a cycle; the last one waits for the link, taken from 100 to 123.
    assert_eq!(departures(text), [(1, 1, 0, 8), (100, 0, 1, 300), (124, 0, 1, 8)]);
}

#[test]
fn dep_1_waits_until_a_message_has_left() {
    let text = "VEF 2 3 1 0 0 0\nC0 0 1\n0 0 1 300 0 160 -1\n1 0 1 8 1 16 0\n2 0 1 9 1 0 1\n";
    // The last flit has left before cycle 124, that of the second before 142.
    assert_eq!(departures(text), [(100, 0, 1, 300), (134, 0, 1, 8), (142, 0, 1, 9)]);
}

#[test]
fn dep_2_waits_until_a_message_has_come_in() {
    let text = "VEF 3 4 1 0 0 0\nC0 0 1 2\n0 0 1 300 0 160 -1\n1 1 0 8 2 16 0\n2 1 2 0 2 0 0\n3 0 0 9 2 16 1\n";
    // In at 124 + 32; that of line 4 at 174 + 32, and the last one stays in its node.
    assert_eq!(departures(text), [(100, 0, 1, 300), (156, 1, 2, 0), (166, 1, 0, 8), (216, 0, 0, 9)]);
}

#[test]
fn dep_3_waits_until_the_task_has_finished_a_collective() {
    let text = "VEF 2 2 1 1 2 0
C0 0 1
G5 0 6 0 0 0 0 160 -1
G5 0 6 1 0 0 0 320 -1
0 0 1 8 3 16 5
1 1 0 8 3 16 5
";
    let expected = [
        (100, 0, 1, 0),
        (200, 1, 0, 0),
        // Task 1 has had the other's message since 140 and is done when its own has left, in 208.
        (218, 1, 0, 8),
        // Task 0 gets it in 240.
        (250, 0, 1, 8),
    ];
    assert_eq!(departures(text), expected);
}

#[test]
fn a_collective_may_wait_for_messages_and_collectives() {
    let text = "VEF 2 1 1 2 4 0
C0 0 1
0 0 1 128 0 160 -1
G0 0 6 0 0 0 1 16 0
G0 0 6 1 0 0 2 0 0
G1 0 0 0 128 0 3 0 0
G1 0 0 1 0 128 3 0 0
";
    // Left before 108, in at 140. Task 0 enters in 118, task 1 in 140; task 0 is done in 148 + 32.
    assert_eq!(departures(text), [(100, 0, 1, 128), (118, 0, 1, 0), (140, 1, 0, 0), (180, 0, 1, 128)]);
}

#[test]
fn the_order_of_the_lines_does_not_matter() {
    let lines = [
        "0 0 1 128 0 160 -1",
        "1 1 2 128 2 16 0",
        "G0 0 6 0 0 0 1 16 0",
        "G0 0 6 1 0 0 1 0 1",
        "G0 0 6 2 0 0 2 32 1",
        "2 2 0 64 3 0 G0",
    ];
    let head = "VEF 3 3 1 1 3 0\nC0 0 1 2\n";
    let forward = departures(&(head.to_owned() + &lines.join("\n")));
    assert_eq!(forward.len(), 9);
    for turn in 0..lines.len() {
        let mut turned = lines;
        turned.rotate_left(turn);
        assert_eq!(departures(&(head.to_owned() + &turned.join("\n"))), forward);
        turned.reverse();
        assert_eq!(departures(&(head.to_owned() + &turned.join("\r\n"))), forward);
    }
}

#[test]
fn op_0_is_a_broadcast_down_the_binomial_tree() {
    let found = collective(4, &["0 0 0 300", "0 1 0 300", "0 2 300 0", "0 3 0 300"]);
    // From 2 to 0, which has it in 24 + 32 and hands it on to 1; from 2 to 3.
    assert_eq!(found, [(0, 2, 0, 300), (24, 2, 3, 300), (56, 0, 1, 300)]);
}

#[test]
fn op_1_is_a_reduction_up_the_binomial_tree() {
    let found = collective(4, &["1 0 300 0", "1 1 0 300", "1 2 300 0", "1 3 300 0"]);
    // 3 waits for 0 before it sends on to the root.
    assert_eq!(found, [(0, 0, 3, 300), (0, 2, 1, 300), (56, 3, 1, 300)]);
}

#[test]
fn op_2_is_an_allreduce_by_recursive_doubling() {
    let found = collective(3, &["2 0 128 128", "2 1 128 128", "2 2 128 128"]);
    // 0 folds into 1, in at 40; 1 and 2 exchange; 1 tells 0 when its own message to 2 has left.
    assert_eq!(found, [(0, 0, 1, 128), (0, 2, 1, 128), (40, 1, 2, 128), (48, 1, 0, 128)]);
}

#[test]
fn op_3_gathers_what_each_has() {
    let text = "VEF 3 1 1 1 3 0
C0 0 1 2
G0 0 3 0 64 448 0 0 -1
G0 0 3 1 128 0 0 0 -1
G0 0 3 2 256 0 0 0 -1
0 0 1 8 3 0 0
";
    // The root has all when the second message is in: 16 + 32.
    assert_eq!(departures(text), [(0, 1, 0, 128), (0, 2, 0, 256), (48, 0, 1, 8)]);
}

#[test]
fn op_4_scatters_what_each_gets() {
    let found = collective(3, &["4 0 0 256", "4 1 448 64", "4 2 0 128"]);
    assert_eq!(found, [(0, 1, 0, 256), (16, 1, 2, 128)]);
    let even = collective(3, &["4 0 384 128", "4 1 0 128", "4 2 0 128"]);
    assert_eq!(even, [(0, 0, 1, 128), (8, 0, 2, 128)]);
}

#[test]
fn op_5_gathers_for_all_with_bruck() {
    let found = collective(4, &["5 0 100 1000", "5 1 200 1000", "5 2 300 1000", "5 3 400 1000"]);
    let expected = [
        (0, 0, 3, 100),
        (0, 1, 0, 200),
        (0, 2, 1, 300),
        (0, 3, 2, 400),
        // What came in first (8 + 32, 16 + 32, ...) goes on together with the own block.
        (40, 3, 1, 500),
        (48, 0, 2, 300),
        (56, 1, 3, 500),
        (64, 2, 0, 700),
    ];
    assert_eq!(found, expected);
    let even = collective(4, &["5 0 8 32", "5 1 8 32", "5 2 8 32", "5 3 8 32"]);
    assert_eq!(even[4..], [(40, 0, 2, 16), (40, 1, 3, 16), (40, 2, 0, 16), (40, 3, 1, 16)]);
}

#[test]
fn op_7_exchanges_in_pairs() {
    let to_each = collective(3, &["7 0 128 0", "7 1 128 0", "7 2 128 0"]);
    let pairs = [(0, 0, 1), (0, 1, 2), (0, 2, 0), (40, 0, 2), (40, 1, 0), (40, 2, 1)];
    assert_eq!(to_each, pairs.map(|(cycle, from, to)| (cycle, from, to, 128)));
    // 7 bytes are 3 for task 0 and 2 for the others.
    let split = collective(3, &["7 0 7 1", "7 1 7 1", "7 2 7 1"]);
    assert_eq!(split, pairs.map(|(cycle, from, to)| (cycle, from, to, if to == 0 { 3 } else { 2 })));
}

#[test]
fn a_collective_has_the_members_of_its_communicator() {
    let text = "VEF 3 0 2 1 2 0\nC0 0 1 2\nC7 2 0\nG0 7 0 0 0 8 0 0 -1\nG0 7 0 2 8 0 0 16 -1\n";
    assert_eq!(departures(text), [(10, 2, 0, 8)]);
    // Of one task alone nothing is sent, but it can be waited for; nor is anything of a collective without payload.
    let text = "VEF 2 1 2 2 3 0\nC0 0 1\nC1 1\nG0 1 2 1 8 8 0 16 -1\n0 1 0 8 3 16 0\nG1 0 0 0 0 0 0 0 -1\nG1 0 0 1 0 0 0 0 -1\n";
    assert_eq!(departures(text), [(20, 1, 0, 8)]);
}

#[test]
fn the_gap_scale_stretches_every_time() {
    let text = "VEF 2 2 1 0 0 0\nC0 0 1\n0 0 1 128 0 160 -1\n1 1 0 8 2 16 0\n";
    let options = TrafficOptions {
        replay: ReplayOptions { gap_scale: 2.5, ..ReplayOptions::default() },
        ..TrafficOptions::default()
    };
    assert_eq!(departures_with(text, &options), [(250, 0, 1, 128), (315, 1, 0, 8)]);
}

#[test]
fn a_switch_sees_the_packets_of_a_vef_trace() {
    // Node 2 is below the other leaf: up port 2 or 3 on the way out, in on one of them on the way back.
    let file = vef_file("VEF 4 2 1 0 0 0\nC0 0 1 2 3\n0 0 2 300 0 160 -1\n1 2 0 1 2 16 0\n");
    let packets = arrivals_of(file.path(), SMALL_TREE, &TrafficOptions::default()).unwrap();
    let seen: Vec<_> = packets.iter().map(|p| (p.cycle, p.input, p.adaptive, p.deterministic)).collect();
    // In at node 2 in 124 + 3 * 32; sent in 230; passes two switches before leaf 0.
    assert_eq!(seen, [(100, 0, 0b1100, 0), (108, 0, 0b1100, 0), (116, 0, 0b1100, 0), (294, 2, 0, 0b01)]);
}
