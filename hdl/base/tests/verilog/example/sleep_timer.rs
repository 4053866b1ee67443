//! Sends one port to sleep after it has been idle for long enough.
//!
//! `asleep` rises one cycle after `idle_limit` idle cycles in a row and falls one cycle after `wake`.

use powar_hdl_base::primitives::{BlockInfo, Register, dff_setup};
use rust_hdl::prelude::*;

/// What the port is doing.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum TimerState {
    /// Counting idle cycles.
    Awake,
    /// Waiting for a request to wake up.
    Asleep,
    /// Waking up for one cycle.
    Waking,
}

/// The idle timer of one port.
#[derive(LogicBlock)]
pub struct SleepTimer {
    pub info: BlockInfo,
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// The port sends a flit in this cycle.
    pub busy: Signal<In, Bit>,
    /// Somebody needs the port.
    pub wake: Signal<In, Bit>,
    /// The port must not be used.
    pub asleep: Signal<Out, Bit>,
    /// Idle cycles seen so far.
    count: Register<Bits<8>>,
    state: Register<TimerState>,
    /// Idle cycles before the port goes to sleep.
    idle_limit: Constant<Bits<8>>,
}

impl SleepTimer {
    pub fn new(idle_limit: u64) -> Self {
        Self {
            info: BlockInfo::new("sleep_timer", include_str!("sleep_timer.rs")),
            clk: Default::default(),
            rst: Default::default(),
            busy: Default::default(),
            wake: Default::default(),
            asleep: Default::default(),
            count: Register::default(),
            state: Register::default(),
            idle_limit: Constant::new(idle_limit.into()),
        }
    }
}

impl Logic for SleepTimer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, count, state);
        self.asleep.next = self.state.q.val() != TimerState::Awake;
        match self.state.q.val() {
            TimerState::Awake => {
                self.count.d.next = self.count.q.val() + 1;
                if self.busy.val() || self.wake.val() {
                    self.count.d.next = 0.into();
                } else if self.count.q.val() == self.idle_limit.val() {
                    self.state.d.next = TimerState::Asleep;
                }
            }
            TimerState::Asleep => {
                self.count.d.next = 0.into();
                if self.wake.val() {
                    self.state.d.next = TimerState::Waking;
                }
            }
            TimerState::Waking => {
                self.state.d.next = TimerState::Awake;
            }
        }
    }
}
