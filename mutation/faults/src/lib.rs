//! Deliberate faults that the lock-step check must catch: a check that has never failed proves nothing.
//!
//! [`golden`] spoils the golden model, which then runs against the sound RTL; [`verilog`] spoils the emitted Verilog, which runs against the
//! sound golden model; [`board`] spoils the file that joins the demonstrator to its board. `tests/faults.rs` runs them all. Only tests use
//! this crate.

pub mod board;
pub mod golden;
mod mechanisms;
mod splice;
pub mod verilog;

use anyhow::Result;
use golden::GoldenFault;
use powar_config::Config;
use powar_testbenches::hunt::spoilt_library;
use powar_testbenches::twins;
use powar_tools::{Progress, Tools};
use std::path::PathBuf;
use verilog::VerilogFault;

pub use splice::with_faults;

/// All faults of the golden model: of the blocks of every switch, then of the mechanisms' own.
pub fn golden_faults() -> impl Iterator<Item = &'static GoldenFault> {
    golden::shared().chain(mechanisms::ALL.into_iter().flat_map(|entry| entry.golden))
}

/// All faults of the Verilog, likewise.
pub fn verilog_faults() -> impl Iterator<Item = &'static VerilogFault> {
    let of_mechanisms = mechanisms::ALL.into_iter().flat_map(|entry| entry.verilog);
    verilog::SHARED.iter().chain(of_mechanisms).copied().flatten()
}

/// The Verilog of a block with these faults, compiled; [`Verilator::load`](powar_testbenches::dut::verilator::Verilator::load) switches one of
/// them on by its number from 1 on, none by 0.
///
/// # Errors
/// A fault that does not fit the text; a tool fails.
pub fn library(
    config: &Config,
    block: &str,
    faults: &[&VerilogFault],
    tools: &Tools,
    progress: &Progress,
) -> Result<PathBuf> {
    let design = with_faults(&twins::design(config, block)?, faults)?;
    spoilt_library(&design, twins::golden(config, block)?.layout(), tools, progress)
}
