//! The formats of traces, a file or folder each.

pub(crate) mod fields;
pub mod goal;
pub(crate) mod lines;
pub mod mpi_log;
pub(crate) mod paged;
pub(crate) mod tasks;
pub(crate) mod text;
pub mod vef;
