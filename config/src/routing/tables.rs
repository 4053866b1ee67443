//! Routing tables of any network: shortest ways, and an escape that is free of deadlock.
//!
//! A switch whose routing unit looks up a memory ([table routing](../../../docs/microarchitecture/routing.md)) needs a row for every destination. This is
//! where the rows come from, for any [`Wiring`]:
//!
//! * **Adaptive ports**: all that are on a shortest way, in those of the virtual channels 0 to V-2 that are (d - 1) modulo C with d links to go. C
//!   is V - 1, or the links of the longest of the shortest ways if these are fewer. So the next buffer is always another one, and buffers that
//!   wait for each other in a circle are rare even where nodes give more than the network takes.
//! * **Escape**: *up\*/down\** (Schroeder et al., *Autonet*, IEEE JSAC 9(8), 1991) in virtual channel V-1. Switches are in an order: that of their
//!   distance from a root, those that are equally far by their numbers. A cable goes *up* towards the switch that comes first. A packet in the
//!   escape goes down if ways of cables that go down lead to its destination, by a shortest of them; otherwise up, to the neighbour from which
//!   the rest is shortest. Having gone down it finds such a way at every switch, so it never goes up again, and the row depends on the
//!   destination alone. Who waits for room further up stands lower, who waits for room further down stands higher, so no packets wait
//!   for each other in a circle, whatever the graph; with virtual cut-through a packet may come back from the escape to adaptive VCs (Duato).
//!
//! The root is the switch from which the others are closest on average; of several, the one with most neighbours, then that with fewest nodes,
//! then the lowest number. Rows are made when they are asked for, from two distances for every pair of switches.

mod search;

use crate::config::Config;
use crate::topology::wiring::{End, Wiring};
use crate::topology::{Topology, digit_bits};
use anyhow::{Context, Result, ensure};
use search::{LANES, NONE, Neighbours};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Most bytes of the distances of a network: 16384 switches, or 11585 if ways are longer than a byte says (127 links).
pub const MOST_BYTES: usize = 1 << 29;

/// What a row of a switch's routing table says of a destination. All zero: there is no such destination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableRow {
    /// P: bit p is port p.
    pub adaptive: u64,
    /// D: bit p is port p.
    pub deterministic: u64,
    /// Output VCs for ports of P: bit v is VC v.
    pub adaptive_vcs: u8,
    /// Output VCs for ports of D: bit v is VC v.
    pub deterministic_vcs: u8,
}

impl TableRow {
    /// Bits of a row of a switch with so many ports and VCs.
    pub fn bits(ports: usize, vcs: usize) -> usize {
        ports + TableRow::port_bits(ports) + 2 * vcs
    }

    /// Bits of the number of a port.
    pub fn port_bits(ports: usize) -> usize {
        digit_bits(ports)
    }

    /// Words of 32 bits that a row takes: 1 to 3.
    pub fn word_count(ports: usize, vcs: usize) -> usize {
        TableRow::bits(ports, vcs).div_ceil(32)
    }

    /// The fields and how many bits they have, from bit 0 of the first word on. The port of D stands there by its number.
    fn fields(&self, ports: usize, vcs: usize) -> [(u64, usize); 4] {
        let (adaptive_vcs, deterministic_vcs) = (self.adaptive_vcs.into(), self.deterministic_vcs.into());
        let port = u64::from(self.deterministic.trailing_zeros() % u64::BITS);
        [(self.adaptive, ports), (port, TableRow::port_bits(ports)), (adaptive_vcs, vcs), (deterministic_vcs, vcs)]
    }

    /// The row as words, the one with bit 0 first: `adaptive`, the number of the port of `deterministic`, `adaptive_vcs`, `deterministic_vcs` side
    /// by side; bits above are 0. `deterministic` has one port at most; a set without VCs is lost.
    pub fn words(&self, ports: usize, vcs: usize) -> Vec<u32> {
        let mut words = vec![0; TableRow::word_count(ports, vcs)];
        let bits = self.fields(ports, vcs).into_iter().flat_map(|(field, bits)| (0..bits).map(move |bit| field >> bit));
        for (place, bit) in bits.enumerate() {
            words[place / 32] |= (bit as u32 & 1) << (place % 32);
        }
        words
    }

    /// The row that has these words. A set that no VC is allowed with is empty, and so is `deterministic` if there is no port of that number.
    ///
    /// # Panics
    /// Fewer words than [`TableRow::word_count`].
    pub fn of_words(words: &[u32], ports: usize, vcs: usize) -> TableRow {
        let mut place = 0;
        let [adaptive, port, adaptive_vcs, deterministic_vcs] =
            TableRow::default().fields(ports, vcs).map(|(_, bits)| {
                let first = place;
                place += bits;
                let bit = |bit: usize| u64::from(words[(first + bit) / 32] >> ((first + bit) % 32) & 1) << bit;
                (0..bits).fold(0, |field, place| field | bit(place))
            });
        let (some, one) = (adaptive_vcs != 0 && adaptive != 0, deterministic_vcs != 0 && (port as usize) < ports);
        TableRow {
            adaptive: if some { adaptive } else { 0 },
            deterministic: if one { 1 << port } else { 0 },
            adaptive_vcs: if some { adaptive_vcs as u8 } else { 0 },
            deterministic_vcs: if one { deterministic_vcs as u8 } else { 0 },
        }
    }

    /// There is no such destination: no port leads there.
    pub fn is_empty(&self) -> bool {
        self.adaptive | self.deterministic == 0
    }
}

/// The rows of all switches of a network.
#[derive(Debug)]
pub struct RoutingTables {
    wiring: Wiring,
    vcs: usize,
    /// Of each packed address: its node, if there is one.
    nodes: Vec<Option<u32>>,
    /// Place in the order of the escape, the root's 0.
    ranks: Vec<u32>,
    /// Links of a shortest way, by destination's switch and switch.
    distances: Matrix,
    /// The most of them.
    diameter: u32,
    /// Twice the links of the way in the escape, plus 1 if it begins by going up; by destination's switch and switch.
    escapes: Matrix,
}

impl RoutingTables {
    /// Finds the ways through a network whose switches have so many VCs, 1..=8.
    ///
    /// With one VC there is the escape alone.
    ///
    /// # Errors
    /// A network that is in pieces, whose nodes are not at one switch each, or with more switches than [`MOST_BYTES`] allow; another number of VCs.
    pub fn new(wiring: &Wiring, vcs: usize) -> Result<RoutingTables> {
        ensure!((1..=8).contains(&vcs), "switch.vcs: {vcs} is out of range 1..=8");
        let switches = wiring.ends.len();
        refuse_too_many(switches, 1)?;
        let nodes = nodes_by_address(wiring)?;
        let graph = Neighbours::of(wiring);
        let distances = distances(&graph)?;
        let ranks = ranks(wiring, &graph, &distances);
        let escapes = escapes(&graph, &ranks)?;
        let diameter = distances.most();
        Ok(RoutingTables { wiring: wiring.clone(), vcs, nodes, ranks, distances, diameter, escapes })
    }

    /// The tables of the network that a configuration names. Who asks for them while somebody else has those of an equal network gets the same.
    ///
    /// # Errors
    /// As [`Wiring::new`] and [`RoutingTables::new`].
    pub fn of(config: &Config) -> Result<Arc<RoutingTables>> {
        struct Known {
            topology: Box<dyn Topology>,
            ports: usize,
            vcs: usize,
            tables: Weak<RoutingTables>,
        }
        static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());
        let topology = config.check_switch()?;
        // Whoever comes second waits here: it gets what the first has found.
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|known| known.tables.strong_count() > 0);
        let same = |known: &&Known| {
            (known.ports, known.vcs) == (config.ports, config.switch.vcs) && *known.topology == *topology
        };
        if let Some(tables) = known.iter().find(same).and_then(|known| known.tables.upgrade()) {
            return Ok(tables);
        }
        let tables = Arc::new(RoutingTables::new(&Wiring::new(config)?, config.switch.vcs)?);
        let (topology, ports, vcs) = (topology.clone_box(), config.ports, config.switch.vcs);
        known.push(Known { topology, ports, vcs, tables: Arc::downgrade(&tables) });
        Ok(tables)
    }

    /// The network.
    pub fn wiring(&self) -> &Wiring {
        &self.wiring
    }

    /// Virtual channels of its switches.
    pub fn vcs(&self) -> usize {
        self.vcs
    }

    /// The ports of a switch that lead to nodes: bit p is port p.
    pub fn node_ports(&self, switch: usize) -> u64 {
        let ends = self.wiring.ends[switch].iter().enumerate();
        ends.filter(|(_, end)| matches!(end, End::Node { .. })).fold(0, |ports, (port, _)| ports | 1 << port)
    }

    /// Where a switch is in the order of the escape: 0 is the root's place, and a cable goes up towards the lower number.
    pub fn rank(&self, switch: usize) -> u32 {
        self.ranks[switch]
    }

    /// The fewest links between two switches.
    pub fn distance(&self, switch: usize, destination: usize) -> u32 {
        self.distances.get(destination, switch)
    }

    /// Links of the way that a packet takes which stays in the escape.
    pub fn escape_distance(&self, switch: usize, destination: usize) -> u32 {
        self.escapes.get(destination, switch) / 2
    }

    /// The row of a switch for a packed address; the empty row if there is no such node.
    ///
    /// * At the node's switch, one link: D = its port, all VCs.
    /// * At the node's switch, several links: P = all of them, D = the lowest, all VCs.
    /// * Elsewhere, with d links to go: P = all ports on shortest ways with the VCs of 0 to V-2 that are (d - 1) modulo C, C = min(V - 1, diameter)
    ///   (nothing if V = 1), D = one port of the escape with VC V-1. Of several neighbours that are as good destinations' switches have one
    ///   each, of its parallel cables destinations take turns.
    pub fn row(&self, switch: usize, address: u16) -> TableRow {
        let Some(node) = self.nodes[usize::from(address)] else { return TableRow::default() };
        let links = &self.wiring.nodes[node as usize];
        let all_vcs = ((1u16 << self.vcs) - 1) as u8;
        let destination = links[0].0 as usize;
        if destination == switch {
            let ports = links.iter().fold(0, |ports, &(_, port)| ports | 1 << port);
            let several = links.len() > 1;
            return TableRow {
                adaptive: if several { ports } else { 0 },
                deterministic: ports & ports.wrapping_neg(),
                adaptive_vcs: if several { all_vcs } else { 0 },
                deterministic_vcs: all_vcs,
            };
        }
        let adaptive_vcs = self.adaptive_vcs(self.distance(switch, destination));
        TableRow {
            adaptive: if adaptive_vcs == 0 { 0 } else { self.shortest(switch, destination) },
            deterministic: 1 << self.escape_port(switch, destination, node as usize),
            adaptive_vcs,
            deterministic_vcs: 1 << (self.vcs - 1),
        }
    }

    /// VCs of a packet on shortest ways that has so many links to go.
    fn adaptive_vcs(&self, distance: u32) -> u8 {
        let adaptives = self.vcs - 1;
        let classes = adaptives.min(self.diameter as usize).max(1);
        let class = (distance as usize - 1) % classes;
        (class..adaptives).step_by(classes).fold(0, |vcs, vc| vcs | 1 << vc)
    }

    /// The neighbours of a switch, port by port.
    fn neighbours(&self, switch: usize) -> impl Iterator<Item = (usize, usize)> {
        let ends = self.wiring.ends[switch].iter().enumerate();
        ends.filter_map(|(port, end)| match *end {
            End::Switch { switch, .. } => Some((port, switch as usize)),
            _ => None,
        })
    }

    /// Ports on shortest ways between two switches; none of a switch to itself.
    pub(crate) fn shortest(&self, switch: usize, destination: usize) -> u64 {
        let here = self.distance(switch, destination);
        let closer = self.neighbours(switch).filter(|&(_, next)| self.distance(next, destination) < here);
        closer.fold(0, |ports, (port, _)| ports | 1 << port)
    }

    /// The next port in the escape.
    fn escape_port(&self, switch: usize, destination: usize, node: usize) -> usize {
        let code = self.escapes.get(destination, switch);
        let (links, up) = (code / 2, code % 2 == 1);
        let next = |&(_, next): &(usize, usize)| {
            let code = self.escapes.get(destination, next);
            // Behind a link that goes down only links that go down are left.
            let leads = code / 2 + 1 == links && (up || code.is_multiple_of(2));
            leads && up == (self.ranks[next] < self.ranks[switch])
        };
        // The neighbours, and the ports to each; without memory from elsewhere, since every packet asks.
        let (mut neighbours, mut count) = ([(0, 0u64); 64], 0);
        for (port, next) in self.neighbours(switch).filter(next) {
            let known = neighbours[..count].iter_mut().find(|(neighbour, _)| *neighbour == next);
            match known {
                Some((_, ports)) => *ports |= 1 << port,
                None => {
                    neighbours[count] = (next, 1 << port);
                    count += 1;
                }
            }
        }
        let (_, mut cables) = neighbours[mixed(switch, destination) % count];
        for _ in 0..node % cables.count_ones() as usize {
            cables &= cables - 1;
        }
        cables.trailing_zeros() as usize
    }
}

/// A number that looks random, so that what depends on it is not the same in all switches and not the same for all destinations (the last steps
/// of SplitMix64, Steele et al. 2014).
fn mixed(switch: usize, destination: usize) -> usize {
    let mut bits = ((switch as u64) << 32 | destination as u64).wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (bits ^ bits >> 31) as usize >> 1
}

/// Two matrices, with so many bytes for a distance.
fn refuse_too_many(switches: usize, width: usize) -> Result<()> {
    let most = (MOST_BYTES / (2 * width)).isqrt();
    ensure!(
        (1..=most).contains(&switches),
        "topology: {switches} switches are out of range 1..={most} for routing tables{}",
        if width > 1 { " of a network with ways of more than 127 links" } else { "" }
    );
    Ok(())
}

/// The nodes, each of which must be at one switch.
fn nodes_by_address(wiring: &Wiring) -> Result<Vec<Option<u32>>> {
    let mut nodes = vec![None; 1 << 16];
    for (node, links) in wiring.nodes.iter().enumerate() {
        let &(switch, _) = links.first().with_context(|| format!("topology: node {node} is at no switch"))?;
        if let Some(&(other, _)) = links.iter().find(|&&(other, _)| other != switch) {
            anyhow::bail!("topology: node {node} is at switches {switch} and {other}; expected one");
        }
        let address = *wiring.addresses.get(node).with_context(|| format!("topology: node {node} has no address"))?;
        nodes[usize::from(address)] = Some(node as u32);
    }
    Ok(nodes)
}

/// Links of a shortest way between any two.
fn distances(graph: &Neighbours) -> Result<Matrix> {
    let mut matrix = Matrix::new(graph.switches());
    let mut links = vec![[NONE; LANES]; graph.switches()];
    for block in graph.blocks() {
        graph.search(block.clone(), &mut links, |_, _| true);
        for (lane, destination) in block.enumerate() {
            if let Some(lost) = links.iter().position(|links| links[lane] == NONE) {
                anyhow::bail!("topology: is in pieces; no way leads from switch {destination} to switch {lost}");
            }
            matrix.push(links.iter().map(|links| links[lane]))?;
        }
    }
    Ok(matrix)
}

/// The order of the escape: place of each switch.
fn ranks(wiring: &Wiring, graph: &Neighbours, distances: &Matrix) -> Vec<u32> {
    let switches = graph.switches();
    let far = |switch: usize| (0..switches).map(|other| u64::from(distances.get(switch, other))).sum::<u64>();
    let nodes = |switch: usize| wiring.ends[switch].iter().filter(|end| matches!(end, End::Node { .. })).count();
    let key = |&switch: &usize| (far(switch), usize::MAX - graph.at(switch).len(), nodes(switch), switch);
    let root = (0..switches).min_by_key(key).expect("there are switches");
    let mut order: Vec<usize> = (0..switches).collect();
    order.sort_by_key(|&switch| (distances.get(root, switch), switch));
    let mut ranks = vec![0; switches];
    order.into_iter().enumerate().for_each(|(rank, switch)| ranks[switch] = rank as u32);
    ranks
}

/// Twice the links of the way in the escape, plus 1 if it begins by going up.
fn escapes(graph: &Neighbours, ranks: &[u32]) -> Result<Matrix> {
    let mut by_rank = vec![0; graph.switches()];
    ranks.iter().enumerate().for_each(|(switch, &rank)| by_rank[rank as usize] = switch);
    let mut matrix = Matrix::new(graph.switches());
    let mut escape = vec![[NONE; LANES]; graph.switches()];
    for block in graph.blocks() {
        // From the destinations upwards: whoever is met can come back down.
        graph.search(block.clone(), &mut escape, |switch, next| ranks[next] < ranks[switch]);
        // The root is among them: every other switch has a neighbour that is closer to it, up from there. So all above a switch have a way.
        for &switch in &by_rank {
            let mut least = [NONE; LANES];
            for &next in graph.at(switch).iter().filter(|&&next| ranks[next as usize] < ranks[switch]) {
                let above = &escape[next as usize];
                least.iter_mut().zip(above).for_each(|(least, &above)| *least = (*least).min(above / 2));
            }
            for (links, least) in escape[switch].iter_mut().zip(least) {
                *links = if *links == NONE { 2 * least.wrapping_add(1) + 1 } else { *links * 2 };
            }
        }
        for lane in 0..block.len() {
            matrix.push(escape.iter().map(|links| links[lane]))?;
        }
    }
    Ok(matrix)
}

/// A number for every pair of switches, in a byte each if all fit.
#[derive(Debug)]
struct Matrix {
    switches: usize,
    bytes: Vec<u8>,
    /// Instead of the bytes, if there are any.
    wide: Vec<u16>,
}

impl Matrix {
    fn new(switches: usize) -> Matrix {
        Matrix { switches, bytes: Vec::with_capacity(switches * switches), wide: vec![] }
    }

    /// Puts the next row below those that there are.
    fn push(&mut self, row: impl Iterator<Item = u16> + Clone) -> Result<()> {
        if self.wide.is_empty() && row.clone().any(|number| number > u16::from(u8::MAX)) {
            refuse_too_many(self.switches, 2)?;
            self.wide.reserve(self.switches * self.switches);
            self.wide.extend(std::mem::take(&mut self.bytes).into_iter().map(u16::from));
            self.wide.extend(row);
        } else if self.wide.is_empty() {
            self.bytes.extend(row.map(|number| number as u8));
        } else {
            self.wide.extend(row);
        }
        Ok(())
    }

    /// The largest of them.
    fn most(&self) -> u32 {
        let (bytes, wide) = (self.bytes.iter().max(), self.wide.iter().max());
        bytes.map_or(0, |&most| most.into()).max(wide.map_or(0, |&most| most.into()))
    }

    fn get(&self, row: usize, column: usize) -> u32 {
        let place = row * self.switches + column;
        if self.wide.is_empty() { self.bytes[place].into() } else { self.wide[place].into() }
    }
}
