//! All the logs of one run.

use crate::format::mpi_log::archive::{log_name, rank_of_log, unpack};
use crate::format::mpi_log::reader::LogReader;
use crate::format::vef::{VefProgram, VefReplay, VefTrace, is_vef};
use crate::options::{Timing, TrafficOptions};
use crate::program::driven::{Driven, Local};
use crate::program::mpi::LogProgram;
use crate::replay::message::Messages;
use crate::replay::{Hops, Replay};
use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// The traffic of one run: a folder of `rNNNNN.txt` logs, a `.tar.xz` archive of them, or a
/// [VEF trace](crate::format::vef), plain or packed with xz. Which of them is told by the content.
///
/// The logs are replayed side by side while an archive holds them one after the other, so an
/// archive is first unpacked into a temporary folder, which goes away together with this value.
#[derive(Debug)]
pub struct Trace {
    name: String,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Logs { logs: Vec<PathBuf>, _unpacked: Option<TempDir> },
    Vef(Arc<VefTrace>),
}

impl Trace {
    /// Opens a folder or an archive and checks that every rank's log is there, once; or opens a VEF
    /// trace and checks every line.
    pub fn open(path: &Path) -> Result<Trace> {
        let name = path.display().to_string();
        if path.is_dir() {
            return Trace::of_folder(name, path, None);
        }
        ensure!(
            path.is_file(),
            "trace `{name}` not found, expected a folder of rNNNNN.txt logs or a .tar.xz archive of them, \
             or a VEF trace"
        );
        if is_vef(path)? {
            let trace = VefTrace::open(path)?;
            return Ok(Trace { name, content: Content::Vef(Arc::new(trace)) });
        }
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
        Ok(Trace { name, content: Content::Logs { logs, _unpacked: unpacked } })
    }

    /// The path the trace was opened with.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of ranks.
    pub fn ranks(&self) -> u32 {
        match &self.content {
            Content::Logs { logs, .. } => logs.len() as u32,
            Content::Vef(trace) => trace.tasks(),
        }
    }

    /// A new reader at the start of the log of `rank`, which must be below [`Trace::ranks`].
    ///
    /// # Errors
    /// A VEF trace has no logs.
    pub fn log(&self, rank: u32) -> Result<LogReader<BufReader<File>>> {
        let Content::Logs { logs, .. } = &self.content else {
            bail!("{} is a VEF trace, expected MPI logs: a folder of rNNNNN.txt or a .tar.xz archive", self.name);
        };
        let path = logs.get(rank as usize).with_context(|| {
            format!("rank is `{rank}`, expected a rank from 0 to {} of {}", self.ranks() - 1, self.name)
        })?;
        LogReader::open(path, &member(&self.name, rank))
    }

    /// The program from its beginning, its ranks on these nodes.
    pub(crate) fn program(&self, timing: Timing, nodes: Vec<u32>) -> Result<Box<dyn Driven>> {
        let local = Local::new(nodes, timing);
        Ok(match &self.content {
            Content::Logs { .. } => Box::new(LogProgram::new(self, timing, local)?),
            Content::Vef(trace) => Box::new(VefProgram::new(Arc::clone(trace), timing, local)?),
        })
    }

    /// Starts a replay over a network in which packets pass `hops` switches.
    pub fn replay(&self, options: &TrafficOptions, hops: Hops) -> Result<Box<dyn Messages>> {
        Ok(match &self.content {
            Content::Logs { .. } => Box::new(Replay::new(self, options, hops)?),
            Content::Vef(trace) => Box::new(VefReplay::new(Arc::clone(trace), options, hops)?),
        })
    }
}

/// What error messages call the log of `rank` in the trace `name`.
fn member(name: &str, rank: u32) -> String {
    format!("{name}: {}", log_name(rank))
}
