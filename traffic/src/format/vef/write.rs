//! Writes MPI logs as a VEF trace.

use super::parse::{Header, Line, MessageLine, PartLine, Start};
use crate::format::fields::MAX_GAP_NS;
use crate::format::temporary::{self, Appender, TemporaryFile};
use crate::options::{Timing, TrafficOptions};
use crate::program::call::{Collective, CollectiveCall, Payload};
use crate::program::collective::COLOUR_AND_KEY;
use crate::program::driven::Local;
use crate::program::mpi::MpiProgram;
use crate::program::note::Note;
use crate::replay::message::Cause;
use crate::replay::{Hops, Replay};
use crate::trace::Trace;
use anyhow::{Context, Result, anyhow, bail};
use std::collections::{BTreeMap, HashMap};
use std::io::{BufWriter, Write};
use std::sync::Arc;

/// What has been written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    pub tasks: u32,
    /// Messages that are not part of a collective.
    pub messages: u64,
    pub communicators: u64,
    pub collectives: u64,
}

/// Writes the logs of `trace` as a VEF trace, in the order in which a replay with these options over a
/// network with so many hops issues the messages.
///
/// Each line waits for the event that held its rank up last in that replay; its time is what the rank
/// computed since, in whole ns (rounded down, so that a replay with the same options, whose cycle is
/// at least 1 ns, comes to the same cycle). The gap scale is part of the times. `Comm_split` becomes
/// an Allgather of 8 bytes; Gatherv and Scatterv become Gather and Scatter, in which every rank gets
/// what the root's line says, as in a replay of the logs. The lines of a Gather or Scatter, which hold
/// sums, are written when the last member has entered it. A rooted collective without payload loses
/// its root: the format shows it only by its sizes.
///
/// # Errors
/// Logs that can't be replayed, a collective that not all members enter, and `out`'s own.
pub fn write(trace: &Trace, options: &TrafficOptions, hops: Hops, out: &mut dyn Write) -> Result<Written> {
    let file = TemporaryFile::new()?;
    let mut writer = Writer {
        cycle_ps: options.cycle_ps,
        body: BufWriter::new(file.appender(0)),
        file,
        communicators: Communicators::of_world(trace.ranks()),
        open: BTreeMap::new(),
        messages: 0,
        collectives: 0,
        parts: 0,
    };
    let timing = Timing::new(options)?;
    let mut program = MpiProgram::new(trace.calls()?, timing, Local::alone(trace.ranks()))?;
    program.keep_notes();
    let mut replay = Replay::new(Box::new(program), trace.ranks(), timing, hops);
    loop {
        let goes_on = replay.pass()?;
        for note in replay.program_mut().take_notes() {
            writer.add(note, replay.program())?;
        }
        if !goes_on {
            break;
        }
    }
    writer.finish(trace, out)
}

fn cannot_write(error: std::io::Error) -> anyhow::Error {
    anyhow!("cannot write the VEF trace: {error}")
}

struct Writer {
    cycle_ps: u64,
    /// All lines but the header and those of the communicators, which are known at the end only.
    body: BufWriter<Appender>,
    file: TemporaryFile,
    communicators: Communicators,
    /// Collectives that some members have not entered.
    open: BTreeMap<u32, Open>,
    messages: u64,
    collectives: u64,
    parts: u64,
}

/// A collective some member has entered.
struct Open {
    members: Arc<[u32]>,
    root: u32,
    entered: usize,
    /// The lines held back, with the share of each.
    held: Vec<(PartLine, Share)>,
}

/// What a member contributes or gets.
#[derive(Clone, Copy)]
struct Share {
    bytes: u64,
    /// Its line has a size for each member.
    is_of_each: bool,
}

impl Writer {
    fn add(&mut self, note: Note, program: &MpiProgram) -> Result<()> {
        match note {
            Note::Message { number, source, destination, bytes, cause, delay } => {
                let start = self.start(cause, delay)?;
                self.messages += 1;
                self.line(&Line::Message(MessageLine { id: number, source, destination, bytes, start }))
            }
            Note::Enter { rank, number, call, cause, delay } => {
                let start = self.start(cause, delay)?;
                let CollectiveCall { operation, communicator, root, payload } = call;
                let members = program.members(communicator)?;
                let of_members = match &payload {
                    Payload::Members(sizes) => Some(sizes),
                    _ => None,
                };
                let bytes = match (&payload, operation) {
                    (Payload::Each(bytes), _) => *bytes,
                    // A member's own share.
                    (Payload::Members(sizes), Collective::GatherV | Collective::ScatterV | Collective::AllGatherV) => {
                        let me = members.iter().position(|&member| member == rank);
                        me.map_or(0, |me| sizes[me])
                    }
                    _ => bail!("{operation:?} with a size for each member is no collective of a VEF trace"),
                };
                let sum = of_members.map_or(bytes * members.len() as u64, |sizes| sizes.iter().sum());
                let root = root.unwrap_or(members[0]);
                let n = members.len() as u64;
                let communicator = self.communicators.id(communicator, &members);
                let is_root = rank == root;
                let (operation, send, receive) = match operation {
                    Collective::Broadcast if is_root => (operation, bytes, 0),
                    Collective::Broadcast => (operation, 0, bytes),
                    Collective::Reduce if is_root => (operation, 0, bytes),
                    Collective::Reduce => (operation, bytes, 0),
                    Collective::AllReduce => (operation, bytes, bytes),
                    // The sums follow once they are known.
                    Collective::Gather | Collective::GatherV => (Collective::Gather, bytes, 0),
                    Collective::Scatter | Collective::ScatterV => (Collective::Scatter, 0, 0),
                    Collective::AllGather | Collective::AllGatherV => (Collective::AllGather, bytes, sum),
                    Collective::MakeCommunicator => (Collective::AllGather, COLOUR_AND_KEY, COLOUR_AND_KEY * n),
                    Collective::Barrier => (operation, 0, 0),
                    Collective::AllToAll => (operation, bytes, 0),
                    other => bail!("{other:?} is no collective of a VEF trace"),
                };
                let task = rank;
                let part = PartLine { collective: number, communicator, operation, task, send, receive, start };
                self.enter(part, Share { bytes, is_of_each: of_members.is_some() }, root, members)
            }
        }
    }

    fn enter(&mut self, part: PartLine, share: Share, root: u32, members: Arc<[u32]>) -> Result<()> {
        self.parts += 1;
        let open = self.open.entry(part.collective).or_insert_with(|| {
            self.collectives += 1;
            Open { members, root, entered: 0, held: Vec::new() }
        });
        open.entered += 1;
        let complete = open.entered == open.members.len();
        let held = matches!(part.operation, Collective::Gather | Collective::Scatter);
        if held {
            open.held.push((part, share));
        }
        if complete && let Some(open) = self.open.remove(&part.collective) {
            self.held_lines(open)?;
        }
        if held { Ok(()) } else { self.line(&Line::Part(part)) }
    }

    /// Writes the lines of a complete Gather or Scatter.
    fn held_lines(&mut self, open: Open) -> Result<()> {
        let sum: u64 = open.held.iter().map(|(_, share)| share.bytes).sum();
        let of_root = open.held.iter().find(|(part, _)| part.task == open.root).map(|(_, share)| *share);
        let of_root = of_root.unwrap_or(Share { bytes: 0, is_of_each: false });
        for (part, share) in open.held {
            let is_root = part.task == open.root;
            let part = match part.operation {
                Collective::Gather if is_root => PartLine { receive: sum, ..part },
                Collective::Scatter => {
                    // Where the root's line has one size, that is what it sends to each.
                    let same = of_root.bytes * open.members.len() as u64;
                    let (all, own) = if of_root.is_of_each { (sum, share.bytes) } else { (same, of_root.bytes) };
                    PartLine { send: if is_root { all } else { 0 }, receive: own, ..part }
                }
                _ => part,
            };
            self.line(&Line::Part(part))?;
        }
        Ok(())
    }

    /// `Dep`, time and `IDdep` of something that happens `delay` cycles after its cause.
    fn start(&self, cause: Cause, delay: u64) -> Result<Start> {
        let delay_ns = u128::from(delay) * u128::from(self.cycle_ps) / 1_000;
        let delay_ns = u64::try_from(delay_ns).ok().filter(|&ns| ns <= MAX_GAP_NS);
        let delay_ns =
            delay_ns.with_context(|| format!("a rank computes for more than {MAX_GAP_NS} ns without a wait"))?;
        Ok(Start { cause, delay_ns })
    }

    fn line(&mut self, line: &Line) -> Result<()> {
        writeln!(self.body, "{line}").map_err(temporary::cannot_write)
    }

    fn finish(mut self, trace: &Trace, out: &mut dyn Write) -> Result<Written> {
        if let Some((id, open)) = self.open.first_key_value() {
            bail!(
                "{}: collective {id} of the trace has {} of its {} members, expected all before the logs end",
                trace.name(),
                open.entered,
                open.members.len()
            );
        }
        let header = Header {
            tasks: trace.ranks(),
            messages: self.messages,
            communicators: self.communicators.members.len() as u64,
            collectives: self.collectives,
            parts: self.parts,
            only_send: false,
        };
        let mut out = BufWriter::new(out);
        writeln!(out, "{header}").map_err(cannot_write)?;
        for (id, members) in self.communicators.members.iter().enumerate() {
            let line = Line::Communicator { id: id as u32, members: members.to_vec() };
            writeln!(out, "{line}").map_err(cannot_write)?;
        }
        self.body.flush().map_err(temporary::cannot_write)?;
        std::io::copy(&mut self.file.section(0..u64::MAX), &mut out).map_err(cannot_write)?;
        out.flush().map_err(cannot_write)?;
        let Header { tasks, messages, communicators, collectives, .. } = header;
        Ok(Written { tasks, messages, communicators, collectives })
    }
}

/// The communicators with a number in the trace, the world first.
struct Communicators {
    members: Vec<Arc<[u32]>>,
    ids: HashMap<u32, u32>,
}

impl Communicators {
    fn of_world(ranks: u32) -> Communicators {
        Communicators { members: vec![(0..ranks).collect()], ids: HashMap::new() }
    }

    /// The number of the communicator that the logs know by this hash.
    fn id(&mut self, hash: u32, members: &Arc<[u32]>) -> u32 {
        if let Some(id) = self.ids.get(&hash) {
            return *id;
        }
        let id = if *self.members[0] == **members {
            0
        } else {
            self.members.push(Arc::clone(members));
            self.members.len() as u32 - 1
        };
        self.ids.insert(hash, id);
        id
    }
}
