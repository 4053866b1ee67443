//! The senders of all ports.
//!
//! A sender is looked at when a word is given to it, when one begins or ends, and when the bit on its lane is to change. In between it goes on by
//! itself: what its registers hold follows from the cycles since.

use crate::bits::{is_set, ones};
use crate::fast::frame::Frame;
use crate::fast::power::Shown;
use crate::reference::mechanisms::wake_hints::HintSender;

#[derive(Clone, Debug)]
pub(super) struct Senders {
    /// The registers of each, in the first cycle that they have not passed yet.
    senders: Box<[HintSender]>,
    since: Box<[u64]>,
    /// Senders with a word, under way or waiting.
    busy: u64,
    /// Ports with a lane in the cycle under way.
    sends: u64,
}

impl Senders {
    /// The state after reset in cycle `now`, with these lanes.
    pub fn new(ports: usize, now: u64, sends: u64) -> Senders {
        Senders { senders: vec![HintSender::new(); ports].into(), since: vec![now; ports].into(), busy: 0, sends }
    }

    /// A sender passes the cycles before `now`, in which no word of it has begun, and none was given to it.
    fn pass(&mut self, port: usize, now: u64) {
        let cycles = now - self.since[port];
        let sender = &mut self.senders[port];
        sender.left = u64::from(sender.left).saturating_sub(cycles) as u8;
        sender.word >>= cycles.min(17);
        self.since[port] = now;
    }

    /// The clock edge that ends cycle `now`: words of this packed address are given to these ports. Those that do not send it.
    pub fn clock(&mut self, now: u64, push: u64, address: u16) -> u64 {
        let mut dropped = 0;
        for port in ones(self.busy | push) {
            self.pass(port, now);
            let (sender, push, sends) = (&mut self.senders[port], is_set(push, port), is_set(self.sends, port));
            dropped |= u64::from(sender.dropped(push, sends)) << port;
            sender.clock(push, address, sends);
            self.since[port] = now + 1;
            // What a word that ends has shown is taken back with the next one's first bit, or none.
        }
        dropped
    }

    /// Shows what is on the lanes in cycle `next`, which begins, with these lanes.
    pub fn show(&mut self, next: u64, touched: u64, sends: u64, shown: &mut Shown) {
        self.sends = sends;
        for port in ones(self.busy | touched) {
            self.pass(port, next);
            let sender = &self.senders[port];
            shown.set_hint(port, sender.hint(is_set(sends, port)));
            self.busy = self.busy & !(1 << port) | u64::from((sender.left, sender.count) != (0, 0)) << port;
        }
    }

    /// The first cycle from `now` on at whose end more changes than follows from the cycles.
    pub fn next_event(&self, now: u64) -> u64 {
        let due = |port: usize| {
            let (sender, passed) = (&self.senders[port], now - self.since[port]);
            let left = u64::from(sender.left).saturating_sub(passed);
            if !is_set(self.sends, port) || left == 0 {
                return now;
            }
            // The bit stays as it is for so many cycles; with the word it ends in any case.
            let word = sender.word >> passed.min(17);
            let same = if word & 1 == 1 { word.trailing_ones() } else { word.trailing_zeros() };
            now + left.min(same.into()) - 1
        };
        ones(self.busy).map(due).min().unwrap_or(u64::MAX)
    }

    /// The registers in cycle `now`.
    pub fn observe(&mut self, now: u64, frame: &mut Frame) {
        let ports = self.senders.len();
        (0..ports).for_each(|port| self.pass(port, now));
        for sender in &self.senders {
            frame.put(sender.queue.map(u64::from));
        }
        frame.fill(ports, |port| self.senders[port].count.into());
        frame.fill(ports, |port| self.senders[port].left.into());
        frame.fill(ports, |port| self.senders[port].word.into());
    }
}
