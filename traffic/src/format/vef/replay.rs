//! The program that a VEF trace describes, driven by a network.

use super::index::{CollectiveEntry, Index, MessageEntry, Node, PartEntry, VefTrace, slot};
use super::parse::OPERATIONS;
use super::parts::{Parts, Progress};
use super::stall::{stalled, waits};
use super::starts::Starts;
use crate::format::paged::PagedFile;
use crate::format::tasks::Tasks;
use crate::hash::FastMap;
use crate::options::Timing;
use crate::program::call::{Collective, Payload};
use crate::program::collective::Member;
use crate::program::driven::{Driven, Issued, Local};
use crate::program::mpi::CollectiveRun;
use crate::replay::message::Carried;
use anyhow::{Context, Error, Result};
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// Messages inside collectives are numbered from here on, the others by their IDs.
const COLLECTIVE: u64 = 1 << 32;

/// The program that a VEF trace describes.
///
/// A message is issued in the cycle its line waits for: that of the event, plus the time (times the
/// gap scale, rounded up to cycles). The parts of a collective run the steps of its algorithm one
/// after the other, with blocking sends. What happens in one cycle happens in the order of tasks and lines.
pub(crate) struct VefProgram {
    trace: Arc<VefTrace>,
    timing: Timing,
    index: Index,
    starts: Starts,
    /// The next line with a time of its own.
    next_start: Option<Event>,
    events: BinaryHeap<Reverse<Event>>,
    /// What the network has told and lines may wait for: cycle, message, what.
    happened: BinaryHeap<Reverse<(u64, u32, Carried)>>,
    /// One bit a line: whether what it waits for has happened.
    begun: RefCell<PagedFile>,
    /// Lines for which that has not happened.
    waiting: u64,
    open: FastMap<u32, Open>,
    running: FastMap<u64, Running>,
    local: Local,
    /// What the parts of collectives do.
    parts: Parts,
    /// Other messages that have not come in.
    under_way: usize,
    tasks: Tasks,
}

/// The next step of a line, in the order of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    cycle: u64,
    task: u32,
    line: u64,
    node: Node,
}

/// A collective some task has entered.
struct Open {
    members: Arc<[u32]>,
    operation: Collective,
    root: usize,
    /// The payload of every member, if they differ.
    sizes: Option<Arc<[u64]>>,
    /// Members that have not finished.
    left: usize,
}

/// A task's part of an open collective.
#[derive(Clone, Copy)]
struct Running {
    line: u64,
    after_finishing: u64,
}

impl VefProgram {
    /// The trace from its beginning.
    pub fn new(trace: Arc<VefTrace>, timing: Timing, local: Local) -> Result<VefProgram> {
        let mut program = VefProgram {
            timing: timing.without_lead(&trace.name())?,
            index: trace.index(),
            starts: trace.starts()?,
            next_start: None,
            events: BinaryHeap::new(),
            happened: BinaryHeap::new(),
            begun: RefCell::new(PagedFile::temporary()?),
            waiting: trace.records(),
            open: FastMap::default(),
            running: FastMap::default(),
            local,
            parts: Parts::new(trace.tasks(), timing),
            under_way: 0,
            tasks: Tasks::new(trace.tasks()),
            trace,
        };
        program.load_start()?;
        Ok(program)
    }

    /// Looks up the next line with a time of its own.
    fn load_start(&mut self) -> Result<()> {
        self.next_start = match self.starts.peek() {
            None => None,
            Some(start) => {
                let node = Node::of(start.node).context("a line has a node")?;
                let cycle = self.after(0, start.time_ns, start.line)?;
                Some(Event { cycle, task: start.task, line: start.line, node })
            }
        };
        Ok(())
    }

    /// The cycle `delay_ns` behind another.
    fn after(&self, cycle: u64, delay_ns: u64, line: u64) -> Result<u64> {
        let later = self.timing.gap_cycles(delay_ns).and_then(|delay| cycle.checked_add(delay));
        later.filter(|&cycle| cycle < u64::MAX / 2).with_context(|| {
            let name = self.trace.name();
            format!("{name}, line {line}: the replay's clock has run over, expected a smaller gap scale")
        })
    }

    /// Takes the first event of those up to `now`.
    fn due(&mut self, now: u64) -> Result<Option<Event>> {
        let queued = self.events.peek().map(|Reverse(event)| *event);
        match (self.next_start, queued) {
            (Some(start), queued) if start.cycle <= now && queued.is_none_or(|queued| start < queued) => {
                self.starts.advance()?;
                self.load_start()?;
                self.note_begun(start.node)?;
                self.tasks.has_computed_until(start.task, start.cycle);
                Ok(Some(start))
            }
            (_, Some(queued)) if queued.cycle <= now => {
                self.events.pop();
                Ok(Some(queued))
            }
            _ => Ok(None),
        }
    }

    /// Issues a message and, if it stays in its node, sees to its delivery.
    fn issue(&mut self, issued: &mut Vec<Issued>, now: u64, number: u64, ends: (u32, u32), bytes: u64) {
        let (source, destination) = ends;
        let local = self.local.covers(source, destination);
        issued.push(Issued { number, source, destination, bytes, local, foretold: false });
        if local {
            // What a task writes to a neighbour's memory it is done with at once: copying is part of the call.
            self.sent(now, number);
            if self.local.carry(now, number, bytes) {
                self.delivered(now, number);
            }
        }
    }

    /// Queues all lines that wait for a message: what they wait for has happened in `cycle`.
    fn release_message(&mut self, cycle: u64, id: u32, what: Carried) -> Result<()> {
        let entry = MessageEntry::read(&mut self.index.messages, id)?;
        match what {
            Carried::Sent => self.release(entry.after_sending, cycle),
            Carried::Delivered => {
                self.under_way -= 1;
                self.release(entry.after_receiving, cycle)
            }
        }
    }

    /// Queues all lines of a chain: what they wait for happens in `cycle`.
    fn release(&mut self, mut code: u64, cycle: u64) -> Result<()> {
        while let Some(node) = Node::of(code) {
            let (task, line, delay_ns) = match node {
                Node::Message(id) => {
                    let entry = MessageEntry::read(&mut self.index.messages, id)?;
                    code = entry.next;
                    (entry.source, entry.line, entry.delay_ns)
                }
                Node::Part(slot) => {
                    let entry = PartEntry::read(&mut self.index.parts, slot)?;
                    code = entry.next;
                    ((slot % u64::from(self.trace.tasks())) as u32, entry.line, entry.delay_ns)
                }
            };
            let later = self.after(cycle, delay_ns, line)?;
            self.tasks.computes(task, cycle, later);
            self.note_begun(node)?;
            self.events.push(Reverse(Event { cycle: later, task, line, node }));
        }
        Ok(())
    }

    fn note_begun(&mut self, node: Node) -> Result<()> {
        let (word, bit) = bit_of(node);
        let begun = self.begun.get_mut();
        let [bits] = begun.read(word)?;
        self.waiting -= 1;
        begun.write(word, &[bits | bit])
    }

    /// The task of this part enters its collective.
    fn enter(&mut self, slot: u64, event: Event) -> Result<()> {
        let part = PartEntry::read(&mut self.index.parts, slot)?;
        let id = (slot / u64::from(self.trace.tasks())) as u32;
        if !self.open.contains_key(&id) {
            let open = self.open(id)?;
            self.open.insert(id, open);
        }
        let open = &self.open[&id];
        let payload = match (&open.sizes, open.operation) {
            (_, Collective::AllToAll) if part.receive == 1 => Payload::Split(part.send),
            (Some(sizes), _) => Payload::Members(sizes.clone()),
            // The root of a scatter has a sum in the place of the others' sizes, all have the same share.
            (None, Collective::Scatter) => Payload::Each(part.receive),
            // One of the two is 0: all have the same vector, which the root gets or gives.
            (None, Collective::Broadcast | Collective::Reduce) => Payload::Each(part.send.max(part.receive)),
            (None, _) => Payload::Each(part.send),
        };
        let n = open.members.len();
        let member = Member::new(n, part.member, open.root, &payload, &|_| None)?;
        let operation = match (open.operation, &payload) {
            (Collective::Scatter, Payload::Members(_)) => Collective::ScatterV,
            (Collective::AllGather, Payload::Members(_)) => Collective::AllGatherV,
            (operation, _) => operation,
        };
        let algorithm = self.timing.algorithms.steps(operation, &member)?;
        let task = open.members[part.member];
        let run = CollectiveRun::new(algorithm, Arc::clone(&open.members), 0, id);
        self.parts.enter(slot, task, id, run);
        self.running.insert(slot, Running { line: event.line, after_finishing: part.after_finishing });
        Ok(())
    }

    fn open(&mut self, id: u32) -> Result<Open> {
        let entry = CollectiveEntry::read(&mut self.index.collectives, id)?;
        let members = self.trace.communicator(entry.communicator)?;
        let operation = OPERATIONS[entry.code];
        let sizes = if entry.uneven && matches!(operation, Collective::Scatter | Collective::AllGather) {
            let mut sizes = Vec::with_capacity(members.len());
            for &task in members.iter() {
                let part = PartEntry::read(&mut self.index.parts, slot(self.trace.tasks(), id, task))?;
                sizes.push(if operation == Collective::Scatter { part.receive } else { part.send });
            }
            Some(sizes.into())
        } else {
            None
        };
        let (root, left) = (entry.root.unwrap_or(0), members.len());
        Ok(Open { members, operation, root, sizes, left })
    }

    /// Does the next steps of a part until it has to wait or is finished.
    fn advance(&mut self, slot: u64, now: u64, issued: &mut Vec<Issued>) -> Result<()> {
        let tasks = u64::from(self.trace.tasks());
        let (id, task) = ((slot / tasks) as u32, (slot % tasks) as u32);
        loop {
            match self.parts.go_on(slot) {
                Progress::Sends { message, to, bytes } => {
                    self.issue(issued, now, COLLECTIVE + message, (task, to), bytes)
                }
                Progress::Busy(cycles) => {
                    let later = now.checked_add(cycles).filter(|&later| later < u64::MAX / 2);
                    self.wake(later.context("the replay's clock has run over, expected a smaller gap scale")?, slot);
                    return Ok(());
                }
                Progress::Waits => return Ok(()),
                Progress::Finished => return self.finish(slot, id, now),
            }
        }
    }

    /// A task has finished its part of a collective.
    fn finish(&mut self, slot: u64, id: u32, now: u64) -> Result<()> {
        let Some(part) = self.running.remove(&slot) else {
            return Ok(());
        };
        if let Some(open) = self.open.get_mut(&id) {
            open.left -= 1;
            if open.left == 0 {
                self.open.remove(&id);
            }
        }
        self.release(part.after_finishing, now)
    }

    /// A part that has waited goes on in `cycle`.
    fn wake(&mut self, cycle: u64, slot: u64) {
        if let Some(part) = self.running.get(&slot) {
            let task = (slot % u64::from(self.trace.tasks())) as u32;
            self.events.push(Reverse(Event { cycle, task, line: part.line, node: Node::Part(slot) }));
        }
    }

    fn has_begun(&self, node: Node) -> Result<bool> {
        let (word, bit) = bit_of(node);
        let [bits] = self.begun.borrow_mut().read(word)?;
        Ok(bits & bit != 0)
    }
}

/// The word and the bit in it that stand for a line.
fn bit_of(node: Node) -> (u64, u64) {
    (node.code() / 64, 1 << (node.code() % 64))
}

impl Driven for VefProgram {
    fn next_event(&self) -> u64 {
        let queued = self.events.peek().map_or(u64::MAX, |Reverse(event)| event.cycle);
        let happened = self.happened.peek().map_or(u64::MAX, |Reverse((cycle, ..))| *cycle);
        let start = self.next_start.map_or(u64::MAX, |start| start.cycle);
        queued.min(happened).min(start).min(self.local.next_event())
    }

    fn act(&mut self, now: u64, issued: &mut Vec<Issued>) -> Result<()> {
        while let Some((cycle, number)) = self.local.due(now) {
            self.delivered(cycle, number);
        }
        loop {
            while let Some(&Reverse((cycle, id, what))) = self.happened.peek()
                && cycle <= now
            {
                self.happened.pop();
                self.release_message(cycle, id, what)?;
            }
            let Some(event) = self.due(now)? else {
                return Ok(());
            };
            self.tasks.acts(event.task, now);
            match event.node {
                Node::Message(id) => {
                    let entry = MessageEntry::read(&mut self.index.messages, id)?;
                    self.under_way += 1;
                    self.issue(issued, now, u64::from(id), (entry.source, entry.destination), entry.bytes);
                }
                Node::Part(slot) => {
                    if !self.running.contains_key(&slot) {
                        self.enter(slot, event)?;
                    }
                    self.advance(slot, now, issued)?;
                }
            }
        }
    }

    fn sent(&mut self, cycle: u64, number: u64) {
        if number < COLLECTIVE {
            self.happened.push(Reverse((cycle, number as u32, Carried::Sent)));
        } else if let Some(slot) = self.parts.sent(number - COLLECTIVE) {
            self.wake(cycle, slot);
        }
    }

    fn delivered(&mut self, cycle: u64, number: u64) {
        if number < COLLECTIVE {
            self.happened.push(Reverse((cycle, number as u32, Carried::Delivered)));
        } else if let Some(slot) = self.parts.delivered(number - COLLECTIVE) {
            self.wake(cycle, slot);
        }
    }

    /// All lines are done, and all messages have come in: unlike logs, a trace does not tell who waits for the last ones.
    fn is_over(&self) -> bool {
        let waits = self.waiting + (self.events.len() + self.running.len() + self.under_way) as u64;
        waits == 0
    }

    fn waits(&self) -> Vec<String> {
        match waits(&self.trace, self.parts.waiting(), |node| self.has_begun(node)) {
            Ok(waits) => waits.into_values().map(|wait| format!("{}: {wait}", self.trace.name())).collect(),
            Err(error) => vec![format!("{error:#}")],
        }
    }

    fn stalled(&self) -> Error {
        stalled(&self.trace, self.parts.waiting(), |node| self.has_begun(node))
    }

    fn computed(&self, rank: u32, now: u64) -> u64 {
        self.tasks.computed(rank, now)
    }

    fn outstanding(&self) -> usize {
        self.parts.messages() + self.under_way
    }
}
