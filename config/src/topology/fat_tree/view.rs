//! A leaf switch of a k-ary n-tree.

use super::FatTree;
use crate::topology::Topology;
use crate::topology::view::{PortSet, Sighting, SwitchView};
use anyhow::{Context, Result, ensure};

/// A leaf switch of a k-ary n-tree: k^n nodes, k below each of k^(n-1) leaf switches.
///
/// Ports 0..k-1 go down, k..2k-1 up (POWAR, section 3.1). Node v hangs at port v mod k of leaf
/// v / k. A packet that leaves the leaf's nodes may take every up-port (ascending phase); one that
/// stays or comes from above must take the port of its destination (descending phase).
///
/// Which up-port a packet from above comes in on depends on what the switches on its way have
/// chosen. The view takes the choice of an ideal round robin at the source: the n-th packet of
/// node s arrives at up-port k + (s + n) mod k.
#[derive(Clone, Debug)]
pub struct FatTreeLeaf {
    k: u32,
    nodes: u32,
    leaf: u32,
}

impl FatTreeLeaf {
    /// The leaf with this number, counted from 0.
    ///
    /// # Errors
    /// A tree that is none, a leaf that it does not have.
    pub fn new(tree: &FatTree, leaf: u32) -> Result<FatTreeLeaf> {
        tree.check()?;
        let k = tree.k as u32;
        let nodes = k.checked_pow(tree.n as u32).filter(|nodes| *nodes <= 1 << 24);
        let nodes =
            nodes.with_context(|| format!("topology: {k}^{} nodes are out of range 1..={}", tree.n, 1 << 24))?;
        ensure!(leaf < nodes / k, "switch is `{leaf}`, expected 0 to {}, the last leaf", nodes / k - 1);
        Ok(FatTreeLeaf { k, nodes, leaf })
    }

    fn up_ports(&self) -> PortSet {
        ((1 << self.k) - 1) << self.k
    }
}

impl SwitchView for FatTreeLeaf {
    fn ports(&self) -> u16 {
        2 * self.k as u16
    }

    fn nodes(&self) -> u32 {
        self.nodes
    }

    fn hops(&self, source: u32, destination: u32) -> u32 {
        // Up to the lowest level whose switches reach both nodes, and down again.
        let (mut a, mut b) = (source / self.k, destination / self.k);
        let mut hops = 1;
        while a != b {
            a /= self.k;
            b /= self.k;
            hops += 2;
        }
        hops
    }

    fn observe(&self, source: u32, destination: u32, sequence: u64) -> Option<Sighting> {
        let from_below = source / self.k == self.leaf;
        let to_below = destination / self.k == self.leaf;
        if !from_below && !to_below {
            return None;
        }
        let k = u64::from(self.k);
        let input = if from_below { source % self.k } else { self.k + ((u64::from(source) + sequence % k) % k) as u32 };
        let (adaptive, deterministic) = if to_below { (0, 1 << (destination % self.k)) } else { (self.up_ports(), 0) };
        let hops_before = if from_below { 0 } else { self.hops(source, destination) - 1 };
        Some(Sighting { input: input as u16, adaptive, deterministic, hops_before })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(switch: u32) -> FatTreeLeaf {
        FatTreeLeaf::new(&FatTree { k: 8, n: 2, folded: false }, switch).unwrap()
    }

    #[test]
    fn packets_going_up_may_take_any_up_port() {
        let seen = leaf(1).observe(13, 40, 5).unwrap();
        assert_eq!(seen.input, 5);
        assert_eq!(seen.adaptive, 0xff00);
        assert_eq!(seen.deterministic, 0);
        assert_eq!(seen.hops_before, 0);
    }

    #[test]
    fn packets_going_down_must_take_the_destination_s_port() {
        let local = leaf(1).observe(8, 15, 0).unwrap();
        assert_eq!((local.input, local.adaptive), (0, 0));
        assert_eq!((local.deterministic, local.hops_before), (1 << 7, 0));
        let inputs: Vec<_> = (0..9)
            .map(|sequence| {
                let seen = leaf(1).observe(35, 10, sequence).unwrap();
                assert_eq!((seen.adaptive, seen.deterministic), (0, 1 << 2));
                assert_eq!(seen.hops_before, 2);
                seen.input
            })
            .collect();
        assert_eq!(inputs, [11, 12, 13, 14, 15, 8, 9, 10, 11]);
    }

    #[test]
    fn packets_between_other_leaves_are_not_seen() {
        assert_eq!(leaf(1).observe(0, 63, 0), None);
    }

    #[test]
    fn hops_count_the_switches_up_and_down() {
        let tree = FatTreeLeaf::new(&FatTree { k: 4, n: 3, folded: false }, 0).unwrap();
        assert_eq!(tree.hops(0, 3), 1);
        assert_eq!(tree.hops(0, 4), 3);
        assert_eq!(tree.hops(0, 15), 3);
        assert_eq!(tree.hops(0, 16), 5);
    }

    #[test]
    fn bad_parameters_are_named() {
        let error = |k, n, leaf| FatTreeLeaf::new(&FatTree { k, n, folded: false }, leaf).unwrap_err().to_string();
        assert_eq!(error(33, 2, 0), "topology.k: 33 is out of range 1..=32");
        assert_eq!(error(8, 0, 0), "topology.n: 0 is out of range 1..=8");
        assert_eq!(error(32, 8, 0), "topology: 32^8 nodes are out of range 1..=16777216");
        assert_eq!(error(8, 2, 8), "switch is `8`, expected 0 to 7, the last leaf");
    }
}
