//! Hand-made logs with arrivals worked out by hand, to the cycle.
//!
//! A cycle is 1.6 ns, so 16 ns are 10 cycles; a packet is 8 flits; a hop is 32 cycles (50 ns
//! rounded up); the nodes of different leaves are 3 hops apart, those of one leaf 1.

use crate::common;
use common::{SMALL_TREE, arrivals, textbook};
use powar_traffic::{PacketArrival, ReplayOptions, TrafficOptions};

/// Cycle, input, adaptive, deterministic, source, destination.
type Seen = (u64, u16, u64, u64, u32, u32);

fn seen(packets: Vec<PacketArrival>) -> Vec<Seen> {
    packets
        .into_iter()
        .map(|p| {
            assert_eq!(p.flits, 8);
            let PacketArrival { cycle, input, .. } = p;
            let (wants, must) = (p.adaptive, p.deterministic);
            (cycle, input, wants, must, p.source, p.destination)
        })
        .collect()
}

/// At leaf 0 of the 2-ary 2-tree.
fn at_leaf(logs: &[&str]) -> Vec<Seen> {
    seen(arrivals(logs, SMALL_TREE, &textbook()).unwrap())
}

const UP: u64 = 0b1100;

#[test]
fn a_receive_waits_for_its_message() {
    let packets = at_leaf(&[
        // 300 bytes are three packets, leaving in cycles 100, 108 and 116; the last flit has left
        // before cycle 124 and is there 96 cycles later, in 220.
        "Send 160 0 00000001 2 300 7 0",
        // Delivered in 334; 1 ns is rounded up to a whole cycle.
        "Recv 0 0 00000001 2 4 7 0
         Send 1 0 00000001 0 0 7 0",
        // Sent in 230; passes two switches before leaf 0.
        "Recv 0 0 00000001 0 300 7 0
         Send 16 0 00000001 1 4 7 0",
        "",
    ]);
    let expected = [
        (100, 0, UP, 0, 0, 2),
        (108, 0, UP, 0, 0, 2),
        (116, 0, UP, 0, 0, 2),
        (294, 2, 0, 0b10, 2, 1),
        (335, 1, 0, 0b01, 1, 0),
    ];
    assert_eq!(packets, expected);
}

#[test]
fn messages_number_the_order_of_issue_and_keep_their_packets_together() {
    let logs = [
        "Send 160 0 00000001 2 129 7 0",
        "Send 16 0 00000001 3 1 7 0",
        "Recv 0 0 00000001 0 129 7 0",
        "Recv 0 0 00000001 1 1 7 0",
    ];
    let options = TrafficOptions::default();
    let packets = arrivals(&logs, SMALL_TREE, &options).unwrap();
    let numbers: Vec<_> = packets.iter().map(|p| (p.source, p.message)).collect();
    assert_eq!(numbers, [(1, 0), (0, 1), (0, 1)]);
}

#[test]
fn non_blocking_sends_queue_behind_each_other() {
    let packets = at_leaf(&[
        // The first message takes the link in cycles 10 to 25, the second, issued in cycle 20, in
        // 26 to 33. Its completion waits for that; the blocking one follows 10 cycles later.
        "Isend 16 0 00000001 2 256 7 1
         Isend 16 0 00000001 3 1 7 2
         T 0 0 2 -2 -1 0 0
         Send 16 0 00000001 2 1 7 0
         T 0 0 1 -2 -1 0 0",
        "",
        "",
        "",
    ]);
    let cycles: Vec<_> = packets.iter().map(|p| (p.0, p.5)).collect();
    assert_eq!(cycles, [(10, 2), (18, 2), (26, 3), (44, 2)]);
}

#[test]
fn packets_that_meet_on_a_link_queue() {
    let packets = at_leaf(&[
        "",
        "",
        // In at up-port 2 + (2 + 0) mod 2, in cycle 12 + 64.
        "Send 19 0 00000001 0 1 7 0",
        // Its packets alternate: 2 + (3 + 0) mod 2 in cycle 74, then port 2 in cycle 82, where the
        // other packet still comes in until 83.
        "Send 16 0 00000001 1 256 7 0",
    ]);
    let expected = [(74, 3, 0, 0b10, 3, 1), (76, 2, 0, 0b01, 2, 0), (84, 2, 0, 0b10, 3, 1)];
    assert_eq!(packets, expected);
}

#[test]
fn both_halves_of_a_sendrecv_hold_its_caller() {
    let packets = at_leaf(&[
        // Its own 10 packets have left before cycle 90; the one it waits for came earlier.
        "SendrecvS 16 0 00000001 1 1280 7 0
         SendrecvR 0 0 00000001 1 1 7 0
         Send 16 0 00000001 2 1 7 0",
        // Waits for the last of the ten: 90 + 32.
        "SendrecvS 16 0 00000001 0 1 7 0
         SendrecvR 0 0 00000001 0 1280 7 0
         Send 16 0 00000001 2 1 7 0",
        "",
        "",
    ]);
    let up: Vec<_> = packets.iter().filter(|p| p.5 == 2).collect();
    assert_eq!(up, [&(100, 0, UP, 0, 0, 2), &(132, 1, UP, 0, 1, 2)]);
    assert_eq!(packets.len(), 13);
}

#[test]
fn a_completion_names_its_source_within_the_communicator() {
    let packets = at_leaf(&[
        "",
        // Member 0 of the communicator is rank 3, whose message is there in 8 + 1000 + 96.
        // The second receive is cancelled, the third finds no process.
        "C 0000000a 2 3 1
         Irecv 0 0 0000000a -1 8192 -1 5
         Irecv 0 0 0000000a -1 8192 -1 6
         T 0 0 5 0 9 1 0
         T 0 0 6 -1 -1 0 0
         Recv 0 0 0000000a -2 0 9 0
         Iprobe 16 0 0000000a 3 4 9 0
         Send 0 0 00000001 2 1 7 0",
        "",
        "C 0000000a 2 3 1
         Send 1600 0 0000000a 1 1 9 0",
    ]);
    let expected = [(1064, 3, 0, 0b10, 3, 1), (1114, 1, UP, 0, 1, 2)];
    assert_eq!(packets, expected);
}

#[test]
fn messages_match_by_tag_and_communicator() {
    let packets = at_leaf(&[
        "Send 16 0 00000001 1 1 5 0
         Send 1600 0 00000001 1 1 6 0",
        // The receive of tag 6 passes over the earlier message: 10 + 8 + 1000 + 8 + 32.
        "Recv 0 0 00000001 0 1 6 0
         Recv 0 0 00000001 0 1 5 0
         Send 0 0 00000001 2 1 7 0",
        "",
        "",
    ]);
    assert_eq!(packets[2], (1058, 1, UP, 0, 1, 2));
}

#[test]
fn nobody_leaves_a_barrier_before_the_last_has_come() {
    let packets = at_leaf(&[
        "Barrier 160 0 00000001 -1 0 0 0
         Send 0 0 00000001 1 1 7 0",
        "Barrier 320 0 00000001 -1 0 0 0",
    ]);
    let expected = [
        (100, 0, 0, 0b10, 0, 1),
        (200, 1, 0, 0b01, 1, 0),
        // 200 + 8 flits + 1 hop.
        (240, 0, 0, 0b10, 0, 1),
    ];
    assert_eq!(packets, expected);
}

#[test]
fn a_broadcast_goes_down_the_binomial_tree() {
    let packets = at_leaf(&[
        "Bcast 160 0 00000001 0 128 0 0",
        "Bcast 0 0 00000001 0 128 0 0",
        "Bcast 0 0 00000001 0 128 0 0",
        "Bcast 0 0 00000001 0 128 0 0",
    ]);
    // 0 to 2, then 0 to 1; 2 to 3 stays below leaf 1.
    let expected = [(100, 0, UP, 0, 0, 2), (108, 0, 0, 0b10, 0, 1)];
    assert_eq!(packets, expected);
}

#[test]
fn a_message_to_oneself_stays_in_the_node() {
    let packets = at_leaf(&[
        "Send 16 0 00000001 0 4096 7 0
         Recv 0 0 00000001 0 4096 7 0
         Send 16 0 00000001 1 1 7 0",
        "",
    ]);
    assert_eq!(packets, [(20, 0, 0, 0b10, 0, 1)]);
}

#[test]
fn the_gap_scale_stretches_compute_time_only() {
    let options = TrafficOptions {
        replay: ReplayOptions { gap_scale: 2.5, ..ReplayOptions::default() },
        ..TrafficOptions::default()
    };
    let logs = [
        "Send 160 0 00000001 1 256 7 0
         Send 16 0 00000001 1 1 7 0",
        "",
    ];
    let packets = arrivals(&logs, SMALL_TREE, &options).unwrap();
    let cycles: Vec<_> = packets.iter().map(|p| p.cycle).collect();
    assert_eq!(cycles, [250, 258, 291]);
}

#[test]
fn packet_size_and_clock_are_options() {
    let options =
        TrafficOptions { cycle_ps: 1_000, packet_bytes: 64, flit_bytes: 32, hop_ps: 1, ..TrafficOptions::default() };
    let logs = [
        "Send 100 0 00000001 2 65 7 0",
        "",
        "Recv 0 0 00000001 0 65 7 0
         Send 0 0 00000001 0 1 7 0",
        "",
    ];
    let packets = arrivals(&logs, SMALL_TREE, &options).unwrap();
    let seen: Vec<_> = packets.iter().map(|p| (p.cycle, p.flits)).collect();
    // Two flits a packet; one cycle a hop: sent on in 104 + 3, back after two hops.
    assert_eq!(seen, [(100, 2), (102, 2), (109, 2)]);
}

#[test]
fn the_torus_switch_sees_what_passes_through_it() {
    // A 2x2 torus with trunks of two: nodes (x, y) = x + 2 y; ports +x 0 1, -x 2 3, +y 4 5,
    // -y 6 7, node 8 9.
    let logs = [
        "Send 160 0 00000001 1 256 7 0",
        // From (1,0) over (0,0) to (0,1).
        "Send 16 0 00000001 2 1 7 0",
        // From (0,1) over (1,1): never at (0,0).
        "Send 16 0 00000001 1 1 7 0",
        // From (1,1) over (0,1) to (0,0).
        "Send 16 0 00000001 0 1 7 0",
    ];
    let options = TrafficOptions::default();
    let packets = seen(arrivals(&logs, "torus-2x2-trunk2", &options).unwrap());
    let expected = [
        // In from -x, on link (1 + 0) mod 2; both ways along y are as short.
        (42, 3, 0b1111_0000, 0b0011_0000, 1, 2),
        // In from -y; at its destination only the node is left.
        (74, 7, 0, 0b11_0000_0000, 3, 0),
        // Alternates over the node's two links.
        (100, 8, 0b1111, 0b0011, 0, 1),
        (108, 9, 0b1111, 0b0011, 0, 1),
    ];
    assert_eq!(packets, expected);
}
