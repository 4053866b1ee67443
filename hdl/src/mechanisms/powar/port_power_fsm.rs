//! Low-power idle of one output port: IEEE 802.3az with a power-down threshold (PDT).
//!
//! States:   Active -> EnteringSleep (T_s) -> Asleep (quiet T_q, refresh T_r, in turns) -> Waking (T_w) -> Active.
//! Sleep:    a port that is neither used nor asked for in PDT consecutive cycles (at least one) goes to sleep.
//! Wake:     a request in `Asleep` starts waking in the next cycle; one in `EnteringSleep` is latched and served when T_s has
//!           run out, or at once, back to `Active`, with `abort_sleep`. Without `sleep_enable` a sleeping port wakes.
//! Latency:  one cycle from any input to the state; `wake_started` shows the decision in the cycle before.
//! Range:    durations 0 to 2^24 - 1 cycles; T_s and T_w of 0 count as 1. A new one holds for the phase under way, from the cycle after
//!           it is there on.
//! Reset:    Active.
//! Source:   POWAR section 2.1, Figure 1; docs/microarchitecture/mechanisms/powar.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_block::Number;
use crate::rtl_signals;
use rust_hdl::prelude::*;

/// Power states of a port, by their codes.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum PowerState {
    Active,
    EnteringSleep,
    Asleep,
    Waking,
}

impl Number for PowerState {
    fn to_number(self) -> u64 {
        self as u64
    }
    fn from_number(number: u64) -> Self {
        [PowerState::Active, PowerState::EnteringSleep, PowerState::Asleep, PowerState::Waking][number as usize & 3]
    }
}

/// Durations of a port.
pub const DURATIONS: usize = 5;

#[derive(LogicBlock)]
pub struct PortPowerFsm {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// The policy lets ports sleep.
    pub sleep_enable: Signal<In, Bit>,
    /// Option: a wake request aborts `EnteringSleep`.
    pub abort_sleep: Signal<In, Bit>,
    /// A packet holds the port, or a flit is on it.
    pub in_use: Signal<In, Bit>,
    /// A packet has just been given the port.
    pub wake_request: Signal<In, Bit>,
    /// Power-down threshold, cycles.
    pub pdt: Signal<In, Bits<24>>,
    /// T_s, cycles.
    pub t_sleep: Signal<In, Bits<24>>,
    /// T_w, cycles.
    pub t_wake: Signal<In, Bits<24>>,
    /// T_q, cycles; 0 = no refresh.
    pub t_quiet: Signal<In, Bits<24>>,
    /// T_r, cycles; 0 = no refresh.
    pub t_refresh: Signal<In, Bits<24>>,
    /// Those of one cycle or none in the cycle before: PDT, T_s, T_w, T_q, T_r.
    pub short_durations: Vec<Signal<In, Bit>>,
    /// A port that sleeps alternates between quiet and refresh.
    pub refreshes: Signal<In, Bit>,
    /// The state is `Active`: the port can send.
    pub awake: Signal<Out, Bit>,
    /// `Waking` begins with the next cycle.
    pub wake_started: Signal<Out, Bit>,
    /// Power state.
    pub state: Signal<Out, PowerState>,
    /// `Asleep`, in a refresh period.
    pub refreshing: Signal<Out, Bit>,
    state_r: Register<PowerState>,
    refreshing_r: Register<Bit>,
    /// A wake request latched in `EnteringSleep`.
    wake_pending_r: Register<Bit>,
    /// With this cycle: consecutive idle cycles in `Active`, else cycles of this phase. It goes on only below a limit of as many bits.
    elapsed_r: Register<Bits<24>>,
    /// The phase begins with this cycle: it did not go on in the cycle before.
    begins_r: Register<Bit>,
    /// If it went on: this is its last cycle.
    reached_r: Register<Bit>,
    /// How long the phase lasts: one comparator does for all of them.
    limit: Signal<Local, Bits<24>>,
    /// It lasts for one cycle.
    is_short: Signal<Local, Bit>,
    /// `elapsed` of the next cycle, if the phase goes on.
    longer: Signal<Local, Bits<24>>,
    /// This is its last cycle.
    over: Signal<Local, Bit>,
    /// It goes on.
    goes_on: Signal<Local, Bit>,
    /// The port is asked to be awake in this cycle.
    wake: Signal<Local, Bit>,
    /// It is, or has been in this transition.
    want: Signal<Local, Bit>,
    info: BlockInfo,
}

impl PortPowerFsm {
    pub fn new() -> Self {
        build!(PortPowerFsm {
            (
                clk, rst, sleep_enable, abort_sleep, in_use, wake_request, pdt, t_sleep, t_wake, t_quiet, t_refresh,
                refreshes, awake, wake_started, state, refreshing, refreshing_r, wake_pending_r, reached_r, limit, is_short, longer, over, goes_on, wake, want,
            )
            [DURATIONS => short_durations]
            begins_r: Register::new(true),
            elapsed_r: Register::new(1.into()),
            state_r: Register::new(PowerState::Active),
            info: BlockInfo::new("port_power_fsm", include_str!("port_power_fsm.rs")),
        })
    }
}

impl Default for PortPowerFsm {
    fn default() -> Self {
        Self::new()
    }
}

impl Logic for PortPowerFsm {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, state_r, refreshing_r, wake_pending_r, elapsed_r, begins_r, reached_r);
        self.wake.next = self.wake_request.val() | !self.sleep_enable.val();
        self.want.next = self.wake.val() | self.wake_pending_r.q.val();
        match self.state_r.q.val() {
            PowerState::Active => {
                self.limit.next = self.pdt.val();
                self.is_short.next = self.short_durations[0].val();
            }
            PowerState::EnteringSleep => {
                self.limit.next = self.t_sleep.val();
                self.is_short.next = self.short_durations[1].val();
            }
            PowerState::Waking => {
                self.limit.next = self.t_wake.val();
                self.is_short.next = self.short_durations[2].val();
            }
            PowerState::Asleep => {
                self.limit.next = self.t_quiet.val();
                self.is_short.next = self.short_durations[3].val();
                if self.refreshing_r.q.val() {
                    self.limit.next = self.t_refresh.val();
                    self.is_short.next = self.short_durations[4].val();
                }
            }
        }
        // Compared a cycle before, unless the phase begins with this one.
        self.longer.next = self.elapsed_r.q.val() + 1;
        self.reached_r.d.next = self.longer.val() >= self.limit.val();
        self.over.next = self.reached_r.q.val();
        if self.begins_r.q.val() {
            self.over.next = self.is_short.val();
        }
        self.wake_started.next = false;
        // What holds in most cases: the phase goes on or, where the state changes, a new one begins.
        self.goes_on.next = false;
        self.refreshing_r.d.next = false;
        self.wake_pending_r.d.next = false;
        match self.state_r.q.val() {
            PowerState::Active => {
                if !self.in_use.val() & !self.wake.val() {
                    if self.over.val() {
                        self.state_r.d.next = PowerState::EnteringSleep;
                    } else {
                        self.goes_on.next = true;
                    }
                }
            }
            PowerState::EnteringSleep => {
                if self.abort_sleep.val() & self.want.val() {
                    self.state_r.d.next = PowerState::Active;
                } else if self.over.val() {
                    if self.want.val() {
                        self.state_r.d.next = PowerState::Waking;
                        self.wake_started.next = true;
                    } else {
                        self.state_r.d.next = PowerState::Asleep;
                    }
                } else {
                    self.goes_on.next = true;
                    self.wake_pending_r.d.next = self.want.val();
                }
            }
            PowerState::Asleep => {
                if self.wake.val() {
                    self.state_r.d.next = PowerState::Waking;
                    self.wake_started.next = true;
                } else if self.refreshes.val() {
                    if self.over.val() {
                        self.refreshing_r.d.next = !self.refreshing_r.q.val();
                    } else {
                        self.goes_on.next = true;
                        self.refreshing_r.d.next = self.refreshing_r.q.val();
                    }
                }
            }
            PowerState::Waking => {
                if self.over.val() {
                    self.state_r.d.next = PowerState::Active;
                } else {
                    self.goes_on.next = true;
                }
            }
        }
        self.begins_r.d.next = !self.goes_on.val();
        self.elapsed_r.d.next = 1.into();
        if self.goes_on.val() {
            self.elapsed_r.d.next = self.longer.val();
        }
        self.state.next = self.state_r.q.val();
        self.refreshing.next = self.refreshing_r.q.val();
        self.awake.next = self.state_r.q.val() == PowerState::Active;
    }
}

rtl_signals!(
    PortPowerFsm,
    clocked,
    inputs(sleep_enable, abort_sleep, in_use, wake_request, pdt, t_sleep, t_wake, t_quiet, t_refresh, short_durations, refreshes),
    outputs(awake, wake_started, state, refreshing),
    registers(state_r as "state", refreshing_r as "refreshing", wake_pending_r as "wake_pending", elapsed_r as "elapsed", begins_r as "begins", reached_r as "reached"),
    children(),
);
