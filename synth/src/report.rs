//! What a measurement found.

use crate::{Port, Resources, Target, TimingPath, Wiring};
use anyhow::Result;
use powar_tools::{Source, write_owned};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A module's size and speed, and everything needed to measure it again. The same input gives the same report, byte
/// for byte.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The module.
    pub module: String,
    /// Its parameters where they were given.
    pub parameters: Vec<(String, String)>,
    /// Its ports.
    pub ports: Vec<Port>,
    /// Its clock input; none if it is combinational.
    pub clock: Option<String>,
    /// Its reset input.
    pub reset: Option<String>,
    /// The chip.
    pub target: Target,
    /// The clock rate asked for.
    pub target_mhz: f64,
    /// What the module alone takes, synthesised and packed without the harness.
    pub core: Resources,
    /// What was placed: module and harness.
    pub with_harness: Resources,
    /// The wires of what was placed, before it was, on a chip of which that is known.
    pub wiring: Option<Wiring>,
    /// The harness: `serial` or `pins`.
    pub harness: &'static str,
    /// The clock rate of every seed.
    pub seeds: Vec<SeedResult>,
    /// Their median; the lower one of the middle two if they are even in number.
    pub median_fmax_mhz: f64,
    /// Does the median reach the clock rate asked for?
    pub meets_target: bool,
    /// The critical path of the seed with the median clock rate.
    pub critical_path: TimingPath,
    /// The tools and their versions.
    pub tools: Vec<ToolUsed>,
    /// The commands, for doing it by hand in the report's folder.
    pub commands: Vec<String>,
    /// What those commands read: names and contents.
    #[serde(skip)]
    pub(crate) inputs: Vec<(String, Vec<u8>)>,
}

/// One placement's result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeedResult {
    /// The seed.
    pub seed: u32,
    /// The highest clock rate.
    pub fmax_mhz: f64,
    /// The path that limits it.
    pub critical_path: TimingPath,
}

/// A tool that took part.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToolUsed {
    /// Its name.
    pub name: String,
    /// Its version, if it tells.
    pub version: Option<String>,
    /// Pinned or from the `PATH`.
    pub source: Option<Source>,
}

/// The seed whose clock rate is the median, the lower one if there are two.
pub(crate) fn median(seeds: &[SeedResult]) -> Option<&SeedResult> {
    let mut sorted: Vec<_> = seeds.iter().collect();
    sorted.sort_by(|a, b| a.fmax_mhz.total_cmp(&b.fmax_mhz));
    sorted.get(seeds.len().checked_sub(1)? / 2).copied()
}

impl Report {
    /// The report for programs.
    pub fn json(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("a report has only text keys and finite numbers");
        text + "\n"
    }

    /// Writes `report.json` and `report.md` into `folder`, which is made if need be, and beside them the sources and the Yosys
    /// scripts with which it can be done again by hand. Returns their paths, those two first.
    ///
    /// # Errors
    /// If the folder can't be made or a file can't be written, or would take the place of one that is not an earlier report's; no file has
    /// appeared then.
    pub fn write(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        let mut files = vec![
            ("report.json".to_string(), self.json().into_bytes()),
            ("report.md".into(), self.markdown().into_bytes()),
        ];
        files.extend(self.inputs.iter().cloned());
        Ok(write_owned(folder, &files, true)?)
    }
}
