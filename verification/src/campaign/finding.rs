//! What is left of a failure in the folder of results: its smallest configuration, the difference, the wave, how to see it again.

use super::bench::FailureKind;
use super::shrink::Shrunk;
use super::trial::Trial;
use anyhow::{Context, Result};
use powar_testbenches::twins;
use powar_testbenches::waves::save_window;
use powar_tools::write_atomic;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// A failure that a campaign has found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Finding {
    pub trial: u64,
    pub block: String,
    pub kind: FailureKind,
    /// In the smallest configuration, in words.
    pub text: String,
    /// Ports and virtual channels of that.
    pub ports: usize,
    pub vcs: usize,
    /// The stimulus, and cycles until it shows.
    pub stimulus: String,
    pub cycles: u64,
    /// What shows it again in the smallest configuration, or in the trial as it was drawn.
    pub command: String,
    /// What shows it in the trial as it was drawn.
    pub replay: String,
    /// Its files in the folder of results.
    pub files: Vec<String>,
    /// Configurations that were tried to make it smaller; 0: it is like one that was found before, and was left as it is.
    pub tried: usize,
}

impl Finding {
    /// Writes the files of a failure into the folder of results.
    ///
    /// # Errors
    /// A file that can't be written.
    pub fn write(folder: &Path, seed: u64, trial: &Trial, shrunk: &Shrunk) -> Result<Finding> {
        let Shrunk { config, run, failure, tried } = shrunk;
        let name = format!("trial-{}", trial.number);
        let own = folder.join(&name);
        fs::create_dir_all(&own).with_context(|| format!("can't create {}", own.display()))?;
        let replay = format!("powar verify --campaign --seed {seed} --trial {}", trial.number);
        let toml = own.join("smallest.toml");
        let simple = run.drive.check_arguments().filter(|_| failure.kind != FailureKind::Panic);
        let command = match simple {
            Some(arguments) => {
                let (file, block, cycles) = (toml.display(), &trial.block, run.cycles);
                format!("powar check --config {file} --block {block} --cycles {cycles} {arguments}")
            }
            None => replay.clone(),
        };
        let mut files = vec![format!("{name}/smallest.toml"), format!("{name}/drawn.toml")];
        write_atomic(&toml, config.to_toml())?;
        write_atomic(own.join("drawn.toml"), trial.config.to_toml())?;
        if let Some(difference) = &failure.difference {
            let layout = twins::golden(config, &trial.block)?.layout().clone();
            let wave = own.join("difference.vcd");
            save_window(&wave, &trial.block, config, &layout, &difference.window)?;
            files.extend(["vcd", "gtkw"].map(|ending| format!("{name}/difference.{ending}")));
        }
        let finding = Finding {
            trial: trial.number,
            block: trial.block.clone(),
            kind: failure.kind,
            text: failure.text.clone(),
            ports: config.ports,
            vcs: config.switch.vcs,
            stimulus: run.drive.to_string(),
            cycles: run.cycles,
            command,
            replay,
            files,
            tried: *tried,
        };
        write_atomic(own.join("finding.txt"), finding.text())?;
        Ok(finding)
    }

    /// In words.
    pub fn text(&self) -> String {
        let Finding { trial, block, text, ports, vcs, stimulus, cycles, command, replay, files, .. } = self;
        let small = format!("{ports} ports, {vcs} virtual channels, {cycles} cycles of {stimulus}");
        let mut lines = format!("trial {trial}, {block}: {text}\n  {small}\n  {command}\n");
        if command != replay {
            lines += &format!("  as it was drawn: {replay}\n");
        }
        lines + &format!("  {}\n", files.join(", "))
    }
}
