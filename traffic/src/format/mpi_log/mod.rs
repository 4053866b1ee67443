//! The log format of the recorder in `capture/`: one text file per rank, one line per MPI call.

pub mod archive;
pub mod parse;
mod parts;
pub mod reader;
pub mod record;
