//! The formats of traces, a file or folder each, behind one interface. No format is known outside its own.

pub mod convert;
pub mod dumpi;
pub(crate) mod fields;
pub mod goal;
pub(crate) mod lines;
pub mod mpi_log;
pub(crate) mod paged;
pub(crate) mod tasks;
pub(crate) mod text;
pub mod vef;

use crate::options::Timing;
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
    /// Whether a file or folder is of this format, told by its content. An error if it can't be read.
    pub(crate) recognises: fn(&Path) -> Result<bool>,
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

    /// The program from its beginning.
    fn program(self: Arc<Self>, timing: Timing, local: Local) -> Result<Box<dyn Driven>>;

    /// The calls of the ranks, if that is what the trace holds.
    fn calls(self: Arc<Self>) -> Option<Arc<dyn CallSource>>;
}
