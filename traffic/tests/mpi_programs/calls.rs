//! Calls other than plain sends and receives.

use crate::mpi_programs::run;
use powar_traffic::ReplayOptions;

#[test]
fn a_probe_waits_until_the_message_is_there() {
    let run = run(
        &[
            "Send 160 0 00000001 1 16 5 0",
            "Probe 0 0 00000001 0 16 5 0 -
             Send 0 0 00000001 2 16 6 0
             Recv 0 0 00000001 0 16 5 0 -",
            "Recv 0 0 00000001 1 16 6 0 -",
        ],
        ReplayOptions::default(),
    );
    assert_eq!(run.messages, [(100, 0, 1, 8), (164, 1, 2, 8)]);
}

#[test]
fn a_collective_beside_the_rank_does_not_hold_it_up() {
    // Rank 0 enters the barrier in 0, computes 1000 cycles, then waits. Rank 1 enters in 100. Nobody waits for rank 0's computing.
    let logs = [
        "Ibarrier 0 0 00000001 -1 0 0 1
         T 1600 0 1 -1 0 0 0",
        "Ibarrier 160 0 00000001 -1 0 0 1
         T 0 0 1 -1 0 0 0
         Send 0 0 00000001 0 16 5 0",
    ];
    let run = run(&logs, ReplayOptions::default());
    // Rank 0's message is there in 64, rank 1's leaves in 100..108: rank 1 goes on in 108.
    assert_eq!(run.messages, [(0, 0, 1, 8), (100, 1, 0, 8), (108, 1, 0, 8)]);
    assert_eq!(run.end, 1000);
}

#[test]
fn two_collectives_under_way_keep_apart() {
    // The second one's messages, though of the same members, are not taken for the first one's.
    let rank = "Iallreduce 0 0 00000001 -1 16 0 1
         Ibarrier 0 0 00000001 -1 0 0 2
         T 0 0 2 -1 0 0 0
         T 0 0 1 -1 16 0 0";
    let run = run(&[rank, rank, rank], ReplayOptions::default());
    assert_eq!(run.messages.len(), 8, "{:?}", run.messages);
}

#[test]
fn sends_to_nobody_are_over_at_once() {
    let run = run(
        &["Send 0 0 00000001 -2 16 5 0\nIsend 0 0 00000001 -2 16 5 1\nT 0 0 1 -2 5 0 0\nRecv 0 0 00000001 -2 0 -1 0 -"],
        ReplayOptions::default(),
    );
    assert_eq!((run.messages.len(), run.end), (0, 0));
}
