//! Runs the steps of all members of a collective to the end.

use fixedbitset::FixedBitSet;
use powar_traffic::program::collective::Step;
use std::collections::{HashMap, VecDeque};

/// When a send is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sends {
    /// At once.
    Eager,
    /// When its receive is posted.
    Rendezvous,
}

/// What has become of each member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub sent: Vec<u64>,
    pub received: Vec<u64>,
    pub messages: Vec<u64>,
    pub reduced: Vec<u64>,
    /// From whom something has come here, over whatever way: messages carry on what their senders had when they started them.
    pub knows: Vec<FixedBitSet>,
}

struct Message {
    sender: usize,
    /// The sender's operation, which is over when this is received.
    operation: usize,
    bytes: u64,
    knows: FixedBitSet,
}

#[derive(Default)]
struct Channel {
    messages: VecDeque<Message>,
    receives: VecDeque<usize>,
}

#[derive(Default)]
struct State {
    next: usize,
    /// Whether it is over, and what came in by it, of each operation so far.
    operations: Vec<(bool, Option<(u64, FixedBitSet)>)>,
    /// Started by `Start..` and not yet waited for.
    started: Vec<usize>,
    /// What the current step waits for.
    blocking: Vec<usize>,
    /// Bytes of the message that came in last.
    last: Option<u64>,
}

struct Run<'a> {
    steps: &'a [Vec<Step>],
    sends: Sends,
    members: Vec<State>,
    channels: HashMap<(usize, usize), Channel>,
    outcome: Outcome,
}

/// Runs the steps of each member.
pub fn run(steps: &[Vec<Step>], sends: Sends) -> Result<Outcome, String> {
    let n = steps.len();
    let only = |member| {
        let mut knows = FixedBitSet::with_capacity(n);
        knows.insert(member);
        knows
    };
    let outcome = Outcome {
        sent: vec![0; n],
        received: vec![0; n],
        messages: vec![0; n],
        reduced: vec![0; n],
        knows: (0..n).map(only).collect(),
    };
    let members = (0..n).map(|_| State::default()).collect();
    let mut run = Run { steps, sends, members, channels: HashMap::new(), outcome };
    loop {
        let mut moved = false;
        for member in 0..n {
            while run.advance(member)? {
                moved = true;
            }
        }
        if !moved {
            return run.end();
        }
    }
}

impl Run<'_> {
    /// Does the next step of a member, unless the last one is not over.
    fn advance(&mut self, me: usize) -> Result<bool, String> {
        if self.members[me].blocking.iter().any(|&operation| !self.members[me].operations[operation].0) {
            return Ok(false);
        }
        for operation in std::mem::take(&mut self.members[me].blocking) {
            if let Some((bytes, knows)) = self.members[me].operations[operation].1.take() {
                self.outcome.knows[me].union_with(&knows);
                self.members[me].last = Some(bytes);
            }
        }
        let Some(&step) = self.steps[me].get(self.members[me].next) else {
            return Ok(false);
        };
        self.members[me].next += 1;
        self.members[me].blocking = match step {
            Step::Send { to, bytes } => vec![self.send(me, to, bytes)?],
            Step::Receive { from } => vec![self.receive(me, from)?],
            Step::Exchange { to, bytes, from } => vec![self.receive(me, from)?, self.send(me, to, bytes)?],
            Step::WaitAll => std::mem::take(&mut self.members[me].started),
            Step::StartSend { to, bytes } => {
                let operation = self.send(me, to, bytes)?;
                self.members[me].started.push(operation);
                Vec::new()
            }
            Step::StartReceive { from } => {
                let operation = self.receive(me, from)?;
                self.members[me].started.push(operation);
                Vec::new()
            }
            Step::Reduce { bytes } => {
                if self.members[me].last != Some(bytes) {
                    let last = self.members[me].last;
                    return Err(format!("member {me} combines {bytes} B, but {last:?} came in last"));
                }
                self.outcome.reduced[me] += bytes;
                Vec::new()
            }
        };
        Ok(true)
    }

    fn operation(&mut self, me: usize, over: bool) -> usize {
        self.members[me].operations.push((over, None));
        self.members[me].operations.len() - 1
    }

    fn send(&mut self, me: usize, to: usize, bytes: u64) -> Result<usize, String> {
        if to == me || to >= self.steps.len() {
            return Err(format!("member {me} sends to {to}"));
        }
        let operation = self.operation(me, self.sends == Sends::Eager);
        self.outcome.sent[me] += bytes;
        self.outcome.messages[me] += 1;
        let message = Message { sender: me, operation, bytes, knows: self.outcome.knows[me].clone() };
        self.channels.entry((me, to)).or_default().messages.push_back(message);
        self.meet(me, to);
        Ok(operation)
    }

    fn receive(&mut self, me: usize, from: usize) -> Result<usize, String> {
        if from == me || from >= self.steps.len() {
            return Err(format!("member {me} receives from {from}"));
        }
        let operation = self.operation(me, false);
        self.channels.entry((from, me)).or_default().receives.push_back(operation);
        self.meet(from, me);
        Ok(operation)
    }

    fn meet(&mut self, from: usize, to: usize) {
        let channel = self.channels.get_mut(&(from, to)).unwrap();
        if channel.messages.is_empty() || channel.receives.is_empty() {
            return;
        }
        let message = channel.messages.pop_front().unwrap();
        let receive = channel.receives.pop_front().unwrap();
        self.outcome.received[to] += message.bytes;
        self.members[message.sender].operations[message.operation].0 = true;
        self.members[to].operations[receive] = (true, Some((message.bytes, message.knows)));
    }

    fn end(self) -> Result<Outcome, String> {
        for (me, member) in self.members.iter().enumerate() {
            let last = member.next.checked_sub(1).map(|step| self.steps[me][step]);
            if member.next < self.steps[me].len() || !member.blocking.is_empty() {
                return Err(format!("member {me} does not come beyond {last:?}"));
            }
            if !member.started.is_empty() {
                return Err(format!("member {me} leaves what it has started"));
            }
        }
        for (&(from, to), channel) in &self.channels {
            if !channel.messages.is_empty() || !channel.receives.is_empty() {
                return Err(format!("messages from {from} to {to} or receives for them are left"));
            }
        }
        Ok(self.outcome)
    }
}
