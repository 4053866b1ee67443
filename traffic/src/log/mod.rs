//! The log format of the recorder: one text file per rank, one line per MPI call.

pub mod archive;
pub(crate) mod lines;
pub mod parse;
pub mod reader;
pub mod record;
pub mod trace;
