//! `powar check`: a lock-step check.

use super::links::{LinkArgs, drive as drive_links};
use super::waves::{check_vcd, difference_path, waves_text};
use super::{check_ring, check_routing, grouped, print, print_json};
use crate::selection::{Selection, cycles, input_file, packets, seed, whole};
use anyhow::{Result, ensure};
use clap::{Subcommand, ValueEnum};
use powar_config::Config;
use powar_testbenches::check::{Backend, Drive, Plan, Report, check};
use powar_testbenches::twins;
use powar_tools::{Progress, Tools};
use std::path::PathBuf;
use std::process::ExitCode;

/// Check the RTL against the golden model, cycle by cycle
///
/// Compares every output and every architectural register in every cycle, from reset on, on random inputs (--seed) or on the packets of
/// an MPI trace (--input). At the first difference it says where, writes the waves around it, and exits with 1.
///
/// The whole switch (--top switch) gets neighbours on all its links, which keep to its rules or not (--disturbances), and is watched
/// besides: packets arrive whole, in order and where they may, credits and counters are right, no port sends that is off. What it
/// gets wrong there is a difference too.
///
/// Two checks of whole networks have options of their own: `powar check routing`, that packets can't block each other for ever, and
/// `powar check ring`, a ring of boards with E-RAPID's mechanism.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    of: Option<Of>,
    #[command(flatten)]
    selection: Selection,
    /// Design to check
    #[arg(long, value_enum, default_value_t = Top::Controller, conflicts_with = "block")]
    top: Top,
    /// Block to check instead, such as selector or port_power_fsm; a wrong name lists them all
    #[arg(long, value_name = "NAME")]
    block: Option<String>,
    /// Cycles to run
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = cycles)]
    cycles: u64,
    /// Seed of the random inputs
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "input", value_parser = seed)]
    seed: u64,
    #[command(flatten)]
    links: LinkArgs,
    /// Drive with the packets of this MPI trace: a folder or archive of logs or of DUMPI text, a VEF or a GOAL trace; packed or not
    #[arg(long, value_name = "FILE", value_parser = input_file())]
    input: Option<PathBuf>,
    /// Which switch of the network the trace is seen from
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u32>(0..),
          requires = "input", conflicts_with = "seed")]
    switch: u32,
    /// What simulates the RTL
    #[arg(long, value_enum, default_value_t = BackendName::Verilator)]
    backend: BackendName,
    /// Write the waves of the whole run here (.vcd), with files for GTKWave and Surfer beside it; the folder is made
    #[arg(long, value_name = "FILE")]
    vcd: Option<PathBuf>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  powar check --preset torus-28 --cycles 200000 --seed 7 --vcd build/t.vcd
  powar check --preset fat-tree-8 --block selector --backend rust
  powar check --top switch --preset star-16 --traffic hot-spot --load 0.8
  powar check --top switch --disturbances all --cycles 20000 --vcd build/s.vcd
  powar check routing --topology torus-4x4x4,k4-n3
  powar check ring --topology boards-4x2 --lost 100 --vcd build/r.vcd";

/// Checks of whole networks.
#[derive(Subcommand)]
enum Of {
    Routing(check_routing::Args),
    Ring(check_ring::Args),
}

#[derive(Clone, Copy, ValueEnum)]
enum Top {
    /// The power controller of a switch
    Controller,
    /// The whole switch
    Switch,
}

#[derive(Clone, Copy, ValueEnum)]
enum BackendName {
    /// The emitted Verilog, compiled by Verilator
    Verilator,
    /// rust-hdl's own simulation
    Rust,
}

pub fn run(args: Args) -> Result<ExitCode> {
    match args.of {
        Some(Of::Routing(args)) => return check_routing::run(&args),
        Some(Of::Ring(args)) => return check_ring::run(args),
        None => (),
    }
    let config = args.selection.config()?;
    let block = match (&args.block, args.top) {
        (Some(block), _) => block.clone(),
        (None, Top::Controller) => twins::CONTROLLER.to_owned(),
        (None, Top::Switch) => twins::SWITCH.to_owned(),
    };
    let drive = drive(&args, &config, &block)?;
    // All that can be wrong is looked for before the tools are installed and a folder is made.
    twins::golden(&config, &block)?;
    if let Some(vcd) = &args.vcd {
        check_vcd(vcd)?;
    }
    let progress = Progress::stderr();
    let tools = match args.backend {
        BackendName::Verilator => Some(Tools::ensure(&progress)?),
        BackendName::Rust => None,
    };
    let plan = Plan {
        block,
        backend: match args.backend {
            BackendName::Verilator => Backend::Verilator,
            BackendName::Rust => Backend::RustHdl,
        },
        cycles: args.cycles,
        drive,
        difference_vcd: difference_path(args.vcd.as_deref())?,
        vcd: args.vcd,
    };
    let report = check(&config, &plan, tools.as_ref(), &progress)?;
    if args.json {
        print_json(&report)?;
    } else {
        print(text(&report))?;
    }
    Ok(if report.equal && report.violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// What drives the block.
fn drive(args: &Args, config: &Config, block: &str) -> Result<Drive> {
    if block == twins::SWITCH {
        let trace =
            args.input.as_ref().map(|trace| packets(config, trace, args.switch, Some(args.cycles))).transpose()?;
        return drive_links(config, &args.links, trace, args.switch, args.seed);
    }
    args.links.refuse(block)?;
    let Some(trace) = &args.input else { return Ok(Drive::Random { seed: args.seed }) };
    let known = [twins::CONTROLLER, twins::SWITCH].join(" and ");
    ensure!(block == twins::CONTROLLER, "--input: packets drive the blocks {known} only, not {block}");
    let arrivals = packets(config, trace, args.switch, Some(args.cycles))?;
    Ok(Drive::Packets { arrivals, writes: vec![] })
}

/// The report in words.
pub fn text(report: &Report) -> String {
    let name = match report.backend {
        Backend::Verilator => "Verilog in Verilator",
        Backend::RustHdl => "rust-hdl simulation",
    };
    let mut text = format!("{} of {}, {name}: ", report.block, report.configuration);
    text += &match &report.difference {
        None => format!(
            "equal in {} cycles ({} signals, {} bits; {} cycles/s)\n",
            grouped(report.cycles),
            report.signals,
            report.bits,
            grouped(report.cycles_per_second as u64)
        ),
        Some(difference) => format!("DIFFERENT\n  {difference}\n"),
    };
    if let Some(links) = &report.links {
        let [packets, flits, dropped] = [links.packets_out, links.flits_out, links.packets_dropped].map(grouped);
        text += &format!("  links: {packets} packets out ({flits} flits), {dropped} to be dropped; ");
        text += &format!(
            "framing errors {}, flits lost {}, ",
            grouped(links.framing_errors),
            grouped(links.overflow_errors)
        );
        text += &format!("port cycles not sending {}\n", grouped(links.not_sending));
    }
    for violation in &report.violations {
        text += &format!("  WRONG: {violation}\n");
    }
    text + &waves_text(report.vcd.as_deref())
}
