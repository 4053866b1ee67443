//! The formats of traces, a file or folder each, behind one interface. No format is known outside its own.

pub(crate) mod archive;
pub mod convert;
pub mod dumpi;
pub(crate) mod fields;
pub(crate) mod foreign;
pub mod goal;
pub(crate) mod lines;
pub mod mpi_log;
pub(crate) mod packing;
pub(crate) mod paged;
pub(crate) mod rank_files;
pub(crate) mod source;
pub(crate) mod tasks;
pub(crate) mod temporary;
pub mod vef;

use crate::options::{ReplayOptions, Timing};
use crate::program::call::CallSource;
use crate::program::driven::{Driven, Local};
use anyhow::Result;
use convert::Target;
use std::path::Path;
use std::sync::Arc;

/// A format that is read, and perhaps written.
pub struct Format {
    /// Its name.
    pub name: &'static str,
    /// What it is, for help texts.
    pub about: &'static str,
    /// Whether a file, or the folder or archive that it is in, is of this format, told by its beginning and its name.
    pub(crate) recognises: fn(&source::Sample) -> bool,
    /// Whether a file's name says that it is the text of one rank, for formats that have one for each.
    pub(crate) is_of_rank: fn(&str) -> bool,
    /// What is nearly of this format, and what is missing.
    pub(crate) nearly: &'static [foreign::Foreign],
    /// Opens it.
    pub(crate) open: fn(&Path) -> Result<Arc<dyn Recording>>,
    /// How programs are written in it, if they can be.
    pub write: Option<Target>,
}

/// All formats. The first one that recognises a file opens it.
pub const FORMATS: &[Format] = &[vef::FORMAT, goal::FORMAT, dumpi::FORMAT, mpi_log::FORMAT];

/// A trace that was opened.
pub(crate) trait Recording: Send + Sync {
    /// Number of ranks.
    fn ranks(&self) -> u32;

    /// What it says that makes no difference in a replay, a line each.
    fn remarks(&self) -> Vec<String> {
        vec![]
    }

    /// What these options ask for beyond the usual that makes no difference to it, by field: it has nothing that they are about.
    fn unheeded(&self, _options: &ReplayOptions) -> Vec<&'static str> {
        vec![]
    }

    /// The program from its beginning.
    fn program(self: Arc<Self>, timing: Timing, local: Local) -> Result<Box<dyn Driven>>;

    /// The calls of the ranks, if that is what the trace holds.
    fn calls(self: Arc<Self>) -> Option<Arc<dyn CallSource>>;
}
