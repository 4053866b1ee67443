//! Marks the last cycle of each check period (Algorithms 2 and 3: "periodically").
//!
//! Latency:  `check` follows `period` in the same cycle.
//! Range:    any period; 0 and 1 both check in every cycle. A shorter period written in mid-run takes effect at once.
//! Reset:    a period begins.
//! Source:   POWAR section 3.1; docs/microarchitecture/power.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct CheckTimer {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Check period, cycles.
    pub period: Signal<In, Bits<16>>,
    /// 1 in the last cycle of each period.
    pub check: Signal<Out, Bit>,
    /// Cycles of this period that have passed.
    count_r: Register<Bits<16>>,
    /// The same with this cycle, one bit wider so that it can't wrap.
    elapsed: Signal<Local, Bits<17>>,
    info: BlockInfo,
}

impl CheckTimer {
    pub fn new() -> Self {
        CheckTimer {
            clk: Default::default(),
            rst: Default::default(),
            period: Default::default(),
            check: Default::default(),
            count_r: Register::new(0.into()),
            elapsed: Default::default(),
            info: BlockInfo::new("check_timer", include_str!("check_timer.rs")),
        }
    }
}

impl Default for CheckTimer {
    fn default() -> Self {
        Self::new()
    }
}

impl Logic for CheckTimer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, count_r);
        self.elapsed.next = bit_cast::<17, 16>(self.count_r.q.val()) + 1;
        self.check.next = self.elapsed.val() >= bit_cast::<17, 16>(self.period.val());
        if self.check.val() {
            self.count_r.d.next = 0.into();
        } else {
            self.count_r.d.next = bit_cast::<16, 17>(self.elapsed.val());
        }
    }
}

rtl_signals!(CheckTimer, clocked, inputs(period), outputs(check), registers(count_r as "count"), children());
