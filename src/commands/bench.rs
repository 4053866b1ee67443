//! `powar bench`: rates, measured side by side.

use super::{grouped, print, print_json};
use crate::selection::packets;
use anyhow::Result;
use powar_config::presets;
use powar_evaluation::network::rate::{self, NetworkRate};
use powar_testbenches::bench::{Rate, measure, measure_switch};
use powar_tools::{Progress, Tools};
use std::path::PathBuf;
use std::process::ExitCode;

/// Measure simulation rates
///
/// Runs the golden model alone, the lock-step check in Verilator and the one in rust-hdl's simulation on the same traffic, one after
/// the other, and prints cycles per second, those of the fastest of five runs: of the power controller, and of the whole switch where
/// the configuration is one of a switch.
/// With --networks it runs whole networks of golden switches instead, on one core, and prints cycles, flit hops and packets per second.
#[derive(clap::Args)]
pub struct Args {
    /// Presets to measure
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "fat-tree-8,torus-28")]
    preset: Vec<String>,
    /// MPI trace that drives the switch
    #[arg(long, value_name = "FILE", default_value = "testbenches/traces/hpl-64.tar.xz")]
    input: PathBuf,
    /// Seconds a measurement lasts, about: its five runs together
    #[arg(long, value_name = "N", default_value_t = 2.0, value_parser = seconds)]
    seconds: f64,
    /// Measure whole networks instead
    #[arg(long, conflicts_with_all = ["preset", "input"])]
    networks: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<ExitCode> {
    let progress = Progress::stderr();
    if args.networks {
        return networks(&args, &progress);
    }
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

/// The networks that simulators are compared on, at each load.
fn networks(args: &Args, progress: &Progress) -> Result<ExitCode> {
    let bar = progress.counted("Networks", (rate::NETWORKS.len() * rate::LOADS.len()) as u64);
    let mut rates: Vec<NetworkRate> = vec![];
    for (topology, packet_flits) in rate::NETWORKS {
        for load in rate::LOADS {
            bar.detail(format!("{topology} at {load}"));
            rates.push(rate::measure(topology, packet_flits, load, args.seconds)?);
            bar.advance();
        }
    }
    bar.finish();
    if args.json {
        print_json(&rates)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!(
        "{:<14} {:>7} {:>14} {:>13} {:>12} {:>9}\n",
        "network", "load", "cycles/s", "flit hops/s", "packets/s", "memory"
    );
    for rate in &rates {
        let whole = |value: f64| grouped(value as u64);
        let memory = rate.peak_bytes.map_or("-".into(), |bytes| format!("{} MB", bytes >> 20));
        text += &format!(
            "{:<14} {:>7} {:>14} {:>13} {:>12} {memory:>9}\n",
            rate.topology,
            rate.load,
            whole(rate.cycles_per_second),
            whole(rate.flit_hops_per_second),
            whole(rate.packets_per_second),
        );
    }
    print(text)?;
    Ok(ExitCode::SUCCESS)
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.1..=600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number in 0.1..=600".into()),
    }
}
