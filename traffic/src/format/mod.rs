//! The formats of traces, a file or folder each.

pub mod dumpi;
pub(crate) mod fields;
pub(crate) mod lines;
pub mod mpi_log;
pub mod vef;
