//! Options by which several commands choose a configuration.

use anyhow::{Result, ensure};
use clap::builder::{PathBufValueParser, TypedValueParser};
use powar_config::nearest::is_unknown;
use powar_config::{Config, presets, units::Nanoseconds};
use powar_evaluation::packets_of_trace;
use powar_traffic::PacketArrival;
use std::ops::{Bound, RangeBounds};
use std::path::{Path, PathBuf};

/// A configuration: a preset or a file.
#[derive(clap::Args)]
pub struct Selection {
    /// A ready configuration; `powar presets` lists them [default: fat-tree-8, whose network, 8-ary-2-tree, is sim's default]
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    pub preset: Option<String>,
    /// A configuration file in TOML; `powar presets --show NAME` prints one to start from
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// The switch of [`DEFAULT_TOPOLOGY`]: commands about one switch and those about networks speak of the same one.
pub const DEFAULT_PRESET: &str = "fat-tree-8";
pub const DEFAULT_TOPOLOGY: &str = "8-ary-2-tree";

impl Selection {
    /// One is named.
    pub fn is_given(&self) -> bool {
        self.preset.is_some() || self.config.is_some()
    }

    /// Reads and checks it.
    pub fn config(&self) -> Result<Config> {
        match (&self.config, &self.preset) {
            (Some(path), _) => Config::from_file(path),
            (None, Some(name)) => presets::by_name(name),
            (None, None) => presets::by_name(DEFAULT_PRESET),
        }
    }

    /// The same for a command that has a default of its own.
    pub fn config_or(&self, default: &str) -> Result<Config> {
        if self.is_given() { self.config() } else { presets::by_name(default) }
    }
}

/// Parses the path of a file that is read: one that is not there may be one that was installed with this program.
pub fn input_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(powar_tools::input_file)
}

/// Parses a duration option such as `10us`.
pub fn duration(text: &str) -> Result<Nanoseconds, String> {
    Nanoseconds::parse(text).map_err(|error| error.to_string())
}

/// Parses a whole number in a range; without an end, what is too much depends on other options, and is found later.
pub fn whole<T: TryFrom<u64>>(
    range: impl RangeBounds<u64> + Clone + Send + Sync,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync {
    let expected = match (range.start_bound(), range.end_bound()) {
        (Bound::Included(least), Bound::Included(most)) => format!("expected a whole number in {least}..={most}"),
        _ => "expected a whole number, 0 or more".to_owned(),
    };
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.and_then(|number: u64| T::try_from(number).ok()).ok_or_else(|| expected.clone())
    }
}

/// Parses a name, one of these.
pub fn one_of(known: Vec<&'static str>) -> impl Fn(&str) -> Result<String, String> + Clone + Send + Sync {
    move |text| match known.contains(&text) {
        true => Ok(text.to_owned()),
        false => Err(is_unknown(text, known.iter().copied())),
    }
}

/// Parses a number of cycles, 1 or more.
pub fn cycles(text: &str) -> Result<u64, String> {
    whole(1..=u64::MAX)(text)
}

/// Checks that a list of an option names nothing twice: what comes of it would be there twice, or the one would
/// overwrite the other.
///
/// # Errors
/// It does.
pub fn once_each<T: PartialEq + std::fmt::Display>(option: &str, values: &[T]) -> Result<()> {
    for (place, value) in values.iter().enumerate() {
        ensure!(!values[..place].contains(value), "{option}: {value} is there twice");
    }
    Ok(())
}

/// Parses a seed.
pub fn seed(text: &str) -> Result<u64, String> {
    whole(0..=u64::MAX)(text)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_switch_is_that_of_the_default_network() {
        let (one, network) = (presets::by_name(DEFAULT_PRESET).unwrap(), Config::of_network(DEFAULT_TOPOLOGY).unwrap());
        assert_eq!((&one.topology, one.ports), (&network.topology, network.ports));
    }
}
