//! What was installed with this program: where that is, and the files that came along.

use std::path::{Component, Path, PathBuf};

/// Where a package puts files that are of no machine's kind, below the folder that it is installed in.
const SHARE: &str = "share/powar";

/// The folder that this program is installed in: the one above its `bin`. None of a program in Cargo's target folder.
pub(crate) fn prefix() -> Option<PathBuf> {
    // Links are followed: pipx and uv put one to the program into a folder of their own.
    let program = std::env::current_exe().ok()?.canonicalize().ok()?;
    let bin = program.parent().filter(|folder| folder.ends_with("bin"))?;
    bin.parent().map(Path::to_path_buf)
}

/// The file that a user means by a path: the one that is there, or else the one of this name among the files that were installed with the
/// program, in `share/powar` beside its `bin`, where they have the paths that they have in the repository. A path that is neither stays as it
/// is, for an error to name it.
pub fn input_file(path: PathBuf) -> PathBuf {
    match prefix() {
        Some(prefix) => input_file_in(&prefix, path),
        None => path,
    }
}

fn input_file_in(prefix: &Path, path: PathBuf) -> PathBuf {
    let stays_below = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if path.as_os_str().is_empty() || path.exists() || !stays_below {
        return path;
    }
    let installed = prefix.join(SHARE).join(&path);
    if installed.exists() { installed } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_is_here_goes_first_then_what_was_installed() {
        let folder = tempfile::tempdir().unwrap();
        let installed = folder.path().join("share/powar/src");
        fs::create_dir_all(&installed).unwrap();
        for name in ["lib.rs", "../a trace"] {
            fs::write(installed.join(name), "").unwrap();
        }
        let found = |path: &str| input_file_in(folder.path(), path.into());
        // Cargo runs tests in the crate's folder, which has this file too.
        assert_eq!(found("src/lib.rs"), Path::new("src/lib.rs"));
        assert_eq!(found("a trace"), folder.path().join("share/powar/a trace"));
        for nowhere in ["no trace", "", "../powar/a trace", "/a trace"] {
            assert_eq!(found(nowhere), Path::new(nowhere));
        }
    }

    #[test]
    fn a_program_of_cargo_is_not_installed() {
        assert_eq!(prefix(), None);
    }
}
