//! `powar completions`: what a shell needs to complete commands and options.

use super::print;
use anyhow::Result;
use clap_complete::{Shell, generate};
use std::process::ExitCode;

/// Print the completions of a shell
///
/// What it prints belongs where the shell looks for completions; the examples have the usual places.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Shell to complete in
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  powar completions bash > ~/.local/share/bash-completion/completions/powar
  powar completions zsh > ~/.zfunc/_powar
  powar completions fish > ~/.config/fish/completions/powar.fish";

pub fn run(args: &Args, mut command: clap::Command) -> Result<ExitCode> {
    let mut script = vec![];
    generate(args.shell, &mut command, "powar", &mut script);
    print(String::from_utf8(script)?)?;
    Ok(ExitCode::SUCCESS)
}
