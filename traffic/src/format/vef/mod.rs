//! VEF traces, the text format of the VEF framework (Andújar et al., *VEF Traces: A Framework for
//! Modelling MPI Traffic in Interconnection Network Simulators*): reading, replaying, writing.
//!
//! ```text
//! VEF NumTask NumMsg NumCOMM NumGlobalColl NumLocalColl onlySendFlag
//! C<id> task0 task1 ...
//! ID src dst bytes Dep time_ns IDdep
//! G<ID> commID OP task send_size recv_size Dep time_ns IDdep
//! ```
//!
//! One file holds the whole program. The `C` lines name the communicators by the ranks of their
//! members, `C0` is the world; one comes before the first use. Messages and collectives may come in
//! any order. A message is one line; a collective is one line per member, all with the same `ID`.
//! IDs are numbered for messages and collectives on their own.
//!
//! `Dep` says what the task waits for before it sends the message or enters the collective:
//!
//! | Dep | time_ns counts from | IDdep |
//! | --- | --- | --- |
//! | 0 | the beginning of the trace | -1 |
//! | 1 | the last flit of the message `IDdep`, which it sends itself, has left | message |
//! | 2 | the last flit of the message `IDdep`, which is for it, has come in | message |
//! | 3 | it has finished its part of the collective `IDdep` | collective |
//!
//! | OP | | send_size, recv_size in bytes |
//! | --- | --- | --- |
//! | 0 | Bcast | root X 0, others 0 X |
//! | 1 | Reduce | root 0 X, others X 0 |
//! | 2 | Allreduce | X X |
//! | 3 | Gather | root Xi sum, others Xi 0 |
//! | 4 | Scatter | root sum Xi, others 0 Xi |
//! | 5 | Allgather | Xi sum |
//! | 6 | Barrier | 0 0 |
//! | 7 | Alltoall | X 0: X to each member; X 1: X split evenly between all members |
//!
//! The root is the member whose sizes say so; where all sizes are 0 it is the first member.
//! A trace holds no algorithms: a replay runs those of [`crate::program::collective`], as it does for
//! logs. A task may be inside a collective and send other messages meanwhile; all of them share its
//! node's link, one after the other.
//!
//! What the header counts is checked where a file cut short would show: there are `NumMsg` messages
//! and at least `NumCOMM` communicators and `NumGlobalColl` collectives, each with a line for every
//! member. `NumLocalColl` (written as the number of collective lines) and `onlySendFlag` change
//! nothing.
//!
//! # Memory
//! Dependencies may reach over the whole file in both directions, so opening a trace turns it into
//! an index in temporary files (64 bytes a line), in which each line leads to those that wait for
//! it. A replay holds only what is on its way: lines whose event has happened and whose time has not
//! come, and open collectives.
//!
//! # What a trace can't say
//! A line waits for one event, while a rank of an MPI program waits for all of the messages before.
//! [`write`](fn@write) therefore replays the logs and names the event that came last. In a replay with
//! the same options and network every message leaves in the same cycle as in the replay of the logs,
//! if no communicator is made on the way (an Allgather stands for the rounds in which its members agree);
//! in another network, one that arrives much later than before may be overtaken. So for the run time of a program over a
//! network, its logs are the better source. Nor does a trace hold what a rank computes before a receive that has to wait.

mod index;
mod parse;
mod parts;
mod replay;
mod stall;
mod starts;
mod text;
mod write;

pub use index::VefTrace;
pub use text::is_vef;
pub use write::{Written, write};

use super::convert::Target;
use super::{Format, Recording};
use crate::options::{ReplayOptions, Timing};
use crate::program::call::CallSource;
use crate::program::driven::{Driven, Local};
use anyhow::Result;
use replay::VefProgram;
use std::sync::Arc;

/// VEF traces, plain or packed.
pub(super) const FORMAT: Format = Format {
    name: "vef",
    about: "a VEF trace (.vef)",
    recognises: text::recognises,
    is_of_rank: |_| false,
    nearly: &[],
    open: |path| Ok(Arc::new(VefTrace::open(path)?)),
    write: Some(Target {
        ending: ".vef",
        packed_only: false,
        lost: "all waits but the last before each message; which that is depends on the network of the configuration",
        write: |trace, conversion, out| {
            let written = write(trace, &conversion.options, (conversion.hops)()?, out)?;
            let Written { tasks, messages, collectives, .. } = written;
            Ok(vec![("tasks", tasks.into()), ("messages", messages), ("collectives", collectives)])
        },
    }),
};

impl Recording for VefTrace {
    fn ranks(&self) -> u32 {
        self.tasks()
    }

    /// It has no receives that a program polled for.
    fn unheeded(&self, options: &ReplayOptions) -> Vec<&'static str> {
        if options.polls == ReplayOptions::default().polls { vec![] } else { vec!["polls"] }
    }

    fn program(self: Arc<Self>, timing: Timing, local: Local) -> Result<Box<dyn Driven>> {
        Ok(Box::new(VefProgram::new(self, timing, local)?))
    }

    fn calls(self: Arc<Self>) -> Option<Arc<dyn CallSource>> {
        None
    }
}
