//! What can go wrong around a tool.

use std::path::{Path, PathBuf};
use std::time::Duration;

/// Every failure of this crate; its text is one line that says what is wrong and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// A program that is needed is neither in the pinned set nor on the PATH.
    #[error("{what} is missing: {remedy}")]
    Missing {
        /// The program.
        what: String,
        /// What the reader can do about it.
        remedy: String,
    },
    /// Setting up the pinned set did not succeed; nothing half-installed is ever used.
    #[error("cannot install the EDA tools: {reason} (log: {})", log.display())]
    Install {
        /// Why, and what to do about it.
        reason: String,
        /// Everything the installer printed.
        log: PathBuf,
    },
    /// A tool ran and reported failure.
    #[error("{what} failed ({status}): {reason}")]
    Failed {
        /// The step, in the caller's words.
        what: String,
        /// Exit status or signal.
        status: String,
        /// The tool's own message, and where its log is if it was kept.
        reason: String,
    },
    /// A tool had not ended when its time was over, and was stopped.
    #[error("{what}: no end in {} s", limit.as_secs())]
    TooLong {
        /// The step, in the caller's words.
        what: String,
        /// The time that it had.
        limit: Duration,
    },
    /// A file stands where a result should go.
    #[error("{} {reason}; choose another folder, or {remedy}", path.display())]
    InTheWay {
        /// The file.
        path: PathBuf,
        /// What it is.
        reason: &'static str,
        /// What the reader can do about it.
        remedy: &'static str,
    },
    /// The operating system refused something.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// "write", "create", "lock", ...
        action: &'static str,
        /// The file, folder or program.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
}

impl ToolError {
    /// For `map_err`: names the file and what was being done with it.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> ToolError {
        let path = path.to_path_buf();
        move |source| ToolError::Io { action, path, source }
    }
}
