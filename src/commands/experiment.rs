//! `powar experiment`: runs the simulations of an experiment's file, writes their tables and figures.

use super::{as_json, print, print_json, warn};
use crate::interrupt;
use crate::layout::{folded, width, wrapped};
use crate::selection::{input_file, whole};
use anyhow::{Context, Result, ensure};
use powar_evaluation::experiment::slurm::{self, JobArray, Share};
use powar_evaluation::experiment::{Plan, Results, RunOptions, Status, check_folder, run as run_plan, title_in};
use powar_evaluation::experiment::{write, write_page};
use powar_evaluation::schema::Row;
use powar_evaluation::version;
use powar_tools::Progress;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Options of an experiment that runs here. Those that need `--slurm` exclude them too: clap doesn't ask for an option
/// that something given excludes, and `--out DIR --task 1/4` would run the whole experiment.
const RUN_HERE: [&str; 5] = ["out", "jobs", "fresh", "collect", "page"];

/// Run an experiment: simulations of whole networks, their tables and figures
///
/// Reads which simulations to run from a TOML file such as experiments/powar-fig4.toml, runs those that the results folder does not have yet, over
/// the cores, and writes results.csv, results.json, results.md and the experiment's figures as SVG and PNG. A run that was killed goes on where it was;
/// a changed experiment runs only what is new. Where one machine is not enough, --slurm makes a job array for a cluster and --collect gathers what its
/// tasks have left: the results are the same to the byte, but for the folder in the commands that repeat rows. Thresholds at or above what a network's links can carry (U_max, measured) are said on stderr.
#[derive(clap::Args)]
pub struct Args {
    /// The experiment's file; with --page also a folder of results
    #[arg(value_name = "FILE", value_parser = input_file())]
    file: PathBuf,
    /// Write a web page of the results as well (index.html): a table that sorts and filters, the figures, and of each point the command that
    /// repeats it. It needs no server and no network. With a folder of results, such as build/experiments/powar-fig4, in place of the file nothing
    /// is run: it gets its page
    #[arg(long)]
    page: bool,
    /// Folder of the results [default: build/experiments/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Simulations to run at a time [default: the cores]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=1024))]
    jobs: Option<usize>,
    /// Run everything again, whatever the results folder has
    #[arg(long)]
    fresh: bool,
    /// Write a Slurm job array into this folder, for the simulations that it has no result of; nothing is run
    #[arg(long, value_name = "DIR", conflicts_with_all = RUN_HERE)]
    slurm: Option<PathBuf>,
    /// Simulations of a task of the job array [default: as few as make 1000 tasks at most]
    #[arg(long, value_name = "N", requires = "slurm", conflicts_with = "task", conflicts_with_all = RUN_HERE,
          value_parser = whole::<usize>(1..=100_000))]
    per_task: Option<usize>,
    /// Run task N of T of the job array: what its script does
    #[arg(long, value_name = "N/T", requires = "slurm", conflicts_with = "json", conflicts_with_all = RUN_HERE)]
    task: Option<Share>,
    /// Write tables and figures of what the tasks of a job array have left in this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "jobs", "fresh"])]
    collect: Option<PathBuf>,
    /// Print the results, or what a job array is made of, as JSON
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize, JsonSchema)]
pub struct Report<'a> {
    title: &'a str,
    version: &'static str,
    simulations: usize,
    #[schemars(with = "Vec<Row>")]
    results: serde_json::Value,
    files: &'a [PathBuf],
}

/// What a job array is made of.
#[derive(Serialize)]
struct ArrayReport {
    script: Option<PathBuf>,
    tasks: usize,
    missing: usize,
    simulations: usize,
}

/// The page of a folder of results.
#[derive(Serialize)]
struct PageReport {
    page: PathBuf,
}

pub fn run(args: Args) -> Result<ExitCode> {
    if args.file.is_dir() {
        return page_of(&args);
    }
    let plan = Plan::read(&args.file)?;
    match (&args.slurm, args.task, &args.collect) {
        (Some(folder), None, _) => job_array(&plan, &args, folder),
        (Some(folder), Some(share), _) => {
            slurm::run_share(&plan, folder, share, &mut |key| print(format!("simulated {key}\n")))?;
            Ok(ExitCode::SUCCESS)
        }
        (None, _, Some(folder)) => report(&plan, &slurm::collect(&plan, folder)?, folder, &args),
        (None, _, None) => run_here(&plan, &args),
    }
}

/// Writes the page of results that there are already.
fn page_of(args: &Args) -> Result<ExitCode> {
    let folder = &args.file;
    ensure!(
        args.page,
        "FILE: {0} is a folder; for a page of its results: powar experiment {0} --page",
        folder.display()
    );
    let runs = args.out.is_some() || args.jobs.is_some() || args.fresh || args.collect.is_some();
    ensure!(!runs, "page: {} is a folder, of which nothing is run; expected no option but --json", folder.display());
    as_json(args.json, "FILE", folder)?;
    let page = write_page(folder)?;
    if args.json {
        print_json(&PageReport { page })?;
    } else {
        print(format!("{}\n", page.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn job_array(plan: &Plan, args: &Args, folder: &Path) -> Result<ExitCode> {
    let program = std::env::current_exe().context("can't find the path of this program")?;
    let experiment = std::path::absolute(&args.file)?;
    let folder = std::path::absolute(folder)?;
    let command = slurm::Command { program: &program, experiment: &experiment };
    let array = slurm::write_job_array(plan, command, &folder, args.per_task)?;
    warn(plan.warnings());
    let collect = format!("powar experiment {} --collect {}", args.file.display(), folder.display());
    if args.json {
        let (tasks, missing) = array.as_ref().map_or((0, 0), |array| (array.tasks, array.missing));
        let script = array.map(|array| array.script);
        print_json(&ArrayReport { script, tasks, missing, simulations: plan.simulations() })?;
    } else if let Some(JobArray { script, tasks, missing, all }) = array {
        let script = script.display();
        print(format!("{missing} of {all} simulations are left, in {tasks} tasks:\n\nsbatch {script}\n{collect}\n"))?;
    } else {
        print(format!("All {} simulations have a result:\n\n{collect}\n", plan.simulations()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn run_here(plan: &Plan, args: &Args) -> Result<ExitCode> {
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from("build/experiments").join(&plan.name));
    as_json(args.json, "out", &folder)?;
    check_folder(&folder)?;
    let options = RunOptions { jobs: args.jobs, fresh: args.fresh };
    let bar = Progress::stderr().counted("Simulations", plan.simulations() as u64);
    let observe = |status: Status| {
        bar.set(status.done as u64);
        if status.kept > 0 {
            bar.detail(format!("{} of an earlier run", status.kept));
        }
        Ok(())
    };
    let points = folder.join("points");
    interrupt::keeps(format!(
        "finished simulations are kept in {}, and the same command goes on from there",
        points.display()
    ));
    let results = run_plan(plan, &folder, &options, &observe)?;
    bar.finish();
    report(plan, &results, &folder, args)
}

/// The table in Markdown, which folds where the terminal is narrower, and what should be known of its points.
fn table(results: &Results) -> String {
    let table = results.readable();
    let plain = table.markdown();
    let widest = plain.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let shown = width().filter(|width| widest > *width).map_or(plain, |width| folded(&table, width));
    let notes: String = results.notes().lines().map(|note| wrapped("", note, width())).collect();
    if notes.is_empty() { shown } else { format!("{shown}\n{notes}") }
}

/// Writes the results' files and prints the table.
fn report(plan: &Plan, results: &Results, folder: &Path, args: &Args) -> Result<ExitCode> {
    warn(plan.warnings());
    if let Some(former) = title_in(folder).filter(|title| *title != plan.file.title) {
        let title = &plan.file.title;
        let folder = folder.display();
        warn([format!("out: the tables and figures of `{former}` in {folder} are replaced by those of `{title}`")]);
    }
    let mut files = write(results, folder)?;
    let has_page = files.iter().any(|file| file.ends_with("index.html"));
    if args.page && !has_page {
        files.push(write_page(folder)?);
    }
    if args.json {
        let results = serde_json::from_str(&results.json()?)?;
        print_json(&Report {
            title: &plan.file.title,
            version: version(),
            simulations: plan.simulations(),
            results,
            files: &files,
        })?;
    } else {
        let names: String = files.iter().map(|file| format!("{}\n", file.display())).collect();
        let how = "\nresults.csv has of each row the command that repeats it (column command).\n";
        print(format!("{}\n\n{}\n{names}{how}", plan.file.title, table(results)))?;
    }
    Ok(ExitCode::SUCCESS)
}
