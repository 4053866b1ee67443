//! What the harness knows of each power mechanism beyond what the models share about it: one file each, and their list.
//!
//! To add one: a file beside `powar` with its entry, and one line in `ALL`. The tests then run for it too: they go through
//! [`variants`].

mod ahead;
mod alonso;
mod depths;
mod e_rapid;
mod hints_depths;
mod perf_bound;
mod powar;
mod soteriou_peh;
mod timetable;
mod wake_hints;

use crate::random::Random;
use crate::test_switches::TriedAt;
use anyhow::{Result, ensure};
use powar_config::mechanism::{NodeHint, without};
use powar_config::{Chosen, Config, Mechanism};
use powar_hdl::controller::CONTROLLER;
use powar_hdl::demonstrator::DEMONSTRATOR;
use powar_hdl::registry;
use powar_hdl::switch::SWITCH;

/// A power mechanism to stimuli and waves.
pub(crate) struct Entry {
    pub mechanism: &'static Mechanism,
    /// Parameters under which much happens within some hundred cycles, for a switch that it may or may not be for.
    pub lively: fn(&Config) -> Chosen,
    /// What software writes: the name of a word, and a value of its bits that mostly leaves the ports something to do.
    pub some_write: fn(&mut Random) -> (&'static str, u32),
    /// The output ports, one bit a port, whose links it never lets go off at a switch with this `position` and `stage`.
    pub always_sends: fn(&Config, u64, u64) -> u64,
    /// Where those of its blocks are tried that have more in them at other switches than the first that has them.
    pub tried_at: &'static [TriedAt],
}

/// Every mechanism.
pub(crate) static ALL: [&Entry; 10] = [
    &powar::ENTRY,
    &alonso::ENTRY,
    &timetable::ENTRY,
    &soteriou_peh::ENTRY,
    &e_rapid::ENTRY,
    &ahead::ENTRY,
    &wake_hints::ENTRY,
    &depths::ENTRY,
    &perf_bound::ENTRY,
    &hints_depths::ENTRY,
];

/// Whether there is an entry of a configuration's mechanism.
///
/// # Errors
/// There is none.
pub(crate) fn check(config: &Config) -> Result<()> {
    let known = ALL.map(|entry| entry.mechanism.name);
    ensure!(known.contains(&config.mechanism().name), without("lock-step entry", config.mechanism(), &known));
    Ok(())
}

/// What there is to know of a mechanism that [`check`] has found.
pub(crate) fn of(mechanism: &Mechanism) -> &'static Entry {
    let found = ALL.into_iter().find(|entry| entry.mechanism.name == mechanism.name);
    found.expect("an entry of the mechanism")
}

/// As of [`Entry::tried_at`], of all mechanisms.
pub(crate) fn tried_at() -> impl Iterator<Item = &'static TriedAt> {
    ALL.into_iter().flat_map(|entry| entry.tried_at)
}

/// A switch with one of the mechanisms that are for it.
#[derive(Clone, Debug)]
pub struct Variant {
    pub config: Config,
    /// The blocks in which the mechanism is to be seen, by name; of a configuration as it was given, all.
    pub blocks: Vec<String>,
}

/// A configuration with each mechanism that is for its switch: as it is, then with the others, with parameters under which much happens.
pub fn variants(config: &Config) -> Vec<Variant> {
    let own = Variant { config: config.clone(), blocks: registry::names(config) };
    let others = ALL.into_iter().filter(|entry| entry.mechanism.name != config.mechanism().name);
    let others = others.filter_map(|entry| {
        let config = with(config, entry);
        config.check().ok()?;
        let is_shared = |block: &str| own.blocks.iter().any(|other| other == block);
        let of_nodes = config.mechanism().node_hint == NodeHint::Addresses;
        let shows_it = |block: &String| {
            !is_shared(block)
                || SHOW_THE_MECHANISM.contains(&block.as_str())
                || (of_nodes && block == NETWORK_INTERFACE)
        };
        let blocks = registry::names(&config).into_iter().filter(shows_it).collect();
        Some(Variant { config, blocks })
    });
    let others: Vec<Variant> = others.collect();
    std::iter::once(own).chain(others).collect()
}

/// Blocks of every switch that have the mechanism in them.
const SHOW_THE_MECHANISM: [&str; 4] = ["power_manager", CONTROLLER, SWITCH, DEMONSTRATOR];

/// The block of a node, which has more in it if the mechanism of its switch reads addresses.
const NETWORK_INTERFACE: &str = "network_interface";

/// A configuration with another mechanism, which need not be for its switch.
fn with(config: &Config, entry: &Entry) -> Config {
    let name = format!("{}-{}", config.name, entry.mechanism.name);
    Config { name, mechanism: (entry.lively)(config), ..config.clone() }
}

/// The configuration in which a block is looked at: blocks of a mechanism's own with that mechanism.
pub(crate) fn config_of(config: Config, block: &str) -> Config {
    if registry::names(&config).iter().any(|name| name == block) {
        return config;
    }
    let configs = ALL.into_iter().map(|entry| with(&config, entry)).filter(|config| config.check().is_ok());
    let found = configs.into_iter().find(|config| registry::names(config).iter().any(|name| name == block));
    found.unwrap_or(config)
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::presets;

    #[test]
    fn a_switch_has_a_variant_for_every_mechanism_that_is_for_it() {
        for (preset, count) in
            [("fat-tree-2", 9), ("fat-tree-4", 9), ("fat-tree-8", 9), ("torus-28", 9), ("star-16", 8)]
        {
            let config = presets::by_name(preset).unwrap();
            let variants = variants(&config);
            assert_eq!(variants.len(), count, "{preset}");
            assert_eq!(variants[0].config, config);
            for variant in &variants {
                let own = variant.config.mechanism().name;
                assert!(variant.blocks.iter().any(|block| block == own), "{preset}: {:?}", variant.blocks);
                let mut every = SHOW_THE_MECHANISM.iter().filter(|&&block| block != DEMONSTRATOR);
                assert!(every.all(|block| variant.blocks.iter().any(|name| name == block)));
            }
        }
    }

    #[test]
    fn every_mechanism_has_its_entry() {
        let names = |list: &[&Mechanism]| list.iter().map(|mechanism| mechanism.name).collect::<Vec<_>>();
        assert_eq!(names(&ALL.map(|entry| entry.mechanism)), names(&powar_config::mechanism::ALL));
    }

    #[test]
    fn what_software_writes_are_words_of_the_mechanism() {
        let mut random = Random::new(1);
        for entry in ALL {
            for _ in 0..500 {
                let (name, value) = (entry.some_write)(&mut random);
                let word = entry.mechanism.words.iter().find(|word| word.name == name);
                let word = word.unwrap_or_else(|| panic!("{} has no word {name}", entry.mechanism.name));
                assert_eq!(value & !word.mask(), 0, "{name}: {value}");
            }
        }
    }
}
