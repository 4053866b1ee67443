//! A program of MPI calls as a GOAL trace.
//!
//! ```text
//! survey     which messages there are, in the order of sending; which receives leave what open
//!   |
//! steps      of one rank after the other, as a replay carries them out          program::mpi::Lowering
//!   |        strand: what a rank, or a collective beside it, needs finished     strand
//! writer     operations and what they require                                   write
//! ```
//!
//! Memory is that of the writer, and a few words for each different (source, destination, communicator, tag), each request that is
//! open, and 16 bytes for each of the at most 1024 receives that a rank has polled for and not joined.

mod class;
mod own;
mod rank;
mod strand;
mod survey;

use super::write::Writer;
use crate::options::{Timing, TrafficOptions};
use crate::program::mpi::Communicators;
use crate::trace::Trace;
use anyhow::Result;
use class::Tags;
use rank::RankWriter;
use std::io::Write;
use survey::Survey;

/// What has been written of a program of MPI calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Converted {
    pub ranks: u32,
    pub operations: u64,
    /// Messages that are sent, those of collectives included.
    pub messages: u64,
    /// Synchronous ones among them, which GOAL has not: they are sent as all others.
    pub synchronous: u64,
}

/// Writes the MPI calls of `trace` as a GOAL trace.
///
/// Compute gaps are written behind floor, factors and scale, the time of reductions and that of a rank's messages to itself (`local`) with
/// them; `o_send`, `o_recv`, `o_byte` and `eager_limit` are for the replay of what is written. Collectives are their messages.
/// `docs/programs/convert.md` says what is lost.
///
/// # Errors
/// A trace that holds no calls, calls that make no sense, a receive that GOAL can't say or whose message nobody sends, values that
/// the format can't hold, and `out`'s own.
pub fn from_calls(trace: &Trace, options: &TrafficOptions, out: &mut dyn Write) -> Result<Converted> {
    let timing = Timing::new(options)?;
    let source = trace.calls()?;
    let ranks = source.ranks();
    let mut writer = Writer::begin(ranks)?;
    let mut communicators = Communicators::default();
    let mut survey = Survey::of(&source, &timing, &mut communicators)?;
    let mut tags = Tags::new(ranks);
    let (mut messages, mut synchronous) = (0, 0);
    for rank in 0..ranks {
        let rank = RankWriter::new(rank, timing, &mut writer, &mut tags, &mut survey, &mut communicators);
        let sent = rank.write(&source)?;
        messages += sent.messages;
        synchronous += sent.synchronous;
    }
    let written = writer.finish(out)?;
    Ok(Converted { ranks, operations: written.operations, messages, synchronous })
}
