//! The budgets of all ports.
//!
//! A budget goes up with what all ports earn, or down with what is not earned of the cycles that are lost; which of both, changes seldom. So it is noted down
//! when that changes and follows from the cycles since; the cycle in which it will be enough to fall asleep is worked out.

use crate::bits::{is_set, low_bits, ones};
use crate::fast::frame::Frame;
use crate::reference::mechanisms::ahead::BudgetRegisters;
use crate::reference::power::mechanism::Write;
use powar_config::mechanism::ahead::{AheadValues, BOUND_BITS};

#[derive(Clone, Debug)]
pub(super) struct Budgets {
    ports: usize,
    /// The registers that all ports have in common: `fraction` is that of cycle `base`, the others are as they are.
    registers: BudgetRegisters,
    reset_values: AheadValues,
    /// The cycle of the last write or reset.
    base: u64,
    /// Ports that have lost every cycle since the one that is noted; the others have lost none.
    lost: u64,
    /// The budget of a port in the cycle that is noted, and that cycle.
    left: [u64; 64],
    since: [u64; 64],
    /// Ports that may sleep in cycle `decided`. In a later one some that lose may not any more.
    may_sleep: u64,
    decided: u64,
    /// The first cycle in which a port has enough of those that may not sleep and lose nothing.
    next_enough: u64,
    /// All ports are looked at in cycles before this one: `cap` or `reserve` may have changed.
    recheck_until: u64,
}

impl Budgets {
    /// The state after reset in cycle 0.
    pub fn new(ports: usize, reset_values: AheadValues) -> Budgets {
        let registers = BudgetRegisters::new(reset_values);
        Budgets {
            ports,
            base: 0,
            lost: 0,
            left: [registers.cap.into(); 64],
            since: [0; 64],
            may_sleep: low_bits(ports),
            decided: 0,
            next_enough: u64::MAX,
            recheck_until: 0,
            registers,
            reset_values,
        }
    }

    pub fn reset(&mut self, now: u64) {
        *self = Budgets { base: now, decided: now, since: [now; 64], ..Budgets::new(self.ports, self.reset_values) };
    }

    pub fn registers(&self) -> &BudgetRegisters {
        &self.registers
    }

    /// Ports that lose cycles.
    #[inline]
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Ports that POWAR is to take for used, in the cycle of the last [`Budgets::note`] or behind that of the last [`Budgets::decide`].
    #[inline]
    pub fn kept_awake(&self) -> u64 {
        low_bits(self.ports) & !self.may_sleep
    }

    /// Parts of a cycle that have been earned before cycle `now`, since the last write.
    fn parts(&self, now: u64) -> u64 {
        u64::from(self.registers.fraction) + u64::from(self.registers.bound) * (now - self.base)
    }

    /// More than one cycle a cycle is not earned.
    fn earns_always(&self) -> bool {
        self.registers.bound >> BOUND_BITS != 0
    }

    /// Cycles that have been earned before cycle `now`, since the last write.
    fn earned(&self, now: u64) -> u64 {
        if self.earns_always() { now - self.base } else { self.parts(now) >> BOUND_BITS }
    }

    /// The first cycle before which so many have been earned since the last write.
    fn has_earned(&self, cycles: u64) -> u64 {
        let after = match u64::from(self.registers.bound) {
            _ if self.earns_always() => cycles,
            0 => return u64::MAX,
            bound => (cycles << BOUND_BITS).saturating_sub(self.registers.fraction.into()).div_ceil(bound),
        };
        self.base + after
    }

    /// The budget of a port in cycle `now`, not before the one that is noted.
    fn left(&self, port: usize, now: u64) -> u64 {
        let (mut left, mut since, cap) = (self.left[port], self.since[port], u64::from(self.registers.cap));
        if now == since {
            return left;
        }
        if left > cap {
            // It takes this cycle to cut it.
            (left, since) = (cap, since + 1);
        }
        let earned = self.earned(now) - self.earned(since);
        if is_set(self.lost, port) { left.saturating_sub(now - since - earned) } else { cap.min(left + earned) }
    }

    fn has_reserve(&self, port: usize, now: u64) -> bool {
        self.left(port, now) >= self.registers.reserve.into()
    }

    /// Which ports may sleep in cycle `now`: of those that lose some may have spent too much since the last cycle that was clocked.
    fn catch_up(&mut self, now: u64) {
        if now == self.decided {
            return;
        }
        for port in ones(self.lost & self.may_sleep) {
            if !self.has_reserve(port, now - 1) {
                self.may_sleep &= !(1 << port);
            }
        }
        self.decided = now;
    }

    /// From cycle `now` on these ports lose cycles. Returned are those of which that is new.
    #[inline]
    pub fn note(&mut self, now: u64, lost: u64) -> u64 {
        self.catch_up(now);
        let changed = lost ^ self.lost;
        for port in ones(changed) {
            (self.left[port], self.since[port]) = (self.left(port, now), now);
        }
        self.lost = lost;
        changed
    }

    /// Which ports may sleep in cycle `now + 1`. `changed`: those that lose cycles, or do not any more, from cycle `now` on.
    #[inline]
    pub fn decide(&mut self, now: u64, changed: u64) {
        self.decided = now + 1;
        let every = low_bits(self.ports);
        let recheck = now < self.recheck_until;
        let waiting = if now >= self.next_enough { every & !self.may_sleep } else { 0 };
        let moved = if recheck { every } else { changed | self.lost & self.may_sleep | waiting };
        if moved == 0 {
            return;
        }
        let before = self.may_sleep;
        for port in ones(moved) {
            let may_sleep = u64::from(self.has_reserve(port, now));
            self.may_sleep = self.may_sleep & !(1 << port) | may_sleep << port;
        }
        self.registers.reserve = self.registers.next_reserve();
        if recheck | (changed | waiting | (before ^ self.may_sleep) != 0) {
            self.plan(now);
        }
    }

    /// When ports that may not sleep will have enough, as it looks at the end of cycle `now`.
    fn plan(&mut self, now: u64) {
        let reserve = u64::from(self.registers.reserve);
        self.next_enough = u64::MAX;
        if u64::from(self.registers.cap) < reserve {
            return;
        }
        for port in ones(low_bits(self.ports) & !self.may_sleep & !self.lost) {
            let missing = reserve.saturating_sub(self.left[port]);
            let enough = self.has_earned(self.earned(self.since[port]) + missing);
            self.next_enough = self.next_enough.min(enough.max(now + 1));
        }
    }

    /// The first cycle from `now` on at whose end more changes than follows from what is noted.
    #[inline]
    pub fn next_event(&self, now: u64) -> u64 {
        if now < self.recheck_until { now } else { self.next_enough }
    }

    /// A word is written, at the edge before cycle `next`.
    pub fn write(&mut self, next: u64, write: Write) {
        self.catch_up(next);
        for port in 0..self.ports {
            (self.left[port], self.since[port]) = (self.left(port, next), next);
        }
        // The edge of the registers; `fraction` is noted as of the cycle before it.
        self.registers.fraction = (self.parts(next - 1) & ((1 << BOUND_BITS) - 1)) as u32;
        self.registers.clock(Some(write));
        (self.base, self.recheck_until) = (next, next + 2);
    }

    /// The registers in cycle `now`.
    pub fn observe(&mut self, now: u64, frame: &mut Frame) {
        self.catch_up(now);
        let BudgetRegisters { bound, cap, t_sleep, t_wake, reserve, .. } = self.registers;
        let fraction = self.parts(now) & ((1 << BOUND_BITS) - 1);
        frame.put([bound.into(), cap.into(), t_sleep.into(), t_wake.into(), reserve.into(), fraction]);
        frame.fill(self.ports, |port| u64::from(is_set(self.may_sleep, port)));
        frame.fill(self.ports, |port| self.left(port, now));
    }
}
