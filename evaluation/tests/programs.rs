//! MPI programs over networks of golden switches, to the cycle that `docs/programs.md` works out by hand.

use powar_evaluation::network::{Outcome, Simulation, TraceOptions, Traffic, simulate};
use powar_traffic::{Polls, ReplayOptions};
use std::path::PathBuf;
use tempfile::TempDir;

/// One log of version 2 for each entry.
fn folder(logs: &[&str]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let n = logs.len();
    let members: Vec<String> = (0..n).map(|rank| rank.to_string()).collect();
    for (rank, lines) in logs.iter().enumerate() {
        let text = format!("H pmpilog 2 {rank} {n}\nC 00000001 {n} {}\n{lines}\nFIN 0 0 polls 0\n", members.join(" "));
        std::fs::write(folder.path().join(format!("r{rank:05}.txt")), text).unwrap();
    }
    folder
}

/// Over a star whose links take 23 cycles.
fn on_a_star(input: PathBuf, replay: ReplayOptions) -> Outcome {
    let traffic = Traffic::Trace(TraceOptions { input, replay, ..TraceOptions::default() });
    let simulation =
        Simulation { topology: "star-2".into(), policy: "reference".into(), traffic, ..Simulation::default() };
    simulate(&simulation, &mut |_| {}).unwrap()
}

#[test]
fn the_polled_receive_of_the_programs_page_takes_the_cycles_that_it_says() {
    let logs = folder(&[
        "Send 160 0 00000001 1 128 5 0\nBarrier 0 0 00000001 -1 0 0 0",
        "Irecv 0 0 00000001 0 128 5 1\nP 16 0 1 0 5 128 3\nBarrier 160 0 00000001 -1 0 0 0",
    ]);
    let cycles = |polls| on_a_star(logs.path().into(), ReplayOptions { polls, ..ReplayOptions::default() }).cycles;
    assert_eq!(
        [cycles(Polls::GoOn), cycles(Polls::Wait)],
        [223, 323],
        "the cycles up to that in which it ends, cycle 0 included"
    );
}

#[test]
fn a_goal_trace_takes_the_same_cycles_on_a_star() {
    // Rank 0 computes 100 cycles and sends 8 flits; rank 1 receives and answers: 100 + 61 + 61.
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("ping.goal");
    let text = "num_ranks 2\nrank 0 {\na: calc 160\nb: send 128b to 1 tag 1\nc: recv 128b from 1 tag 2\nb requires a\n}\n\
                rank 1 {\na: recv 128b from 0 tag 1\nb: send 128b to 0 tag 2\nb requires a\n}\n";
    std::fs::write(&path, text).unwrap();
    assert_eq!(on_a_star(path, ReplayOptions::default()).cycles, 223);
}

/// What has nothing to do has no end: that is said of the trace, not of the program that reads it.
#[test]
fn a_program_without_an_operation_is_refused() {
    let folder = TempDir::new().unwrap();
    for (name, text) in [("a.goal", "num_ranks 2\nrank 0 {\n}\nrank 1 {\n}\n"), ("a.vef", "VEF 2 0 1 0 0 0\nC0 0 1\n")]
    {
        let input = folder.path().join(name);
        std::fs::write(&input, text).unwrap();
        let traffic = Traffic::Trace(TraceOptions { input: input.clone(), ..TraceOptions::default() });
        let simulation = Simulation { topology: "star-2".into(), traffic, ..Simulation::default() };
        let said = format!("{:#}", simulate(&simulation, &mut |_| {}).unwrap_err());
        assert_eq!(said, format!("{}: the program has no operation, expected one or more", input.display()));
    }
}
