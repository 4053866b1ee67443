//! Programs that are calls of MPI, rank by rank: what the ranks do and what they wait for.

mod asked;
mod collective_run;
mod communicators;
mod flight;
mod foresight;
mod inbox;
mod lowering;
mod messages;
mod open_collective;
mod program;
mod rank;
mod ready;
mod receives;
mod recorded;
mod step;
mod waits;

pub(crate) use collective_run::CollectiveRun;
pub(crate) use communicators::Communicators;
pub(crate) use inbox::Inbox;
pub(crate) use lowering::Lowering;
pub(crate) use program::MpiProgram;
pub(crate) use step::{Beside, Channel, MessageKind, OperationId, Step, Wish};
