//! `powar verify`: proofs of the properties beside the blocks.

use super::verify_campaign::{self, CampaignArgs};
use super::{as_text, command_line, lines_of, print, print_json};
use crate::selection::{Selection, once_each, seed, whole};
use anyhow::{Context, Result};
use powar_tools::{Progress, Tools};
use powar_verification::coverage::{self, coverage_section, coverage_selection, measure_coverage};
use powar_verification::{
    Draw, Effort, LIMIT, Library, Plan, Report, Scope, Section, Selected, choose_mutants, compare_by_table,
    mutation_section, outcome_line, prove_all, summary, try_faults, try_mutants,
};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread::available_parallelism;

/// Prove what the blocks promise, for every input in every cycle
///
/// Beside each block stand properties, written from its page of the microarchitecture. They are bound to the Verilog of the block and
/// proved with Yosys and ABC or z3: without bound, or where that does not end for a number of cycles that the report says. For what
/// each property speaks of it is shown that it happens. A property that fails leaves a wave with its cycle marked, and exit code 1.
///
/// Without --preset or --config each block is proved in the configurations that stand beside its properties, which are often made small
/// for it. docs/verification.md says how to read the report, and what is not proved.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Prove every block of this ready configuration instead; `powar presets` lists them
    #[arg(long, value_name = "NAME", conflicts_with = "config", group = "one")]
    preset: Option<String>,
    /// The same of a configuration file in TOML; `powar presets --show NAME` prints one to start from
    #[arg(long, value_name = "FILE", group = "one")]
    config: Option<PathBuf>,
    /// Blocks to prove, with commas between them; a wrong name lists those that have properties, and with mutants one without
    /// properties may be named too [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    block: Vec<String>,
    /// Only proofs that take less than 10 s; so it is without --block
    #[arg(long, conflicts_with = "long")]
    quick: bool,
    /// All proofs; so it is with --block
    #[arg(long)]
    long: bool,
    /// Seconds that a solver gets for each search in a configuration that is not one of a block's own, where it is not known to end: what then
    /// has no proof without bound is said for as many cycles as were gone through
    #[arg(long, value_name = "SECONDS", default_value_t = LIMIT, requires = "one", value_parser = whole::<u32>(1..=86_400))]
    limit: u32,
    /// Put the faults that stand beside the properties into the blocks as well, one at a time: each must be found, and leaves a wave
    #[arg(long)]
    broken: bool,
    /// Compare golden model and Verilog in every state of blocks that have few: every input in each of them
    #[arg(long)]
    equality: bool,
    /// Try so many mutants of each block as well: its Verilog with one small thing wrong, by rule (docs/mutation.md)
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=100_000), conflicts_with = "mutant", group = "drawn")]
    mutants: Option<usize>,
    /// Try these mutants of the block instead, by their numbers, with commas between them
    #[arg(long, value_name = "NUMBER", value_delimiter = ',', requires = "block")]
    mutant: Vec<usize>,
    /// The same with mutants that Yosys makes (`mutate`), by its own rules; no block with children in generate blocks has some
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=60_000), conflicts_with = "mutant", group = "drawn")]
    yosys_mutants: Option<usize>,
    /// What is drawn at random is drawn with this seed: mutants if there are more of a block, the trials of a campaign
    #[arg(long, value_name = "S", default_value_t = 1, requires = "drawn", value_parser = seed)]
    seed: u64,
    /// No proofs: run blocks under the stimuli of the lock-step suite, in the configurations that faults are put into or in the one given, and say
    /// which lines of their Verilog run, which bits change, and by name what does not
    #[arg(long, conflicts_with_all = ["quick", "long", "limit", "broken", "equality", "mutants", "mutant", "yosys_mutants", "properties"])]
    coverage: bool,
    /// Folder of properties to use instead of those of this program, as hdl/properties/ is
    #[arg(long, value_name = "DIR")]
    properties: Option<PathBuf>,
    #[command(flatten)]
    campaign: CampaignArgs,
    /// Folder to write verify.json, verify.md, verify.html and waves to; what an earlier run wrote there goes. Of a campaign: campaign.json,
    /// from which it goes on, campaign.md and a folder for each failure [default: build/verify, build/campaign]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Proofs or trials at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=1024))]
    jobs: Option<usize>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  powar verify
  powar verify --block vc_arbiter,port_power_fsm
  powar verify --block vc_arbiter --broken
  powar verify --block vc_arbiter --mutants 200
  powar verify --preset fat-tree-4 --long --out build/proofs
  powar verify --coverage --block vc_queue
  powar verify --campaign --hours 8 --seed 1";

pub fn run(args: Args) -> Result<ExitCode> {
    let cores = || available_parallelism().map_or(1, NonZero::get);
    let jobs = args.jobs.unwrap_or_else(cores);
    if args.campaign.campaign {
        return verify_campaign::run(&args.campaign, args.seed, args.out, jobs, args.json);
    }
    let out = args.out.unwrap_or_else(|| "build/verify".into());
    as_text("--out", &out)?;
    once_each("block", &args.block)?;
    once_each("mutant", &args.mutant)?;
    let selection = Selection { preset: args.preset, config: args.config };
    let scope = if selection.is_given() { Scope::Of(Box::new(selection.config()?)) } else { Scope::Own };
    if args.coverage {
        return cover(&scope, &args.block, &out, jobs, args.json);
    }
    let library = match &args.properties {
        Some(folder) => Library::from_folder(folder).context("--properties")?,
        None => Library::built_in()?,
    };
    // Who names a block wants it proved.
    let long = args.long || (!args.block.is_empty() && !args.quick);
    let seed = args.seed;
    let by_rule = args.mutants.map(|count| Draw::Seeded { count, seed });
    let by_yosys = args.yosys_mutants.map(|count| Draw::OfYosys { count, seed });
    let numbers = (!args.mutant.is_empty()).then(|| Draw::Numbers(args.mutant.into_iter().collect()));
    let draw = by_rule.or(by_yosys).or(numbers);
    let mutants = draw.is_some();
    let plan = Plan::new(&library, &Selected { scope, blocks: args.block, long, limit: args.limit, mutants })?;
    super::in_new_folder(&out, || {
        let progress = Progress::stderr();
        let tools = Tools::ensure(&progress)?;
        // A number without a mutant is told before the proofs.
        let choose = |draw: &Draw| choose_mutants(&library, &plan.mutated(), draw, &tools, jobs, &progress);
        let chosen = draw.as_ref().map(choose).transpose()?;
        let mut report = prove_all(&plan, &tools, jobs, &progress)?;
        report.command = command_line();
        if args.broken {
            try_faults(&library, &plan, &tools, jobs, &progress, &mut report)?;
        }
        if args.equality {
            report.add(compare_by_table(&plan, &tools, jobs, &progress)?);
        }
        if let (Some(draw), Some(chosen)) = (&draw, &chosen) {
            let scores = try_mutants(chosen, Effort::FULL, &tools, jobs, &progress)?;
            report.add(mutation_section(&scores, draw)?);
        }
        finish(&report, &out, args.json)
    })
}

/// Measures coverage, with no proofs in the report.
fn cover(scope: &Scope, blocks: &[String], out: &Path, jobs: usize, json: bool) -> Result<ExitCode> {
    let selected = coverage_selection(scope, blocks)?;
    super::in_new_folder(out, || {
        let progress = Progress::stderr();
        let tools = Tools::ensure(&progress)?;
        let covered = measure_coverage(&selected, coverage::Effort::FULL, &tools, jobs, &progress)?;
        let mut report = Report::without_proofs(&tools);
        report.command = command_line();
        report.add(coverage_section(&covered)?);
        finish(&report, out, json)
    })
}

/// Writes the report, prints it and says how it went.
fn finish(report: &Report, out: &Path, json: bool) -> Result<ExitCode> {
    let written = report.write(out)?;
    match json {
        true => print_json(report)?,
        false => print(text(report) + &lines_of(&written, "  "))?,
    }
    Ok(if report.holds { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The report in words.
fn text(report: &Report) -> String {
    let lines = report.outcomes().map(|outcome| outcome_line(outcome) + "\n");
    let left_out = report.left_out().into_iter();
    let left_out = left_out.map(|(blocks, why)| format!("left out, {why}: {}\n", blocks.join(", ")));
    let sections = report.sections.iter().map(Section::text);
    let all = lines.chain(left_out).chain(sections).collect::<String>();
    if report.blocks.is_empty() { all } else { format!("{all}{}\n", summary(report)) }
}
