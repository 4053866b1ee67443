//! Hand-made programs as GOAL, line by line.

use super::common::folder_of;
use super::{by_byte, check_text, converted, goal_text, instant};
use powar_config::units::Nanoseconds;
use powar_traffic::{Polls, ReplayOptions, Trace};

const PROGRAM: [&str; 2] = [
    "C 0000000a 2 1 0
     Isend 160 0 00000001 1 100 5 1
     Irecv 0 0 00000001 -1 0 -1 2
     Send 32 0 0000000a 1 8 5 0
     P 0 0 2 1 6 8 0
     Irecv 0 0 00000001 1 0 9 3
     T 0 0 3 -1 -1 0 0
     T 0 0 1 -2 -1 0 0
     Barrier 0 0 00000001 -1 0 0 0",
    "C 0000000a 2 1 0
     Iprobe 0 0 00000001 0 0 5 0 st
     Recv 0 0 00000001 0 0 5 0 -
     Recv 0 0 0000000a 0 0 5 0 -
     Ssend 48 0 00000001 0 8 6 0
     Barrier 0 0 00000001 -1 0 0 0",
];

#[test]
fn each_step_requires_what_it_has_waited_for() {
    let folder = folder_of(2, &PROGRAM);
    let text = goal_text(&Trace::open(folder.path()).unwrap(), &ReplayOptions::default());
    let expected = "num_ranks 2\n
rank 0 {
l1: calc 160
l2: send 100b to 1 tag 5
l2 requires l1
l3: recv 8b from 1 tag 6
l3 requires l1
l4: calc 32
l4 requires l1
l5: send 8b to 1 tag 2147483648
l5 requires l4
l6: recv 0b from 1 tag 2147483649
l6 requires l5
l6 requires l2
l6 requires l3
l7: send 0b to 1 tag 2147483649
l7 requires l5
l7 requires l2
l7 requires l3
}

rank 1 {
l1: recv 100b from 0 tag 5
l2: recv 8b from 0 tag 2147483648
l2 requires l1
l3: calc 48
l3 requires l2
l4: send 8b to 0 tag 6
l4 requires l3
l5: recv 0b from 0 tag 2147483649
l5 requires l4
l6: send 0b to 0 tag 2147483649
l6 requires l4
}
";
    assert_eq!(text, expected);
    // Where polls wait, the send in between waits for what was polled for.
    let replay = ReplayOptions { polls: Polls::Wait, ..ReplayOptions::default() };
    let text = goal_text(&Trace::open(folder.path()).unwrap(), &replay);
    assert!(text.contains("l6 requires l5\nl6 requires l3\nl6 requires l2\n"), "{text}");
}

#[test]
fn times_are_written_behind_floor_factors_and_scale() {
    let folder = folder_of(
        2,
        &["Barrier 100 0 00000001 -1 0 0 0\nBarrier 20 0 00000001 -1 0 0 0\nBarrier 3 0 00000001 -1 0 0 0"],
    );
    let text = goal_text(
        &Trace::open(folder.path()).unwrap(),
        &ReplayOptions {
            gap_floor: Nanoseconds(4.0),
            flop_limit: Nanoseconds(50.0),
            flop_factor: 3.0,
            gap_scale: 0.1,
            ..ReplayOptions::default()
        },
    );
    // 28.8 ns are 18 cycles of 1.6 ns and 29 ns 19, so it is 28; 1.6 ns are a cycle, 2 ns would be two.
    assert_eq!(text, "num_ranks 1\n\nrank 0 {\nl1: calc 28\nl2: calc 1\nl2 requires l1\n}\n");
}

/// A sum that runs beside long computing has a processor of its own.
#[test]
fn collectives_beside_a_rank_go_on_while_it_computes() {
    let log = |rank: u32| {
        let late = 100 + 50 * rank;
        format!(
            "Iallreduce {late} 0 00000001 -1 64 0 1\nIbcast {late} 0 00000001 2 9 0 2\nSend 10000 0 00000001 {} 5 0 0
             Recv 0 0 00000001 {} 5 0 0 -\nT 0 0 2 -2 -1 0 0\nT 0 0 1 -2 -1 0 0\nBarrier 10 0 00000001 -1 0 0 0",
            (rank + 1) % 4,
            (rank + 3) % 4
        )
    };
    let texts = [0, 1, 2, 3].map(log);
    let folder = folder_of(2, &texts.each_ref().map(String::as_str));
    let trace = Trace::open(folder.path()).unwrap();
    let replay = ReplayOptions::default();
    let text = goal_text(&trace, &replay);
    check_text(&text);
    assert!(text.contains(" cpu 1\n") && text.contains(" cpu 2\n"), "{text}");
    let (options, goal) = (by_byte(replay.clone()), converted(&trace, "x.goal", &replay));
    let (of_logs, of_goal) = (instant(&trace, &options, |_| 700), instant(&goal, &options, |_| 700));
    assert_eq!(of_logs, of_goal);
    // 10 us and a bit for the sends and the barrier: the sum of two rounds is over long before.
    assert!(of_goal.cycles < 10_600 * 10 / 16 + 4 * 700, "{}", of_goal.cycles);
}

#[test]
fn many_that_are_waited_for_are_joined() {
    let many = 3_000;
    let mut logs = [String::new(), String::new()];
    for message in 1..=many {
        logs[0] += &format!("Irecv 0 0 00000001 1 1 {message} {message}\n");
        logs[1] += &format!("Isend 1 0 00000001 0 1 {message} {message}\n");
    }
    for (rank, source, kind) in [(0, 1, "T"), (1, -2, "T")] {
        for message in 1..=many {
            let tag = if rank == 0 { message } else { -1 };
            logs[rank] += &format!("{kind} 0 0 {message} {source} {tag} 1 0\n");
        }
    }
    logs[0] += &(1..=many).map(|message| format!("Send 0 0 00000001 1 1 {message} 0\n")).collect::<String>();
    logs[1] += &(1..=many).map(|message| format!("Recv 0 0 00000001 0 1 {message} 0 -\n")).collect::<String>();
    let folder = folder_of(2, &logs.each_ref().map(String::as_str));
    let trace = Trace::open(folder.path()).unwrap();
    let text = goal_text(&trace, &ReplayOptions::default());
    check_text(&text);
    let requires = text.lines().filter(|line| line.contains(" requires ")).count();
    assert!((6 * many - 10..6 * many + 100).contains(&(requires as i32)), "{requires}");
    let goal = converted(&trace, "x.goal", &ReplayOptions::default());
    let options = by_byte(ReplayOptions::default());
    assert_eq!(instant(&trace, &options, |_| 9).pairs, instant(&goal, &options, |_| 9).pairs);
}
