//! The power FSMs.
//!
//! A port's count register is not counted: it is the time since a cycle that is noted down, and the transition that it
//! leads to is planned for the cycle in which it is due. Ports that are used or asleep without refresh cost nothing.

use crate::bits::{is_set, low_bits, ones};
use crate::fast::frame::Frame;
use crate::fast::power::Shown;
use crate::reference::mechanisms::powar::port_power_fsm::{Durations, State};

/// State and refresh in one: the pairs of the mechanism's residency, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Pair {
    Active,
    EnteringSleep,
    Quiet,
    Refresh,
    Waking,
}

impl Pair {
    fn state(self) -> State {
        match self {
            Pair::Active => State::Active,
            Pair::EnteringSleep => State::EnteringSleep,
            Pair::Quiet | Pair::Refresh => State::Asleep,
            Pair::Waking => State::Waking,
        }
    }
}

/// What the FSMs see in a cycle, with one bit a port.
pub(super) struct FsmInputs {
    pub sleep_enable: bool,
    pub abort_sleep: bool,
    pub in_use: u64,
    pub wake_request: u64,
}

/// The power FSMs of all ports.
#[derive(Clone, Debug)]
pub(super) struct Fsms {
    ports: usize,
    /// The vector of all ports.
    every: u64,
    /// The pair of each port.
    pair: [Pair; 64],
    /// The ports in each pair: the same once more, turned round.
    within: [u64; 5],
    /// Wake requests latched in `EnteringSleep`.
    wake_pending: u64,
    /// Ports whose count register runs; that of the others is 0.
    counting: u64,
    /// No running count is due before this cycle.
    next_due: u64,
    /// The cycle in which a running count was 0, by port.
    since: [u64; 64],
    /// The cycle at whose end a running count leads to a transition, by port.
    due: [u64; 64],
    /// The state registers, as the lock-step frame shows them.
    states: [u64; 64],
    /// The port has reached its limit, by what the cycle before was if that was observed. Empty where nobody observes.
    reached: Vec<bool>,
}

impl Fsms {
    /// The state after reset in cycle `now`.
    pub fn new(ports: usize, now: u64) -> Self {
        let every = low_bits(ports);
        Fsms {
            ports,
            every,
            pair: [Pair::Active; 64],
            within: [every, 0, 0, 0, 0],
            wake_pending: 0,
            counting: 0,
            since: [now; 64],
            due: [u64::MAX; 64],
            next_due: u64::MAX,
            states: [State::Active as u64; 64],
            reached: Vec::new(),
        }
    }

    pub fn ports(&self) -> usize {
        self.ports
    }

    #[inline]
    fn within(&self, pair: Pair) -> u64 {
        self.within[pair as usize]
    }

    /// Ports in state `Active`.
    #[inline]
    pub fn active(&self) -> u64 {
        self.within(Pair::Active)
    }

    #[inline]
    fn asleep(&self) -> u64 {
        self.within(Pair::Quiet) | self.within(Pair::Refresh)
    }

    /// A port's register of cycles, which counts the one under way.
    fn elapsed(&self, port: usize, now: u64) -> u64 {
        if is_set(self.counting, port) { now - self.since[port] + 1 } else { 1 }
    }

    /// The part of the clock edge that ends cycle `now` which every cycle has: idle ports count. Whether a port changes its pair,
    /// by [`Fsms::change`].
    #[inline]
    pub fn count_idle(&mut self, now: u64, inputs: &FsmInputs, durations: &Durations) -> bool {
        let wake = self.wake(inputs);
        // Active: use and wake requests stop the idle count, the first cycle without starts it.
        let active = self.active();
        let held = inputs.in_use | wake;
        self.counting &= !(active & held);
        let idle = active & !held & !self.counting;
        if idle != 0 {
            self.count_to(idle, now, now + u64::from(durations.pdt.max(1)) - 1);
        }
        // The other states have work at once only for a wake request.
        (self.awaited(inputs) & !active != 0) | (now >= self.next_due)
    }

    /// The rest of the clock edge.
    pub fn change(&mut self, now: u64, inputs: &FsmInputs, durations: &Durations, shown: &mut Shown) {
        if self.awaited(inputs) & !self.active() != 0 {
            self.serve_wake(now, self.wake(inputs), inputs.abort_sleep, durations, shown);
        }
        if now >= self.next_due {
            self.run_out(now, durations, shown);
        }
    }

    /// Ports that are to wake, or to stay awake.
    #[inline]
    fn wake(&self, inputs: &FsmInputs) -> u64 {
        inputs.wake_request | if inputs.sleep_enable { 0 } else { self.every }
    }

    /// The same with those that have been asked for before, if that is served at once.
    #[inline]
    fn awaited(&self, inputs: &FsmInputs) -> u64 {
        self.wake(inputs) | if inputs.abort_sleep { self.wake_pending } else { 0 }
    }

    fn serve_wake(&mut self, now: u64, wake: u64, abort_sleep: bool, durations: &Durations, shown: &mut Shown) {
        let entering = self.within(Pair::EnteringSleep);
        self.wake_pending |= wake & entering;
        if abort_sleep {
            for port in ones(self.wake_pending) {
                self.enter(port, Pair::Active, now, durations, shown);
            }
        }
        for port in ones(wake & self.asleep()) {
            self.enter(port, Pair::Waking, now, durations, shown);
        }
    }

    /// The transitions of counts that have run out.
    fn run_out(&mut self, now: u64, durations: &Durations, shown: &mut Shown) {
        for port in ones(self.counting) {
            if self.due[port] > now {
                continue;
            }
            let next = match self.pair[port] {
                Pair::Active => Pair::EnteringSleep,
                Pair::EnteringSleep if is_set(self.wake_pending, port) => Pair::Waking,
                Pair::EnteringSleep => Pair::Quiet,
                Pair::Quiet if durations.refreshes() => Pair::Refresh,
                Pair::Quiet | Pair::Refresh => Pair::Quiet,
                Pair::Waking => Pair::Active,
            };
            self.enter(port, next, now, durations, shown);
        }
        self.next_due = ones(self.counting).map(|port| self.due[port]).min().unwrap_or(u64::MAX);
    }

    /// A port is in a pair from cycle `now + 1` on.
    fn enter(&mut self, port: usize, next: Pair, now: u64, durations: &Durations, shown: &mut Shown) {
        shown.enter(port, next as usize, now + 1);
        let bit = 1 << port;
        self.within[self.pair[port] as usize] &= !bit;
        self.within[next as usize] |= bit;
        (self.pair[port], self.states[port]) = (next, next.state() as u64);
        self.wake_pending &= !bit;
        self.counting &= !bit;
        let counts = match next {
            Pair::Active => false, // Whether the port is idle shows in the next cycle only.
            Pair::Quiet | Pair::Refresh => durations.refreshes(),
            Pair::EnteringSleep | Pair::Waking => true,
        };
        if counts {
            self.count_from(port, now + 1, durations, now + 1);
        }
    }

    /// The duration of the pair that a port is in.
    fn limit(&self, port: usize, durations: &Durations) -> u32 {
        match self.pair[port] {
            Pair::Active => durations.pdt,
            Pair::EnteringSleep => durations.t_sleep,
            Pair::Quiet => durations.t_quiet,
            Pair::Refresh => durations.t_refresh,
            Pair::Waking => durations.t_wake,
        }
    }

    /// A port's count is 0 in cycle `since` and runs; it can be due in cycle `now` at the earliest.
    fn count_from(&mut self, port: usize, since: u64, durations: &Durations, now: u64) {
        let limit = self.limit(port, durations);
        self.count_to(1 << port, since, now.max(since + u64::from(limit.max(1)) - 1));
    }

    /// The counts of some ports are 0 in cycle `since`, run, and are due in cycle `due`.
    #[inline]
    fn count_to(&mut self, ports: u64, since: u64, due: u64) {
        self.counting |= ports;
        self.next_due = self.next_due.min(due);
        for port in ones(ports) {
            (self.since[port & 63], self.due[port & 63]) = (since, due);
        }
    }

    /// Durations have new durations from cycle `now` on.
    pub fn plan_anew(&mut self, now: u64, durations: &Durations) {
        self.next_due = u64::MAX;
        for port in ones(self.counting) {
            self.count_from(port, self.since[port], durations, now);
        }
        if durations.refreshes() {
            for port in ones(self.asleep() & !self.counting) {
                self.count_from(port, now, durations, now);
            }
        } else {
            // A port in mid-cycle of quiet and refresh goes quiet for good, with a count of 0.
            for port in ones(self.asleep() & self.counting) {
                (self.due[port], self.next_due) = (now, now);
            }
        }
    }

    /// With the same use, without wake requests and writes nothing changes before [`Fsms::next_event`]. What is tested here is what a
    /// clock edge does with such inputs.
    #[inline]
    pub fn is_settled(&self, in_use: u64, sleep_enable: bool, abort_sleep: bool) -> bool {
        let wake = if sleep_enable { 0 } else { self.every };
        let held = in_use | wake;
        let active_settled = self.active() & (held ^ !self.counting) == 0;
        let entering = self.within(Pair::EnteringSleep);
        let entering_settled =
            if abort_sleep { wake & entering | self.wake_pending } else { wake & entering & !self.wake_pending };
        active_settled && entering_settled == 0 && wake & self.asleep() == 0
    }

    /// The registers in cycle `now`, if the cycle before was observed too. `durations`: those of the registers in this cycle.
    pub fn observe(&mut self, now: u64, durations: &Durations, frame: &mut Frame) {
        let n = self.ports;
        frame.next(n).copy_from_slice(&self.states[..n]);
        let refreshing = self.within(Pair::Refresh);
        frame.fill(n, |port| u64::from(is_set(refreshing, port)));
        frame.fill(n, |port| u64::from(is_set(self.wake_pending, port)));
        frame.fill(n, |port| self.elapsed(port, now));
        frame.fill(n, |port| u64::from(self.elapsed(port, now) == 1));
        frame.fill(n, |port| u64::from(self.reached.get(port).is_some_and(|&reached| reached)));
        let reaches = |port| self.elapsed(port, now) + 1 >= self.limit(port, durations).into();
        self.reached = (0..n).map(reaches).collect();
    }

    /// The next cycle at whose end a count may lead to a transition.
    #[inline]
    pub fn next_event(&self) -> u64 {
        self.next_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::{Phase, mechanism::powar::MECHANISM};

    #[test]
    fn pairs_are_in_the_order_of_the_residency() {
        let pairs = [
            (Pair::Active, Phase::On),
            (Pair::EnteringSleep, Phase::GoingOff),
            (Pair::Quiet, Phase::Off),
            (Pair::Refresh, Phase::Refreshing),
            (Pair::Waking, Phase::ComingOn),
        ];
        assert_eq!(pairs.len(), MECHANISM.residency.len());
        for (pair, phase) in pairs {
            assert_eq!(MECHANISM.residency[pair as usize].phase, phase);
        }
    }
}
