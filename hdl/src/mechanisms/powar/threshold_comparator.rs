//! Compares a group's flit count with T_on and T_off times its number of selectable ports.
//!
//! Latency:  `above` and `below` follow `count` in the same cycle; thresholds and port count act one cycle later, since
//!           the products are registered.
//! Range:    up to 64 ports; thresholds in flits per selectable port and check period. `above` is strictly greater,
//!           `below` strictly less.
//! Reset:    products 0.
//! Source:   POWAR Algorithms 2 and 3 (utilization > T_on, < T_off); docs/microarchitecture/mechanisms/powar.md.

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
    /// The thresholds shifted by each set bit of `n_selectable`: kernels can't multiply. Their sum is a tree, because a chain of
    /// seven adders would set the clock rate of the whole controller.
    on_part: Vec<Signal<Local, Bits<24>>>,
    off_part: Vec<Signal<Local, Bits<24>>>,
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
            on_part: vector(7),
            off_part: vector(7),
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
        for b in 0..7 {
            self.on_part[b].next = 0.into();
            self.off_part[b].next = 0.into();
            if self.n_selectable.val().get_bit(b) {
                self.on_part[b].next = bit_cast::<24, 16>(self.on_flits.val()) << b.to_bits::<3>();
                self.off_part[b].next = bit_cast::<24, 16>(self.off_flits.val()) << b.to_bits::<3>();
            }
        }
        self.on_limit_r.d.next = ((self.on_part[0].val() + self.on_part[1].val())
            + (self.on_part[2].val() + self.on_part[3].val()))
            + ((self.on_part[4].val() + self.on_part[5].val()) + self.on_part[6].val());
        self.off_limit_r.d.next = ((self.off_part[0].val() + self.off_part[1].val())
            + (self.off_part[2].val() + self.off_part[3].val()))
            + ((self.off_part[4].val() + self.off_part[5].val()) + self.off_part[6].val());
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
