//! How long it takes to check that packets can't block each other.

use super::rate::{peak_bytes, reset_peak};
use anyhow::Result;
use powar_config::Config;
use powar_config::topology::graph::format;
use powar_golden::deadlock_freedom;
use serde::Serialize;
use std::time::Instant;

/// Switches of the network that is checked.
const SWITCHES: usize = 4856;

/// How long a check took.
#[derive(Clone, Debug, Serialize)]
pub struct CheckRate {
    pub network: String,
    pub switches: usize,
    /// Of how many nodes packets to them were followed.
    pub destinations: usize,
    /// Of the clock, on all cores.
    pub seconds: f64,
    /// Most memory that the process held meanwhile, bytes; none where the system doesn't tell.
    pub peak_bytes: Option<u64>,
}

/// Checks a circulant network with routing tables as `powar check routing` does: switches in a ring, each with a node, and a cable to each that is a power
/// of 3 further along it.
///
/// # Errors
/// The network can't be built, which would be a bug.
pub fn measure_check() -> Result<CheckRate> {
    let strides: Vec<usize> =
        std::iter::successors(Some(1), |stride| Some(3 * stride)).take_while(|stride| 2 * stride < SWITCHES).collect();
    let cables =
        (0..SWITCHES).flat_map(|switch| strides.iter().map(move |stride| (switch, (switch + stride) % SWITCHES)));
    let text: String = cables.map(|(one, other)| format!("{one} {other}\n")).collect();
    let (graph, _) = format::read(text.as_bytes(), None)?;
    let ports = 2 * strides.len() + 1;
    let network = format!("circulant of {SWITCHES} switches with {ports} ports");
    let config = Config::of_topology("circulant", Box::new(graph.clone()), ports)?;
    reset_peak();
    let started = Instant::now();
    let finding = deadlock_freedom::check(&config, deadlock_freedom::THOROUGH, &mut |_, _| ())?;
    anyhow::ensure!(finding.flaw.is_none(), "{network}: {:?}", finding.flaw);
    let (switches, destinations) = (finding.switches, finding.destinations);
    Ok(CheckRate {
        network,
        switches,
        destinations,
        seconds: started.elapsed().as_secs_f64(),
        peak_bytes: peak_bytes(),
    })
}
