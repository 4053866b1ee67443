//! Collective operations as the messages they consist of.
//!
//! A recording holds one line a rank and collective call, not the messages inside the MPI library, so a replay has to choose
//! the algorithms. [`ALGORITHMS`] are the choices it has: tables that say, for an operation, a number of members and
//! a size, which algorithm runs. The algorithms themselves are in one file a family.
//!
//! ```text
//! Collective, Member          who calls what                      call, Member
//!      |        table: how many members, how many bytes           Algorithms (open_mpi, textbook)
//!      v
//! algorithm                   one of its family                   Barrier, Broadcast, Reduce ..
//!      |        tree, halving, ring ..
//!      v
//! steps                       what one member sends and receives  Step
//! ```
//!
//! Which algorithms there are, where they come from and what is assumed is in `docs/programs.md`.

mod algorithms;
mod all_gather;
mod all_reduce;
mod all_to_all;
mod barrier;
mod broadcast;
mod communicator;
mod fold;
mod gather;
mod member;
mod neighbor;
mod open_mpi;
mod rabenseifner;
mod reduce;
mod reduce_scatter;
mod scan;
mod scatter;
mod sizes;
mod textbook;
mod tree;

pub use algorithms::{Algorithms, Choice};
pub(crate) use communicator::COLOUR_AND_KEY;
pub use member::Member;
pub use sizes::ELEMENT;

use anyhow::{Context, Result};
use powar_config::nearest::is_unknown;

/// All choices of algorithms; the first one is the default.
pub const ALGORITHMS: &[Algorithms] = &[open_mpi::TABLE, textbook::TABLE];

/// The choice of this name.
///
/// # Errors
/// There is none.
pub fn by_name(name: &str) -> Result<&'static Algorithms> {
    ALGORITHMS.iter().find(|algorithms| algorithms.name == name).with_context(|| {
        format!("collectives: {}", is_unknown(name, ALGORITHMS.iter().map(|algorithms| algorithms.name)))
    })
}

/// What one member does next inside a collective. Members are indices into the communicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Ends when the message has left, as `MPI_Send` does.
    Send { to: usize, bytes: u64 },
    /// `MPI_Isend`.
    StartSend { to: usize, bytes: u64 },
    /// `MPI_Recv`.
    Receive { from: usize },
    /// `MPI_Irecv`.
    StartReceive { from: usize },
    /// `MPI_Sendrecv`: both at once, the receive posted first; ends when both have ended.
    Exchange { to: usize, bytes: u64, from: usize },
    /// Ends when all has ended that this collective has started on this member and not yet waited for.
    WaitAll,
    /// Combine two operands of so many bytes.
    Reduce { bytes: u64 },
}

/// The steps of one member, made when they are asked for.
pub(crate) type Steps = Box<dyn Iterator<Item = Step> + Send>;

fn none() -> Steps {
    Box::new(std::iter::empty())
}

fn one_after_the_other(first: Steps, second: Steps) -> Steps {
    Box::new(first.chain(second))
}

/// 1, 2, 4 .. below `limit`.
fn powers_of_two(limit: usize) -> impl DoubleEndedIterator<Item = usize> + Send {
    let count = if limit < 2 { 0 } else { (limit - 1).ilog2() + 1 };
    (0..count).map(|bit| 1 << bit)
}
