//! The network around a switch, and how it writes node addresses into packet headers.

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// Bits of a packed node address in the header (`docs/microarchitecture/switch.md`).
pub const ADDRESS_BITS: usize = 16;

/// The network around the switch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Topology {
    /// One switch with a node at every port.
    Star,
    /// k-ary n-tree: ports 0..k go down, k..2k go up. With a folded root all 2k ports of a root switch go down.
    FatTree {
        k: usize,
        n: usize,
        #[serde(default)]
        folded: bool,
    },
    /// k-ary n-cube with trunks: ports in groups of `trunk`, two groups a dimension (plus, minus), the node's last.
    Torus { dimensions: Vec<usize>, trunk: usize },
}

impl Topology {
    pub(crate) fn check(&self) -> Result<()> {
        match self {
            Topology::Star => (),
            Topology::FatTree { k, n, .. } => {
                ensure!(*k >= 1, "topology.k: 0 is out of range 1..=32");
                ensure!((1..=8).contains(n), "topology.n: {n} is out of range 1..=8");
            }
            Topology::Torus { dimensions, trunk } => {
                ensure!(
                    !dimensions.is_empty() && dimensions.iter().all(|&k| (2..=256).contains(&k)),
                    "topology.dimensions: {dimensions:?} must be one or more sizes in 2..=256"
                );
                ensure!(*trunk >= 1, "topology.trunk: 0 is out of range 1..=32");
            }
        }
        Ok(())
    }

    /// Ports of its switches; `None` if any number will do.
    pub fn ports(&self) -> Option<usize> {
        match self {
            Topology::Star => None,
            Topology::FatTree { k, .. } => Some(2 * k),
            Topology::Torus { dimensions, trunk } => Some((2 * dimensions.len() + 1) * trunk),
        }
    }

    /// Bases of the digits of a packed node address, lowest digit first, for switches of so many ports.
    pub fn bases(&self, ports: usize) -> Vec<usize> {
        match self {
            Topology::Star => vec![ports],
            Topology::FatTree { k, n, .. } => vec![*k; *n],
            Topology::Torus { dimensions, .. } => dimensions.clone(),
        }
    }

    /// Virtual channels that routing needs to be free of deadlock.
    pub fn least_vcs(&self) -> usize {
        match self {
            Topology::Star | Topology::FatTree { .. } => 1,
            Topology::Torus { .. } => 2,
        }
    }
}

/// Bits of a digit of this base.
pub fn digit_bits(base: usize) -> usize {
    (base.max(2) - 1).ilog2() as usize + 1
}

/// Packs a node (or switch) number, counted in mixed radix with digit 0 lowest.
pub fn pack_address(bases: &[usize], node: usize) -> u16 {
    let (mut rest, mut low, mut packed) = (node, 0, 0);
    for &base in bases {
        packed |= (rest % base) << low;
        rest /= base;
        low += digit_bits(base);
    }
    packed as u16
}

/// The node number of a packed address; `None` if there is no such node.
pub fn unpack_address(bases: &[usize], address: u16) -> Option<usize> {
    let (mut rest, mut weight, mut node) = (usize::from(address), 1, 0);
    for &base in bases {
        let digit = rest & ((1 << digit_bits(base)) - 1);
        if digit >= base {
            return None;
        }
        node += digit * weight;
        weight *= base;
        rest >>= digit_bits(base);
    }
    (rest == 0).then_some(node)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_digits_side_by_side() {
        assert_eq!((digit_bits(1), digit_bits(2), digit_bits(4), digit_bits(5), digit_bits(18)), (1, 1, 2, 3, 5));
        assert_eq!(pack_address(&[18, 18], 18 * 3 + 17), 3 << 5 | 17);
        for bases in [&[18, 18][..], &[8, 8], &[4, 4, 4], &[5, 3, 7], &[28]] {
            let nodes = bases.iter().product();
            let packed: Vec<u16> = (0..nodes).map(|node| pack_address(bases, node)).collect();
            assert!(packed.iter().enumerate().all(|(node, &address)| unpack_address(bases, address) == Some(node)));
            let known = (0..=u16::MAX).filter(|&address| unpack_address(bases, address).is_some()).count();
            assert_eq!(known, nodes);
        }
    }
}
