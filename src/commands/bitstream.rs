//! `powar bitstream`: a design for a board.

use super::{as_text, in_new_folder, lines_of, print, print_json, warn};
use crate::selection::{Selection, one_of};
use anyhow::{Context, Result, bail, ensure};
use powar_config::{Config, presets};
use powar_hdl::demonstrator::board::{CLOCK, ULX3S_TOP, ulx3s_files};
use powar_synth::{Bitstream, Board, Design, Maker, bitstream, board, board_names, vivado_project};
use powar_tools::{Progress, Tools, check_owned, write_owned};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Make a bitstream for a board: of the FPGA demonstrator, or of any design
///
/// Without files it is that of the demonstrator: a switch with a traffic generator and a checker at each port, for `powar host`. Its
/// configuration is written with it (config.toml).
///
/// Synthesises, places and routes with every pin where the board has it, at the board's clock, and packs the bitstream (TOP.bit). Writes
/// with it what is known of it (report.json, report.md), and the sources, constraints and the Yosys script to make it again by hand. A clock
/// that is missed is said on stderr. For the Arty A7-100T, whose chip Vivado places and routes, it writes the folder for that: sources,
/// constraints and build.tcl.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, mut_arg("preset", |preset| preset.help(PRESET)))]
pub struct Args {
    /// Verilog files of the design, in the order of reading
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Ports of the demonstrator's switch, 4 or 8: preset demonstrator-4 or demonstrator-8 [default: 4]
    #[arg(long, value_name = "N", conflicts_with = "files")]
    ports: Option<usize>,
    #[command(flatten)]
    selection: Selection,
    /// Clock rate of the demonstrator, MHz [default: 25]
    #[arg(long, value_name = "MHZ", conflicts_with = "files", value_parser = megahertz)]
    clock: Option<f64>,
    #[arg(long, value_name = "NAME", default_value = "ulx3s-85f", value_parser = one_of(board_names().collect()), help = board_help())]
    board: String,
    /// Top module; its ports are the pins of the board's constraints, such as clk_25mhz and led of constraints/ulx3s-85f.lpf [default:
    /// demonstrator]
    #[arg(long, value_name = "MODULE", requires = "files", conflicts_with_all = ["ports", "clock"])]
    module: Option<String>,
    /// Folder to write to [default: build/bitstream/BOARD]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

fn board_help() -> String {
    format!("Board: {}", board_names().collect::<Vec<_>>().join(" or "))
}

const PRESET: &str = "Configuration of the demonstrator in place of --ports; `powar presets` lists them";

const EXAMPLES: &str = "\
Examples:
  powar bitstream --board ulx3s-85f
  powar bitstream --preset fat-tree-2
  powar bitstream --board ulx3s-85f --module blink blink.v
  openFPGALoader -b ulx3s build/bitstream/ulx3s-85f/blink.bit";

/// A project for Vivado in JSON.
#[derive(Serialize)]
struct Project {
    module: String,
    board: &'static str,
    commands: Vec<String>,
    files: Vec<PathBuf>,
}

pub fn run(args: Args) -> Result<ExitCode> {
    let board = board(&args.board)?;
    let given = args.selection.is_given();
    ensure!(!given || args.ports.is_none(), "ports: beside --preset or --config, expected one of them");
    ensure!(!given || args.files.is_empty(), "files: beside --preset or --config, which are for the demonstrator");
    let demonstrator = match args.files.is_empty() {
        true if given => Some(args.selection.config()?),
        true => Some(demonstrator_config(args.ports.unwrap_or(4))?),
        false => None,
    };
    let design = match &demonstrator {
        Some(config) => demonstrator_design(config, board, args.clock.unwrap_or(CLOCK))?,
        None => design(args.module.as_deref().unwrap_or("demonstrator"), &args.files)?,
    };
    let top = design.top().to_string();
    let folder = args.out.unwrap_or_else(|| PathBuf::from("build/bitstream").join(board.name()));
    // The command that loads the board names it.
    as_text("out", &folder)?;
    check_owned(&folder, &["report.json", "report.md", "config.toml"])?;
    in_new_folder(&folder, || {
        let progress = Progress::stderr();
        let tools = Tools::ensure(&progress)?;
        match board.maker() {
            Maker::Trellis => {
                let made = bitstream(&design, board, &tools, &progress)?;
                let config = demonstrator.map(|config| ("config.toml".to_string(), config.to_toml()));
                let written = made.write(&folder, config.as_slice())?;
                let load = board.load(&written[0].display().to_string());
                show(&made, &written, &load, args.json)
            }
            Maker::Vivado => {
                let files = vivado_project(&design, board, &tools, &progress)?;
                let written = write_owned(&folder, &files, true)?;
                show_project(&top, board, &folder, written, args.json)
            }
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Parses a clock rate; what the board's PLL can make of it is found later.
fn megahertz(text: &str) -> std::result::Result<f64, String> {
    let rate = text.parse().ok().filter(|rate: &f64| rate.is_finite() && *rate > 0.0);
    rate.ok_or_else(|| "expected a number above 0".into())
}

/// The demonstrator with so many ports.
fn demonstrator_config(ports: usize) -> Result<Config> {
    let name = format!("demonstrator-{ports}");
    let preset = presets::ALL.iter().find(|preset| preset.name == name);
    Ok(preset.with_context(|| format!("ports: {ports} is not a size of the demonstrator; it must be 4 or 8"))?.config())
}

/// The Verilog of the demonstrator on a board.
fn demonstrator_design(config: &Config, board: &dyn Board, clock: f64) -> Result<Design> {
    if board.name() != "ulx3s-85f" {
        bail!("board: there is no demonstrator for {}; name the FILEs of a design, or --board ulx3s-85f", board.name());
    }
    let files = ulx3s_files(config, clock).context("clock")?;
    Ok(files.into_iter().fold(Design::new(ULX3S_TOP), |design, (name, text)| design.source(name, text)))
}

/// The design of these files.
fn design(top: &str, files: &[PathBuf]) -> Result<Design> {
    let design = files.iter().try_fold(Design::new(top), |design, file| {
        // Scripts of the tools name it.
        as_text("FILE", file)?;
        design.source_file(file)
    })?;
    // A wrong name should be said before the tools are installed.
    design.check()?;
    Ok(design)
}

fn show(made: &Bitstream, written: &[PathBuf], load: &str, json: bool) -> Result<()> {
    if !made.meets_clocks {
        warn(made.clocks.iter().filter(|clock| !clock.is_met).map(|clock| clock.verdict()));
    }
    if json {
        return print_json(made);
    }
    let verdicts: String = made.verdicts().iter().map(|verdict| format!("{verdict}\n")).collect();
    let needs = &made.resources;
    print(format!(
        "{verdicts}{} on {}: {} {}, {} FF, {} block RAMs\n{}load it: {load}\n",
        made.module,
        made.board,
        needs.area,
        made.target.area_unit(),
        needs.ff,
        needs.block_ram,
        lines_of(written, "  "),
    ))
}

fn show_project(top: &str, board: &'static dyn Board, folder: &Path, files: Vec<PathBuf>, json: bool) -> Result<()> {
    let commands = vec![
        format!("cd {}", folder.display()),
        "vivado -mode batch -source build.tcl".into(),
        board.load(&format!("vivado/{top}.bit")),
    ];
    if json {
        return print_json(&Project { module: top.into(), board: board.name(), commands, files });
    }
    print(format!("{}bitstream: {}\n", lines_of(&files, "  "), commands.join(" && ")))
}
