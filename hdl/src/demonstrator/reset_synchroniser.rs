//! The reset of a board: in step with the clock, and for a while after everything is ready.
//!
//! Use:      `ready` may come in no step with the clock: the lock of a PLL and a button. `rst` is tied to 0 on a board, whose flip-flops start
//!           at 0; simulations set it once.
//! Latency:  `reset` falls 18 cycles after `ready` has risen for good, and rises three cycles after it has fallen.
//! Reset:    `reset` = 1 one cycle later.
//! Source:   docs/microarchitecture/demonstrator.md.

use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct ResetSynchroniser("reset_synchroniser", include_str!("reset_synchroniser.rs"), clocked)
    pub fn new() -> Self {}
    inputs {
        /// Clock and board are ready.
        ready: Bit,
    }
    outputs {
        /// The reset of everything else, active high.
        reset: Bit,
    }
    registers {
        /// `ready` of the last two cycles, bit 0 the newer one.
        synchroniser_r: Bits<2>,
        /// Cycles for which it has been ready; stays at 15.
        count_r: Bits<4>,
        /// No reset is needed any more. Starts at 0.
        released_r: Bit,
    }
    locals { steady: Bit }
}

impl Logic for ResetSynchroniser {
    #[hdl_gen]
    fn update(&mut self) {
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
