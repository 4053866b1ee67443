//! A network while it is read: what a reader has found so far, checked as it comes.

use super::{Graph, Names, Network};
use crate::config::PORTS;
use crate::topology::ADDRESS_BITS;
use crate::topology::wiring::MOST_SWITCHES;
use anyhow::{Result, bail, ensure};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// Most nodes of a network: each has an address.
pub const MOST_NODES: usize = 1 << ADDRESS_BITS;
/// Longest name, in bytes.
pub const LONGEST_NAME: usize = 255;
/// Most cables: all ports of the most switches.
const MOST_CABLES: usize = MOST_SWITCHES * *PORTS.end() / 2;

/// What a word is the name of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Switch(u32),
    Node(u32),
}

/// Switches, nodes and cables that a reader has found.
#[derive(Default)]
pub struct Draft {
    known: HashMap<String, Named>,
    names: Names,
    /// Without names: how many switches there are.
    numbered: Option<usize>,
    nodes: Vec<(u32, u8)>,
    cables: Vec<(u32, u32)>,
    /// Nodes at every switch, if that is what the file says.
    at_every_switch: Option<usize>,
    /// Where nodes are is said, if only that there are none.
    is_said: bool,
    remarks: Vec<String>,
}

impl Draft {
    /// Of switches without names.
    pub(super) fn numbered(switches: usize) -> Result<Draft> {
        ensure!((1..=MOST_SWITCHES).contains(&switches), "switches: {switches} is out of range 1..={MOST_SWITCHES}");
        Ok(Draft { numbered: Some(switches), ..Draft::default() })
    }

    fn switches(&self) -> usize {
        self.numbered.unwrap_or(self.names.switches.len())
    }

    /// The switch with this number.
    pub(super) fn switch_number(&self, number: usize) -> Result<u32> {
        let switches = self.switches();
        ensure!(number < switches, "switch {number} is out of range 0..={}", switches - 1);
        Ok(number as u32)
    }

    /// The switch of this name, which is made if there is none.
    ///
    /// # Errors
    /// A name that is none, or a node's; too many switches.
    pub fn switch(&mut self, name: &str) -> Result<u32> {
        match self.known.get(name) {
            Some(Named::Switch(switch)) => return Ok(*switch),
            Some(Named::Node(_)) => bail!("`{name}` is a node, expected a switch"),
            None => check_name(name)?,
        }
        let switch = self.names.switches.len();
        ensure!(switch < MOST_SWITCHES, "there are more than {MOST_SWITCHES} switches, the most there can be");
        self.known.insert(name.to_owned(), Named::Switch(switch as u32));
        self.names.switches.push(name.to_owned());
        Ok(switch as u32)
    }

    /// A new node of this name, whose links may be told later.
    ///
    /// # Errors
    /// A name that is none, or is taken; too many nodes.
    pub fn node(&mut self, name: &str, switch: u32, links: u8) -> Result<u32> {
        check_name(name)?;
        self.is_said = true;
        let node = self.nodes.len() as u32;
        match self.known.entry(name.to_owned()) {
            Entry::Vacant(entry) => _ = entry.insert(Named::Node(node)),
            Entry::Occupied(entry) if matches!(entry.get(), Named::Node(_)) => bail!("there are two nodes `{name}`"),
            Entry::Occupied(_) => bail!("`{name}` is a switch, expected a node"),
        }
        self.names.nodes.push(name.to_owned());
        self.nodes_at(switch, 1, links)?;
        Ok(node)
    }

    /// Nodes without names at a switch.
    pub(super) fn nodes_at(&mut self, switch: u32, count: usize, links: u8) -> Result<()> {
        let nodes = self.nodes.len().saturating_add(count);
        ensure!(nodes <= MOST_NODES, "there are more than {MOST_NODES} nodes, the most there can be");
        let range = format!("1..={}", PORTS.end());
        ensure!((1..=*PORTS.end()).contains(&links.into()), "links: {links} is out of range {range}");
        self.nodes.resize(nodes, (switch, links));
        Ok(())
    }

    /// So many nodes at a switch, named after it.
    ///
    /// # Errors
    /// Too many.
    pub fn nodes_of(&mut self, switch: u32, count: usize) -> Result<()> {
        self.is_said = true;
        self.nodes_at(switch, count, 1)?;
        let name = &self.names.switches[switch as usize];
        self.names.nodes.extend((0..count).map(|node| format!("{name}.{node}")));
        Ok(())
    }

    /// So many nodes at every switch.
    ///
    /// # Errors
    /// Another number; it was said before.
    pub fn nodes_at_every_switch(&mut self, count: usize) -> Result<()> {
        let most = super::MOST_NODES_AT_A_SWITCH;
        ensure!((1..=most).contains(&count), "nodes: {count} is out of range 1..={most}");
        ensure!(self.at_every_switch.is_none(), "nodes: is there twice");
        self.at_every_switch = Some(count);
        Ok(())
    }

    /// Cables between two switches.
    ///
    /// # Errors
    /// A cable from a switch to itself; too many.
    pub fn cables(&mut self, one: u32, other: u32, count: usize) -> Result<()> {
        ensure!(one != other, "a cable leads from switch {} to itself", self.named(one));
        check_parallel(count)?;
        let cables = self.cables.len() + count;
        ensure!(cables <= MOST_CABLES, "there are more than {MOST_CABLES} cables, the most there can be");
        self.cables.resize(cables, (one, other));
        Ok(())
    }

    /// A switch has this local identifier.
    pub fn switch_lid(&mut self, switch: u32, lid: u16) {
        self.names.switch_lids.insert(switch, lid);
    }

    /// A node has this local identifier.
    pub fn node_lid(&mut self, node: u32, lid: u16) {
        self.names.node_lids.insert(node, lid);
    }

    /// The two switches of each cable so far.
    pub fn ends(&self) -> &[(u32, u32)] {
        &self.cables
    }

    /// What the user should know of how the file was read, in a line.
    pub fn remark(&mut self, line: String) {
        self.remarks.push(line);
    }

    /// A switch in an error message.
    fn named(&self, switch: u32) -> String {
        match self.names.switches.get(switch as usize) {
            Some(name) => format!("`{name}`"),
            None => switch.to_string(),
        }
    }

    /// The network of a file; with so many nodes at every switch if the file says nothing of nodes, one unless given.
    ///
    /// # Errors
    /// As of [`Draft::network`]; nodes are said twice.
    pub fn finish(mut self, nodes: Option<usize>) -> Result<(Graph, Names)> {
        let of_file = self.at_every_switch;
        let is_said = of_file.is_some() || self.is_said;
        ensure!(of_file.is_none() || !self.is_said, "nodes: some at every switch beside others, expected one of them");
        ensure!(nodes.is_none() || !is_said, "nodes: the file says where its nodes are, expected nothing beside it");
        if let Some(count) = of_file.or(nodes).or((!is_said).then_some(1)) {
            for switch in 0..self.switches() as u32 {
                self.nodes_of(switch, count)?;
            }
        }
        self.network()
    }

    /// The network.
    ///
    /// # Errors
    /// No switches, fewer than two nodes, a switch with too many ports, one that can't be reached.
    pub(super) fn network(self) -> Result<(Graph, Names)> {
        ensure!(self.switches() > 0, "there are no switches in it");
        ensure!(self.nodes.len() >= 2, "nodes: {} is out of range 2..={MOST_NODES}", self.nodes.len());
        let mut needed = vec![(0usize, 0usize); self.switches()];
        for &(switch, links) in &self.nodes {
            needed[switch as usize].0 += usize::from(links);
        }
        for &(one, other) in &self.cables {
            needed[one as usize].1 += 1;
            needed[other as usize].1 += 1;
        }
        for (switch, &(nodes, cables)) in needed.iter().enumerate() {
            let (ports, most) = (nodes + cables, PORTS.end());
            ensure!(
                ports <= *most,
                "switch {} has {ports} ports, {nodes} to nodes and {cables} to switches, out of range 2..={most}",
                self.named(switch as u32)
            );
        }
        let ports = needed.iter().map(|(nodes, cables)| nodes + cables).max().unwrap_or(0).max(*PORTS.start());
        self.check_connected()?;
        let network = Network { ports, switches: self.switches(), nodes: self.nodes, cables: self.cables };
        let remarks = self.remarks.into();
        Ok((Graph { network: Arc::new(network), remarks }, self.names))
    }

    fn check_connected(&self) -> Result<()> {
        let mut beside: Vec<Vec<u32>> = vec![vec![]; self.switches()];
        for &(one, other) in &self.cables {
            beside[one as usize].push(other);
            beside[other as usize].push(one);
        }
        let mut reached = vec![false; self.switches()];
        let mut front = vec![0];
        while let Some(switch) = front.pop() {
            if !std::mem::replace(&mut reached[switch as usize], true) {
                front.extend(&beside[switch as usize]);
            }
        }
        match reached.iter().position(|reached| !reached) {
            Some(lost) => {
                bail!("it is in pieces: no way leads from switch {} to {}", self.named(0), self.named(lost as u32))
            }
            None => Ok(()),
        }
    }
}

/// So many cables between two switches fit their ports.
pub(super) fn check_parallel(count: usize) -> Result<()> {
    ensure!((1..=*PORTS.end()).contains(&count), "{count} cables are out of range 1..={}", PORTS.end());
    Ok(())
}

/// Names are words or more, but each in a line that people can read.
fn check_name(name: &str) -> Result<()> {
    ensure!(!name.is_empty() && !name.trim().is_empty(), "a name is empty");
    ensure!(!name.contains(char::is_control), "the name {name:?} must be a line of text");
    ensure!(name.len() <= LONGEST_NAME, "a name has {} bytes, out of range 1..={LONGEST_NAME}", name.len());
    Ok(())
}
