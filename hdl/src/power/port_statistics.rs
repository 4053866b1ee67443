//! What one output port did: cycles in each power state, wake-ups, flits. These feed U_port of the power model.
//!
//! Latency:  what happens in cycle t is counted from cycle t+1 on.
//! Range:    32 bits, wrapping (6.9 s at 625 MHz): software takes differences.
//! Clear:    all counters to 0; the cycle of the clear is not counted.
//! Reset:    0.
//! Source:   POWAR section 2.3 (U_port); docs/microarchitecture.md 3.11.

use crate::dff_setup;
use crate::mechanisms::powar::PowerState;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct PortStatistics {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Power state of the port.
    pub state: Signal<In, PowerState>,
    /// `Asleep`, in a refresh period.
    pub refreshing: Signal<In, Bit>,
    /// `Waking` begins with the next cycle.
    pub wake_started: Signal<In, Bit>,
    /// A flit leaves in this cycle.
    pub flit: Signal<In, Bit>,
    /// Back to 0.
    pub clear: Signal<In, Bit>,
    /// Cycles in `Active`.
    pub active_cycles: Signal<Out, Bits<32>>,
    /// Cycles in `EnteringSleep`.
    pub entering_cycles: Signal<Out, Bits<32>>,
    /// Cycles in `Asleep`, quiet.
    pub quiet_cycles: Signal<Out, Bits<32>>,
    /// Cycles in `Asleep`, refreshing.
    pub refresh_cycles: Signal<Out, Bits<32>>,
    /// Cycles in `Waking`.
    pub waking_cycles: Signal<Out, Bits<32>>,
    /// Times the port was woken.
    pub wake_ups: Signal<Out, Bits<32>>,
    /// Flits forwarded.
    pub flits: Signal<Out, Bits<32>>,
    active_cycles_r: Register<Bits<32>>,
    entering_cycles_r: Register<Bits<32>>,
    quiet_cycles_r: Register<Bits<32>>,
    refresh_cycles_r: Register<Bits<32>>,
    waking_cycles_r: Register<Bits<32>>,
    wake_ups_r: Register<Bits<32>>,
    flits_r: Register<Bits<32>>,
    info: BlockInfo,
}

impl PortStatistics {
    pub fn new() -> Self {
        PortStatistics {
            clk: Default::default(),
            rst: Default::default(),
            state: Default::default(),
            refreshing: Default::default(),
            wake_started: Default::default(),
            flit: Default::default(),
            clear: Default::default(),
            active_cycles: Default::default(),
            entering_cycles: Default::default(),
            quiet_cycles: Default::default(),
            refresh_cycles: Default::default(),
            waking_cycles: Default::default(),
            wake_ups: Default::default(),
            flits: Default::default(),
            active_cycles_r: Register::new(0.into()),
            entering_cycles_r: Register::new(0.into()),
            quiet_cycles_r: Register::new(0.into()),
            refresh_cycles_r: Register::new(0.into()),
            waking_cycles_r: Register::new(0.into()),
            wake_ups_r: Register::new(0.into()),
            flits_r: Register::new(0.into()),
            info: BlockInfo::new("port_statistics", include_str!("port_statistics.rs")),
        }
    }
}

impl Default for PortStatistics {
    fn default() -> Self {
        Self::new()
    }
}

impl Logic for PortStatistics {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            active_cycles_r,
            entering_cycles_r,
            quiet_cycles_r,
            refresh_cycles_r,
            waking_cycles_r,
            wake_ups_r,
            flits_r
        );
        if self.state.val() == PowerState::Active {
            self.active_cycles_r.d.next = self.active_cycles_r.q.val() + 1;
        }
        if self.state.val() == PowerState::EnteringSleep {
            self.entering_cycles_r.d.next = self.entering_cycles_r.q.val() + 1;
        }
        if (self.state.val() == PowerState::Asleep) & !self.refreshing.val() {
            self.quiet_cycles_r.d.next = self.quiet_cycles_r.q.val() + 1;
        }
        if (self.state.val() == PowerState::Asleep) & self.refreshing.val() {
            self.refresh_cycles_r.d.next = self.refresh_cycles_r.q.val() + 1;
        }
        if self.state.val() == PowerState::Waking {
            self.waking_cycles_r.d.next = self.waking_cycles_r.q.val() + 1;
        }
        if self.wake_started.val() {
            self.wake_ups_r.d.next = self.wake_ups_r.q.val() + 1;
        }
        if self.flit.val() {
            self.flits_r.d.next = self.flits_r.q.val() + 1;
        }
        if self.clear.val() {
            self.active_cycles_r.d.next = 0.into();
            self.entering_cycles_r.d.next = 0.into();
            self.quiet_cycles_r.d.next = 0.into();
            self.refresh_cycles_r.d.next = 0.into();
            self.waking_cycles_r.d.next = 0.into();
            self.wake_ups_r.d.next = 0.into();
            self.flits_r.d.next = 0.into();
        }
        self.active_cycles.next = self.active_cycles_r.q.val();
        self.entering_cycles.next = self.entering_cycles_r.q.val();
        self.quiet_cycles.next = self.quiet_cycles_r.q.val();
        self.refresh_cycles.next = self.refresh_cycles_r.q.val();
        self.waking_cycles.next = self.waking_cycles_r.q.val();
        self.wake_ups.next = self.wake_ups_r.q.val();
        self.flits.next = self.flits_r.q.val();
    }
}

rtl_signals!(
    PortStatistics,
    clocked,
    inputs(state, refreshing, wake_started, flit, clear),
    outputs(active_cycles, entering_cycles, quiet_cycles, refresh_cycles, waking_cycles, wake_ups, flits),
    registers(active_cycles_r as "active_cycles", entering_cycles_r as "entering_cycles", quiet_cycles_r as "quiet_cycles", refresh_cycles_r as "refresh_cycles", waking_cycles_r as "waking_cycles", wake_ups_r as "wake_ups", flits_r as "flits"),
    children(),
);
