//! The controller's registers, written through a simple write port while the switch runs.
//!
//! Latency:  a write of cycle t shows from cycle t+1 on.
//! Range:    any value; each block says what it does with it. The low bits of `write_data` are taken.
//! Map:      the constants below; a written `clear_statistics` lasts one cycle, writes to other addresses are ignored.
//! Reset:    the configuration's values.
//! Source:   docs/microarchitecture.md 3.12.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::RegisterValues;
use powar_config::register_map::control_address;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct ControlRegisters {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Write `write_data` to `write_address` at the end of this cycle.
    pub write_enable: Signal<In, Bit>,
    pub write_address: Signal<In, Bits<4>>,
    pub write_data: Signal<In, Bits<32>>,
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
    /// Lasts one cycle: all statistics back to 0.
    pub clear_statistics: Signal<Out, Bit>,
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
    clear_statistics_r: Register<Bit>,
    /// Addresses of the registers.
    policy_at: Constant<Bits<4>>,
    pdt_at: Constant<Bits<4>>,
    check_period_at: Constant<Bits<4>>,
    on_flits_at: Constant<Bits<4>>,
    off_flits_at: Constant<Bits<4>>,
    t_sleep_at: Constant<Bits<4>>,
    t_wake_at: Constant<Bits<4>>,
    t_quiet_at: Constant<Bits<4>>,
    t_refresh_at: Constant<Bits<4>>,
    abort_sleep_at: Constant<Bits<4>>,
    clear_statistics_at: Constant<Bits<4>>,
    info: BlockInfo,
}

/// Write address of a register.
fn at(name: &str) -> Constant<Bits<4>> {
    Constant::new(control_address(name).to_bits())
}

impl ControlRegisters {
    /// With these values after reset.
    pub fn new(reset: &RegisterValues) -> Self {
        ControlRegisters {
            clk: Default::default(),
            rst: Default::default(),
            write_enable: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            policy: Default::default(),
            pdt: Default::default(),
            check_period: Default::default(),
            on_flits: Default::default(),
            off_flits: Default::default(),
            t_sleep: Default::default(),
            t_wake: Default::default(),
            t_quiet: Default::default(),
            t_refresh: Default::default(),
            abort_sleep: Default::default(),
            clear_statistics: Default::default(),
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
            clear_statistics_r: Register::new(false),
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
            clear_statistics_at: at("clear_statistics"),
            info: BlockInfo::new("control_registers", include_str!("control_registers.rs")),
        }
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
            abort_sleep_r,
            clear_statistics_r
        );
        self.clear_statistics_r.d.next = false;
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
            } else if self.write_address.val() == self.clear_statistics_at.val() {
                self.clear_statistics_r.d.next = self.write_data.val().get_bit(0);
            }
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
        self.clear_statistics.next = self.clear_statistics_r.q.val();
    }
}

rtl_signals!(
    ControlRegisters,
    clocked,
    inputs(write_enable, write_address, write_data),
    outputs(policy, pdt, check_period, on_flits, off_flits, t_sleep, t_wake, t_quiet, t_refresh, abort_sleep, clear_statistics),
    registers(policy_r as "policy", pdt_r as "pdt", check_period_r as "check_period", on_flits_r as "on_flits", off_flits_r as "off_flits", t_sleep_r as "t_sleep", t_wake_r as "t_wake", t_quiet_r as "t_quiet", t_refresh_r as "t_refresh", abort_sleep_r as "abort_sleep", clear_statistics_r as "clear_statistics"),
    children(),
);
