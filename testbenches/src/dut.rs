//! The design under test, whatever simulates it.

pub mod image;
pub mod lockstep_top;
pub mod rust_hdl;
pub mod verilator;

use crate::batch::Batch;
use anyhow::Result;
use image::ImageLayout;
use powar_config::CycleModel;
use std::sync::Arc;

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

    /// Where the model keeps what is observed, if batches shall hold images of its memory.
    fn image(&self) -> Option<Arc<ImageLayout>> {
        None
    }

    /// Runs a batch of cycles and compares each with the golden model's; stops behind the first cycle that differs.
    fn follow(&mut self, batch: &Batch) -> Result<Option<Mismatch>> {
        let (inputs, observed) = (self.layout().input_slots(), self.layout().observed_slots());
        let mut seen = vec![0; observed];
        for row in 0..batch.cycles {
            self.cycle(&batch.inputs[row * inputs..][..inputs], &mut seen);
            let mismatch = Mismatch::between(row, &seen, &batch.expected.frame(row, observed));
            if mismatch.is_some() {
                return Ok(mismatch);
            }
        }
        Ok(None)
    }
}

impl Mismatch {
    /// What is different between a frame of a design and that of the golden model.
    fn between(row: usize, observed: &[u64], expected: &[u64]) -> Option<Mismatch> {
        let slot = observed.iter().zip(expected).position(|(dut, golden)| dut != golden)?;
        Some(Mismatch { row, slot, observed: observed.to_vec() })
    }
}
