//! Hand-made traces.

// Not every test needs all of this.
#![allow(dead_code)]

pub mod driver;
pub mod heap;
pub mod mutation;
pub mod packed;
pub mod programs;

use anyhow::{Result, anyhow};
use powar_traffic::{Arrivals, PacketArrival, ReplayOptions, Trace, TrafficOptions, view};
use std::path::Path;
use tempfile::{NamedTempFile, TempDir};

/// Writes one log per entry; each entry holds the lines between the `C` line of the world (hash
/// 00000001) and `FIN`.
pub fn folder(logs: &[&str]) -> TempDir {
    folder_of(1, logs)
}

/// The same in a version of the format.
pub fn folder_of(version: u32, logs: &[&str]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let n = logs.len();
    let members: Vec<String> = (0..n).map(|rank| rank.to_string()).collect();
    for (rank, lines) in logs.iter().enumerate() {
        let text =
            format!("H pmpilog {version} {rank} {n}\nC 00000001 {n} {}\n{lines}\nFIN 0 0 polls 0\n", members.join(" "));
        // An entry is easier to read with its lines indented; the format doesn't mind blanks, but
        // has no empty lines.
        let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let path = folder.path().join(format!("r{rank:05}.txt"));
        std::fs::write(path, lines.join("\n") + "\n").unwrap();
    }
    folder
}

/// What the switch sees of hand-made logs; stops at the first error, which calls their folder TRACE.
pub fn arrivals(logs: &[&str], network: &str, options: &TrafficOptions) -> anyhow::Result<Vec<PacketArrival>> {
    let folder = folder(logs);
    arrivals_of(folder.path(), network, options)
}

/// What the switch sees of the trace at `path`; stops at the first error, which calls it TRACE.
pub fn arrivals_of(path: &Path, network: &str, options: &TrafficOptions) -> anyhow::Result<Vec<PacketArrival>> {
    let packets = || -> Result<Vec<_>> {
        let trace = Trace::open(path)?;
        let view = view::view(network, 0)?;
        Arrivals::new(&trace, view, options)?.collect()
    };
    packets().map_err(|error| anyhow!(format!("{error:#}").replace(&path.display().to_string(), "TRACE")))
}

/// Collectives by the textbook, whose messages are easily worked out by hand.
pub fn textbook() -> TrafficOptions {
    let replay = ReplayOptions { collectives: "textbook".into(), ..ReplayOptions::default() };
    TrafficOptions { replay, ..TrafficOptions::default() }
}

/// The 2-ary 2-tree: nodes 0 and 1 below leaf 0, 2 and 3 below leaf 1; ports 0, 1 down, 2, 3 up.
pub const SMALL_TREE: &str = "2-ary-2-tree";

/// A file of its own for the text of a VEF trace.
pub fn vef_file(text: impl AsRef<[u8]>) -> NamedTempFile {
    let file = tempfile::Builder::new().suffix(".vef").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    file
}

/// A file of its own for the text of a GOAL trace.
pub fn goal_file(text: impl AsRef<[u8]>) -> NamedTempFile {
    let file = tempfile::Builder::new().suffix(".goal").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    file
}
