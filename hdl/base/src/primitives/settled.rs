//! A child block that is simulated only when one of its inputs changes.

use crate::rtl_block::{Children, RtlBlock};
use rust_hdl::core::probe::Probe;
use rust_hdl::prelude::*;
use std::ops::{Deref, DerefMut};

/// Updates after which logic that still changes is taken for a combinational loop.
const SETTLE_LIMIT: usize = 200;

/// Updates `block` until nothing in it changes any more.
///
/// # Panics
/// It does not come to rest: a combinational loop that rust-hdl's checks did not find.
pub fn settle(block: &mut dyn Block) {
    for _ in 0..SETTLE_LIMIT {
        block.update_all();
        if !block.has_changed() {
            return;
        }
    }
    panic!("the block does not settle: a combinational loop that rust-hdl's checks did not find");
}

/// A child block that costs rust-hdl's simulation nothing while its inputs, the clock among them, stay what they are.
///
/// rust-hdl runs every block of a design again and again until no signal of the whole design changes, and hands values over by one
/// level of the hierarchy in each round, so a clock edge takes a whole switch many rounds, and most blocks are at rest in most of
/// them. A block like this one is left out while it is at rest, and settles at once when an input has changed.
///
/// Registers still see what was there before the edge: a parent hands the edge to all its children in one update of its own, before
/// any of them can have answered it.
///
/// It is used like the block itself and is not seen in the Verilog. A child is declared as one of these:
/// `arbiter: Settled<RoundRobinArbiter>`, `RoundRobinArbiter::new(n).into()`.
#[derive(Clone, Debug)]
pub struct Settled<B> {
    block: B,
    /// It has run, so it is at rest for the inputs it took last.
    settled: bool,
    /// It ran in the last update, so its outputs may have changed.
    ran: bool,
}

impl<B> From<B> for Settled<B> {
    fn from(block: B) -> Self {
        Settled { block, settled: false, ran: true }
    }
}

impl<B> Deref for Settled<B> {
    type Target = B;
    #[inline]
    fn deref(&self) -> &B {
        &self.block
    }
}

impl<B> DerefMut for Settled<B> {
    #[inline]
    fn deref_mut(&mut self) -> &mut B {
        &mut self.block
    }
}

impl<B: RtlBlock> Logic for Settled<B> {
    fn update(&mut self) {
        self.block.update();
    }
}

impl<B: RtlBlock> Block for Settled<B> {
    fn connect_all(&mut self) {
        self.block.connect_all();
    }

    fn update_all(&mut self) {
        self.ran = !self.settled || self.block.input_waits();
        if self.ran {
            settle(&mut self.block);
            self.settled = true;
        }
    }

    fn has_changed(&self) -> bool {
        self.ran
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        self.block.accept(name, probe);
    }
}

impl<B: RtlBlock> Children for Settled<B> {
    fn each(&self, visit: &mut dyn FnMut(&dyn RtlBlock)) {
        visit(&**self);
    }
}

impl<B: RtlBlock> Children for Vec<Settled<B>> {
    fn each(&self, visit: &mut dyn FnMut(&dyn RtlBlock)) {
        self.iter().for_each(|child| visit(&**child));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block;

    block! {
        /// A register in a block of its own.
        struct Stage("stage", "", clocked)
        fn new() -> Self {}
        inputs { d: Bits<8> }
        outputs { q: Bits<8> }
        registers { value_r: Bits<8> }
    }

    impl Logic for Stage {
        #[hdl_gen]
        fn update(&mut self) {
            self.value_r.d.next = self.d.val();
            self.q.next = self.value_r.q.val();
        }
    }

    block! {
        /// A shift register with stages at two depths: `front` here, `middle` in a child, `back` here again.
        struct Chain("chain", "", clocked)
        fn new() -> Self {}
        inputs { d: Bits<8> }
        outputs { q: Bits<8> }
        registers { front_r: Bits<8>, back_r: Bits<8> }
        children { middle: Stage = Stage::new() }
    }

    impl Logic for Chain {
        #[hdl_gen]
        fn update(&mut self) {
            self.front_r.d.next = self.d.val();
            self.middle.d.next = self.front_r.q.val();
            self.back_r.d.next = self.middle.q.val();
            self.q.next = self.back_r.q.val();
        }
    }

    #[test]
    fn a_value_passes_one_register_a_clock_at_whatever_depth() {
        let mut block: Settled<Chain> = Chain::new().into();
        block.connect_all();
        let mut seen = vec![];
        for cycle in 0u64..6 {
            block.set_clock(false);
            block.d.next = (10 + cycle).to_bits();
            settle(&mut block);
            seen.push([block.front_r.q.val(), block.middle.q.val(), block.back_r.q.val()].map(|q| q.to_u64()));
            block.set_clock(true);
            settle(&mut block);
        }
        assert_eq!(seen, [[0, 0, 0], [10, 0, 0], [11, 10, 0], [12, 11, 10], [13, 12, 11], [14, 13, 12]]);
    }

    #[test]
    fn a_block_at_rest_does_not_run() {
        let mut block: Settled<Chain> = Chain::new().into();
        block.connect_all();
        settle(&mut block);
        assert!(!block.has_changed());
        // Only a run would notice that this register has another input now.
        block.block.front_r.d.next = 1u64.to_bits();
        settle(&mut block);
        assert_eq!(block.front_r.d.val(), 0u64.to_bits());
        block.d.next = 1u64.to_bits();
        settle(&mut block);
        assert_eq!(block.front_r.d.val(), 1u64.to_bits());
    }

    /// An inverter that feeds itself.
    #[derive(LogicBlock)]
    struct Loop {
        x: Signal<In, Bit>,
        y: Signal<Out, Bit>,
    }

    impl Logic for Loop {
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next = !self.y.val();
            self.y.next = self.y.val() ^ self.x.val();
        }
    }

    #[test]
    #[should_panic(expected = "combinational loop")]
    fn a_loop_is_reported() {
        settle(&mut Loop { x: Default::default(), y: Default::default() });
    }
}
