//! The registers of Alonso's mechanism, written and read while the switch runs.
//!
//! Latency:  a write of cycle t shows from cycle t+1 on; `read_data` follows `read_address` in the same cycle.
//! Range:    any value; each block says what it does with it. The low bits of `write_data` are taken.
//! Map:      the constants below, byte addresses / 4; writes to other addresses are ignored, reads of them give 0.
//! Reset:    the configuration's values.
//! Source:   docs/microarchitecture/mechanisms/alonso.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::mechanism::alonso::{AlonsoValues, MECHANISM};
use powar_config::registers::{WORD_BYTES, mechanism_address};
use rust_hdl::prelude::*;

/// Name of its Verilog module, and in the list of blocks.
pub(super) const NAME: &str = "alonso_control_registers";

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
    /// Check period, cycles.
    pub check_period: Signal<Out, Bits<16>>,
    /// U_on, flits per link and check period.
    pub on_flits: Signal<Out, Bits<16>>,
    /// U_off likewise.
    pub off_flits: Signal<Out, Bits<16>>,
    /// Cycles until a link that comes on is usable.
    pub t_on: Signal<Out, Bits<24>>,
    /// Cycles at full power of a link that goes off.
    pub t_off: Signal<Out, Bits<24>>,
    /// Hints of nodes switch all links on.
    pub litmus: Signal<Out, Bit>,
    /// Only the Minimal Tree is on after a reset.
    pub start: Signal<Out, Bit>,
    policy_r: Register<Bits<2>>,
    check_period_r: Register<Bits<16>>,
    on_flits_r: Register<Bits<16>>,
    off_flits_r: Register<Bits<16>>,
    t_on_r: Register<Bits<24>>,
    t_off_r: Register<Bits<24>>,
    litmus_r: Register<Bit>,
    start_r: Register<Bit>,
    /// Addresses of the registers.
    policy_at: Constant<Bits<10>>,
    check_period_at: Constant<Bits<10>>,
    on_flits_at: Constant<Bits<10>>,
    off_flits_at: Constant<Bits<10>>,
    t_on_at: Constant<Bits<10>>,
    t_off_at: Constant<Bits<10>>,
    litmus_at: Constant<Bits<10>>,
    start_at: Constant<Bits<10>>,
    info: BlockInfo,
}

/// Address of a register.
fn at(name: &str) -> Constant<Bits<10>> {
    Constant::new(usize::from(mechanism_address(&MECHANISM, name) / WORD_BYTES).to_bits())
}

impl ControlRegisters {
    /// With these values after reset.
    pub fn new(reset: &AlonsoValues) -> Self {
        build!(ControlRegisters {
            (
                clk, rst, write_enable, write_address, write_data, read_address, read_data, policy, check_period, on_flits, off_flits,
                t_on, t_off, litmus, start,
            )
            policy_r: Register::new(u64::from(reset.policy).into()),
            check_period_r: Register::new(u64::from(reset.check_period).into()),
            on_flits_r: Register::new(u64::from(reset.on_flits).into()),
            off_flits_r: Register::new(u64::from(reset.off_flits).into()),
            t_on_r: Register::new(u64::from(reset.t_on).into()),
            t_off_r: Register::new(u64::from(reset.t_off).into()),
            litmus_r: Register::new(reset.litmus),
            start_r: Register::new(reset.start),
            policy_at: at("policy"),
            check_period_at: at("check_period"),
            on_flits_at: at("on_flits"),
            off_flits_at: at("off_flits"),
            t_on_at: at("t_on"),
            t_off_at: at("t_off"),
            litmus_at: at("litmus"),
            start_at: at("start"),
            info: BlockInfo::new(NAME, include_str!("control_registers.rs")),
        })
    }
}

impl Logic for ControlRegisters {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, policy_r, check_period_r, on_flits_r, off_flits_r, t_on_r, t_off_r, litmus_r, start_r);
        if self.write_enable.val() {
            if self.write_address.val() == self.policy_at.val() {
                self.policy_r.d.next = bit_cast::<2, 32>(self.write_data.val());
            } else if self.write_address.val() == self.check_period_at.val() {
                self.check_period_r.d.next = bit_cast::<16, 32>(self.write_data.val());
            } else if self.write_address.val() == self.on_flits_at.val() {
                self.on_flits_r.d.next = bit_cast::<16, 32>(self.write_data.val());
            } else if self.write_address.val() == self.off_flits_at.val() {
                self.off_flits_r.d.next = bit_cast::<16, 32>(self.write_data.val());
            } else if self.write_address.val() == self.t_on_at.val() {
                self.t_on_r.d.next = bit_cast::<24, 32>(self.write_data.val());
            } else if self.write_address.val() == self.t_off_at.val() {
                self.t_off_r.d.next = bit_cast::<24, 32>(self.write_data.val());
            } else if self.write_address.val() == self.litmus_at.val() {
                self.litmus_r.d.next = self.write_data.val().get_bit(0);
            } else if self.write_address.val() == self.start_at.val() {
                self.start_r.d.next = self.write_data.val().get_bit(0);
            }
        }
        self.read_data.next = 0.into();
        if self.read_address.val() == self.policy_at.val() {
            self.read_data.next = bit_cast::<32, 2>(self.policy_r.q.val());
        } else if self.read_address.val() == self.check_period_at.val() {
            self.read_data.next = bit_cast::<32, 16>(self.check_period_r.q.val());
        } else if self.read_address.val() == self.on_flits_at.val() {
            self.read_data.next = bit_cast::<32, 16>(self.on_flits_r.q.val());
        } else if self.read_address.val() == self.off_flits_at.val() {
            self.read_data.next = bit_cast::<32, 16>(self.off_flits_r.q.val());
        } else if self.read_address.val() == self.t_on_at.val() {
            self.read_data.next = bit_cast::<32, 24>(self.t_on_r.q.val());
        } else if self.read_address.val() == self.t_off_at.val() {
            self.read_data.next = bit_cast::<32, 24>(self.t_off_r.q.val());
        } else if self.read_address.val() == self.litmus_at.val() {
            self.read_data.next = self.read_data.val().replace_bit(0, self.litmus_r.q.val());
        } else if self.read_address.val() == self.start_at.val() {
            self.read_data.next = self.read_data.val().replace_bit(0, self.start_r.q.val());
        }
        self.policy.next = self.policy_r.q.val();
        self.check_period.next = self.check_period_r.q.val();
        self.on_flits.next = self.on_flits_r.q.val();
        self.off_flits.next = self.off_flits_r.q.val();
        self.t_on.next = self.t_on_r.q.val();
        self.t_off.next = self.t_off_r.q.val();
        self.litmus.next = self.litmus_r.q.val();
        self.start.next = self.start_r.q.val();
    }
}

rtl_signals!(
    ControlRegisters,
    clocked,
    inputs(write_enable, write_address, write_data, read_address),
    outputs(read_data, policy, check_period, on_flits, off_flits, t_on, t_off, litmus, start),
    registers(
        policy_r as "policy",
        check_period_r as "check_period",
        on_flits_r as "on_flits",
        off_flits_r as "off_flits",
        t_on_r as "t_on",
        t_off_r as "t_off",
        litmus_r as "litmus",
        start_r as "start",
    ),
    children(),
);
