//! The program that a GOAL trace describes, driven by a network.

use super::flights::{Content, Event, Flights};
use super::index::{DependencyEntry, Id, OperationEntry};
use super::lanes::{Job, Lanes};
use super::matching::{Envelope, Matching};
use super::parse::Action;
use super::progress::Progress;
use super::trace::GoalTrace;
use crate::format::paged::PagedFile;
use crate::format::tasks::Tasks;
use crate::options::{Timing, TrafficOptions};
use crate::program::driven::{Driven, Issued, Local};
use crate::program::{Placement, ProgramReplay};
use anyhow::{Context, Error, Result, ensure};
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// The program that a GOAL trace describes.
///
/// What happens in one cycle happens in rounds: all that the network has told and all that ends, then all operations that
/// this lets start, then processors take what waits for them. What takes no time makes one more round. In each part of a
/// round messages come in the order of sending and operations in that of the file, so nothing depends on the order in which the network
/// tells of things.
pub(crate) struct GoalProgram {
    trace: Arc<GoalTrace>,
    timing: Timing,
    local: Local,
    operations: RefCell<PagedFile>,
    dependencies: RefCell<PagedFile>,
    progress: RefCell<Progress>,
    /// Whether the operations that wait for nothing have been looked up.
    begun: bool,
    /// Operations of each rank that have not finished.
    left: Vec<u32>,
    left_in_all: u32,
    lanes: Lanes,
    /// When the jobs of the processors end.
    ends: BinaryHeap<Reverse<(u64, Id)>>,
    flights: Flights,
    matching: Matching,
    /// What messages did: cycle and number.
    happened: BinaryHeap<Reverse<(u64, u64, Event)>>,
    /// Operations whose last dependency is met.
    released: Vec<Id>,
    tasks: Tasks,
}

impl GoalTrace {
    /// The trace from its beginning as the load of a network, rank by rank on the nodes that `placement` says.
    ///
    /// # Errors
    /// A placement for another number of ranks, and options out of range.
    pub fn workload(self: Arc<Self>, options: &TrafficOptions, placement: Placement) -> Result<ProgramReplay> {
        let (ranks, name) = (self.ranks(), self.name());
        ensure!(
            placement.ranks() == ranks,
            "the placement is for {} ranks, expected the {ranks} of {name}",
            placement.ranks()
        );
        let timing = Timing::new(options)?;
        let program = self.program(timing, Local::new(placement.node_of().to_vec(), timing))?;
        Ok(ProgramReplay::of(Box::new(program), timing, placement))
    }

    /// The program from its beginning.
    pub(crate) fn program(self: Arc<Self>, timing: Timing, local: Local) -> Result<GoalProgram> {
        GoalProgram::new(self, timing, local)
    }
}

impl GoalProgram {
    /// The trace from its beginning.
    pub fn new(trace: Arc<GoalTrace>, timing: Timing, local: Local) -> Result<GoalProgram> {
        let (operations, dependencies) = trace.index();
        Ok(GoalProgram {
            timing: timing.without_lead(trace.name())?,
            local,
            operations: operations.into(),
            dependencies: dependencies.into(),
            progress: Progress::new()?.into(),
            begun: false,
            left: trace.spans().iter().map(|span| span.operations).collect(),
            left_in_all: trace.operations(),
            lanes: Lanes::default(),
            ends: BinaryHeap::new(),
            flights: Flights::default(),
            matching: Matching::new(trace.kinds()),
            happened: BinaryHeap::new(),
            released: Vec::new(),
            tasks: Tasks::new(trace.ranks()),
            trace,
        })
    }

    pub(super) fn trace(&self) -> &GoalTrace {
        &self.trace
    }

    pub(super) fn entry(&self, id: Id) -> Result<OperationEntry> {
        OperationEntry::read(&mut self.operations.borrow_mut(), id)
    }

    pub(super) fn dependency(&self, number: u32) -> Result<DependencyEntry> {
        DependencyEntry::read(&mut self.dependencies.borrow_mut(), number)
    }

    pub(super) fn progress(&self) -> &RefCell<Progress> {
        &self.progress
    }

    /// Operations of `rank` that have not finished.
    pub(super) fn left(&self, rank: u32) -> u32 {
        self.left[rank as usize]
    }

    /// The cycle `delay` cycles behind another; `None` is too many.
    fn after(&self, cycle: u64, delay: Option<u64>, line: u64) -> Result<u64> {
        let later = delay.and_then(|delay| cycle.checked_add(delay)).filter(|&later| later < u64::MAX / 2);
        later.with_context(|| {
            let name = self.trace.name();
            format!(
                "{name}, line {line}: the replay's clock has run over, expected shorter times or a smaller gap scale"
            )
        })
    }

    /// Begins the operations that wait for nothing.
    fn begin(&mut self, issued: &mut Vec<Issued>) -> Result<()> {
        self.begun = true;
        for id in self.trace.ids() {
            let entry = self.entry(id)?;
            if entry.requirements == 0 {
                self.ready(0, id, &entry, issued)?;
            }
        }
        Ok(())
    }

    /// All that an operation waits for is met.
    fn ready(&mut self, cycle: u64, id: Id, entry: &OperationEntry, issued: &mut Vec<Issued>) -> Result<()> {
        let cycles = match entry.operation.action {
            Action::Calculate { nanoseconds } => self.timing.gap_cycles(nanoseconds),
            Action::Send { bytes, .. } => Some(self.timing.send_cycles(bytes)),
            Action::Receive { from, tag, .. } => {
                self.starts(id, entry)?;
                return match self.matching.post((entry.rank, from, tag), id) {
                    Some(number) => self.matched(cycle, number, id, issued),
                    None => Ok(()),
                };
            }
        };
        let cycles = self.after(0, cycles, entry.line)?;
        self.lanes.wait((entry.rank, entry.operation.cpu), Job { ready: cycle, operation: id, cycles });
        Ok(())
    }

    /// An operation starts.
    fn starts(&mut self, id: Id, entry: &OperationEntry) -> Result<()> {
        self.progress.get_mut().start(id)?;
        self.release(entry.after_starting)
    }

    /// An operation has finished.
    fn finishes(&mut self, id: Id, entry: &OperationEntry) -> Result<()> {
        self.progress.get_mut().finish(id)?;
        self.left[entry.rank as usize] -= 1;
        self.left_in_all -= 1;
        self.release(entry.after_finishing)
    }

    /// What a chain of dependencies waits for has happened.
    fn release(&mut self, mut chain: Option<u32>) -> Result<()> {
        while let Some(number) = chain {
            let dependency = self.dependency(number)?;
            chain = dependency.next_dependent;
            let met = self.progress.get_mut().meet(dependency.dependent)?;
            if met == self.entry(dependency.dependent)?.requirements {
                self.released.push(dependency.dependent);
            }
        }
        Ok(())
    }

    /// Processors take what waits for them.
    fn start_jobs(&mut self, cycle: u64) -> Result<()> {
        while let Some((lane, job)) = self.lanes.start() {
            let entry = self.entry(job.operation)?;
            let end = self.after(cycle, Some(job.cycles), entry.line)?;
            self.ends.push(Reverse((end, job.operation)));
            match entry.operation.action {
                Action::Calculate { .. } => {
                    self.tasks.computes(lane.0, cycle, end);
                    self.starts(job.operation, &entry)?;
                }
                Action::Send { .. } => self.starts(job.operation, &entry)?,
                // It has started when it was posted.
                Action::Receive { .. } => {}
            }
        }
        Ok(())
    }

    /// A processor is done with an operation.
    fn ends(&mut self, cycle: u64, id: Id, issued: &mut Vec<Issued>) -> Result<()> {
        let entry = self.entry(id)?;
        self.lanes.free((entry.rank, entry.operation.cpu));
        let Action::Send { to, bytes, tag } = entry.operation.action else {
            return self.finishes(id, &entry);
        };
        let envelope = Envelope { source: entry.rank, destination: to, tag };
        if self.timing.is_eager(bytes) {
            self.give(cycle, Content::Eager, id, envelope, bytes, issued);
            self.finishes(id, &entry)
        } else {
            self.give(cycle, Content::Request, id, envelope, bytes, issued);
            Ok(())
        }
    }

    /// Gives a message to its node; `envelope` and `bytes` are those of the send it belongs to.
    fn give(
        &mut self,
        cycle: u64,
        content: Content,
        send: Id,
        envelope: Envelope,
        bytes: u64,
        issued: &mut Vec<Issued>,
    ) {
        let number = self.flights.issue(content, send, envelope, bytes);
        let bytes = if matches!(content, Content::Eager | Content::Data(_)) { bytes } else { 0 };
        let Envelope { source, destination, .. } = envelope;
        let back = matches!(content, Content::Clearance(_));
        let (source, destination) = if back { (destination, source) } else { (source, destination) };
        let local = self.local.covers(source, destination);
        issued.push(Issued { number, source, destination, bytes, local, foretold: false });
        if local {
            // What a rank writes to a neighbour's memory it is done with at once: copying is part of the call.
            self.sent(cycle, number);
            if self.local.carry(cycle, number, bytes) {
                self.delivered(cycle, number);
            }
        }
    }

    /// A message has left or come in.
    fn moved(&mut self, cycle: u64, number: u64, event: Event, issued: &mut Vec<Issued>) -> Result<()> {
        let Some(flight) = self.flights.get(number) else {
            return Ok(());
        };
        match (flight.content, event) {
            (Content::Eager | Content::Request, Event::Delivered) => {
                let mut visible = Vec::new();
                self.flights.come_in(number, &mut visible);
                for number in visible {
                    let Some(flight) = self.flights.get(number) else { continue };
                    if let Some(receive) = self.matching.arrive(flight.envelope, number) {
                        self.matched(cycle, number, receive, issued)?;
                    }
                }
            }
            (Content::Clearance(receive), Event::Delivered) => {
                self.flights.remove(number);
                self.give(cycle, Content::Data(receive), flight.send, flight.envelope, flight.bytes, issued);
            }
            (Content::Data(_), Event::Sent) => {
                self.flights.half(number);
                let entry = self.entry(flight.send)?;
                self.finishes(flight.send, &entry)?;
            }
            (Content::Data(receive), Event::Delivered) => {
                self.flights.half(number);
                self.is_here(cycle, receive, flight.bytes)?;
            }
            // Nobody waits for that.
            (Content::Eager | Content::Request | Content::Clearance(_), Event::Sent) => {}
        }
        Ok(())
    }

    /// A message that has come in, or its request, has found its receive.
    fn matched(&mut self, cycle: u64, number: u64, receive: Id, issued: &mut Vec<Issued>) -> Result<()> {
        self.progress.get_mut().find(receive)?;
        let Some(flight) = self.flights.remove(number) else {
            return Ok(());
        };
        if flight.content == Content::Eager {
            return self.is_here(cycle, receive, flight.bytes);
        }
        self.give(cycle, Content::Clearance(receive), flight.send, flight.envelope, flight.bytes, issued);
        Ok(())
    }

    /// The message of a receive is here: its processor has to take it.
    fn is_here(&mut self, cycle: u64, receive: Id, bytes: u64) -> Result<()> {
        let entry = self.entry(receive)?;
        let cycles = self.timing.receive_cycles(bytes);
        self.lanes.wait((entry.rank, entry.operation.cpu), Job { ready: cycle, operation: receive, cycles });
        Ok(())
    }

    /// All that the network has told and all that ends up to a cycle.
    fn happens(&mut self, cycle: u64, issued: &mut Vec<Issued>) -> Result<()> {
        if !self.begun {
            return self.begin(issued);
        }
        while let Some((cycle, number)) = self.local.due(cycle) {
            self.delivered(cycle, number);
        }
        while let Some(&Reverse((due, number, event))) = self.happened.peek()
            && due <= cycle
        {
            self.happened.pop();
            self.moved(cycle, number, event, issued)?;
        }
        while let Some(&Reverse((due, id))) = self.ends.peek()
            && due <= cycle
        {
            self.ends.pop();
            self.ends(cycle, id, issued)?;
        }
        Ok(())
    }
}

impl Driven for GoalProgram {
    fn next_event(&self) -> u64 {
        if !self.begun {
            return 0;
        }
        let ends = self.ends.peek().map_or(u64::MAX, |Reverse((cycle, _))| *cycle);
        let happened = self.happened.peek().map_or(u64::MAX, |Reverse((cycle, ..))| *cycle);
        ends.min(happened).min(self.local.next_event())
    }

    fn act(&mut self, now: u64, issued: &mut Vec<Issued>) -> Result<()> {
        loop {
            let cycle = self.next_event();
            if cycle > now {
                return Ok(());
            }
            self.happens(cycle, issued)?;
            loop {
                while !self.released.is_empty() {
                    let mut released = std::mem::take(&mut self.released);
                    released.sort_unstable();
                    for id in released {
                        let entry = self.entry(id)?;
                        self.ready(cycle, id, &entry, issued)?;
                    }
                }
                self.start_jobs(cycle)?;
                if self.released.is_empty() {
                    break;
                }
            }
        }
    }

    fn sent(&mut self, cycle: u64, number: u64) {
        self.happened.push(Reverse((cycle, number, Event::Sent)));
    }

    fn delivered(&mut self, cycle: u64, number: u64) {
        self.happened.push(Reverse((cycle, number, Event::Delivered)));
    }

    /// All operations have finished. Messages that nobody receives may be under way.
    fn is_over(&self) -> bool {
        self.left_in_all == 0
    }

    fn waits(&self) -> Vec<String> {
        self.what_ranks_wait_for()
    }

    fn stalled(&self) -> Error {
        self.stall()
    }

    fn computed(&self, rank: u32, now: u64) -> u64 {
        self.tasks.computed(rank, now)
    }

    fn outstanding(&self) -> usize {
        self.flights.len()
    }
}
