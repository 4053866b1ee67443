//! Compares a group's flit count with T_on and T_off times its number of selectable ports.
//!
//! Latency:  `above` and `below` follow `count` in the same cycle; thresholds and port count act one cycle later, since
//!           the products are registered.
//! Range:    up to 64 ports; thresholds in flits per selectable port and check period. `above` is strictly greater,
//!           `below` strictly less.
//! Reset:    products 0.
//! Source:   POWAR Algorithms 2 and 3 (utilization > T_on, < T_off); docs/microarchitecture.md 3.7.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct ThresholdComparator {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Flits of the period so far.
    pub count: Signal<In, Bits<24>>,
    /// Selectable ports of the group.
    pub n_selectable: Signal<In, Bits<7>>,
    /// T_on: flits per selectable port and check period.
    pub on_flits: Signal<In, Bits<16>>,
    /// T_off likewise.
    pub off_flits: Signal<In, Bits<16>>,
    /// `count` is greater than T_on asks for.
    pub above: Signal<Out, Bit>,
    /// `count` is less than T_off asks for.
    pub below: Signal<Out, Bit>,
    /// n_selectable * on_flits, of the cycle before.
    on_limit_r: Register<Bits<24>>,
    /// n_selectable * off_flits, of the cycle before.
    off_limit_r: Register<Bits<24>>,
    /// Sums of the shifted thresholds: kernels can't multiply.
    on_product: Signal<Local, Bits<24>>,
    off_product: Signal<Local, Bits<24>>,
    info: BlockInfo,
}

impl ThresholdComparator {
    pub fn new() -> Self {
        ThresholdComparator {
            clk: Default::default(),
            rst: Default::default(),
            count: Default::default(),
            n_selectable: Default::default(),
            on_flits: Default::default(),
            off_flits: Default::default(),
            above: Default::default(),
            below: Default::default(),
            on_limit_r: Register::new(0.into()),
            off_limit_r: Register::new(0.into()),
            on_product: Default::default(),
            off_product: Default::default(),
            info: BlockInfo::new("threshold_comparator", include_str!("threshold_comparator.rs")),
        }
    }
}

impl Default for ThresholdComparator {
    fn default() -> Self {
        Self::new()
    }
}

impl Logic for ThresholdComparator {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, on_limit_r, off_limit_r);
        self.on_product.next = 0.into();
        self.off_product.next = 0.into();
        for b in 0..7 {
            if self.n_selectable.val().get_bit(b) {
                self.on_product.next =
                    self.on_product.val() + (bit_cast::<24, 16>(self.on_flits.val()) << b.to_bits::<3>());
                self.off_product.next =
                    self.off_product.val() + (bit_cast::<24, 16>(self.off_flits.val()) << b.to_bits::<3>());
            }
        }
        self.on_limit_r.d.next = self.on_product.val();
        self.off_limit_r.d.next = self.off_product.val();
        self.above.next = self.count.val() > self.on_limit_r.q.val();
        self.below.next = self.count.val() < self.off_limit_r.q.val();
    }
}

rtl_signals!(
    ThresholdComparator,
    clocked,
    inputs(count, n_selectable, on_flits, off_flits),
    outputs(above, below),
    registers(on_limit_r as "on_limit", off_limit_r as "off_limit"),
    children(),
);
