//! What the models share about routing: one file for each routing, and their list.
//!
//! To add one: a file beside these with its entry, and one line in [`ALL`]; `docs/microarchitecture/routing.md` says what a routing unit is, and
//! where else it has a file.

pub mod alternating_escape;
pub mod boards;
pub mod dragonfly_minimal;
pub mod dragonfly_ugal;
pub mod fat_tree;
mod grid;
pub mod least_occupied;
pub mod mesh;
pub mod staircase_escape;
pub mod star;
pub mod table;
pub mod table_limited;
pub mod tables;
pub mod torus;
pub mod torus_limited;
pub mod west_last_east_last;

use crate::nearest::is_unknown;
use crate::registers::Word;
use crate::shape::{Deterministic, Shape};
use crate::topology::{Connectivity, Topology};
use anyhow::{Result, anyhow, bail};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Every routing. A configuration that names none has the first of those for its topology ([`Routing::of`]).
pub const ALL: [&Routing; 14] = [
    &star::ROUTING,
    &fat_tree::ROUTING,
    &least_occupied::ROUTING,
    &mesh::ROUTING,
    &torus::ROUTING,
    &torus_limited::ROUTING,
    &dragonfly_ugal::ROUTING,
    &dragonfly_minimal::ROUTING,
    &boards::ROUTING,
    &staircase_escape::ROUTING,
    &alternating_escape::ROUTING,
    &west_last_east_last::ROUTING,
    &table::ROUTING,
    &table_limited::ROUTING,
];

/// A way to route packets through networks of some kind, as far as it is data.
pub struct Routing {
    /// Name in configurations.
    pub name: &'static str,
    /// One line.
    pub doc: &'static str,
    /// Which of the signals of a routing unit it has that are not there for all.
    pub sees: RoutingSees,
    /// Whether it is for a topology.
    pub is_for: fn(&dyn Topology) -> bool,
    /// Among topologies that it is for: those whose usual routing it is, whatever stands before it in [`ALL`].
    pub comes_first: fn(&dyn Topology) -> bool,
    /// The graph whose ever-on ports must be in `serves` at all times: what it counts on when links are off. `None`: on no such thing.
    pub counts_on: Option<&'static Connectivity>,
    /// The routing that this one is but for packets from nodes, which wait until there is room: it is free of deadlock if that one is, since the
    /// room comes then.
    pub limits: Option<&'static Routing>,
    /// Virtual channels that it needs to be free of deadlock.
    pub least_vcs: usize,
    /// Packets for a node of the switch that come in on one VC go out on one VC, and so in order.
    pub keeps_order: bool,
    /// It has a way for every packet wherever it comes in, also where no switch of its networks would send it.
    pub takes_all: bool,
    /// What its deterministic set may hold.
    pub deterministic: Deterministic,
    /// No port below this one is ever in a candidate set P of it, so that nothing has to look for one there: 0 where any may be.
    pub lowest_adaptive: fn(&Shape) -> usize,
    /// So many ports, the lowest, are *near*, 1..=N; the others are *far*. No packet of its networks goes from a far input port to a far output port, so
    /// that a switch has no such turn: all of them where packets may go from any port to any other.
    pub near_ports: fn(&Shape) -> usize,
    /// Checks what else it needs of a switch of a topology that it is for.
    pub check: fn(&Shape, &dyn Topology) -> Result<()>,
    /// Its register words, at byte addresses 0x0010..=0x003C, lowest first.
    pub words: fn(&Shape) -> Vec<Word>,
}

/// What a routing unit sees beyond its place in the network and the packet's destination: what its answer depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoutingSees {
    /// `header`: all of the packet's header.
    pub header: bool,
    /// `input_port` and `input_vc`: where the packet came in.
    pub input: bool,
    /// `serves`: the ports that the power mechanism counts on.
    pub serves: bool,
    /// `occupancy`: flits in the next buffers.
    pub occupancy: bool,
    /// `row`: the row of the switch's routing table for the destination.
    pub table: bool,
    /// `to_node`: which ports lead to nodes, as software has said with the table.
    pub to_node: bool,
}

impl RoutingSees {
    /// The answer for a destination is always the same.
    pub fn destination_alone(self) -> bool {
        self == RoutingSees::default()
    }

    /// The answer for a waiting packet may change from cycle to cycle.
    pub fn changes(self) -> bool {
        self.serves || self.occupancy
    }
}

/// It is the usual routing only where it stands first.
pub(crate) fn never(_: &dyn Topology) -> bool {
    false
}

/// No register words.
pub(crate) fn no_words(_: &Shape) -> Vec<Word> {
    Vec::new()
}

/// Any port may be in P.
pub(crate) fn from_port_0(_: &Shape) -> usize {
    0
}

/// Packets may go from any port to any other.
pub(crate) fn all_ports(shape: &Shape) -> usize {
    shape.ports
}

/// A packet may have to rely on the one port of D, or on the only one in P, which a mechanism must not keep back because
/// others of a group are enough: POWAR would never let it leave, and all behind it would stand still.
///
/// # Errors
/// A group of several ports.
pub(crate) fn no_group_of_several(shape: &Shape, routing: &str) -> Result<()> {
    let several = shape.groups.iter().enumerate().find(|(_, group)| group.size > 1);
    several.map_or(Ok(()), |(index, group)| {
        bail!("groups[{index}].size: {} is out of range 1..=1 with {routing}", group.size)
    })
}

/// Nothing more to check.
pub(crate) fn unconditional(_: &Shape, _: &dyn Topology) -> Result<()> {
    Ok(())
}

impl Routing {
    /// The routing with this name.
    ///
    /// # Errors
    /// There is none; the known ones are listed.
    pub fn by_name(name: &str) -> Result<&'static Routing> {
        Routing::find(name).map_err(|unknown| anyhow!("routing: {unknown}"))
    }

    /// The same with an error that does not name the field.
    fn find(name: &str) -> Result<&'static Routing, String> {
        let known = ALL.map(|routing| routing.name);
        let found = ALL.into_iter().find(|routing| routing.name == name);
        found.ok_or_else(|| is_unknown(name, known))
    }

    /// The routings for a topology, its usual one first.
    pub fn of(topology: &dyn Topology) -> impl Iterator<Item = &'static Routing> {
        let known = ALL.into_iter().filter(move |routing| (routing.is_for)(topology));
        let (first, rest): (Vec<_>, Vec<_>) = known.partition(|routing| (routing.comes_first)(topology));
        first.into_iter().chain(rest)
    }
}

impl std::fmt::Debug for Routing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Routing {
    fn eq(&self, other: &Routing) -> bool {
        self.name == other.name
    }
}

impl Serialize for Routing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

impl<'de> Deserialize<'de> for &'static Routing {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Routing::find(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::group::Group;
    use crate::{presets, topology};

    /// A packet of a dragonfly may have one port alone, which POWAR would keep back while another of its group is enough.
    #[test]
    fn ports_of_a_dragonfly_are_in_no_group_of_several() {
        for routing in [&dragonfly_ugal::ROUTING, &dragonfly_minimal::ROUTING] {
            let mut config = Config::of_network("dragonfly-p2a4h2").unwrap();
            config.route_by(routing);
            assert_eq!(config.groups, []);
            config.groups = vec![Group { first: 2, size: 1 }];
            config.check_switch().unwrap();
            config.groups.push(Group { first: 5, size: 2 });
            let error = config.check_switch().unwrap_err().to_string();
            assert_eq!(error, format!("groups[1].size: 2 is out of range 1..=1 with {}", routing.name));
        }
    }

    #[test]
    fn every_topology_has_a_routing() {
        for (name, first) in [
            ("star-4", "star"),
            ("4-ary-2-tree", "fat-tree"),
            ("mesh-3x3", "mesh"),
            ("torus-3x3-trunk2", "torus"),
            ("torus-7x7", "torus"),
            ("torus-8x4", "torus-limited"),
            ("dragonfly-p2a4h2", "dragonfly-ugal"),
            ("boards-4x4", "boards"),
        ] {
            let (topology, _) = topology::by_name(name).unwrap();
            assert_eq!(Routing::of(&*topology).next().unwrap().name, first);
        }
    }

    #[test]
    fn a_configuration_names_its_routing() {
        let preset = presets::by_name("fat-tree-4").unwrap();
        assert_eq!(preset.routing().unwrap().name, "fat-tree");
        let least = &least_occupied::ROUTING;
        let named = Config { routing: Some(least), deterministic: least.deterministic, ..preset.clone() };
        let error = Config { routing: Some(least), ..preset.clone() }.check_switch().unwrap_err().to_string();
        assert_eq!(error, "deterministic: single must be set with least-occupied routing");
        let read = Config::from_toml(&named.to_toml()).unwrap();
        assert_eq!(read, named);
        assert_eq!(read.routing().unwrap().name, "least-occupied");
        let wrong = Config { routing: Some(&torus::ROUTING), ..preset };
        let error = wrong.check().unwrap_err().to_string();
        assert_eq!(
            error,
            "routing: `torus` is not for this fat-tree; it must be one of fat-tree, least-occupied, table, table-limited"
        );
        let unknown = named.to_toml().replace("\"least-occupied\"", "\"left\"");
        let error = Config::from_toml(&unknown).unwrap_err().to_string();
        assert!(
            error.ends_with(
                "routing: `left` is unknown; it must be one of star, fat-tree, least-occupied, mesh, torus, \
                 torus-limited, dragonfly-ugal, dragonfly-minimal, boards, staircase-escape, alternating-escape, west-last-east-last, table, table-limited"
            ),
            "{error}"
        );
    }
}
