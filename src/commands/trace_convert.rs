//! `powar trace-convert`: recorded MPI logs as a VEF trace.

use super::{grouped, print};
use crate::selection::Selection;
use anyhow::{Context, Result};
use powar_evaluation::switch_view::{switch_view, trace_options};
use powar_tools::AtomicFile;
use powar_traffic::Trace;
use powar_traffic::format::vef;
use std::path::PathBuf;
use std::process::ExitCode;

/// Write recorded MPI logs as a VEF trace, which network simulators read
///
/// A line of a VEF trace names the one event its message waits for. Which that is depends on how fast the network is, so the logs are
/// replayed over the network of the configuration and the last event before each message is written.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    /// MPI logs: a folder or a .tar.xz, such as testbenches/traces/hpl-64.tar.xz
    #[arg(long, value_name = "FILE")]
    input: PathBuf,
    /// VEF trace to write; packed if it ends in .xz
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub fn run(args: Args) -> Result<ExitCode> {
    let config = args.selection.config()?;
    let trace = Trace::open(&args.input)?;
    let network = switch_view(&config, 0, trace.ranks())?;
    let hops = Box::new(move |source, destination| network.hops(source, destination));
    let mut file = AtomicFile::create(&args.out)?;
    let packed = args.out.extension().is_some_and(|ending| ending == "xz");
    let write = if packed { vef::write_xz } else { vef::write };
    let written = write(&trace, &trace_options(&config), hops, &mut file)
        .with_context(|| format!("can't write {}", args.out.display()))?;
    file.commit()?;
    print(format!(
        "{}: {} tasks, {} messages, {} collectives\n",
        args.out.display(),
        written.tasks,
        grouped(written.messages),
        grouped(written.collectives)
    ))?;
    Ok(ExitCode::SUCCESS)
}
