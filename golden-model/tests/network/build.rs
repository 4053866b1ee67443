//! Whole networks, built link by link from nothing but the pictures in the papers.

use powar_config::topology::{FatTree, Torus, pack_address};
use powar_config::{Config, Topology, presets};
use powar_golden::reference::routing::{Route, RoutingInputs, RoutingUnit, routing_unit};
use std::sync::Arc;

/// What is at the other end of a port's link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Node(usize),
    /// A switch and its port.
    Switch(usize, usize),
    /// Nothing: an up-port of a root.
    Open,
}

pub struct Network {
    pub config: Config,
    pub unit: Arc<dyn RoutingUnit>,
    pub vcs: usize,
    /// Switch by switch, port by port.
    pub links: Vec<Vec<End>>,
    pub positions: Vec<u16>,
    pub stages: Vec<u8>,
    /// Packed addresses of the nodes.
    pub nodes: Vec<u16>,
}

pub fn config(topology: impl Topology, ports: usize, vcs: usize) -> Config {
    let mut config = presets::by_name("fat-tree-2").unwrap();
    config.ports = ports;
    config.groups.clear();
    config.topology = Some(Box::new(topology));
    config.deterministic = config.routing().unwrap().deterministic;
    config.switch.vcs = vcs;
    config.switch.buffer_flits = 24 * vcs;
    config.check().unwrap();
    config.check_switch().unwrap();
    config
}

/// Where a unit sends packets that come in at port 0 on VC 0, with all ports to be counted on and no flit behind any of them.
pub fn route_at(unit: &dyn RoutingUnit, position: u16, stage: u8, destination: u16) -> Route {
    let header = 1 << 16 | u32::from(destination);
    let occupancy = &[0; 64];
    unit.route(&RoutingInputs {
        position,
        stage,
        destination,
        header,
        serves: u64::MAX,
        occupancy,
        ..RoutingInputs::default()
    })
}

/// The digits of a number in base k, lowest first.
fn digits(mut number: usize, k: usize, n: usize) -> Vec<usize> {
    (0..n)
        .map(|_| {
            let digit = number % k;
            number /= k;
            digit
        })
        .collect()
}

fn number(digits: &[usize], k: usize) -> usize {
    digits.iter().rev().fold(0, |number, digit| number * k + digit)
}

/// A k-ary n-tree. A switch of stage s has n-1 digits: the lower s tell the parallel switches of a subtree apart, the
/// others are those of the subtree. Digit s of a switch of stage s+1 is the up-port that leads to it from below.
pub fn fat_tree(k: usize, n: usize, folded: bool, vcs: usize) -> Network {
    let config = config(FatTree { k, n, folded }, 2 * k, vcs);
    let bases = vec![k; n];
    let a_stage = k.pow(n as u32 - 1);
    let roots = if folded { a_stage / 2 } else { a_stage };
    let switches = (n - 1) * a_stage + roots;
    let mut network = Network {
        unit: routing_unit(&config).unwrap(),
        config,
        vcs,
        links: vec![vec![End::Open; 2 * k]; switches],
        positions: Vec::new(),
        stages: Vec::new(),
        nodes: (0..a_stage * k).map(|node| pack_address(&bases, node)).collect(),
    };
    for switch in 0..switches {
        let (stage, index) = (switch / a_stage, switch % a_stage);
        let label = digits(index, k, n - 1);
        // Destination digits above the stage are those of the subtree; the others must not matter.
        let mut position = vec![(index * 7 + stage) % k; n];
        position[stage + 1..].copy_from_slice(&label[stage..]);
        network.positions.push(pack_address(&bases, number(&position, k)));
        network.stages.push(stage as u8);
        for up in 0..k {
            if stage == 0 {
                network.links[switch][up] = End::Node(index * k + up);
            }
            if stage == n - 1 {
                continue;
            }
            let mut above = label.clone();
            let mine = std::mem::replace(&mut above[stage], up);
            let above = number(&above, k);
            // A folded root is two roots in one: those of up-ports 2i and 2i + 1 of the stage below.
            let (above, down) = if folded && stage == n - 2 {
                let half = above / (2 * k.pow(stage as u32)) * k.pow(stage as u32) + above % k.pow(stage as u32);
                ((n - 1) * a_stage + half, mine + k * (up % 2))
            } else {
                ((stage + 1) * a_stage + above, mine)
            };
            network.links[switch][k + up] = End::Switch(above, down);
            assert_eq!(network.links[above][down], End::Open, "one cable a port");
            network.links[above][down] = End::Switch(switch, k + up);
        }
    }
    network
}

pub fn torus(sizes: &[usize], trunk: usize, vcs: usize) -> Network {
    let ports = (2 * sizes.len() + 1) * trunk;
    let config = config(Torus { dimensions: sizes.to_vec(), trunk, nodes: 1 }, ports, vcs);
    let switches: usize = sizes.iter().product();
    let neighbour = |switch: usize, i: usize, step: usize| {
        let weight: usize = sizes[..i].iter().product();
        let digit = switch / weight % sizes[i];
        switch - digit * weight + (digit + step) % sizes[i] * weight
    };
    let links_of = |switch: usize| {
        let mut links = Vec::new();
        for (i, size) in sizes.iter().enumerate() {
            let (plus, minus) = (2 * i * trunk, (2 * i + 1) * trunk);
            links.extend((0..trunk).map(|l| End::Switch(neighbour(switch, i, 1), minus + l)));
            links.extend((0..trunk).map(|l| End::Switch(neighbour(switch, i, size - 1), plus + l)));
        }
        links.extend(vec![End::Node(switch); trunk]);
        links
    };
    Network {
        unit: routing_unit(&config).unwrap(),
        config,
        vcs,
        links: (0..switches).map(links_of).collect(),
        positions: (0..switches).map(|switch| pack_address(sizes, switch)).collect(),
        stages: vec![0; switches],
        nodes: (0..switches).map(|node| pack_address(sizes, node)).collect(),
    }
}
