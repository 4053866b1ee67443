//! Lengths of packets: all alike, or short ones and long ones.

use super::random::Random;
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// Longest message, flits.
pub const MOST_FLITS: u64 = 1 << 20;

/// Packets that are longer (or shorter) than the others: requests and cache lines, control and data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LongPackets {
    /// Their length in flits, 1 to 1048576.
    pub flits: u64,
    /// Their share of the packets, 0 to 1.
    pub share: f64,
}

/// Lengths, drawn packet by packet.
#[derive(Clone, Debug)]
pub(crate) struct Lengths {
    usual: u64,
    long: Option<LongPackets>,
}

impl Lengths {
    pub fn new(packet_flits: u64, long: Option<&LongPackets>) -> Result<Lengths> {
        check("packet_flits", packet_flits)?;
        if let Some(&LongPackets { flits, share }) = long {
            check("long_packets.flits", flits)?;
            ensure!((0.0..=1.0).contains(&share), "long_packets.share is `{share}`, expected a number from 0 to 1");
        }
        Ok(Lengths { usual: packet_flits, long: long.cloned() })
    }

    /// Flits of a packet in the mean.
    pub fn mean(&self) -> f64 {
        let usual = self.usual as f64;
        self.long.as_ref().map_or(usual, |long| usual + long.share * (long.flits as f64 - usual))
    }

    /// Flits of the next packet.
    pub fn draw(&self, random: &mut Random) -> u64 {
        match &self.long {
            Some(long) if random.chance(long.share) => long.flits,
            _ => self.usual,
        }
    }
}

/// Checks a length in flits.
pub(crate) fn check(field: &str, flits: u64) -> Result<()> {
    ensure!((1..=MOST_FLITS).contains(&flits), "{field} is `{flits}`, expected 1 to {MOST_FLITS}");
    Ok(())
}
