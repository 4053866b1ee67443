//! What the tools depend on outside this project.

use crate::installation;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Where the pinned tools live, where others are looked for, and what child processes get to see. Normally
/// taken from the process environment; tests make their own.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// Holds the pinned tools (`eda-*`) and the compiled models (`verilated`).
    pub folder: PathBuf,
    /// Where this program is installed, if it is: if that is a Python environment with the pinned wheels, they are used from there.
    pub prefix: Option<PathBuf>,
    /// The `PATH` searched for Python, the C++ compiler and tools that are not pinned.
    pub search_path: OsString,
    /// Environment variables for every child process, on top of the inherited ones.
    pub variables: Vec<(String, OsString)>,
}

impl Surroundings {
    /// Reads the environment. The folder is, in this order: `POWAR_TOOLS_DIR`; the Cargo target folder this
    /// program was built into; `CARGO_TARGET_DIR`; `target` of the workspace around the current folder; the
    /// user's cache folder.
    pub fn from_environment() -> Surroundings {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = variable("POWAR_TOOLS_DIR")
            .and_then(|folder| std::path::absolute(folder).ok())
            .or_else(|| target_folder_of(&std::env::current_exe().ok()?))
            .or_else(|| variable("CARGO_TARGET_DIR").filter(|folder| folder.is_absolute()))
            .or_else(|| Some(workspace_around(&std::env::current_dir().ok()?)?.join("target")))
            .or_else(|| Some(variable("XDG_CACHE_HOME")?.join("powar")))
            .or_else(|| Some(std::env::home_dir()?.join(".cache/powar")))
            .unwrap_or_else(|| std::env::temp_dir().join("powar"));
        let search_path = std::env::var_os("PATH").unwrap_or_default();
        Surroundings { folder, prefix: installation::prefix(), search_path, variables: Vec::new() }
    }

    /// The program `name` on the search path.
    pub(crate) fn find(&self, name: &str) -> Option<PathBuf> {
        which::which_in(name, Some(&self.search_path), ".").ok()
    }
}

/// Cargo leaves two files in its target folder, by which a program finds where it was built: a mark for backup
/// programs, but only if Cargo made the folder itself, and what it remembers of the compiler.
fn target_folder_of(program: &Path) -> Option<PathBuf> {
    let left_by_cargo =
        |folder: &&Path| ["CACHEDIR.TAG", ".rustc_info.json"].iter().any(|name| folder.join(name).is_file());
    program.ancestors().skip(1).find(left_by_cargo).map(Path::to_path_buf)
}

fn workspace_around(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| {
        std::fs::read_to_string(folder.join("Cargo.toml")).is_ok_and(|manifest| manifest.contains("[workspace]"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_test_finds_its_own_target_folder() {
        let program = std::env::current_exe().unwrap();
        let target = target_folder_of(&program).unwrap();
        assert!(program.starts_with(&target));
        assert!(target.join(".rustc_info.json").is_file());
    }

    /// Whoever makes `target` before Cargo does gets no backup mark in it.
    #[test]
    fn a_target_folder_that_cargo_did_not_make_is_found() {
        let target = tempfile::tempdir().unwrap();
        std::fs::write(target.path().join(".rustc_info.json"), "{}").unwrap();
        assert_eq!(target_folder_of(&target.path().join("debug/deps/powar")).as_deref(), Some(target.path()));
    }

    #[test]
    fn the_workspace_is_found_from_inside() {
        let root = workspace_around(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        assert!(root.join("tools/requirements.txt").is_file());
        assert_eq!(workspace_around(Path::new("/")), None);
    }
}
