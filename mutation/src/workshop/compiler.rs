//! Cargo in the copy.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// An error of the compiler.
#[derive(Debug, PartialEq, Eq)]
pub struct Objection {
    pub message: String,
    /// Files, relative to the workspace, with the bytes that it is about.
    pub places: Vec<(String, Range<usize>)>,
}

/// What cargo prints, as far as it is of interest.
#[derive(Deserialize)]
struct Line {
    message: Option<Message>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Message {
    level: String,
    rendered: Option<String>,
    message: String,
    spans: Vec<Span>,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    byte_start: usize,
    byte_end: usize,
    is_primary: bool,
}

fn cargo(copy: &Path, target: &Path, arguments: &[&str]) -> Result<Output> {
    let mut command = Command::new("cargo");
    command.current_dir(copy).env("CARGO_TARGET_DIR", target).args(arguments).stdin(Stdio::null());
    command.output().context("starting cargo")
}

/// What the compiler objects to in a crate.
///
/// # Errors
/// Cargo fails for another reason.
pub fn check(copy: &Path, target: &Path, package: &str) -> Result<Vec<Objection>> {
    let output = cargo(copy, target, &["check", "--quiet", "-p", package, "--message-format=json"])?;
    let said = String::from_utf8_lossy(&output.stdout);
    let objections = objections(&said)?;
    let reason = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success() || !objections.is_empty(), "cargo check failed: {reason}");
    Ok(objections)
}

/// The errors among what cargo says that are about some place.
fn objections(said: &str) -> Result<Vec<Objection>> {
    let lines = said.lines().map(|line| serde_json::from_str::<Line>(line).context("reading what cargo says"));
    let messages: Vec<Message> =
        lines.filter_map(|line| line.map(|line| line.message).transpose()).collect::<Result<_>>()?;
    let errors = messages.into_iter().filter(|message| message.level == "error" && !message.spans.is_empty());
    let of = |message: Message| {
        let primary = message.spans.into_iter().filter(|span| span.is_primary);
        let places = primary.map(|span| (span.file_name, span.byte_start..span.byte_end)).collect();
        Objection { message: message.rendered.unwrap_or(message.message), places }
    };
    Ok(errors.map(of).collect())
}

/// Compiles a crate.
///
/// # Errors
/// It does not compile.
pub fn build(copy: &Path, target: &Path, package: &str) -> Result<()> {
    let output = cargo(copy, target, &["build", "--quiet", "-p", package])?;
    ensure!(output.status.success(), "cargo build failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// Compiles the tests that are in a library's sources, and says where their program is.
///
/// # Errors
/// They do not compile.
pub fn unit_tests(copy: &Path, target: &Path, package: &str) -> Result<PathBuf> {
    let output =
        cargo(copy, target, &["test", "--quiet", "-p", package, "--lib", "--no-run", "--message-format=json"])?;
    ensure!(output.status.success(), "cargo test failed: {}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stdout);
    let lines = said.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok());
    lines.filter_map(|line| line.executable).next_back().context("cargo test names no program")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_bytes_that_they_are_about_and_warnings_are_passed_over() {
        let span = r#"{"file_name":"golden-model/src/a.rs","byte_start":3,"byte_end":7,"is_primary":true}"#;
        let other = span.replace("true", "false").replace('3', "1");
        let message = |level: &str, spans: &str| {
            format!(
                r#"{{"reason":"compiler-message","message":{{"level":"{level}","rendered":"no","message":"m","spans":[{spans}]}}}}"#
            )
        };
        let said = [
            message("warning", span),
            message("error", &format!("{other},{span}")),
            message("error", ""),
            r#"{"reason":"build-finished","success":false}"#.to_owned(),
        ];
        let expected = Objection { message: "no".into(), places: vec![("golden-model/src/a.rs".into(), 3..7)] };
        assert_eq!(objections(&said.join("\n")).unwrap(), [expected]);
        assert!(objections("no JSON").is_err());
    }
}
