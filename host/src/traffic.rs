//! The settings of the generators.

use crate::device::Device;
use anyhow::{Result, bail, ensure};
use powar_config::Config;
use powar_config::nearest::is_unknown;
use powar_config::registers::demonstrator::{PATTERNS, most_beats};

/// A load in a generator's register.
const LOAD_ONE: f64 = 65536.0;

/// Settings of generators; what is not given stays as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Traffic {
    /// The nodes that are set; none: all.
    pub nodes: Vec<usize>,
    /// `uniform`, `fixed`, `complement`, `neighbour`.
    pub pattern: Option<String>,
    /// Node that packets go to, of `fixed`.
    pub destination: Option<u32>,
    /// Flits a cycle in a burst, 0..=1.
    pub load: Option<f64>,
    /// Cycles of a burst and of the pause behind it; a pause of 0: no bursts.
    pub burst: Option<(u32, u32)>,
    /// Beats of a packet.
    pub length: Option<u32>,
    pub seed: Option<u32>,
    /// Whether these generators take part.
    pub enable: Option<bool>,
}

impl Traffic {
    /// The registers to be set and their values, of a device of this configuration.
    ///
    /// # Errors
    /// A value out of range, a node that there is not: by name.
    pub fn words(&self, config: &Config) -> Result<Vec<(String, u32)>> {
        let mut words = vec![];
        if let Some(pattern) = &self.pattern {
            let Some(code) = PATTERNS.iter().position(|known| known == pattern) else {
                bail!("pattern: {}", is_unknown(pattern, PATTERNS));
            };
            words.push(("pattern", code as u32));
        }
        if let Some(node) = self.destination {
            ensure!((node as usize) < config.ports, "destination: {node} is out of range 0..={}", config.ports - 1);
            words.push(("destination", node));
        }
        if let Some(load) = self.load {
            let word = (load * LOAD_ONE).round();
            // One that is rounded to none would turn the generator off.
            ensure!(
                (0.0..=1.0).contains(&load) && (word > 0.0 || load == 0.0),
                "load: {load} is out of range 0..=1, in steps of 1/65536"
            );
            words.push(("load", word as u32));
        }
        if let Some((on, off)) = self.burst {
            for (name, cycles) in [("burst_on", on), ("burst_off", off)] {
                ensure!(cycles <= 0xffff, "burst: {cycles} cycles are out of range 0..=65535");
                words.push((name, cycles));
            }
        }
        if let Some(length) = self.length {
            let most = most_beats(config);
            ensure!((1..=most).contains(&(length as usize)), "length: {length} is out of range 1..={most}");
            words.push(("length", length));
        }
        words.extend(self.seed.map(|seed| ("seed", seed)));
        words.extend(self.enable.map(|enable| ("enable", enable.into())));
        let ports = config.ports;
        for &node in &self.nodes {
            ensure!(node < ports, "node: {node} is out of range 0..={}", ports - 1);
        }
        let nodes = if self.nodes.is_empty() { (0..ports).collect() } else { self.nodes.clone() };
        let of_node = |node: usize| words.iter().map(move |(word, value)| (format!("node{node}.{word}"), *value));
        Ok(nodes.into_iter().flat_map(of_node).collect())
    }

    /// Sets them.
    ///
    /// # Errors
    /// As of [`Traffic::words`]; the device doesn't answer.
    pub fn apply(&self, device: &mut Device) -> Result<()> {
        let words = self.words(device.config())?;
        words.iter().try_for_each(|(name, value)| device.set(name, *value).map(drop))
    }
}

/// Starts or stops all generators that take part.
///
/// # Errors
/// The device doesn't answer.
pub fn run(device: &mut Device, runs: bool) -> Result<()> {
    device.set("demo.control.run", runs.into()).map(drop)
}
