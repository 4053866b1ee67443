//! LogGPS terms, gaps, and messages that ask first.

use crate::mpi_programs::{LATENCY, run, run_with};
use powar_config::units::Nanoseconds;
use powar_traffic::ReplayOptions;

#[test]
fn sends_and_receives_cost_processor_time() {
    // o_send 16 ns = 10 cycles, o_recv 32 ns = 20 cycles, 128 bytes at 0.05 ns = 6.4 ns = 4 cycles.
    let replay = ReplayOptions {
        o_send: Nanoseconds(16.0),
        o_recv: Nanoseconds(32.0),
        o_byte: 0.05,
        ..ReplayOptions::default()
    };
    let run = run(&["Send 0 0 00000001 1 128 5 0", "Recv 0 0 00000001 0 128 5 0 -\nSend 0 0 00000001 0 0 6 0"], replay);
    assert_eq!(run.messages, [(14, 0, 1, 8), (14 + 64 + 24 + 10, 1, 0, 8)]);
}

/// A message of 128 bytes above the limit: request to send, clear to send, data.
const LONG: ReplayOptionsMaker = || ReplayOptions { eager_limit: Some(127), ..ReplayOptions::default() };
type ReplayOptionsMaker = fn() -> ReplayOptions;

#[test]
fn a_long_message_waits_for_its_receive() {
    // The request is there in 64, the receive posted in 1000; the permission is there in 1064, the data in 1128.
    let run = run(&["Send 0 0 00000001 1 128 5 0", "Recv 1600 0 00000001 0 128 5 0 -"], LONG());
    assert_eq!(run.messages, [(0, 0, 1, 8), (1000, 1, 0, 8), (1064, 0, 1, 8)]);
    assert_eq!(run.end, 1128);
}

#[test]
fn a_receive_that_is_posted_early_waits_for_the_request() {
    let run = run(&["Send 0 0 00000001 1 128 5 0", "Irecv 0 0 00000001 0 128 5 1\nT 1600 0 1 0 5 128 0"], LONG());
    // The permission goes while the rank computes.
    assert_eq!(run.messages, [(0, 0, 1, 8), (64, 1, 0, 8), (128, 0, 1, 8)]);
    assert_eq!(run.end, 1000);
}

#[test]
fn a_wildcard_takes_a_request() {
    let run = run(&["Send 0 0 00000001 1 128 5 0", "Recv 1600 0 00000001 0 128 5 0 st"], LONG());
    assert_eq!(run.messages, [(0, 0, 1, 8), (1000, 1, 0, 8), (1064, 0, 1, 8)]);
}

#[test]
fn a_rank_that_has_ended_takes_what_still_comes() {
    // An excerpt ends before the receive. Rank 1 ends in 10, the request is there in 64; or it is there first, and the rank ends in 1000.
    let ends = |gap: u64| {
        let run = run(&["Send 0 0 00000001 1 128 5 0", &format!("Send {gap} 0 00000001 -2 0 0 0")], LONG());
        (run.messages, run.end)
    };
    assert_eq!(ends(16), (vec![(0, 0, 1, 8), (64, 1, 0, 8), (128, 0, 1, 8)], 136));
    assert_eq!(ends(1600), (vec![(0, 0, 1, 8), (1000, 1, 0, 8), (1064, 0, 1, 8)], 1072));
}

#[test]
fn a_short_message_and_one_of_the_limit_go_at_once() {
    let limit = ReplayOptions { eager_limit: Some(128), ..ReplayOptions::default() };
    let run = run(&["Send 0 0 00000001 1 128 5 0", "Recv 1600 0 00000001 0 128 5 0 -"], limit);
    assert_eq!(run.messages, [(0, 0, 1, 8)]);
}

#[test]
fn a_synchronous_send_asks_however_short() {
    let run = run(&["Ssend 0 0 00000001 1 1 5 0", "Recv 1600 0 00000001 0 1 5 0 -"], ReplayOptions::default());
    assert_eq!(run.messages, [(0, 0, 1, 8), (1000, 1, 0, 8), (1064, 0, 1, 8)]);
}

#[test]
fn both_halves_of_an_exchange_get_through_when_they_ask_first() {
    let half = |other: u32| format!("SendrecvS 0 0 00000001 {other} 128 5 0\nSendrecvR 0 0 00000001 {other} 128 5 0 -");
    let run = run(&[&half(1), &half(0)], LONG());
    assert_eq!(run.end, 192);
    assert_eq!(run.messages.len(), 6);
}

#[test]
fn the_floor_comes_off_first_and_long_gaps_are_stretched() {
    let start = |gap_ns: u64, replay: &ReplayOptions| {
        let log = format!("Send {gap_ns} 0 00000001 1 1 5 0");
        run(&[&log, "Recv 0 0 00000001 0 1 5 0 -"], replay.clone()).messages[0].0
    };
    let floor = ReplayOptions { gap_floor: Nanoseconds(450.0), ..ReplayOptions::default() };
    assert_eq!([start(400, &floor), start(450, &floor), start(466, &floor)], [0, 0, 10]);
    let flops = ReplayOptions {
        gap_floor: Nanoseconds(450.0),
        flop_factor: 30.0,
        flop_limit: Nanoseconds(160.0),
        gap_scale: 2.0,
        ..ReplayOptions::default()
    };
    // 159 ns stay short: 318 ns are 199 cycles. 160 ns become 9600 ns, 6000 cycles.
    assert_eq!([start(609, &flops), start(610, &flops)], [199, 6000]);
}

#[test]
fn messages_within_a_node_have_a_latency_and_a_bandwidth() {
    let replay = ReplayOptions { local: Nanoseconds(160.0), local_byte: 0.1, ..ReplayOptions::default() };
    let logs = [
        "Send 0 0 00000001 1 1600 5 0",
        "Recv 0 0 00000001 0 1600 5 0 -\nSend 0 0 00000001 2 1 6 0",
        "Recv 0 0 00000001 1 1 6 0 -",
    ];
    let run = run_with(&logs, replay, 2, &|_, _| LATENCY);
    // 160 + 160 ns; ranks 0 and 1 are on node 0.
    assert_eq!(run.messages, [(200, 0, 1, 8)]);
}

#[test]
fn a_reduction_takes_time_for_each_byte() {
    let replay =
        |reduce_byte| ReplayOptions { reduce_byte, collectives: "textbook".into(), ..ReplayOptions::default() };
    let logs = ["Allreduce 0 0 00000001 -1 1600 0 0"; 2];
    let (free, paid) = (run(&logs, replay(0.0)).end, run(&logs, replay(0.1)).end);
    assert_eq!(paid - free, 100);
}
