//! Where the switch of a demonstrator is in its network, and what stands for what is behind its ports
//! (`docs/microarchitecture/demonstrator.md`, "What is behind a port").

use crate::Config;
use crate::topology::wiring::{End, Place, Wiring};
use anyhow::{Context, Result};
use serde::Serialize;
use std::collections::BTreeSet;

/// The place of a demonstrator's switch; vectors have a row for each port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Site {
    /// Number of the switch in its network.
    pub switch: u32,
    pub position: u16,
    pub stage: u8,
    /// Packed address that packets for the port are sent to; none: there is nothing behind it, and nobody sends there.
    pub addresses: Vec<Option<u16>>,
    /// The first of the ports at which packets for this one may come out.
    pub exits: Vec<u8>,
    /// Packets from one node come out in the order in which they were sent.
    pub ordered: Vec<bool>,
}

impl Site {
    /// The place of the switch of this configuration.
    ///
    /// # Errors
    /// No topology, or one that no network can be built of.
    pub fn new(config: &Config) -> Result<Site> {
        let wiring = Wiring::new(config)?;
        let has_node = |switch: &usize| wiring.ends[*switch].iter().any(|end| matches!(end, End::Node { .. }));
        let cables = |switch: &usize| wiring.connected(*switch).count_ones();
        // Of equals the last is the greatest.
        let switch = (0..wiring.ends.len()).rev().filter(has_node).max_by_key(cables);
        let switch = switch.context("topology: no switch has a node, which a demonstrator needs")?;
        let Place { position, stage } = wiring.places[switch];
        let ends = &wiring.ends[switch];
        let addresses: Vec<Option<u16>> = (0..ends.len()).map(|port| address(&wiring, switch, port)).collect();
        let alike = |port: usize, other: usize| match (ends[port], ends[other]) {
            (End::Node { node, .. }, End::Node { node: its, .. }) => node == its,
            (End::Switch { .. }, End::Switch { .. }) => addresses[port].is_some() && addresses[other].is_some(),
            _ => false,
        };
        let exit = |port: usize| (0..port).find(|&other| alike(port, other)).unwrap_or(port) as u8;
        let one_vc = config.switch.vcs == 1 || config.routing().is_some_and(|routing| routing.keeps_order);
        let ordered = |port: usize| {
            let alone = (0..ends.len()).all(|other| other == port || !alike(port, other));
            matches!(ends[port], End::Node { .. }) && alone && one_vc
        };
        let (exits, ordered) = (0..ends.len()).map(|port| (exit(port), ordered(port))).unzip();
        Ok(Site { switch: switch as u32, position, stage, addresses, exits, ordered })
    }

    /// It as JSON: the name of the file, and the text.
    pub fn file(&self) -> (String, String) {
        let text = serde_json::to_string_pretty(self).expect("numbers have a JSON form");
        ("site.json".into(), text + "\n")
    }

    /// That of a generator or a checker alone, which there is at switches without a network too: addresses are the numbers of the ports then.
    pub fn of_block(config: &Config) -> Site {
        Site::new(config).unwrap_or_else(|_| Site {
            switch: 0,
            position: 0,
            stage: 0,
            addresses: (0..config.ports as u16).map(Some).collect(),
            exits: (0..config.ports as u8).collect(),
            ordered: vec![true; config.ports],
        })
    }

    /// Addresses and exits are the numbers of the ports, and all is in order.
    pub fn is_plain(&self) -> bool {
        let numbers = |port: usize| self.addresses[port] == Some(port as u16) && usize::from(self.exits[port]) == port;
        (0..self.exits.len()).all(|port| numbers(port) && self.ordered[port])
    }
}

/// The address that stands for all that is behind a port.
fn address(wiring: &Wiring, switch: usize, port: usize) -> Option<u16> {
    match wiring.ends[switch][port] {
        End::Node { node, .. } => Some(wiring.addresses[node as usize]),
        End::Switch { switch: next, .. } => {
            let nearest = nearest_nodes(wiring, switch, next as usize);
            let chosen = nearest.iter().nth(port % nearest.len().max(1))?;
            Some(wiring.addresses[*chosen as usize])
        }
        End::Open => None,
    }
}

/// The nodes that are the fewest hops from switch `from`, not through the switch `without`, and not at it.
fn nearest_nodes(wiring: &Wiring, without: usize, from: usize) -> BTreeSet<u32> {
    let mut seen = BTreeSet::from([without, from]);
    let mut front = vec![from];
    while !front.is_empty() {
        let ends = || front.iter().flat_map(|&switch| &wiring.ends[switch]);
        let nodes = ends().filter_map(|end| if let End::Node { node, .. } = *end { Some(node) } else { None });
        // A node with several links may be at both.
        let elsewhere = |node: &u32| wiring.nodes[*node as usize].iter().all(|&(switch, _)| switch as usize != without);
        let nodes: BTreeSet<u32> = nodes.filter(elsewhere).collect();
        if !nodes.is_empty() {
            return nodes;
        }
        let next =
            ends().filter_map(|end| if let End::Switch { switch, .. } = *end { Some(switch as usize) } else { None });
        let next: BTreeSet<usize> = next.filter(|switch| !seen.contains(switch)).collect();
        seen.extend(&next);
        front = next.into_iter().collect();
    }
    BTreeSet::new()
}
