//! Ready configurations, as TOML files under `config/presets/`.

use crate::Config;
use crate::nearest::is_unknown;
use anyhow::{Context, Result};

/// A preset: its name and its text.
pub struct Preset {
    pub name: &'static str,
    pub toml: &'static str,
}

macro_rules! presets {
    ($($name:literal),* $(,)?) => {
        &[$(Preset { name: $name, toml: include_str!(concat!("../presets/", $name, ".toml")) }),*]
    };
}

/// Every preset, smallest switch first. A new one is a file and its name here.
pub const ALL: &[Preset] = presets![
    "fat-tree-2",
    "demonstrator-4",
    "fat-tree-4",
    "demonstrator-8",
    "fat-tree-8-fpga",
    "fat-tree-8",
    "star-16",
    "torus-28",
    "fat-tree-16",
    "fat-tree-18",
    "fat-tree-32",
];

impl Preset {
    /// The preset as a configuration.
    pub fn config(&self) -> Config {
        Config::from_toml(self.toml).expect("presets are checked by a test")
    }

    /// What the preset is: the first comment line of its file.
    pub fn summary(&self) -> &'static str {
        self.toml.lines().next().unwrap_or("").trim_start_matches(['#', ' '])
    }
}

/// The configuration of a preset by its name.
pub fn by_name(name: &str) -> Result<Config> {
    let preset = ALL.iter().find(|preset| preset.name == name);
    let unknown = || format!("preset: {}", is_unknown(name, ALL.iter().map(|preset| preset.name)));
    Ok(preset.with_context(unknown)?.config())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_a_good_configuration_of_its_name() {
        for preset in ALL {
            let config = Config::from_toml(preset.toml).unwrap_or_else(|error| panic!("{}: {error:#}", preset.name));
            assert_eq!(config.name, preset.name);
            assert!(!preset.summary().is_empty());
            assert_eq!(Config::from_toml(&config.to_toml()).unwrap(), config);
        }
    }

    #[test]
    fn the_papers_durations_in_cycles() {
        let values = by_name("fat-tree-8").unwrap().powar().unwrap().values(1.6);
        assert_eq!((values.t_sleep, values.t_wake, values.pdt), (1800, 2600, 62_500));
        assert_eq!((values.check_period, values.on_flits, values.off_flits), (6250, 3125, 1563));
    }
}
