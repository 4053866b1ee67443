//! MPI programs over networks of golden switches, to the cycle that `docs/programs.md` works out by hand.

use powar_config::units::Nanoseconds;
use powar_evaluation::network::{
    Interfaces, Outcome, Simulation, TraceOptions, Traffic, simulate, simulate_on_threads,
};
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

/// What fills packets, and the words of a rendezvous, are no payload.
#[test]
fn bits_are_those_of_the_messages() {
    let folder = TempDir::new().unwrap();
    for (bytes, eager_limit) in [(0, None), (1, None), (128, None), (129, None), (128, Some(0))] {
        let path = folder.path().join("once.goal");
        let text = format!(
            "num_ranks 2\nrank 0 {{\ns: send {bytes}b to 1 tag 7\n}}\nrank 1 {{\nr: recv {bytes}b from 0 tag 7\n}}\n"
        );
        std::fs::write(&path, text).unwrap();
        let outcome = on_a_star(path, ReplayOptions { eager_limit, ..ReplayOptions::default() });
        assert_eq!(outcome.payload_bits, Some(8 * bytes), "{bytes} bytes, {eager_limit:?}");
        assert_eq!(outcome.j_per_bit.is_some(), bytes > 0);
    }
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

/// Rank 0 computes for 200 us and sends 8 flits over two switches to rank 1.
fn over_two_switches(policy: &str, lead: f64) -> Simulation {
    let logs = folder(&["Send 200000 0 00000001 1 128 5 0", "Recv 0 0 00000001 0 128 5 0 -"]);
    let replay = ReplayOptions { lead: Nanoseconds(lead), ..ReplayOptions::default() };
    let traffic = Traffic::Trace(TraceOptions { input: logs.keep(), replay, ..TraceOptions::default() });
    let mechanism = [("wake_hints".to_owned(), toml::toml! { pdt = "1us" })].into();
    Simulation { topology: "torus-3x3".into(), policy: policy.into(), mechanism, traffic, ..Simulation::default() }
}

/// Both ports sleep when the message is given, and T_w is 2600 cycles. Its word starts a cycle later, is 23 cycles on the node's link and needs 49
/// from one switch to the next, where it wakes the port 22 cycles after its start has come in. The packet's head would be given that port
/// 31 + 27 cycles after the message was: so it waits for the second port, for T_w and 37 cycles. A lead takes away as much of that.
#[test]
fn a_message_that_was_foretold_waits_as_much_less() {
    let awake = simulate(&over_two_switches("reference", 0.0), &mut |_| {}).unwrap();
    let waited = |lead: f64| {
        let one = simulate_on_threads(&over_two_switches("powar-hints", lead), 1, &mut |_| {}).unwrap();
        let two = simulate_on_threads(&over_two_switches("powar-hints", lead), 2, &mut |_| {}).unwrap();
        assert_eq!(format!("{one:?}"), format!("{two:?}"), "{lead} ns");
        assert_eq!((one.messages, one.packets), (1, 1));
        let event = |name: &str| one.events.get(name).copied();
        (one.cycles - awake.cycles, [event("hints_woke"), event("hints_unused")].map(Option::unwrap_or_default))
    };
    // The packet itself wakes the first port unless the word is 20 cycles ahead of it; no port is woken twice.
    assert_eq!(waited(0.0), (2637, [1, 0]));
    assert_eq!(waited(1_000.0), (2637 - 625, [2, 0]));
    assert_eq!(waited(4_000.0), (2637 - 2500, [2, 0]));
    assert_eq!(waited(4_220.8), (0, [2, 0]));
    assert_eq!(waited(5_000.0), (0, [2, 0]));
    // The ports sleep again before the packet comes.
    assert_eq!(waited(20_000.0), (2 * 2601, [2, 2]));
}

/// Nodes with a stream announce the message on it. The packet starts ten cycles after its message was given there, and the word as above: so it waits
/// ten cycles less.
#[test]
fn a_node_with_a_stream_announces_what_is_foretold() {
    let of_stream = |policy: &str, lead: f64| {
        let simulation = Simulation { interfaces: Interfaces::AxiStream, ..over_two_switches(policy, lead) };
        simulate(&simulation, &mut |_| {}).unwrap()
    };
    let awake = of_stream("reference", 0.0);
    let waited = |lead: f64| {
        let outcome = of_stream("powar-hints", lead);
        let event = |name: &str| outcome.events.get(name).copied();
        (outcome.cycles - awake.cycles, [event("hints_woke"), event("hints_unused")].map(Option::unwrap_or_default))
    };
    assert_eq!(waited(1_000.0), (2637 - 625 - 10, [2, 0]));
    assert_eq!(waited(5_000.0), (0, [2, 0]));
    // The ports sleep again before the packet comes.
    assert_eq!(waited(20_000.0), (2 * 2601, [2, 2]));
}

#[test]
fn a_lead_that_nobody_hears_is_noted_or_refused() {
    let mut deaf = over_two_switches("powar-hints", 5_000.0);
    deaf.mechanism.get_mut("wake_hints").unwrap().insert("hints".into(), false.into());
    for simulation in [over_two_switches("powar", 5_000.0), deaf] {
        let notes = simulate(&simulation, &mut |_| {}).unwrap().notes;
        let said = format!("lead: 5us makes no difference: {} reads no words about messages", simulation.policy);
        assert!(notes.contains(&said), "{notes:?}");
    }
    let long = over_two_switches("powar-hints", 2e6);
    let said = format!("{:#}", simulate(&long, &mut |_| {}).unwrap_err());
    assert!(said.contains("lead is `2ms`, expected 0 to 1ms"), "{said}");
    let goal = TempDir::new().unwrap();
    let input = goal.path().join("a.goal");
    std::fs::write(&input, "num_ranks 2\nrank 0 {\na: send 8b to 1 tag 1\n}\nrank 1 {\na: recv 8b from 0 tag 1\n}\n")
        .unwrap();
    let replay = ReplayOptions { lead: Nanoseconds(5_000.0), ..ReplayOptions::default() };
    let traffic = Traffic::Trace(TraceOptions { input, replay, ..TraceOptions::default() });
    let said = format!("{:#}", simulate(&Simulation { traffic, ..long }, &mut |_| {}).unwrap_err());
    assert!(said.contains("lead is not 0, and") && said.contains("a.goal holds messages"), "{said}");
}
