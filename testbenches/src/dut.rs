//! The design under test, whatever simulates it.

pub mod lockstep_top;
pub mod rust_hdl;
pub mod verilator;

use crate::lockstep::Batch;
use anyhow::Result;
use powar_config::CycleModel;

/// Where a design under test first showed something else than the golden model, within a batch.
pub struct Mismatch {
    /// Row of the batch.
    pub row: usize,
    /// First slot of the observed frame that differs.
    pub slot: usize,
    /// The whole observed frame of the design under test in that cycle.
    pub observed: Vec<u64>,
}

/// A design under test: rust-hdl's simulation, or the emitted Verilog in Verilator.
pub trait Dut: CycleModel {
    /// Name for reports.
    fn name(&self) -> &'static str;

    /// Runs a batch of cycles and compares each with the golden model's; stops behind the first cycle that differs.
    fn follow(&mut self, batch: &Batch) -> Result<Option<Mismatch>> {
        let (inputs, observed) = (self.layout().input_slots(), self.layout().observed_slots());
        let mut seen = vec![0; observed];
        for row in 0..batch.cycles {
            self.cycle(&batch.inputs[row * inputs..][..inputs], &mut seen);
            let expected = &batch.expected[row * observed..][..observed];
            if seen != expected {
                let slot = seen.iter().zip(expected).position(|(dut, golden)| dut != golden).expect("they differ");
                return Ok(Some(Mismatch { row, slot, observed: seen }));
            }
        }
        Ok(None)
    }
}
