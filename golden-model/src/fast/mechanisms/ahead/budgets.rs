//! The budgets of all ports.
//!
//! A budget goes up with what all ports earn, or down with what is not earned of the cycles that are lost; which of both, changes seldom. So it is noted down
//! when that changes and follows from the cycles since; the cycle in which it will be enough to fall asleep is worked out.

use crate::bits::{is_set, low_bits, ones};
use crate::fast::frame::Frame;
use crate::reference::mechanisms::ahead::BudgetRegisters;
use crate::reference::power::mechanism::Write;
use powar_config::mechanism::ahead::{AheadValues, BOUND_BITS};

/// Which ports have enough for something.
#[derive(Clone, Copy, Debug)]
struct Threshold {
    /// What a port must have for it, cycles.
    reserve: u32,
    /// Ports that have it in cycle `decided`: they had enough in the cycle before. In a later cycle some that lose may
    /// not have it any more.
    enough: u64,
    /// The first cycle in which a port has enough of those that do not have it and lose nothing.
    next_enough: u64,
}

/// The budgets, with so many thresholds: the first says which ports may fall asleep, those behind it are of who asks for
/// them.
#[derive(Clone, Debug)]
pub(in crate::fast::mechanisms) struct Budgets<const N: usize> {
    ports: usize,
    /// The registers that all ports have in common: `fraction` is that of cycle `base`, `reserve` stands in the first
    /// threshold, the others are as they are.
    registers: BudgetRegisters,
    reset_values: AheadValues,
    reset_reserves: [u32; N],
    /// The cycle of the last write or reset.
    base: u64,
    /// Ports that have lost every cycle since the one that is noted; the others have lost none.
    lost: u64,
    /// The budget of a port in the cycle that is noted, and that cycle.
    left: [u64; 64],
    since: [u64; 64],
    /// By threshold.
    thresholds: [Threshold; N],
    decided: u64,
    /// All ports are looked at in cycles before this one: `cap` or what must be had may have changed.
    recheck_until: u64,
}

impl<const N: usize> Budgets<N> {
    /// The state after reset in cycle 0, in which so much must be had, by threshold.
    pub fn new(ports: usize, reset_values: AheadValues, reserves: [u32; N]) -> Self {
        let registers = BudgetRegisters::new(reset_values);
        let enough = low_bits(ports);
        Budgets {
            ports,
            base: 0,
            lost: 0,
            left: [registers.cap.into(); 64],
            since: [0; 64],
            thresholds: reserves.map(|reserve| Threshold { reserve, enough, next_enough: u64::MAX }),
            decided: 0,
            recheck_until: 0,
            registers,
            reset_values,
            reset_reserves: reserves,
        }
    }

    pub fn reset(&mut self, now: u64) {
        let new = Budgets::new(self.ports, self.reset_values, self.reset_reserves);
        *self = Budgets { base: now, decided: now, since: [now; 64], ..new };
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
        low_bits(self.ports) & !self.enough(0)
    }

    /// Ports that have enough by a threshold, in the same cycle.
    #[inline]
    pub fn enough(&self, threshold: usize) -> u64 {
        self.thresholds[threshold].enough
    }

    /// Ports that have enough by some threshold.
    #[inline]
    fn enough_for_any(&self) -> u64 {
        self.thresholds.iter().fold(0, |ports, threshold| ports | threshold.enough)
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

    /// Which ports have enough in cycle `now`: of those that lose some may have spent too much since the last cycle that
    /// was clocked.
    fn catch_up(&mut self, now: u64) {
        if now == self.decided {
            return;
        }
        for port in ones(self.lost & self.enough_for_any()) {
            let left = self.left(port, now - 1);
            for threshold in &mut self.thresholds {
                threshold.enough &= !(u64::from(left < threshold.reserve.into()) << port);
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

    /// Which ports have enough in cycle `now + 1`, in which so much must be had. `changed`: those that lose cycles, or do
    /// not any more, from cycle `now` on.
    #[inline]
    pub fn decide(&mut self, now: u64, changed: u64, reserves: [u32; N]) {
        self.decided = now + 1;
        let every = low_bits(self.ports);
        let recheck = now < self.recheck_until;
        let waits = |threshold: &Threshold| if now >= threshold.next_enough { every & !threshold.enough } else { 0 };
        let waiting = self.thresholds.iter().fold(0, |ports, threshold| ports | waits(threshold));
        let moved = if recheck { every } else { changed | self.lost & self.enough_for_any() | waiting };
        if moved == 0 {
            return;
        }
        let before = self.thresholds.map(|threshold| threshold.enough);
        for port in ones(moved) {
            let left = self.left(port, now);
            for threshold in &mut self.thresholds {
                let enough = u64::from(left >= threshold.reserve.into());
                threshold.enough = threshold.enough & !(1 << port) | enough << port;
            }
        }
        let after = self.thresholds.map(|threshold| threshold.enough);
        if recheck | (changed | waiting != 0) | (before != after) {
            for (threshold, reserve) in reserves.into_iter().enumerate() {
                self.thresholds[threshold].reserve = reserve;
                self.thresholds[threshold].next_enough = self.plan(now, threshold);
            }
        }
    }

    /// When a port that does not have enough by a threshold will have it, as it looks at the end of cycle `now`.
    fn plan(&self, now: u64, threshold: usize) -> u64 {
        let Threshold { reserve, enough, .. } = self.thresholds[threshold];
        if self.registers.cap < reserve {
            return u64::MAX;
        }
        let until_enough = |port: usize| {
            let missing = u64::from(reserve).saturating_sub(self.left[port]);
            self.has_earned(self.earned(self.since[port]) + missing).max(now + 1)
        };
        ones(low_bits(self.ports) & !enough & !self.lost).map(until_enough).min().unwrap_or(u64::MAX)
    }

    /// The first cycle from `now` on at whose end more changes than follows from what is noted.
    #[inline]
    pub fn next_event(&self, now: u64) -> u64 {
        let next_enough = self.thresholds.iter().fold(u64::MAX, |next, threshold| next.min(threshold.next_enough));
        if now < self.recheck_until { now } else { next_enough }
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
        let BudgetRegisters { bound, cap, t_sleep, t_wake, .. } = self.registers;
        let reserve = self.thresholds[0].reserve;
        let fraction = self.parts(now) & ((1 << BOUND_BITS) - 1);
        frame.put([bound.into(), cap.into(), t_sleep.into(), t_wake.into(), reserve.into(), fraction]);
        frame.fill(self.ports, |port| u64::from(is_set(self.enough(0), port)));
        frame.fill(self.ports, |port| self.left(port, now));
    }

    /// What must be had by a threshold, and which ports have it, in the cycle that was observed.
    pub fn observe_threshold(&self, threshold: usize, frame: &mut Frame) {
        frame.put([self.thresholds[threshold].reserve.into()]);
        frame.fill(self.ports, |port| u64::from(is_set(self.enough(threshold), port)));
    }
}
