//! What follows from the place of a switch in its network: the Minimal Tree, and which of its ports go down.

use crate::bits::low_bits;
use crate::fast::power::{Around, Planes};
use powar_config::topology::{FatTree, digit_bits};
use powar_config::{Config, Phase};

/// The Minimal Tree, as far as a switch can tell from its place in the network.
#[derive(Clone, Debug)]
pub(super) struct MinimalTree {
    /// All ports, and in a tree those that go down.
    every: u64,
    pub down: u64,
    is_tree: bool,
    /// By stage, the bits of `position` that are 0 in the Minimal Tree.
    digits: [u16; 16],
    /// The stage of the roots.
    top: u8,
}

/// What the mechanism sees of its neighbours in a cycle; vectors have one bit a port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    /// The port at the other end of the link is on or comes on.
    pub on: u64,
    /// It is off, or there is no link.
    pub off: u64,
    /// The switch is in the Minimal Tree.
    pub in_tree: bool,
}

impl MinimalTree {
    /// Of the switches of a configuration.
    pub fn new(config: &Config) -> MinimalTree {
        let every = low_bits(config.ports);
        let Some(&FatTree { k, n, .. }) = config.topology.as_ref().and_then(|topology| topology.of()) else {
            return MinimalTree { every, down: 0, is_tree: false, digits: [0; 16], top: u8::MAX };
        };
        let (bits, top) = (digit_bits(k), n - 1);
        let below = |digit: usize| low_bits((digit * bits).min(16)) as u16;
        let digits = std::array::from_fn(|stage| below(stage.min(top) + 1) & !below(1));
        MinimalTree { every, down: low_bits(k), is_tree: true, digits, top: top as u8 }
    }

    pub fn is_tree(&self) -> bool {
        self.is_tree
    }

    /// What is seen of the neighbours.
    #[inline]
    pub fn near(&self, around: &Around) -> Near {
        let Around { position, stage, neighbours, .. } = around;
        let linked = if *stage >= self.top { self.down } else { self.every };
        let Planes([low, middle, high]) = neighbours.phase;
        const { assert!(Phase::On as u8 == 0b000 && Phase::ComingOn as u8 == 0b011 && Phase::Off as u8 == 0b010) };
        Near {
            on: linked & !high & !(low ^ middle),
            off: self.every & !linked | linked & !high & middle & !low,
            in_tree: position & self.digits[usize::from(stage & 15)] == 0,
        }
    }
}
