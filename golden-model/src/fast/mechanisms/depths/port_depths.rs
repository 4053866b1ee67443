//! The depths of all ports.
//!
//! A port's register of cycles is not counted: it is the time since a cycle that is noted down, and the cycle in which
//! the port goes deep, or its deep wake-up is over, is worked out.

use crate::bits::{is_set, low_bits, ones};
use crate::fast::frame::Frame;

/// What holds in a cycle.
#[derive(Clone, Copy, Debug)]
pub(in crate::fast::mechanisms) struct Depth {
    /// Cycles that a port sleeps lightly before it sleeps deeply; 0: for ever.
    pub deep_after: u32,
    /// Cycles that a deep wake-up takes in all.
    pub t_wake_deep: u32,
    /// Ports that may go deep; to the others `deep_after` is 0.
    pub allowed: u64,
}

#[derive(Clone, Debug)]
pub(super) struct PortDepths {
    ports: usize,
    /// Ports that may go deep, in the cycle under way.
    allowed: u64,
    /// Ports that sleep by POWAR, in the cycle under way.
    asleep: u64,
    /// Ports that are deep.
    deep: u64,
    /// Ports on the way into depth that leads there, or out of it: their registers of cycles run.
    running: u64,
    /// By port: a run of the register, from the first cycle, in which it is 1, to the last.
    since: [u64; 64],
    until: [u64; 64],
    /// The cycle at whose end a run leads into depth or out of it, by port.
    due: [u64; 64],
    /// No run is due before this cycle.
    next_due: u64,
}

impl PortDepths {
    /// The state after reset.
    pub fn new(ports: usize) -> PortDepths {
        PortDepths {
            ports,
            allowed: 0,
            asleep: 0,
            deep: 0,
            running: 0,
            since: [0; 64],
            until: [0; 64],
            due: [u64::MAX; 64],
            next_due: u64::MAX,
        }
    }

    /// Ports that are deep.
    #[inline]
    pub fn deep(&self) -> u64 {
        self.deep
    }

    /// The next cycle at whose end a port goes deep or comes up, as long as none falls asleep or wakes.
    #[inline]
    pub fn next_event(&self) -> u64 {
        self.next_due
    }

    /// Ports that sleep by POWAR and are not deep.
    #[inline]
    pub fn light(&self) -> u64 {
        self.asleep & !self.deep
    }

    /// The clock edge that ends cycle `now`, behind which these ports sleep by POWAR and this holds. Returned are the
    /// ports that go deep or come up with it.
    #[inline]
    pub fn clock(&mut self, now: u64, asleep: u64, depth: &Depth) -> u64 {
        if now < self.next_due && (asleep, depth.allowed) == (self.asleep, self.allowed) {
            return 0;
        }
        let due = self.running & if now >= self.next_due { self.due_at(now) } else { 0 };
        for port in ones(due) {
            self.until[port] = now;
        }
        self.running &= !due;
        self.deep ^= due;
        self.asleep = asleep;
        self.run(now + 1, depth);
        due
    }

    fn due_at(&self, now: u64) -> u64 {
        ones(self.running).filter(|&port| self.due[port] <= now).fold(0, |due, port| due | 1 << port)
    }

    /// This holds from cycle `now` on, by what was written.
    pub fn plan_anew(&mut self, now: u64, depth: &Depth) {
        self.run(now, depth);
        for port in ones(self.running) {
            self.due[port] = now.max(self.since[port] + self.rest(port, depth));
        }
        self.find_next();
    }

    /// What runs in cycle `now` by ports that are asleep or deep. A register that no longer runs has gone on by one.
    fn run(&mut self, now: u64, depth: &Depth) {
        self.allowed = depth.allowed;
        let into = if depth.deep_after == 0 { 0 } else { self.light() & depth.allowed };
        let running = into | self.deep & !self.asleep;
        for port in ones(self.running & !running) {
            self.until[port] = now;
        }
        for port in ones(running & !self.running) {
            (self.since[port], self.until[port]) = (now, u64::MAX);
            self.due[port] = now + self.rest(port, depth);
        }
        self.running = running;
        self.find_next();
    }

    /// The cycles behind the first in which a port's register runs.
    fn rest(&self, port: usize, depth: &Depth) -> u64 {
        let limit = if is_set(self.asleep, port) { depth.deep_after } else { depth.t_wake_deep };
        u64::from(limit.max(1)) - 1
    }

    fn find_next(&mut self) {
        self.next_due = ones(self.running).map(|port| self.due[port]).min().unwrap_or(u64::MAX);
    }

    /// The registers in cycle `now`.
    pub fn observe(&self, now: u64, frame: &mut Frame) {
        let elapsed = |port: usize| {
            let runs = (self.since[port]..=self.until[port]).contains(&now);
            if runs { now - self.since[port] + 1 } else { 1 }
        };
        frame.fill(self.ports, |port| u64::from(is_set(self.deep & low_bits(self.ports), port)));
        frame.fill(self.ports, elapsed);
    }
}
