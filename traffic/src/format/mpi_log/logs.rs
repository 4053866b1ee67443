//! All the logs of one run.

use super::archive::{log_name, rank_of_log};
use super::calls::LogCalls;
use super::reader::LogReader;
use crate::format::Recording;
use crate::format::rank_files::{Found, Kind, RankFile, RankText, in_archive, in_folder};
use crate::options::Timing;
use crate::program::call::{CallSource, Calls};
use crate::program::driven::{Driven, Local};
use crate::program::mpi::MpiProgram;
use anyhow::{Context, Result, bail, ensure};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

const KIND: Kind = Kind { what: "logs", rank: rank_of_log };

/// The logs of one run: a folder of `rNNNNN.txt` files, or an archive of them.
///
/// The logs are replayed side by side while an archive holds them one after the other, so what is in it is first read into
/// a temporary file without a name, line by line: the first line that is no log's ends it.
#[derive(Debug)]
pub struct Logs {
    name: String,
    logs: Vec<RankFile>,
}

pub(super) fn open(path: &Path) -> Result<Arc<dyn Recording>> {
    Ok(Arc::new(Logs::open(path)?))
}

impl Logs {
    /// Opens a folder or an archive and checks that every rank's log is there, once; those in an archive line by line.
    ///
    /// # Errors
    /// It can't be read, holds no logs, or not those of all ranks of one run.
    pub fn open(path: &Path) -> Result<Logs> {
        let name = path.display().to_string();
        let mut headers = Headers::default();
        let found = if path.is_dir() {
            let found = in_folder(path, &KIND)?;
            for (&rank, log) in &found {
                headers.check(rank, &LogReader::new(log.open(1)?, &log.shown)?, &log.shown)?;
            }
            found
        } else {
            in_archive(path, &KIND, &mut |rank, shown, text| {
                let mut log = LogReader::new(text, shown)?;
                headers.check(rank, &log, shown)?;
                log.try_for_each(|record| record.map(|_| ()))
            })?
        };
        let ranks = headers.first.with_context(|| format!("trace {name} holds no logs, expected r00000.txt and on"))?.1;
        Ok(Logs { logs: complete(found, &name, ranks)?, name })
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
    pub fn log(&self, rank: u32) -> Result<LogReader<BufReader<RankText>>> {
        let log = self.logs.get(rank as usize).with_context(|| {
            format!("rank is `{rank}`, expected a rank from 0 to {} of {}", self.ranks() - 1, self.name)
        })?;
        LogReader::new(log.open(self.logs.len())?, &log.shown)
    }
}

/// The logs of all ranks, none of which may be missing.
fn complete(found: Found, name: &str, ranks: u32) -> Result<Vec<RankFile>> {
    if let Some(missing) = (0..ranks).find(|rank| !found.contains_key(rank)) {
        bail!("{name}: {} is missing, expected the logs of ranks 0 to {}", log_name(missing), ranks - 1);
    }
    Ok(found.into_values().collect())
}

/// What the first lines of all logs say.
#[derive(Default)]
struct Headers {
    /// Rank and number of ranks of the first log that was read.
    first: Option<(u32, u32)>,
}

impl Headers {
    /// Checks one more of them, in the file of this rank.
    fn check<R: BufRead>(&mut self, rank: u32, log: &LogReader<R>, shown: &str) -> Result<()> {
        ensure!(
            log.rank() == rank,
            "{shown}, line 1: field `rank` is `{}`, expected {rank} as in the file's name",
            log.rank()
        );
        let (first, ranks) = *self.first.get_or_insert((rank, log.ranks()));
        ensure!(
            log.ranks() == ranks,
            "{shown}, line 1: field `ranks` is `{}`, expected {ranks} as in {}",
            log.ranks(),
            log_name(first)
        );
        Ok(())
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
