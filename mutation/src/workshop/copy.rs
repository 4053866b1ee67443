//! Files of the workspace in another folder, with their times, so that cargo compiles only what is different there.

use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Folders at the top that are no sources.
const NO_SOURCES: [&str; 3] = ["target", "build", ".git"];
/// What cargo needs of a target folder to compile no library again.
const OF_LIBRARIES: [&str; 3] = [".fingerprint", "build", "deps"];

/// All files below a folder, in no order.
///
/// # Errors
/// A folder that can't be read.
pub fn files_below(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            files_below(&entry.path(), files)?;
        } else {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// Copies the sources of a workspace, but for the files that are written otherwise.
///
/// # Errors
/// A file that can't be read or written.
pub fn workspace(from: &Path, to: &Path, written_otherwise: &BTreeSet<String>) -> Result<()> {
    let mut files = vec![];
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let is_source = NO_SOURCES.iter().all(|name| entry.file_name() != *name);
        if entry.file_type()?.is_dir() && is_source {
            files_below(&entry.path(), &mut files)?;
        } else if is_source {
            files.push(entry.path());
        }
    }
    for file in files {
        let name = file.strip_prefix(from)?;
        if !written_otherwise.contains(&name.to_string_lossy().replace('\\', "/")) {
            copy(&file, &to.join(name))?;
        }
    }
    Ok(())
}

/// Copies a file that is not there yet, or was at another time.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let modified = fs::metadata(from).with_context(|| format!("reading {}", from.display()))?.modified()?;
    if fs::metadata(to).and_then(|there| there.modified()).is_ok_and(|there| there == modified) {
        return Ok(());
    }
    fs::create_dir_all(to.parent().context("a file lies in a folder")?)?;
    fs::copy(from, to).with_context(|| format!("writing {}", to.display()))?;
    Ok(File::options().write(true).open(to)?.set_modified(modified)?)
}

/// Takes over the compiled libraries of another target folder, if this one is not there yet.
///
/// # Errors
/// A file that can't be read or written.
pub fn warm_start(from: &Path, to: &Path) -> Result<()> {
    if to.exists() {
        return Ok(());
    }
    for folder in OF_LIBRARIES.into_iter().filter(|folder| from.join(folder).is_dir()) {
        let mut files = vec![];
        files_below(&from.join(folder), &mut files)?;
        // Programs have no extension in `deps`; they are large, and are linked anew.
        let is_program = |file: &PathBuf| folder == "deps" && file.extension().is_none();
        for file in files.iter().filter(|file| !is_program(file)) {
            copy(file, &to.join(file.strip_prefix(from)?))?;
        }
    }
    Ok(())
}
