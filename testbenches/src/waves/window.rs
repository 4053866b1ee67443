//! Waves of a first difference.

use super::writer::{WaveOptions, WaveWriter, Waves};
use crate::lockstep::Window;
use anyhow::Result;
use powar_config::{Config, Layout};
use std::path::Path;

/// Saves the cycles around a first difference at `path` (`*.vcd`) with the files for the viewers beside it. They open
/// on the difference, with a marker at its cycle and the signals that differed on top.
///
/// # Errors
/// As of [`WaveWriter::create`] and [`WaveWriter::cycle`].
pub fn save_window(
    path: impl AsRef<Path>,
    block: &str,
    config: &Config,
    layout: &Layout,
    window: &Window,
) -> Result<Waves> {
    let mut writer = WaveWriter::create(path, layout, block, config, &WaveOptions::default())?;
    let rows = window.inputs.iter().zip(&window.golden).zip(&window.dut);
    for (cycle, ((inputs, golden), dut)) in (window.first_cycle..).zip(rows) {
        writer.cycle(cycle, inputs, golden, dut)?;
    }
    writer.finish()
}
