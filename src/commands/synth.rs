//! `powar synth`: how big and how fast on an FPGA.

use super::{in_new_folder, lines_of, print, print_json};
use crate::selection::Selection;
use anyhow::Result;
use powar_synth::{AreaReport, Design, Options, Report, Target, measure_area, synthesise};
use powar_testbenches::twins;
use powar_tools::{Progress, Tools};
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Synthesise, place and route for an FPGA and measure
///
/// Runs Yosys and nextpnr on the power controller and on the selector alone, three seeds each, and writes LUTs, flip-flops, clock
/// rate and critical path as report.json and report.md. With --area, it only synthesises and packs, the whole switch if no block is
/// named, and says how the area is spread over the blocks, as a table and as a plot. The report's folder has the sources and the Yosys
/// scripts with which it can be done again by hand.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    /// Chip: ecp5-12f, ecp5-25f, ecp5-45f, ecp5-85f (the one of the ULX3S-85F board), ice40-hx8k, or with --area xc7a100t (Arty A7-100T)
    #[arg(long, value_name = "NAME", default_value = "ecp5-85f")]
    target: String,
    /// Blocks to measure [default: selector,power_controller; with --area: powar_switch]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    block: Option<Vec<String>>,
    /// Area only, as a whole and by block; no place and route
    #[arg(long, conflicts_with = "arbiter_comparison")]
    area: bool,
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
    if !args.area {
        target.check_placeable()?;
    }
    let usual: &[&str] = if args.area { &[twins::SWITCH] } else { &["selector", twins::CONTROLLER] };
    let blocks = args.block.unwrap_or_else(|| usual.iter().map(|block| block.to_string()).collect());
    if blocks.iter().any(|block| block == twins::SWITCH) {
        config.check_switch()?;
    }
    let designs = blocks.iter().map(|block| Ok((block.as_str(), source(&twins::design(&config, block)?))));
    let designs = designs.collect::<Result<Vec<(&str, Design)>>>()?;
    let options = match args.arbiter_comparison {
        true => Options::arbiter_comparison(),
        false => Options::new(target.clone()),
    };
    let folder = |block: &str| args.out.join(&config.name).join(block);
    in_new_folder(&args.out, || {
        let progress = Progress::stderr();
        let tools = Tools::ensure(&progress)?;
        if args.area {
            let measure = |design: &Design| measure_area(design, &target, &tools, &progress);
            let show = |block: &str, report: &AreaReport| {
                print(format!("{}\n{}", area_line(&config.name, block, report), report.table()))
            };
            return each(&designs, args.json, measure, |block, report| report.write(&folder(block)), show);
        }
        let measure = |design: &Design| synthesise(design, &options, &tools, &progress);
        let show = |block: &str, report: &Report| print(line(&config.name, block, report));
        each(&designs, args.json, measure, |block, report| report.write(&folder(block)), show)
    })
}

/// Measures each design, writes its report and prints it, or all of them as JSON.
fn each<R: Serialize>(
    designs: &[(&str, Design)],
    json: bool,
    measure: impl Fn(&Design) -> Result<R>,
    write: impl Fn(&str, &R) -> Result<Vec<PathBuf>>,
    show: impl Fn(&str, &R) -> Result<()>,
) -> Result<ExitCode> {
    let mut reports = vec![];
    for (block, design) in designs {
        let report = measure(design)?;
        let written = write(block, &report)?;
        if !json {
            show(block, &report)?;
            print(lines_of(&written, "  "))?;
        }
        reports.push(report);
    }
    if json {
        print_json(&reports)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A block's Verilog as `powar emit` writes it, for the tools.
fn source(design: &powar_hdl::verilog::Design) -> Design {
    let files = design.files().into_iter().filter(|(name, _)| name.ends_with(".v"));
    files.fold(Design::new(&design.description.top), |design, (name, text)| design.source(name, text))
}

/// A report in a line.
fn line(configuration: &str, block: &str, report: &Report) -> String {
    let seeds: Vec<String> = report.seeds.iter().map(|seed| format!("{:.1}", seed.fmax_mhz)).collect();
    format!(
        "{block} of {configuration}: {:.1} MHz (seeds {}), {} {}, {} LUT4, {} carry, {} FF\n",
        report.median_fmax_mhz,
        seeds.join(", "),
        report.core.area,
        report.target.area_unit(),
        report.core.lut,
        report.core.carry,
        report.core.ff
    )
}

/// An area as a whole in a line.
fn area_line(configuration: &str, block: &str, report: &AreaReport) -> String {
    let (needed, capacity) = (&report.whole, &report.capacity);
    let share = 100.0 * needed.area as f64 / capacity.area as f64;
    format!(
        "{block} of {configuration} as a whole: {} {} ({share:.1} % of {}), {} FF, {} block RAMs\n",
        needed.area, report.area_unit, report.target.device, needed.ff, needed.block_ram
    )
}
