//! GOAL programs whose ends are worked out by hand: LogGPS over a network without contention.
//!
//! A cycle is 1 ns, a packet 128 bytes in 8 flits, and what has left comes in `L` = 100 cycles later. So a message of b bytes that is
//! given to an idle node in cycle t has left in t + 8 p (p packets, at least one) and is there in t + 8 p + 100.

use crate::common;
use common::driver::{Network, drive};
use common::goal_file;
use powar_config::units::Nanoseconds;
use powar_traffic::format::goal::GoalTrace;
use powar_traffic::program::run_ideal;
use powar_traffic::{Placement, PlacementOptions, ProgramReplay, ReplayOptions, TrafficOptions};
use std::sync::Arc;

const L: u64 = 100;

/// o_send 20, o_recv 30, O 0.5 ns a byte.
fn costs() -> ReplayOptions {
    ReplayOptions { o_send: Nanoseconds(20.0), o_recv: Nanoseconds(30.0), o_byte: 0.5, ..ReplayOptions::default() }
}

fn options(replay: ReplayOptions) -> TrafficOptions {
    TrafficOptions { replay, cycle_ps: 1_000, ..TrafficOptions::default() }
}

fn workload(text: &str, replay: ReplayOptions, ranks_per_node: u32) -> ProgramReplay {
    let file = goal_file(text);
    let trace = Arc::new(GoalTrace::open(file.path()).unwrap());
    let placement = PlacementOptions { ranks_per_node, ..PlacementOptions::default() };
    let ranks = trace.ranks();
    let placement = Placement::new(ranks, ranks.div_ceil(ranks_per_node), &placement).unwrap();
    trace.workload(&options(replay), placement).unwrap()
}

/// The cycle in which a program ends, and how long each node has computed.
fn end(text: &str, replay: ReplayOptions) -> (u64, Vec<f64>) {
    let mut program = workload(text, replay.clone(), 1);
    let nodes = program.placement().nodes();
    let run = run_ideal(&mut program, nodes, |_| L).unwrap();
    assert_eq!(program.run_time(), Some(run.cycles));
    // Another network of the same times, flit by flit, in both orders of report.
    for backwards in [false, true] {
        let mut program = workload(text, replay.clone(), 1);
        let nodes = program.placement().nodes() as usize;
        let drive = drive(&mut program, &Network { nodes, latency: &|_| L, backwards }).unwrap();
        assert!(drive.over && drive.end == run.cycles, "{} and {}", drive.end, run.cycles);
    }
    (run.cycles, run.computing)
}

/// What a program that can't end is told.
fn stall(text: &str, replay: ReplayOptions) -> String {
    let file = goal_file(text);
    let trace = Arc::new(GoalTrace::open(file.path()).unwrap());
    let placement = Placement::new(trace.ranks(), trace.ranks(), &PlacementOptions::default()).unwrap();
    let mut program = trace.workload(&options(replay), placement).unwrap();
    let nodes = program.placement().nodes();
    let error = run_ideal(&mut program, nodes, |_| L).unwrap_err();
    format!("{error:#}").replace(&file.path().display().to_string(), "TRACE")
}

#[test]
fn ping_pong_pays_overheads_on_both_sides() {
    let text = "num_ranks 2
        rank 0 {
            l1: send 256b to 1 tag 3
            l2: recv 256b from 1 tag 4
            l2 requires l1
        }
        rank 1 {
            l1: recv 256b from 0 tag 3
            l2: send 256b to 0 tag 4
            l2 requires l1
        }";
    // Without costs: 16 flits and L, twice.
    assert_eq!(end(text, ReplayOptions::default()).0, 2 * (16 + L));
    // o_send + 256 O = 148, o_recv + 256 O = 158: 0 .. 148 .. 164 .. 264 .. 422, twice.
    assert_eq!(end(text, costs()), (2 * (148 + 16 + L + 158), vec![0.0, 0.0]));
}

#[test]
fn calculations_on_two_cpus_overlap_and_those_on_one_do_not() {
    let text = "num_ranks 1
        rank 0 {
            a: calc 100 cpu 0
            d: calc 10
            d requires b
            b: calc 70 cpu 1
            c: calc 50 cpu 0
            e: calc 5 cpu 1
            e requires a
        }";
    // cpu 0: a 0..100, then c, which was ready in 0, before d, ready in 70: 100..150..160. cpu 1: b 0..70, e 100..105.
    // All the time some cpu computes, once.
    assert_eq!(end(text, ReplayOptions::default()), (160, vec![160.0]));
    // Gaps of 0 between them: with a gap scale of a half, the same at half the time.
    let half = ReplayOptions { gap_scale: 0.5, ..ReplayOptions::default() };
    assert_eq!(end(text, half).0, 80);
}

#[test]
fn what_was_ready_together_runs_in_the_order_of_the_file() {
    // From 10 on both b and c could run. c stands first, so d ends in 10 + 30 + 5 and, beside b on cpu 0, e in 10 + 30 + 20 + 1.
    let text = "num_ranks 1
        rank 0 {
            c: calc 30
            b: calc 20
            d: calc 5 cpu 1
            e: calc 1
            a: calc 10 cpu 1
            b requires a
            c requires a
            d requires c
            e requires b
            f: calc 100 cpu 1
            f requires d
        }";
    // a 0..10, c 10..40, b 40..60, e 60..61; d 40..45, f 45..145.
    assert_eq!(end(text, ReplayOptions::default()), (145, vec![145.0]));
}

#[test]
fn an_operation_may_wait_for_the_start_of_another() {
    let text = "num_ranks 2
        rank 0 {
            a: calc 40
            b: calc 100 cpu 1
            c: calc 7 cpu 2
            b requires a
            c irequires b
            s: send 1b to 1 cpu 2
            s requires c
        }
        rank 1 {
            r: recv 1b from 0
            x: calc 1000 cpu 1
            x irequires r
            y: calc 400
            y requires r
        }";
    // c 40..47 beside b, s given in 47, there in 47 + 8 + L = 155; y 155..555. r is posted in 0, so x runs 0..1000.
    assert_eq!(end(text, ReplayOptions::default()), (1000, vec![140.0, 1000.0]));
}

#[test]
fn a_receive_needs_its_cpu_only_when_its_message_is_there() {
    let text = "num_ranks 2
        rank 0 {
            send 0b to 1
        }
        rank 1 {
            r: recv 0b from 0
            a: calc 50
            b: calc 200
            b requires a
            c: calc 9
            c requires r
        }";
    // s 0..20, there in 128. a 0..50 and b 50..250 run meanwhile; the receive takes the cpu 250..280, c 280..289.
    assert_eq!(end(text, costs()), (289, vec![0.0, 259.0]));
}

#[test]
fn a_long_message_asks_and_waits_for_a_late_receiver() {
    let text = "num_ranks 2
        rank 0 {
            s: send 256b to 1 tag 7
            a: calc 10
            a requires s
        }
        rank 1 {
            w: calc 1000 cpu 1
            r: recv 256b from 0 tag 7
            r requires w
        }";
    let rendezvous = ReplayOptions { eager_limit: Some(255), ..costs() };
    // s has the cpu 0..148; the request is there in 148 + 8 + L = 256, but r is posted in 1000 only. The clearance is back in
    // 1000 + 8 + L = 1108, the data has left in 1108 + 16 = 1124 and is there in 1224. a 1124..1134; r is taken 1224..1382.
    assert_eq!(end(text, rendezvous), (1382, vec![10.0, 1000.0]));
    // Not longer than the limit, it goes at once: a 148..158, there in 264, r is taken 1000..1158.
    let eager = ReplayOptions { eager_limit: Some(256), ..costs() };
    assert_eq!(end(text, eager), (1158, vec![10.0, 1000.0]));
}

#[test]
fn a_long_message_that_is_waited_for_is_cleared_when_its_request_comes() {
    let text = "num_ranks 2
        rank 0 { s: send 128b to 1
            a: calc 1
            a requires s
        }
        rank 1 { recv 128b from 0
        }";
    let rendezvous = ReplayOptions { eager_limit: Some(0), ..ReplayOptions::default() };
    // Request 0..108, clearance 108..216, data 216..224 at its sender, there in 324.
    assert_eq!(end(text, rendezvous), (324, vec![1.0, 0.0]));
}

#[test]
fn messages_to_one_rank_are_taken_one_after_the_other() {
    let text = "num_ranks 4
        rank 0 {
            a: recv 0b from 3
            b: recv 0b from 2
            c: recv 0b from 1
            d: calc 5
            d requires a
            d requires b
            d requires c
        }
        rank 1 { send 0b to 0
        }
        rank 2 { send 0b to 0
        }
        rank 3 { w: calc 90
            s: send 0b to 0
            s requires w
        }";
    // Those of ranks 1 and 2 are there in 20 + 8 + L = 128 and are taken 128..158..188, that of rank 3 in 218: 218..248; d to 253.
    assert_eq!(end(text, costs()).0, 253);
    // Any source, any tag: the same three messages, by arrival.
    let any = text.replace("from 3", "from -1 tag -1").replace("from 2", "from -1").replace("from 1", "from 3");
    assert_eq!(end(&any, costs()).0, 253);
}

#[test]
fn the_link_of_a_node_is_shared_by_its_nics_and_its_ranks() {
    let text = "num_ranks 2
        rank 0 {
            a: send 1024b to 1 tag 1 cpu 0 nic 0
            b: send 1b to 1 tag 2 cpu 1 nic 1
        }
        rank 1 {
            recv 1b from 0 tag 2 cpu 1
            recv 1024b from 0 tag 1
        }";
    // a's 64 flits have left in 64, b's 8 in 72.
    assert_eq!(end(text, ReplayOptions::default()).0, 72 + L);
}

#[test]
fn who_names_several_nics_is_told_that_they_are_one_link() {
    let remarks = |nic: u8| {
        let mut file = tempfile::Builder::new().suffix(".goal").tempfile().unwrap();
        let text = format!("num_ranks 2\nrank 0 {{ a: send 8b to 1 nic {nic} }}\nrank 1 {{ recv 8b from 0 }}\n");
        std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
        powar_traffic::Trace::open(file.path()).unwrap().remarks()
    };
    assert!(remarks(0).is_empty());
    let [remark] = &remarks(3)[..] else { panic!("one line") };
    assert!(remark.starts_with("nic: ") && remark.contains(" over 4 interfaces of a rank"), "{remark}");
}

#[test]
fn who_asks_for_other_collectives_is_told_that_there_are_none() {
    let mut file = tempfile::Builder::new().suffix(".goal").tempfile().unwrap();
    let text = "num_ranks 2\nrank 0 { a: send 8b to 1 }\nrank 1 { recv 8b from 0 }\n";
    std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
    let trace = powar_traffic::Trace::open(file.path()).unwrap();
    let remarks = |replay: ReplayOptions| {
        let placement = powar_traffic::RankPlacement::default().place(2, 1, 2, &[]).unwrap();
        let options = TrafficOptions { replay, ..Default::default() };
        ProgramReplay::new(&trace, &options, placement).unwrap().remarks().to_vec()
    };
    assert!(remarks(ReplayOptions { gap_scale: 2.0, ..ReplayOptions::default() }).is_empty());
    let polls = powar_traffic::Polls::Wait;
    let [remark] = &remarks(ReplayOptions { polls, collectives: "textbook".into(), ..ReplayOptions::default() })[..]
    else {
        panic!("one line")
    };
    assert!(remark.starts_with("polls, collectives: of no effect, "), "{remark}");
}

#[test]
fn a_wildcard_takes_what_comes_first() {
    let text = |calc_1: u32, calc_2: u32| {
        format!(
            "num_ranks 3
            rank 0 {{
                x: recv 0b from -1 tag 5
                y: recv 0b from 1 tag -1
                a: calc 1000 cpu 2
                a requires x
                b: calc 300 cpu 1
                b requires y
            }}
            rank 1 {{
                w: calc {calc_1}
                s: send 0b to 0 tag 5
                s requires w
            }}
            rank 2 {{
                w: calc {calc_2}
                s: send 0b to 0 tag 5
                s requires w
            }}"
        )
    };
    // Rank 2's is there in 108 and goes to x, which was posted first; rank 1's in 148 goes to y. a 108..1108, b 148..448.
    assert_eq!(end(&text(40, 0), ReplayOptions::default()).0, 1108);
    // The other way round x takes rank 1's, and y waits for ever.
    assert_eq!(
        stall(&text(0, 40), ReplayOptions::default()),
        "the workload cannot end: TRACE: rank 0 waits in line 4 for a message from rank 1 with any tag"
    );
}

#[test]
fn a_message_that_overtakes_waits_for_those_before_it() {
    let text = "num_ranks 2
        rank 0 {
            send 0b to 1 tag 1
            send 0b to 1 tag 2 cpu 1
        }
        rank 1 {
            r: recv 0b from 0 tag 2
            a: calc 3
            a requires r
        }";
    let run = |latencies: [u64; 2]| {
        let mut program = workload(text, ReplayOptions::default(), 1);
        run_ideal(&mut program, 2, |message| latencies[message.number as usize]).unwrap().cycles
    };
    // They leave in 8 and 16: the second one is there in 26, and counts from 508 on, when the first one is.
    assert_eq!((run([500, 10]), run([10, 500])), (511, 519));
}

#[test]
fn ranks_of_one_node_hand_messages_over() {
    let text = "num_ranks 2
        rank 0 { s: send 100b to 1
            a: calc 1
            a requires s
        }
        rank 1 { recv 100b from 0
        }";
    let local = ReplayOptions { local: Nanoseconds(500.0), local_byte: 1.0, ..costs() };
    let run = |replay: ReplayOptions| {
        let mut program = workload(text, replay, 2);
        let run = run_ideal(&mut program, 1, |_| L).unwrap();
        (run.cycles, run.messages, program.traffic().local_messages, program.traffic().local_bytes)
    };
    // s 0..70, there in 70 + 600, taken 670..750.
    assert_eq!(run(local.clone()), (750, 0, 1, 100));
    // Request 70..570, clearance ..1070, data ..1670, taken ..1750.
    assert_eq!(run(ReplayOptions { eager_limit: Some(99), ..local.clone() }), (1750, 0, 3, 100));
    // What takes no time is there in the same cycle.
    let none = ReplayOptions { local: Nanoseconds(0.0), local_byte: 0.0, ..costs() };
    assert_eq!(run(ReplayOptions { eager_limit: Some(99), ..none }), (150, 0, 3, 100));
}

#[test]
fn labels_may_be_used_before_they_are_defined_and_comments_are_anywhere() {
    let text = "/* a ping
        num_ranks 7 */ // and
        num_ranks 2 rank 1 { // first
        b requires a /* , which comes
        later */
        b : calc 10 cpu 0
        a: recv 0 b from 0 cpu 0 tag 4294967294 }
        rank 0
        {
        send 0b to 1 nic 3 tag 4294967294 cpu 255
        } // end";
    assert_eq!(end(text, ReplayOptions::default()).0, 8 + L + 10);
}

#[test]
fn a_program_that_cannot_end_says_who_waits_for_what() {
    let none = ReplayOptions::default;
    let circle = "num_ranks 1
rank 0 {
x: calc 1
x requires a
a: calc 1
b: send 1b to 0 tag 1
c: calc 2
a requires b
b irequires c
c requires a
}";
    assert_eq!(
        stall(&circle.replace("send 1b to 0 tag 1", "calc 7"), none()),
        "the workload cannot end: TRACE: rank 0 waits in a circle: \
         calc in line 5 for calc in line 6 for calc in line 7 for the first again"
    );
    let rank_0 = "num_ranks 2
rank 0 {
r: recv 8b from 1 tag 4
s: send 8b to 1 tag 3
s requires r
}
";
    let both = format!("{rank_0}rank 1 {{ r: recv 8b from 0 tag -1\n s: send 8b to 0 tag 4\n s requires r\n}}");
    assert_eq!(
        stall(&both, none()),
        "the workload cannot end: TRACE: rank 0 waits in line 3 for a message from rank 1 with tag 4; \
         TRACE: rank 1 waits in line 7 for a message from rank 0 with any tag"
    );
    let unasked = "num_ranks 2
rank 0 { send 8b to 1 tag 3
}
rank 1 { calc 5
}";
    assert_eq!(end(unasked, none()).0, 5);
    assert_eq!(
        stall(unasked, ReplayOptions { eager_limit: Some(7), ..none() }),
        "the workload cannot end: TRACE: rank 0 waits in line 2 until rank 1 takes its message with tag 3 and that has left"
    );
}

#[test]
fn a_clock_that_runs_over_is_an_error() {
    let text = "num_ranks 1\nrank 0 {\ncalc 1\ncalc 1000000000000000\n}\n";
    let scaled = ReplayOptions { gap_scale: 1e6, ..ReplayOptions::default() };
    assert_eq!(
        stall(text, scaled),
        "TRACE, line 4: the replay's clock has run over, expected shorter times or a smaller gap scale"
    );
}

#[test]
fn a_rank_may_send_to_itself() {
    // The message stays in the node: o_send + 64 O = 52, local + 64 local_byte = 564, o_recv + 64 O = 62.
    let text = "num_ranks 1
        rank 0 {
            s: send 64b to 0 tag 2
            r: recv 64b from 0 tag 2
            c: calc 5
            c requires r
        }";
    let local = ReplayOptions { local: Nanoseconds(500.0), local_byte: 1.0, ..costs() };
    assert_eq!(end(text, local.clone()).0, 52 + 564 + 62 + 5);
    // Asked for: request and answer take `local` each.
    assert_eq!(end(text, ReplayOptions { eager_limit: Some(63), ..local }).0, 52 + 500 + 500 + 564 + 62 + 5);
    // A wildcard takes it as any other.
    assert_eq!(end(&text.replace("from 0 tag 2", "from -1 tag -1"), ReplayOptions::default()).0, 500 + 5);
    let alone = "num_ranks 2\nrank 0 {\nrecv 8b from 0\n}\nrank 1 {\n}\n";
    assert_eq!(
        stall(alone, ReplayOptions::default()),
        "the workload cannot end: TRACE: rank 0 waits in line 3 for a message from rank 0 with tag 0"
    );
}

#[test]
fn long_messages_and_times_are_counted_to_the_cycle() {
    let run = |text: &str| {
        let mut program = workload(text, ReplayOptions::default(), 1);
        let run = run_ideal(&mut program, 2, |_| L).unwrap();
        (run.cycles, program.traffic().bytes)
    };
    let message = |bytes: u64, ns: u64| {
        format!(
            "num_ranks 2\nrank 0 {{\nc: calc {ns}\ns: send {bytes}b to 1\ns requires c\n}}\nrank 1 {{\nrecv {bytes}b from 0\n}}\n"
        )
    };
    // 16 bytes a cycle.
    for bytes in [(1 << 32) + 16, 1 << 40] {
        let packets = u64::div_ceil(bytes, 128);
        assert_eq!(run(&message(bytes, 0)), (8 * packets + L, bytes));
    }
    let longest = 1_000_000_000_000_000;
    assert_eq!(run(&message(16, longest)), (longest + 8 + L, 16));
}
