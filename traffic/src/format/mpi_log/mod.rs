//! The log format of the recorder in `capture/`: one text file per rank, one line per MPI call.

pub mod archive;
mod calls;
mod logs;
pub mod parse;
mod parts;
pub mod reader;
pub mod record;
mod write;

pub use logs::Logs;
pub use write::{Written, write};

use super::Format;
use super::convert::Target;

/// Logs of the recorder, in a folder or an archive.
pub(super) const FORMAT: Format = Format {
    name: "mpi-log",
    about: "a folder of rNNNNN.txt logs or a .tar.xz archive of them",
    // The last resort: what is of no other format and no logs either gets this reader's messages.
    recognises: |_| Ok(true),
    open: logs::open,
    write: Some(Target {
        ending: ".tar",
        packed_only: true,
        lost: "that times were modelled, sizes of receives; options of the replay are not applied",
        write: |trace, conversion, out| {
            let Written { ranks, lines } = write(trace, &conversion.options, conversion.name, out)?;
            Ok(vec![("ranks", ranks.into()), ("lines", lines)])
        },
    }),
};
