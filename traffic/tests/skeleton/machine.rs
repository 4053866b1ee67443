//! A machine that runs the calls of a program without a clock: what is sent is there at once or, in the strict way, every
//! send waits for its receive. It says what does not fit.

use powar_traffic::program::call::{
    Call, CallSource, Calls, Collective, CollectiveCall, Completion, Entry, Outgoing, Payload, Wanted,
};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

/// A send or a receive: what waits for it is done when it is.
type Ticket = (usize, u64);

struct Posted {
    wanted: Wanted,
    ticket: Ticket,
}

struct Message {
    source: u32,
    message: Outgoing,
    ticket: Ticket,
}

#[derive(Default)]
struct Meeting {
    operation: Option<(Collective, Option<Payload>)>,
    tickets: Vec<Ticket>,
}

struct Rank {
    calls: Box<dyn Calls>,
    communicators: HashMap<u32, Arc<[u32]>>,
    /// Tickets of requests.
    requests: HashMap<u64, Ticket>,
    next: u64,
    waits: Vec<Ticket>,
    over: bool,
    /// Collectives so far, by communicator.
    collectives: HashMap<u32, u64>,
}

pub struct Machine {
    strict: bool,
    ranks: Vec<Rank>,
    done: HashSet<Ticket>,
    arrived: Vec<VecDeque<Message>>,
    posted: Vec<VecDeque<Posted>>,
    members: HashMap<u32, Arc<[u32]>>,
    meetings: HashMap<(u32, u64), Meeting>,
    pub messages: u64,
}

/// Runs a program to its end.
///
/// # Panics
/// It does not end, or something is left.
pub fn run(name: &str, source: &dyn CallSource, strict: bool) -> u64 {
    let ranks: Vec<_> = (0..source.ranks())
        .map(|rank| Rank {
            calls: source.calls(rank).unwrap(),
            communicators: HashMap::new(),
            requests: HashMap::new(),
            next: 0,
            waits: Vec::new(),
            over: false,
            collectives: HashMap::new(),
        })
        .collect();
    let mut machine = Machine {
        strict,
        arrived: ranks.iter().map(|_| VecDeque::new()).collect(),
        posted: ranks.iter().map(|_| VecDeque::new()).collect(),
        ranks,
        done: HashSet::new(),
        members: HashMap::new(),
        meetings: HashMap::new(),
        messages: 0,
    };
    loop {
        let mut moved = false;
        for rank in 0..machine.ranks.len() {
            while machine.step(name, rank) {
                moved = true;
            }
        }
        if !moved {
            break;
        }
    }
    for (rank, state) in machine.ranks.iter().enumerate() {
        assert!(state.over, "{name}, strict {strict}: rank {rank} waits at {}", state.calls.place());
        assert!(machine.arrived[rank].is_empty(), "{name}: rank {rank} never receives {}", machine.arrived[rank].len());
        assert!(machine.posted[rank].is_empty(), "{name}: rank {rank} waits for {}", machine.posted[rank].len());
    }
    assert!(machine.meetings.is_empty(), "{name}: collectives without all their members");
    machine.messages
}

fn matches(wanted: &Wanted, source: u32, message: &Outgoing) -> bool {
    wanted.communicator == message.communicator
        && wanted.source.is_none_or(|wanted| wanted == source)
        && wanted.tag.is_none_or(|tag| tag == message.tag)
}

impl Machine {
    /// One entry of a rank; false when it waits or has ended.
    fn step(&mut self, name: &str, rank: usize) -> bool {
        let Machine { ranks, done, .. } = self;
        let state = &mut ranks[rank];
        state.waits.retain(|wait| !done.contains(wait));
        if state.over || !state.waits.is_empty() {
            return false;
        }
        match state.calls.next().unwrap() {
            None => {
                state.over = true;
                false
            }
            Some(Entry::Communicator { name: communicator, members }) => {
                assert!(members.contains(&(rank as u32)), "{name}: rank {rank} is no member of {communicator}");
                assert_eq!(members.iter().collect::<HashSet<_>>().len(), members.len(), "{name}: members come twice");
                let known = self.members.entry(communicator).or_insert_with(|| members.clone());
                assert_eq!(*known, members, "{name}: communicator {communicator} differs on rank {rank}");
                state.communicators.insert(communicator, members);
                true
            }
            Some(Entry::Call { call, .. }) => {
                self.call(name, rank, call);
                true
            }
        }
    }

    fn ticket(&mut self, rank: usize, request: Option<u64>) -> Ticket {
        let state = &mut self.ranks[rank];
        state.next += 1;
        let ticket = (rank, state.next);
        match request {
            Some(request) => assert!(state.requests.insert(request, ticket).is_none(), "request {request} is open"),
            None => state.waits.push(ticket),
        }
        ticket
    }

    fn call(&mut self, name: &str, rank: usize, call: Call) {
        match call {
            Call::Send { message: None, .. } | Call::Receive { wanted: None, .. } => {
                panic!("{name}: a skeleton never calls for nobody")
            }
            Call::Send { message: Some(message), request } => self.send(name, rank, message, request),
            Call::Receive { wanted: Some(wanted), request, .. } => self.receive(name, rank, wanted, request),
            Call::SendReceive { message, wanted, .. } => {
                message.into_iter().for_each(|message| self.send(name, rank, message, None));
                wanted.into_iter().for_each(|wanted| self.receive(name, rank, wanted, None));
            }
            Call::Complete(Completion { request, polled, cancelled, .. }) => {
                let ticket = self.ranks[rank].requests.remove(&request).expect("a request that is open");
                if cancelled {
                    self.posted[rank].retain(|posted| posted.ticket != ticket);
                    assert!(!self.done.contains(&ticket), "{name}: a cancelled receive has got a message");
                } else if !polled {
                    self.ranks[rank].waits.push(ticket);
                }
            }
            Call::Collective { collective, request } => self.meet(name, rank, collective, request),
            Call::Nothing => (),
            Call::Probe { .. } => panic!("{name}: no skeleton probes"),
        }
    }

    fn send(&mut self, name: &str, rank: usize, message: Outgoing, request: Option<u64>) {
        let members = &self.ranks[rank].communicators[&message.communicator];
        assert!(members.contains(&message.to), "{name}: rank {rank} sends out of its communicator: {message:?}");
        assert!(message.tag >= 0);
        let ticket = self.ticket(rank, request);
        let to = message.to as usize;
        self.messages += 1;
        let fits = |posted: &Posted| matches(&posted.wanted, rank as u32, &message);
        if let Some(at) = self.posted[to].iter().position(fits) {
            self.done.insert(self.posted[to].remove(at).unwrap().ticket);
            self.done.insert(ticket);
        } else {
            if !self.strict {
                self.done.insert(ticket);
            }
            self.arrived[to].push_back(Message { source: rank as u32, message, ticket });
        }
    }

    fn receive(&mut self, name: &str, rank: usize, wanted: Wanted, request: Option<u64>) {
        let members = &self.ranks[rank].communicators[&wanted.communicator];
        assert!(wanted.source.is_none_or(|source| members.contains(&source)), "{name}: rank {rank}: {wanted:?}");
        let ticket = self.ticket(rank, request);
        let fits = |arrived: &Message| matches(&wanted, arrived.source, &arrived.message);
        if let Some(at) = self.arrived[rank].iter().position(fits) {
            self.done.insert(self.arrived[rank].remove(at).unwrap().ticket);
            self.done.insert(ticket);
        } else {
            self.posted[rank].push_back(Posted { wanted, ticket });
        }
    }

    fn meet(&mut self, name: &str, rank: usize, call: CollectiveCall, request: Option<u64>) {
        let ticket = self.ticket(rank, request);
        let CollectiveCall { operation, communicator, payload, root } = call;
        assert_eq!(root, None, "{name}: no skeleton has collectives with a root");
        let members = self.ranks[rank].communicators[&communicator].len();
        let count = self.ranks[rank].collectives.entry(communicator).or_default();
        *count += 1;
        let key = (communicator, *count);
        // Sizes for each member differ from rank to rank; all others are the same.
        let payload = match payload {
            Payload::Members(sizes) => {
                assert_eq!(sizes.len(), members, "{name}: {operation:?} has no size for each member");
                None
            }
            payload => Some(payload),
        };
        let meeting = self.meetings.entry(key).or_default();
        let expected = meeting.operation.get_or_insert_with(|| (operation, payload.clone()));
        assert_eq!(*expected, (operation, payload), "{name}: rank {rank}, collective {key:?}");
        meeting.tickets.push(ticket);
        if meeting.tickets.len() == members {
            self.done.extend(self.meetings.remove(&key).unwrap().tickets);
        }
    }
}
