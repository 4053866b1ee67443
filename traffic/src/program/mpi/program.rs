//! The program that the calls of all ranks describe, driven by a network.
//!
//! `docs/programs.md` says what each step does and when. The outcome does not depend on the order in which the network
//! tells what happens in one cycle: arrivals are taken by cycle and number, then ranks go on by number. Only what is outstanding is held; calls are
//! read as the ranks go on.

use super::communicators::Communicators;
use super::flight::{Flight, Leg, Sending};
use super::foresight::Foresight;
use super::lowering::Lowering;
use super::open_collective::OpenCollective;
use super::rank::{Activity, Inside, Operation, Rank};
use super::ready::Ready;
use super::step::{OperationId, Step, Wish};
use crate::hash::FastMap;
use crate::options::Timing;
use crate::program::call::{CallSource, CollectiveCall};
use crate::program::driven::{Driven, Issued, Local, Told};
use crate::program::note::Note;
use crate::replay::message::Cause;
use anyhow::{Context, Error, Result, anyhow};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// The program that the calls of all ranks describe.
pub(crate) struct MpiProgram {
    pub(super) timing: Timing,
    pub(super) ranks: Vec<Rank>,
    /// The ranks' own calls first, then the collectives beside them.
    pub(super) activities: Vec<Activity>,
    pub(super) unused_activities: Vec<u32>,
    pub(super) communicators: Communicators,
    pub(super) local: Local,
    pub(super) ready: Ready,
    pub(super) running: usize,
    pub(super) flights: FastMap<u64, Flight>,
    pub(super) next_flight: u64,
    pub(super) foresight: Foresight,
    /// What has come in and was not looked at: cycle and the network's number.
    pub(super) arrivals: BinaryHeap<Reverse<(u64, u64)>>,
    /// Messages so far that are not part of a collective.
    pub(super) point_to_point: u32,
    /// Collectives some member has entered, and their numbers in the trace, by communicator and number there.
    open_collectives: FastMap<(u32, u32), OpenCollective>,
    pub(super) collectives: u32,
    /// What happened since it was last asked for, if anybody wants to know.
    pub(super) notes: Option<Vec<Note>>,
}

impl MpiProgram {
    /// The program from its beginning.
    pub fn new(source: Arc<dyn CallSource>, timing: Timing, local: Local) -> Result<MpiProgram> {
        let count = source.ranks();
        let ranks = (0..count).map(|rank| Ok(Rank::new(Lowering::new(rank, Arc::clone(&source))?)));
        Ok(MpiProgram {
            timing,
            ranks: ranks.collect::<Result<Vec<_>>>()?,
            activities: (0..count).map(|rank| Activity::new(rank, 0)).collect(),
            unused_activities: Vec::new(),
            communicators: Communicators::default(),
            local,
            ready: Ready::of(count),
            running: count as usize,
            flights: FastMap::default(),
            next_flight: 0,
            foresight: Foresight::default(),
            arrivals: BinaryHeap::new(),
            point_to_point: 0,
            open_collectives: FastMap::default(),
            collectives: 0,
            notes: None,
        })
    }

    /// From now on notes are kept.
    pub fn keep_notes(&mut self) {
        self.notes.get_or_insert_default();
    }

    /// What happened since the last time, in the order of time.
    pub fn take_notes(&mut self) -> Vec<Note> {
        self.notes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The members of a communicator that has been used.
    pub fn members(&self, communicator: u32) -> Result<Arc<[u32]>> {
        Ok(self.communicators.named(communicator)?.members.clone())
    }

    /// Whether some rank is inside a collective that others have not finished.
    pub fn inside_collective(&self) -> bool {
        !self.open_collectives.is_empty()
    }

    /// Number of the last line that `rank` is done with.
    pub fn done_line(&self, rank: u32) -> u64 {
        self.ranks[rank as usize].lowering.done_line
    }

    /// Lets an activity do all it can do in cycle `now`.
    fn run(&mut self, index: u32, now: u64, issued: &mut Vec<Issued>) -> Result<()> {
        let activity = &mut self.activities[index as usize];
        activity.clock = activity.clock.max(now);
        loop {
            let activity = &mut self.activities[index as usize];
            if activity.clock > now {
                self.ready.push(activity.clock, index);
                return Ok(());
            }
            let step = match activity.step.take() {
                Some(step) => step,
                None => match self.next_step(index)? {
                    Some(step) => step,
                    None => return self.end(index, issued),
                },
            };
            if let Some(step) = self.carry_out(index, step, issued)? {
                // It waits, or its processor time runs.
                let activity = &mut self.activities[index as usize];
                activity.step = Some(step);
                if activity.waits {
                    return self.foresee_behind(index);
                }
            }
        }
    }

    fn next_step(&mut self, index: u32) -> Result<Option<Step>> {
        let activity = &mut self.activities[index as usize];
        let ahead = activity.ahead.pop_front();
        activity.foretold = ahead.as_ref().is_some_and(|(_, foretold)| *foretold);
        match ahead {
            Some((step, _)) => Ok(Some(step)),
            None => self.read_step(index),
        }
    }

    /// The step behind those that were read.
    pub(super) fn read_step(&mut self, index: u32) -> Result<Option<Step>> {
        let activity = &mut self.activities[index as usize];
        let lowering = &mut self.ranks[activity.rank as usize].lowering;
        match &mut activity.beside {
            Some((next, _)) => Ok(next(&mut lowering.next_operation)),
            None => lowering.next(&mut self.communicators, self.timing.algorithms),
        }
    }

    /// An activity has no steps left.
    fn end(&mut self, index: u32, issued: &mut Vec<Issued>) -> Result<()> {
        let activity = &mut self.activities[index as usize];
        activity.over = true;
        let Some((_, operation)) = activity.beside.take() else {
            self.running -= 1;
            // An excerpt may end before the receives of what is still sent to it.
            let (rank, clock) = (activity.rank, activity.clock);
            for number in self.ranks[rank as usize].inbox.arrived_messages() {
                self.grant(number, clock, issued);
            }
            return Ok(());
        };
        let (clock, rank) = (activity.clock, activity.rank);
        self.unused_activities.push(index);
        if let Some(Operation::Collective { over, waiter, .. }) =
            self.ranks[rank as usize].operations.get_mut(&operation)
        {
            *over = true;
            if let Some(waiter) = waiter.take() {
                self.wake(waiter, clock);
            }
        }
        Ok(())
    }

    /// What an activity waits for has happened in `cycle`.
    pub(super) fn wake(&mut self, index: u32, cycle: u64) {
        let activity = &mut self.activities[index as usize];
        activity.waits = false;
        self.ready.push(cycle.max(activity.clock), index);
    }

    /// The processor of a rank is busy for so many cycles.
    pub(super) fn busy(&mut self, index: u32, cycles: u64) -> Result<()> {
        let activity = &mut self.activities[index as usize];
        let clock = activity.clock.checked_add(cycles).filter(|&clock| clock < u64::MAX / 2);
        activity.clock = clock.context("the replay's clock has run over, expected a smaller gap scale")?;
        if activity.beside.is_none() {
            let rank = &mut self.ranks[activity.rank as usize];
            rank.computed += cycles;
            rank.busy_until = activity.clock;
        }
        Ok(())
    }

    /// Carries out a step; returns it if it is not over yet.
    fn carry_out(&mut self, index: u32, step: Step, issued: &mut Vec<Issued>) -> Result<Option<Step>> {
        let Activity { rank, clock, .. } = self.activities[index as usize];
        match step {
            Step::Compute(compute) => {
                let cycles = self.timing.compute_cycles(compute);
                cycles
                    .context("the replay's clock has run over, expected a smaller gap scale")
                    .and_then(|cycles| self.busy(index, cycles))
                    .map_err(|error| self.placed(rank, &error))?;
                self.foresee(index, clock)?;
            }
            Step::Reduce(bytes) => {
                self.busy(index, self.timing.reduce_cycles(bytes))?;
                self.foresee(index, clock)?;
            }
            Step::Send { operation, to, bytes, communicator, kind, synchronous } => {
                let cost = self.timing.send_cycles(bytes);
                if cost > 0 && !std::mem::replace(&mut self.activities[index as usize].paid, true) {
                    self.busy(index, cost)?;
                    return Ok(Some(step));
                }
                self.activities[index as usize].paid = false;
                self.send(index, Sending { operation, to, bytes, communicator, kind, synchronous }, issued)?;
            }
            Step::Receive { operation, wish } => self.post(index, operation, wish, issued)?,
            Step::Wait(operation) => return self.wait(index, operation),
            Step::Poll(operation) => return self.poll(index, operation),
            Step::Cancel(operation) => self.cancel(index, operation, issued),
            Step::Probe(wish) => {
                if let Wish::Any(_) = wish {
                    self.know_takers(rank)?;
                }
                let state = &mut self.ranks[rank as usize];
                if !state.inbox.holds(&wish) {
                    state.probing = Some(wish);
                    self.activities[index as usize].waits = true;
                    return Ok(Some(Step::Probe(wish)));
                }
            }
            Step::Settle => return self.settle(index),
            Step::Enter { call, number } => {
                let communicator = call.communicator;
                let in_trace = self.enter(index, call, number).map_err(|error| self.placed(rank, &error))?;
                self.ranks[rank as usize].inside = Some(Inside { communicator, number, in_trace });
            }
            Step::Leave => self.leave(index)?,
            Step::Fork { operation, call, number, next } => {
                let communicator = call.communicator;
                let in_trace = self.enter(index, call, number).map_err(|error| self.placed(rank, &error))?;
                self.left(communicator, number)?;
                let clock = self.activities[index as usize].clock;
                let beside = self.activity(rank, clock);
                self.activities[beside as usize].beside = Some((next, operation));
                let state = Operation::Collective { number: in_trace, over: false, waiter: None };
                self.ranks[rank as usize].operations.insert(operation, state);
                self.ready.push(clock, beside);
            }
        }
        Ok(None)
    }

    fn placed(&self, rank: u32, error: &Error) -> Error {
        anyhow!("{}: {error:#}", self.ranks[rank as usize].lowering.place())
    }

    /// A new activity beside a rank.
    fn activity(&mut self, rank: u32, clock: u64) -> u32 {
        let new = Activity::new(rank, clock);
        match self.unused_activities.pop() {
            Some(index) => {
                self.activities[index as usize] = new;
                index
            }
            None => {
                self.activities.push(new);
                self.activities.len() as u32 - 1
            }
        }
    }

    /// Whether an operation is over, taking it; if not, the activity waits for it from now on.
    fn is_over(&mut self, index: u32, operation: OperationId) -> Result<bool> {
        let activity = &mut self.activities[index as usize];
        let clock = activity.clock;
        let operations = &mut self.ranks[activity.rank as usize].operations;
        let (over, cost, cause) = match operations.get_mut(&operation) {
            None => return Ok(true),
            Some(Operation::Send { flight, label }) => {
                let flight = self.flights.get_mut(flight).filter(|flight| !flight.left);
                let over = flight.map(|flight| flight.sender = Some(index)).is_none();
                (over, 0, Cause::Sent(*label))
            }
            Some(Operation::Receive { flight, label, bytes, here, waiter, .. }) => {
                if !*here {
                    *waiter = Some(index);
                } else if let Some(number) = *flight
                    && let Some(flight) = self.flights.get_mut(&number)
                {
                    flight.taken = true;
                    if flight.is_over() {
                        self.flights.remove(&number);
                    }
                }
                (*here, self.timing.receive_cycles(*bytes), Cause::Received(*label))
            }
            Some(Operation::Collective { number, over, waiter }) => {
                if !*over {
                    *waiter = Some(index);
                }
                (*over, 0, Cause::Finished(*number))
            }
        };
        if !over {
            activity.waits_since.get_or_insert(clock);
            activity.waits = true;
            return Ok(false);
        }
        operations.remove(&operation);
        let begun = activity.waits_since.take().unwrap_or(clock);
        if activity.beside.is_none() && clock > begun {
            let rank = &mut self.ranks[activity.rank as usize];
            (rank.cause, rank.since) = (cause, clock);
        }
        self.busy(index, cost)?;
        Ok(true)
    }

    /// Waits for an operation. Of receives that ask for the same, the oldest owed one comes first.
    fn wait(&mut self, index: u32, operation: OperationId) -> Result<Option<Step>> {
        let rank = &mut self.ranks[self.activities[index as usize].rank as usize];
        let mut operation = operation;
        if !rank.owed.is_empty()
            && let Some(Operation::Receive { wish, .. }) = rank.operations.get(&operation)
            && let Some(queue) = rank.owed.get_mut(wish)
            && let Some(oldest) = queue.first().copied().filter(|oldest| *oldest < operation)
        {
            queue.remove(&oldest);
            queue.insert(std::mem::replace(&mut operation, oldest));
        }
        Ok((!self.is_over(index, operation)?).then_some(Step::Wait(operation)))
    }

    /// Takes what has come of this receive and of those owed that ask for the same; owes the rest.
    fn poll(&mut self, index: u32, operation: OperationId) -> Result<Option<Step>> {
        let number = self.activities[index as usize].rank as usize;
        let wish = match self.ranks[number].operations.get(&operation) {
            Some(Operation::Receive { wish, .. }) if !self.timing.polls_wait => *wish,
            _ => return self.wait(index, operation),
        };
        self.ranks[number].owed.entry(wish).or_default().insert(operation);
        loop {
            let rank = &mut self.ranks[number];
            let oldest = rank.owed.get(&wish).and_then(|queue| queue.first().copied());
            match oldest.and_then(|oldest| rank.operations.get(&oldest)) {
                Some(Operation::Receive { here: false, .. }) => return Ok(None),
                _ => rank.forget_owed(&wish),
            }
            match oldest {
                Some(oldest) => self.is_over(index, oldest)?,
                None => return Ok(None),
            };
        }
    }

    /// Waits for what is owed, in the order of posting.
    fn settle(&mut self, index: u32) -> Result<Option<Step>> {
        let number = self.activities[index as usize].rank as usize;
        loop {
            let owed = self.ranks[number].owed.iter();
            let first = owed.filter_map(|(wish, queue)| Some((*queue.first()?, *wish))).min_by_key(|(first, _)| *first);
            let Some((operation, wish)) = first else { return Ok(None) };
            if !self.is_over(index, operation)? {
                return Ok(Some(Step::Settle));
            }
            self.ranks[number].forget_owed(&wish);
        }
    }

    /// A rank enters a collective. Returns its number in the trace.
    fn enter(&mut self, index: u32, call: CollectiveCall, number: u32) -> Result<u32> {
        let Activity { rank, clock, .. } = self.activities[index as usize];
        let in_trace = match self.open_collectives.entry((call.communicator, number)) {
            Entry::Occupied(open) => {
                open.get().check(&call)?;
                open.get().number
            }
            Entry::Vacant(place) => {
                let new = OpenCollective { number: self.collectives, first: rank, call: call.clone(), left: 0 };
                place.insert(new).number
            }
        };
        if in_trace == self.collectives {
            self.collectives =
                in_trace.checked_add(1).with_context(|| format!("the trace has more than {} collectives", u32::MAX))?;
        }
        if let Some(notes) = &mut self.notes {
            let Rank { cause, since, .. } = self.ranks[rank as usize];
            notes.push(Note::Enter { rank, number: in_trace, call, cause, delay: clock - since });
        }
        Ok(in_trace)
    }

    /// The rank is done with the collective it is inside of.
    fn leave(&mut self, index: u32) -> Result<()> {
        let Activity { rank, clock, .. } = self.activities[index as usize];
        let state = &mut self.ranks[rank as usize];
        if let Some(Inside { communicator, number, in_trace }) = state.inside.take() {
            (state.cause, state.since) = (Cause::Finished(in_trace), clock);
            self.left(communicator, number)?;
        }
        Ok(())
    }

    /// Another member is done with a collective.
    fn left(&mut self, communicator: u32, number: u32) -> Result<()> {
        let members = self.communicators.named(communicator)?.members.len();
        if let Some(open) = self.open_collectives.get_mut(&(communicator, number)) {
            open.left += 1;
            if open.left == members {
                self.open_collectives.remove(&(communicator, number));
            }
        }
        Ok(())
    }
}

impl Driven for MpiProgram {
    fn next_event(&self) -> u64 {
        let arrival = self.arrivals.peek().map_or(u64::MAX, |Reverse((cycle, _))| *cycle);
        self.ready.next_event().min(self.local.next_event()).min(arrival).min(self.foresight.next_event())
    }

    fn act(&mut self, now: u64, issued: &mut Vec<Issued>) -> Result<()> {
        loop {
            while let Some((cycle, number)) = self.local.due(now) {
                self.arrivals.push(Reverse((cycle, number)));
            }
            while let Some(&Reverse((cycle, number))) = self.arrivals.peek()
                && cycle <= now
            {
                self.arrivals.pop();
                self.arrive(cycle.max(now), number, issued);
            }
            let Some(activity) = self.ready.due(now) else { break };
            self.run(activity, now, issued)?;
        }
        self.foresight.tell(now);
        Ok(())
    }

    fn foretell(&mut self, told: &mut Vec<Told>) {
        self.foresight.take(told);
    }

    fn sent(&mut self, cycle: u64, number: u64) {
        let (number, Leg::Data) = Leg::of(number) else { return };
        let Some(flight) = self.flights.get_mut(&number) else { return };
        flight.left = true;
        let sender = flight.sender.take();
        if flight.is_over() {
            self.flights.remove(&number);
        }
        if let Some(sender) = sender {
            self.wake(sender, cycle);
        }
    }

    fn delivered(&mut self, cycle: u64, number: u64) {
        self.arrivals.push(Reverse((cycle, number)));
    }

    fn is_over(&self) -> bool {
        self.running == 0
    }

    fn waits(&self) -> Vec<String> {
        (0..self.ranks.len() as u32).filter_map(|rank| self.waits_for(rank).map(|wait| wait.text)).collect()
    }

    fn stalled(&self) -> Error {
        let mut waits = (0..self.ranks.len() as u32).filter_map(|rank| self.waits_for(rank));
        match waits.find_map(|wait| wait.for_ever) {
            Some(missing) => anyhow!("{missing}"),
            None => anyhow!("no rank can go on: {}", self.waits().join("; ")),
        }
    }

    fn computed(&self, rank: u32, now: u64) -> u64 {
        self.ranks[rank as usize].computed(now)
    }

    fn outstanding(&self) -> usize {
        self.flights.len()
    }
}
