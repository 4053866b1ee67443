//! Traffic of which nothing may be left, in a network that is looked at until a cycle all the same.

use powar_config::{Foretold, Message, Workload};

/// A workload that is not over before a cycle: the time until then belongs to what is measured, also if the last message came in long
/// before.
pub(super) struct Lasting<'a, W> {
    workload: &'a mut W,
    until: u64,
    has_passed: bool,
}

impl<'a, W: Workload> Lasting<'a, W> {
    /// Over from the cycle `until` on at the earliest.
    pub fn new(workload: &'a mut W, until: u64) -> Self {
        Lasting { workload, until, has_passed: until == 0 }
    }
}

impl<W: Workload> Workload for Lasting<'_, W> {
    fn next_event(&self) -> u64 {
        let end = if self.has_passed { u64::MAX } else { self.until };
        self.workload.next_event().min(end)
    }

    fn act(&mut self, now: u64, messages: &mut Vec<Message>) -> anyhow::Result<()> {
        self.has_passed |= now >= self.until;
        match self.workload.next_event() <= now {
            true => self.workload.act(now, messages),
            false => Ok(()),
        }
    }

    fn foretell(&mut self, foretold: &mut Vec<Foretold>) {
        self.workload.foretell(foretold);
    }

    fn sent(&mut self, now: u64, message: &Message) {
        self.workload.sent(now, message);
    }

    fn delivered(&mut self, now: u64, message: &Message) {
        self.workload.delivered(now, message);
    }

    fn is_over(&self) -> bool {
        self.has_passed && self.workload.is_over()
    }

    fn waits(&self) -> Vec<String> {
        self.workload.waits()
    }

    fn computing(&self, now: u64) -> Vec<f64> {
        self.workload.computing(now)
    }
}
