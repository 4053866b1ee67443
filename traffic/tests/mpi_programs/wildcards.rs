//! Receives from any source and with any tag.

use crate::mpi_programs::{LATENCY, run, run_with};
use powar_traffic::ReplayOptions;

#[test]
fn the_message_that_comes_first_is_taken_whoever_sent_the_first_when_it_was_recorded() {
    // Recorded: rank 0 first. Now its message leaves in 1000, rank 1's in 100.
    let run = run(
        &[
            "Send 1600 0 00000001 2 16 5 0",
            "Send 160 0 00000001 2 16 5 0",
            "Recv 0 0 00000001 0 16 5 0 s
             Send 0 0 00000001 3 16 6 0
             Recv 0 0 00000001 1 16 5 0 s",
            "Recv 0 0 00000001 2 16 6 0 -",
        ],
        ReplayOptions::default(),
    );
    assert_eq!(run.messages, [(100, 1, 2, 8), (164, 2, 3, 8), (1000, 0, 2, 8)]);
    assert_eq!(run.end, 1064);
}

#[test]
fn messages_that_are_there_are_taken_in_the_order_of_arrival() {
    // Both are there when the receive is posted in 10000: rank 1's came in 1860, rank 0's in 80 or in 5024.
    let program = |latency: u64| {
        run_with(
            &[
                "Send 0 0 00000001 2 16 5 0",
                "Send 160 0 00000001 2 1600 5 0",
                "Recv 16000 0 00000001 1 1600 5 0 s
                 Send 0 0 00000001 0 16 6 0
                 Recv 1600 0 00000001 0 16 5 0 s",
            ],
            ReplayOptions { o_byte: 1.6, ..ReplayOptions::default() },
            1,
            &|source, _| if source == 0 { latency } else { LATENCY },
        )
    };
    // A receive of 16 bytes takes 16 cycles, one of 1600 bytes 1600: that tells which came first. Sends pay as well.
    assert_eq!(program(LATENCY).messages[2].0, 10_000 + 16 + 16);
    assert_eq!(program(5000).messages[2].0, 10_000 + 1600 + 16);
}

#[test]
fn any_tag_is_any_tag() {
    let run = run(
        &[
            "Send 160 0 00000001 1 16 7 0
             Send 1440 0 00000001 1 16 6 0",
            "Irecv 0 0 00000001 0 16 -1 1
             Irecv 0 0 00000001 0 16 -1 2
             T 0 0 1 0 6 16 0
             Send 0 0 00000001 2 16 1 0
             T 0 0 2 0 7 16 0",
            "Recv 0 0 00000001 1 16 1 0 -",
        ],
        ReplayOptions::default(),
    );
    assert_eq!(run.messages[1], (164, 1, 2, 8));
}

#[test]
fn a_message_that_was_received_by_name_is_left_to_such_a_receive() {
    // Recorded: anyone (0), 0, anyone (1), 1. Both of rank 1's messages come long before those of rank 0: taking both of
    // them for "anyone" would leave the last receive without a message for ever.
    let run = run(
        &[
            "Send 1600 0 00000001 2 16 5 0
             Send 1600 0 00000001 2 16 5 0",
            "Send 0 0 00000001 2 16 5 0
             Send 0 0 00000001 2 16 5 0",
            "Recv 0 0 00000001 0 16 5 0 s
             Recv 0 0 00000001 0 16 5 0 -
             Recv 0 0 00000001 1 16 5 0 s
             Recv 0 0 00000001 1 16 5 0 -
             Send 0 0 00000001 0 16 6 0",
            "",
        ],
        ReplayOptions::default(),
    );
    // All of them ask for whom they got: the second message of rank 0 comes last, in 1000 + 8 + 1000 + 64.
    assert_eq!(run.messages.last(), Some(&(2072, 2, 0, 8)));
}

#[test]
fn a_receive_behind_a_probe_for_anyone_is_for_anyone() {
    // Recorded: the probe found rank 0. Now rank 1's message comes first.
    let run = run(
        &[
            "Send 1600 0 00000001 2 16 5 0",
            "Send 160 0 00000001 2 16 5 0",
            "Probe 0 0 00000001 0 16 5 0 s
             Recv 0 0 00000001 0 16 5 0 -
             Send 0 0 00000001 3 16 6 0
             Iprobe 0 0 00000001 1 16 5 0 s
             Recv 0 0 00000001 1 16 5 0 -",
            "Recv 0 0 00000001 2 16 6 0 -",
        ],
        ReplayOptions::default(),
    );
    assert_eq!(run.messages, [(100, 1, 2, 8), (164, 2, 3, 8), (1000, 0, 2, 8)]);
}

#[test]
fn a_probe_for_anyone_followed_by_one_by_name_is_for_anyone() {
    let run = run(
        &[
            "Send 160 0 00000001 1 16 5 0",
            "Probe 0 0 00000001 0 16 5 0 s
             Iprobe 0 0 00000001 0 16 5 0 -
             Recv 0 0 00000001 0 16 5 0 -
             Send 0 0 00000001 0 16 6 0",
        ],
        ReplayOptions::default(),
    );
    assert_eq!(run.messages, [(100, 0, 1, 8), (164, 1, 0, 8)]);
}

#[test]
fn a_probe_sees_what_another_receive_takes() {
    // The second receive, by name, makes the channel one that wildcards leave alone; the probe looks all the same.
    let run = run(
        &[
            "Send 160 0 00000001 1 16 5 0
             Send 0 0 00000001 1 16 5 0",
            "Probe 0 0 00000001 0 16 5 0 s
             Irecv 0 0 00000001 0 16 5 1
             T 0 0 1 0 5 16 0
             Recv 0 0 00000001 0 16 5 0 -",
        ],
        ReplayOptions::default(),
    );
    assert_eq!(run.end, 172);
}

#[test]
fn a_cancelled_receive_leaves_its_message_to_the_next() {
    let run = run(
        &[
            "Send 0 0 00000001 1 16 5 0",
            "Irecv 0 0 00000001 0 16 5 1
             T 1600 0 1 -1 5 0 0
             Irecv 0 0 00000001 -1 16 5 2
             T 0 0 2 0 5 16 0
             Send 0 0 00000001 0 16 6 0",
        ],
        ReplayOptions::default(),
    );
    assert_eq!(run.messages, [(0, 0, 1, 8), (1000, 1, 0, 8)]);
}
