//! Puts the commit into the version, where the sources are a Git repository of their own.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let version = std::env::var("CARGO_PKG_VERSION").expect("Cargo sets it");
    let commit = commit();
    let version = commit.map_or(version.clone(), |commit| format!("{version} ({commit})"));
    println!("cargo::rustc-env=POWAR_VERSION={version}");
}

/// The commit, in short; none if there is no Git, or these sources are in no repository or in somebody else's.
fn commit() -> Option<String> {
    // Without any line of this kind all files of the package would count.
    println!("cargo::rerun-if-changed=build.rs");
    let root = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&root).canonicalize().ok()? != std::env::current_dir().ok()?.canonicalize().ok()? {
        return None;
    }
    // Every commit and every checkout writes one of them. A file that is not there would count as changed each time.
    for name in ["HEAD", "logs/HEAD"] {
        let path = PathBuf::from(git(&["rev-parse", "--git-path", name])?);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    git(&["rev-parse", "--short=8", "HEAD"])
}

/// What Git answers, without the end of its line.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let answer = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| answer.trim().to_owned())
}
