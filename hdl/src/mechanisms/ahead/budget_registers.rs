//! What the budgets of all ports have in common: the words that software sets, and the cycles that are earned.
//!
//! Earning:  `bound` parts of 2^-16 of a cycle in each cycle; `earn` shows the carry, which is a cycle for every port.
//! Latency:  a write of cycle t shows from cycle t+1 on, in `reserve` from t+2 on; `earn` and `read_data` follow in the same cycle.
//! Range:    any value; a `bound` of 2^16 or more earns in every cycle. The low bits of `write_data` are taken.
//! Map:      `bound` and `cap`, and copies of T_s and T_w, which are POWAR's and not read here; other writes are ignored.
//! Reset:    the configuration's values.
//! Source:   docs/microarchitecture/mechanisms/ahead.md.

use crate::block;
use crate::mechanisms::control_registers::address;
use powar_config::mechanism::ahead::{AheadValues, BOUND_BITS, MECHANISM};
use rust_hdl::prelude::*;

/// Durations of 0 count as 1 in two phases, less the cycle in which a sleep is decided upon; `may_sleep` is a cycle late.
const MARGIN: u64 = 2;

/// Address of a register.
fn at(name: &str) -> Bits<10> {
    address(&MECHANISM, name)
}

block! {
    pub struct BudgetRegisters("budget_registers", include_str!("budget_registers.rs"), clocked)
    /// With these values after reset.
    pub fn new(reset: &AheadValues) -> Self {
        let (t_sleep, t_wake) = (u64::from(reset.powar.t_sleep), u64::from(reset.powar.t_wake));
    }
    inputs {
        /// Write `write_data` to `write_address` at the end of this cycle.
        write_enable: Bit,
        write_address: Bits<10>,
        write_data: Bits<32>,
        /// The register to be shown.
        read_address: Bits<10>,
    }
    outputs {
        /// That register.
        read_data: Bits<32>,
        /// Every port earns a cycle.
        earn: Bit,
        /// The most that a port can have, cycles.
        cap: Bits<27>,
        /// What a port must have to fall asleep, cycles.
        reserve: Bits<26>,
        /// Cycles that a wake-up takes, by POWAR's register.
        t_wake: Bits<24>,
    }
    registers {
        bound_r: Bits<17> = u64::from(reset.bound).into(),
        cap_r: Bits<27> = u64::from(reset.cap).into(),
        /// Copies of POWAR's registers.
        t_sleep_r: Bits<24> = t_sleep.into(),
        t_wake_r: Bits<24> = t_wake.into(),
        reserve_r: Bits<26> = (t_sleep + t_wake + MARGIN).into(),
        /// Parts of a cycle that have been earned.
        fraction_r: Bits<16>,
    }
    locals {
        /// The same with this cycle.
        sum: Bits<18>,
    }
    constants {
        /// Bits of a part of a cycle.
        bound_bits: Bits<18> = u64::from(BOUND_BITS).into(),
        /// More than a sleep of a port costs beyond T_s and T_w.
        margin: Bits<26> = MARGIN.into(),
        /// Addresses of the registers.
        bound_at: Bits<10> = at("bound"),
        cap_at: Bits<10> = at("cap"),
        t_sleep_at: Bits<10> = at("t_sleep"),
        t_wake_at: Bits<10> = at("t_wake"),
    }
}

impl Logic for BudgetRegisters {
    #[hdl_gen]
    fn update(&mut self) {
        if self.write_enable.val() {
            if self.write_address.val() == self.bound_at.val() {
                self.bound_r.d.next = bit_cast::<17, 32>(self.write_data.val());
            } else if self.write_address.val() == self.cap_at.val() {
                self.cap_r.d.next = bit_cast::<27, 32>(self.write_data.val());
            } else if self.write_address.val() == self.t_sleep_at.val() {
                self.t_sleep_r.d.next = bit_cast::<24, 32>(self.write_data.val());
            } else if self.write_address.val() == self.t_wake_at.val() {
                self.t_wake_r.d.next = bit_cast::<24, 32>(self.write_data.val());
            }
        }
        self.read_data.next = 0.into();
        if self.read_address.val() == self.bound_at.val() {
            self.read_data.next = bit_cast::<32, 17>(self.bound_r.q.val());
        } else if self.read_address.val() == self.cap_at.val() {
            self.read_data.next = bit_cast::<32, 27>(self.cap_r.q.val());
        }
        self.reserve_r.d.next =
            bit_cast::<26, 24>(self.t_sleep_r.q.val()) + bit_cast::<26, 24>(self.t_wake_r.q.val()) + self.margin.val();
        // The carry of the fractions is a cycle.
        self.sum.next = bit_cast::<18, 16>(self.fraction_r.q.val()) + bit_cast::<18, 17>(self.bound_r.q.val());
        self.fraction_r.d.next = bit_cast::<16, 18>(self.sum.val());
        self.earn.next = (self.sum.val() >> self.bound_bits.val()).any();
        self.cap.next = self.cap_r.q.val();
        self.reserve.next = self.reserve_r.q.val();
        self.t_wake.next = self.t_wake_r.q.val();
    }
}
