//! Several result files in one folder: all of them or none.

use anyhow::{Context, Result};
use powar_tools::AtomicFile;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes files (name, text) into a folder, which is made if it does not exist; returns their paths.
///
/// # Errors
/// What can't be made or written, by name. No file has appeared then, and files that were there before are as they were; a
/// design of which half the modules are new would look whole and be wrong.
pub fn write_files(folder: &Path, files: &[(String, String)]) -> Result<Vec<PathBuf>> {
    let existed = folder.exists();
    fs::create_dir_all(folder).with_context(|| format!("can't create {}", folder.display()))?;
    let written = write_all(folder, files);
    if written.is_err() && !existed {
        // Only a tidy-up: the error that matters is the one of writing.
        let _ = fs::remove_dir(folder);
    }
    written
}

fn write_all(folder: &Path, files: &[(String, String)]) -> Result<Vec<PathBuf>> {
    let mut pending = vec![];
    for (name, text) in files {
        let path = folder.join(name);
        let mut file = AtomicFile::create(&path)?;
        file.write_all(text.as_bytes()).with_context(|| format!("can't write {}", path.display()))?;
        pending.push((file, path));
    }
    let commit = |(file, path): (AtomicFile, PathBuf)| file.commit().map(|()| path);
    Ok(pending.into_iter().map(commit).collect::<Result<_, _>>()?)
}
