//! Where a packet may go from a switch of a network, and which packets its links bring.
//!
//! A third reading of `docs/microarchitecture/routing.md`, beside those of the two models: the monitors judge both by it. To add a
//! routing: a file beside these and one line in `RULES`.

mod boards;
mod dragonfly;
mod fat_tree;
mod grid_escape;
mod least_occupied;
mod mesh;
mod star;
mod table;
mod torus;
mod west_last_east_last;

use crate::random::Random;
use anyhow::{Context, Result, ensure};
use powar_config::routing::table::Write;
use powar_config::topology::{digit_bits, pack_address};
use powar_config::{Config, Topology};
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

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

/// What a packet shows of itself.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// Word 0 of its head flit, 32 bits: the destination's packed address in the 16 lowest.
    pub header: u32,
    /// The input port and the virtual channel at which it comes in.
    pub input: usize,
    pub vc: usize,
}

/// A routing. `to` are the digits of an address, lowest first.
trait Rules: Debug + Send + Sync {
    /// Where a packet may go. What the switch holds at the moment is not known here: ports among which it chooses by that are all allowed.
    fn route(&self, at: &ExpectedRouting, to: &[usize], head: &Head) -> Route;

    /// Whether a well-behaved neighbour at this input port would send a packet for this node.
    fn brings(&self, at: &ExpectedRouting, input: usize, to: &[usize]) -> bool;

    /// The virtual channels on which a neighbour may send a packet: usual ones and rare ones. `vc` is that of its destination.
    fn input_vcs(&self, _at: &ExpectedRouting, vc: usize) -> (Range<usize>, Range<usize>) {
        (vc..vc + 1, vc..vc + 1)
    }

    /// Of a packet that [`Rules::brings`] tells of: whether the neighbour would send it on this one of them.
    fn comes_on(&self, _at: &ExpectedRouting, _input: usize, _to: &[usize], _vc: usize) -> bool {
        true
    }

    /// If packets turn in fewer ways than from every port to every other: so many ports, the lowest, to which alone one goes that comes in at none of them.
    fn near(&self) -> Option<usize> {
        None
    }

    /// What software writes to load the switch's routing table; nothing if it has none.
    fn table(&self, _at: &ExpectedRouting) -> Vec<Write> {
        Vec::new()
    }
}

/// A routing's name, and its rules in a topology that it is for.
type Entry = (&'static str, fn(&Config, &dyn Topology) -> Option<Arc<dyn Rules>>);

/// The rules of every routing.
const RULES: [Entry; 14] = [
    ("star", star::of),
    ("fat-tree", fat_tree::of),
    ("least-occupied", least_occupied::of),
    ("mesh", mesh::of),
    ("torus", torus::of),
    // What is under way is not known here: with a limit every port that may have room is allowed.
    ("torus-limited", torus::of),
    ("dragonfly-ugal", dragonfly::ugal),
    ("dragonfly-minimal", dragonfly::minimal),
    ("boards", boards::of),
    ("staircase-escape", grid_escape::staircase),
    ("alternating-escape", grid_escape::alternating),
    ("west-last-east-last", west_last_east_last::of),
    ("table", table::of),
    ("table-limited", table::of),
];

/// The routing of a switch of a configuration, at an address.
#[derive(Clone, Debug)]
pub struct ExpectedRouting {
    rules: Arc<dyn Rules>,
    bases: Vec<usize>,
    ports: usize,
    vcs: usize,
    /// As [`Rules::near`], unless the switch has every turn.
    near: Option<usize>,
    position: Vec<usize>,
    stage: usize,
}

impl ExpectedRouting {
    /// The switch at the address of this node (a fat tree: of any node below it) and at this stage (0 but in a fat tree).
    ///
    /// # Errors
    /// A configuration that is not one of a switch; a node or a stage that the network does not have.
    pub fn new(config: &Config, node: usize, stage: usize) -> Result<ExpectedRouting> {
        let topology = config.check_switch()?;
        let name = config.routing().map_or("", |routing| routing.name);
        let rules = RULES.iter().find(|(routing, _)| *routing == name).and_then(|(_, of)| of(config, topology));
        let rules = rules.with_context(|| format!("routing: the test benches have no rules for {name}"))?;
        let bases = topology.bases(config.ports);
        let nodes: usize = bases.iter().product();
        ensure!(node < nodes, "position: node {node} is out of range 0..={}", nodes - 1);
        let last = topology.stages() - 1;
        ensure!(stage <= last, "stage: {stage} is out of range 0..={last}");
        let position = digits(&bases, pack_address(&bases, node)).expect("the address of a node");
        let near = rules.near().filter(|_| !config.switch.every_turn);
        Ok(ExpectedRouting { rules, bases, ports: config.ports, vcs: config.switch.vcs, near, position, stage })
    }

    /// Some switch of the network.
    ///
    /// # Errors
    /// A configuration that is not one of a switch.
    pub fn any(config: &Config, random: &mut Random) -> Result<ExpectedRouting> {
        let topology = config.check_switch()?;
        let nodes = topology.nodes(config.ports);
        let stage = random.below(topology.stages() as u64) as usize;
        ExpectedRouting::new(config, random.below(nodes as u64) as usize, stage)
    }

    /// Nodes of the network.
    pub fn nodes(&self) -> usize {
        self.bases.iter().product()
    }

    /// The input `position` of the switch.
    pub fn position(&self) -> u64 {
        self.packed(&self.position).into()
    }

    /// What software writes to load the switch's routing table; nothing if it has none.
    pub fn table(&self) -> Vec<Write> {
        self.rules.table(self)
    }

    /// The digits of an address side by side.
    fn packed(&self, digits: &[usize]) -> u16 {
        let (mut packed, mut low) = (0, 0);
        for (&digit, &base) in digits.iter().zip(&self.bases) {
            packed |= digit << low;
            low += digit_bits(base);
        }
        packed as u16
    }

    /// The input `stage` of the switch.
    pub fn stage(&self) -> u64 {
        self.stage as u64
    }

    /// The packed address of a node.
    pub fn address(&self, node: usize) -> u16 {
        pack_address(&self.bases, node)
    }

    /// Where a packet may go; `None`: it is dropped, since there is no node with its destination, or no turn on any way there.
    pub fn route(&self, head: &Head) -> Option<Route> {
        let to = digits(&self.bases, head.header as u16)?;
        let route = self.rules.route(self, &to, head);
        let turns = match self.near {
            Some(near) if head.input >= near => links(0, near),
            _ => u64::MAX,
        };
        let left = Route { adaptive: route.adaptive & turns, deterministic: route.deterministic & turns, ..route };
        (left.ports() != 0 || route.ports() == 0).then_some(left)
    }

    /// The same of a packet that asks for nothing, on the virtual channel of its destination.
    pub fn usual_route(&self, destination: u16) -> Option<Route> {
        let vc = self.vc_of(destination);
        self.route(&Head { header: destination.into(), input: 0, vc })
    }

    /// The virtual channel of a destination.
    fn vc_of(&self, destination: u16) -> usize {
        usize::from(destination) % 64 % self.vcs
    }

    /// Whether a well-behaved neighbour at this input port would send a packet for this node: it never turns back.
    pub fn brings(&self, input: usize, node: usize) -> bool {
        let to = digits(&self.bases, self.address(node)).expect("the address of a node");
        self.rules.brings(self, input, &to)
    }

    /// The virtual channels that a well-behaved neighbour may send it on: usual ones and rare ones.
    pub fn input_vcs(&self, destination: u16) -> (Range<usize>, Range<usize>) {
        self.rules.input_vcs(self, self.vc_of(destination))
    }

    /// The virtual channel on which such a neighbour at this input port sends it: the first from `drawn` on, counted round, that its place in the
    /// network allows.
    pub fn input_vc(&self, input: usize, destination: u16, drawn: usize) -> usize {
        let Some(to) = digits(&self.bases, destination) else { return drawn };
        let mut vcs = (0..self.vcs).map(|further| (drawn + further) % self.vcs);
        vcs.find(|&vc| self.rules.comes_on(self, input, &to, vc)).unwrap_or(drawn)
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

    fn switch(preset: &str, node: usize, stage: usize) -> ExpectedRouting {
        ExpectedRouting::new(&presets::by_name(preset).unwrap(), node, stage).unwrap()
    }

    #[test]
    fn a_leaf_of_a_fat_tree() {
        let leaf = switch("fat-tree-8", 17, 0);
        let down = leaf.usual_route(leaf.address(20)).unwrap();
        assert_eq!((down.deterministic, down.adaptive, down.deterministic_vcs), (1 << 4, 0, 1));
        let up = leaf.usual_route(leaf.address(43)).unwrap();
        assert_eq!((up.deterministic, up.adaptive, up.adaptive_vcs), (0, 0xff00, 1 << 3));
        assert!(up.allows(9, 3) && !up.allows(9, 2) && !up.allows(3, 3));
        // From above only what is below; a node sends nothing to itself.
        assert!(leaf.brings(9, 20) && !leaf.brings(9, 43) && leaf.brings(3, 43) && !leaf.brings(4, 20));
        assert_eq!(leaf.usual_route(64), None);
        // What it brings all the same does not go up again.
        let from_above = |to: usize| leaf.route(&Head { header: leaf.address(to).into(), input: 9, vc: 0 });
        assert_eq!((from_above(20), from_above(43)), (Some(down), None));
    }

    #[test]
    fn a_torus_switch_at_the_dateline() {
        let switch = switch("torus-28", 3, 0);
        // From (3,0,0) to (0,1,0): +x over the wrap-around link, +y.
        let route = switch.usual_route(switch.address(4)).unwrap();
        assert_eq!((route.adaptive, route.deterministic), (0xf0f, 0xf));
        assert_eq!((route.adaptive_vcs, route.deterministic_vcs), (0b11, 0b100));
        let here = switch.usual_route(switch.address(3)).unwrap();
        assert_eq!((here.adaptive, here.deterministic, here.deterministic_vcs), (0, 0xf << 24, 0xf));
        // It came down from +x: one more hop down is still the shortest way, two are not.
        assert!(switch.brings(0, 2) && !switch.brings(0, 1) && !switch.brings(0, 0));
        assert!(switch.brings(27, 0) && !switch.brings(27, 3));
    }

    #[test]
    fn every_routing_has_rules() {
        assert_eq!(RULES.map(|(name, _)| name), powar_config::routing::ALL.map(|routing| routing.name));
    }

    #[test]
    fn a_leaf_that_looks_at_buffers() {
        let mut config = presets::by_name("fat-tree-8").unwrap();
        let routing = &powar_config::routing::least_occupied::ROUTING;
        config.route_by(routing);
        (config.switch.vcs, config.switch.buffer_flits) = (3, 96);
        let leaf = ExpectedRouting::new(&config, 17, 0).unwrap();
        let route = |to: usize, asks: u32| {
            let header = asks << 26 | 1 << 16 | u32::from(leaf.address(to));
            leaf.route(&Head { header, input: 1, vc: 2 }).unwrap()
        };
        // It keeps its VC; up wherever there is most room, which is not known here, or where the destination's digit says.
        assert_eq!(route(43, 0), Route { adaptive: 0xff00, adaptive_vcs: 1 << 2, ..Route::default() });
        assert_eq!(route(43, 1), Route { deterministic: 1 << 11, deterministic_vcs: 1 << 2, ..Route::default() });
        assert_eq!(route(43, 2).deterministic, 0);
        for asks in [0, 1] {
            assert_eq!(route(20, asks), Route { deterministic: 1 << 4, deterministic_vcs: 1 << 2, ..Route::default() });
        }
        // The VC of node 43, at digits 3 and 5.
        assert_eq!(leaf.usual_route(leaf.address(43)).unwrap().adaptive_vcs, 1 << (0o53 % 3));
    }

    #[test]
    fn places_that_are_not_there() {
        let config = presets::by_name("fat-tree-8").unwrap();
        assert_eq!(
            ExpectedRouting::new(&config, 64, 0).unwrap_err().to_string(),
            "position: node 64 is out of range 0..=63"
        );
        assert_eq!(ExpectedRouting::new(&config, 0, 2).unwrap_err().to_string(), "stage: 2 is out of range 0..=1");
    }
}
