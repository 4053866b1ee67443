//! The `powar` command: parses, calls the libraries, prints.
//!
//! Exit codes: 0 done and equal, 1 a check found a difference or a property that fails, 2 bad input, a missing tool or an I/O error, 130
//! interrupted, 143 told to end.

mod commands;
mod details;
mod former;
mod interrupt;
mod jobs;
mod layout;
mod mechanism;
mod network;
mod parameters;
mod places;
mod program;
mod selection;
mod synthetic;
mod under_way;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// Switch logic that lets an HPC network sleep.
///
/// Writes the POWAR power controller and the switch around it as Verilog, checks them cycle by cycle against their golden model, on
/// random stimuli or on the traffic of a real MPI application, and simulates whole networks of that model to say what each power
/// policy saves.
#[derive(Parser)]
#[command(version = VERSION, propagate_version = true, max_term_width = 110, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// With the commit, if the sources were in a repository (build.rs).
const VERSION: &str = env!("POWAR_VERSION");

const AFTER_HELP: &str = "\
Examples:
  powar demo
  powar emit --preset fat-tree-8 --out build/fat-tree
  powar check --preset torus-28 --cycles 200000 --seed 7 --vcd build/t.vcd
  powar trace --input testbenches/traces/hpl-64.tar.xz --policy all --pdt 10us
  powar sim --topology 8-ary-2-tree --input testbenches/traces/hpl-64.tar.xz
  powar experiment experiments/powar-fig4.toml

Exit code 0: done, equal. 1: a check found a difference. 2: bad input, missing tool, I/O error. 130:\ninterrupted. 143: told to end.";

#[derive(Subcommand)]
enum Command {
    Demo(commands::demo::Args),
    Presets(commands::presets::Args),
    Emit(commands::emit::Args),
    Check(Box<commands::check::Args>),
    Verify(commands::verify::Args),
    Trace(commands::trace::Args),
    Sim(Box<commands::sim_args::Args>),
    Experiment(commands::experiment::Args),
    TraceConvert(commands::trace_convert::Args),
    Synth(commands::synth::Args),
    Bitstream(commands::bitstream::Args),
    Bench(commands::bench::Args),
    Host(Box<commands::host::Args>),
    Tools(commands::tools::Args),
    Schema(commands::schema::Args),
    Completions(commands::completions::Args),
    Man(commands::man::Args),
}

fn main() -> ExitCode {
    powar_evaluation::set_version(VERSION);
    interrupt::watch();
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    if let Some(answer) = former::answer(&words) {
        eprintln!("powar: {answer}");
        return ExitCode::from(2);
    }
    let cli = match Cli::try_parse_from(with_negative_values(std::env::args_os())) {
        Ok(cli) => cli,
        Err(error) => return not_run(&error),
    };
    let done = match cli.command {
        Command::Demo(args) => commands::demo::run(args),
        Command::Presets(args) => commands::presets::run(args),
        Command::Emit(args) => commands::emit::run(args),
        Command::Check(args) => commands::check::run(*args),
        Command::Verify(args) => commands::verify::run(args),
        Command::Trace(args) => commands::trace::run(args),
        Command::Sim(args) => commands::sim::run(&args),
        Command::Experiment(args) => commands::experiment::run(args),
        Command::TraceConvert(args) => commands::trace_convert::run(args),
        Command::Synth(args) => commands::synth::run(args),
        Command::Bitstream(args) => commands::bitstream::run(args),
        Command::Bench(args) => commands::bench::run(args),
        Command::Host(args) => commands::host::run(&args),
        Command::Tools(args) => commands::tools::run(args),
        Command::Schema(args) => commands::schema::run(&args),
        Command::Completions(args) => commands::completions::run(&args, Cli::command()),
        Command::Man(args) => commands::man::run(&args, Cli::command()),
    };
    done.unwrap_or_else(|error| {
        // A closed pipe (`powar presets | head -1`) is the reader's choice, not an error.
        if error.chain().any(is_broken_pipe) {
            return ExitCode::SUCCESS;
        }
        eprintln!("powar: {}", one_line(&error));
        ExitCode::from(2)
    })
}

/// The arguments with values that begin like a negative number joined to their options: `--pdt -5us` is `--pdt=-5us`. clap takes such
/// a value for an unknown option, though no option begins with a digit, and says nothing of what the value should be.
fn with_negative_values(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = vec![];
    let (mut of_an_option, mut options_are_over) = (false, false);
    for argument in arguments {
        let text = argument.to_str().unwrap_or_default();
        let mut rest = text.chars().skip(1).skip_while(|&c| c == '.');
        let is_negative = text.starts_with('-') && rest.next().is_some_and(|c| c.is_ascii_digit());
        if is_negative && of_an_option {
            let option = joined.last_mut().expect("an option stands before it");
            option.push("=");
            option.push(&argument);
            of_an_option = false;
            continue;
        }
        options_are_over |= text == "--";
        of_an_option = !options_are_over && text.starts_with("--") && !text.contains('=');
        joined.push(argument);
    }
    joined
}

/// Help that was asked for, or what is wrong with the options, in one line like every other error.
fn not_run(error: &clap::Error) -> ExitCode {
    let wants_help = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if wants_help || !error.use_stderr() {
        return match error.print() {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                eprintln!("powar: can't write the help: {error}");
                ExitCode::from(2)
            }
            _ => ExitCode::from(if wants_help { 2 } else { 0 }),
        };
    }
    let text = error.to_string();
    // clap goes on with the usage and a pointer to --help, in paragraphs of their own.
    let paragraphs = text.split("\n\n").take_while(|part| !part.starts_with("Usage:") && !part.starts_with("For more"));
    let message = paragraphs.map(joined).collect::<Vec<_>>().join("; ");
    eprintln!("powar: {} (see --help)", message.trim_start_matches("error: "));
    ExitCode::from(2)
}

/// An error and its causes in one line. A cause that the text above it ends with already is not said twice.
fn one_line(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(|cause| joined(&cause.to_string())) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_broken_pipe(cause: &(dyn std::error::Error + 'static)) -> bool {
    cause.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
