//! Routing units: what every routing unit has in common, and the list of all units.

mod adaptive_with_escape;
pub mod alternating_escape_routing;
pub mod boards_routing;
pub mod dragonfly_minimal_routing;
pub mod dragonfly_ugal_routing;
pub mod fat_tree_routing;
pub mod grid_ways;
pub mod injection_limit;
pub mod least_occupied_routing;
pub mod mesh_routing;
pub mod route_register;
pub mod routing_table;
pub mod staircase_escape_routing;
pub mod star_routing;
pub mod table_limited_routing;
pub mod table_loader;
pub mod table_routing;
pub mod torus_limited_routing;
pub mod torus_routing;
pub mod west_last_east_last_routing;

pub use route_register::RouteRegister;
pub use routing_table::RoutingTable;
pub use table_loader::TableLoader;

use crate::inputs;
use crate::lock_step::{Block, FromRows, Slots};
use crate::reference::mechanisms::Twin;
use crate::register_rows::{RegisterRows, Registers};
use anyhow::{Result, ensure};
use powar_config::routing::tables::TableRow;
use powar_config::signal::{destination, fill, flag, flags, header, port_number, position, set, stage, vc_number};
use powar_config::topology::digit_bits;
use powar_config::{Config, Habit, Owner, RoutingSees, SignalDecl, SignalSpec};
use std::fmt::Debug;
use std::sync::Arc;

inputs! {
    /// What a routing unit sees in a cycle. Vectors have one bit a port.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct RoutingInputs<'a> of block: &RoutingBlock {
        /// Packed address of the switch.
        pub position: u16 = position("position"),
        /// Stage of the switch in a tree, 4 bits.
        pub stage: u8 = stage("stage"),
        /// Packed address of a node.
        pub destination: u16 = destination("destination"),
        /// The packet's header: destination 15:0, length 25:16, the user's bits 31:26.
        pub header: u32 = header("header", 32).only_if(block.sees.header),
        /// The port and the VC at which the packet came in.
        pub input_port: u8 = port_number("input_port").only_if(block.sees.input),
        pub input_vc: u8 = vc_number("input_vc").habit(Habit::Usual).only_if(block.sees.input),
        /// Bit p: output port p is to be counted on.
        pub serves: u64 = flags("serves", Owner::Port, block.ports).only_if(block.sees.serves),
        /// Row p: flits in the next buffer of output port p and on the way there and back, 13 bits.
        pub occupancy: &'a [u64] = fill("occupancy").rows(Owner::Port, block.ports).only_if(block.sees.occupancy),
        /// The row that the switch's routing table has for the destination.
        pub row: TableRow = block,
        /// Bit p: port p leads to a node, as software has said.
        pub to_node: u64 = set("to_node", block.ports).only_if(block.sees.to_node),
    }
}

impl RoutingInputs<'_> {
    /// What is left of it for a routing that sees so much: the rest is 0, and has no rows.
    pub fn seen_by(self, sees: RoutingSees) -> Self {
        RoutingInputs {
            header: if sees.header { self.header } else { 0 },
            input_port: if sees.input { self.input_port } else { 0 },
            input_vc: if sees.input { self.input_vc } else { 0 },
            serves: if sees.serves { self.serves } else { 0 },
            occupancy: if sees.occupancy { self.occupancy } else { &[] },
            row: if sees.table { self.row } else { TableRow::default() },
            to_node: if sees.to_node { self.to_node } else { 0 },
            ..self
        }
    }
}

inputs! {
    /// Where a packet may go; all zeros if it may go nowhere. As inputs it is that of a new packet.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Route of (ports, vcs): (usize, usize) {
        /// The destination exists.
        pub routable: bool = flag("routable").habit(Habit::Usual),
        /// Candidate set P.
        pub adaptive: u64 = set("new_adaptive", ports),
        /// Deterministic set D.
        pub deterministic: u64 = set("new_deterministic", ports),
        /// Output VCs allowed with P; 0 if P is empty.
        pub adaptive_vcs: u64 = set("new_adaptive_vcs", vcs).habit(Habit::Usual),
        /// Output VCs allowed with D; 0 if D is empty.
        pub deterministic_vcs: u64 = set("new_deterministic_vcs", vcs).habit(Habit::Usual),
    }
}

impl Route {
    /// The sets of a packet whose destination exists, with the same output VCs for each of them that is not empty.
    fn on(vcs: u64, adaptive: u64, deterministic: u64) -> Route {
        let with = |set: u64| if set == 0 { 0 } else { vcs };
        Route {
            routable: true,
            adaptive,
            deterministic,
            adaptive_vcs: with(adaptive),
            deterministic_vcs: with(deterministic),
        }
    }
}

/// A routing unit: where a packet may go from a switch.
pub trait RoutingUnit: Debug + Send + Sync {
    /// The block's name.
    fn name(&self) -> &'static str;

    /// Golden twins of its children that are blocks of their own, by name.
    fn blocks(&self, _config: &Config) -> Vec<(String, Twin)> {
        vec![]
    }

    /// What the unit makes of an output port's occupancy: two with the same answer here mean the same to [`RoutingUnit::route`].
    fn distinguishes(&self, occupancy: u64) -> u64 {
        occupancy
    }

    /// Where the packet may go. What its routing does not see has no effect; `routable` depends on the destination alone.
    fn route(&self, inputs: &RoutingInputs) -> Route;
}

/// A routing's name in [`powar_config::routing::ALL`], and what makes its unit if the configuration's topology is one that it is for.
pub type Entry = (&'static str, fn(&Config) -> Option<Arc<dyn RoutingUnit>>);

/// Every routing unit. A new one is a file and a line here.
const UNITS: [Entry; 14] = [
    star_routing::ENTRY,
    fat_tree_routing::ENTRY,
    least_occupied_routing::ENTRY,
    mesh_routing::ENTRY,
    torus_routing::ENTRY,
    torus_limited_routing::ENTRY,
    dragonfly_ugal_routing::ENTRY,
    dragonfly_minimal_routing::ENTRY,
    boards_routing::ENTRY,
    staircase_escape_routing::ENTRY,
    alternating_escape_routing::ENTRY,
    west_last_east_last_routing::ENTRY,
    table_routing::ENTRY,
    table_limited_routing::ENTRY,
];

/// Whether there is a model of a configuration's routing; one without a topology needs none.
///
/// # Errors
/// There is none.
pub fn check(config: &Config) -> Result<()> {
    let Some(routing) = config.routing() else { return Ok(()) };
    let known = UNITS.map(|(name, _)| name);
    ensure!(
        known.contains(&routing.name),
        "routing: there is no golden model of {}; it must be one of {}",
        routing.name,
        known.join(", ")
    );
    Ok(())
}

/// The unit of a configuration's routing; `None` without a topology, or without a model of it.
pub fn routing_unit(config: &Config) -> Option<Arc<dyn RoutingUnit>> {
    let routing = config.routing()?;
    let (_, of) = UNITS.into_iter().find(|(name, _)| *name == routing.name)?;
    of(config)
}

/// The VC of a destination among `vcs` (1..=8): the six lowest bits of the packed address modulo their number.
pub(crate) fn vc_of_destination(destination: u16, vcs: usize) -> usize {
    usize::from(destination & 0x3f) % vcs
}

/// Whether there is a node (or switch) of this packed address.
pub(crate) fn exists(bases: &[usize], address: u16) -> bool {
    let bits: usize = bases.iter().map(|&base| digit_bits(base)).sum();
    u32::from(address) >> bits == 0 && digits(bases, address).zip(bases).all(|(digit, &base)| digit < base)
}

/// The digits of a packed address, lowest first, whether or not each is below its base.
pub(crate) fn digits(bases: &[usize], address: u16) -> impl Iterator<Item = usize> {
    let mut rest = usize::from(address);
    bases.iter().map(move |&base| {
        let digit = rest & ((1 << digit_bits(base)) - 1);
        rest >>= digit_bits(base);
        digit
    })
}

/// The row of a routing table in these words of 32 bits; none, if there are no words.
pub(crate) fn row(words: &[u64], ports: usize, vcs: usize) -> TableRow {
    if words.is_empty() {
        return TableRow::default();
    }
    let words: Vec<u32> = words.iter().map(|&word| word as u32).collect();
    TableRow::of_words(&words, ports, vcs)
}

/// A routing unit under the harness.
#[derive(Clone, Debug)]
pub struct RoutingBlock {
    ports: usize,
    vcs: usize,
    sees: RoutingSees,
    pub unit: Arc<dyn RoutingUnit>,
}

impl RoutingBlock {
    /// The unit of this configuration; `None` as of [`routing_unit`].
    pub fn new(config: &Config) -> Option<Self> {
        let (ports, vcs, unit) = (config.ports, config.switch.vcs, routing_unit(config)?);
        Some(RoutingBlock { ports, vcs, sees: config.routing_sees(), unit })
    }

    /// The words of a table's row, if the unit sees one.
    fn row_words(&self) -> SignalSpec {
        let words = TableRow::word_count(self.ports, self.vcs);
        set("row", 32).rows(Owner::Block, words).only_if(self.sees.table)
    }
}

impl FromRows<'_, &RoutingBlock> for TableRow {
    fn declare(block: &RoutingBlock, signals: &mut Vec<SignalDecl>) {
        <&[u64]>::declare(block.row_words(), signals);
    }

    fn take(block: &RoutingBlock, slots: &mut Slots) -> Self {
        row(<&[u64]>::take(block.row_words(), slots), block.ports, block.vcs)
    }
}

impl Registers for RoutingBlock {}

impl Block for RoutingBlock {
    type Inputs<'a> = RoutingInputs<'a>;
    const HAS_RST: bool = false;

    fn outputs(&self, seen: &RoutingInputs, rows: &mut RegisterRows) {
        let route = self.unit.route(seen);
        rows.one(flag("routable"), route.routable);
        rows.one(set("adaptive", self.ports), route.adaptive);
        rows.one(set("deterministic", self.ports), route.deterministic);
        rows.one(set("adaptive_vcs", self.vcs), route.adaptive_vcs);
        rows.one(set("deterministic_vcs", self.vcs), route.deterministic_vcs);
    }

    fn edge(&mut self, _: bool, _: &RoutingInputs) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lock_step::Frames;
    use powar_config::Role;
    use powar_config::presets;
    use powar_config::routing::tables::RoutingTables;
    use proptest::prelude::*;

    #[test]
    fn every_routing_of_the_configuration_has_a_model() {
        assert_eq!(UNITS.map(|(name, _)| name), powar_config::routing::ALL.map(|routing| routing.name));
        let mut config = presets::by_name("fat-tree-4").unwrap();
        for routing in [&powar_config::routing::fat_tree::ROUTING, &powar_config::routing::least_occupied::ROUTING] {
            config.route_by(routing);
            let name = routing_unit(&config).unwrap().name();
            assert_eq!(name, format!("{}_routing", routing.name.replace('-', "_")));
        }
    }

    #[test]
    fn what_a_routing_does_not_see_has_no_signal() {
        let names = |routing| {
            let config = Config { routing, ..presets::by_name("fat-tree-4").unwrap() };
            let signals = RoutingBlock::new(&config).unwrap().signals();
            signals
                .into_iter()
                .filter(|signal| signal.role == Role::Input)
                .map(|signal| signal.name)
                .collect::<Vec<_>>()
        };
        assert_eq!(names(None), ["position", "stage", "destination"]);
        let all = ["position", "stage", "destination", "header", "input_port", "input_vc", "serves", "occupancy"];
        assert_eq!(names(Some(&powar_config::routing::least_occupied::ROUTING)), all);
    }

    #[test]
    fn virtual_channels_of_destinations() {
        assert_eq!([0, 1, 2, 3, 62, 63, 64, 65].map(|to| vc_of_destination(to, 3)), [0, 1, 2, 0, 2, 0, 0, 1]);
        assert_eq!([7, 8, 63, 0xffff].map(|to| vc_of_destination(to, 8)), [7, 0, 7, 7]);
        assert_eq!(vc_of_destination(0x1234, 1), 0);
    }

    /// Switches whose routings see occupancy, and the limit of those that have one, half a VC's depth.
    fn of_occupancy() -> [(Config, u64); 4] {
        let made = |name, routing: &'static powar_config::Routing| {
            let mut config = Config::of_network(name).unwrap();
            config.switch.vcs = 3;
            config.route_by(routing);
            let half = config.switch.vc_depth() as u64 / 2;
            (config, half)
        };
        [
            made("mesh-5x5", &powar_config::routing::staircase_escape::ROUTING),
            made("torus-5x5", &powar_config::routing::alternating_escape::ROUTING),
            made("4-ary-2-tree", &powar_config::routing::least_occupied::ROUTING),
            made("dragonfly-p2a4h2", &powar_config::routing::dragonfly_ugal::ROUTING),
        ]
    }

    /// What `limits` says of a routing: packets that are in the network go where they would go without the limit, those of nodes nowhere else,
    /// and there if the next buffers are empty.
    #[test]
    fn a_limit_is_for_packets_of_nodes_and_takes_ports_away() {
        let mut with_a_limit = 0;
        for routing in powar_config::routing::ALL {
            let Some(without) = routing.limits else { continue };
            with_a_limit += 1;
            let mut config = Config::of_network("torus-8x3-nodes2").unwrap();
            let mut unlimited = config.clone();
            config.route_by(routing);
            unlimited.route_by(without);
            let units = [&config, &unlimited].map(|config| (routing_unit(config).unwrap(), config.routing_sees()));
            let tables = RoutingTables::of(&unlimited).unwrap();
            let mut random = fastrand::Rng::with_seed(1);
            for _ in 0..4000 {
                let (from, to) = (random.usize(0..24), random.usize(0..48));
                let (wiring, input) = (tables.wiring(), random.usize(0..config.ports));
                let destination = wiring.addresses[to];
                let empty = random.bool();
                let occupancy: [u64; 6] = std::array::from_fn(|_| if empty { 0 } else { random.u64(0..60) });
                let inputs = RoutingInputs {
                    position: wiring.places[from].position,
                    destination,
                    input_port: input as u8,
                    input_vc: random.u8(0..4),
                    occupancy: &occupancy,
                    row: tables.row(from, destination),
                    to_node: tables.node_ports(from),
                    ..RoutingInputs::default()
                };
                let [limited, free] = units.each_ref().map(|(unit, sees)| unit.route(&inputs.seen_by(*sees)));
                let of_node = tables.node_ports(from) >> input & 1 == 1;
                assert!(of_node && !empty || limited == free, "{}: {inputs:?}", routing.name);
                let less = limited.adaptive & !free.adaptive | limited.deterministic & !free.deterministic == 0;
                assert!(less && limited.routable == free.routable, "{}: {inputs:?}", routing.name);
            }
        }
        assert_eq!(with_a_limit, 2);
    }

    proptest! {
        #[test]
        fn what_a_unit_does_not_distinguish_has_no_effect(
            which in 0..4usize, from: u8, to: u8, input_port in 0..7u8, input_vc in 0..3u8, serves: u64,
            near in prop::array::uniform2(prop::array::uniform8(-2..3i64)),
        ) {
            let (config, half) = &of_occupancy()[which];
            let topology = config.topology.as_ref().unwrap();
            let (bases, unit) = (topology.bases(config.ports), routing_unit(config).unwrap());
            let nodes: usize = bases.iter().product();
            let address = |node: u8| powar_config::topology::pack_address(&bases, usize::from(node) % nodes);
            // Around the value at which a limit may lie; `other` differs where the unit says that it makes nothing of it.
            let [one, b] = near.map(|row| row.map(|away| (*half as i64 + away) as u64));
            let same = |port: usize| unit.distinguishes(one[port]) == unit.distinguishes(b[port]);
            let other: [u64; 8] = std::array::from_fn(|port| if same(port) { b[port] } else { one[port] });
            let route = |occupancy: &[u64]| {
                let (position, destination) = (address(from), address(to));
                let header = u32::from(destination);
                unit.route(&RoutingInputs {
                    position, destination, header, input_port, input_vc, serves, occupancy, ..RoutingInputs::default()
                })
            };
            prop_assert_eq!(route(&one), route(&other));
        }
    }
}
