//! Tells whether flits stay in the input buffers of a router for longer than they should: then links go off later.
//!
//! Age:      flits in buffers, summed over cycles, by the flits that have left: both are predictions.
//! Latency:  a check of cycle t shows in `late` from cycle t+3 on.
//! Range:    any limit in quarters of a cycle; nothing wraps. With flits in the buffers that never leave they are late.
//! Reset:    not late.
//! Source:   Soteriou and Peh 2004, equation 3, sections III-C and IV-B; docs/microarchitecture/mechanisms/soteriou_peh.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct AgeMonitor {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Last cycle of a window.
    pub check: Signal<In, Bit>,
    /// Flits read from the buffers in the window.
    pub departures: Signal<In, Bits<24>>,
    /// Bit i: a check was i + 1 cycles ago.
    pub stage: Signal<In, Bits<3>>,
    /// The prediction of flits in buffers over the cycles of a window.
    pub past_filled: Signal<In, Bits<36>>,
    /// Quarters of a cycle.
    pub age_limit: Signal<In, Bits<16>>,
    /// Flits were older than that.
    pub late: Signal<Out, Bit>,
    past_departures_r: Register<Bits<24>>,
    allowed_r: Register<Bits<40>>,
    late_r: Register<Bit>,
    /// This window three times and the last prediction.
    departures_sum: Signal<Local, Bits<26>>,
    /// The limit times the departures, bit by bit.
    product: Signal<Local, Bits<40>>,
    info: BlockInfo,
}

impl AgeMonitor {
    pub fn new() -> Self {
        build!(AgeMonitor {
            (clk, rst, check, departures, stage, past_filled, age_limit, late, departures_sum, product)
            past_departures_r: Register::new(0.into()),
            allowed_r: Register::new(0.into()),
            late_r: Register::new(false),
            info: BlockInfo::new("age_monitor", include_str!("age_monitor.rs")),
        })
    }
}

impl Default for AgeMonitor {
    fn default() -> Self {
        Self::new()
    }
}

impl Logic for AgeMonitor {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, past_departures_r, allowed_r, late_r);
        self.departures_sum.next = bit_cast::<26, 24>(self.departures.val())
            + (bit_cast::<26, 24>(self.departures.val()) << 1)
            + bit_cast::<26, 24>(self.past_departures_r.q.val());
        if self.check.val() {
            self.past_departures_r.d.next = self.departures_sum.val().get_bits::<24>(2);
        }
        self.product.next = 0.into();
        for b in 0..16 {
            if self.age_limit.val().get_bit(b) {
                self.product.next =
                    self.product.val() + (bit_cast::<40, 24>(self.past_departures_r.q.val()) << b.to_bits::<4>());
            }
        }
        if self.stage.val().get_bit(0) {
            self.allowed_r.d.next = self.product.val();
        }
        if self.stage.val().get_bit(1) {
            self.late_r.d.next = (bit_cast::<40, 36>(self.past_filled.val()) << 2) > self.allowed_r.q.val();
        }
        self.late.next = self.late_r.q.val();
    }
}

rtl_signals!(
    AgeMonitor,
    clocked,
    inputs(check, departures, stage, past_filled, age_limit),
    outputs(late),
    registers(past_departures_r as "past_departures", allowed_r as "allowed", late_r as "late"),
    children(),
);
