//! `powar check`: a lock-step check.

use super::{grouped, print, print_json};
use crate::selection::{Selection, cycles, packets, seed};
use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use powar_testbenches::check::{Backend, Drive, Plan, Report, check};
use powar_testbenches::twins;
use powar_tools::{Progress, Tools};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Check the RTL against the golden model, cycle by cycle
///
/// Compares every output and every architectural register in every cycle, from reset on, on random inputs (--seed) or on the packets of
/// an MPI trace (--input). At the first difference it says where, writes the waves around it, and exits with 1.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    /// Block to check, such as selector or port_power_fsm; a wrong name lists them all
    #[arg(long, value_name = "NAME", default_value = twins::CONTROLLER)]
    block: String,
    /// Cycles to run
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = cycles, allow_negative_numbers = true)]
    cycles: u64,
    /// Seed of the random inputs
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "input", value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Drive with the packets of this MPI trace: a folder of logs, a .tar.xz of them or a VEF trace (.vef, .vef.xz)
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Which switch of the network the trace is seen from
    #[arg(long, value_name = "N", default_value_t = 0, requires = "input")]
    switch: u32,
    /// What simulates the RTL
    #[arg(long, value_enum, default_value_t = BackendName::Verilator)]
    backend: BackendName,
    /// Write the waves of the whole run here (.vcd), with files for GTKWave and Surfer beside it; build/ is made, any other folder
    /// must exist
    #[arg(long, value_name = "FILE")]
    vcd: Option<PathBuf>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum BackendName {
    /// The emitted Verilog, compiled by Verilator
    Verilator,
    /// rust-hdl's own simulation
    Rust,
}

pub fn run(args: Args) -> Result<ExitCode> {
    let config = args.selection.config()?;
    let drive = match &args.input {
        Some(trace) => {
            ensure!(
                args.block == twins::CONTROLLER,
                "--input: packets drive the block {} only, not {}",
                twins::CONTROLLER,
                args.block
            );
            let arrivals = packets(&config, trace, args.switch, Some(args.cycles))?;
            Drive::Packets { arrivals, writes: vec![] }
        }
        None => Drive::Random { seed: args.seed },
    };
    // All that can be wrong is looked for before the tools are installed and a folder is made.
    twins::golden(&config, &args.block)?;
    if let Some(vcd) = &args.vcd {
        ensure!(vcd.extension().is_some_and(|ending| ending == "vcd"), "--vcd: {} must end in .vcd", vcd.display());
        let folder = folder_of(vcd);
        let good = folder.is_dir() || folder == Path::new(DEFAULT_FOLDER);
        ensure!(good, "--vcd: {} can't be written: there is no folder {}", vcd.display(), folder.display());
    }
    let progress = Progress::stderr();
    let tools = match args.backend {
        BackendName::Verilator => Some(Tools::ensure(&progress)?),
        BackendName::Rust => None,
    };
    let plan = Plan {
        block: args.block,
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
    Ok(if report.equal { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Where waves go unless --vcd says otherwise; the one folder that is made for them.
const DEFAULT_FOLDER: &str = "build";

/// Where the waves of a difference go: beside those of the run, or in the default folder.
fn difference_path(vcd: Option<&Path>) -> Result<PathBuf> {
    let path = vcd
        .map_or_else(|| Path::new(DEFAULT_FOLDER).join("difference.vcd"), |vcd| vcd.with_extension("difference.vcd"));
    let folder = folder_of(&path);
    std::fs::create_dir_all(folder).with_context(|| format!("can't create {}", folder.display()))?;
    Ok(path)
}

/// The folder that a file is in or will be.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
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
    if let Some(vcd) = &report.vcd {
        text += &format!("  waves: {} (gtkwave {})\n", vcd.display(), vcd.with_extension("gtkw").display());
    }
    text
}
