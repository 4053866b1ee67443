//! The registers of POWAR, written and read while the switch runs.
//!
//! Latency:  a write of cycle t shows from cycle t+1 on; `read_data` follows `read_address` in the same cycle.
//! Range:    any value; each block says what it does with it. The low bits of `write_data` are taken.
//! Map:      the constants below, byte addresses / 4; writes to other addresses are ignored, reads of them give 0.
//! Reset:    the configuration's values.
//! Source:   docs/microarchitecture/mechanisms/powar.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::RegisterValues;
use powar_config::mechanism::powar::MECHANISM;
use powar_config::registers::{WORD_BYTES, mechanism_address};
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct ControlRegisters {
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
    /// Policy code.
    pub policy: Signal<Out, Bits<2>>,
    /// Power-down threshold, cycles.
    pub pdt: Signal<Out, Bits<24>>,
    /// Check period, cycles.
    pub check_period: Signal<Out, Bits<16>>,
    /// T_on, flits per selectable port and check period.
    pub on_flits: Signal<Out, Bits<16>>,
    /// T_off likewise.
    pub off_flits: Signal<Out, Bits<16>>,
    /// T_s, cycles.
    pub t_sleep: Signal<Out, Bits<24>>,
    /// T_w, cycles.
    pub t_wake: Signal<Out, Bits<24>>,
    /// T_q, cycles; 0 = no refresh.
    pub t_quiet: Signal<Out, Bits<24>>,
    /// T_r, cycles; 0 = no refresh.
    pub t_refresh: Signal<Out, Bits<24>>,
    /// A wake request aborts `EnteringSleep`.
    pub abort_sleep: Signal<Out, Bit>,
    policy_r: Register<Bits<2>>,
    pdt_r: Register<Bits<24>>,
    check_period_r: Register<Bits<16>>,
    on_flits_r: Register<Bits<16>>,
    off_flits_r: Register<Bits<16>>,
    t_sleep_r: Register<Bits<24>>,
    t_wake_r: Register<Bits<24>>,
    t_quiet_r: Register<Bits<24>>,
    t_refresh_r: Register<Bits<24>>,
    abort_sleep_r: Register<Bit>,
    /// Addresses of the registers.
    policy_at: Constant<Bits<10>>,
    pdt_at: Constant<Bits<10>>,
    check_period_at: Constant<Bits<10>>,
    on_flits_at: Constant<Bits<10>>,
    off_flits_at: Constant<Bits<10>>,
    t_sleep_at: Constant<Bits<10>>,
    t_wake_at: Constant<Bits<10>>,
    t_quiet_at: Constant<Bits<10>>,
    t_refresh_at: Constant<Bits<10>>,
    abort_sleep_at: Constant<Bits<10>>,
    info: BlockInfo,
}

/// Address of a register.
fn at(name: &str) -> Constant<Bits<10>> {
    Constant::new(usize::from(mechanism_address(&MECHANISM, name) / WORD_BYTES).to_bits())
}

impl ControlRegisters {
    /// With these values after reset.
    pub fn new(reset: &RegisterValues) -> Self {
        build!(ControlRegisters {
            (
                clk, rst, write_enable, write_address, write_data, read_address, read_data, policy, pdt, check_period, on_flits,
                off_flits, t_sleep, t_wake, t_quiet, t_refresh, abort_sleep,
            )
            policy_r: Register::new(u64::from(reset.policy).into()),
            pdt_r: Register::new(u64::from(reset.pdt).into()),
            check_period_r: Register::new(u64::from(reset.check_period).into()),
            on_flits_r: Register::new(u64::from(reset.on_flits).into()),
            off_flits_r: Register::new(u64::from(reset.off_flits).into()),
            t_sleep_r: Register::new(u64::from(reset.t_sleep).into()),
            t_wake_r: Register::new(u64::from(reset.t_wake).into()),
            t_quiet_r: Register::new(u64::from(reset.t_quiet).into()),
            t_refresh_r: Register::new(u64::from(reset.t_refresh).into()),
            abort_sleep_r: Register::new(reset.abort_sleep),
            policy_at: at("policy"),
            pdt_at: at("pdt"),
            check_period_at: at("check_period"),
            on_flits_at: at("on_flits"),
            off_flits_at: at("off_flits"),
            t_sleep_at: at("t_sleep"),
            t_wake_at: at("t_wake"),
            t_quiet_at: at("t_quiet"),
            t_refresh_at: at("t_refresh"),
            abort_sleep_at: at("abort_sleep"),
            info: BlockInfo::new("control_registers", include_str!("control_registers.rs")),
        })
    }
}

impl Logic for ControlRegisters {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            policy_r,
            pdt_r,
            check_period_r,
            on_flits_r,
            off_flits_r,
            t_sleep_r,
            t_wake_r,
            t_quiet_r,
            t_refresh_r,
            abort_sleep_r
        );
        if self.write_enable.val() {
            if self.write_address.val() == self.policy_at.val() {
                self.policy_r.d.next = bit_cast::<2, 32>(self.write_data.val());
            } else if self.write_address.val() == self.pdt_at.val() {
                self.pdt_r.d.next = bit_cast::<24, 32>(self.write_data.val());
            } else if self.write_address.val() == self.check_period_at.val() {
                self.check_period_r.d.next = bit_cast::<16, 32>(self.write_data.val());
            } else if self.write_address.val() == self.on_flits_at.val() {
                self.on_flits_r.d.next = bit_cast::<16, 32>(self.write_data.val());
            } else if self.write_address.val() == self.off_flits_at.val() {
                self.off_flits_r.d.next = bit_cast::<16, 32>(self.write_data.val());
            } else if self.write_address.val() == self.t_sleep_at.val() {
                self.t_sleep_r.d.next = bit_cast::<24, 32>(self.write_data.val());
            } else if self.write_address.val() == self.t_wake_at.val() {
                self.t_wake_r.d.next = bit_cast::<24, 32>(self.write_data.val());
            } else if self.write_address.val() == self.t_quiet_at.val() {
                self.t_quiet_r.d.next = bit_cast::<24, 32>(self.write_data.val());
            } else if self.write_address.val() == self.t_refresh_at.val() {
                self.t_refresh_r.d.next = bit_cast::<24, 32>(self.write_data.val());
            } else if self.write_address.val() == self.abort_sleep_at.val() {
                self.abort_sleep_r.d.next = self.write_data.val().get_bit(0);
            }
        }
        self.read_data.next = 0.into();
        if self.read_address.val() == self.policy_at.val() {
            self.read_data.next = bit_cast::<32, 2>(self.policy_r.q.val());
        } else if self.read_address.val() == self.pdt_at.val() {
            self.read_data.next = bit_cast::<32, 24>(self.pdt_r.q.val());
        } else if self.read_address.val() == self.check_period_at.val() {
            self.read_data.next = bit_cast::<32, 16>(self.check_period_r.q.val());
        } else if self.read_address.val() == self.on_flits_at.val() {
            self.read_data.next = bit_cast::<32, 16>(self.on_flits_r.q.val());
        } else if self.read_address.val() == self.off_flits_at.val() {
            self.read_data.next = bit_cast::<32, 16>(self.off_flits_r.q.val());
        } else if self.read_address.val() == self.t_sleep_at.val() {
            self.read_data.next = bit_cast::<32, 24>(self.t_sleep_r.q.val());
        } else if self.read_address.val() == self.t_wake_at.val() {
            self.read_data.next = bit_cast::<32, 24>(self.t_wake_r.q.val());
        } else if self.read_address.val() == self.t_quiet_at.val() {
            self.read_data.next = bit_cast::<32, 24>(self.t_quiet_r.q.val());
        } else if self.read_address.val() == self.t_refresh_at.val() {
            self.read_data.next = bit_cast::<32, 24>(self.t_refresh_r.q.val());
        } else if self.read_address.val() == self.abort_sleep_at.val() {
            self.read_data.next = self.read_data.val().replace_bit(0, self.abort_sleep_r.q.val());
        }
        self.policy.next = self.policy_r.q.val();
        self.pdt.next = self.pdt_r.q.val();
        self.check_period.next = self.check_period_r.q.val();
        self.on_flits.next = self.on_flits_r.q.val();
        self.off_flits.next = self.off_flits_r.q.val();
        self.t_sleep.next = self.t_sleep_r.q.val();
        self.t_wake.next = self.t_wake_r.q.val();
        self.t_quiet.next = self.t_quiet_r.q.val();
        self.t_refresh.next = self.t_refresh_r.q.val();
        self.abort_sleep.next = self.abort_sleep_r.q.val();
    }
}

rtl_signals!(
    ControlRegisters,
    clocked,
    inputs(write_enable, write_address, write_data, read_address),
    outputs(
        read_data,
        policy,
        pdt,
        check_period,
        on_flits,
        off_flits,
        t_sleep,
        t_wake,
        t_quiet,
        t_refresh,
        abort_sleep
    ),
    registers(
        policy_r as "policy",
        pdt_r as "pdt",
        check_period_r as "check_period",
        on_flits_r as "on_flits",
        off_flits_r as "off_flits",
        t_sleep_r as "t_sleep",
        t_wake_r as "t_wake",
        t_quiet_r as "t_quiet",
        t_refresh_r as "t_refresh",
        abort_sleep_r as "abort_sleep",
    ),
    children(),
);
