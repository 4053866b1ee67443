//! `port_power_fsm`: low-power idle of one output port (IEEE 802.3az) with a power-down threshold.

use crate::bits::is_set;
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{code, duration, elapsed, flag, flags};
use powar_config::{Habit, Owner, Phase, SignalSpec};

/// `state`, with the names of its codes.
const STATE: SignalSpec = code("state", 2, &["Active", "EnteringSleep", "Asleep", "Waking"]);

/// The register of cycles has 24 bits.
const ELAPSED_MASK: u32 = (1 << 24) - 1;

/// State of the FSM; the discriminant is its 2-bit code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum State {
    #[default]
    Active = 0,
    /// T_s: on the way to low-power idle.
    EnteringSleep = 1,
    /// Low-power idle: quiet or refreshing.
    Asleep = 2,
    /// T_w: on the way to `Active`.
    Waking = 3,
}

/// The power FSM of a port; the fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortPowerFsm {
    pub state: State,
    /// `Asleep`: in the refresh period, at full power.
    pub refreshing: bool,
    /// A wake request came during `EnteringSleep` and waits for its end.
    pub wake_pending: bool,
    /// With this cycle: in `Active` consecutive idle cycles, if this one is idle; otherwise cycles of this phase.
    pub elapsed: u32,
    /// The phase, or the idle time in `Active`, begins with this cycle.
    pub begins: bool,
    /// If it does not: `elapsed` has reached its limit.
    pub reached: bool,
}

inputs! {
    /// The durations of the FSM, in cycles (24 bits).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Durations {
        /// Power-down threshold: idle cycles before a port goes to sleep.
        pub pdt: u32 = duration("pdt", 24),
        /// T_s.
        pub t_sleep: u32 = duration("t_sleep", 24),
        /// T_w.
        pub t_wake: u32 = duration("t_wake", 24),
        /// T_q.
        pub t_quiet: u32 = duration("t_quiet", 24),
        /// T_r.
        pub t_refresh: u32 = duration("t_refresh", 24),
    }
}

impl Durations {
    /// Those that are 0 or 1, one bit each in the order of the fields, that of `pdt` lowest.
    pub const fn short(&self) -> u8 {
        let Durations { pdt, t_sleep, t_wake, t_quiet, t_refresh } = *self;
        (pdt <= 1) as u8
            | ((t_sleep <= 1) as u8) << 1
            | ((t_wake <= 1) as u8) << 2
            | ((t_quiet <= 1) as u8) << 3
            | ((t_refresh <= 1) as u8) << 4
    }

    /// A port that sleeps alternates between quiet and refresh.
    pub fn refreshes(&self) -> bool {
        self.t_quiet != 0 && self.t_refresh != 0
    }
}

inputs! {
    /// What a port's FSM sees in a cycle.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct FsmInputs {
        /// The policy lets ports sleep.
        pub sleep_enable: bool = flag("sleep_enable").habit(Habit::Held),
        /// Option: a wake request aborts `EnteringSleep`.
        pub abort_sleep: bool = flag("abort_sleep").habit(Habit::Held),
        /// A packet holds the port, or a flit is on it.
        pub in_use: bool = flag("in_use"),
        /// A packet has just been given the port.
        pub wake_request: bool = flag("wake_request"),
        pub durations: Durations = (),
        /// Those that were 0 or 1 in the cycle before, 5 bits as of [`Durations::short`].
        pub short_durations: u8 = flags("short_durations", Owner::Block, 5).habit(Habit::Held),
        /// A port that sleeps alternates between quiet and refresh.
        pub refreshes: bool = flag("refreshes").habit(Habit::Held),
    }
}

impl Default for PortPowerFsm {
    fn default() -> Self {
        Self::new()
    }
}

impl PortPowerFsm {
    /// An FSM in its state after reset.
    pub fn new() -> Self {
        PortPowerFsm {
            state: State::Active,
            refreshing: false,
            wake_pending: false,
            elapsed: 1,
            begins: true,
            reached: false,
        }
    }

    /// The port can send.
    pub fn awake(&self) -> bool {
        self.state == State::Active
    }

    /// The phase of the port.
    pub fn phase(&self) -> Phase {
        match self.state {
            _ if self.refreshing => Phase::Refreshing,
            State::Active => Phase::On,
            State::EnteringSleep => Phase::GoingOff,
            State::Asleep => Phase::Off,
            State::Waking => Phase::ComingOn,
        }
    }

    /// The state of the next cycle is `Waking` and this one's is not.
    pub fn wake_started(&self, inputs: &FsmInputs) -> bool {
        self.state != State::Waking && self.next(inputs).state == State::Waking
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = PortPowerFsm::new();
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &FsmInputs) {
        *self = self.next(inputs);
    }

    /// The registers of the next cycle: the table of the page, row by row.
    fn next(&self, inputs: &FsmInputs) -> PortPowerFsm {
        use State::{Active, Asleep, EnteringSleep, Waking};
        let Durations { pdt, t_sleep, t_wake, t_quiet, t_refresh } = inputs.durations;
        let wake = inputs.wake_request || !inputs.sleep_enable;
        let want = wake || self.wake_pending;
        let (limit, place) = match self.state {
            Active => (pdt, 0),
            EnteringSleep => (t_sleep, 1),
            Waking => (t_wake, 2),
            Asleep if !self.refreshing => (t_quiet, 3),
            Asleep => (t_refresh, 4),
        };
        let over = if self.begins { is_set(inputs.short_durations.into(), place) } else { self.reached };
        let elapsed = (self.elapsed + 1) & ELAPSED_MASK;
        let reached = elapsed >= limit;
        let enter = |state| PortPowerFsm { state, reached, ..PortPowerFsm::new() };
        let stay = PortPowerFsm { elapsed, begins: false, reached, wake_pending: false, ..*self };
        match self.state {
            Active if inputs.in_use || wake => enter(Active),
            Active if over => enter(EnteringSleep),
            Active => PortPowerFsm { refreshing: false, ..stay },

            EnteringSleep if inputs.abort_sleep && want => enter(Active),
            EnteringSleep if over && want => enter(Waking),
            EnteringSleep if over => enter(Asleep),
            EnteringSleep => PortPowerFsm { wake_pending: want, refreshing: false, ..stay },

            Asleep if wake => enter(Waking),
            Asleep if !inputs.refreshes => enter(Asleep),
            Asleep if over => PortPowerFsm { refreshing: !self.refreshing, ..enter(Asleep) },
            Asleep => stay,

            Waking if over => enter(Active),
            Waking => PortPowerFsm { refreshing: false, ..stay },
        }
    }
}

impl Registers for PortPowerFsm {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(STATE, self.state as u8);
        rows.one(flag("refreshing"), self.refreshing);
        rows.one(flag("wake_pending"), self.wake_pending);
        rows.one(elapsed("elapsed", 24), self.elapsed);
        rows.one(flag("begins"), self.begins);
        rows.one(flag("reached"), self.reached);
    }
}

impl Block for PortPowerFsm {
    type Inputs<'a> = FsmInputs;

    fn outputs(&self, seen: &FsmInputs, rows: &mut RegisterRows) {
        rows.one(flag("awake"), self.awake());
        rows.one(flag("wake_started"), self.wake_started(seen));
        rows.one(STATE, self.state as u8);
        rows.one(flag("refreshing"), self.refreshing);
    }

    fn edge(&mut self, rst: bool, seen: &FsmInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use State::{Active, Asleep, EnteringSleep, Waking};

    const DURATIONS: Durations = Durations { pdt: 3, t_sleep: 2, t_wake: 4, t_quiet: 0, t_refresh: 0 };
    const IDLE: FsmInputs = FsmInputs {
        sleep_enable: true,
        abort_sleep: false,
        in_use: false,
        wake_request: false,
        durations: DURATIONS,
        short_durations: DURATIONS.short(),
        refreshes: false,
    };
    const WAKE: FsmInputs = FsmInputs { wake_request: true, ..IDLE };

    /// Inputs with other durations.
    fn with(durations: Durations, inputs: FsmInputs) -> FsmInputs {
        FsmInputs { durations, short_durations: durations.short(), ..inputs }
    }

    /// The states of `cycles` cycles.
    fn states(fsm: &mut PortPowerFsm, inputs: &FsmInputs, cycles: usize) -> Vec<State> {
        (0..cycles)
            .map(|_| {
                let state = fsm.state;
                fsm.clock(inputs);
                state
            })
            .collect()
    }

    fn at(state: State) -> PortPowerFsm {
        PortPowerFsm { state, ..PortPowerFsm::new() }
    }

    #[test]
    fn an_idle_port_sleeps_after_pdt_cycles_and_wakes_in_t_wake() {
        let mut fsm = PortPowerFsm::new();
        assert_eq!(states(&mut fsm, &IDLE, 7), [Active, Active, Active, EnteringSleep, EnteringSleep, Asleep, Asleep]);
        assert!(fsm.wake_started(&WAKE) && !fsm.wake_started(&IDLE));
        fsm.clock(&WAKE);
        assert!(!fsm.wake_started(&WAKE), "a port that wakes already does not start to");
        assert_eq!(states(&mut fsm, &IDLE, 5), [Waking, Waking, Waking, Waking, Active]);
    }

    #[test]
    fn use_and_a_wake_request_clear_the_idle_count() {
        let mut fsm = PortPowerFsm::new();
        for busy in [FsmInputs { in_use: true, ..IDLE }, WAKE] {
            states(&mut fsm, &IDLE, 2);
            assert_eq!(fsm.elapsed, 3);
            fsm.clock(&busy);
            assert_eq!((fsm.state, fsm.elapsed), (Active, 1));
        }
    }

    #[test]
    fn pdt_0_and_1_both_sleep_at_the_end_of_the_first_idle_cycle() {
        for pdt in [0, 1] {
            let inputs = with(Durations { pdt, ..DURATIONS }, IDLE);
            assert_eq!(states(&mut PortPowerFsm::new(), &inputs, 2), [Active, EnteringSleep]);
        }
    }

    #[test]
    fn transitions_of_0_cycles_take_one() {
        let inputs = with(Durations { t_sleep: 0, t_wake: 0, ..DURATIONS }, IDLE);
        let mut fsm = at(EnteringSleep);
        assert_eq!(states(&mut fsm, &inputs, 2), [EnteringSleep, Asleep]);
        fsm.clock(&FsmInputs { wake_request: true, ..inputs });
        assert_eq!(states(&mut fsm, &FsmInputs { in_use: true, ..inputs }, 2), [Waking, Active]);
    }

    #[test]
    fn a_wake_request_while_entering_sleep_is_latched_and_served_at_the_end() {
        let durations = Durations { t_sleep: 4, ..DURATIONS };
        let (idle, wake) = (with(durations, IDLE), with(durations, WAKE));
        let mut fsm = at(EnteringSleep);
        fsm.clock(&wake);
        assert!(fsm.wake_pending);
        assert_eq!(states(&mut fsm, &idle, 4), [EnteringSleep, EnteringSleep, EnteringSleep, Waking]);
        assert!(!fsm.wake_pending);

        let mut last_cycle = PortPowerFsm { elapsed: 4, begins: false, reached: true, ..at(EnteringSleep) };
        assert!(last_cycle.wake_started(&wake));
        last_cycle.clock(&wake);
        assert_eq!(last_cycle, PortPowerFsm { reached: true, ..at(Waking) }, "a request in the last cycle is in time");
    }

    #[test]
    fn with_the_option_a_wake_request_aborts_entering_sleep() {
        let abort = FsmInputs { abort_sleep: true, ..WAKE };
        let mut fsm = at(EnteringSleep);
        assert!(!fsm.wake_started(&abort));
        fsm.clock(&abort);
        assert_eq!(fsm, PortPowerFsm { reached: true, ..at(Active) });
        let mut latched = PortPowerFsm { wake_pending: true, ..at(EnteringSleep) };
        latched.clock(&FsmInputs { abort_sleep: true, ..IDLE });
        assert_eq!(
            latched,
            PortPowerFsm { reached: true, ..at(Active) },
            "switching the option on serves a latched request at once"
        );
    }

    #[test]
    fn asleep_alternates_quiet_and_refresh() {
        let durations = Durations { t_quiet: 3, t_refresh: 2, ..DURATIONS };
        let inputs = FsmInputs { refreshes: true, ..with(durations, IDLE) };
        let mut fsm = at(Asleep);
        let mut phases = Vec::new();
        for _ in 0..9 {
            phases.push(fsm.phase());
            fsm.clock(&inputs);
        }
        let (quiet, refresh) = ([Phase::Off; 3], [Phase::Refreshing; 2]);
        assert_eq!(phases, [&quiet[..], &refresh, &quiet, &refresh[..1]].concat());
        fsm.clock(&FsmInputs { wake_request: true, ..inputs });
        assert_eq!(fsm, PortPowerFsm { reached: true, ..at(Waking) }, "a wake request ends a refresh");
    }

    #[test]
    fn a_duration_that_is_written_holds_for_the_phase_under_way_a_cycle_later() {
        let mut fsm = PortPowerFsm::new();
        let longer = with(Durations { pdt: 100, ..DURATIONS }, IDLE);
        states(&mut fsm, &longer, 50);
        assert_eq!(states(&mut fsm, &IDLE, 3), [Active, Active, EnteringSleep]);
        // One that is longer comes too late for a limit that was reached in the cycle before.
        let mut fsm = PortPowerFsm::new();
        states(&mut fsm, &IDLE, 2);
        assert_eq!(states(&mut fsm, &longer, 2), [Active, EnteringSleep]);
    }

    #[test]
    fn refresh_switched_off_in_mid_refresh_goes_quiet() {
        let mut fsm = PortPowerFsm { refreshing: true, elapsed: 7, ..at(Asleep) };
        fsm.clock(&IDLE);
        assert_eq!(fsm, PortPowerFsm { reached: true, ..at(Asleep) });
    }

    #[test]
    fn a_policy_without_sleep_wakes_sleeping_ports_and_keeps_awake_ones() {
        let forbidden = FsmInputs { sleep_enable: false, ..IDLE };
        assert_eq!(states(&mut PortPowerFsm::new(), &forbidden, 20), [Active; 20]);
        let mut fsm = at(Asleep);
        assert_eq!(states(&mut fsm, &forbidden, 6), [Asleep, Waking, Waking, Waking, Waking, Active]);
        let mut fsm = at(EnteringSleep);
        assert_eq!(states(&mut fsm, &forbidden, 3), [EnteringSleep, EnteringSleep, Waking]);
    }

    #[test]
    fn the_longest_threshold_is_reached_and_reset_works_in_mid_run() {
        let longest = with(Durations { pdt: (1 << 24) - 1, ..DURATIONS }, IDLE);
        let mut fsm = PortPowerFsm { elapsed: (1 << 24) - 2, begins: false, ..PortPowerFsm::new() };
        assert_eq!(states(&mut fsm, &longest, 3), [Active, Active, EnteringSleep]);
        fsm.reset();
        assert_eq!(fsm, PortPowerFsm::new());
    }
}
