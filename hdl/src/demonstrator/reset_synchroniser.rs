//! The reset of a board: in step with the clock, and for a while after everything is ready.
//!
//! Use:      `ready` may come in no step with the clock: the lock of a PLL and a button. `rst` is tied to 0 on a board, whose flip-flops start
//!           at 0; simulations set it once.
//! Latency:  `reset` falls 18 cycles after `ready` has risen for good, and rises three cycles after it has fallen.
//! Reset:    `reset` = 1 one cycle later.
//! Source:   docs/microarchitecture/demonstrator.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct ResetSynchroniser {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Clock and board are ready.
    pub ready: Signal<In, Bit>,
    /// The reset of everything else, active high.
    pub reset: Signal<Out, Bit>,
    /// `ready` of the last two cycles, bit 0 the newer one.
    synchroniser_r: Register<Bits<2>>,
    /// Cycles for which it has been ready; stays at 15.
    count_r: Register<Bits<4>>,
    /// No reset is needed any more. Starts at 0.
    released_r: Register<Bit>,
    steady: Signal<Local, Bit>,
    info: BlockInfo,
}

impl ResetSynchroniser {
    pub fn new() -> Self {
        build!(ResetSynchroniser {
            (clk, rst, ready, reset, synchroniser_r, count_r, released_r, steady)
            info: BlockInfo::new("reset_synchroniser", include_str!("reset_synchroniser.rs")),
        })
    }
}

impl Default for ResetSynchroniser {
    fn default() -> Self {
        Self::new()
    }
}

impl Logic for ResetSynchroniser {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, synchroniser_r, count_r, released_r);
        self.synchroniser_r.d.next = (self.synchroniser_r.q.val() << 1).replace_bit(0, self.ready.val());
        self.steady.next = self.synchroniser_r.q.val().get_bit(1);
        if !self.steady.val() {
            self.count_r.d.next = 0.into();
        } else if !self.count_r.q.val().all() {
            self.count_r.d.next = self.count_r.q.val() + 1;
        }
        self.released_r.d.next = self.steady.val() & self.count_r.q.val().all();
        self.reset.next = !self.released_r.q.val();
    }
}

rtl_signals!(
    ResetSynchroniser,
    clocked,
    inputs(ready),
    outputs(reset),
    registers(synchroniser_r as "synchroniser", count_r as "count", released_r as "released"),
    children(),
);
