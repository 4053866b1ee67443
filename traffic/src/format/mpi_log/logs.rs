//! All the logs of one run.

use super::archive::{log_name, rank_of_log, unpack};
use super::calls::LogCalls;
use super::reader::LogReader;
use crate::format::Recording;
use crate::options::Timing;
use crate::program::call::{CallSource, Calls};
use crate::program::driven::{Driven, Local};
use crate::program::mpi::MpiProgram;
use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// The logs of one run: a folder of `rNNNNN.txt` files, or a `.tar.xz` archive of them.
///
/// The logs are replayed side by side while an archive holds them one after the other, so an
/// archive is first unpacked into a temporary folder, which goes away together with this value.
#[derive(Debug)]
pub struct Logs {
    name: String,
    logs: Vec<PathBuf>,
    _unpacked: Option<TempDir>,
}

pub(super) fn open(path: &Path) -> Result<Arc<dyn Recording>> {
    Ok(Arc::new(Logs::open(path)?))
}

impl Logs {
    /// Opens a folder or an archive and checks that every rank's log is there, once.
    ///
    /// # Errors
    /// It can't be read, holds no logs, or not those of all ranks of one run.
    pub fn open(path: &Path) -> Result<Logs> {
        let name = path.display().to_string();
        if path.is_dir() {
            return Logs::of_folder(name, path, None);
        }
        let folder = TempDir::with_prefix("powar-trace-")
            .context("cannot create a temporary folder to unpack the trace into")?;
        unpack(path, folder.path())?;
        let logs = folder.path().to_owned();
        Logs::of_folder(name, &logs, Some(folder))
    }

    fn of_folder(name: String, folder: &Path, unpacked: Option<TempDir>) -> Result<Logs> {
        let mut found = BTreeMap::new();
        let cannot_list = || format!("cannot list {name}");
        for entry in folder.read_dir().with_context(cannot_list)? {
            let path = entry.with_context(cannot_list)?.path();
            if let Some(rank) = path.file_name().and_then(|n| rank_of_log(n.to_str()?)) {
                found.insert(rank, path);
            }
        }
        let (&lowest, first) = found
            .first_key_value()
            .with_context(|| format!("trace {name} holds no logs, expected r00000.txt and on"))?;
        let ranks = LogReader::open(first, &member(&name, lowest))?.ranks();
        for (rank, path) in &found {
            let place = member(&name, *rank);
            let log = LogReader::open(path, &place)?;
            ensure!(
                log.rank() == *rank,
                "{place}, line 1: field `rank` is `{}`, expected {rank} as in the file's name",
                log.rank()
            );
            ensure!(
                log.ranks() == ranks,
                "{place}, line 1: field `ranks` is `{}`, expected {ranks} as in {}",
                log.ranks(),
                log_name(lowest)
            );
        }
        if let Some(missing) = (0..ranks).find(|rank| !found.contains_key(rank)) {
            bail!("{} is missing, expected the logs of ranks 0 to {}", member(&name, missing), ranks - 1);
        }
        let logs = found.into_values().collect();
        Ok(Logs { name, logs, _unpacked: unpacked })
    }

    /// The path they were opened with.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of ranks.
    pub fn ranks(&self) -> u32 {
        self.logs.len() as u32
    }

    /// A new reader at the start of the log of `rank`.
    ///
    /// # Errors
    /// There is no such rank, or its log can't be read.
    pub fn log(&self, rank: u32) -> Result<LogReader<BufReader<File>>> {
        let path = self.logs.get(rank as usize).with_context(|| {
            format!("rank is `{rank}`, expected a rank from 0 to {} of {}", self.ranks() - 1, self.name)
        })?;
        LogReader::open(path, &member(&self.name, rank))
    }
}

impl CallSource for Logs {
    fn ranks(&self) -> u32 {
        Logs::ranks(self)
    }

    fn calls(&self, rank: u32) -> Result<Box<dyn Calls>> {
        Ok(Box::new(LogCalls::new(self.log(rank)?)))
    }
}

impl Recording for Logs {
    fn ranks(&self) -> u32 {
        Logs::ranks(self)
    }

    fn program(self: Arc<Self>, timing: Timing, local: Local) -> Result<Box<dyn Driven>> {
        Ok(Box::new(MpiProgram::new(self, timing, local)?))
    }

    fn calls(self: Arc<Self>) -> Option<Arc<dyn CallSource>> {
        Some(self)
    }
}

/// What error messages call the log of `rank` in the trace `name`.
fn member(name: &str, rank: u32) -> String {
    format!("{name}: {}", log_name(rank))
}
