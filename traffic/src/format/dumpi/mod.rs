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
