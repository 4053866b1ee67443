//! The registers of Soteriou and Peh's mechanism, written and read while the switch runs.
//!
//! Latency:  a write of cycle t shows from cycle t+1 on; `read_data` follows `read_address` in the same cycle.
//! Range:    any value; each block says what it does with it. The low bits of `write_data` are taken.
//! Map:      the constants below, byte addresses / 4; writes to other addresses are ignored, reads of them give 0.
//! Reset:    the configuration's values.
//! Source:   docs/microarchitecture/mechanisms/soteriou_peh.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::mechanism::soteriou_peh::{MECHANISM, SoteriouPehValues};
use powar_config::registers::{WORD_BYTES, mechanism_address};
use rust_hdl::prelude::*;

/// Name of its Verilog module, and in the list of blocks.
pub(super) const NAME: &str = "soteriou_peh_control_registers";

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
    /// Sampling window, cycles.
    pub window: Signal<Out, Bits<16>>,
    /// Load for off with one link on, times 10 windows.
    pub sleep_load: Signal<Out, Bits<20>>,
    /// More for each further link on.
    pub sleep_step: Signal<Out, Bits<20>>,
    /// Load for on with one link off, likewise.
    pub wake_load: Signal<Out, Bits<20>>,
    /// Less for each further link off.
    pub wake_step: Signal<Out, Bits<20>>,
    /// Cycles of a transition.
    pub t_trans: Signal<Out, Bits<24>>,
    /// Age beyond which idle times double, quarters of a cycle.
    pub age_limit: Signal<Out, Bits<16>>,
    /// Idle cycles until a link goes off with one link on, or none.
    pub idle_1: Signal<Out, Bits<23>>,
    /// With two.
    pub idle_2: Signal<Out, Bits<23>>,
    /// With three.
    pub idle_3: Signal<Out, Bits<23>>,
    /// With four and more.
    pub idle_4: Signal<Out, Bits<23>>,
    policy_r: Register<Bits<2>>,
    window_r: Register<Bits<16>>,
    sleep_load_r: Register<Bits<20>>,
    sleep_step_r: Register<Bits<20>>,
    wake_load_r: Register<Bits<20>>,
    wake_step_r: Register<Bits<20>>,
    t_trans_r: Register<Bits<24>>,
    age_limit_r: Register<Bits<16>>,
    idle_1_r: Register<Bits<23>>,
    idle_2_r: Register<Bits<23>>,
    idle_3_r: Register<Bits<23>>,
    idle_4_r: Register<Bits<23>>,
    /// Addresses of the registers.
    policy_at: Constant<Bits<10>>,
    window_at: Constant<Bits<10>>,
    sleep_load_at: Constant<Bits<10>>,
    sleep_step_at: Constant<Bits<10>>,
    wake_load_at: Constant<Bits<10>>,
    wake_step_at: Constant<Bits<10>>,
    t_trans_at: Constant<Bits<10>>,
    age_limit_at: Constant<Bits<10>>,
    idle_1_at: Constant<Bits<10>>,
    idle_2_at: Constant<Bits<10>>,
    idle_3_at: Constant<Bits<10>>,
    idle_4_at: Constant<Bits<10>>,
    info: BlockInfo,
}

/// Address of a register.
fn at(name: &str) -> Constant<Bits<10>> {
    Constant::new(usize::from(mechanism_address(&MECHANISM, name) / WORD_BYTES).to_bits())
}

impl ControlRegisters {
    /// With these values after reset.
    pub fn new(reset: &SoteriouPehValues) -> Self {
        build!(ControlRegisters {
            (
                clk, rst, write_enable, write_address, write_data, read_address, read_data, policy, window, sleep_load, sleep_step,
                wake_load, wake_step, t_trans, age_limit, idle_1, idle_2, idle_3, idle_4,
            )
            policy_r: Register::new(u64::from(reset.policy).into()),
            window_r: Register::new(u64::from(reset.window).into()),
            sleep_load_r: Register::new(u64::from(reset.sleep_load).into()),
            sleep_step_r: Register::new(u64::from(reset.sleep_step).into()),
            wake_load_r: Register::new(u64::from(reset.wake_load).into()),
            wake_step_r: Register::new(u64::from(reset.wake_step).into()),
            t_trans_r: Register::new(u64::from(reset.t_trans).into()),
            age_limit_r: Register::new(u64::from(reset.age_limit).into()),
            idle_1_r: Register::new(u64::from(reset.idle[0]).into()),
            idle_2_r: Register::new(u64::from(reset.idle[1]).into()),
            idle_3_r: Register::new(u64::from(reset.idle[2]).into()),
            idle_4_r: Register::new(u64::from(reset.idle[3]).into()),
            policy_at: at("policy"),
            window_at: at("window"),
            sleep_load_at: at("sleep_load"),
            sleep_step_at: at("sleep_step"),
            wake_load_at: at("wake_load"),
            wake_step_at: at("wake_step"),
            t_trans_at: at("t_trans"),
            age_limit_at: at("age_limit"),
            idle_1_at: at("idle_1"),
            idle_2_at: at("idle_2"),
            idle_3_at: at("idle_3"),
            idle_4_at: at("idle_4"),
            info: BlockInfo::new(NAME, include_str!("control_registers.rs")),
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
            window_r,
            sleep_load_r,
            sleep_step_r,
            wake_load_r,
            wake_step_r,
            t_trans_r,
            age_limit_r,
            idle_1_r,
            idle_2_r,
            idle_3_r,
            idle_4_r
        );
        if self.write_enable.val() {
            if self.write_address.val() == self.policy_at.val() {
                self.policy_r.d.next = bit_cast::<2, 32>(self.write_data.val());
            } else if self.write_address.val() == self.window_at.val() {
                self.window_r.d.next = bit_cast::<16, 32>(self.write_data.val());
            } else if self.write_address.val() == self.sleep_load_at.val() {
                self.sleep_load_r.d.next = bit_cast::<20, 32>(self.write_data.val());
            } else if self.write_address.val() == self.sleep_step_at.val() {
                self.sleep_step_r.d.next = bit_cast::<20, 32>(self.write_data.val());
            } else if self.write_address.val() == self.wake_load_at.val() {
                self.wake_load_r.d.next = bit_cast::<20, 32>(self.write_data.val());
            } else if self.write_address.val() == self.wake_step_at.val() {
                self.wake_step_r.d.next = bit_cast::<20, 32>(self.write_data.val());
            } else if self.write_address.val() == self.t_trans_at.val() {
                self.t_trans_r.d.next = bit_cast::<24, 32>(self.write_data.val());
            } else if self.write_address.val() == self.age_limit_at.val() {
                self.age_limit_r.d.next = bit_cast::<16, 32>(self.write_data.val());
            } else if self.write_address.val() == self.idle_1_at.val() {
                self.idle_1_r.d.next = bit_cast::<23, 32>(self.write_data.val());
            } else if self.write_address.val() == self.idle_2_at.val() {
                self.idle_2_r.d.next = bit_cast::<23, 32>(self.write_data.val());
            } else if self.write_address.val() == self.idle_3_at.val() {
                self.idle_3_r.d.next = bit_cast::<23, 32>(self.write_data.val());
            } else if self.write_address.val() == self.idle_4_at.val() {
                self.idle_4_r.d.next = bit_cast::<23, 32>(self.write_data.val());
            }
        }
        self.read_data.next = 0.into();
        if self.read_address.val() == self.policy_at.val() {
            self.read_data.next = bit_cast::<32, 2>(self.policy_r.q.val());
        } else if self.read_address.val() == self.window_at.val() {
            self.read_data.next = bit_cast::<32, 16>(self.window_r.q.val());
        } else if self.read_address.val() == self.sleep_load_at.val() {
            self.read_data.next = bit_cast::<32, 20>(self.sleep_load_r.q.val());
        } else if self.read_address.val() == self.sleep_step_at.val() {
            self.read_data.next = bit_cast::<32, 20>(self.sleep_step_r.q.val());
        } else if self.read_address.val() == self.wake_load_at.val() {
            self.read_data.next = bit_cast::<32, 20>(self.wake_load_r.q.val());
        } else if self.read_address.val() == self.wake_step_at.val() {
            self.read_data.next = bit_cast::<32, 20>(self.wake_step_r.q.val());
        } else if self.read_address.val() == self.t_trans_at.val() {
            self.read_data.next = bit_cast::<32, 24>(self.t_trans_r.q.val());
        } else if self.read_address.val() == self.age_limit_at.val() {
            self.read_data.next = bit_cast::<32, 16>(self.age_limit_r.q.val());
        } else if self.read_address.val() == self.idle_1_at.val() {
            self.read_data.next = bit_cast::<32, 23>(self.idle_1_r.q.val());
        } else if self.read_address.val() == self.idle_2_at.val() {
            self.read_data.next = bit_cast::<32, 23>(self.idle_2_r.q.val());
        } else if self.read_address.val() == self.idle_3_at.val() {
            self.read_data.next = bit_cast::<32, 23>(self.idle_3_r.q.val());
        } else if self.read_address.val() == self.idle_4_at.val() {
            self.read_data.next = bit_cast::<32, 23>(self.idle_4_r.q.val());
        }
        self.policy.next = self.policy_r.q.val();
        self.window.next = self.window_r.q.val();
        self.sleep_load.next = self.sleep_load_r.q.val();
        self.sleep_step.next = self.sleep_step_r.q.val();
        self.wake_load.next = self.wake_load_r.q.val();
        self.wake_step.next = self.wake_step_r.q.val();
        self.t_trans.next = self.t_trans_r.q.val();
        self.age_limit.next = self.age_limit_r.q.val();
        self.idle_1.next = self.idle_1_r.q.val();
        self.idle_2.next = self.idle_2_r.q.val();
        self.idle_3.next = self.idle_3_r.q.val();
        self.idle_4.next = self.idle_4_r.q.val();
    }
}

rtl_signals!(
    ControlRegisters,
    clocked,
    inputs(write_enable, write_address, write_data, read_address),
    outputs(
        read_data, policy, window, sleep_load, sleep_step, wake_load, wake_step, t_trans, age_limit, idle_1, idle_2, idle_3, idle_4,
    ),
    registers(
        policy_r as "policy",
        window_r as "window",
        sleep_load_r as "sleep_load",
        sleep_step_r as "sleep_step",
        wake_load_r as "wake_load",
        wake_step_r as "wake_step",
        t_trans_r as "t_trans",
        age_limit_r as "age_limit",
        idle_1_r as "idle_1",
        idle_2_r as "idle_2",
        idle_3_r as "idle_3",
        idle_4_r as "idle_4",
    ),
    children(),
);
