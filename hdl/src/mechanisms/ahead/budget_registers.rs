//! What the budgets of all ports have in common: the words that software sets, and the cycles that are earned.
//!
//! Earning:  `bound` parts of 2^-16 of a cycle in each cycle; `earn` shows the carry, which is a cycle for every port.
//! Latency:  a write of cycle t shows from cycle t+1 on, in `reserve` from t+2 on; `earn` and `read_data` follow in the same cycle.
//! Range:    any value; a `bound` of 2^16 or more earns in every cycle. The low bits of `write_data` are taken.
//! Map:      `bound` and `cap`, and copies of T_s and T_w, which are POWAR's and not read here; other writes are ignored.
//! Reset:    the configuration's values.
//! Source:   docs/microarchitecture/mechanisms/ahead.md.

use crate::dff_setup;
use crate::mechanisms::control_registers::address;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::mechanism::ahead::{AheadValues, BOUND_BITS, MECHANISM};
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct BudgetRegisters {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Write `write_data` to `write_address` at the end of this cycle.
    pub write_enable: Signal<In, Bit>,
    pub write_address: Signal<In, Bits<10>>,
    pub write_data: Signal<In, Bits<32>>,
    /// The register to be shown.
    pub read_address: Signal<In, Bits<10>>,
    /// That register.
    pub read_data: Signal<Out, Bits<32>>,
    /// Every port earns a cycle.
    pub earn: Signal<Out, Bit>,
    /// The most that a port can have, cycles.
    pub cap: Signal<Out, Bits<27>>,
    /// What a port must have to fall asleep, cycles.
    pub reserve: Signal<Out, Bits<26>>,
    bound_r: Register<Bits<17>>,
    cap_r: Register<Bits<27>>,
    /// Copies of POWAR's registers.
    t_sleep_r: Register<Bits<24>>,
    t_wake_r: Register<Bits<24>>,
    reserve_r: Register<Bits<26>>,
    /// Parts of a cycle that have been earned.
    fraction_r: Register<Bits<16>>,
    /// The same with this cycle.
    sum: Signal<Local, Bits<18>>,
    /// Bits of a part of a cycle.
    bound_bits: Constant<Bits<18>>,
    /// More than a sleep of a port costs beyond T_s and T_w.
    margin: Constant<Bits<26>>,
    /// Addresses of the registers.
    bound_at: Constant<Bits<10>>,
    cap_at: Constant<Bits<10>>,
    t_sleep_at: Constant<Bits<10>>,
    t_wake_at: Constant<Bits<10>>,
    info: BlockInfo,
}

/// Durations of 0 count as 1 in two phases, less the cycle in which a sleep is decided upon; `may_sleep` is a cycle late.
const MARGIN: u64 = 2;

/// Address of a register.
fn at(name: &str) -> Constant<Bits<10>> {
    address(&MECHANISM, name)
}

impl BudgetRegisters {
    /// With these values after reset.
    pub fn new(reset: &AheadValues) -> Self {
        let (t_sleep, t_wake) = (u64::from(reset.powar.t_sleep), u64::from(reset.powar.t_wake));
        build!(BudgetRegisters {
            (clk, rst, write_enable, write_address, write_data, read_address, read_data, earn, cap, reserve, sum)
            bound_r: Register::new(u64::from(reset.bound).into()),
            cap_r: Register::new(u64::from(reset.cap).into()),
            t_sleep_r: Register::new(t_sleep.into()),
            t_wake_r: Register::new(t_wake.into()),
            reserve_r: Register::new((t_sleep + t_wake + MARGIN).into()),
            fraction_r: Register::new(0.into()),
            bound_bits: Constant::new(u64::from(BOUND_BITS).into()),
            margin: Constant::new(MARGIN.into()),
            bound_at: at("bound"),
            cap_at: at("cap"),
            t_sleep_at: at("t_sleep"),
            t_wake_at: at("t_wake"),
            info: BlockInfo::new("budget_registers", include_str!("budget_registers.rs")),
        })
    }
}

impl Logic for BudgetRegisters {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, bound_r, cap_r, t_sleep_r, t_wake_r, reserve_r, fraction_r);
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
    }
}

rtl_signals!(
    BudgetRegisters,
    clocked,
    inputs(write_enable, write_address, write_data, read_address),
    outputs(read_data, earn, cap, reserve),
    registers(
        bound_r as "bound",
        cap_r as "cap",
        t_sleep_r as "t_sleep",
        t_wake_r as "t_wake",
        reserve_r as "reserve",
        fraction_r as "fraction",
    ),
    children(),
);
