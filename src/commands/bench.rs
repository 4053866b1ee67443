//! `powar bench`: rates, measured side by side.

use super::{grouped, print, print_json};
use anyhow::Result;
use powar_config::presets;
use powar_evaluation::packets_of_trace;
use powar_testbenches::bench::{Rate, measure};
use powar_tools::{Progress, Tools};
use std::path::PathBuf;
use std::process::ExitCode;

/// Measure simulation rates
///
/// Runs the golden model alone, the lock-step check in Verilator and the one in rust-hdl's simulation on the same traffic, one after
/// the other, and prints cycles per second.
#[derive(clap::Args)]
pub struct Args {
    /// Presets to measure
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "fat-tree-8,torus-28")]
    preset: Vec<String>,
    /// MPI trace that drives the switch
    #[arg(long, value_name = "FILE", default_value = "testbenches/traces/hpl-64.tar.xz")]
    input: PathBuf,
    /// Seconds a measurement lasts, about
    #[arg(long, value_name = "N", default_value_t = 2.0)]
    seconds: f64,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<ExitCode> {
    let progress = Progress::stderr();
    let tools = Tools::ensure(&progress)?;
    let mut rates: Vec<Rate> = vec![];
    for name in &args.preset {
        let config = presets::by_name(name)?;
        let packets = packets_of_trace(&config, &args.input, 0, u64::MAX)?;
        rates.extend(measure(&config, &packets, args.seconds, &tools, &progress)?);
    }
    if args.json {
        print_json(&rates)?;
    } else {
        let line = |rate: &Rate| {
            let per_second = grouped(rate.cycles_per_second as u64);
            format!("{:<12} {:<30} {per_second:>14} cycles/s\n", rate.configuration, rate.what)
        };
        print(rates.iter().map(line).collect::<String>())?;
    }
    Ok(ExitCode::SUCCESS)
}
