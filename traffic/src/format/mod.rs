//! The formats of traces, a file or folder each.

pub(crate) mod fields;
pub(crate) mod lines;
pub mod mpi_log;
pub mod vef;
