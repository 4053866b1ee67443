//! Arrival processes: when a node has its next packet.
//!
//! A process is one file here plus one line in [`ARRIVALS`].

mod bernoulli;
mod periodic;
mod self_similar;

pub(crate) use self_similar::{Bursts, Source};

use super::options::SyntheticOptions;
use super::random::Random;
use super::timeline::LoadProfile;
use anyhow::{Context, Result};
use powar_config::nearest::is_unknown;

/// When nodes have packets. It knows all of them, and where each of them is in time.
pub trait ArrivalProcess: Send {
    /// The cycle of the node's next packet, at the earliest that of the one before; `u64::MAX`: there will be none. Takes all that
    /// is random from this generator, which is the node's own.
    fn next(&mut self, node: u32, random: &mut Random) -> u64;
}

/// What a process is built from.
pub struct ArrivalParameters<'a> {
    /// Options of its own.
    pub options: &'a SyntheticOptions,
    /// Flits per node and cycle over time, which it keeps to in the mean.
    pub load: &'a LoadProfile,
    /// Flits of a packet in the mean.
    pub mean_flits: f64,
    /// Cycle in which it begins.
    pub start: u64,
    /// Cycle from which on nobody wants to know of packets.
    pub stop: u64,
}

/// An arrival process that can be asked for by name.
pub struct Arrivals {
    pub name: &'static str,
    /// One line for a help text.
    pub about: &'static str,
    /// Errors name the option, its value and its range.
    pub build: Build,
}

/// Builds a process for nodes with these generators.
pub type Build = fn(&ArrivalParameters, &mut [Random]) -> Result<Box<dyn ArrivalProcess>>;

/// All arrival processes.
pub const ARRIVALS: &[Arrivals] = &[bernoulli::ARRIVALS, periodic::ARRIVALS, self_similar::ARRIVALS];

/// The process of this name.
pub fn by_name(name: &str) -> Result<&'static Arrivals> {
    ARRIVALS
        .iter()
        .find(|arrivals| arrivals.name == name)
        .with_context(|| format!("arrivals: {}", is_unknown(name, ARRIVALS.iter().map(|arrivals| arrivals.name))))
}
