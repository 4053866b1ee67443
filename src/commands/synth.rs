//! `powar synth`: how big and how fast on an FPGA.

use super::{print, print_json};
use crate::selection::Selection;
use anyhow::{Context, Result};
use powar_synth::{Design, Options, Report, Target, synthesise};
use powar_testbenches::twins;
use powar_tools::{Progress, Tools};
use std::path::PathBuf;
use std::process::ExitCode;

/// Synthesise, place and route for an FPGA and measure
///
/// Runs Yosys and nextpnr on the power controller and on the selector alone, three seeds each, and writes LUTs, flip-flops, clock
/// rate and critical path as report.json and report.md.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    /// Chip: ecp5-12f, ecp5-25f, ecp5-45f or ecp5-85f (the one of the ULX3S-85F board)
    #[arg(long, value_name = "NAME", default_value = "ecp5-85f")]
    target: String,
    /// Blocks to measure
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "selector,power_controller")]
    block: Vec<String>,
    /// Measure in the package, speed grade and harness that published arbiters were measured in, to compare with them
    #[arg(long, conflicts_with = "target")]
    arbiter_comparison: bool,
    /// Folder to write to
    #[arg(long, value_name = "DIR", default_value = "build/synth")]
    out: PathBuf,
    /// Print the reports as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<ExitCode> {
    let config = args.selection.config()?;
    let target = Target::named(&args.target)?;
    let options = if args.arbiter_comparison { Options::arbiter_comparison() } else { Options::new(target) };
    let designs =
        (args.block.iter()).map(|block| Ok((block, twins::design(&config, block)?))).collect::<Result<Vec<_>>>()?;
    // A folder that can't be made should be said before minutes of synthesis.
    std::fs::create_dir_all(&args.out).with_context(|| format!("can't create {}", args.out.display()))?;
    let progress = Progress::stderr();
    let tools = Tools::ensure(&progress)?;
    let mut reports: Vec<Report> = vec![];
    for (block, design) in designs {
        let top = &design.description.top;
        let source = Design::new(top).source(format!("{top}.v"), design.to_single_file());
        let report = synthesise(&source, &options, &tools, &progress)?;
        let folder = args.out.join(&config.name).join(block);
        std::fs::create_dir_all(&folder).with_context(|| format!("can't create {}", folder.display()))?;
        let [json, markdown] = report.write(&folder)?;
        if !args.json {
            print(line(&config.name, block, &report))?;
            print(format!("  {} {}\n", json.display(), markdown.display()))?;
        }
        reports.push(report);
    }
    if args.json {
        print_json(&reports)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A report in a line.
fn line(configuration: &str, block: &str, report: &Report) -> String {
    let seeds: Vec<String> = report.seeds.iter().map(|seed| format!("{:.1}", seed.fmax_mhz)).collect();
    format!(
        "{block} of {configuration}: {:.1} MHz (seeds {}), {} half-slices, {} LUT4, {} carry, {} FF\n",
        report.median_fmax_mhz,
        seeds.join(", "),
        report.core.comb,
        report.core.lut4,
        report.core.carry,
        report.core.ff
    )
}
