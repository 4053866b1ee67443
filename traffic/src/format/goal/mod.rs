//! GOAL traces, the text format of LogGOPSim (Hoefler, Schneider, Lumsdaine, *LogGOPSim: Simulating Large-Scale Applications in
//! the LogGOPS Model*), which Schedgen and the tools of ATLAHS write: reading, replaying, writing.
//!
//! ```text
//! num_ranks 2
//! rank 0 {
//!   l1: calc 100 cpu 0                    computes for 100 ns
//!   l2: send 10b to 1 tag 3 cpu 0 nic 0   sends 10 bytes to rank 1
//!   l3: recv 10b from 1 tag 4 cpu 0       receives a message of rank 1
//!   l2 requires l1                        may start when l1 has finished
//!   l3 irequires l2                       may start when l2 has started
//! }
//! rank 1 { ... }
//! ```
//!
//! `docs/programs/goal.md` says what is accepted, what it means, and how long a program takes.
//!
//! ```text
//! lines        lexer, parse: statements
//!   |
//! index        labels, maker, index: entries of operations and dependencies in temporary files
//!   |
//! program      lanes: processors; flights: messages on their way; matching: which is for which receive;
//!              progress: what is done; stall: why nothing goes on
//! ```
//!
//! # Memory
//! 64 bytes an operation and 16 a dependency are in temporary files, and 8 an operation for each replay. Opening holds the labels of one rank, some
//! 100 bytes each. A replay holds what is on its way: operations that could start, receives that are posted, messages, and at most
//! 3 MiB of pages.

mod flights;
mod from_calls;
mod index;
mod labels;
mod lanes;
mod lexer;
mod maker;
mod matching;
mod parse;
mod program;
mod progress;
mod stall;
mod trace;
mod write;

pub use from_calls::{Converted, from_calls};
pub use trace::GoalTrace;
pub use write::{After, Cpu, Operation, Writer, Written};

use super::convert::Target;
use super::{Format, Recording};
use crate::options::{ReplayOptions, Timing};
use crate::program::call::CallSource;
use crate::program::driven::{Driven, Local};
use anyhow::Result;
use std::sync::Arc;

/// GOAL traces, packed or not.
pub(super) const FORMAT: Format = Format {
    name: "goal",
    about: "a GOAL trace (.goal)",
    recognises: trace::recognises,
    is_of_rank: |_| false,
    nearly: &[],
    open: |path| Ok(Arc::new(GoalTrace::open(path)?)),
    write: Some(Target {
        ending: ".goal",
        packed_only: false,
        lost: "that a send waits until it has left, which calls the messages of a collective belong to, matching by arrival",
        write: |trace, conversion, out| {
            let Converted { ranks, operations, messages, synchronous } = from_calls(trace, &conversion.options, out)?;
            let mut counts = vec![("ranks", ranks.into()), ("operations", operations), ("messages", messages)];
            if synchronous > 0 {
                counts.push(("of them synchronous, written as the others", synchronous));
            }
            Ok(counts)
        },
    }),
};

impl Recording for GoalTrace {
    fn ranks(&self) -> u32 {
        GoalTrace::ranks(self)
    }

    fn remarks(&self) -> Vec<String> {
        GoalTrace::remarks(self)
    }

    /// It has no receives that a program polled for, and no collectives.
    fn unheeded(&self, options: &ReplayOptions) -> Vec<&'static str> {
        let usual = ReplayOptions::default();
        let asked = [
            ("polls", options.polls != usual.polls),
            ("collectives", options.collectives != usual.collectives),
            ("reduce_byte", options.reduce_byte != usual.reduce_byte),
        ];
        asked.into_iter().filter_map(|(name, is_asked)| is_asked.then_some(name)).collect()
    }

    fn program(self: Arc<Self>, timing: Timing, local: Local) -> Result<Box<dyn Driven>> {
        Ok(Box::new(GoalTrace::program(self, timing, local)?))
    }

    fn calls(self: Arc<Self>) -> Option<Arc<dyn CallSource>> {
        None
    }
}
