//! Replays programs over a network without contention, and prints what they send and how long they take.
//!
//! ```text
//! cargo run --release -p powar-traffic --example ideal-run -- testbenches/traces/*.tar.xz
//! ```
//!
//! A message has come in 150 ns, three hops, after its last flit has left. U_cpu is the share of the run time that the
//! ranks compute.

use anyhow::{Result, ensure};
use powar_traffic::program::run_ideal;
use powar_traffic::{Placement, PlacementOptions, ProgramReplay, Trace, TrafficOptions};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<()> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    ensure!(!paths.is_empty(), "usage: ideal-run TRACE...");
    println!("ranks  messages      flits  run time ms  U_cpu  ns a message  trace");
    for path in paths {
        let trace = Trace::open(path.as_ref())?;
        let options = TrafficOptions::default();
        let hops = 3 * options.hop_ps.div_ceil(options.cycle_ps);
        let nodes = trace.ranks();
        let placement = Placement::new(trace.ranks(), nodes, &PlacementOptions::default())?;
        let mut program = ProgramReplay::new(&trace, &options, placement)?;
        let begin = Instant::now();
        let run = run_ideal(&mut program, nodes, |_| hops)?;
        let took = begin.elapsed();
        let milliseconds = (run.cycles * options.cycle_ps) as f64 * 1e-9;
        let u_cpu = run.computing.iter().sum::<f64>() / (run.cycles.max(1) * u64::from(nodes)) as f64;
        let cost = took.as_nanos() as f64 / run.messages.max(1) as f64;
        println!(
            "{nodes:>5} {:>9} {:>10} {milliseconds:>12.3} {u_cpu:>6.3} {cost:>13.0}  {path}",
            run.messages, run.flits
        );
    }
    Ok(())
}
