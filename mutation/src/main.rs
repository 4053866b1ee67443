//! The `powar-mutation` command. Exit codes: 0 every mutant is killed or known to be equivalent, 1 some survive, 2 bad input or a missing tool.

use anyhow::{Context, Result, ensure};
use clap::{Args, Parser, Subcommand};
use powar_mutation::equivalent;
use powar_mutation::judge::{Plan, judge, try_unit_tests};
use powar_mutation::report::Report;
use powar_mutation::rewrite::Mutant;
use powar_mutation::workshop::{MUTATED, Made, Workshop, sources, workspace};
use powar_tools::Progress;
use std::process::ExitCode;
use std::time::Duration;

/// Puts small errors into sources, one at a time, and says which of them no check notices.
#[derive(Parser)]
#[command(max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Golden(Golden),
}

/// Mutants of the golden model, hunted in lock-step with the sound Verilog.
///
/// The first run builds a copy of the workspace in `target/golden-mutants`, with all mutants in it; later ones take it as it is.
#[derive(Args)]
struct Golden {
    /// Only mutants of the files or folders with this name, such as `check_timer`, `alonso/control_registers` or `routing`.
    #[arg(long)]
    block: Option<String>,
    /// Only these mutants, by the numbers that a report gives, with commas between them.
    #[arg(long, value_name = "NUMBER", value_delimiter = ',', conflicts_with_all = ["block", "mutants"])]
    mutant: Vec<usize>,
    /// At most so many mutants, chosen at random.
    #[arg(long)]
    mutants: Option<usize>,
    /// Of what is chosen at random.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Cycles of each stimulus.
    #[arg(long, default_value_t = 15_000)]
    cycles: u64,
    /// Values of signals with the patient stimulus, in small blocks that wait or count; 0 leaves it out.
    #[arg(long, default_value_t = 24_000_000)]
    patience: u64,
    /// Hunts at a time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Seconds after which a hunt counts as one without end.
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// Leaves what no block reaches, such as the power model, and what survives as it is, instead of running the golden model's own tests on it.
    #[arg(long)]
    no_unit_tests: bool,
    /// Prints everything as JSON.
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    let Command::Golden(golden) = Cli::parse().command;
    match run(&golden) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Whether no mutant survives that should not.
fn run(golden: &Golden) -> Result<bool> {
    ensure!(golden.jobs > 0, "--jobs: 0 must be 1 or more");
    ensure!(golden.cycles > 0, "--cycles: 0 must be 1 or more");
    ensure!(golden.limit > 0, "--limit: 0 must be 1 or more");
    check_block(golden)?;
    let list = equivalent::read(&workspace().join("mutation/equivalent.toml"))?;
    let progress = Progress::stderr();
    let workshop = Workshop::new(workspace());
    let Made { runner, mutants: all, left_out } = workshop.make(&progress)?;
    let chosen = choose(golden, &all)?;
    let limit = Duration::from_secs(golden.limit);
    let plan = Plan { cycles: golden.cycles, patience: golden.patience, jobs: golden.jobs, limit };
    let mut verdicts = judge(&runner, &chosen, plan, &progress)?;
    if !golden.no_unit_tests {
        try_unit_tests(|| workshop.unit_tests(&progress), &chosen, plan, &mut verdicts, &progress)?;
    }
    let judged: Vec<_> = chosen.into_iter().zip(verdicts).collect();
    let equivalents = equivalent::apply(&list, &all, &judged)?;
    let report = Report::new(judged, &equivalents, left_out);
    if golden.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{report}");
        if let Some(count) = golden.mutants {
            println!("\nChosen with --mutants {count} --seed {}", golden.seed);
        }
    }
    Ok(report.all.survivors == 0)
}

/// Refuses the name of no file, before anything is built.
fn check_block(golden: &Golden) -> Result<()> {
    let Some(block) = &golden.block else { return Ok(()) };
    let sources = sources(&workspace())?;
    let known = sources.iter().any(|source| is_named(&source.file, block));
    ensure!(known, "--block: `{block}` must be a folder, or a file without its `.rs`, below {}", MUTATED.join(" or "));
    Ok(())
}

/// Whether a file or a folder that it is in has that name, with as many of its folders before it as are wanted.
fn is_named(file: &str, name: &str) -> bool {
    file.strip_suffix(".rs").is_some_and(|file| format!("{file}/").contains(&format!("/{name}/")))
}

/// The mutants that are asked for, in their order.
fn choose<'a>(golden: &Golden, all: &'a [Mutant]) -> Result<Vec<&'a Mutant>> {
    if !golden.mutant.is_empty() {
        let last = all.last().map_or(0, |last| last.number);
        let by_number = |number: &usize| {
            let one = all.iter().find(|mutant| mutant.number == *number);
            one.with_context(|| format!("--mutant: {number} must be one that compiles, of 1 to {last}"))
        };
        return golden.mutant.iter().map(by_number).collect();
    }
    let is_of = |mutant: &&Mutant| golden.block.as_ref().is_none_or(|block| is_named(&mutant.file, block));
    let mut chosen: Vec<&Mutant> = all.iter().filter(is_of).collect();
    if let Some(most) = golden.mutants {
        fastrand::Rng::with_seed(golden.seed).shuffle(&mut chosen);
        chosen.truncate(most);
        chosen.sort_by_key(|mutant| mutant.number);
    }
    Ok(chosen)
}
