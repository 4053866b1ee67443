//! Lengths of packets: all alike, short ones and long ones, or several with shares.

use super::random::Random;
use anyhow::{Result, ensure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Longest message, flits.
pub const MOST_FLITS: u64 = 1 << 20;

/// Packets that are longer (or shorter) than the others: requests and cache lines, control and data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LongPackets {
    /// Their length in flits, 1 to 1048576.
    pub flits: u64,
    /// Their share of the packets, 0 to 1.
    pub share: f64,
}

/// How far the sum of shares may be from 1: they are written with a few digits.
const ROUNDING: f64 = 1e-3;

/// Lengths, drawn packet by packet.
#[derive(Clone, Debug)]
pub(crate) struct Lengths {
    /// Flits of a packet if nothing else is drawn.
    usual: u64,
    /// Other lengths, each with the sum of the shares up to it.
    others: Vec<(u64, f64)>,
}

impl Lengths {
    /// Of packets of so many flits, some others among them; or of packets as `several` says: flits and their share of the packets.
    pub fn new(packet_flits: u64, long: Option<&LongPackets>, several: &[(u64, f64)]) -> Result<Lengths> {
        check("packet_flits", packet_flits)?;
        if let Some(&LongPackets { flits, share }) = long {
            ensure!(several.is_empty(), "packet_lengths is given beside long_packets, expected one of them");
            check("long_packets.flits", flits)?;
            ensure!((0.0..=1.0).contains(&share), "long_packets.share is `{share}`, expected a number from 0 to 1");
            return Ok(Lengths { usual: packet_flits, others: vec![(flits, share)] });
        }
        let Some((&(usual, _), others)) = several.split_last() else {
            return Ok(Lengths { usual: packet_flits, others: vec![] });
        };
        for &(flits, share) in several {
            check("packet_lengths", flits)?;
            ensure!(
                (0.0..=1.0).contains(&share),
                "packet_lengths has a share of `{share}`, expected a number from 0 to 1"
            );
        }
        let all: f64 = several.iter().map(|(_, share)| share).sum();
        ensure!((all - 1.0).abs() <= ROUNDING, "packet_lengths has shares with the sum `{all}`, expected 1");
        let mut sum = 0.0;
        let cumulative = others.iter().map(|&(flits, share)| {
            sum += share / all;
            (flits, sum)
        });
        Ok(Lengths { usual, others: cumulative.collect() })
    }

    /// Flits of a packet in the mean.
    pub fn mean(&self) -> f64 {
        let (mut mean, mut before) = (self.usual as f64, 0.0);
        for &(flits, sum) in &self.others {
            mean += (sum - before) * (flits as f64 - self.usual as f64);
            before = sum;
        }
        mean
    }

    /// Flits of the next packet.
    pub fn draw(&self, random: &mut Random) -> u64 {
        if self.others.is_empty() {
            return self.usual;
        }
        let drawn = random.unit();
        self.others.iter().find(|(_, sum)| drawn < *sum).map_or(self.usual, |(flits, _)| *flits)
    }
}

/// Checks a length in flits.
pub(crate) fn check(field: &str, flits: u64) -> Result<()> {
    ensure!((1..=MOST_FLITS).contains(&flits), "{field} is `{flits}`, expected 1 to {MOST_FLITS}");
    Ok(())
}
