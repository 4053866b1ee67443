//! What software sets and reads of hints: whether there are any, and how many were lost, woke a port, and woke one in vain.
//!
//! Latency:  a write of cycle t shows from t+1 on; an event of cycle t is in its counter from t+2 on. `read_data` follows in the same cycle.
//! Range:    counters wrap at 32 bits; a write sets them, and what happened in the cycle before is not counted then.
//! Map:      `hint_control` (bit 0: hints are sent and listened to, bit 1: the lane is there while the link sleeps), `hints_dropped`,
//!           `hints_woke`, `hints_unused`; writes to other addresses are ignored.
//! Reset:    the configuration's `hint_control`, counters 0.
//! Source:   docs/microarchitecture/mechanisms/wake_hints.md.

use crate::block;
use crate::mechanisms::control_registers::address;
use powar_config::Mechanism;
use powar_config::mechanism::wake_hints::HintValues;
use rust_hdl::prelude::*;

block! {
    pub struct HintRegisters("hint_registers", include_str!("hint_registers.rs"), clocked)
    /// Of `n` ports, 2..=64, with these values after reset; the words lie where this mechanism has them.
    pub fn new(n: usize, mechanism: &Mechanism, reset: &HintValues) -> Self {
        let at = |name| address(mechanism, name);
    }
    inputs {
        /// Write `write_data` to `write_address` at the end of this cycle.
        write_enable: Bit,
        write_address: Bits<10>,
        write_data: Bits<32>,
        /// The register to be shown.
        read_address: Bits<10>,
        /// Events of the ports: a word that came in is dropped, one that was to go out is dropped, a hint wakes the port, the port goes to
        /// sleep unused.
        broken[n]: Bit,
        refused[n]: Bit,
        woke[n]: Bit,
        unused[n]: Bit,
    }
    outputs {
        /// That register.
        read_data: Bits<32>,
        /// Hints are sent and listened to.
        hints: Bit,
        /// The lane is there while the link sleeps.
        sideband: Bit,
    }
    registers {
        hints_r: Bit = reset.hints(),
        sideband_r: Bit = reset.sideband(),
        hints_dropped_r: Bits<32>,
        hints_woke_r: Bits<32>,
        hints_unused_r: Bits<32>,
        /// Events of the cycle before that are counted next.
        lost_r: Bits<8>,
        begun_r: Bits<7>,
        idle_r: Bits<7>,
    }
    locals {
        /// Those of this cycle.
        lost_now: Bits<8>,
        begun_now: Bits<7>,
        idle_now: Bits<7>,
    }
    constants {
        /// Addresses of the registers.
        control_at: Bits<10> = at("hint_control"),
        dropped_at: Bits<10> = at("hints_dropped"),
        woke_at: Bits<10> = at("hints_woke"),
        unused_at: Bits<10> = at("hints_unused"),
    }
    sizes { n = n }
}

impl Logic for HintRegisters {
    #[hdl_gen]
    fn update(&mut self) {
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
