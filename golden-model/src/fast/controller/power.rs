//! Power FSMs (section 3.10) and their statistics (section 3.11) of the event-driven controller.
//!
//! A port's count register is not counted: it is the time since a cycle that is noted down, and the transition that it
//! leads to is planned for the cycle in which it is due. Ports that are used or asleep without refresh cost nothing.

use crate::bits::{is_set, low_bits, ones};
use crate::reference::power::PortStatistics;
use powar_config::{PowerState, RegisterValues};

/// Power state and refresh in one, in the order of the cycle statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Phase {
    Active,
    EnteringSleep,
    Quiet,
    Refresh,
    Waking,
}

impl Phase {
    pub fn state(self) -> PowerState {
        match self {
            Phase::Active => PowerState::Active,
            Phase::EnteringSleep => PowerState::EnteringSleep,
            Phase::Quiet | Phase::Refresh => PowerState::Asleep,
            Phase::Waking => PowerState::Waking,
        }
    }
}

/// The row of the wake-ups in the statistics; those before it are the cycles in each phase.
const WAKE_UPS: usize = 5;
/// Statistics that depend on the power state alone.
const ROWS: usize = 6;

/// What the FSMs see in a cycle, with one bit a port.
pub(crate) struct PowerInputs {
    pub sleep_enable: bool,
    pub abort_sleep: bool,
    pub in_use: u64,
    pub wake_request: u64,
}

/// The power FSMs and the cycle statistics of all ports.
#[derive(Clone, Debug)]
pub(crate) struct Power {
    ports: usize,
    /// A one for every port.
    every: u64,
    /// The phase of each port.
    pub phase: [Phase; 64],
    /// The ports in each phase: the same once more, turned round.
    within: [u64; 5],
    /// Wake requests latched in `EnteringSleep`.
    pub wake_pending: u64,
    /// Ports whose count register runs; that of the others is 0.
    counting: u64,
    /// The cycle in which a running count was 0, by port.
    since: [u64; 64],
    /// The cycle at whose end a running count leads to a transition, by port.
    due: [u64; 64],
    /// No running count is due before this cycle.
    next_due: u64,
    /// The state registers, as the lock-step frame shows them.
    pub states: [u64; 64],
    /// The statistics but for the flits, a row of all ports each, as the lock-step frame shows them; the time in the
    /// present phase is not in them yet.
    pub statistics: Vec<u64>,
    /// The first cycle that `statistics` do not hold yet, by port.
    pub entered: [u64; 64],
}

impl Power {
    /// The state after reset in cycle `now`.
    pub fn new(ports: usize, now: u64) -> Self {
        let every = low_bits(ports);
        Power {
            ports,
            every,
            phase: [Phase::Active; 64],
            within: [every, 0, 0, 0, 0],
            wake_pending: 0,
            counting: 0,
            since: [now; 64],
            due: [u64::MAX; 64],
            next_due: u64::MAX,
            states: [PowerState::Active as u64; 64],
            statistics: vec![0; ROWS * ports],
            entered: [now; 64],
        }
    }

    pub fn ports(&self) -> usize {
        self.ports
    }

    #[inline]
    fn within(&self, phase: Phase) -> u64 {
        self.within[phase as usize]
    }

    /// Ports in state `Active`.
    #[inline]
    pub fn active(&self) -> u64 {
        self.within(Phase::Active)
    }

    /// Ports asleep at low power.
    #[inline]
    pub fn quiet(&self) -> u64 {
        self.within(Phase::Quiet)
    }

    /// Ports asleep at full power.
    #[inline]
    pub fn refreshing(&self) -> u64 {
        self.within(Phase::Refresh)
    }

    #[inline]
    fn asleep(&self) -> u64 {
        self.quiet() | self.refreshing()
    }

    /// Bit 0 and bit 1 of all ports' states.
    #[inline]
    pub fn state_bits(&self) -> [u64; 2] {
        let waking = self.within(Phase::Waking);
        [self.within(Phase::EnteringSleep) | waking, self.asleep() | waking]
    }

    /// A port's power state.
    pub fn state(&self, port: usize) -> PowerState {
        self.phase[port].state()
    }

    /// A port's count register.
    pub fn count(&self, port: usize, now: u64) -> u64 {
        if is_set(self.counting, port) { now - self.since[port] } else { 0 }
    }

    /// A port's statistics but for its flits.
    pub fn statistics(&self, port: usize, now: u64) -> PortStatistics {
        let row = |row: usize| {
            let present = if row == self.phase[port] as usize { now - self.entered[port] } else { 0 };
            (self.statistics[row * self.ports + port] + present) as u32
        };
        PortStatistics {
            active_cycles: row(0),
            entering_cycles: row(1),
            quiet_cycles: row(2),
            refresh_cycles: row(3),
            waking_cycles: row(4),
            wake_ups: row(WAKE_UPS),
            flits: 0,
        }
    }

    /// Adds to a port's statistic; it wraps at 32 bits.
    fn count_up(&mut self, row: usize, port: usize, by: u64) {
        let value = &mut self.statistics[row * self.ports + port];
        *value = u64::from((*value + by) as u32);
    }

    /// The clock edge that ends cycle `now`.
    #[inline]
    pub fn clock(&mut self, now: u64, inputs: &PowerInputs, values: &RegisterValues) {
        let wake = inputs.wake_request | if inputs.sleep_enable { 0 } else { self.every };

        // Active: use and wake requests stop the idle count, the first cycle without starts it.
        let active = self.active();
        let held = inputs.in_use | wake;
        self.counting &= !(active & held);
        let idle = active & !held & !self.counting;
        if idle != 0 {
            self.count_to(idle, now, now + u64::from(values.pdt.max(1)) - 1);
        }

        // The other states have work at once only for a wake request.
        let awaited = wake | if inputs.abort_sleep { self.wake_pending } else { 0 };
        if awaited & !active != 0 {
            self.serve_wake(now, wake, inputs.abort_sleep, values);
        }
        if now >= self.next_due {
            self.run_out(now, values);
        }
    }

    #[cold]
    fn serve_wake(&mut self, now: u64, wake: u64, abort_sleep: bool, values: &RegisterValues) {
        let entering = self.within(Phase::EnteringSleep);
        self.wake_pending |= wake & entering;
        if abort_sleep {
            for port in ones(self.wake_pending) {
                self.enter(port, Phase::Active, now, values);
            }
        }
        for port in ones(wake & self.asleep()) {
            self.enter(port, Phase::Waking, now, values);
        }
    }

    /// The transitions of counts that have run out.
    #[cold]
    fn run_out(&mut self, now: u64, values: &RegisterValues) {
        for port in ones(self.counting) {
            if self.due[port] > now {
                continue;
            }
            let next = match self.phase[port] {
                Phase::Active => Phase::EnteringSleep,
                Phase::EnteringSleep if is_set(self.wake_pending, port) => Phase::Waking,
                Phase::EnteringSleep => Phase::Quiet,
                Phase::Quiet if refreshes(values) => Phase::Refresh,
                Phase::Quiet | Phase::Refresh => Phase::Quiet,
                Phase::Waking => Phase::Active,
            };
            self.enter(port, next, now, values);
        }
        self.next_due = ones(self.counting).map(|port| self.due[port]).min().unwrap_or(u64::MAX);
    }

    /// A port is in a phase from cycle `now + 1` on.
    fn enter(&mut self, port: usize, next: Phase, now: u64, values: &RegisterValues) {
        let (bit, was) = (1 << port, self.phase[port] as usize);
        self.count_up(was, port, now + 1 - self.entered[port]);
        self.entered[port] = now + 1;
        if next == Phase::Waking {
            self.count_up(WAKE_UPS, port, 1);
        }
        self.within[was] &= !bit;
        self.within[next as usize] |= bit;
        (self.phase[port], self.states[port]) = (next, next.state() as u64);
        self.wake_pending &= !bit;
        self.counting &= !bit;
        let counts = match next {
            Phase::Active => false, // Whether the port is idle shows in the next cycle only.
            Phase::Quiet | Phase::Refresh => refreshes(values),
            Phase::EnteringSleep | Phase::Waking => true,
        };
        if counts {
            self.count_from(port, now + 1, values, now + 1);
        }
    }

    /// A port's count is 0 in cycle `since` and runs; it can be due in cycle `now` at the earliest.
    fn count_from(&mut self, port: usize, since: u64, values: &RegisterValues, now: u64) {
        let limit = match self.phase[port] {
            Phase::Active => values.pdt,
            Phase::EnteringSleep => values.t_sleep,
            Phase::Quiet => values.t_quiet,
            Phase::Refresh => values.t_refresh,
            Phase::Waking => values.t_wake,
        };
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

    /// Durations have new values from cycle `now` on.
    pub fn plan_anew(&mut self, now: u64, values: &RegisterValues) {
        self.next_due = u64::MAX;
        for port in ones(self.counting) {
            self.count_from(port, self.since[port], values, now);
        }
        if refreshes(values) {
            for port in ones(self.asleep() & !self.counting) {
                self.count_from(port, now, values, now);
            }
        } else {
            // A port in mid-cycle of quiet and refresh goes quiet for good, with a count of 0.
            for port in ones(self.asleep() & self.counting) {
                (self.due[port], self.next_due) = (now, now);
            }
        }
    }

    /// The cycle of a clear, `now`, and those before it are not counted.
    pub fn clear_statistics(&mut self, now: u64) {
        self.statistics.fill(0);
        self.entered = [now + 1; 64];
    }

    /// Without use, wake requests and writes nothing changes before [`Power::next_event`]. What is tested here is what
    /// [`Power::clock`] does with such inputs.
    #[inline]
    pub fn is_settled(&self, busy: u64, sleep_enable: bool, abort_sleep: bool) -> bool {
        let wake = if sleep_enable { 0 } else { self.every };
        let held = busy | wake;
        let active_settled = self.active() & (held ^ !self.counting) == 0;
        let entering = self.within(Phase::EnteringSleep);
        let entering_settled =
            if abort_sleep { wake & entering | self.wake_pending } else { wake & entering & !self.wake_pending };
        active_settled && entering_settled == 0 && wake & self.asleep() == 0
    }

    /// The next cycle at whose end a count may lead to a transition.
    #[inline]
    pub fn next_event(&self) -> u64 {
        self.next_due
    }
}

/// Whether sleeping ports alternate between quiet and refresh.
fn refreshes(values: &RegisterValues) -> bool {
    values.t_quiet != 0 && values.t_refresh != 0
}
