//! `powar bench`: rates, measured side by side.

use super::{grouped, print, print_json};
use crate::selection::packets;
use anyhow::Result;
use powar_config::presets;
use powar_testbenches::bench::{Rate, measure, measure_switch};
use powar_tools::{Progress, Tools};
use std::path::PathBuf;
use std::process::ExitCode;

/// Measure simulation rates
///
/// Runs the golden model alone, the lock-step check in Verilator and the one in rust-hdl's simulation on the same traffic, one after
/// the other, and prints cycles per second: of the power controller, and of the whole switch where the configuration is one of a switch.
#[derive(clap::Args)]
pub struct Args {
    /// Presets to measure
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "fat-tree-8,torus-28")]
    preset: Vec<String>,
    /// MPI trace that drives the switch
    #[arg(long, value_name = "FILE", default_value = "testbenches/traces/hpl-64.tar.xz")]
    input: PathBuf,
    /// Seconds a measurement lasts, about
    #[arg(long, value_name = "N", default_value_t = 2.0, value_parser = seconds, allow_negative_numbers = true)]
    seconds: f64,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<ExitCode> {
    let progress = Progress::stderr();
    let traffic = |name: &String| {
        let config = presets::by_name(name)?;
        let packets = packets(&config, &args.input, 0, None)?;
        Ok((config, packets))
    };
    // A wrong name should be said before the tools are installed.
    let traffic = args.preset.iter().map(traffic).collect::<Result<Vec<_>>>()?;
    let tools = Tools::ensure(&progress)?;
    let mut rates: Vec<Rate> = vec![];
    for (config, packets) in traffic {
        rates.extend(measure(&config, &packets, args.seconds, &tools, &progress)?);
        rates.extend(measure_switch(&config, args.seconds, &tools, &progress)?);
    }
    if args.json {
        print_json(&rates)?;
    } else {
        let line = |rate: &Rate| {
            let per_second = grouped(rate.cycles_per_second as u64);
            format!("{:<12} {:<42} {per_second:>14} cycles/s\n", rate.configuration, rate.what)
        };
        print(rates.iter().map(line).collect::<String>())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.1..=600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number in 0.1..=600".into()),
    }
}
