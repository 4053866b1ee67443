//! A DUMPI trace as a source of calls.

use super::block::Blocks;
use super::calls::RankCalls;
use super::communicator::Communicators;
use super::content::Content;
use super::folder::{KIND, complete};
use super::stamp::TimeBase;
use super::survey::Survey;
use crate::format::rank_files::{in_archive, in_folder};
use crate::format::source;
use crate::program::call::{CallSource, Calls};
use anyhow::Result;
use std::path::Path;
use std::sync::Arc;

/// A trace of MPI calls as the texts of `dumpi2ascii`, a file for each rank.
///
/// Opening it reads every line once: which calls there are, who belongs to which communicator, and which clock tells
/// the gaps. Afterwards every rank is streamed; of each only the current call is in memory.
pub struct DumpiTrace {
    content: Arc<Content>,
}

impl DumpiTrace {
    /// Opens a folder of texts or an archive of them. The last number in front of the ending `.txt` or `.ascii` is the
    /// rank; what is in an archive is read into a temporary file without a name, which is there as long as the trace and
    /// its readers.
    ///
    /// # Errors
    /// A rank is missing or there twice, a file is cut short, a call can't be replayed, or the calls of all ranks do not
    /// tell who belongs to a communicator: one line that names the file, the line and the call.
    pub fn open(path: &Path) -> Result<DumpiTrace> {
        let name = path.display().to_string();
        let mut survey = Survey::default();
        let found = if path.is_dir() {
            let found = in_folder(path, &KIND)?;
            for (&rank, file) in &found {
                survey.rank(rank, Blocks::new(file.open(1)?, &file.shown))?;
            }
            found
        } else {
            in_archive(path, &KIND, &mut |rank, shown, text| survey.rank(rank, Blocks::new(text, shown)))?
        };
        let files = complete(found, &name)?;
        let shown: Vec<String> = files.iter().map(|file| file.shown.clone()).collect();
        let communicators = Communicators::new(&mut survey, &shown)?;
        let content = Content { name, files, communicators, sizes: survey.sizes, time_base: survey.steps.time_base() };
        Ok(DumpiTrace { content: Arc::new(content) })
    }

    /// Whether `path` is a folder or an archive with a numbered text that begins as `dumpi2ascii` does.
    ///
    /// # Errors
    /// It isn't there, or can't be read.
    pub fn recognises(path: &Path) -> Result<bool> {
        source::is_of(path, &super::FORMAT)
    }

    /// The path the trace was opened with.
    pub fn name(&self) -> &str {
        &self.content.name
    }

    /// Which clock the compute gaps come from, the same for all ranks.
    pub fn time_base(&self) -> TimeBase {
        self.content.time_base
    }
}

impl CallSource for DumpiTrace {
    fn ranks(&self) -> u32 {
        self.content.files.len() as u32
    }

    fn calls(&self, rank: u32) -> Result<Box<dyn Calls>> {
        Ok(Box::new(RankCalls::open(Arc::clone(&self.content), rank)?))
    }
}
