//! `powar synth`: how big and how fast on an FPGA.

use super::{in_new_folder, lines_of, print, print_json};
use crate::selection::{Selection, once_each, one_of};
use anyhow::{Result, ensure};
use powar_synth::{
    AreaReport, Design, Options, Report, Target, area_comparison, clock_rates, measure_area, sizes, synthesise,
};
use powar_testbenches::twins;
use powar_tools::{Progress, Tools, check_owned, plain_name};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Synthesise, place and route for an FPGA and measure
///
/// Runs Yosys and nextpnr on the power controller and on the selector alone, three seeds each, and writes LUTs, flip-flops, clock
/// rate and critical path as report.json and report.md. With --area, it only synthesises and packs, the whole switch if no block is
/// named, and says how the area is spread over the blocks, as a table and as a plot, and on an ECP5 how many
/// hops (wires between cells) the longest path of each takes. The report's folder has the sources and the Yosys scripts with which it
/// can be done again by hand. Several blocks end in a table, a row each.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "ecp5-85f", value_parser = one_of(Target::names().collect()), help = target_help())]
    target: Vec<String>,
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

/// What `--target` takes.
fn target_help() -> String {
    let (placed, only_area): (Vec<&str>, Vec<&str>) =
        Target::names().partition(|name| Target::named(name).is_ok_and(|target| target.check_placeable().is_ok()));
    format!(
        "Chip: {} (ecp5-85f is the one of the ULX3S-85F board), or with --area {}; with --area also several with commas between them, set beside each other in a table",
        placed.join(", "),
        only_area.join(", ")
    )
}

/// The chips of `--target`: one, or with `--area` any number.
fn targets(args: &Args) -> Result<Vec<Target>> {
    let targets = args.target.iter().map(|name| Target::named(name)).collect::<Result<Vec<_>>>()?;
    if !args.area {
        ensure!(targets.len() == 1, "target: without --area, expected one chip, not {}", targets.len());
        targets[0].check_placeable()?;
    }
    once_each("target", &args.target)?;
    Ok(targets)
}

pub fn run(args: Args) -> Result<ExitCode> {
    let config = args.selection.config()?;
    let targets = targets(&args)?;
    let usual: &[&str] = if args.area { &[twins::SWITCH] } else { &["selector", twins::CONTROLLER] };
    once_each("block", args.block.as_deref().unwrap_or_default())?;
    let blocks = args.block.unwrap_or_else(|| usual.iter().map(|block| block.to_string()).collect());
    if blocks.iter().any(|block| block == twins::SWITCH) {
        config.check_switch()?;
    }
    let designs = blocks.iter().map(|block| Ok((block.as_str(), source(&twins::design(&config, block)?))));
    let designs = designs.collect::<Result<Vec<(&str, Design)>>>()?;
    let options = match args.arbiter_comparison {
        true => Options::arbiter_comparison(),
        false => Options::new(targets[0].clone()),
    };
    let folder = args.out.join(plain_name(&config.name));
    for block in &blocks {
        let chips = targets.iter().map(|target| target.name).filter(|_| targets.len() > 1);
        for below in chips.chain([""]) {
            check_owned(&folder.join(block).join(below), &["report.json", "report.md"])?;
        }
    }
    in_new_folder(&args.out, || {
        let progress = Progress::stderr();
        let tools = Tools::ensure(&progress)?;
        if args.area {
            let measure = |design: &Design, target: &Target| measure_area(design, target, &tools, &progress);
            return areas(&designs, &targets, &config.name, &folder, args.json, measure);
        }
        let measure = |design: &Design| synthesise(design, &options, &tools, &progress);
        let write = |block: &str, report: &Report| report.write(&folder.join(block));
        let show = |block: &str, report: &Report| print(line(&config.name, block, report));
        let reports = each(&designs, args.json, measure, write, show)?;
        finish(args.json, &reports, side_by_side(&reports, clock_rates))
    })
}

/// Measures each design on each chip. On one chip each design's table of blocks is printed, on several one table of all. A report is in the
/// folder of its block, and in that of its chip there if there are several.
fn areas(
    designs: &[(&str, Design)],
    targets: &[Target],
    configuration: &str,
    folder: &Path,
    json: bool,
    measure: impl Fn(&Design, &Target) -> Result<AreaReport>,
) -> Result<ExitCode> {
    let several = targets.len() > 1;
    let show = |block: &str, report: &AreaReport| {
        let table = if several { String::new() } else { format!("\n{}", report.terminal()) };
        print(format!("{}{table}", area_line(configuration, block, report)))
    };
    let mut reports = vec![];
    for target in targets {
        let below = if several { target.name } else { "" };
        let write = |block: &str, report: &AreaReport| report.write(&folder.join(block).join(below));
        reports.extend(each(designs, json, |design| measure(design, target), write, show)?);
    }
    let table = if several { Some(area_comparison(&reports)) } else { side_by_side(&reports, sizes) };
    finish(json, &reports, table)
}

/// The table of several blocks; of one all has been said.
fn side_by_side<R>(reports: &[R], table: fn(&[R]) -> String) -> Option<String> {
    (reports.len() > 1).then(|| table(reports))
}

/// Prints all reports if they are to be JSON, else the table that sets them side by side, if there is one.
fn finish<R: Serialize>(json: bool, reports: &[R], table: Option<String>) -> Result<ExitCode> {
    match table {
        _ if json => print_json(&reports)?,
        Some(table) => print(format!("\n{table}"))?,
        None => {}
    }
    Ok(ExitCode::SUCCESS)
}

/// Measures each design, writes its report, and prints it if it is not to be JSON.
fn each<R: Serialize>(
    designs: &[(&str, Design)],
    json: bool,
    measure: impl Fn(&Design) -> Result<R>,
    write: impl Fn(&str, &R) -> Result<Vec<PathBuf>>,
    show: impl Fn(&str, &R) -> Result<()>,
) -> Result<Vec<R>> {
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
    Ok(reports)
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
