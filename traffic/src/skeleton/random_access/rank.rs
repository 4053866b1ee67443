//! One rank of MPIRandomAccess.

use super::stream::{Filled, Stream};
use super::{Messages, RandomAccess};
use crate::program::call::{Collective, Payload, Wanted};
use crate::skeleton::script::{Program, Script, WORLD, picoseconds};
use std::sync::Arc;

/// Tags of the program.
const FINISHED: i32 = 1;
const UPDATE: i32 = 2;
const WORD: u64 = 8;

const ANY: Wanted = Wanted { source: None, tag: None, communicator: WORLD };

enum Stage {
    Begin,
    Send(Stream),
    /// Polls for messages while the last send goes on: how many, and what comes then.
    Poll(u64, Option<Stream>),
    /// Tells the others that it has finished, in their order.
    Finish(u32),
    /// Waits for so many messages more.
    Receive(u64),
    /// Waits until the others have been told.
    Told(u64),
    Leave,
    Over,
}

pub(super) struct Rank {
    shared: Arc<RandomAccess>,
    rank: u32,
    pass: usize,
    stage: Stage,
    /// Of the whole pass.
    messages: Messages,
    /// Messages sent so far.
    sent: u64,
    /// Receives completed so far.
    completed: u64,
    /// The posted receives, oldest first.
    posted: [u64; 4],
    /// The send under way, whose buffer the next one needs.
    outgoing: Option<u64>,
    /// The first request of the messages that tell the others.
    told: u64,
}

impl Rank {
    pub fn new(shared: &Arc<RandomAccess>, rank: u32) -> Rank {
        Rank {
            shared: shared.clone(),
            rank,
            pass: 0,
            stage: Stage::Begin,
            messages: Messages::default(),
            sent: 0,
            completed: 0,
            posted: [0; 4],
            outgoing: None,
            told: 0,
        }
    }

    fn others(&self) -> u64 {
        u64::from(self.shared.table.ranks - 1)
    }

    /// Receives posted at a time: four, where there are more than four ranks.
    fn posts(&self) -> usize {
        if self.shared.table.ranks > 4 { 4 } else { 1 }
    }

    fn work(&self, updates: f64, script: &mut Script) {
        script.compute(picoseconds(updates, self.shared.rate));
    }

    fn begin(&mut self, script: &mut Script) -> Stage {
        if self.pass == 0 {
            script.communicator(WORLD, &self.shared.world);
        }
        if self.pass + 1 == self.shared.passes.len() {
            // All agree on the number of updates, and start together.
            script.collective(Collective::AllReduce, WORLD, Payload::Each(WORD));
            script.collective(Collective::Barrier, WORLD, Payload::Each(0));
        }
        (self.sent, self.completed, self.outgoing) = (0, 0, None);
        self.messages = self.shared.messages(self.pass, self.rank);
        for posted in 0..self.posts() {
            self.posted[posted] = script.post(ANY);
        }
        Stage::Send(self.shared.stream(self.pass, self.rank))
    }

    /// Takes a message and posts a receive again.
    fn take(&mut self, polled: bool, script: &mut Script) {
        let posts = self.posts();
        let request = self.posted[0];
        if polled {
            script.poll(request);
            // What came is not known here: every message stands for the same share of the updates.
            self.work(self.messages.updates as f64 / self.messages.received as f64, script);
        } else {
            script.wait(request);
        }
        self.posted[..posts].rotate_left(1);
        self.posted[posts - 1] = script.post(ANY);
        self.completed += 1;
    }

    fn send(&mut self, filled: Filled, script: &mut Script) -> u64 {
        self.work(filled.drawn as f64, script);
        if let Some(outgoing) = self.outgoing {
            // The program polls for this as well, and takes messages of others meanwhile.
            script.poll(outgoing);
        }
        self.outgoing = Some(script.send_without_blocking(filled.to, UPDATE, WORLD, u64::from(filled.updates) * WORD));
        self.sent += 1;
        // As many of the messages of others as of its own.
        let due = u128::from(self.messages.received) * u128::from(self.sent) / u128::from(self.messages.sent);
        due as u64 - self.completed
    }

    fn next(&mut self, script: &mut Script) -> Stage {
        match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Begin => self.begin(script),
            Stage::Send(mut stream) => match stream.next() {
                Ok(filled) => Stage::Poll(self.send(filled, script), Some(stream)),
                Err(drawn) => {
                    self.work(drawn as f64, script);
                    // Who has sent nothing has still to receive.
                    Stage::Poll(self.messages.received - self.completed, None)
                }
            },
            Stage::Poll(0, stream) => stream.map_or(Stage::Finish(0), Stage::Send),
            Stage::Poll(more, stream) => {
                self.take(true, script);
                Stage::Poll(more - 1, stream)
            }
            Stage::Finish(to) if to == self.shared.table.ranks => Stage::Receive(self.others()),
            Stage::Finish(to) => {
                if to != self.rank {
                    let request = script.send_without_blocking(to, FINISHED, WORLD, 0);
                    // They are numbered one after the other.
                    if to == u32::from(self.rank == 0) {
                        self.told = request;
                    }
                }
                Stage::Finish(to + 1)
            }
            Stage::Receive(0) => Stage::Told(0),
            Stage::Receive(more) => {
                self.take(false, script);
                Stage::Receive(more - 1)
            }
            Stage::Told(number) if number == self.others() => Stage::Leave,
            Stage::Told(number) => {
                script.wait(self.told + number);
                Stage::Told(number + 1)
            }
            Stage::Leave => {
                if let Some(outgoing) = self.outgoing.take() {
                    script.wait(outgoing);
                }
                for posted in 0..self.posts() {
                    script.cancel(self.posted[posted]);
                }
                self.pass += 1;
                if self.pass < self.shared.passes.len() {
                    return Stage::Begin;
                }
                script.collective(Collective::Barrier, WORLD, Payload::Each(0));
                Stage::Over
            }
            Stage::Over => Stage::Over,
        }
    }
}

impl Program for Rank {
    fn step(&mut self, script: &mut Script) -> bool {
        self.stage = self.next(script);
        !matches!(self.stage, Stage::Over)
    }

    fn place(&self) -> String {
        format!("pass {}, message {} of {}", self.pass + 1, self.sent, self.messages.sent)
    }
}
