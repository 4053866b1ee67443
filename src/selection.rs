//! Options by which several commands choose a configuration.

use anyhow::{Result, ensure};
use powar_config::{Config, presets, units::Nanoseconds};
use powar_evaluation::packets_of_trace;
use powar_traffic::PacketArrival;
use std::path::{Path, PathBuf};

/// A configuration: a preset or a file.
#[derive(clap::Args)]
pub struct Selection {
    /// A ready configuration; `powar presets` lists them [default: fat-tree-8]
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    pub preset: Option<String>,
    /// A configuration file in TOML; `powar presets --show NAME` prints one to start from
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

impl Selection {
    /// Reads and checks it.
    pub fn config(&self) -> Result<Config> {
        match (&self.config, &self.preset) {
            (Some(path), _) => Config::from_file(path),
            (None, Some(name)) => presets::by_name(name),
            (None, None) => presets::by_name("fat-tree-8"),
        }
    }
}

/// Parses a duration option such as `10us`.
pub fn duration(text: &str) -> Result<Nanoseconds, String> {
    Nanoseconds::parse(text).map_err(|error| error.to_string())
}

/// Parses a number of cycles, 1 or more.
pub fn cycles(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(cycles) if cycles > 0 => Ok(cycles),
        _ => Err(format!("expected a whole number in 1..={}", u64::MAX)),
    }
}

/// Parses a seed.
pub fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a whole number in 0..={}", u64::MAX))
}

/// The packets that a switch sees of an MPI trace, in its first `cycles` cycles if given.
///
/// # Errors
/// A trace that can't be replayed, a switch that there is not, and no packet at all: what is measured without traffic says nothing.
pub fn packets(config: &Config, trace: &Path, switch: u32, cycles: Option<u64>) -> Result<Vec<PacketArrival>> {
    let packets = packets_of_trace(config, trace, switch, cycles.unwrap_or(u64::MAX))?;
    let limit = cycles.map(|cycles| format!(" in its first {cycles} cycles; raise --cycles")).unwrap_or_default();
    ensure!(!packets.is_empty(), "no packet of {} passes switch {switch}{limit}", trace.display());
    Ok(packets)
}
