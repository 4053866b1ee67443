//! Cuts one phase, or some steps, of a program out of a long trace.
//!
//! The excerpts in `testbenches/traces` were made with this. An excerpt is a trace of its own: the
//! kept lines are copied unchanged, between an `H` line, the `C` lines they need and a `FIN` line. Only the gaps in front of a
//! phase's first call become 0: they are no part of it, and often the time in which the ranks fill their memory.

use crate::format::mpi_log::Logs;
use crate::format::mpi_log::archive::{log_name, pack};
use crate::format::mpi_log::record::{Call, OPERATIONS, Operation, Record};
use crate::options::{Polls, ReplayOptions, Timing, TrafficOptions};
use crate::program::driven::Local;
use crate::program::mpi::MpiProgram;
use crate::replay::Replay;
use crate::replay::message::Messages;
use anyhow::{Context, Result, bail, ensure};
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// Tags of HPL's point-to-point messages.
const HPL_TAGS: RangeInclusive<i32> = 1001..=9000;
/// Tags of HPL's point-to-point messages and of its own collectives.
const ALL_HPL_TAGS: RangeInclusive<i32> = 1001..=10_000;
/// What MPIRandomAccess posts its receives with, bytes.
const RANDOM_ACCESS_RECEIVE: u64 = 8_192;
/// Tags of MPIRandomAccess; its receives accept any tag, -1.
const RANDOM_ACCESS_TAGS: RangeInclusive<i32> = -1..=99;

/// Switches between any two nodes while a phase is replayed to find its end; the same as between
/// the leaves of a two-level tree.
const HOPS: u32 = 3;

/// A part of a program, told by its calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Linpack of HPC Challenge: from the first call with a tag of HPL's factorisation or solve (1001-9000) to the
    /// last one of HPL, its own collectives (9001-10000) included.
    Hpl,
    /// The first MPIRandomAccess run of HPC Challenge and its check: from the first 8 KiB receive from anyone on, as
    /// long as there are only such receives, sends with small tags, completions, barriers and
    /// allreduces.
    RandomAccess,
    /// Steps of any program that marks them with a collective of all its ranks: from one such call (included) to a
    /// later one (excluded).
    Steps(Steps),
}

/// Calls that mark the steps of a program, and which of them an excerpt lies between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    /// A collective in which every rank waits for all others, directly or not: what a rank has sent before is then
    /// received before, too.
    pub operation: Operation,
    /// Its payload.
    pub bytes: u64,
    /// The excerpt begins with this one of such calls, counted from 1.
    pub first: u64,
    /// It ends before this one.
    pub last: u64,
}

impl Steps {
    fn mark(&self, call: &Call) -> bool {
        // Nobody waits in a non-blocking one.
        call.operation == self.operation && call.bytes == self.bytes && call.request == 0
    }
}

impl Phase {
    /// Every phase with a name of its own.
    pub const ALL: &[(&str, Phase)] = &[("hpl", Phase::Hpl), ("random-access", Phase::RandomAccess)];

    /// The phase of this name, or the steps `OPERATION:BYTES:FIRST-LAST`.
    pub fn named(name: &str) -> Result<Phase> {
        if let Some((_, phase)) = Phase::ALL.iter().find(|(known, _)| *known == name) {
            return Ok(*phase);
        }
        let steps = steps_named(name).with_context(|| {
            let known: Vec<_> = Phase::ALL.iter().map(|(name, _)| *name).collect();
            format!("phase is `{name}`, expected {} or OPERATION:BYTES:FIRST-LAST", known.join(", "))
        })?;
        let Steps { operation, first, last, .. } = steps;
        let synchronises = matches!(operation, Operation::Barrier | Operation::Allreduce | Operation::Alltoall);
        ensure!(
            synchronises,
            "phase is `{name}`, expected Barrier, Allreduce or Alltoall, in which all ranks wait for each other"
        );
        ensure!(1 <= first && first < last, "phase is `{name}`, expected FIRST from 1 on and LAST behind it");
        Ok(Phase::Steps(steps))
    }
}

/// A phase told by the kind of its calls.
struct Told {
    name: &'static str,
    begins: fn(&Call) -> bool,
    /// Whether a call behind the beginning belongs to the phase.
    includes: fn(&Call) -> bool,
    /// Whether the phase goes on behind calls that don't belong to it.
    has_gaps: bool,
}

const HPL: Told = Told {
    name: "Hpl",
    begins: |call| !call.operation.is_collective() && HPL_TAGS.contains(&call.tag),
    includes: |call| !call.operation.is_collective() && ALL_HPL_TAGS.contains(&call.tag),
    has_gaps: true,
};

const RANDOM_ACCESS: Told = Told {
    name: "RandomAccess",
    begins: is_random_access_receive,
    includes: |call| match call.operation {
        Operation::Barrier | Operation::Allreduce => true,
        Operation::Isend => RANDOM_ACCESS_TAGS.contains(&call.tag),
        _ => is_random_access_receive(call),
    },
    has_gaps: false,
};

/// Reads `OPERATION:BYTES:FIRST-LAST`.
fn steps_named(name: &str) -> Option<Steps> {
    let mut parts = name.split(':');
    let (operation, bytes, range) = (parts.next()?, parts.next()?, parts.next()?);
    let (first, last) = range.split_once('-')?;
    let (_, operation) = OPERATIONS.iter().find(|(known, _)| *known == operation)?;
    let (bytes, first, last) = (bytes.parse().ok()?, first.parse().ok()?, last.parse().ok()?);
    parts.next().is_none().then_some(Steps { operation: *operation, bytes, first, last })
}

fn is_random_access_receive(call: &Call) -> bool {
    call.operation == Operation::Irecv
        && call.peer.is_none()
        && call.bytes == RANDOM_ACCESS_RECEIVE
        && RANDOM_ACCESS_TAGS.contains(&call.tag)
}

/// What an excerpt holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Excerpt {
    pub ranks: u32,
    /// Log lines of all ranks, headers included.
    pub lines: u64,
    /// Cycle at which the excerpt was cut off; `None` when it holds the whole phase.
    pub cut_at_cycle: Option<u64>,
}

/// Writes the `phase` of `trace` to `target`, a `.tar.xz` archive, which appears only when complete, and only if the
/// excerpt can be replayed to its end.
///
/// With `longest_cycles`, the excerpt ends at the first moment behind that many cycles of its replay
/// (default [`TrafficOptions`]) at which no rank is inside a collective. Cutting all ranks at one
/// moment of a replay keeps cause and effect together: every message an excerpt receives it also
/// sends.
pub fn cut(trace: &Logs, phase: Phase, longest_cycles: Option<u64>, target: &Path) -> Result<Excerpt> {
    let folder = TempDir::with_prefix("powar-cut-").context("cannot create a temporary folder")?;
    for rank in 0..trace.ranks() {
        let lines = phase_lines(trace, rank, phase)?;
        let first_gap = if matches!(phase, Phase::Steps(_)) { FirstGap::Kept } else { FirstGap::Zero };
        copy(trace, rank, lines, first_gap, &folder.path().join(log_name(rank)))?;
    }
    let whole = Arc::new(Logs::open(folder.path())?);
    let cut_at_cycle = match longest_cycles {
        None => None,
        Some(cycles) => shorten(&whole, cycles, folder.path())?,
    };
    for message in replay(&whole)? {
        message.context("the excerpt is not complete in itself")?;
    }
    let logs: Vec<PathBuf> = (0..trace.ranks()).map(|rank| folder.path().join(log_name(rank))).collect();
    pack(&logs, target)?;
    let mut lines = 0;
    for rank in 0..trace.ranks() {
        let mut log = whole.log(rank)?;
        for record in &mut log {
            record?;
        }
        lines += log.line();
    }
    Ok(Excerpt { ranks: trace.ranks(), lines, cut_at_cycle })
}

/// First and last line of some steps in the log of one rank.
fn step_lines(trace: &Logs, rank: u32, steps: Steps) -> Result<RangeInclusive<u64>> {
    let (mut marks, mut first) = (0, 0);
    let mut log = trace.log(rank)?;
    while let Some(record) = log.next() {
        let Record::Call(call) = record? else {
            continue;
        };
        if !steps.mark(&call) {
            continue;
        }
        marks += 1;
        if marks == steps.first {
            first = log.line();
        }
        if marks == steps.last {
            return Ok(first..=log.line() - 1);
        }
    }
    let Steps { operation, bytes, last, .. } = steps;
    let name = trace.name();
    bail!("{name}: {} has {marks} calls of {operation:?} with {bytes} bytes, expected at least {last}", log_name(rank))
}

/// First and last line of the phase in the log of one rank.
fn phase_lines(trace: &Logs, rank: u32, phase: Phase) -> Result<RangeInclusive<u64>> {
    let phase = match phase {
        Phase::Hpl => HPL,
        Phase::RandomAccess => RANDOM_ACCESS,
        Phase::Steps(steps) => return step_lines(trace, rank, steps),
    };
    let mut first = None;
    let mut last = 0;
    // Whether the latest call belongs to the phase; a completion goes with the call before it.
    let mut inside = false;
    let mut log = trace.log(rank)?;
    while let Some(record) = log.next() {
        match record? {
            Record::Call(call) => {
                if first.is_none() && (phase.begins)(&call) {
                    first = Some(log.line());
                }
                inside = first.is_some() && (phase.includes)(&call);
            }
            Record::Completion(_) => {}
            Record::Communicator { .. } => continue,
            Record::Finish => inside = false,
        }
        if inside {
            last = log.line();
        } else if first.is_some() && !phase.has_gaps {
            break;
        }
    }
    let first = first.with_context(|| {
        format!("{}: {} has no {} phase, expected its calls", trace.name(), log_name(rank), phase.name)
    })?;
    Ok(first..=last)
}

/// What becomes of the gaps in front of an excerpt's first call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FirstGap {
    Kept,
    Zero,
}

/// The line of a call with gaps of 0.
fn without_gaps(line: &[u8]) -> Vec<u8> {
    let mut fields: Vec<&[u8]> = line.split(|byte| *byte == b' ').collect();
    for gap in fields.iter_mut().skip(1).take(2) {
        *gap = b"0";
    }
    fields.join(&b' ')
}

/// Copies some lines of a log into a log of their own.
fn copy(trace: &Logs, rank: u32, lines: RangeInclusive<u64>, mut first_gap: FirstGap, target: &Path) -> Result<()> {
    let mut used = HashSet::new();
    let mut log = trace.log(rank)?;
    while let Some(record) = log.next() {
        if let Record::Call(call) = record?
            && lines.contains(&log.line())
        {
            used.insert(call.communicator);
        }
    }
    let cannot_write = || format!("cannot write {}", target.display());
    let mut out = BufWriter::new(File::create(target).with_context(cannot_write)?);
    writeln!(out, "H pmpilog {} {rank} {}", log.version(), trace.ranks()).with_context(cannot_write)?;
    // All definitions first; one that came before the phase is needed as well.
    for definitions in [true, false] {
        let mut log = trace.log(rank)?;
        while let Some(record) = log.next() {
            let keep = match record? {
                Record::Communicator { hash, .. } => definitions && used.remove(&hash),
                Record::Finish => false,
                _ => !definitions && lines.contains(&log.line()),
            };
            if keep && !definitions && first_gap == FirstGap::Zero {
                first_gap = FirstGap::Kept;
                let line = without_gaps(log.text());
                out.write_all(&line).and_then(|()| out.write_all(b"\n")).with_context(cannot_write)?;
            } else if keep {
                out.write_all(log.text()).and_then(|()| out.write_all(b"\n")).with_context(cannot_write)?;
            }
        }
    }
    writeln!(out, "FIN 0 0 polls 0").and_then(|()| out.flush()).with_context(cannot_write)
}

/// Cuts the logs in `folder` off where their replay passes `cycles`; returns the exact cycle, or
/// `None` when the replay ends before.
fn shorten(trace: &Arc<Logs>, cycles: u64, folder: &Path) -> Result<Option<u64>> {
    let mut replay = replay(trace)?;
    while replay.now().is_none_or(|now| now < cycles) || replay.program().inside_collective() {
        if !replay.pass()? {
            return Ok(None);
        }
    }
    for rank in 0..trace.ranks() {
        let target = folder.join(log_name(rank));
        let shorter = folder.join("shorter");
        let end = replay.program().done_line(rank);
        ensure!(end > 0, "{} has no lines", log_name(rank));
        // The lines kept start at line 2, behind the new H line, and include the C lines.
        copy(trace, rank, 2..=end, FirstGap::Kept, &shorter)?;
        std::fs::rename(&shorter, &target).with_context(|| format!("cannot write {}", target.display()))?;
    }
    Ok(replay.now())
}

/// A replay of the logs with default options.
fn replay(logs: &Arc<Logs>) -> Result<Replay<MpiProgram>> {
    // A completion that was polled for belongs to the excerpt if its message does.
    let replay = ReplayOptions { polls: Polls::Wait, ..ReplayOptions::default() };
    let timing = Timing::new(&TrafficOptions { replay, ..TrafficOptions::default() })?;
    let ranks = logs.ranks();
    let program = MpiProgram::new(Arc::clone(logs) as _, timing, Local::alone(ranks))?;
    Ok(Replay::new(Box::new(program), ranks, timing, Box::new(|_, _| HOPS)))
}
