//! Replays a trace: when does which node inject which message?

use super::index::{CollectiveEntry, Index, MessageEntry, Node, PartEntry, VefTrace, slot};
use super::paged::PagedFile;
use super::parse::OPERATIONS;
use super::stall::stalled;
use super::starts::Starts;
use crate::log::record::Operation;
use crate::options::{Timing, TrafficOptions};
use crate::replay::Hops;
use crate::replay::collective::{self, CollectiveStep, Sizes};
use crate::replay::message::{Message, Messages};
use anyhow::{Context, Result};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::sync::Arc;

/// A running replay of a VEF trace; see [`Messages`].
///
/// A message is issued in the cycle its line waits for: that of the event, plus the time (times the
/// gap scale, rounded up to cycles). Its packets leave at one flit a cycle, behind whatever the node
/// is still sending; it has come in when its last flit has left, plus the hops to its receiver. The
/// parts of a collective run the steps of its algorithm one after the other, with blocking sends.
/// What happens in one cycle happens in the order of tasks and lines.
pub struct VefReplay {
    trace: Arc<VefTrace>,
    timing: Timing,
    hops: Hops,
    index: Index,
    starts: Starts,
    /// The next line with a time of its own.
    next_start: Option<Event>,
    events: BinaryHeap<Reverse<Event>>,
    nodes: Vec<NodeState>,
    /// One bit a line: whether what it waits for has happened.
    begun: PagedFile,
    /// Lines for which that has not happened.
    waiting: u64,
    open: HashMap<u32, Open>,
    running: HashMap<u64, Running>,
    messages: u32,
    failed: bool,
}

/// The next step of a line, in the order of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    cycle: u64,
    task: u32,
    line: u64,
    node: Node,
}

/// The node a task runs on.
#[derive(Clone, Copy, Default)]
struct NodeState {
    /// First cycle in which its link is free for another message.
    link_free: u64,
    /// Packets sent so far.
    packets: u64,
}

/// A collective some task has entered.
struct Open {
    members: Arc<[u32]>,
    operation: Operation,
    root: usize,
    /// The payload of every member, if they differ.
    sizes: Option<Arc<[u64]>>,
    /// Members that have not finished.
    left: usize,
    /// Delivery cycles of messages nobody has received yet, by sender and receiver.
    delivered: HashMap<(usize, usize), VecDeque<u64>>,
}

/// A task's part of an open collective.
struct Running {
    clock: u64,
    line: u64,
    after_finishing: u64,
    member: usize,
    steps: VecDeque<CollectiveStep>,
    /// The member it waits for.
    blocked: Option<usize>,
}

impl VefReplay {
    /// Starts a replay over a network in which packets pass `hops` switches.
    pub fn new(trace: Arc<VefTrace>, options: &TrafficOptions, hops: Hops) -> Result<VefReplay> {
        let mut replay = VefReplay {
            timing: Timing::new(options)?,
            hops,
            index: trace.index()?,
            starts: trace.starts()?,
            next_start: None,
            events: BinaryHeap::new(),
            nodes: vec![NodeState::default(); trace.tasks() as usize],
            begun: PagedFile::temporary()?,
            waiting: trace.records(),
            open: HashMap::new(),
            running: HashMap::new(),
            messages: 0,
            failed: false,
            trace,
        };
        replay.load_start()?;
        Ok(replay)
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
        later.filter(|&cycle| cycle < u64::MAX / 2).with_context(|| self.run_over(line))
    }

    fn run_over(&self, line: u64) -> String {
        let name = self.trace.name();
        format!("{name}, line {line}: the replay's clock has run over, expected a smaller gap scale")
    }

    /// Does what happens first; false when nothing is left to happen.
    fn step(&mut self, issued: &mut Option<Message>) -> Result<bool> {
        let queued = self.events.peek().map(|Reverse(event)| *event);
        let event = match (self.next_start, queued) {
            (Some(start), queued) if queued.is_none_or(|queued| start < queued) => {
                self.starts.advance()?;
                self.load_start()?;
                self.note_begun(start.node)?;
                start
            }
            (_, Some(queued)) => {
                self.events.pop();
                queued
            }
            _ => return self.ended(),
        };
        match event.node {
            Node::Message(id) => {
                let entry = MessageEntry::read(&mut self.index.messages, id)?;
                let sent = self.send(entry.source, entry.destination, entry.bytes, event.cycle, entry.line)?;
                *issued = Some(sent.message);
                self.release(entry.after_sending, sent.left)?;
                self.release(entry.after_receiving, sent.delivered)?;
            }
            Node::Part(slot) => {
                if !self.running.contains_key(&slot) {
                    self.enter(slot, event)?;
                }
                *issued = self.advance(slot, event.cycle)?;
            }
        }
        Ok(true)
    }

    /// Injects a message in `clock` or as soon as the link is free.
    fn send(&mut self, source: u32, destination: u32, bytes: u64, clock: u64, line: u64) -> Result<Sent> {
        let local = source == destination;
        let packets = if local { 0 } else { self.timing.packets(bytes) };
        let node = &mut self.nodes[source as usize];
        let start = if local { clock } else { clock.max(node.link_free) };
        let left = start + packets * u64::from(self.timing.flits_per_packet);
        if left >= u64::MAX / 2 {
            anyhow::bail!(self.run_over(line));
        }
        let first_sequence = node.packets;
        node.packets += packets;
        if !local {
            node.link_free = left;
        }
        let message = Message { number: self.messages, source, destination, bytes, packets, start, first_sequence };
        self.messages =
            self.messages.checked_add(1).with_context(|| format!("the trace has more than {} messages", u32::MAX))?;
        let hops = if local { 0 } else { (self.hops)(source, destination) };
        Ok(Sent { message, left, delivered: left + u64::from(hops) * self.timing.hop_cycles })
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
            let cycle = self.after(cycle, delay_ns, line)?;
            self.note_begun(node)?;
            self.events.push(Reverse(Event { cycle, task, line, node }));
        }
        Ok(())
    }

    fn note_begun(&mut self, node: Node) -> Result<()> {
        let (word, bit) = bit_of(node);
        let [bits] = self.begun.read(word)?;
        self.waiting -= 1;
        self.begun.write(word, &[bits | bit])
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
        let sizes = match (&open.sizes, open.operation) {
            (_, Operation::Alltoall) if part.receive == 1 => Sizes::Split(part.send),
            (Some(sizes), _) => Sizes::Each(sizes),
            // The root of a scatter has a sum in the place of the others' sizes, all have the same share.
            (None, Operation::Scatter) => Sizes::Same(part.receive),
            // What a member of a broadcast hands on is what it has received.
            _ => Sizes::Same(part.send.max(if open.operation == Operation::Bcast { part.receive } else { 0 })),
        };
        let steps = collective::steps(open.operation, open.members.len(), part.member, open.root, sizes);
        let running = Running {
            clock: event.cycle,
            line: event.line,
            after_finishing: part.after_finishing,
            member: part.member,
            steps: steps.into(),
            blocked: None,
        };
        self.running.insert(slot, running);
        Ok(())
    }

    fn open(&mut self, id: u32) -> Result<Open> {
        let entry = CollectiveEntry::read(&mut self.index.collectives, id)?;
        let members = self.trace.communicator(entry.communicator)?;
        let operation = OPERATIONS[entry.code];
        let sizes = if entry.uneven && matches!(operation, Operation::Scatter | Operation::Allgather) {
            let mut sizes = Vec::with_capacity(members.len());
            for &task in members.iter() {
                let part = PartEntry::read(&mut self.index.parts, slot(self.trace.tasks(), id, task))?;
                sizes.push(if operation == Operation::Scatter { part.receive } else { part.send });
            }
            Some(sizes.into())
        } else {
            None
        };
        let (root, left) = (entry.root.unwrap_or(0), members.len());
        Ok(Open { members, operation, root, sizes, left, delivered: HashMap::new() })
    }

    /// Does the next step of a part, if it can; returns the message if the step is one.
    fn advance(&mut self, slot: u64, cycle: u64) -> Result<Option<Message>> {
        let tasks = u64::from(self.trace.tasks());
        let (id, task) = ((slot / tasks) as u32, (slot % tasks) as u32);
        let missing = || format!("collective G{id} is not open");
        let part = self.running.get_mut(&slot).with_context(missing)?;
        part.clock = cycle;
        let (member, line) = (part.member, part.line);
        let mut issued = None;
        match part.steps.pop_front() {
            Some(CollectiveStep::Send { to, bytes }) => {
                let other = self.open.get(&id).with_context(missing)?.members[to];
                let sent = self.send(task, other, bytes, cycle, line)?;
                issued = Some(sent.message);
                self.deliver(id, (member, to), sent.delivered)?;
                self.running.get_mut(&slot).with_context(missing)?.clock = sent.left;
            }
            Some(CollectiveStep::Receive { from }) => {
                let delivered = &mut self.open.get_mut(&id).with_context(missing)?.delivered;
                match delivered.get_mut(&(from, member)).and_then(VecDeque::pop_front) {
                    Some(delivered) => part.clock = part.clock.max(delivered),
                    None => {
                        part.blocked = Some(from);
                        return Ok(None);
                    }
                }
            }
            None => {}
        }
        self.go_on(slot)?;
        Ok(issued)
    }

    /// Hands a message inside a collective to its receiver and wakes it if it waits for this one.
    fn deliver(&mut self, id: u32, (from, to): (usize, usize), cycle: u64) -> Result<()> {
        let Some(open) = self.open.get_mut(&id) else {
            return Ok(());
        };
        let slot = slot(self.trace.tasks(), id, open.members[to]);
        match self.running.get_mut(&slot) {
            Some(part) if part.blocked == Some(from) => {
                part.blocked = None;
                part.clock = part.clock.max(cycle);
                self.go_on(slot)
            }
            _ => {
                open.delivered.entry((from, to)).or_default().push_back(cycle);
                Ok(())
            }
        }
    }

    /// Queues the next step of a part, or finishes it.
    fn go_on(&mut self, slot: u64) -> Result<()> {
        let tasks = u64::from(self.trace.tasks());
        let Some(part) = self.running.get(&slot) else {
            return Ok(());
        };
        if !part.steps.is_empty() {
            let task = (slot % tasks) as u32;
            self.events.push(Reverse(Event { cycle: part.clock, task, line: part.line, node: Node::Part(slot) }));
            return Ok(());
        }
        let (next, clock) = (part.after_finishing, part.clock);
        self.running.remove(&slot);
        let id = (slot / tasks) as u32;
        if let Some(open) = self.open.get_mut(&id) {
            open.left -= 1;
            if open.left == 0 {
                self.open.remove(&id);
            }
        }
        self.release(next, clock)
    }

    /// Checks, when nothing can happen any more, that this is because all has happened.
    fn ended(&mut self) -> Result<bool> {
        if self.waiting == 0 && self.running.is_empty() {
            return Ok(false);
        }
        let tasks = u64::from(self.trace.tasks());
        let inside = self.running.iter().filter_map(|(slot, part)| {
            let (id, task) = ((slot / tasks) as u32, (slot % tasks) as u32);
            let other = self.open.get(&id)?.members[part.blocked?];
            Some((task, id, other))
        });
        let begun = &mut self.begun;
        Err(stalled(&self.trace, inside, |node| {
            let (word, bit) = bit_of(node);
            let [bits] = begun.read(word)?;
            Ok(bits & bit != 0)
        }))
    }
}

/// A message on its way.
struct Sent {
    message: Message,
    /// Cycle in which the link is free again.
    left: u64,
    /// Cycle in which the last flit has come in.
    delivered: u64,
}

/// The word and the bit in it that stand for a line.
fn bit_of(node: Node) -> (u64, u64) {
    (node.code() / 64, 1 << (node.code() % 64))
}

impl Messages for VefReplay {
    fn now(&self) -> Option<u64> {
        let queued = self.events.peek().map(|Reverse(event)| event.cycle);
        [queued, self.next_start.map(|start| start.cycle)].into_iter().flatten().min()
    }
}

impl Iterator for VefReplay {
    type Item = Result<Message>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.failed {
            let mut issued = None;
            match self.step(&mut issued) {
                Ok(true) if issued.is_none() => {}
                Ok(true) => return issued.map(Ok),
                Ok(false) => return None,
                Err(error) => {
                    self.failed = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}
