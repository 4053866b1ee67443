//! A switch at its place in the network: where a packet may go from there, and which packets its links bring.
//!
//! A third reading of `docs/microarchitecture/routing.md`, beside those of the two models: the monitors judge both by it.

use crate::random::Random;
use anyhow::{Result, ensure};
use powar_config::topology::{digit_bits, pack_address};
use powar_config::{Config, Topology};

/// Where a packet may go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Route {
    /// Output ports, one bit a port.
    pub adaptive: u64,
    pub deterministic: u64,
    /// Output virtual channels allowed with a port of the one set and of the other.
    pub adaptive_vcs: u64,
    pub deterministic_vcs: u64,
}

impl Route {
    /// All ports of both sets.
    pub fn ports(self) -> u64 {
        self.adaptive | self.deterministic
    }

    /// Whether the packet may leave on this port and virtual channel.
    pub fn allows(self, port: usize, vc: usize) -> bool {
        let set = |ports: u64, vcs: u64| ports >> port & 1 == 1 && vcs >> vc & 1 == 1;
        set(self.adaptive, self.adaptive_vcs) || set(self.deterministic, self.deterministic_vcs)
    }
}

/// A switch of a configuration, at an address.
#[derive(Clone, Debug)]
pub struct Place {
    topology: Topology,
    bases: Vec<usize>,
    ports: usize,
    vcs: usize,
    position: Vec<usize>,
    stage: usize,
}

impl Place {
    /// The switch at the address of this node (a fat tree: of any node below it) and at this stage (0 but in a fat tree).
    ///
    /// # Errors
    /// A configuration that is not one of a switch; a node or a stage that the network does not have.
    pub fn new(config: &Config, node: usize, stage: usize) -> Result<Place> {
        let topology = config.check_switch()?.clone();
        let bases = topology.bases(config.ports);
        let nodes: usize = bases.iter().product();
        ensure!(node < nodes, "position: node {node} is out of range 0..={}", nodes - 1);
        let last = if let Topology::FatTree { n, .. } = topology { n - 1 } else { 0 };
        ensure!(stage <= last, "stage: {stage} is out of range 0..={last}");
        let position = digits(&bases, pack_address(&bases, node)).expect("the address of a node");
        Ok(Place { topology, bases, ports: config.ports, vcs: config.switch.vcs, position, stage })
    }

    /// Some switch of the network.
    ///
    /// # Errors
    /// A configuration that is not one of a switch.
    pub fn any(config: &Config, random: &mut Random) -> Result<Place> {
        let nodes: usize = config.check_switch()?.bases(config.ports).iter().product();
        let stage = random.below(Place::stages(config) as u64) as usize;
        Place::new(config, random.below(nodes as u64) as usize, stage)
    }

    /// Nodes of the network.
    pub fn nodes(&self) -> usize {
        self.bases.iter().product()
    }

    /// Stages a switch of this network may have.
    pub fn stages(config: &Config) -> usize {
        if let Some(Topology::FatTree { n, .. }) = config.topology { n } else { 1 }
    }

    /// The input `position` of the switch.
    pub fn position(&self) -> u64 {
        let (mut packed, mut low) = (0, 0);
        for (&digit, &base) in self.position.iter().zip(&self.bases) {
            packed |= (digit as u64) << low;
            low += digit_bits(base);
        }
        packed
    }

    /// The input `stage` of the switch.
    pub fn stage(&self) -> u64 {
        self.stage as u64
    }

    /// The packed address of a node.
    pub fn address(&self, node: usize) -> u16 {
        pack_address(&self.bases, node)
    }

    /// Where a packet with this destination may go; `None` if there is no such node.
    pub fn route(&self, destination: u16) -> Option<Route> {
        let to = digits(&self.bases, destination)?;
        let vc = 1 << (usize::from(destination) % self.vcs);
        Some(match self.topology {
            Topology::Star => Route { deterministic: 1 << to[0], deterministic_vcs: vc, ..Route::default() },
            Topology::FatTree { k, n, folded } => {
                if !self.is_below(&to) {
                    Route { adaptive: links(k, k), adaptive_vcs: vc, ..Route::default() }
                } else if folded && self.stage == n - 1 {
                    let down = 1 << to[self.stage];
                    Route { adaptive: down | down << k, adaptive_vcs: vc, ..Route::default() }
                } else {
                    Route { deterministic: 1 << to[self.stage], deterministic_vcs: vc, ..Route::default() }
                }
            }
            Topology::Torus { trunk, .. } => self.torus_route(&to, trunk),
        })
    }

    /// Whether a well-behaved neighbour at this input port would send a packet for this node: it never turns back, and in a fat
    /// tree it never goes up again once it has gone down.
    pub fn brings(&self, input: usize, node: usize) -> bool {
        let to = digits(&self.bases, self.address(node)).expect("the address of a node");
        match self.topology {
            // Every input sends to every output, its own node too: the uniform traffic of the textbooks.
            Topology::Star => true,
            Topology::FatTree { k, n, folded } => {
                let (root, below) = (self.stage == n - 1, self.is_below(&to));
                if input >= k && !(root && folded) {
                    return below;
                }
                !(below && to[self.stage] == input % k)
            }
            Topology::Torus { trunk, .. } => {
                let group = input / trunk;
                let Some(&size) = self.bases.get(group / 2) else { return to != self.position };
                // It has just come one hop nearer along this dimension, from the plus neighbour downwards or from the minus one upwards.
                let (up, down) = self.distances(&to, group / 2);
                let left = if group.is_multiple_of(2) { down } else { up };
                2 * (left + 1) <= size
            }
        }
    }

    /// The virtual channels that a well-behaved neighbour may send it on: usual ones and rare ones.
    pub fn input_vcs(&self, destination: u16) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        match self.topology {
            Topology::Torus { .. } if self.vcs > 2 => (0..self.vcs - 2, self.vcs - 2..self.vcs),
            Topology::Torus { .. } => (0..self.vcs, 0..self.vcs),
            _ => {
                let vc = usize::from(destination) % self.vcs;
                (vc..vc + 1, vc..vc + 1)
            }
        }
    }

    fn is_below(&self, to: &[usize]) -> bool {
        to[self.stage + 1..] == self.position[self.stage + 1..]
    }

    /// Hops left upwards and downwards along a dimension of a torus.
    fn distances(&self, to: &[usize], dimension: usize) -> (usize, usize) {
        let (size, from, to) = (self.bases[dimension], self.position[dimension], to[dimension]);
        ((to + size - from) % size, (from + size - to) % size)
    }

    fn torus_route(&self, to: &[usize], trunk: usize) -> Route {
        let group = |number: usize| links(number * trunk, trunk);
        let mut route = Route::default();
        for (dimension, (&from, &to)) in self.position.iter().zip(to).enumerate() {
            let size = self.bases[dimension];
            let (up, down) = ((to + size - from) % size, (from + size - to) % size);
            if up == 0 {
                continue;
            }
            let plus = up <= down;
            if plus {
                route.adaptive |= group(2 * dimension);
            }
            if down <= up {
                route.adaptive |= group(2 * dimension + 1);
            }
            if route.deterministic == 0 {
                route.deterministic = group(2 * dimension + usize::from(!plus));
                let crosses = if plus { to < from } else { to > from };
                route.deterministic_vcs = 1 << (self.vcs - 2 + usize::from(!crosses));
            }
        }
        if route.deterministic == 0 {
            let vcs = links(0, self.vcs);
            return Route { deterministic: group(2 * self.bases.len()), deterministic_vcs: vcs, ..Route::default() };
        }
        route.adaptive_vcs = links(0, self.vcs - 2);
        route
    }

    /// Output ports of the switch.
    pub fn ports(&self) -> usize {
        self.ports
    }
}

/// `count` bits from bit `first` on.
fn links(first: usize, count: usize) -> u64 {
    (((1u128 << count) - 1) << first) as u64
}

/// The digits of a packed address; `None` if there is no such node.
fn digits(bases: &[usize], address: u16) -> Option<Vec<usize>> {
    let mut rest = usize::from(address);
    let mut digits = vec![];
    for &base in bases {
        let bits = digit_bits(base);
        digits.push(rest & ((1 << bits) - 1));
        rest >>= bits;
    }
    (rest == 0 && digits.iter().zip(bases).all(|(digit, base)| digit < base)).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::presets;

    fn place(preset: &str, node: usize, stage: usize) -> Place {
        Place::new(&presets::by_name(preset).unwrap(), node, stage).unwrap()
    }

    #[test]
    fn a_leaf_of_a_fat_tree() {
        let leaf = place("fat-tree-8", 17, 0);
        let down = leaf.route(leaf.address(20)).unwrap();
        assert_eq!((down.deterministic, down.adaptive, down.deterministic_vcs), (1 << 4, 0, 1));
        let up = leaf.route(leaf.address(43)).unwrap();
        assert_eq!((up.deterministic, up.adaptive, up.adaptive_vcs), (0, 0xff00, 1 << 3));
        assert!(up.allows(9, 3) && !up.allows(9, 2) && !up.allows(3, 3));
        // From above only what is below; a node sends nothing to itself.
        assert!(leaf.brings(9, 20) && !leaf.brings(9, 43) && leaf.brings(3, 43) && !leaf.brings(4, 20));
        assert_eq!(leaf.route(64), None);
    }

    #[test]
    fn a_torus_switch_at_the_dateline() {
        let switch = place("torus-28", 3, 0);
        // From (3,0,0) to (0,1,0): +x over the wrap-around link, +y.
        let route = switch.route(switch.address(4)).unwrap();
        assert_eq!((route.adaptive, route.deterministic), (0xf0f, 0xf));
        assert_eq!((route.adaptive_vcs, route.deterministic_vcs), (0b11, 0b100));
        let here = switch.route(switch.address(3)).unwrap();
        assert_eq!((here.adaptive, here.deterministic, here.deterministic_vcs), (0, 0xf << 24, 0xf));
        // It came down from +x: one more hop down is still the shortest way, two are not.
        assert!(switch.brings(0, 2) && !switch.brings(0, 1) && !switch.brings(0, 0));
        assert!(switch.brings(27, 0) && !switch.brings(27, 3));
    }

    #[test]
    fn places_that_are_not_there() {
        let config = presets::by_name("fat-tree-8").unwrap();
        assert_eq!(Place::new(&config, 64, 0).unwrap_err().to_string(), "position: node 64 is out of range 0..=63");
        assert_eq!(Place::new(&config, 0, 2).unwrap_err().to_string(), "stage: 2 is out of range 0..=1");
    }
}
