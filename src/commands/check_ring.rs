//! `powar check --ring`: a whole ring of boards, each with its power mechanism as Verilog beside the golden model.

use super::check::{check_vcd, difference_path, waves_text};
use super::{grouped, print, print_json};
use crate::selection::{Selection, whole};
use anyhow::{Result, ensure};
use powar_config::Config;
use powar_testbenches::network::{RingOptions, RingReport, RingWaves, check_ring, ring_of, run_ring};
use powar_testbenches::twins;
use powar_tools::{Progress, Tools};
use std::path::PathBuf;
use std::process::ExitCode;

const HEADING: &str = "Ring of boards (--ring)";

/// Which rings are checked, and what becomes of the words on them.
#[derive(clap::Args)]
pub struct RingArgs {
    /// Check the power mechanisms of all boards of a control ring together
    #[arg(
        long,
        group = "networks",
        conflicts_with_all = ["top", "block", "input", "traffic", "load", "disturbances", "node", "stage", "backend", "network", "vcs"],
        help_heading = HEADING
    )]
    ring: bool,
    /// One word of the ring in so many is lost, 0: none
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u32>(0..), requires = "ring", help_heading = HEADING)]
    lost: u32,
    /// One word in so many has one bit changed, 0: none
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u32>(0..), requires = "ring", help_heading = HEADING)]
    changed: u32,
    /// Cycles of a word from a board to the next beyond one, 0..=4095
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<usize>(0..=4095), requires = "ring", help_heading = HEADING)]
    delay: usize,
    /// Board whose waves are written, if no other shows a difference [default: 0]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..), requires_all = ["ring", "vcd"], help_heading = HEADING)]
    board: Option<usize>,
}

impl RingArgs {
    /// The boards to check, of which some may be named; `None` unless `--ring` was given.
    pub fn rings(&self, selection: &Selection, named: &[String]) -> Result<Option<Vec<Config>>> {
        if !self.ring {
            return Ok(None);
        }
        let rings = match named {
            [] => vec![selection.config()?],
            named => named.iter().map(|name| ring_of(name)).collect::<Result<Vec<_>>>()?,
        };
        Ok(Some(rings))
    }

    pub fn options(&self, cycles: u64, seed: u64) -> RingOptions {
        let RingArgs { lost, changed, delay, .. } = *self;
        RingOptions { cycles, seed, delay, lost, changed }
    }

    pub fn waves(&self, vcd: Option<PathBuf>) -> RingWaves {
        RingWaves { run: vcd.map(|vcd| (vcd, self.board.unwrap_or(0))), difference: None }
    }
}

pub fn run(rings: &[Config], options: RingOptions, mut waves: RingWaves, json: bool) -> Result<ExitCode> {
    // All that can be wrong is looked for before the tools are installed and a folder is made.
    for config in rings {
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
    for config in rings {
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
