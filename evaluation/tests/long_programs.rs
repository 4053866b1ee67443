//! Programs that take longer than 32-bit counters of cycles last, 6.9 seconds.

use powar_evaluation::network::{JobsOptions, Outcome, Simulation, TraceOptions, Traffic, simulate};
use std::path::Path;

fn simulated(policy: &str, traffic: Traffic) -> anyhow::Result<Outcome> {
    let simulation = Simulation { topology: "star-2".into(), policy: policy.into(), traffic, ..Simulation::default() };
    simulate(&simulation, &mut |_| {})
}

fn traced(policy: &str, input: &Path) -> anyhow::Result<Outcome> {
    simulated(policy, Traffic::Trace(TraceOptions { input: input.into(), ..TraceOptions::default() }))
}

/// Rank 0 computes for so many ns, then sends a message of one packet.
fn goal(calculations: &[u64]) -> String {
    let calc = |(place, ns): (usize, &u64)| format!("c{place}: calc {ns}\n");
    let requires = |place: usize| format!("c{place} requires c{}\n", place - 1);
    let lines: String =
        calculations.iter().enumerate().map(calc).chain((1..calculations.len()).map(requires)).collect();
    let last = calculations.len() - 1;
    format!(
        "num_ranks 2\nrank 0 {{\n{lines}s: send 128b to 1 tag 1\ns requires c{last}\n}}\nrank 1 {{\nr: recv 128b from 0 tag 1\n}}\n"
    )
}

fn of_goal(policy: &str, calculations: &[u64]) -> anyhow::Result<Outcome> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.goal");
    std::fs::write(&path, goal(calculations)).unwrap();
    traced(policy, &path)
}

#[test]
fn ten_seconds_and_a_message_take_their_cycles() {
    let outcome = of_goal("reference", &[10_000_000_000]).unwrap();
    // 10 s in cycles of 1.6 ns; two links of 23 cycles, 8 of the switch, 8 flits, the first of which is there after them.
    assert_eq!(outcome.cycles, 6_250_000_062);
    assert_eq!((outcome.u_port, outcome.flits), (1.0, 8));
    assert!((outcome.run_time_ns / 1e9 - 10.0).abs() < 1e-6 && (outcome.power.e_net - outcome.run_time_ns).abs() < 1.0);
}

/// Counters of 32 bits would have gone round: 62 500 cycles awake, and 6.25e9 asleep.
#[test]
fn ports_are_counted_to_the_end() {
    let outcome = of_goal("powar", &[10_000_000_000]).unwrap();
    assert_eq!(outcome.wake_ups, 1);
    // Awake until PDT is over, in transition, and awake again for the message: 62500 + 1800 of each port, and 2600 more of one.
    let awake = outcome.u_port * 2.0 * outcome.cycles as f64;
    let expected = 2.0 * (62_500.0 + 1_800.0) + 2_600.0;
    assert!((awake - expected).abs() < 200.0, "{awake}");
}

/// Of a mechanism that does nothing in idle time.
#[test]
fn the_longest_calculation_of_goal_runs() {
    let most = 1_000_000_000_000_000;
    let policy = "on-off-on-demand";
    let cycles = of_goal(policy, &[most]).unwrap().cycles;
    assert!((62..20_000).contains(&(cycles - most / 8 * 5)), "{cycles}");
    // 2^53 cycles are 1.44e16 ns.
    let error = format!("{:#}", of_goal(policy, &[most; 15]).unwrap_err());
    assert!(error.contains("the program takes more than 9007199254740992 cycles"), "{error}");
}

#[test]
fn logs_and_jobs_may_be_as_long() {
    let folder = tempfile::tempdir().unwrap();
    for (rank, line) in ["Send 10000000000 0 00000001 1 128 5 0", "Recv 0 0 00000001 0 128 5 0 -"].iter().enumerate() {
        let text = format!("H pmpilog 2 {rank} 2\nC 00000001 2 0 1\n{line}\nFIN 0 0 polls 0\n");
        std::fs::write(folder.path().join(format!("r{rank:05}.txt")), text).unwrap();
    }
    assert_eq!(traced("reference", folder.path()).unwrap().cycles, 6_250_000_062);
    let mix = folder.path().join("mix.toml");
    std::fs::write(folder.path().join("long.goal"), goal(&[10_000_000_000])).unwrap();
    std::fs::write(&mix, "title = 'long'\n[[job]]\nname = 'long'\ninput = 'long.goal'\n").unwrap();
    let jobs = JobsOptions { mix, tasks_per_node: 1, ..JobsOptions::default() };
    let outcome = simulated("reference", Traffic::Jobs(jobs)).unwrap();
    assert!((6_250_000_062..6_250_000_200).contains(&outcome.cycles), "{}", outcome.cycles);
}
