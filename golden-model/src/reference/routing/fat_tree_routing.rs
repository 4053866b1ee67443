//! `fat_tree_routing`: k-ary n-trees (virtual channel by destination: Andújar et al. 2023).

use crate::bits::low_bits;
use crate::reference::routing::{Entry, Route, RoutingInputs, RoutingUnit, vc_of_destination};
use powar_config::Config;
use powar_config::topology::{FatTree, digit_bits};
use std::sync::Arc;

/// The line in the list of units.
pub const ENTRY: Entry = ("fat-tree", |config| {
    let unit = FatTreeRouting { tree: Tree::of(config)?, vcs: config.switch.vcs };
    Some(Arc::new(unit))
});

/// The routing unit of a k-ary n-tree.
#[derive(Clone, Copy, Debug)]
pub struct FatTreeRouting {
    tree: Tree,
    vcs: usize,
}

/// A tree as its routing units see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tree {
    pub k: usize,
    n: usize,
    pub folded: bool,
}

/// Which way a packet has to take in a tree.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// The destination is below: down on this port.
    Down(usize),
    /// It is below a folded root, which has two ports to its subtree: this one, and k more.
    EitherDown(usize),
    /// Up; the number is the destination's digit at this stage.
    Up(usize),
}

impl Tree {
    pub fn of(config: &Config) -> Option<Tree> {
        let &FatTree { k, n, folded } = config.topology.as_ref()?.of()?;
        Some(Tree { k, n, folded })
    }

    /// The way to a destination, if it exists. A stage above the root is taken as the root's.
    pub fn way(&self, inputs: &RoutingInputs) -> Option<Way> {
        let &Tree { k, n, folded } = self;
        // Some ask in every cycle: without lists of digits.
        let bits = digit_bits(k);
        let above = |address: u16, j: usize| usize::from(address).checked_shr((j * bits) as u32).unwrap_or(0);
        let digit = |address: u16, j: usize| above(address, j) & low_bits(bits) as usize;
        let (destination, position) = (inputs.destination, inputs.position);
        if above(destination, n) != 0 || (0..n).any(|j| digit(destination, j) >= k) {
            return None;
        }
        let stage = usize::from(inputs.stage).min(n - 1);
        let below = (stage + 1..n).all(|j| digit(destination, j) == digit(position, j));
        let branch = digit(destination, stage);
        Some(match below {
            true if folded && stage == n - 1 => Way::EitherDown(branch),
            true => Way::Down(branch),
            false => Way::Up(branch),
        })
    }

    /// The ports of a way, one bit each.
    pub fn ports(&self, way: Way) -> u64 {
        match way {
            Way::Down(digit) => 1 << digit,
            Way::EitherDown(digit) => 1 << digit | 1 << (self.k + digit),
            Way::Up(_) => low_bits(self.k) << self.k,
        }
    }
}

impl RoutingUnit for FatTreeRouting {
    fn name(&self) -> &'static str {
        "fat_tree_routing"
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        let Some(way) = self.tree.way(inputs) else { return Route::default() };
        let ports = self.tree.ports(way);
        let (adaptive, deterministic) = if matches!(way, Way::Down(_)) { (0, ports) } else { (ports, 0) };
        Route::on(1 << vc_of_destination(inputs.destination, self.vcs), adaptive, deterministic)
    }
}
