//! One file a command: its options, the library calls it makes, what it prints.

pub mod bench;
pub mod bitstream;
pub mod check;
mod check_ring;
mod check_routing;
pub mod completions;
pub mod demo;
pub mod emit;
pub mod experiment;
pub mod host;
mod links;
pub mod man;
pub mod presets;
pub mod schema;
pub mod sim;
pub mod sim_args;
mod sim_help;
mod sim_policies;
mod sim_report;
pub mod synth;
pub mod tools;
pub mod trace;
pub mod trace_convert;
pub mod verify;
mod verify_campaign;
mod waves;

use anyhow::{Context, Result};
use powar_tools::shell_word;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The command line that runs now, to stand in a result as what makes it again.
pub fn command_line() -> String {
    let arguments = std::env::args_os().skip(1).map(|argument| shell_word(&argument.to_string_lossy()));
    std::iter::once("powar".into()).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// Prints text to standard output; an error where `println!` would panic (a closed pipe, a full disk).
pub fn print(text: impl AsRef<str>) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_ref().as_bytes()).and_then(|()| out.flush()).context("can't write to standard output")
}

/// Prints a value as JSON.
pub fn print_json(value: &impl serde::Serialize) -> Result<()> {
    print(serde_json::to_string_pretty(value)? + "\n")
}

/// Makes the folder of results, then does the work: a folder that can't be made should be said before minutes of work. What was made is
/// gone again if the work fails.
pub fn in_new_folder<T>(folder: &Path, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let made: Vec<&Path> =
        folder.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists()).collect();
    std::fs::create_dir_all(folder).with_context(|| format!("can't create {}", folder.display()))?;
    let result = work();
    if result.is_err() {
        // Only a tidy-up, of empty folders; the error that matters is the one of the work.
        made.iter().take_while(|path| std::fs::remove_dir(path).is_ok()).for_each(drop);
    }
    result
}

/// A path that must stand in a text: in JSON, or in a file or a command for another program.
///
/// # Errors
/// It is not UTF-8.
pub fn as_text<'a>(option: &str, path: &'a Path) -> Result<&'a str> {
    let message =
        || format!("{option}: {} is not UTF-8, as a path must be that stands in a text; rename it", path.display());
    path.to_str().with_context(message)
}

/// The same of a path that stands in JSON, if that is printed.
///
/// # Errors
/// As of [`as_text`].
pub fn as_json(json: bool, option: &str, path: &Path) -> Result<()> {
    if json { as_text(option, path).map(|_| ()) } else { Ok(()) }
}

/// Paths, a line each.
pub fn lines_of(paths: &[PathBuf], indent: &str) -> String {
    paths.iter().map(|path| format!("{indent}{}\n", path.display())).collect()
}

/// Says on standard error, in a line, what should be known of something that was done all the same.
pub fn warn(warnings: impl IntoIterator<Item = String>) {
    for warning in warnings {
        eprintln!("powar: warning: {warning}");
    }
}

/// A count with thin groups of three: 1 000 000.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}
