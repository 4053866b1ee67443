//! Low-power idle of one output port: IEEE 802.3az with a power-down threshold (PDT).
//!
//! States:   Active -> EnteringSleep (T_s) -> Asleep (quiet T_q, refresh T_r, in turns) -> Waking (T_w) -> Active.
//! Sleep:    a port that is neither used nor asked for in PDT consecutive cycles (at least one) goes to sleep.
//! Wake:     a request in `Asleep` starts waking in the next cycle; one in `EnteringSleep` is latched and served when T_s has
//!           run out, or at once, back to `Active`, with `abort_sleep`. Without `sleep_enable` a sleeping port wakes.
//! Latency:  one cycle from any input to the state; `wake_started` shows the decision in the cycle before.
//! Range:    durations 0 to 2^24 - 1 cycles; T_s and T_w of 0 count as 1; T_q or T_r of 0 means no refresh.
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
    /// `Active`: consecutive idle cycles; else cycles spent in this phase.
    count_r: Register<Bits<24>>,
    /// The same with this cycle, one bit wider so that it can't wrap.
    elapsed: Signal<Local, Bits<25>>,
    /// The port is asked to be awake in this cycle.
    wake: Signal<Local, Bit>,
    /// It is, or has been in this transition.
    want: Signal<Local, Bit>,
    /// Length of the present half of the quiet/refresh alternation.
    phase: Signal<Local, Bits<24>>,
    info: BlockInfo,
}

impl PortPowerFsm {
    pub fn new() -> Self {
        build!(PortPowerFsm {
            (
                clk, rst, sleep_enable, abort_sleep, in_use, wake_request, pdt, t_sleep, t_wake, t_quiet, t_refresh,
                awake, wake_started, state, refreshing, refreshing_r, wake_pending_r, count_r, elapsed, wake, want,
                phase,
            )
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
        dff_setup!(self, clk, state_r, refreshing_r, wake_pending_r, count_r);
        self.wake.next = self.wake_request.val() | !self.sleep_enable.val();
        self.want.next = self.wake.val() | self.wake_pending_r.q.val();
        self.elapsed.next = bit_cast::<25, 24>(self.count_r.q.val()) + 1;
        if self.refreshing_r.q.val() {
            self.phase.next = self.t_refresh.val();
        } else {
            self.phase.next = self.t_quiet.val();
        }
        self.wake_started.next = false;
        // What holds in most cases: the phase goes on or, where the state changes, a new one begins.
        self.count_r.d.next = 0.into();
        self.refreshing_r.d.next = false;
        self.wake_pending_r.d.next = false;
        match self.state_r.q.val() {
            PowerState::Active => {
                if !self.in_use.val() & !self.wake.val() {
                    if self.elapsed.val() >= bit_cast::<25, 24>(self.pdt.val()) {
                        self.state_r.d.next = PowerState::EnteringSleep;
                    } else {
                        self.count_r.d.next = bit_cast::<24, 25>(self.elapsed.val());
                    }
                }
            }
            PowerState::EnteringSleep => {
                if self.abort_sleep.val() & self.want.val() {
                    self.state_r.d.next = PowerState::Active;
                } else if self.elapsed.val() >= bit_cast::<25, 24>(self.t_sleep.val()) {
                    if self.want.val() {
                        self.state_r.d.next = PowerState::Waking;
                        self.wake_started.next = true;
                    } else {
                        self.state_r.d.next = PowerState::Asleep;
                    }
                } else {
                    self.count_r.d.next = bit_cast::<24, 25>(self.elapsed.val());
                    self.wake_pending_r.d.next = self.want.val();
                }
            }
            PowerState::Asleep => {
                if self.wake.val() {
                    self.state_r.d.next = PowerState::Waking;
                    self.wake_started.next = true;
                } else if self.t_quiet.val().any() & self.t_refresh.val().any() {
                    if self.elapsed.val() >= bit_cast::<25, 24>(self.phase.val()) {
                        self.refreshing_r.d.next = !self.refreshing_r.q.val();
                    } else {
                        self.count_r.d.next = bit_cast::<24, 25>(self.elapsed.val());
                        self.refreshing_r.d.next = self.refreshing_r.q.val();
                    }
                }
            }
            PowerState::Waking => {
                if self.elapsed.val() >= bit_cast::<25, 24>(self.t_wake.val()) {
                    self.state_r.d.next = PowerState::Active;
                } else {
                    self.count_r.d.next = bit_cast::<24, 25>(self.elapsed.val());
                }
            }
        }
        self.state.next = self.state_r.q.val();
        self.refreshing.next = self.refreshing_r.q.val();
        self.awake.next = self.state_r.q.val() == PowerState::Active;
    }
}

rtl_signals!(
    PortPowerFsm,
    clocked,
    inputs(sleep_enable, abort_sleep, in_use, wake_request, pdt, t_sleep, t_wake, t_quiet, t_refresh),
    outputs(awake, wake_started, state, refreshing),
    registers(state_r as "state", refreshing_r as "refreshing", wake_pending_r as "wake_pending", count_r as "count"),
    children(),
);
