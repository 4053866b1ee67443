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

use crate::block;
use crate::rtl_block::Number;
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

block! {
    pub struct PortPowerFsm("port_power_fsm", include_str!("port_power_fsm.rs"), clocked)
    pub fn new() -> Self {}
    inputs {
        /// The policy lets ports sleep.
        sleep_enable: Bit,
        /// Option: a wake request aborts `EnteringSleep`.
        abort_sleep: Bit,
        /// A packet holds the port, or a flit is on it.
        in_use: Bit,
        /// A packet has just been given the port.
        wake_request: Bit,
        /// Power-down threshold, cycles.
        pdt: Bits<24>,
        /// T_s, cycles.
        t_sleep: Bits<24>,
        /// T_w, cycles.
        t_wake: Bits<24>,
        /// T_q, cycles; 0 = no refresh.
        t_quiet: Bits<24>,
        /// T_r, cycles; 0 = no refresh.
        t_refresh: Bits<24>,
        /// Those of one cycle or none in the cycle before: PDT, T_s, T_w, T_q, T_r.
        short_durations[DURATIONS]: Bit,
        /// A port that sleeps alternates between quiet and refresh.
        refreshes: Bit,
    }
    outputs {
        /// The state is `Active`: the port can send.
        awake: Bit,
        /// `Waking` begins with the next cycle.
        wake_started: Bit,
        /// Power state.
        state: PowerState,
        /// `Asleep`, in a refresh period.
        refreshing: Bit,
    }
    registers {
        state_r: PowerState = PowerState::Active,
        refreshing_r: Bit,
        /// A wake request latched in `EnteringSleep`.
        wake_pending_r: Bit,
        /// With this cycle: consecutive idle cycles in `Active`, else cycles of this phase. It goes on only below a limit of as many bits.
        elapsed_r: Bits<24> = 1.into(),
        /// The phase begins with this cycle: it did not go on in the cycle before.
        begins_r: Bit = true,
        /// If it went on: this is its last cycle.
        reached_r: Bit,
    }
    locals {
        /// How long the phase lasts: one comparator does for all of them.
        limit: Bits<24>,
        /// It lasts for one cycle.
        is_short: Bit,
        /// `elapsed` of the next cycle, if the phase goes on.
        longer: Bits<24>,
        /// This is its last cycle.
        over: Bit,
        /// It goes on.
        goes_on: Bit,
        /// The port is asked to be awake in this cycle.
        wake: Bit,
        /// It is, or has been in this transition.
        want: Bit,
    }
}

impl Logic for PortPowerFsm {
    #[hdl_gen]
    fn update(&mut self) {
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
