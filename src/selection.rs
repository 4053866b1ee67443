//! Options by which several commands choose a configuration.

use anyhow::Result;
use powar_config::{Config, presets, units::Nanoseconds};
use std::path::PathBuf;

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
