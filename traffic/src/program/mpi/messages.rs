//! Messages of a program: from the call that sends one to the receive that takes it.

use super::flight::{Flight, Leg, Rendezvous, Sending};
use super::program::MpiProgram;
use super::rank::{Activity, Operation, Rank};
use super::step::{Channel, MessageKind, OperationId, Step, Wish};
use crate::program::driven::{Driven, Issued};
use crate::program::note::Note;
use anyhow::{Context, Result, ensure};
use std::cmp::Reverse;

impl MpiProgram {
    /// Gives a message to its node.
    pub(super) fn send(&mut self, index: u32, sending: Sending, issued: &mut Vec<Issued>) -> Result<()> {
        let Sending { operation, to, bytes, communicator, kind, synchronous } = sending;
        let Activity { rank: from, clock: now, foretold, .. } = self.activities[index as usize];
        ensure!((to as usize) < self.ranks.len(), "a message is for rank {to}, expected 0 to {}", self.ranks.len() - 1);
        let number = self.next_flight;
        self.next_flight += 1;
        let label = self.point_to_point;
        if let MessageKind::Tag(_) = kind {
            self.point_to_point =
                label.checked_add(1).with_context(|| format!("the trace has more than {} messages", u32::MAX))?;
            if let Some(notes) = &mut self.notes {
                let Rank { cause, since, .. } = self.ranks[from as usize];
                notes.push(Note::Message {
                    number: label,
                    source: from,
                    destination: to,
                    bytes,
                    cause,
                    delay: now - since,
                });
            }
        }
        let asks = synchronous || !self.timing.is_eager(bytes);
        let channel = Channel { source: from, communicator, kind };
        self.flights.insert(number, Flight::new(label, to, channel, bytes, asks));
        self.ranks[from as usize].operations.insert(operation, Operation::Send { flight: number, label });
        self.ranks[to as usize].inbox.send(number, channel);
        self.meet(to, now, issued);
        let leg = if asks { Leg::RequestToSend } else { Leg::Data };
        let first = issued.len();
        self.issue(from, to, if asks { 0 } else { bytes }, leg.number(number), now, issued);
        // What `meet` lets go before it was not foreseen.
        issued[first].foretold = foretold;
        Ok(())
    }

    /// Has the network carry something, or carries it within the node.
    pub(super) fn issue(
        &mut self,
        source: u32,
        destination: u32,
        bytes: u64,
        number: u64,
        now: u64,
        issued: &mut Vec<Issued>,
    ) {
        let local = self.local.covers(source, destination);
        issued.push(Issued { number, source, destination, bytes, local, foretold: false });
        if local {
            // What a rank writes to a neighbour's memory it is done with at once: copying is part of the call.
            self.sent(now, number);
            if self.local.carry(now, number, bytes) {
                self.arrivals.push(Reverse((now, number)));
            }
        }
    }

    /// A rank posts a receive.
    pub(super) fn post(
        &mut self,
        index: u32,
        operation: OperationId,
        wish: Wish,
        issued: &mut Vec<Issued>,
    ) -> Result<()> {
        let Activity { rank, clock, .. } = self.activities[index as usize];
        if let Wish::Any(_) = wish {
            self.know_takers(rank)?;
        }
        let state = &mut self.ranks[rank as usize];
        state.operations.insert(operation, Operation::receive(wish));
        state.inbox.post(operation, wish);
        self.meet(rank, clock, issued);
        Ok(())
    }

    /// From the first receive or probe with wildcards on, the rank's inbox knows what such receives may take.
    pub(super) fn know_takers(&mut self, rank: u32) -> Result<()> {
        let Rank { inbox, lowering, .. } = &mut self.ranks[rank as usize];
        if !inbox.knows_takers() {
            inbox.set_takers(lowering.takers()?);
        }
        Ok(())
    }

    /// Messages for `rank` and its receives have met: in cycle `now` both know.
    pub(super) fn meet(&mut self, rank: u32, now: u64, issued: &mut Vec<Issued>) {
        while let Some((number, operation)) = self.ranks[rank as usize].inbox.matched.pop_front() {
            let Some(flight) = self.flights.get_mut(&number) else { continue };
            flight.receive = Some(operation);
            let found = (number, flight.label, flight.bytes);
            if let Some(Operation::Receive { flight, label, bytes, .. }) =
                self.ranks[rank as usize].operations.get_mut(&operation)
            {
                (*flight, *label, *bytes) = (Some(found.0), found.1, found.2);
            }
            if flight.here {
                self.complete(rank, operation, now);
            } else if flight.arrived.is_some() {
                self.grant(number, now, issued);
            }
        }
    }

    /// The message of a receive is there.
    pub(super) fn complete(&mut self, rank: u32, operation: OperationId, now: u64) {
        if let Some(Operation::Receive { here, waiter, .. }) = self.ranks[rank as usize].operations.get_mut(&operation)
        {
            *here = true;
            if let Some(waiter) = waiter.take() {
                self.wake(waiter, now);
            }
        }
    }

    /// The request of a message is there and its receive is posted: its sender may send.
    pub(super) fn grant(&mut self, number: u64, now: u64, issued: &mut Vec<Issued>) {
        let Some(flight) = self.flights.get_mut(&number) else { return };
        if flight.request == Rendezvous::Asking {
            flight.request = Rendezvous::Granted;
            let (from, to) = (flight.to, flight.channel.source);
            self.issue(from, to, 0, Leg::ClearToSend.number(number), now, issued);
        }
    }

    /// Something has come in.
    pub(super) fn arrive(&mut self, cycle: u64, number: u64, issued: &mut Vec<Issued>) {
        let (number, leg) = Leg::of(number);
        let Some(flight) = self.flights.get_mut(&number) else { return };
        let to = flight.to;
        match leg {
            Leg::ClearToSend => {
                flight.request = Rendezvous::Free;
                let (source, bytes) = (flight.channel.source, flight.bytes);
                self.issue(source, to, bytes, Leg::Data.number(number), cycle, issued);
                return;
            }
            Leg::Data => flight.here = true,
            Leg::RequestToSend => {}
        }
        flight.arrived.get_or_insert(cycle);
        match (flight.receive, leg) {
            (Some(operation), Leg::Data) => self.complete(to, operation, cycle),
            (Some(_), _) => self.grant(number, cycle, issued),
            (None, _) => {
                let waits = self.ranks[to as usize].inbox.arrive(number, cycle);
                self.meet(to, cycle, issued);
                if waits && self.activities[to as usize].over {
                    self.grant(number, cycle, issued);
                }
                let rank = &mut self.ranks[to as usize];
                if waits && rank.probing.is_some_and(|wish| rank.inbox.holds(&wish)) {
                    rank.probing = None;
                    self.wake(to, cycle);
                }
            }
        }
    }

    /// No message comes for a receive. One that it has taken all the same waits for another.
    pub(super) fn cancel(&mut self, index: u32, operation: OperationId, issued: &mut Vec<Issued>) {
        let Activity { rank, clock, .. } = self.activities[index as usize];
        let state = &mut self.ranks[rank as usize];
        match state.operations.remove(&operation) {
            Some(Operation::Receive { flight: Some(number), .. }) => {
                if let Some(flight) = self.flights.get_mut(&number) {
                    flight.receive = None;
                    state.inbox.put_back(number, flight.channel, flight.arrived);
                }
            }
            _ => state.inbox.cancel(operation),
        }
        self.meet(rank, clock, issued);
    }

    /// An activity computes from cycle `begun` up to its clock. If that is behind `begun`, the messages are told of that it gives then, before it
    /// waits for anything or computes again.
    pub(super) fn foresee(&mut self, index: u32, begun: u64) -> Result<()> {
        let (clock, lead) = (self.activities[index as usize].clock, self.timing.lead_cycles);
        if lead == 0 || clock == begun {
            return Ok(());
        }
        self.look_ahead(index, 1, |sending| clock.saturating_add(sending).saturating_sub(lead).max(begun))
    }

    /// An activity begins to wait. The messages are told of that it gives behind that, before it has to wait for as many other things as it looks
    /// past, or computes.
    pub(super) fn foresee_behind(&mut self, index: u32) -> Result<()> {
        let (clock, waits) = (self.activities[index as usize].clock, self.timing.foresight);
        if waits == 0 { Ok(()) } else { self.look_ahead(index, waits, |_| clock) }
    }

    /// Messages of an activity's next steps are to be told of, up to a computation or so many steps that wait: each in the cycle that follows from the
    /// processor time of the sends up to it.
    fn look_ahead(&mut self, index: u32, mut waits: u32, cycle: impl Fn(u64) -> u64) -> Result<()> {
        let rank = self.activities[index as usize].rank;
        let mut sending = 0_u64;
        for place in 0.. {
            if place == self.activities[index as usize].ahead.len() {
                let Some(step) = self.read_step(index)? else { break };
                self.activities[index as usize].ahead.push_back((step, false));
            }
            let (step, foretold) = &mut self.activities[index as usize].ahead[place];
            match step {
                Step::Send { to, bytes, .. } => {
                    sending = sending.saturating_add(self.timing.send_cycles(*bytes));
                    let leaves = (*to as usize) < self.ranks.len() && !self.local.covers(rank, *to);
                    if leaves && !std::mem::replace(foretold, true) {
                        self.foresight.add(cycle(sending), rank, *to);
                    }
                }
                Step::Compute(compute) if self.timing.compute_cycles(*compute) != Some(0) => break,
                Step::Reduce(bytes) if self.timing.reduce_cycles(*bytes) != 0 => break,
                Step::Wait(_) | Step::Poll(_) | Step::Probe(_) | Step::Settle => {
                    waits -= 1;
                    if waits == 0 {
                        break;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}
