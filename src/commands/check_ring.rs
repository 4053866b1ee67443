//! `powar check ring`: a whole ring of boards, each with its power mechanism as Verilog beside the golden model.

use super::waves::{check_vcd, difference_path, waves_text};
use super::{grouped, print, print_json};
use crate::selection::{Selection, cycles, once_each, seed, whole};
use anyhow::{Result, ensure};
use powar_config::Config;
use powar_testbenches::network::{RingOptions, RingReport, RingWaves, check_ring, ring_of, run_ring};
use powar_testbenches::twins;
use powar_tools::{Progress, Tools};
use std::path::PathBuf;
use std::process::ExitCode;

/// Check a whole ring of boards, each with its power mechanism as Verilog
///
/// Runs the mechanisms of all boards of an E-RAPID network beside their golden models in lock-step, on random packets and with words of the
/// control ring that are lost or changed, and checks that no wavelength ever has two holders.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    /// Rings instead of that of the configuration, boards-BxD, with commas between them
    #[arg(long, value_name = "NAME", value_delimiter = ',', conflicts_with_all = ["preset", "config"])]
    topology: Vec<String>,
    /// Cycles to run
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = cycles)]
    cycles: u64,
    /// Seed of the packets and of what becomes of the words
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = seed)]
    seed: u64,
    /// One word of the ring in so many is lost, 0: none
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u32>(0..))]
    lost: u32,
    /// One word in so many has one bit changed, 0: none
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u32>(0..))]
    changed: u32,
    /// Cycles of a word from a board to the next beyond one, 0..=4095
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<usize>(0..=4095))]
    delay: usize,
    /// Write the waves of a board here (.vcd), with files for GTKWave and Surfer beside it; the folder is made
    #[arg(long, value_name = "FILE")]
    vcd: Option<PathBuf>,
    /// Board whose waves are written, if no other shows a difference [default: 0]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..), requires = "vcd")]
    board: Option<usize>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  powar check ring --topology boards-4x2
  powar check ring --topology boards-4x2 --lost 100 --vcd build/r.vcd";

impl Args {
    /// The rings to check.
    fn rings(&self) -> Result<Vec<Config>> {
        once_each("topology", &self.topology)?;
        match &self.topology[..] {
            [] => Ok(vec![self.selection.config()?]),
            named => named.iter().map(|name| ring_of(name)).collect(),
        }
    }

    fn options(&self) -> RingOptions {
        let Args { cycles, seed, delay, lost, changed, .. } = *self;
        RingOptions { cycles, seed, delay, lost, changed }
    }
}

pub fn run(args: Args) -> Result<ExitCode> {
    let (rings, options) = (args.rings()?, args.options());
    let (board, json) = (args.board.unwrap_or(0), args.json);
    let mut waves = RingWaves { run: args.vcd.map(|vcd| (vcd, board)), difference: None };
    // All that can be wrong is looked for before the tools are installed and a folder is made.
    for config in &rings {
        check_ring(config, &waves)?;
        twins::golden(config, config.mechanism().name)?;
    }
    let vcd = waves.run.as_ref().map(|(vcd, _)| vcd.clone());
    if let Some(vcd) = &vcd {
        ensure!(rings.len() == 1, "--vcd: is for one network, not {}", rings.len());
        check_vcd(vcd)?;
    }
    let progress = Progress::stderr();
    let tools = Tools::ensure(&progress)?;
    waves.difference = Some(difference_path(vcd.as_deref())?);
    let mut reports = vec![];
    for config in &rings {
        let block = config.mechanism().name;
        let library = twins::looped(config, block, twins::golden(config, block)?.layout(), &tools, &progress)?;
        let bar = progress.counted(format!("Ring of {}", config.name), options.cycles);
        let report = run_ring(config, (&library, None), &options, &waves, &mut |done| bar.set(done))?;
        bar.finish();
        let equal = report.equal;
        reports.push(report);
        if !equal {
            // The waves of another difference would take the place of these.
            break;
        }
    }
    if json {
        print_json(&reports)?;
    } else {
        print(reports.iter().map(text).collect::<String>())?;
    }
    Ok(if reports.iter().all(|report| report.equal) { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// A report in words.
fn text(report: &RingReport) -> String {
    let mut text = format!("{} of {}, a ring of {} boards: ", report.block, report.configuration, report.boards);
    text += &match &report.difference {
        None if report.wrong.is_some() => "WRONG\n".to_owned(),
        None => format!(
            "equal in {} cycles ({} signals a board; {} cycles/s)\n",
            grouped(report.cycles),
            grouped(report.signals as u64),
            grouped(report.cycles_per_second as u64)
        ),
        Some(difference) => format!("DIFFERENT\n  {difference}\n"),
    };
    if let Some(wrong) = &report.wrong {
        text += &format!("  {wrong}\n");
    }
    let [packets, words, spoilt, moves, levels] =
        [report.packets, report.words, report.spoilt, report.moves, report.changes_of_level].map(grouped);
    text +=
        &format!("  {packets} packets between boards; {words} words on the ring, {spoilt} of them lost or changed\n");
    text += &format!("  {moves} times a wavelength went to another board; {levels} changes of level\n");
    text + &waves_text(report.vcd.as_deref())
}
