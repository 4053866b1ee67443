//! What software sets and reads of hints: whether there are any, and how many were lost, woke a port, and woke one in vain.
//!
//! Latency:  a write of cycle t shows from t+1 on; an event of cycle t is in its counter from t+2 on. `read_data` follows in the same cycle.
//! Range:    counters wrap at 32 bits; a write sets them, and what happened in the cycle before is not counted then.
//! Map:      `hint_control` (bit 0: hints are sent and listened to, bit 1: the lane is there while the link sleeps), `hints_dropped`,
//!           `hints_woke`, `hints_unused`; writes to other addresses are ignored.
//! Reset:    the configuration's `hint_control`, counters 0.
//! Source:   docs/microarchitecture/mechanisms/wake_hints.md.

use crate::dff_setup;
use crate::mechanisms::control_registers::address;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::mechanism::wake_hints::{HintValues, MECHANISM};
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct HintRegisters {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Write `write_data` to `write_address` at the end of this cycle.
    pub write_enable: Signal<In, Bit>,
    pub write_address: Signal<In, Bits<10>>,
    pub write_data: Signal<In, Bits<32>>,
    /// The register to be shown.
    pub read_address: Signal<In, Bits<10>>,
    /// Events of the ports: a word that came in is dropped, one that was to go out is dropped, a hint wakes the port, the port goes to
    /// sleep unused.
    pub broken: Vec<Signal<In, Bit>>,
    pub refused: Vec<Signal<In, Bit>>,
    pub woke: Vec<Signal<In, Bit>>,
    pub unused: Vec<Signal<In, Bit>>,
    /// That register.
    pub read_data: Signal<Out, Bits<32>>,
    /// Hints are sent and listened to.
    pub hints: Signal<Out, Bit>,
    /// The lane is there while the link sleeps.
    pub sideband: Signal<Out, Bit>,
    hints_r: Register<Bit>,
    sideband_r: Register<Bit>,
    hints_dropped_r: Register<Bits<32>>,
    hints_woke_r: Register<Bits<32>>,
    hints_unused_r: Register<Bits<32>>,
    /// Events of the cycle before that are counted next.
    lost_r: Register<Bits<8>>,
    begun_r: Register<Bits<7>>,
    idle_r: Register<Bits<7>>,
    /// Those of this cycle.
    lost_now: Signal<Local, Bits<8>>,
    begun_now: Signal<Local, Bits<7>>,
    idle_now: Signal<Local, Bits<7>>,
    /// Addresses of the registers.
    control_at: Constant<Bits<10>>,
    dropped_at: Constant<Bits<10>>,
    woke_at: Constant<Bits<10>>,
    unused_at: Constant<Bits<10>>,
    n: Size,
    info: BlockInfo,
}

/// Address of a register.
fn at(name: &str) -> Constant<Bits<10>> {
    address(&MECHANISM, name)
}

impl HintRegisters {
    /// Of `n` ports, 2..=64, with these values after reset.
    pub fn new(n: usize, reset: &HintValues) -> Self {
        build!(HintRegisters {
            (
                clk, rst, write_enable, write_address, write_data, read_address, read_data, hints, sideband,
                hints_dropped_r, hints_woke_r, hints_unused_r, lost_r, begun_r, idle_r, lost_now, begun_now, idle_now,
            )
            [n => broken, refused, woke, unused]
            hints_r: Register::new(reset.hints),
            sideband_r: Register::new(reset.sideband),
            control_at: at("hint_control"),
            dropped_at: at("hints_dropped"),
            woke_at: at("hints_woke"),
            unused_at: at("hints_unused"),
            n: n.into(),
            info: BlockInfo::new("hint_registers", include_str!("hint_registers.rs")),
        })
    }
}

impl Logic for HintRegisters {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            hints_r,
            sideband_r,
            hints_dropped_r,
            hints_woke_r,
            hints_unused_r,
            lost_r,
            begun_r,
            idle_r
        );
        // Ones are counted in a cycle of their own.
        self.lost_now.next = 0.into();
        for p in 0..self.n.get() {
            self.lost_now.next = self.lost_now.val() + self.broken[p].val();
        }
        for p in 0..self.n.get() {
            self.lost_now.next = self.lost_now.val() + self.refused[p].val();
        }
        self.begun_now.next = 0.into();
        for p in 0..self.n.get() {
            self.begun_now.next = self.begun_now.val() + self.woke[p].val();
        }
        self.idle_now.next = 0.into();
        for p in 0..self.n.get() {
            self.idle_now.next = self.idle_now.val() + self.unused[p].val();
        }
        self.lost_r.d.next = self.lost_now.val();
        self.begun_r.d.next = self.begun_now.val();
        self.idle_r.d.next = self.idle_now.val();
        self.hints_dropped_r.d.next = self.hints_dropped_r.q.val() + bit_cast::<32, 8>(self.lost_r.q.val());
        self.hints_woke_r.d.next = self.hints_woke_r.q.val() + bit_cast::<32, 7>(self.begun_r.q.val());
        self.hints_unused_r.d.next = self.hints_unused_r.q.val() + bit_cast::<32, 7>(self.idle_r.q.val());
        if self.write_enable.val() {
            if self.write_address.val() == self.control_at.val() {
                self.hints_r.d.next = self.write_data.val().get_bit(0);
                self.sideband_r.d.next = self.write_data.val().get_bit(1);
            } else if self.write_address.val() == self.dropped_at.val() {
                self.hints_dropped_r.d.next = self.write_data.val();
            } else if self.write_address.val() == self.woke_at.val() {
                self.hints_woke_r.d.next = self.write_data.val();
            } else if self.write_address.val() == self.unused_at.val() {
                self.hints_unused_r.d.next = self.write_data.val();
            }
        }
        self.read_data.next = 0.into();
        if self.read_address.val() == self.control_at.val() {
            self.read_data.next = bit_cast::<32, 1>(self.hints_r.q.val().into())
                | (bit_cast::<32, 1>(self.sideband_r.q.val().into()) << 1);
        } else if self.read_address.val() == self.dropped_at.val() {
            self.read_data.next = self.hints_dropped_r.q.val();
        } else if self.read_address.val() == self.woke_at.val() {
            self.read_data.next = self.hints_woke_r.q.val();
        } else if self.read_address.val() == self.unused_at.val() {
            self.read_data.next = self.hints_unused_r.q.val();
        }
        self.hints.next = self.hints_r.q.val();
        self.sideband.next = self.sideband_r.q.val();
    }
}

rtl_signals!(
    HintRegisters,
    clocked,
    inputs(write_enable, write_address, write_data, read_address, broken, refused, woke, unused),
    outputs(read_data, hints, sideband),
    registers(
        hints_r as "hints",
        sideband_r as "sideband",
        hints_dropped_r as "hints_dropped",
        hints_woke_r as "hints_woke",
        hints_unused_r as "hints_unused",
        lost_r as "lost",
        begun_r as "begun",
        idle_r as "idle",
    ),
    children(),
);
