//! A leaf switch of a k-ary n-tree.

use super::{MAX_PORTS, PortSet, Sighting, SwitchView, Topology, ViewParameters};
use anyhow::{Result, ensure};

pub(super) const TOPOLOGY: Topology = Topology {
    name: "fat-tree",
    about: "leaf switch of a k-ary n-tree (radix, levels, switch)",
    build: |parameters| Ok(Box::new(FatTreeLeaf::new(parameters)?)),
};

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
    /// Reads `radix` (2 to 32), `levels` and `switch` (the leaf, counted from 0).
    pub fn new(parameters: &ViewParameters) -> Result<FatTreeLeaf> {
        let ViewParameters { radix: k, levels, switch: leaf, .. } = *parameters;
        ensure!((2..=MAX_PORTS / 2).contains(&k), "radix is `{k}`, expected 2 to {}", MAX_PORTS / 2);
        let most_levels = (1..).take_while(|&n| k.checked_pow(n).is_some()).count() as u32;
        ensure!(
            (1..=most_levels).contains(&levels),
            "levels is `{levels}`, expected 1 to {most_levels} with radix {k}"
        );
        let nodes = k.pow(levels);
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
        FatTreeLeaf::new(&ViewParameters { switch, ..ViewParameters::default() }).unwrap()
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
        let tree = FatTreeLeaf::new(&ViewParameters { radix: 4, levels: 3, ..ViewParameters::default() }).unwrap();
        assert_eq!(tree.hops(0, 3), 1);
        assert_eq!(tree.hops(0, 4), 3);
        assert_eq!(tree.hops(0, 15), 3);
        assert_eq!(tree.hops(0, 16), 5);
    }

    #[test]
    fn bad_parameters_are_named() {
        let error = |change: fn(&mut ViewParameters)| {
            let mut parameters = ViewParameters::default();
            change(&mut parameters);
            FatTreeLeaf::new(&parameters).unwrap_err().to_string()
        };
        assert_eq!(error(|p| p.radix = 33), "radix is `33`, expected 2 to 32");
        assert_eq!(error(|p| p.levels = 0), "levels is `0`, expected 1 to 10 with radix 8");
        assert_eq!(error(|p| p.switch = 8), "switch is `8`, expected 0 to 7, the last leaf");
    }
}
