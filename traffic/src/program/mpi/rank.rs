//! One rank of the replayed program, and what it does at once.

use super::inbox::Inbox;
use super::lowering::Lowering;
use super::step::{Beside, OperationId, Step, Wish};
use crate::hash::FastMap;
use crate::replay::message::Cause;
use std::collections::{BTreeSet, VecDeque};

/// One rank of the replayed program.
pub(crate) struct Rank {
    pub lowering: Lowering,
    pub inbox: Inbox,
    /// What it has started and nobody has waited for to the end.
    pub operations: FastMap<OperationId, Operation>,
    /// Receives that it polled for in vain, for each wish.
    pub owed: FastMap<Wish, BTreeSet<OperationId>>,
    /// The last event the rank had to wait for, and its cycle.
    pub cause: Cause,
    pub since: u64,
    /// The collective the rank is inside of.
    pub inside: Option<Inside>,
    /// What a probe waits for.
    pub probing: Option<Wish>,
    /// Cycles in which its processor is busy, the current ones up to `busy_until` included.
    pub computed: u64,
    pub busy_until: u64,
}

/// A collective: its communicator, its number there and in the trace.
#[derive(Clone, Copy)]
pub(crate) struct Inside {
    pub communicator: u32,
    pub number: u32,
    pub in_trace: u32,
}

/// Something a rank has started.
pub(crate) enum Operation {
    /// A message: its number, and that among the messages between two ranks.
    Send { flight: u64, label: u32 },
    Receive {
        wish: Wish,
        /// Its message, once they have met, and that message's label and length.
        flight: Option<u64>,
        label: u32,
        bytes: u64,
        /// The message has come in.
        here: bool,
        waiter: Option<u32>,
    },
    /// A collective beside the rank; what it was called in the trace.
    Collective { number: u32, over: bool, waiter: Option<u32> },
}

impl Operation {
    /// A receive without a message.
    pub fn receive(wish: Wish) -> Operation {
        Operation::Receive { wish, flight: None, label: 0, bytes: 0, here: false, waiter: None }
    }
}

impl Rank {
    pub fn new(lowering: Lowering) -> Rank {
        Rank {
            lowering,
            inbox: Inbox::default(),
            operations: FastMap::default(),
            owed: FastMap::default(),
            cause: Cause::Begin,
            since: 0,
            inside: None,
            probing: None,
            computed: 0,
            busy_until: 0,
        }
    }

    /// The oldest receive owed of this kind is not owed any more.
    pub fn forget_owed(&mut self, wish: &Wish) {
        if let Some(queue) = self.owed.get_mut(wish) {
            queue.pop_first();
            if queue.is_empty() {
                self.owed.remove(wish);
            }
        }
    }

    /// Cycles up to `now`, which is not before its last step, in which its processor was busy.
    pub fn computed(&self, now: u64) -> u64 {
        // A gap is counted whole when it begins; what is left of it comes later.
        self.computed.saturating_sub(self.busy_until.saturating_sub(now))
    }
}

/// What goes on step by step: a rank's own calls, or a collective beside them.
pub(crate) struct Activity {
    pub rank: u32,
    /// The cycle of its next step; if it waits, that in which it has begun to.
    pub clock: u64,
    /// A step that waits, or whose processor time runs.
    pub step: Option<Step>,
    /// Steps that were read before their time, and which of them are messages that were foretold.
    pub ahead: VecDeque<(Step, bool)>,
    /// The current step is a message that was foretold.
    pub foretold: bool,
    /// The processor time of `step` is paid.
    pub paid: bool,
    /// It waits, and is in no queue until what it waits for has happened.
    pub waits: bool,
    /// Of a collective beside the rank: its steps, and what the rank waits for it by.
    pub beside: Option<(Beside, OperationId)>,
    /// The cycle in which it has begun to wait for what its step waits for.
    pub waits_since: Option<u64>,
    /// It has no steps left.
    pub over: bool,
}

impl Activity {
    pub fn new(rank: u32, clock: u64) -> Activity {
        Activity {
            rank,
            clock,
            step: None,
            ahead: VecDeque::new(),
            foretold: false,
            paid: false,
            waits: false,
            beside: None,
            waits_since: None,
            over: false,
        }
    }
}
