//! Simulating a block in rust-hdl and recording what goes in and what comes out.

use powar_hdl_base::verilog::{Design, EmitOptions, emit};
use rust_hdl::prelude::*;

/// A block the tests can drive.
pub trait Bench: Block {
    const CLOCKED: bool = false;
    fn set_clock(&mut self, _level: bool) {}
    fn set_reset(&mut self, _level: bool) {}
    /// Sets every input but clock and reset at random and appends their bits, in the order of the ports.
    fn randomise(&mut self, random: &mut Random, bits: &mut Vec<bool>);
    /// Appends the bits of every output, in the order of the ports.
    fn sample(&self, bits: &mut Vec<bool>);
}

/// A small random generator (SplitMix64): the same traces in every run.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

/// One clock cycle, or one set of inputs of a combinational block.
pub struct Step {
    /// Input bits; with a clock the first is the reset.
    pub inputs: Vec<bool>,
    pub outputs: Vec<bool>,
}

/// A block, its Verilog, and its behaviour in rust-hdl.
pub struct Recording {
    pub design: Design,
    pub clocked: bool,
    pub steps: Vec<Step>,
}

const SETTLE: usize = 300;

/// Simulates the block for `steps` cycles. A clocked block is reset in the first two and now and then later.
pub fn record<B: Bench>(mut block: B, steps: usize) -> Recording {
    block.connect_all();
    let design = emit(&block, &EmitOptions::default()).unwrap_or_else(|error| panic!("{error:#}"));
    let top = design.description.top.clone();
    check_all(&block).unwrap_or_else(|error| panic!("{top}: {error:?}"));
    let mut random = Random(top.bytes().fold(1, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte))));
    let mut recorded = vec![];
    for number in 0..steps {
        let mut step = Step { inputs: vec![], outputs: vec![] };
        block.set_clock(false);
        if B::CLOCKED {
            let reset = number < 2 || random.below(60) == 0;
            block.set_reset(reset);
            step.inputs.push(reset);
        }
        block.randomise(&mut random, &mut step.inputs);
        assert!(simulate(&mut block, SETTLE), "{top} does not settle");
        block.sample(&mut step.outputs);
        block.set_clock(true);
        assert!(simulate(&mut block, SETTLE), "{top} does not settle");
        recorded.push(step);
    }
    Recording { design, clocked: B::CLOCKED, steps: recorded }
}
