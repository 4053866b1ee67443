//! `reset_synchroniser`: the reset of a board.

use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{count, flag, number};
use powar_config::{Meaning, SignalSpec};

/// The block; the fields are its registers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResetSynchroniser {
    /// `ready` of the last two cycles, bit 0 the newer one.
    pub synchroniser: u8,
    /// Cycles for which it has been ready.
    pub count: u8,
    pub released: bool,
}

impl ResetSynchroniser {
    /// After reset.
    pub fn new() -> Self {
        Self::default()
    }

    /// The clock edge.
    pub fn clock(&mut self, ready: bool) {
        let (steady, count) = (self.synchroniser & 2 != 0, self.count);
        self.released = steady && count == 15;
        self.count = if steady { (count + 1).min(15) } else { 0 };
        self.synchroniser = (self.synchroniser << 1 | u8::from(ready)) & 3;
    }
}

impl Registers for ResetSynchroniser {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(number("synchroniser", 2), self.synchroniser);
        rows.one(count("count", 4), self.count);
        rows.one(flag("released"), self.released);
    }
}

inputs! {
    /// What the block sees in a cycle.
    #[derive(Clone, Copy, Debug)]
    pub struct SynchroniserInputs {
        // Now and then it is not ready for a while: a code is held.
        pub ready: bool = SignalSpec::new("ready", 1, Meaning::Code(&["no", "yes"])),
    }
}

impl Block for ResetSynchroniser {
    type Inputs<'a> = SynchroniserInputs;

    fn outputs(&self, _: &SynchroniserInputs, rows: &mut RegisterRows) {
        rows.one(flag("reset"), !self.released);
    }

    fn edge(&mut self, rst: bool, seen: &SynchroniserInputs) {
        if rst { *self = Self::new() } else { self.clock(seen.ready) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reset_falls_18_cycles_after_ready_and_comes_back_after_3() {
        let mut block = ResetSynchroniser::new();
        let after = |ready: bool, block: &mut ResetSynchroniser| {
            let before = block.released;
            (1..50).find(|_| {
                block.clock(ready);
                block.released != before
            })
        };
        assert_eq!(after(true, &mut block), Some(18));
        assert_eq!(after(false, &mut block), Some(3));
        // A moment of no lock starts the count again.
        (0..10).for_each(|_| block.clock(true));
        block.clock(false);
        assert_eq!(after(true, &mut block), Some(18));
    }
}
