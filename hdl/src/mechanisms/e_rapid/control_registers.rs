//! The registers of E-RAPID's mechanism, written and read while the switch runs.
//!
//! Latency:  a write of cycle t shows from cycle t+1 on; `read_data` follows `read_address` in the same cycle, and so do the counts.
//! Range:    any value; each block says what it does with it. The low bits of `write_data` are taken.
//! Map:      the constants below, byte addresses / 4; writes to other addresses and to the counts are ignored, reads of others give 0.
//! Reset:    the configuration's values.
//! Source:   docs/microarchitecture/mechanisms/e_rapid.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::mechanism::e_rapid::{ERapidValues, MECHANISM};
use powar_config::registers::{WORD_BYTES, mechanism_address};
use rust_hdl::prelude::*;

/// Name of its Verilog module, and in the list of blocks.
pub(super) const NAME: &str = "e_rapid_control_registers";

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
    /// Words of the ring thrown away for their parity.
    pub ring_errors: Signal<In, Bits<16>>,
    /// Messages that did not come back.
    pub lost_messages: Signal<In, Bits<16>>,
    /// That register.
    pub read_data: Signal<Out, Bits<32>>,
    /// Policy code: bit 0 power, bit 1 bandwidth.
    pub policy: Signal<Out, Bits<2>>,
    /// Reconfiguration window, cycles.
    pub window: Signal<Out, Bits<12>>,
    /// Cycles of a window with packets waiting at and below which a wavelength goes one level down.
    pub b_min: Signal<Out, Bits<12>>,
    /// Cycles above which it goes one level up.
    pub b_max: Signal<Out, Bits<12>>,
    /// Cycles above which a board is given more wavelengths.
    pub b_con: Signal<Out, Bits<12>>,
    /// Most wavelengths that a board is given to another.
    pub degree: Signal<Out, Bits<4>>,
    /// Cycles of a change of rate, and from laser on to the first flit.
    pub dead_time: Signal<Out, Bits<8>>,
    policy_r: Register<Bits<2>>,
    window_r: Register<Bits<12>>,
    b_min_r: Register<Bits<12>>,
    b_max_r: Register<Bits<12>>,
    b_con_r: Register<Bits<12>>,
    degree_r: Register<Bits<4>>,
    dead_time_r: Register<Bits<8>>,
    /// Addresses of the registers.
    policy_at: Constant<Bits<10>>,
    window_at: Constant<Bits<10>>,
    b_min_at: Constant<Bits<10>>,
    b_max_at: Constant<Bits<10>>,
    b_con_at: Constant<Bits<10>>,
    degree_at: Constant<Bits<10>>,
    dead_time_at: Constant<Bits<10>>,
    ring_errors_at: Constant<Bits<10>>,
    lost_messages_at: Constant<Bits<10>>,
    info: BlockInfo,
}

/// Address of a register.
fn at(name: &str) -> Constant<Bits<10>> {
    Constant::new(usize::from(mechanism_address(&MECHANISM, name) / WORD_BYTES).to_bits())
}

impl ControlRegisters {
    /// With these values after reset.
    pub fn new(reset: &ERapidValues) -> Self {
        build!(ControlRegisters {
            (
                clk, rst, write_enable, write_address, write_data, read_address, ring_errors, lost_messages, read_data, policy, window, b_min,
                b_max, b_con, degree, dead_time,
            )
            policy_r: Register::new(u64::from(reset.policy).into()),
            window_r: Register::new(u64::from(reset.window).into()),
            b_min_r: Register::new(u64::from(reset.b_min).into()),
            b_max_r: Register::new(u64::from(reset.b_max).into()),
            b_con_r: Register::new(u64::from(reset.b_con).into()),
            degree_r: Register::new(u64::from(reset.degree).into()),
            dead_time_r: Register::new(u64::from(reset.dead_time).into()),
            policy_at: at("policy"),
            window_at: at("window"),
            b_min_at: at("b_min"),
            b_max_at: at("b_max"),
            b_con_at: at("b_con"),
            degree_at: at("degree"),
            dead_time_at: at("dead_time"),
            ring_errors_at: at("ring_errors"),
            lost_messages_at: at("lost_messages"),
            info: BlockInfo::new(NAME, include_str!("control_registers.rs")),
        })
    }
}

impl Logic for ControlRegisters {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, policy_r, window_r, b_min_r, b_max_r, b_con_r, degree_r, dead_time_r);
        if self.write_enable.val() {
            if self.write_address.val() == self.policy_at.val() {
                self.policy_r.d.next = bit_cast::<2, 32>(self.write_data.val());
            } else if self.write_address.val() == self.window_at.val() {
                self.window_r.d.next = bit_cast::<12, 32>(self.write_data.val());
            } else if self.write_address.val() == self.b_min_at.val() {
                self.b_min_r.d.next = bit_cast::<12, 32>(self.write_data.val());
            } else if self.write_address.val() == self.b_max_at.val() {
                self.b_max_r.d.next = bit_cast::<12, 32>(self.write_data.val());
            } else if self.write_address.val() == self.b_con_at.val() {
                self.b_con_r.d.next = bit_cast::<12, 32>(self.write_data.val());
            } else if self.write_address.val() == self.degree_at.val() {
                self.degree_r.d.next = bit_cast::<4, 32>(self.write_data.val());
            } else if self.write_address.val() == self.dead_time_at.val() {
                self.dead_time_r.d.next = bit_cast::<8, 32>(self.write_data.val());
            }
        }
        self.read_data.next = 0.into();
        if self.read_address.val() == self.policy_at.val() {
            self.read_data.next = bit_cast::<32, 2>(self.policy_r.q.val());
        } else if self.read_address.val() == self.window_at.val() {
            self.read_data.next = bit_cast::<32, 12>(self.window_r.q.val());
        } else if self.read_address.val() == self.b_min_at.val() {
            self.read_data.next = bit_cast::<32, 12>(self.b_min_r.q.val());
        } else if self.read_address.val() == self.b_max_at.val() {
            self.read_data.next = bit_cast::<32, 12>(self.b_max_r.q.val());
        } else if self.read_address.val() == self.b_con_at.val() {
            self.read_data.next = bit_cast::<32, 12>(self.b_con_r.q.val());
        } else if self.read_address.val() == self.degree_at.val() {
            self.read_data.next = bit_cast::<32, 4>(self.degree_r.q.val());
        } else if self.read_address.val() == self.dead_time_at.val() {
            self.read_data.next = bit_cast::<32, 8>(self.dead_time_r.q.val());
        } else if self.read_address.val() == self.ring_errors_at.val() {
            self.read_data.next = bit_cast::<32, 16>(self.ring_errors.val());
        } else if self.read_address.val() == self.lost_messages_at.val() {
            self.read_data.next = bit_cast::<32, 16>(self.lost_messages.val());
        }
        self.policy.next = self.policy_r.q.val();
        self.window.next = self.window_r.q.val();
        self.b_min.next = self.b_min_r.q.val();
        self.b_max.next = self.b_max_r.q.val();
        self.b_con.next = self.b_con_r.q.val();
        self.degree.next = self.degree_r.q.val();
        self.dead_time.next = self.dead_time_r.q.val();
    }
}

rtl_signals!(
    ControlRegisters,
    clocked,
    inputs(write_enable, write_address, write_data, read_address, ring_errors, lost_messages),
    outputs(read_data, policy, window, b_min, b_max, b_con, degree, dead_time),
    registers(
        policy_r as "policy",
        window_r as "window",
        b_min_r as "b_min",
        b_max_r as "b_max",
        b_con_r as "b_con",
        degree_r as "degree",
        dead_time_r as "dead_time",
    ),
    children(),
);
