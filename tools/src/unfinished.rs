//! What must not outlive a program that is stopped: the tools that it runs, and files and folders that are not complete.
//!
//! A signal ends a program without its destructors. [`end_unfinished`] does for them what they would have done.

use crate::ToolError;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::Mutex;
use tempfile::TempDir;

static CHILDREN: Mutex<Vec<u32>> = Mutex::new(vec![]);
static PATHS: Mutex<Vec<PathBuf>> = Mutex::new(vec![]);

/// A tool that runs: it ends with the program for as long as this is there.
pub(crate) struct Running(u32);

impl Running {
    pub(crate) fn new(child: &Child) -> Running {
        with(&CHILDREN, |children| children.push(child.id()));
        Running(child.id())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        with(&CHILDREN, |children| children.retain(|child| *child != self.0));
    }
}

/// A file or folder that is not complete: it is removed with the program for as long as this is there.
pub(crate) struct Incomplete(PathBuf);

impl Incomplete {
    pub(crate) fn new(path: &Path) -> Incomplete {
        with(&PATHS, |paths| paths.push(path.to_owned()));
        Incomplete(path.to_owned())
    }
}

impl Drop for Incomplete {
    fn drop(&mut self) {
        with(&PATHS, |paths| paths.retain(|path| *path != self.0));
    }
}

/// A folder that is removed when this goes, or with the program.
pub struct WorkFolder {
    folder: TempDir,
    incomplete: Incomplete,
}

impl WorkFolder {
    /// A new folder in `all`, with a name that begins with `prefix`.
    ///
    /// # Errors
    /// [`ToolError::Io`].
    pub fn new(prefix: &str, all: &Path) -> Result<WorkFolder, ToolError> {
        let folder = TempDir::with_prefix_in(prefix, all).map_err(ToolError::io("create a folder in", all))?;
        let incomplete = Incomplete::new(folder.path());
        Ok(WorkFolder { folder, incomplete })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The folder, which is removed no more.
    pub fn keep(self) -> PathBuf {
        let WorkFolder { folder, incomplete } = self;
        drop(incomplete);
        folder.keep()
    }
}

/// Ends the tools that run and removes what is not complete; for a program that ends now.
pub fn end_unfinished() {
    with(&CHILDREN, |children| {
        for pid in children.drain(..).filter_map(|child| Pid::from_raw(child as i32)) {
            // One that has ended by itself is as good.
            let _ = kill_process(pid, Signal::TERM);
        }
    });
    with(&PATHS, |paths| {
        for path in paths.drain(..) {
            // There is nobody left to be told of one that can't be removed.
            let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        }
    });
}

/// Works on a list; after a panic elsewhere, on what it left.
fn with<T, R>(list: &Mutex<T>, work: impl FnOnce(&mut T) -> R) -> R {
    work(&mut list.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
}
