//! `powar emit`: Verilog, file list, configuration.

use super::output_folder::write_files;
use super::{print, print_json};
use crate::selection::Selection;
use anyhow::Result;
use clap::ValueEnum;
use powar_testbenches::twins;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Write a design as Verilog-2005
///
/// Writes one file per module, their list in the order of reading (power_controller.f), and the configuration used (config.toml). The same
/// configuration always gives the same files, byte for byte.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    /// Folder to write to; made if it does not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// What to write
    #[arg(long, value_enum, default_value_t = Top::Controller)]
    top: Top,
    /// Print what was written as JSON
    #[arg(long)]
    json: bool,
}

/// A design that can be written.
#[derive(Clone, Copy, ValueEnum)]
enum Top {
    /// The power controller of a switch
    Controller,
    /// The selector of one requester (Algorithm 1) alone
    Selector,
}

impl Top {
    fn block(self) -> &'static str {
        match self {
            Top::Controller => twins::CONTROLLER,
            Top::Selector => "selector",
        }
    }
}

#[derive(Serialize)]
struct Written {
    top: String,
    modules: Vec<String>,
    files: Vec<PathBuf>,
}

pub fn run(args: Args) -> Result<ExitCode> {
    let config = args.selection.config()?;
    let design = twins::design(&config, args.top.block())?;
    let mut files = design.files();
    files.push(("config.toml".into(), config.to_toml()));
    let written = write_files(&args.out, &files)?;
    if args.json {
        let modules = design.modules.iter().map(|module| module.name.clone()).collect();
        print_json(&Written { top: design.description.top, modules, files: written })?;
    } else {
        print(written.iter().map(|path| format!("{}\n", path.display())).collect::<String>())?;
    }
    Ok(ExitCode::SUCCESS)
}
