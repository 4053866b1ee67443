//! DUMPI traces (the MPI trace library of SST, <https://github.com/sstsimulator/sst-dumpi>) as the text that its
//! `dumpi2ascii` prints, one file for each rank.
//!
//! ```text
//! MPI_Isend entering at walltime 8153.049312000, cputime 0.004112000 seconds in thread 0.
//! int count=6480
//! MPI_Datatype datatype=14 (MPI_DOUBLE)
//! int dest=1
//! int tag=0
//! MPI_Comm comm=2 (MPI_COMM_WORLD)
//! MPI_Request request=[5]
//! MPI_Isend returning at walltime 8153.049327000, cputime 0.004127000 seconds in thread 0.
//! ```
//!
//! The forms are those of `dumpi/bin/dumpi2ascii-defs.h` and `dumpi2ascii-callbacks.c`, the numbers of what is
//! predefined those of `dumpi/common/constants.h`.

mod block;
mod calls;
mod collective;
mod communicator;
mod completion;
mod content;
mod datatype;
mod folder;
mod group;
mod lists;
mod membership;
mod names;
mod point_to_point;
mod request;
mod stamp;
mod survey;
mod trace;
mod value;

pub use stamp::TimeBase;
pub use trace::DumpiTrace;

use super::foreign::Foreign;
use super::{Format, Recording};
use crate::options::Timing;
use crate::program::call::CallSource;
use crate::program::driven::{Driven, Local};
use crate::program::mpi::MpiProgram;
use anyhow::Result;
use std::sync::Arc;

/// DUMPI traces as text, in a folder or an archive.
pub(super) const FORMAT: Format = Format {
    name: "dumpi",
    about: "a folder or archive of what dumpi2ascii prints for each rank",
    recognises: |sample| {
        sample.is_of_ranks() && folder::rank_digits(sample.name()).is_some() && folder::is_text(sample.text())
    },
    is_of_rank: |name| folder::rank_digits(name).is_some(),
    nearly: NEARLY,
    open: |path| Ok(Arc::new(DumpiTrace::open(path)?)),
    write: None,
};

/// Texts that are given without their folder.
const NEARLY: &[Foreign] = &[Foreign {
    about: "the text of dumpi2ascii for one rank",
    recognises: |sample| folder::is_text(sample.text()),
    advice: "give the folder that holds those of all ranks, named by rank such as dumpi-0000.txt, or an archive of it",
}];

impl Recording for DumpiTrace {
    fn ranks(&self) -> u32 {
        CallSource::ranks(self)
    }

    fn program(self: Arc<Self>, timing: Timing, local: Local) -> Result<Box<dyn Driven>> {
        Ok(Box::new(MpiProgram::new(self, timing, local)?))
    }

    fn calls(self: Arc<Self>) -> Option<Arc<dyn CallSource>> {
        Some(self)
    }
}
