//! Which port leads where: networks link by link.

use super::pack_address;
use crate::config::Config;
use anyhow::{Context, Result, ensure};

/// What is at the other end of a port's link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A node's network interface, and which of its links.
    Node { node: u32, link: u8 },
    /// A switch and its port.
    Switch { switch: u32, port: u8 },
    /// Nothing: an up-port of a root that isn't folded.
    Open,
}

/// Where a switch is: what it needs to know to route.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Packed address (`docs/microarchitecture/routing.md`).
    pub position: u16,
    /// Stage in a fat-tree, 0 = leaves.
    pub stage: u8,
}

/// A network as a graph; every cable has two directions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wiring {
    /// Of each switch: where it is.
    pub places: Vec<Place>,
    /// Of each switch, port by port.
    pub ends: Vec<Vec<End>>,
    /// Of each node: the ports it is connected to, in the order of its links.
    pub nodes: Vec<Vec<(u32, u8)>>,
    /// Of each node: its packed address.
    pub addresses: Vec<u16>,
}

/// The most switches: a bound against configurations that no machine could hold.
pub const MOST_SWITCHES: usize = 1 << 16;

impl Wiring {
    /// The network that the configuration's topology names.
    ///
    /// # Errors
    /// No topology, or one that does not fit the switch ([`Config::check_switch`]), or that no network can be built of.
    pub fn new(config: &Config) -> Result<Wiring> {
        let topology = config.check_switch()?;
        let mut wiring = topology.cables(config.ports)?;
        let bases = topology.bases(config.ports);
        wiring.addresses = (0..wiring.nodes.len()).map(|node| pack_address(&bases, node)).collect();
        Ok(wiring)
    }

    pub(super) fn open(switches: usize, ports: usize, nodes: usize) -> Wiring {
        Wiring {
            places: vec![Place::default(); switches],
            ends: vec![vec![End::Open; ports]; switches],
            nodes: vec![Vec::new(); nodes],
            addresses: Vec::new(),
        }
    }

    /// Plugs the next link of a node into a port.
    pub(super) fn attach(&mut self, node: usize, switch: usize, port: usize) {
        let link = self.nodes[node].len() as u8;
        self.ends[switch][port] = End::Node { node: node as u32, link };
        self.nodes[node].push((switch as u32, port as u8));
    }

    /// A cable between two switches.
    pub(super) fn connect(&mut self, (switch, port): (usize, usize), (other, there): (usize, usize)) {
        assert_eq!((self.ends[switch][port], self.ends[other][there]), (End::Open, End::Open), "one cable a port");
        self.ends[switch][port] = End::Switch { switch: other as u32, port: there as u8 };
        self.ends[other][there] = End::Switch { switch: switch as u32, port: port as u8 };
    }

    /// The lowest node at a switch: it has the switch's address.
    ///
    /// # Errors
    /// There is no such switch, or no node at it.
    pub fn first_node(&self, switch: u32) -> Result<usize> {
        let ends = self.ends.get(switch as usize);
        let ends = ends.with_context(|| format!("switch: {switch} is out of range 0..={}", self.ends.len() - 1))?;
        let nodes =
            ends.iter().filter_map(|end| if let End::Node { node, .. } = end { Some(*node as usize) } else { None });
        nodes.min().with_context(|| format!("switch: {switch} has no nodes"))
    }

    /// Ports with a cable, as a mask, of a switch.
    pub fn connected(&self, switch: usize) -> u64 {
        let ends = self.ends[switch].iter().enumerate();
        ends.filter(|(_, end)| **end != End::Open).fold(0, |ports, (port, _)| ports | 1 << port)
    }

    /// The fewest switches that a packet crosses from each node to all others, by a search over the graph; 0 to itself.
    pub fn hops_from(&self, node: usize) -> Vec<u32> {
        self.hops_within(node, u32::MAX)
    }

    /// The same of those that are reached over so many switches at most; 0 to the others, too.
    pub fn hops_within(&self, node: usize, most: u32) -> Vec<u32> {
        let mut distance = vec![u32::MAX; self.ends.len()];
        let mut hops = vec![0; self.nodes.len()];
        let mut front: Vec<usize> = self.nodes[node].iter().map(|&(switch, _)| switch as usize).collect();
        let mut steps = 1;
        while !front.is_empty() && steps <= most {
            let mut next = Vec::new();
            for switch in std::mem::take(&mut front) {
                if distance[switch] <= steps {
                    continue;
                }
                distance[switch] = steps;
                for end in &self.ends[switch] {
                    match *end {
                        End::Switch { switch, .. } => next.push(switch as usize),
                        End::Node { node: there, .. } if there as usize != node && hops[there as usize] == 0 => {
                            hops[there as usize] = steps;
                        }
                        _ => {}
                    }
                }
            }
            (front, steps) = (next, steps + 1);
        }
        hops
    }
}

/// A product of sizes, if it is a network that can be held.
pub(super) fn switches(count: Option<usize>) -> Result<usize> {
    let count = count.context("topology: more switches than can be counted")?;
    ensure!(count <= MOST_SWITCHES, "topology: {count} switches are out of range 1..={MOST_SWITCHES}");
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Wiring {
        Wiring::new(&Config::of_network(name).unwrap()).unwrap()
    }

    #[test]
    fn sizes_and_mean_hops_of_the_papers_networks() {
        for (name, switches, nodes, mean) in [
            ("8-ary-2-tree", 16, 64, 2.75),
            ("torus-4x4x4", 64, 64, 4.0),
            ("torus-4x4x4-trunk4", 64, 64, 4.0),
            ("4-ary-4-tree", 256, 256, 6.34375),
            ("k4-n3", 40, 64, 0.0),
            ("k8-n2", 12, 64, 0.0),
            ("k16-n2", 24, 256, 0.0),
            ("k18-n2", 27, 324, 0.0),
            ("k4-n4", 224, 256, 0.0),
            ("dragonfly-p2a4h2", 36, 72, 0.0),
            ("boards-8x8", 8, 64, 1.875),
        ] {
            let wiring = of(name);
            assert_eq!((wiring.ends.len(), wiring.nodes.len()), (switches, nodes), "{name}");
            let hops: Vec<u32> = (0..nodes).flat_map(|node| wiring.hops_from(node)).collect();
            // As the literature counts: a packet to itself crosses the node's switch.
            let all: u32 = hops.iter().sum::<u32>() + nodes as u32;
            let got = f64::from(all) / (nodes * nodes) as f64;
            assert!(mean == 0.0 || (got - mean).abs() < 0.005, "{name}: {got}");
        }
    }

    #[test]
    fn a_search_may_end_early() {
        for name in ["torus-4x4x4", "4-ary-3-tree", "dragonfly-p2a4h2", "boards-3x4", "mesh-3x4-nodes2"] {
            let wiring = of(name);
            for node in [0, wiring.nodes.len() - 1] {
                let all = wiring.hops_from(node);
                for most in 0..8 {
                    let near: Vec<u32> = all.iter().map(|&hops| if hops <= most { hops } else { 0 }).collect();
                    assert_eq!(wiring.hops_within(node, most), near, "{name}, node {node}, {most} switches");
                }
            }
        }
    }

    #[test]
    fn both_ends_of_a_cable_agree() {
        for name in [
            "star-16",
            "8-ary-2-tree",
            "k4-n3",
            "k2-n4",
            "torus-4x4x4-trunk4",
            "torus-2x3",
            "torus-5-trunk2",
            "torus-3x4-trunk2-nodes3",
            "mesh-3x4-nodes2",
            "dragonfly-p2a4h2",
            "dragonfly-p4a4h1",
            "dragonfly-p1a2h3",
            "boards-2x1",
            "boards-5x3",
            "boards-8x8",
        ] {
            let wiring = of(name);
            for (switch, ends) in wiring.ends.iter().enumerate() {
                for (port, &end) in ends.iter().enumerate() {
                    match end {
                        End::Open => assert!(name.contains("tree") || name.starts_with("mesh")),
                        End::Node { node, link } => {
                            assert_eq!(
                                wiring.nodes[node as usize][usize::from(link)],
                                (switch as u32, port as u8),
                                "{name}"
                            );
                        }
                        End::Switch { switch: other, port: there } => {
                            let back = wiring.ends[other as usize][usize::from(there)];
                            assert_eq!(back, End::Switch { switch: switch as u32, port: port as u8 }, "{name}");
                        }
                    }
                }
            }
        }
    }
}
