//! What must not outlive a program that is stopped: the tools that it runs, and the folders that they work in.
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
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(vec![]);

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

/// A folder that is removed when this goes, or with the program.
pub struct WorkFolder {
    /// None: it has been kept.
    folder: Option<TempDir>,
    path: PathBuf,
}

impl WorkFolder {
    /// A new folder in `all`, with a name that begins with `prefix`.
    ///
    /// # Errors
    /// [`ToolError::Io`].
    pub fn new(prefix: &str, all: &Path) -> Result<WorkFolder, ToolError> {
        let folder = TempDir::with_prefix_in(prefix, all).map_err(ToolError::io("create a folder in", all))?;
        let path = folder.path().to_owned();
        with(&FOLDERS, |folders| folders.push(path.clone()));
        Ok(WorkFolder { folder: Some(folder), path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder, which is removed no more.
    pub fn keep(mut self) -> PathBuf {
        self.folder.take().map_or_else(|| self.path.clone(), TempDir::keep)
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        with(&FOLDERS, |folders| folders.retain(|folder| *folder != self.path));
    }
}

/// Ends the tools that run and removes the folders that are under way; for a program that ends now.
pub fn end_unfinished() {
    with(&CHILDREN, |children| {
        for pid in children.drain(..).filter_map(|child| Pid::from_raw(child as i32)) {
            // One that has ended by itself is as good.
            let _ = kill_process(pid, Signal::TERM);
        }
    });
    with(&FOLDERS, |folders| {
        for folder in folders.drain(..) {
            // There is nobody left to be told of one that can't be removed.
            let _ = fs::remove_dir_all(folder);
        }
    });
}

/// Works on a list; after a panic elsewhere, on what it left.
fn with<T, R>(list: &Mutex<T>, work: impl FnOnce(&mut T) -> R) -> R {
    work(&mut list.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run;
    use std::process::Command;
    use std::time::{Duration, Instant};

    #[test]
    fn tools_and_folders_end_with_the_program() {
        let all = tempfile::tempdir().unwrap();
        let [gone, kept] = ["gone-", "kept-"].map(|prefix| WorkFolder::new(prefix, all.path()).unwrap());
        fs::write(gone.path().join("half"), "").unwrap();
        let kept = kept.keep();
        let begun = Instant::now();
        let tool = std::thread::spawn(|| run(Command::new("sleep").arg("60"), "a long wait"));
        while with(&CHILDREN, |children| children.is_empty()) {
            std::thread::sleep(Duration::from_millis(5));
        }
        end_unfinished();
        assert!(tool.join().unwrap().is_err());
        assert!(begun.elapsed() < Duration::from_secs(30));
        assert!(!gone.path().exists() && kept.exists());
        assert!(with(&CHILDREN, |children| children.is_empty()));
    }
}
