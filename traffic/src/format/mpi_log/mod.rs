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
use super::foreign::Foreign;

/// Logs of the recorder, in a folder or an archive.
pub(super) const FORMAT: Format = Format {
    name: "mpi-log",
    about: "a folder or archive of rNNNNN.txt logs",
    // The name alone: what is wrong with a log is for its reader to say.
    recognises: |sample| sample.is_of_ranks() && archive::rank_of_log(sample.name()).is_some(),
    is_of_rank: |name| archive::rank_of_log(name).is_some(),
    nearly: NEARLY,
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

/// Logs that are given without their folder, or under other names.
const NEARLY: &[Foreign] = &[Foreign {
    about: "the log of one rank",
    recognises: |sample| sample.text().starts_with(b"H pmpilog "),
    advice: "give the folder that holds those of all ranks, r00000.txt and on, or an archive of it",
}];
