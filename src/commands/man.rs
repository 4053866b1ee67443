//! `powar man`: manual pages.

use super::{as_json, in_new_folder, lines_of, print, print_json};
use anyhow::Result;
use clap_mangen::Man;
use powar_tools::write_files;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Write the manual pages of all commands into a folder
///
/// powar.1 and a page for each command, such as powar-sim.1: `man -l DIR/powar-sim.1` shows one, and in a folder man1 of the MANPATH all are found.
#[derive(clap::Args)]
pub struct Args {
    /// Folder to write to, such as ~/.local/share/man/man1
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Print the paths as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    files: Vec<PathBuf>,
}

pub fn run(args: &Args, mut command: clap::Command) -> Result<ExitCode> {
    as_json(args.json, "DIR", &args.folder)?;
    command.build();
    let mut pages = vec![];
    add(&command, "powar".to_owned(), &mut pages)?;
    let files = in_new_folder(&args.folder, || Ok(write_files(&args.folder, &pages)?))?;
    if args.json {
        print_json(&Report { files })?
    } else {
        print(lines_of(&files, ""))?
    }
    Ok(ExitCode::SUCCESS)
}

/// The page of a command under its whole name, and those of the commands below it.
fn add(command: &clap::Command, name: String, pages: &mut Vec<(String, String)>) -> Result<()> {
    let mut page = vec![];
    Man::new(command.clone().name(name.clone())).render(&mut page)?;
    pages.push((format!("{name}.1"), String::from_utf8(page)?));
    let below = command.get_subcommands().filter(|below| below.get_name() != "help");
    below
        .map(|below| (below, format!("{name}-{}", below.get_name())))
        .try_for_each(|(below, name)| add(below, name, pages))
}
