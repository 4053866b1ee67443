//! How far each operation of a running program is.

use super::index::Id;
use crate::format::paged::PagedFile;
use anyhow::Result;

/// Bits of an operation's word above the number of dependencies that are met.
const STARTED: u64 = 1 << 32;
const FINISHED: u64 = 1 << 33;
const MATCHED: u64 = 1 << 34;

/// A word for each operation, in a temporary file.
pub(super) struct Progress(PagedFile);

/// How far an operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// It has not started.
    Waiting,
    Started,
    /// A receive that has started and has found its message, or that message's request.
    Matched,
    Finished,
}

impl Progress {
    pub fn new() -> Result<Progress> {
        Ok(Progress(PagedFile::temporary()?))
    }

    /// One more of its dependencies is met. Returns how many are.
    pub fn meet(&mut self, id: Id) -> Result<u32> {
        let [word] = self.0.read(u64::from(id))?;
        self.0.write(u64::from(id), &[word + 1])?;
        Ok(word as u32 + 1)
    }

    /// It has started.
    pub fn start(&mut self, id: Id) -> Result<()> {
        self.set(id, STARTED)
    }

    /// It is a receive and has found its message.
    pub fn find(&mut self, id: Id) -> Result<()> {
        self.set(id, MATCHED)
    }

    /// It has finished.
    pub fn finish(&mut self, id: Id) -> Result<()> {
        self.set(id, FINISHED)
    }

    /// How far it is, and how many of its dependencies are met.
    pub fn of(&mut self, id: Id) -> Result<(Stage, u32)> {
        let [word] = self.0.read(u64::from(id))?;
        let stage = match word {
            word if word & FINISHED != 0 => Stage::Finished,
            word if word & MATCHED != 0 => Stage::Matched,
            word if word & STARTED != 0 => Stage::Started,
            _ => Stage::Waiting,
        };
        Ok((stage, word as u32))
    }

    fn set(&mut self, id: Id, bit: u64) -> Result<()> {
        let [word] = self.0.read(u64::from(id))?;
        self.0.write(u64::from(id), &[word | bit])
    }
}
