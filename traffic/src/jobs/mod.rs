//! Jobs: several MPI programs that share one network, as on a machine that is never empty.
//!
//! ```text
//! mix         which programs, how often          Mix, a file
//!    |        traces and skeletons opened
//! programs    what there is to run               Program
//!    |        an oblivious scheduler: which job next, on which nodes
//! workload    each job a replay with a clock of its own    Jobs
//! ```
//!
//! `docs/jobs.md` says what the scheduler does and where it follows Andújar et al. (FGCS 2023, section 3.3).

mod mix;
mod record;
mod scheduler;
mod workload;

pub use mix::{Entry, Mix, Program};
pub use record::JobRecord;
pub use workload::{Cluster, Jobs};
