//! The receivers of all ports.
//!
//! A receiver is looked at when the bit on its lane changes and when a word of it begins or ends. In between it goes on by itself: what its
//! registers hold follows from the cycles since.

use crate::bits::{is_set, ones};
use crate::fast::frame::Frame;
use crate::reference::mechanisms::wake_hints::HintReceiver;

#[derive(Clone, Debug)]
pub(super) struct Receivers {
    /// The registers of each, in the first cycle that they have not passed yet.
    receivers: Box<[HintReceiver]>,
    since: Box<[u64]>,
    /// What has been on the lanes since then, and which of them count.
    hint_in: u64,
    listens: u64,
    /// Receivers within a word.
    within: u64,
    /// Receivers with a hint that waits, and their packed addresses.
    waiting: u64,
    destinations: Box<[u64]>,
}

impl Receivers {
    /// The state after reset in cycle `now`.
    pub fn new(ports: usize, now: u64) -> Receivers {
        Receivers {
            receivers: vec![HintReceiver::new(); ports].into(),
            since: vec![now; ports].into(),
            hint_in: 0,
            listens: 0,
            within: 0,
            waiting: 0,
            destinations: vec![0; ports].into(),
        }
    }

    /// Ports at which a hint waits.
    pub fn waiting(&self) -> u64 {
        self.waiting
    }

    /// Their packed addresses; of the other ports the last ones.
    pub fn destinations(&self) -> &[u64] {
        &self.destinations
    }

    /// A receiver passes the cycles before `now`, in which its lane has not changed, and no word of it has begun or ended.
    fn pass(&mut self, port: usize, now: u64) {
        let cycles = now - self.since[port];
        let (receiver, before) = (&mut self.receivers[port], u32::from(is_set(self.hint_in, port)) * 0xffff);
        receiver.count = u64::from(receiver.count).saturating_sub(cycles) as u8;
        receiver.word = ((before << 16 | u32::from(receiver.word)) >> cycles.min(16)) as u16;
        self.since[port] = now;
    }

    /// The clock edge that ends cycle `now`, in which this is on the lanes: the ports with a word that ends and is no hint to wait.
    pub fn clock(&mut self, now: u64, hint_in: u64, listens: u64, take: u64) -> u64 {
        let changed = (hint_in ^ self.hint_in) | (listens ^ self.listens);
        let moved = changed | self.within | (hint_in & listens) | take;
        for port in ones(moved) {
            self.pass(port, now);
        }
        (self.hint_in, self.listens) = (hint_in, listens);
        let mut dropped = 0;
        for port in ones(moved) {
            let receiver = &mut self.receivers[port];
            let seen = (is_set(hint_in, port), is_set(listens, port), is_set(take, port));
            dropped |= u64::from(receiver.dropped(seen.0, seen.1, seen.2)) << port;
            receiver.clock(seen.0, seen.1, seen.2);
            self.since[port] = now + 1;
            self.within = self.within & !(1 << port) | u64::from(receiver.count != 0) << port;
            self.waiting = self.waiting & !(1 << port) | u64::from(receiver.waiting) << port;
            self.destinations[port] = receiver.destination.into();
        }
        dropped
    }

    /// The first cycle from `now` on at whose end more changes than follows from the cycles, if this stays on the lanes.
    pub fn next_event(&self, now: u64, hint_in: u64, listens: u64) -> u64 {
        if self.waiting != 0 || (hint_in, listens) != (self.hint_in, self.listens) {
            return now;
        }
        let due = |port: usize| {
            let passed = now - self.since[port];
            let to_come = u64::from(self.receivers[port].count).saturating_sub(passed);
            if is_set(listens, port) { now + to_come.saturating_sub(1) } else { now }
        };
        ones(self.within | hint_in & listens).map(due).min().unwrap_or(u64::MAX)
    }

    /// The registers in cycle `now`.
    pub fn observe(&mut self, now: u64, frame: &mut Frame) {
        let ports = self.receivers.len();
        (0..ports).for_each(|port| self.pass(port, now));
        frame.fill(ports, |port| self.receivers[port].waiting.into());
        frame.fill(ports, |port| self.receivers[port].destination.into());
        frame.fill(ports, |port| self.receivers[port].count.into());
        frame.fill(ports, |port| self.receivers[port].word.into());
    }
}
