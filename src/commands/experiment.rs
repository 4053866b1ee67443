//! `powar experiment`: runs the simulations of an experiment's file, writes their tables and figures.

use super::{print, print_json, warn};
use crate::selection::whole;
use anyhow::Result;
use powar_evaluation::experiment::{Plan, RunOptions, Status, run as run_plan, write};
use powar_tools::Progress;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Run an experiment: simulations of whole networks, their tables and figures
///
/// Reads which simulations to run from a TOML file such as experiments/powar-fig4.toml, runs those that the results folder does not have yet, over
/// the cores, and writes results.csv, results.json, results.md and the experiment's figures as SVG and PNG. A run that was killed goes on where it was;
/// a changed experiment runs only what is new. Thresholds at or above what a network's links can carry (U_max, measured) are said on stderr.
#[derive(clap::Args)]
pub struct Args {
    /// The experiment's file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Folder of the results [default: build/experiments/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Simulations to run at a time [default: the cores]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=1024))]
    jobs: Option<usize>,
    /// Run everything again, whatever the results folder has
    #[arg(long)]
    fresh: bool,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    title: &'a str,
    simulations: usize,
    results: serde_json::Value,
    files: &'a [PathBuf],
}

pub fn run(args: Args) -> Result<ExitCode> {
    let plan = Plan::read(&args.file)?;
    let folder = args.out.unwrap_or_else(|| PathBuf::from("build/experiments").join(&plan.name));
    let options = RunOptions { jobs: args.jobs, fresh: args.fresh };
    let bar = Progress::stderr().counted("Simulations", plan.simulations() as u64);
    let observe = |status: Status| {
        bar.set(status.done as u64);
        if status.kept > 0 {
            bar.detail(format!("{} of an earlier run", status.kept));
        }
        Ok(())
    };
    let results = run_plan(&plan, &folder, &options, &observe)?;
    bar.finish();
    warn(plan.warnings());
    let files = write(&results, &folder)?;
    if args.json {
        let results = serde_json::from_str(&results.json()?)?;
        print_json(&Report { title: &plan.file.title, simulations: plan.simulations(), results, files: &files })?;
    } else {
        let names: String = files.iter().map(|file| format!("{}\n", file.display())).collect();
        print(format!("{}\n\n{}\n{names}", plan.file.title, results.table()))?;
    }
    Ok(ExitCode::SUCCESS)
}
