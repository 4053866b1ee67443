//! All the logs of one run.

use super::archive::{log_name, rank_of_log, unpack};
use super::reader::LogReader;
use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The logs of all ranks of one run: a folder of `rNNNNN.txt` files or a `.tar.xz` archive of them.
///
/// The logs are replayed side by side while an archive holds them one after the other, so an
/// archive is first unpacked into a temporary folder, which goes away together with this value.
#[derive(Debug)]
pub struct Trace {
    name: String,
    logs: Vec<PathBuf>,
    _unpacked: Option<TempDir>,
}

impl Trace {
    /// Opens a folder or an archive and checks that every rank's log is there, once.
    pub fn open(path: &Path) -> Result<Trace> {
        let name = path.display().to_string();
        if path.is_dir() {
            return Trace::of_folder(name, path, None);
        }
        ensure!(path.is_file(), "trace `{name}` not found, expected a folder of rNNNNN.txt logs or a .tar.xz archive");
        let folder = TempDir::with_prefix("powar-trace-")
            .context("cannot create a temporary folder to unpack the trace into")?;
        unpack(path, folder.path())?;
        let logs = folder.path().to_owned();
        Trace::of_folder(name, &logs, Some(folder))
    }

    fn of_folder(name: String, folder: &Path, unpacked: Option<TempDir>) -> Result<Trace> {
        let mut found = BTreeMap::new();
        let cannot_list = || format!("cannot list {name}");
        for entry in folder.read_dir().with_context(cannot_list)? {
            let path = entry.with_context(cannot_list)?.path();
            if let Some(rank) = path.file_name().and_then(|n| rank_of_log(n.to_str()?)) {
                found.insert(rank, path);
            }
        }
        let (_, first) = found
            .first_key_value()
            .with_context(|| format!("trace {name} holds no logs, expected r00000.txt and on"))?;
        let ranks = LogReader::open(first).with_context(|| name.clone()).map_err(one_line)?.ranks();
        for (rank, path) in &found {
            let log = LogReader::open(path).with_context(|| name.clone()).map_err(one_line)?;
            let file = log_name(*rank);
            ensure!(
                log.rank() == *rank,
                "{name}: {file}, line 1: field `rank` is `{}`, expected {rank} as in the file's name",
                log.rank()
            );
            ensure!(
                log.ranks() == ranks,
                "{name}: {file}, line 1: field `ranks` is `{}`, expected {ranks} as in {}",
                log.ranks(),
                log_name(*found.keys().next().unwrap_or(&0))
            );
        }
        if let Some(missing) = (0..ranks).find(|rank| !found.contains_key(rank)) {
            anyhow::bail!("{name}: {} is missing, expected the logs of ranks 0 to {}", log_name(missing), ranks - 1);
        }
        Ok(Trace { name, logs: found.into_values().collect(), _unpacked: unpacked })
    }

    /// The path the trace was opened with.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of ranks.
    pub fn ranks(&self) -> u32 {
        self.logs.len() as u32
    }

    /// A new reader at the start of the log of `rank`, which must be below [`Trace::ranks`].
    pub fn log(&self, rank: u32) -> Result<LogReader<BufReader<File>>> {
        let path = self.logs.get(rank as usize).with_context(|| {
            format!("rank is `{rank}`, expected a rank from 0 to {} of {}", self.ranks() - 1, self.name)
        })?;
        LogReader::open(path)
    }
}

/// A chain of causes as one line.
fn one_line(error: anyhow::Error) -> anyhow::Error {
    anyhow::anyhow!("{error:#}")
}
