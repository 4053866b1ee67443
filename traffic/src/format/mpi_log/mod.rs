//! The log format of the recorder in `capture/`: one text file per rank, one line per MPI call.

pub mod archive;
mod calls;
mod logs;
pub mod parse;
mod parts;
pub mod reader;
pub mod record;

pub use logs::Logs;

use super::Format;

/// Logs of the recorder, in a folder or an archive.
pub(super) const FORMAT: Format = Format {
    name: "mpi-log",
    about: "a folder of rNNNNN.txt logs or a .tar.xz archive of them",
    // The last resort: what is of no other format and no logs either gets this reader's messages.
    recognises: |_| Ok(true),
    open: logs::open,
};
