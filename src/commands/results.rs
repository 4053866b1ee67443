//! `powar results`: a web page of an experiment's results.

use super::{as_json, print, print_json};
use anyhow::Result;
use powar_evaluation::experiment::write_page;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Make a web page of an experiment's results
///
/// Writes index.html into a folder that `powar experiment` wrote: a table that sorts and filters, the figures, and of each point the command that
/// repeats it. It needs no server and nothing from the network: open the file.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of the results, such as build/experiments/powar-fig4
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Print the page's path as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    page: PathBuf,
}

pub fn run(args: Args) -> Result<ExitCode> {
    as_json(args.json, "DIR", &args.folder)?;
    let page = write_page(&args.folder)?;
    if args.json {
        print_json(&Report { page })?
    } else {
        print(format!("{}\n", page.display()))?
    }
    Ok(ExitCode::SUCCESS)
}
