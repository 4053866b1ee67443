//! `powar trace-convert`: an MPI program in another format.

use super::{as_json, grouped, print, print_json};
use crate::program::RecordedArgs;
use crate::selection::Selection;
use anyhow::{Context, Result};
use powar_evaluation::switch_view::{switch_view, trace_options};
use powar_tools::AtomicFile;
use powar_traffic::TrafficOptions;
use powar_traffic::format::convert::{Conversion, Destination, targets};
use powar_traffic::replay::Hops;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

/// Write an MPI program, recorded or a skeleton, in another format
///
/// The ending of the file tells the format (listed below). GOAL and VEF hold the program as the options let it be replayed: gaps behind
/// floor, factors and scale, collectives as messages of their algorithms (GOAL). A line of a VEF trace names the one event its message waits
/// for; which that is depends on how fast the network is, so the program is replayed over the network of the configuration.
#[derive(clap::Args)]
#[command(after_help = after_help())]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    program: RecordedArgs,
    /// File to write; packed if it ends in .xz
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Format to write, if the file's name does not tell it
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// Print what was written as JSON
    #[arg(long)]
    json: bool,
}

/// What was written.
#[derive(Serialize)]
struct Report {
    file: PathBuf,
    /// How many of what, such as ranks and messages.
    counts: BTreeMap<String, u64>,
}

fn after_help() -> String {
    let row = |name: &str, ending: &str, lost: &str| format!("  {name:<8} {ending:<16} not held: {lost}\n");
    let rows = targets().map(|(format, target)| {
        let ending = target.ending;
        let endings = if target.packed_only { format!("{ending}.xz") } else { format!("{ending}, {ending}.xz") };
        row(format.name, &endings, target.lost)
    });
    format!(
        "Formats:\n{}\nExamples:\n  \
         powar trace-convert --input testbenches/traces/hpl-64.tar.xz --out hpl.goal\n  \
         powar trace-convert --skeleton hpl:n=4096,nb=128,p=4,q=8 --out hpl.tar.xz",
        rows.collect::<String>()
    )
}

pub fn run(args: Args) -> Result<ExitCode> {
    as_json(args.json, "out", &args.out)?;
    let file_name = args.out.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let destination = Destination::of(&file_name, args.to.as_deref())?;
    args.program.refuse_to_replace(&args.out)?;
    let config = args.selection.config()?;
    let trace = args.program.open()?;
    let ranks = trace.ranks();
    let hops = || -> Result<Hops> {
        let network = switch_view(&config, 0, ranks)?;
        Ok(Box::new(move |source, destination| network.hops(source, destination)))
    };
    let options = TrafficOptions { replay: args.program.replay(), ..trace_options(&config) };
    let conversion = Conversion { options, hops: &hops, name: destination.bare_name(&file_name) };
    let mut file = AtomicFile::create(&args.out)?;
    let counts = destination
        .write(&trace, &conversion, &mut file)
        .with_context(|| format!("can't write {}", args.out.display()))?;
    file.commit()?;
    if args.json {
        let counts = counts.into_iter().map(|(what, count)| (what.replace(' ', "_"), count)).collect();
        print_json(&Report { file: args.out, counts })?;
        return Ok(ExitCode::SUCCESS);
    }
    let counts: Vec<_> = counts.into_iter().map(|(what, count)| format!("{} {what}", grouped(count))).collect();
    print(format!("{}: {}\n", args.out.display(), counts.join(", ")))?;
    Ok(ExitCode::SUCCESS)
}
