//! What the ranks of all skeletons have in common: a state machine that writes its next few calls into a short queue.

use crate::program::call::{
    Call, CallSource, Calls, Collective, CollectiveCall, Completion, Compute, Entry, Outgoing, Payload, Wanted,
};
use anyhow::Result;
use std::collections::VecDeque;
use std::sync::Arc;

/// One rank of a skeleton.
pub(super) trait Program: Send {
    /// Writes the next calls, a number that neither the length of the program nor that of a list decides; false when
    /// there are none any more.
    fn step(&mut self, script: &mut Script) -> bool;

    /// Where it is, for messages: `panel 3`.
    fn place(&self) -> String;
}

/// The calls that a rank makes next, and what it computes before.
pub(super) struct Script {
    calls: VecDeque<Entry>,
    /// Computed since the last call, ps.
    computed: u64,
    /// Requests opened so far.
    requests: u64,
}

/// Work over a rate, in ps.
pub(super) fn picoseconds(work: f64, rate: f64) -> u64 {
    (work / rate * 1e12).round() as u64
}

impl Script {
    pub fn compute(&mut self, ps: u64) {
        self.computed = self.computed.saturating_add(ps);
    }

    fn call(&mut self, call: Call) {
        let compute = Compute::Modelled(std::mem::take(&mut self.computed));
        self.calls.push_back(Entry::Call { compute, call });
    }

    fn open(&mut self) -> u64 {
        self.requests += 1;
        self.requests
    }

    pub fn communicator(&mut self, name: u32, members: &Arc<[u32]>) {
        self.calls.push_back(Entry::Communicator { name, members: members.clone() });
    }

    pub fn send(&mut self, to: u32, tag: i32, communicator: u32, bytes: u64) {
        let message = Outgoing { to, tag, communicator, bytes, synchronous: false };
        self.call(Call::Send { message: Some(message), request: None });
    }

    pub fn send_without_blocking(&mut self, to: u32, tag: i32, communicator: u32, bytes: u64) -> u64 {
        let message = Outgoing { to, tag, communicator, bytes, synchronous: false };
        let request = self.open();
        self.call(Call::Send { message: Some(message), request: Some(request) });
        request
    }

    pub fn receive(&mut self, source: u32, tag: i32, communicator: u32) {
        let wanted = Wanted { source: Some(source), tag: Some(tag), communicator };
        self.call(Call::Receive { wanted: Some(wanted), got: None, request: None });
    }

    pub fn post(&mut self, wanted: Wanted) -> u64 {
        let request = self.open();
        self.call(Call::Receive { wanted: Some(wanted), got: None, request: Some(request) });
        request
    }

    pub fn wait(&mut self, request: u64) {
        self.call(Call::Complete(Completion { request, polled: false, got: None, cancelled: false }));
    }

    pub fn poll(&mut self, request: u64) {
        self.call(Call::Complete(Completion { request, polled: true, got: None, cancelled: false }));
    }

    pub fn cancel(&mut self, request: u64) {
        self.call(Call::Complete(Completion { request, polled: false, got: None, cancelled: true }));
    }

    /// `MPI_Sendrecv` with one tag for both directions.
    pub fn exchange(&mut self, to: u32, source: u32, tag: i32, communicator: u32, bytes: u64) {
        let message = Outgoing { to, tag, communicator, bytes, synchronous: false };
        let wanted = Wanted { source: Some(source), tag: Some(tag), communicator };
        self.call(Call::SendReceive { message: Some(message), wanted: Some(wanted), got: None });
    }

    pub fn collective(&mut self, operation: Collective, communicator: u32, payload: Payload) {
        let collective = CollectiveCall { operation, communicator, root: None, payload };
        self.call(Call::Collective { collective, request: None });
    }

    pub fn start_collective(&mut self, operation: Collective, communicator: u32, payload: Payload) -> u64 {
        let collective = CollectiveCall { operation, communicator, root: None, payload };
        let request = self.open();
        self.call(Call::Collective { collective, request: Some(request) });
        request
    }
}

/// The calls of a rank.
pub(super) struct Generated<P> {
    skeleton: &'static str,
    rank: u32,
    program: P,
    script: Script,
    over: bool,
    line: u64,
}

impl<P: Program> Generated<P> {
    pub fn new(skeleton: &'static str, rank: u32, program: P) -> Self {
        let script = Script { calls: VecDeque::new(), computed: 0, requests: 0 };
        Generated { skeleton, rank, program, script, over: false, line: 0 }
    }
}

impl<P: Program> Calls for Generated<P> {
    fn next(&mut self) -> Result<Option<Entry>> {
        loop {
            if let Some(entry) = self.script.calls.pop_front() {
                self.line += 1;
                return Ok(Some(entry));
            }
            if self.over {
                return Ok(None);
            }
            if !self.program.step(&mut self.script) {
                self.over = true;
                if self.script.computed > 0 {
                    self.script.call(Call::Nothing);
                }
            }
        }
    }

    fn place(&self) -> String {
        format!("skeleton {}, rank {}, {}", self.skeleton, self.rank, self.program.place())
    }

    fn line(&self) -> u64 {
        self.line
    }
}

/// A skeleton whose ranks are made by a function; `T` is what they share.
pub(super) struct Ranks<T, P> {
    pub skeleton: &'static str,
    pub ranks: u32,
    pub shared: Arc<T>,
    pub program: fn(&Arc<T>, u32) -> P,
}

impl<T: Send + Sync, P: Program + 'static> CallSource for Ranks<T, P> {
    fn is_recorded(&self) -> bool {
        false
    }

    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn calls(&self, rank: u32) -> Result<Box<dyn Calls>> {
        Ok(Box::new(Generated::new(self.skeleton, rank, (self.program)(&self.shared, rank))))
    }
}

/// All ranks.
pub(super) fn world(ranks: u32) -> Arc<[u32]> {
    (0..ranks).collect()
}

/// Name of the communicator of all ranks.
pub(super) const WORLD: u32 = 0;
