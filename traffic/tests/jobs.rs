//! Jobs that share a network: who is placed where and when, and that each runs as it does alone.

use crate::common;
use common::driver::{Drive, Network, drive};
use common::folder_of;
use powar_traffic::jobs::{Cluster, Jobs, Mix, Program};
use powar_traffic::workload::{Message, Workload};
use powar_traffic::{Placement, PlacementOptions, ProgramReplay, RankPlacement, ReplayOptions, Trace, TrafficOptions};
use std::collections::BTreeSet;

/// Message latency of a network whose nodes only get in their own way: jobs on nodes of their own can't disturb each other.
const LATENCY: u64 = 40;

fn run(workload: &mut impl Workload, nodes: usize) -> Drive {
    let drive = drive(workload, &Network { nodes, latency: &|_| LATENCY, backwards: false }).unwrap();
    assert!(drive.over, "{:?}", workload.waits());
    drive
}

fn skeleton(name: &str, text: &str) -> Program {
    Program {
        name: name.into(),
        trace: Trace::skeleton(text).unwrap(),
        replay: ReplayOptions::default(),
        placement: Default::default(),
        nodes: vec![],
    }
}

fn jobs(programs: Vec<Program>, nodes: u32, tasks_per_node: u32, seed: u64) -> Jobs {
    Jobs::new(programs, Cluster { nodes, tasks_per_node, seed }, &TrafficOptions::default()).unwrap()
}

/// The program alone on its own nodes: its first flits, and its run time.
fn alone(program: &Program, nodes: u32, tasks_per_node: u32) -> (ProgramReplay, Drive) {
    let placement = PlacementOptions { ranks_per_node: tasks_per_node, ..PlacementOptions::default() };
    let placement = Placement::new(program.trace.ranks(), nodes, &placement).unwrap();
    let options = TrafficOptions { replay: program.replay.clone(), ..TrafficOptions::default() };
    let mut replay = ProgramReplay::new(&program.trace, &options, placement).unwrap();
    let drive = run(&mut replay, nodes as usize);
    (replay, drive)
}

const HALO: &str = "halo-fft:x=2,y=2,z=2,steps=2,fx=8,fy=8,fz=8,face=300";
const SEARCH: &str = "graph500:ranks=12,scale=8,searches=1";
const LINPACK: &str = "hpl:n=64,nb=8,p=2,q=4";

#[test]
fn a_job_alone_is_its_program_to_the_cycle() {
    for text in [HALO, SEARCH, LINPACK] {
        for tasks_per_node in [1, 3, 8] {
            let program = skeleton("one", text);
            let (replay, expected) = alone(&program, 16, tasks_per_node);
            let mut jobs = jobs(vec![program], 16, tasks_per_node, 5);
            let seen = run(&mut jobs, 16);
            assert_eq!((seen.end, jobs.run_time()), (expected.end, replay.run_time()), "{text}");
            assert_eq!(seen.starts, expected.starts, "{text}");
            assert_eq!(jobs.computing(seen.end), replay.computing(seen.end), "{text}");
            let record = &jobs.records()[0];
            assert_eq!((record.start, Some(record.end)), (0, replay.run_time()));
            let traffic = replay.traffic();
            assert_eq!(
                (record.bytes, record.network_bytes),
                (traffic.bytes + traffic.local_bytes, traffic.bytes),
                "{text}"
            );
        }
    }
}

/// Two of the three fit at a time. Each takes as long as alone, and the third begins in the cycle in which one has ended.
#[test]
fn a_job_has_a_clock_of_its_own_from_the_cycle_of_its_placement() {
    let programs = [skeleton("halo", HALO), skeleton("search", SEARCH), skeleton("linpack", LINPACK)];
    let times = programs.each_ref().map(|program| alone(program, 20, 1).0.run_time().unwrap());
    let mut orders = BTreeSet::new();
    for seed in 0..12 {
        // 8, 12 and 8 nodes of 20.
        let mut jobs = jobs(programs.to_vec(), 20, 1, seed);
        let drive = run(&mut jobs, 20);
        let records = jobs.records();
        assert_eq!(records.len(), 3);
        for record in &records {
            let place = programs.iter().position(|program| program.name == record.name).unwrap();
            assert_eq!(record.end - record.start, times[place], "{record:?}");
            assert_eq!((record.tasks, record.nodes), (programs[place].trace.ranks(), record.tasks));
        }
        let [first, second, last] = &records[..] else { panic!("{records:?}") };
        assert_eq!((first.start, second.start, first.first_node), (0, 0, 0));
        assert_eq!(second.first_node, first.nodes);
        // With 4 nodes free of 20, or none, there is room for 12 or 8 tasks as soon as one of the two has ended.
        assert_eq!(last.start, first.end.min(second.end), "{records:?}");
        assert_eq!(jobs.run_time(), records.iter().map(|record| record.end).max());
        assert_eq!(drive.end, jobs.run_time().unwrap());
        // Nodes compute only for their jobs.
        let alone: f64 = programs
            .iter()
            .flat_map(|program| {
                let (replay, drive) = alone(program, 20, 1);
                replay.computing(drive.end)
            })
            .sum();
        let computed: f64 = jobs.computing(drive.end).iter().sum();
        assert!((computed - alone).abs() < 1e-6 * alone, "{computed} {alone}");
        orders.insert(records.iter().map(|record| record.name.clone()).collect::<Vec<_>>());
    }
    assert!(orders.len() > 2, "{orders:?}");
}

#[test]
fn one_seed_is_one_schedule() {
    let mix = "title = 'many'\n[[job]]\nname = 'a'\nskeleton = 'all-reduce:ranks=4,steps=1,parameters=1k'\ncount = 6\n\
               [[job]]\nname = 'b'\nskeleton = 'all-reduce:ranks=8,steps=1,parameters=2k'\ncount = 3\n";
    let records = |seed| {
        let mut jobs = jobs(Mix::from_toml(mix).unwrap().open().unwrap(), 6, 2, seed);
        run(&mut jobs, 6);
        jobs.records()
    };
    let first = records(1);
    assert_eq!(first, records(1));
    assert!((2..6).any(|seed| records(seed) != first));
    // Never more nodes than there are, never one for two.
    for job in &first {
        let at_once = first.iter().filter(|other| (other.start..other.end).contains(&job.start));
        assert!(at_once.map(|other| other.nodes).sum::<u32>() <= 6, "{first:?}");
    }
    assert!(first.iter().any(|job| job.start > 0) && first.iter().filter(|job| job.start == 0).count() >= 2);
}

/// The first job leaves a message under way that nobody receives; the second has its nodes, and messages of the same numbers.
#[test]
fn messages_of_an_ended_job_do_not_reach_the_next() {
    let deaf = folder_of(2, &["Isend 0 0 00000001 1 128 5 1", "Irecv 0 0 00000001 0 128 9 1"]);
    let ping = folder_of(
        2,
        &[
            "Send 0 0 00000001 1 128 5 0\nRecv 0 0 00000001 1 128 6 0 -",
            "Recv 0 0 00000001 0 128 5 0 -\nSend 0 0 00000001 0 128 6 0",
        ],
    );
    let program = |name: &str, path: &std::path::Path| Program {
        name: name.into(),
        trace: Trace::open(path).unwrap(),
        replay: ReplayOptions::default(),
        placement: Default::default(),
        nodes: vec![],
    };
    let mut seen = BTreeSet::new();
    for seed in 0..16 {
        let mut jobs = jobs(vec![program("deaf", deaf.path()), program("ping", ping.path())], 2, 1, seed);
        let drive = run(&mut jobs, 2);
        let records = jobs.records();
        let [first, second] = &records[..] else { panic!("{records:?}") };
        seen.insert(first.name.clone());
        if first.name == "deaf" {
            // Its message occupies the link for 8 cycles; then ping's, 8 flits and the latency each way.
            assert_eq!((first.end, second.start), (0, 0));
            let numbers: BTreeSet<u64> = drive.starts.iter().map(|(_, message)| message.number).collect();
            assert_eq!(numbers.len(), 3, "each message has a number of its own");
            assert_eq!(second.end, 8 + 2 * (8 + LATENCY), "{records:?} {:?}", drive.starts);
        }
    }
    assert_eq!(seen.len(), 2);
}

#[test]
fn it_acts_only_when_a_job_does() {
    let programs = vec![skeleton("halo", HALO), skeleton("search", SEARCH)];
    let mut jobs = jobs(programs, 20, 1, 1);
    let mut messages: Vec<Message> = vec![];
    assert_eq!(jobs.next_event(), 0);
    jobs.act(0, &mut messages).unwrap();
    // Whatever comes next is later, and nothing happens before.
    let next = jobs.next_event();
    assert!(next > 0, "{next}");
    let given = messages.len();
    jobs.act(next - 1, &mut messages).unwrap();
    assert_eq!((jobs.next_event(), messages.len()), (next, given));
}

#[test]
fn what_waits_is_named() {
    let stuck = folder_of(2, &["Recv 0 0 00000001 1 128 5 0 -", "Recv 0 0 00000001 0 128 5 0 -"]);
    let stuck = Program { name: "stuck".into(), trace: Trace::open(stuck.path()).unwrap(), ..skeleton("", HALO) };
    let mut jobs = jobs(vec![stuck, skeleton("late", "all-reduce:ranks=3")], 3, 1, 2);
    let seen = drive(&mut jobs, &Network { nodes: 3, latency: &|_| 1, backwards: false });
    let over = seen.unwrap().over;
    assert!(!over && !jobs.is_over() && jobs.run_time().is_none());
    let waits = jobs.waits();
    assert!(waits.iter().any(|line| line.starts_with("job stuck: ") && line.contains("rank 0 waits")), "{waits:?}");
    assert!(waits.iter().all(|line| line.starts_with("job stuck: ") || line == "job late: nodes"), "{waits:?}");
}

#[test]
fn what_never_fits_is_refused() {
    let error = |programs: Vec<Program>, nodes, tasks_per_node| {
        let cluster = Cluster { nodes, tasks_per_node, seed: 1 };
        let error = Jobs::new(programs, cluster, &TrafficOptions::default()).err().unwrap();
        format!("{error:#}")
    };
    let both = || vec![skeleton("halo", HALO), skeleton("search", SEARCH)];
    assert_eq!(error(both(), 5, 2), "job `search`: tasks is `12`, expected 1 to 10: 2 on each of 5 nodes");
    assert_eq!(error(both(), 5, 0), "tasks_per_node is `0`, expected 1 or more");
    assert_eq!(error(vec![], 5, 2), "there are 0 jobs, expected 1 to 65536");
    let mut wrong = both();
    wrong[0].replay.local_byte = -1.0;
    assert!(error(wrong, 8, 2).starts_with("job `halo`: local_byte is `-1`"));
}

/// The nodes that send, of a mix's only program on 16 nodes of two tasks.
fn nodes_of(program: &Program, file: Option<&str>) -> BTreeSet<u32> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ranks");
    if let Some(text) = file {
        std::fs::write(&path, text).unwrap();
    }
    let placement = if file.is_some() { RankPlacement::from(path) } else { program.placement.clone() };
    let mut jobs = jobs(vec![Program { placement, ..program.clone() }], 16, 2, 1);
    let seen = run(&mut jobs, 16);
    let mut nodes: Vec<u32> = seen.starts.iter().map(|(_, message)| message.source).collect();
    nodes.sort_unstable();
    nodes.into_iter().collect()
}

#[test]
fn a_job_has_a_placement_within_its_nodes() {
    let program = |said: &str, nodes: &[u32]| Program {
        placement: RankPlacement::from(said),
        nodes: nodes.to_vec(),
        ..skeleton("one", "all-reduce:ranks=4,layers=1,steps=1")
    };
    let set = |nodes: &[u32]| nodes.iter().copied().collect::<BTreeSet<_>>();
    assert_eq!(nodes_of(&program("linear", &[]), None), set(&[0, 1]));
    assert_eq!(nodes_of(&program("random:5", &[]), None), set(&[0, 1]));
    // All that are named are used.
    assert_eq!(nodes_of(&program("linear", &[9, 4]), None), set(&[4, 9]));
    assert_eq!(nodes_of(&program("round-robin", &[9, 4, 7, 15]), None), set(&[4, 7, 9, 15]));
    // Places 3, 0, 0 and 5 of the six nodes that the job then needs.
    assert_eq!(nodes_of(&program("linear", &[]), Some("3\n0\n0\n5\n")), set(&[0, 3, 5]));
    assert_eq!(nodes_of(&program("linear", &[9, 4, 7]), Some("2\n0\n0\n2\n")), set(&[7, 9]));
    let error = |program: Program| {
        let cluster = Cluster { nodes: 16, tasks_per_node: 2, seed: 1 };
        format!("{:#}", Jobs::new(vec![program], cluster, &TrafficOptions::default()).err().unwrap())
    };
    for (program, says) in [
        (program("linear", &[3]), "job `one`: nodes: there are 1, expected 2 or more for 4 tasks, 2 on each"),
        (program("linear", &[3, 16]), "job `one`: nodes has `16`, expected 0 to 15"),
        (program("linear", &[3, 3]), "job `one`: nodes has `3` twice, expected each node once"),
        (
            program("nowhere", &[]),
            "job `one`: placement: `nowhere` is unknown; it must be one of linear, round-robin, spread, random or",
        ),
    ] {
        let error = error(program);
        assert!(error.starts_with(says) && !error.contains('\n'), "{error}, expected {says}");
    }
}

/// Two jobs that want a node in common run one after the other; one elsewhere does not wait.
#[test]
fn jobs_with_nodes_of_their_own_wait_for_them() {
    let on = |name: &str, nodes: &[u32]| Program { nodes: nodes.to_vec(), ..skeleton(name, HALO) };
    let eight = |first: u32| (first..first + 8).collect::<Vec<_>>();
    let mut jobs = jobs(vec![on("a", &eight(0)), on("b", &eight(4)), on("c", &eight(12))], 20, 1, 3);
    run(&mut jobs, 20);
    let records = jobs.records();
    let of = |name: &str| records.iter().find(|record| record.name == name).unwrap();
    let (first, second) = if of("a").start == 0 { (of("a"), of("b")) } else { (of("b"), of("a")) };
    assert_eq!((first.start, second.start, of("c").start), (0, first.end, 0));
    assert_eq!((of("a").first_node, of("b").first_node, of("c").first_node), (0, 4, 12));
}
