//! Cuts one phase of HPC Challenge, or some steps of any program, out of a long trace.
//!
//! ```text
//! cargo run --release -p powar-traffic --example cut-trace -- \
//!     hpcc-64.tar.xz hpl testbenches/traces/hpl-64.tar.xz
//! cargo run --release -p powar-traffic --example cut-trace -- \
//!     hpcc-64.tar.xz random-access testbenches/traces/random-access-64.tar.xz 2000000
//! cargo run --release -p powar-traffic --example cut-trace -- \
//!     gromacs-64.tar.xz Allreduce:1088:2-5 testbenches/traces/gromacs-64.tar.xz
//! ```
//!
//! Steps are given as OPERATION:BYTES:FIRST-LAST: from the FIRST collective of this kind (included) to the LAST
//! (excluded), counted from 1. The last argument, if any, is the longest excerpt wanted, in switch cycles.

use anyhow::{Context, Result, bail};
use powar_traffic::cut::{Phase, cut};
use powar_traffic::format::mpi_log::Logs;
use std::process::ExitCode;

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
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (source, phase, target, longest) = match arguments.as_slice() {
        [source, phase, target] => (source, phase, target, None),
        [source, phase, target, longest] => (source, phase, target, Some(longest)),
        _ => bail!("usage: cut-trace TRACE hpl|random-access|OPERATION:BYTES:FIRST-LAST TARGET.tar.xz [CYCLES]"),
    };
    let longest = longest
        .map(|text| text.parse())
        .transpose()
        .context("CYCLES is no number, expected a count of switch cycles")?;
    let phase = Phase::named(phase)?;
    let trace = Logs::open(source.as_ref())?;
    let excerpt = cut(&trace, phase, longest, target.as_ref())?;
    println!(
        "{target}: {} ranks, {} lines, {}",
        excerpt.ranks,
        excerpt.lines,
        match excerpt.cut_at_cycle {
            Some(cycle) => format!("cut off in cycle {cycle}"),
            None => "the whole phase".to_owned(),
        }
    );
    Ok(())
}
