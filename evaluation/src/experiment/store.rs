//! Finished simulations, one file each, under a name made of everything that decided them.

use crate::network::{JobsOptions, Outcome, Simulation, Traffic};
use crate::version;
use anyhow::{Context, Result, ensure};
use powar_config::topology;
use powar_tools::write_atomic;
use powar_traffic::{RankPlacement, ReplayOptions};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The model's version. It is raised whenever a simulation has another outcome than before, so that kept results of the old model
/// are not taken for those of the new one; a test with known outcomes notices.
pub const MODEL: u32 = 10;

/// Makes keys of simulations.
#[derive(Default)]
pub struct Keys {
    /// Hashes of files that were read already.
    traces: HashMap<PathBuf, String>,
    /// What mixes of jobs say that were read already, their traces as hashes.
    mixes: HashMap<PathBuf, Value>,
}

impl Keys {
    /// The key of a simulation: 32 hexadecimal digits. A trace, a network, a traffic matrix and a placement from a file count by their content, wherever they are, and a mix of jobs
    /// by what it says.
    ///
    /// # Errors
    /// A file of these can't be read.
    pub fn of(&mut self, simulation: &Simulation) -> Result<String> {
        let mut described = serde_json::to_value(simulation)?;
        if let Some(path) = topology::file_of(&simulation.topology) {
            let hash = self.trace(Path::new(path)).context("topology")?;
            described["topology"] = topology::with_file(&simulation.topology, |_| hash).into();
        }
        match &simulation.traffic {
            Traffic::Trace(options) => {
                leave_out_unused(&mut described["traffic"]["replay"], &["lead", "foresight"])?;
                if options.skeleton.is_none() {
                    described["traffic"]["input"] = self.trace(&options.input).context("traffic.input")?.into();
                }
                if let Some(file) = options.placement.as_ref().and_then(RankPlacement::file) {
                    described["traffic"]["placement"] = self.trace(file).context("traffic.placement")?.into();
                }
            }
            Traffic::Jobs(options) => described["traffic"]["mix"] = self.mix(options).context("traffic")?,
            Traffic::Synthetic(options) => {
                if let Some(matrix) = &options.matrix {
                    let hash = self.trace(&matrix.file).context("traffic.matrix.file")?;
                    described["traffic"]["matrix"]["file"] = hash.into();
                }
            }
        }
        // Tables of serde_json are in alphabetical order.
        let text = format!("powar {} model {MODEL} {described}", env!("CARGO_PKG_VERSION"));
        Ok(hex(&Sha256::digest(text))[..32].to_string())
    }

    fn trace(&mut self, path: &Path) -> Result<String> {
        if let Some(hash) = self.traces.get(path) {
            return Ok(hash.clone());
        }
        let hash = content(path)?;
        self.traces.insert(path.to_path_buf(), hash.clone());
        Ok(hash)
    }

    fn mix(&mut self, options: &JobsOptions) -> Result<Value> {
        if let Some(said) = self.mixes.get(&options.mix) {
            return Ok(said.clone());
        }
        let mut jobs = options.read()?.jobs;
        for job in &mut jobs {
            if let Some(input) = &mut job.input {
                *input = self.trace(input).with_context(|| format!("job `{}`: input", job.name))?.into();
            }
            if let Some(file) = job.placement.as_ref().and_then(RankPlacement::file) {
                let hash = self.trace(file).with_context(|| format!("job `{}`: placement", job.name))?;
                job.placement = Some(hash.into());
            }
        }
        let mut said = serde_json::to_value(jobs)?;
        for job in said.as_array_mut().into_iter().flatten() {
            leave_out_unused(&mut job["replay"], &["foresight"])?;
        }
        self.mixes.insert(options.mix.clone(), said.clone());
        Ok(said)
    }
}

/// Takes options out of those of a replay that have come since, and are as if they had not: so that what was kept before counts.
fn leave_out_unused(replay: &mut Value, since: &[&str]) -> Result<()> {
    let default = serde_json::to_value(ReplayOptions::default())?;
    if let Some(said) = replay.as_object_mut() {
        said.retain(|name, value| !since.contains(&name.as_str()) || *value != default[name]);
    }
    Ok(())
}

/// Hash of a file, or of the files of a folder with their names.
fn content(path: &Path) -> Result<String> {
    let mut hash = Sha256::new();
    let unread = || format!("can't read {}", path.display());
    if path.is_dir() {
        let entries = fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>).with_context(unread)?;
        let mut files: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).filter(|path| path.is_file()).collect();
        files.sort();
        for file in files {
            let one = content(&file)?;
            hash.update(format!("{one} {}\n", file.file_name().unwrap_or_default().to_string_lossy()));
        }
    } else {
        let mut file = fs::File::open(path).with_context(unread)?;
        let mut buffer = vec![0; 1 << 20];
        loop {
            match file.read(&mut buffer).with_context(unread)? {
                0 => break,
                read => hash.update(&buffer[..read]),
            }
        }
    }
    Ok(hex(&hash.finalize()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What has a simulation in it.
#[derive(Deserialize)]
struct Described {
    simulation: Simulation,
    /// Of a table of several policies, whose simulation is that of the first.
    policies: Option<serde::de::IgnoredAny>,
}

/// The simulation of a kept result, or of an outcome that `powar sim --json` has printed, to be run again.
///
/// # Errors
/// A file that is none.
pub fn read_point(path: &Path) -> Result<Simulation> {
    let bytes = fs::read(path).with_context(|| format!("point: can't read {}", path.display()))?;
    let described: Described = serde_json::from_slice(&bytes).with_context(|| {
        format!("point: {} is no point of an experiment's results and no outcome of sim --json", path.display())
    })?;
    ensure!(
        described.policies.is_none(),
        "point: {} is a table of several policies, expected the outcome of one simulation",
        path.display()
    );
    Ok(described.simulation)
}

/// The folder of finished simulations.
pub struct Store {
    folder: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    key: String,
    /// Of the program that simulated it; results from before it was kept don't have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    simulation: Simulation,
    outcome: Outcome,
}

impl Store {
    /// Opens the folder, which is made if there is none.
    ///
    /// # Errors
    /// It can't be made.
    pub fn open(results: &Path) -> Result<Store> {
        let store = Store::to_read(results);
        fs::create_dir_all(&store.folder).with_context(|| format!("can't create {}", store.folder.display()))?;
        Ok(store)
    }

    /// The same to load from only: a folder that is not there has nothing.
    pub fn to_read(results: &Path) -> Store {
        Store { folder: results.join("points") }
    }

    /// The outcome kept under a key. What can't be read, a file that was cut or changed, is as good as none: it is made again.
    pub fn load(&self, key: &str) -> Option<Outcome> {
        let bytes = fs::read(self.path(key)).ok()?;
        let entry: Entry = serde_json::from_slice(&bytes).ok()?;
        let mut outcome = entry.outcome;
        for latency in [&mut outcome.packet_latency, &mut outcome.network_latency, &mut outcome.message_latency] {
            *latency = latency.if_any();
        }
        (entry.key == key).then_some(outcome)
    }

    /// Keeps an outcome, all of it or nothing.
    ///
    /// # Errors
    /// It can't be written.
    pub fn save(&self, key: &str, simulation: &Simulation, outcome: &Outcome) -> Result<()> {
        let (name, version) = (key.to_string(), Some(version().to_owned()));
        let entry = Entry { key: name, version, simulation: simulation.clone(), outcome: outcome.clone() };
        Ok(write_atomic(self.path(key), serde_json::to_vec_pretty(&entry)?)?)
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }
}
