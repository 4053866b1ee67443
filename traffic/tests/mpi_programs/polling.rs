//! Completions that a program has polled for.

use crate::mpi_programs::{Run, run, run_with};
use powar_traffic::{Polls, ReplayOptions};

/// The program of the section "A polled receive, worked by hand".
const EXAMPLE: [&str; 2] = [
    "Send 160 0 00000001 1 128 5 0
     Barrier 0 0 00000001 -1 0 0 0",
    "Irecv 0 0 00000001 0 128 5 1
     P 16 0 1 0 5 128 3
     Barrier 160 0 00000001 -1 0 0 0",
];

/// On a star of two nodes with links of 23 cycles: 2 x 23 + 8 - 1 from a message's last flit to its arrival.
fn run_example(polls: Polls) -> Run {
    run_with(&EXAMPLE, ReplayOptions { polls, ..ReplayOptions::default() }, 1, &|_, _| 53)
}

#[test]
fn a_rank_goes_on_and_owes_the_message_until_the_barrier() {
    let run = run_example(Polls::GoOn);
    assert_eq!(run.messages, [(100, 0, 1, 8), (108, 0, 1, 8), (161, 1, 0, 8)]);
    assert_eq!(run.end, 222);
}

#[test]
fn with_the_other_bound_it_waits() {
    let run = run_example(Polls::Wait);
    assert_eq!(run.messages, [(100, 0, 1, 8), (108, 0, 1, 8), (261, 1, 0, 8)]);
    assert_eq!(run.end, 322);
}

#[test]
fn a_first_test_that_succeeds_is_a_poll_and_a_first_wait_is_not() {
    let program = |completion: &str| {
        let second = format!("Irecv 0 0 00000001 0 128 5 1\n{completion}\nSend 0 0 00000001 0 16 6 0");
        run(&["Send 160 0 00000001 1 128 5 0\nRecv 0 0 00000001 1 16 6 0 -", &second], ReplayOptions::default())
    };
    assert_eq!(program("P 0 0 1 0 5 128 0").messages, [(0, 1, 0, 8), (100, 0, 1, 8)]);
    // At its end the rank takes what it owes: the message is there in 164.
    assert_eq!(program("P 0 0 1 0 5 128 0").end, 164);
    assert_eq!(program("T 0 0 1 0 5 128 0").messages, [(100, 0, 1, 8), (164, 1, 0, 8)]);
    assert_eq!(program("T 0 0 1 0 5 128 2").messages, [(0, 1, 0, 8), (100, 0, 1, 8)]);
}

#[test]
fn a_wait_takes_the_oldest_owed_message_of_its_kind() {
    // Polled in vain for the first; the wait for the second gets the first, in 164; the second, in 1064, is owed until the end.
    let run = run(
        &[
            // 100 cycles, and 892 behind the first one's end in 108.
            "Send 160 0 00000001 1 128 5 0
             Send 1427 0 00000001 1 128 5 0",
            "Irecv 0 0 00000001 0 128 5 1
             P 0 0 1 0 5 128 1
             Irecv 0 0 00000001 0 128 5 2
             T 0 0 2 0 5 128 0
             Send 0 0 00000001 2 16 6 0",
            "Recv 0 0 00000001 1 16 6 0 -",
        ],
        ReplayOptions::default(),
    );
    assert_eq!(run.messages, [(100, 0, 1, 8), (164, 1, 2, 8), (1000, 0, 1, 8)]);
    assert_eq!(run.end, 1064);
}

#[test]
fn completions_of_sends_wait_even_if_polled() {
    // The buffer is in use until the last flit has left, in 8.
    let run = run(
        &[
            "Isend 0 0 00000001 1 128 5 1
             P 0 0 1 -1 5 128 4
             Send 0 0 00000001 1 16 6 0",
            "Recv 0 0 00000001 0 128 5 0 -
             Recv 0 0 00000001 0 16 6 0 -",
        ],
        ReplayOptions::default(),
    );
    assert_eq!(run.messages, [(0, 0, 1, 8), (8, 0, 1, 8)]);
}
