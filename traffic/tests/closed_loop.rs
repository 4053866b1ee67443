//! Programs replayed over a network: what the ranks wait for, to the cycle, and what comes of a whole program.

use crate::common;
use common::driver::{Drive, Network, drive};
use common::{folder, vef_file};
use powar_config::units::Nanoseconds;
use powar_traffic::format::vef;
use powar_traffic::program::{NodeChoice, Order};
use powar_traffic::workload::{Foretold, Message, Workload};
use powar_traffic::{Placement, PlacementOptions, ProgramReplay, ReplayOptions, Trace, TrafficOptions};
use std::path::Path;

fn shipped(name: &str) -> Trace {
    Trace::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../testbenches/traces").join(name)).unwrap()
}

fn program(trace: &Trace, options: &TrafficOptions) -> ProgramReplay {
    let placement = Placement::new(trace.ranks(), trace.ranks(), &PlacementOptions::default()).unwrap();
    ProgramReplay::new(trace, options, placement).unwrap()
}

fn network<'a>(nodes: u32, latency: &'a dyn Fn(&Message) -> u64) -> Network<'a> {
    Network { nodes: nodes as usize, latency, backwards: false }
}

/// Start, source, destination and flits of every message of a drive.
fn starts(drive: &Drive) -> Vec<(u64, u32, u32, u64)> {
    drive.starts.iter().map(|(cycle, m)| (*cycle, m.source, m.destination, m.flits)).collect()
}

/// Drives hand-made logs, one rank a node; a message has come in 32 cycles after its last flit has left.
fn driven(logs: &[&str]) -> Vec<(u64, u32, u32, u64)> {
    let folder = folder(logs);
    let trace = Trace::open(folder.path()).unwrap();
    let options = TrafficOptions {
        replay: ReplayOptions { local: Nanoseconds(0.0), ..ReplayOptions::default() },
        ..TrafficOptions::default()
    };
    let drive = drive(&mut program(&trace, &options), &network(trace.ranks(), &|_| 32)).unwrap();
    assert!(drive.over);
    starts(&drive)
}

/// In an ideal network every message starts in the cycle in which the open loop has it start.
#[track_caller]
fn check_against_open_loop(trace: &Trace) {
    let options = TrafficOptions {
        replay: ReplayOptions { local: Nanoseconds(0.0), ..ReplayOptions::default() },
        ..TrafficOptions::default()
    };
    let open: Vec<_> = trace.replay(&options, Box::new(|_, _| 3)).unwrap().map(|message| message.unwrap()).collect();
    let mut open: Vec<_> =
        open.iter().filter(|m| m.packets > 0).map(|m| (m.start, m.source, m.destination, 8 * m.packets)).collect();
    open.sort_unstable();
    for backwards in [false, true] {
        let mut program = program(trace, &options);
        let drive = drive(&mut program, &Network { backwards, ..network(64, &|_| 3 * 32) }).unwrap();
        assert!(drive.over && program.run_time() == Some(drive.end));
        let closed = starts(&drive);
        assert_eq!(closed.len(), open.len());
        for (closed, open) in closed.iter().zip(&open) {
            assert_eq!(closed, open);
        }
    }
}

#[test]
fn linpack_over_an_ideal_network_is_the_open_loop() {
    check_against_open_loop(&shipped("hpl-64.tar.xz"));
}

#[test]
fn gromacs_over_an_ideal_network_is_the_open_loop() {
    check_against_open_loop(&shipped("gromacs-64.tar.xz"));
}

/// The same program as a VEF trace.
fn as_vef(trace: &Trace) -> (tempfile::NamedTempFile, Trace) {
    let mut text = Vec::new();
    vef::write(trace, &TrafficOptions::default(), Box::new(|_, _| 3), &mut text).unwrap();
    let file = vef_file(&text);
    let trace = Trace::open(file.path()).unwrap();
    (file, trace)
}

#[test]
fn random_access_over_an_ideal_network_is_the_open_loop_as_logs_and_as_vef() {
    let trace = shipped("random-access-64.tar.xz");
    check_against_open_loop(&trace);
    check_against_open_loop(&as_vef(&trace).1);
}

#[test]
fn what_follows_from_sent_happens_a_cycle_later_and_from_delivered_at_once() {
    let seen = driven(&[
        // Three packets in cycles 100 to 123; the next message 10 cycles after the last flit has left.
        "Send 160 0 00000001 1 300 7 0
         Send 16 0 00000001 1 1 7 0",
        // In at 124 + 32 and 142 + 32.
        "Recv 0 0 00000001 0 300 7 0
         Send 0 0 00000001 0 1 8 0
         Recv 0 0 00000001 0 1 7 0
         Send 0 0 00000001 0 1 9 0",
    ]);
    assert_eq!(seen, [(100, 0, 1, 24), (134, 0, 1, 8), (156, 1, 0, 8), (174, 1, 0, 8)]);
}

#[test]
fn messages_that_overtake_each_other_are_received_in_the_order_of_sending() {
    let logs = [
        "Send 0 0 00000001 1 8192 7 0
         Send 0 0 00000001 1 1 7 0",
        "Recv 0 0 00000001 0 8192 7 0
         Send 0 0 00000001 0 1 8 0
         Recv 0 0 00000001 0 1 7 0
         Send 0 0 00000001 0 1 9 0",
    ];
    let folder = folder(&logs);
    let trace = Trace::open(folder.path()).unwrap();
    let mut replay = program(&trace, &TrafficOptions::default());
    // The long one leaves until 511 and comes in at 5512, the short one at 520 + 1.
    let latency = |message: &Message| if message.flits > 8 { 5_000 } else { 1 };
    let drive = drive(&mut replay, &network(2, &latency)).unwrap();
    assert_eq!(starts(&drive), [(0, 0, 1, 512), (512, 0, 1, 8), (5_512, 1, 0, 8), (5_520, 1, 0, 8)]);
    // Messages that nobody receives stay.
    assert_eq!((drive.over, replay.outstanding()), (true, 2));
}

#[test]
fn a_slow_network_makes_a_program_slow() {
    let trace = shipped("random-access-64.tar.xz");
    let run_time = |latency: u64| {
        let mut replay = program(&trace, &TrafficOptions::default());
        drive(&mut replay, &network(64, &|_| latency)).unwrap();
        replay.run_time().unwrap()
    };
    let (near, far) = (run_time(96), run_time(2_600));
    assert!(far > near + 2_600, "{near} {far}");
}

#[test]
fn ranks_of_one_node_exchange_without_the_network() {
    let logs = [
        // On node 2, with rank 1: the message is there 500 ns, 313 cycles, later.
        "Send 160 0 00000001 1 300 7 0
         Send 0 0 00000001 2 1 7 0",
        "Recv 0 0 00000001 0 300 7 0
         Send 0 0 00000001 3 1 7 0",
        "Recv 0 0 00000001 0 1 7 0",
        "Recv 1600 0 00000001 1 1 7 0",
    ];
    let folder = folder(&logs);
    let trace = Trace::open(folder.path()).unwrap();
    let options = PlacementOptions { ranks_per_node: 2, order: Order::Block, choice: NodeChoice::These(vec![2, 0]) };
    let placement = Placement::new(4, 3, &options).unwrap();
    let mut replay = ProgramReplay::new(&trace, &TrafficOptions::default(), placement).unwrap();
    let drive = drive(&mut replay, &network(3, &|_| 32)).unwrap();
    assert_eq!(starts(&drive), [(100, 2, 0, 8), (413, 2, 0, 8)]);
    let traffic = replay.traffic();
    assert_eq!((traffic.messages, traffic.flits, traffic.local_messages, traffic.local_bytes), (2, 16, 1, 300));
    // Rank 3 computes until 1000, longer than its message takes.
    assert_eq!(replay.run_time(), Some(1_000));
    // Node 2: rank 0 has computed for 100 cycles, rank 1 never; node 0: rank 2 never, rank 3 for 1000.
    assert_eq!(replay.computing(1_000), [500.0, 0.0, 50.0]);
}

#[test]
fn four_ranks_a_node_keep_part_of_the_traffic_to_themselves() {
    let trace = shipped("random-access-64.tar.xz");
    let local = |order, choice| {
        let options = PlacementOptions { ranks_per_node: 4, order, choice };
        let placement = Placement::new(64, 64, &options).unwrap();
        let used: Vec<bool> = placement.ranks_on().iter().map(|&ranks| ranks > 0).collect();
        let mut replay = ProgramReplay::new(&trace, &TrafficOptions::default(), placement).unwrap();
        let drive = drive(&mut replay, &network(64, &|_| 96)).unwrap();
        assert!(drive.over);
        let computing = replay.computing(drive.end);
        assert!(computing.iter().zip(used).all(|(&cycles, used)| (cycles > 0.0) == used));
        let traffic = replay.traffic();
        assert_eq!(
            (traffic.messages + traffic.local_messages, traffic.bytes + traffic.local_bytes),
            (30_175, 6_010_896)
        );
        traffic.local_messages
    };
    let block = local(Order::Block, NodeChoice::Linear);
    assert_eq!(block, local(Order::Block, NodeChoice::Random(5)));
    // Whom a rank sends to differs from it in some bits of its number, seldom evenly.
    let robin = local(Order::RoundRobin, NodeChoice::Spread);
    assert!(block > 1_000 && robin > 1_000 && block != robin, "{block} {robin}");
}

#[test]
fn the_placement_must_be_for_the_trace() {
    let folder = folder(&["", ""]);
    let trace = Trace::open(folder.path()).unwrap();
    let placement = Placement::new(3, 4, &PlacementOptions::default()).unwrap();
    let error = ProgramReplay::new(&trace, &TrafficOptions::default(), placement).err().unwrap().to_string();
    let name = trace.name();
    assert_eq!(error, format!("the placement is for 3 ranks, expected the 2 of {name}"));
}

/// What the ranks wait for when nothing can happen any more.
fn waits(logs: &[&str]) -> Vec<String> {
    let folder = folder(logs);
    let trace = Trace::open(folder.path()).unwrap();
    let mut replay = program(&trace, &TrafficOptions::default());
    let drive = drive(&mut replay, &network(trace.ranks(), &|_| 32)).unwrap();
    assert!(!drive.over && replay.run_time().is_none());
    let name = trace.name();
    replay.waits().iter().map(|line| line.replace(name, "TRACE")).collect()
}

#[test]
fn a_message_that_is_missing_is_named() {
    let found = waits(&["Recv 0 0 00000001 1 8 7 0", "Send 0 0 00000001 0 8 6 0\nBarrier 0 0 00000001 -1 0 0 0", ""]);
    assert_eq!(
        found,
        [
            "TRACE: r00000.txt, line 3: rank 0 waits for a message with tag 7 from rank 1 in communicator 00000001, \
             which has not been sent",
            "TRACE: r00001.txt, line 4: rank 1 waits for its part of a collective from rank 0 in communicator \
             00000001, which has not been sent",
        ]
    );
}

#[test]
fn ranks_that_wait_for_each_other_are_named() {
    let log = |rank: u32| format!("Recv 0 0 00000001 {rank} 8 5 0\nSend 0 0 00000001 {rank} 8 5 0");
    let found = waits(&[&log(1), &log(0)]);
    let line = |rank: u32, other: u32| {
        format!(
            "TRACE: r0000{rank}.txt, line 3: rank {rank} waits for a message with tag 5 from rank {other} in \
             communicator 00000001, which has not been sent"
        )
    };
    assert_eq!(found, [line(0, 1), line(1, 0)]);
}

#[test]
fn a_message_the_network_holds_is_named() {
    let folder =
        folder(&["Send 16 0 00000001 1 300 7 0", "Recv 0 0 00000001 0 300 7 0", "Iprobe 1600 0 00000001 0 0 7 0"]);
    let trace = Trace::open(folder.path()).unwrap();
    let mut replay = program(&trace, &TrafficOptions::default());
    let mut messages = Vec::new();
    replay.act(0, &mut messages).unwrap();
    assert_eq!(replay.next_event(), 10);
    replay.act(10, &mut messages).unwrap();
    assert_eq!(messages, [Message { number: 0, source: 0, destination: 1, flits: 24, foretold: false }]);
    let waits = |replay: &ProgramReplay| -> Vec<String> {
        replay.waits().iter().map(|line| line.split(": ").last().unwrap().to_owned()).collect()
    };
    let receiver = "rank 1 waits for a message with tag 7 from rank 0 in communicator 00000001, \
                    which is under way";
    assert_eq!(
        waits(&replay),
        ["rank 0 waits until its message to rank 1 has left", receiver, "rank 2 computes until cycle 1000"]
    );
    replay.sent(33, &messages[0]);
    assert_eq!(replay.next_event(), 34);
    // Rank 0 has done what it computes, rank 2 is in the middle of it.
    assert_eq!(replay.computing(33), [10.0, 0.0, 33.0]);
    replay.act(34, &mut messages).unwrap();
    assert_eq!(waits(&replay), [receiver, "rank 2 computes until cycle 1000"]);
    replay.delivered(100, &messages[0]);
    replay.act(100, &mut messages).unwrap();
    assert_eq!((replay.next_event(), replay.is_over(), replay.outstanding()), (1_000, false, 0));
    replay.act(1_000, &mut messages).unwrap();
    assert_eq!((replay.next_event(), replay.is_over(), replay.run_time()), (u64::MAX, true, Some(1_000)));
    assert_eq!((replay.waits(), messages.len()), (Vec::new(), 1));
}

#[test]
fn a_log_cut_short_is_an_error() {
    let folder = folder(&["Send 16 0 00000001 1 300 7 0", "Recv 0 0 00000001 0 300 7 0"]);
    let path = folder.path().join("r00001.txt");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("FIN 0 0 polls 0\n", "")).unwrap();
    let trace = Trace::open(folder.path()).unwrap();
    let error = drive(&mut program(&trace, &TrafficOptions::default()), &network(2, &|_| 32)).unwrap_err();
    assert_eq!(
        error.to_string().replace(trace.name(), "TRACE"),
        "TRACE: r00001.txt: the log is cut short: it ends at line 3 without its FIN line"
    );
}

/// Such as logs of two runs in one folder.
#[test]
fn ranks_that_call_different_collectives_are_told_apart() {
    let cases = [
        ("Allreduce 0 0 00000001 -1 8 0 0", "Barrier 0 0 00000001 -1 0 0 0", "Barrier meets AllReduce of rank 0: "),
        ("Bcast 0 0 00000001 0 8 0 0", "Bcast 0 0 00000001 1 8 0 0", "Broadcast has the root 1, and 0 on rank 0: "),
        (
            "Allreduce 0 0 00000001 -1 8 0 0",
            "Allreduce 0 0 00000001 -1 800 0 0",
            "AllReduce is of 800 bytes, and of 8 on rank 0: ",
        ),
    ];
    for (first, second, expected) in cases {
        let folder = folder(&[first, second]);
        let trace = Trace::open(folder.path()).unwrap();
        let error = drive(&mut program(&trace, &TrafficOptions::default()), &network(2, &|_| 32)).unwrap_err();
        let error = error.to_string().replace(trace.name(), "TRACE");
        assert!(error.starts_with(&format!("TRACE: r00001.txt, line 3: {expected}")), "{error}");
    }
}

#[test]
fn memory_does_not_grow_with_the_length_of_a_trace() {
    let most = |rounds: usize| {
        let round = |rank: u32| {
            let (to, from) = ((rank + 1) % 4, (rank + 3) % 4);
            format!(
                "Isend 20 0 00000001 {to} 300 7 1
                 Irecv 20 0 00000001 -1 300 -1 2
                 T 0 0 2 {from} 7 300 0
                 T 0 0 1 -2 -1 0 0
                 SendrecvS 5 0 00000001 {from} 900 9 0
                 SendrecvR 5 0 00000001 {to} 900 9 0
                 Allreduce {} 0 00000001 -1 8 0 0\n",
                10 * rank
            )
        };
        let logs = [0, 1, 2, 3].map(|rank| round(rank).repeat(rounds));
        let folder = folder(&logs.each_ref().map(String::as_str));
        let trace = Trace::open(folder.path()).unwrap();
        let mut watched = Watched { replay: program(&trace, &TrafficOptions::default()), most: 0 };
        let drive = drive(&mut watched, &network(4, &|_| 100)).unwrap();
        assert!(drive.over);
        assert_eq!(watched.replay.traffic().messages, 16 * rounds as u64);
        assert_eq!(watched.replay.outstanding(), 0);
        watched.most
    };
    assert_eq!(most(20_000), most(20));
}

/// Notes the most messages that a replay has outstanding.
struct Watched {
    replay: ProgramReplay,
    most: usize,
}

impl Workload for Watched {
    fn next_event(&self) -> u64 {
        self.replay.next_event()
    }

    fn act(&mut self, now: u64, messages: &mut Vec<Message>) -> anyhow::Result<()> {
        self.replay.act(now, messages)?;
        self.most = self.most.max(self.replay.outstanding());
        Ok(())
    }

    fn sent(&mut self, now: u64, message: &Message) {
        self.replay.sent(now, message);
    }

    fn delivered(&mut self, now: u64, message: &Message) {
        self.replay.delivered(now, message);
    }

    fn is_over(&self) -> bool {
        self.replay.is_over()
    }

    fn waits(&self) -> Vec<String> {
        self.replay.waits()
    }

    fn computing(&self, now: u64) -> Vec<f64> {
        self.replay.computing(now)
    }
}

#[test]
fn a_vef_trace_computes_less_than_its_logs() {
    let trace = shipped("hpl-64.tar.xz");
    let (_file, vef) = as_vef(&trace);
    let options = TrafficOptions {
        replay: ReplayOptions { local: Nanoseconds(0.0), ..ReplayOptions::default() },
        ..TrafficOptions::default()
    };
    let [logs, vef] = [&trace, &vef].map(|trace| {
        let mut replay = program(trace, &options);
        let drive = drive(&mut replay, &network(64, &|_| 3 * 32)).unwrap();
        replay.computing(drive.end)
    });
    // A trace does not hold what a rank has computed before a receive that waited: there is nothing that follows.
    for (logs, vef) in logs.iter().zip(&vef) {
        assert!((0.5..1.0).contains(&(vef / logs)), "{vef} of {logs}");
    }
}

#[test]
fn tasks_of_one_node_exchange_without_the_network() {
    // Tasks 0 and 1 on node 0: the message and each of the barrier's between them take 313 cycles.
    let text = "VEF 3 4 2 1 2 0
C0 0 1 2
C1 0 1
0 0 1 300 0 160 -1
1 1 2 8 2 16 0
2 0 2 8 1 0 0
G0 1 6 0 0 0 0 3200 -1
G0 1 6 1 0 0 0 3200 -1
3 1 2 9 3 16 0
";
    let file = vef_file(text);
    let trace = Trace::open(file.path()).unwrap();
    let options = PlacementOptions { ranks_per_node: 2, ..PlacementOptions::default() };
    let placement = Placement::new(3, 2, &options).unwrap();
    let mut replay = ProgramReplay::new(&trace, &TrafficOptions::default(), placement).unwrap();
    let drive = drive(&mut replay, &network(2, &|_| 32)).unwrap();
    assert_eq!(starts(&drive), [(100, 0, 1, 8), (423, 0, 1, 8), (2_323, 0, 1, 8)]);
    // The last message has come in.
    assert_eq!(replay.run_time(), Some(2_331 + 32));
    let traffic = replay.traffic();
    assert_eq!((traffic.messages, traffic.local_messages, traffic.local_bytes), (3, 3, 300));
    // Task 0 from 0 to 100 and on to 2000; task 1 to 2000 but for the wait until 413, and for 10 cycles at the end.
    assert_eq!(replay.computing(2_363), [(2_000.0 + 1_597.0) / 2.0, 0.0]);
}

#[test]
fn a_vef_trace_that_can_not_finish_says_who_waits() {
    let text = "VEF 3 2 1 1 3 0
C0 0 1 2
0 0 1 8 2 0 1
1 1 0 8 2 0 0
G0 0 6 0 0 0 1 0 0
G0 0 6 1 0 0 2 0 0
G0 0 6 2 0 0 0 0 -1
";
    let file = vef_file(text);
    let trace = Trace::open(file.path()).unwrap();
    let mut replay = program(&trace, &TrafficOptions::default());
    let drive = drive(&mut replay, &network(3, &|_| 32)).unwrap();
    assert!(!drive.over);
    let waits: Vec<_> = replay.waits().iter().map(|line| line.replace(trace.name(), "TRACE")).collect();
    assert_eq!(
        waits,
        [
            "TRACE: task 0 waits in line 3 until it has received message 1",
            "TRACE: task 1 waits in line 4 until it has received message 0",
            "TRACE: task 2 waits in collective G0 for a message of task 0",
        ]
    );
}

/// A rank that begins to wait tells of what it gives behind that, past as many waits as it looks, and of nothing behind a computation.
#[test]
fn messages_are_foretold_while_their_sender_waits() {
    let logs = folder(&[
        "Recv 0 0 00000001 1 128 5 0\nSend 0 0 00000001 2 128 5 0\nRecv 0 0 00000001 1 128 5 0\nSend 0 0 00000001 1 128 5 0\n\
         Send 16 0 00000001 2 128 6 0",
        "",
        "",
    ]);
    let trace = Trace::open(logs.path()).unwrap();
    let told = |foresight: u32| {
        let replay = ReplayOptions { foresight, ..ReplayOptions::default() };
        let options = TrafficOptions { replay, ..TrafficOptions::default() };
        let mut program =
            ProgramReplay::new(&trace, &options, Placement::new(3, 3, &PlacementOptions::default()).unwrap()).unwrap();
        let (mut foretold, mut messages) = (vec![], vec![]);
        program.act(0, &mut messages).unwrap();
        program.foretell(&mut foretold);
        assert!(messages.is_empty(), "nothing comes in");
        foretold.iter().map(|&Foretold { source, destination }| (source, destination)).collect::<Vec<_>>()
    };
    assert_eq!(told(0), []);
    // Behind the first receive there is the end of a send to wait for, and the second receive.
    assert_eq!(told(1), [(0, 2)]);
    assert_eq!(told(2), [(0, 2)]);
    assert_eq!(told(3), [(0, 2), (0, 1)]);
    assert_eq!(told(1000), [(0, 2), (0, 1)]);
}

/// A rank that computes tells of what it gives behind that, up to where it waits or computes again, and at most `lead` before. What it waits
/// for first, and what stays in its node, it does not tell of.
#[test]
fn messages_are_foretold_while_their_sender_computes() {
    let logs = folder(&[
        "Isend 160 0 00000001 1 128 5 1\nIsend 0 0 00000001 2 128 5 2\nIsend 32 0 00000001 1 128 5 3\nIsend 0 0 00000001 3 128 5 4\n\
         Send 0 0 00000001 2 128 6 0\nSend 0 0 00000001 1 128 6 0",
        "",
        "",
        "",
    ]);
    let trace = Trace::open(logs.path()).unwrap();
    // What happens up to the first wait: the cycle of each word and its destination, and of each message, and whether it was foretold.
    let seen = |lead: f64, o_send: f64| {
        let replay = ReplayOptions { lead: Nanoseconds(lead), o_send: Nanoseconds(o_send), ..ReplayOptions::default() };
        let nodes = NodeChoice::Each(vec![0, 1, 2, 0]);
        let placed = PlacementOptions { ranks_per_node: 2, order: Order::Block, choice: nodes };
        let placement = Placement::new(4, 3, &placed).unwrap();
        let mut program =
            ProgramReplay::new(&trace, &TrafficOptions { replay, ..TrafficOptions::default() }, placement).unwrap();
        let (mut words, mut given) = (vec![], vec![]);
        while program.next_event() < u64::MAX {
            let now = program.next_event();
            let (mut foretold, mut messages) = (vec![], vec![]);
            program.act(now, &mut messages).unwrap();
            program.foretell(&mut foretold);
            words.extend(foretold.iter().map(|&Foretold { source, destination }| (now, source, destination)));
            given.extend(messages.iter().map(|message| (now, message.destination, message.foretold)));
        }
        (words, given)
    };
    let given = |foretold| [(100, 1, foretold), (100, 2, foretold), (120, 1, foretold), (120, 2, foretold)].to_vec();
    assert_eq!(seen(0.0, 0.0), (vec![], given(false)));
    // Ten cycles before, and not before the rank computes for it.
    assert_eq!(seen(16.0, 0.0), (vec![(90, 0, 1), (90, 0, 2), (110, 0, 1), (110, 0, 2)], given(true)));
    assert_eq!(seen(64.0, 0.0), (vec![(60, 0, 1), (60, 0, 2), (100, 0, 1), (100, 0, 2)], given(true)));
    assert_eq!(seen(1e6, 0.0).0, [(0, 0, 1), (0, 0, 2), (100, 0, 1), (100, 0, 2)]);
    // With ten cycles for each send, those to rank 3 in the node of rank 0 too.
    let (words, given) = seen(16.0, 16.0);
    assert_eq!(words, [(100, 0, 1), (110, 0, 2), (140, 0, 1), (160, 0, 2)]);
    assert_eq!(given, [(110, 1, true), (120, 2, true), (150, 1, true), (170, 2, true)]);
}
