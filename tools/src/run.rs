//! Running a tool and making sense of its failure.

use crate::unfinished::Running;
use crate::{ToolError, write_atomic};
use serde::de::DeserializeOwned;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often is looked whether a tool has ended that may have to be stopped.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// What a tool printed.
#[derive(Clone, Debug, Default)]
pub struct Captured {
    /// Its standard output; bytes that are not UTF-8 are replaced.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

/// Runs `command` to its end with its output captured and no input. `what` names the step in the error, which
/// quotes the line of the tool's output that best says why.
pub fn run(command: &mut Command, what: &str) -> Result<Captured, ToolError> {
    let (captured, status) = execute(command, what, None)?;
    check(&captured, status, what, None)?;
    Ok(captured)
}

/// Like [`run`]; what has not ended after `limit` is stopped, which is [`ToolError::TooLong`].
pub fn run_within(command: &mut Command, what: &str, limit: Duration) -> Result<Captured, ToolError> {
    let (captured, status) = execute(command, what, Some(limit))?;
    check(&captured, status, what, None)?;
    Ok(captured)
}

/// Like [`run`], of a command that prints JSON, which is read.
pub(crate) fn run_json<T: DeserializeOwned>(command: &mut Command, what: &str) -> Result<T, ToolError> {
    serde_json::from_str(&run(command, what)?.stdout).map_err(|error| ToolError::Failed {
        what: what.to_string(),
        status: "exit status: 0".into(),
        reason: format!("what it printed can't be read: {error}"),
    })
}

/// Like [`run`], and keeps everything the tool printed in `log`, which the error then names.
pub fn run_logged(command: &mut Command, what: &str, log: &Path) -> Result<Captured, ToolError> {
    let (captured, status) = execute(command, what, None)?;
    write_atomic(log, format!("{}{}", captured.stdout, captured.stderr))?;
    check(&captured, status, what, Some(log))?;
    Ok(captured)
}

fn execute(command: &mut Command, what: &str, limit: Option<Duration>) -> Result<(Captured, ExitStatus), ToolError> {
    let started = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = started.map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => ToolError::Missing {
            what: command.get_program().to_string_lossy().into_owned(),
            remedy: format!("it is needed for {what}; check that the program (and its working folder) exists"),
        },
        _ => ToolError::io("start", Path::new(command.get_program()))(source),
    })?;
    let _running = Running::new(&child);
    let output = match limit {
        None => child.wait_with_output(),
        Some(limit) => match wait_within(child, limit).transpose() {
            Some(output) => output,
            None => return Err(ToolError::TooLong { what: what.to_owned(), limit }),
        },
    };
    let output = output.map_err(ToolError::io("run", Path::new(command.get_program())))?;
    let captured = Captured {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    Ok((captured, output.status))
}

/// What it printed, and how it ended; none if it had to be stopped.
fn wait_within(mut child: Child, limit: Duration) -> std::io::Result<Option<Output>> {
    fn reader(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
        thread::spawn(move || {
            let mut bytes = vec![];
            // What can't be read is not there: how the tool ended says more.
            let _ = pipe.read_to_end(&mut bytes);
            bytes
        })
    }
    let stdout = reader(child.stdout.take().expect("it is piped"));
    let stderr = reader(child.stderr.take().expect("it is piped"));
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if begun.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(LOOK_EVERY);
    };
    let [stdout, stderr] = [stdout, stderr].map(|reader| reader.join().unwrap_or_default());
    Ok(Some(Output { status, stdout, stderr }))
}

fn check(captured: &Captured, status: ExitStatus, what: &str, log: Option<&Path>) -> Result<(), ToolError> {
    if status.success() {
        return Ok(());
    }
    let mut reason = telling_line(captured).unwrap_or("it printed nothing").to_string();
    if let Some(log) = log {
        reason.push_str(&format!(" (log: {})", log.display()));
    }
    Err(ToolError::Failed { what: what.to_string(), status: status.to_string(), reason })
}

/// The first line that calls itself an error (tools print the cause first and its consequences after it), else
/// the last line of all.
pub(crate) fn telling_line(captured: &Captured) -> Option<&str> {
    let lines = || captured.stderr.lines().chain(captured.stdout.lines()).map(str::trim).filter(|l| !l.is_empty());
    lines()
        .find(|line| line.to_ascii_lowercase().contains("error") && !line.contains("Error: Exiting due to"))
        // Verilator's warnings stop it too, with a last line that doesn't say which.
        .or_else(|| lines().find(|line| line.starts_with("%Warning")))
        .or_else(|| captured.stderr.lines().rev().map(str::trim).find(|line| !line.is_empty()))
        .or_else(|| lines().next_back())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn output_comes_back() {
        let captured = run(&mut shell("echo out; echo err >&2"), "a test").unwrap();
        assert_eq!((captured.stdout.as_str(), captured.stderr.as_str()), ("out\n", "err\n"));
    }

    #[test]
    fn a_failure_is_one_line_with_the_cause_and_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("step.log");
        let script = "echo reading; echo 'x.v:3: ERROR: no such module'; echo 'giving up' >&2; exit 3";
        let error = run_logged(&mut shell(script), "synthesis", &log).unwrap_err().to_string();
        assert!(error.starts_with("synthesis failed (exit status: 3): x.v:3: ERROR: no such module (log: "), "{error}");
        assert_eq!(error.lines().count(), 1);
        assert_eq!(std::fs::read_to_string(&log).unwrap().lines().count(), 3);
    }

    #[test]
    fn what_does_not_end_in_time_is_stopped() {
        let limit = Duration::from_secs(60);
        assert_eq!(run_within(&mut shell("echo out; exit 0"), "a test", limit).unwrap().stdout, "out\n");
        let error = run_within(&mut shell("echo wrong; exit 3"), "a test", limit).unwrap_err().to_string();
        assert_eq!(error, "a test failed (exit status: 3): wrong");
        let begun = Instant::now();
        let error = run_within(&mut shell("exec sleep 1000"), "a test", Duration::from_millis(100)).unwrap_err();
        assert!(matches!(error, ToolError::TooLong { .. }), "{error}");
        assert!(begun.elapsed() < limit);
    }

    #[test]
    fn without_an_error_line_the_last_one_is_quoted() {
        let error = run(&mut shell("echo one; echo two; exit 1"), "a test").unwrap_err().to_string();
        assert_eq!(error, "a test failed (exit status: 1): two");
    }

    #[test]
    fn verilators_warning_is_the_cause() {
        let script = "echo '%Warning-WIDTH: t.v:2:1: 8 bits'; echo '%Error: Exiting due to 1 warning(s)'; exit 1";
        let error = run(&mut shell(script), "a test").unwrap_err().to_string();
        assert_eq!(error, "a test failed (exit status: 1): %Warning-WIDTH: t.v:2:1: 8 bits");
    }

    #[test]
    fn an_absent_program_is_missing() {
        let error = run(&mut Command::new("/nowhere/yosys"), "synthesis").unwrap_err();
        assert!(matches!(&error, ToolError::Missing { what, .. } if what == "/nowhere/yosys"), "{error}");
    }
}
