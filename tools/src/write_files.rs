//! Several result files in one folder: all of them or none.

use crate::{AtomicFile, ToolError};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes files (name, content) into a folder, which is made if it does not exist, as are folders in the names; returns their paths.
///
/// # Errors
/// What can't be made or written, by name. No file has appeared then, and files that were there before are as they were; a
/// design of which half the modules are new would look whole and be wrong.
pub fn write_files(folder: &Path, files: &[(String, impl AsRef<[u8]>)]) -> Result<Vec<PathBuf>, ToolError> {
    let within = files.iter().filter_map(|(name, _)| Path::new(name).parent());
    let folders: BTreeSet<PathBuf> = within.map(|parent| folder.join(parent)).chain([folder.to_path_buf()]).collect();
    let made: Vec<&PathBuf> = folders.iter().filter(|folder| !folder.exists()).collect();
    let make = |folder: &PathBuf| fs::create_dir_all(folder).map_err(ToolError::io("create", folder));
    let written = folders.iter().try_for_each(make).and_then(|()| write_all(folder, files));
    if written.is_err() {
        // Only a tidy-up, the inner ones first: the error that matters is the one of writing.
        made.into_iter().rev().for_each(|folder| drop(fs::remove_dir(folder)));
    }
    written
}

fn write_all(folder: &Path, files: &[(String, impl AsRef<[u8]>)]) -> Result<Vec<PathBuf>, ToolError> {
    let mut pending = vec![];
    for (name, content) in files {
        let path = folder.join(name);
        let mut file = AtomicFile::create(&path)?;
        file.write_all(content.as_ref()).map_err(ToolError::io("write", &path))?;
        // There may be more of them than a process may have open.
        pending.push((file.closed()?, path));
    }
    let commit = |(file, path): (AtomicFile, PathBuf)| file.commit().map(|()| path);
    pending.into_iter().map(commit).collect()
}

#[cfg(test)]
mod tests {
    use super::write_files;

    #[test]
    fn all_files_are_written_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("deep/er");
        let paths = write_files(&inside, &[("a".to_string(), "1"), ("b".to_string(), "2")]).unwrap();
        assert_eq!(std::fs::read_to_string(&paths[1]).unwrap(), "2");
        let many: Vec<(String, String)> = (0..3000).map(|file| (format!("many/{file}"), file.to_string())).collect();
        assert_eq!(std::fs::read_to_string(&write_files(&inside, &many).unwrap()[2999]).unwrap(), "2999");
        // `b` becomes a folder, so it can't be written.
        let other = folder.path().join("other");
        std::fs::create_dir_all(other.join("b")).unwrap();
        let error = write_files(&other, &[("a".to_string(), "1"), ("b".to_string(), "2")]).unwrap_err().to_string();
        assert!(error.starts_with("cannot write ") && error.contains("other/b"), "{error}");
        assert!(!other.join("a").exists());
        let inner = [("in/a".to_string(), "1"), ("b".to_string(), "2")];
        assert!(write_files(&other, &inner).is_err() && !other.join("in").exists());
    }
}
