//! The switches that blocks are tried at: small, of every kind, with buffers that run full.

use powar_config::routing::{
    alternating_escape, dragonfly_minimal, least_occupied, staircase_escape, table, table_limited, torus_limited,
    west_last_east_last,
};
use powar_config::topology::{Boards, Dragonfly, FatTree, Mesh, Topology, Torus};
use powar_config::{Config, Deterministic, Group, SwitchConfig, presets};

/// Which one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TestSwitch {
    /// The shipped fat-tree of 8 ports.
    FatTree,
    /// The same with deterministic sets of several ports, and no topology: two trunks of 4 links.
    Trunks,
    /// The shipped fat-tree of 8 ports for short packets: with next routes, and since its packets may have nine flits
    /// with the rule for five.
    ShortPackets,
    /// A switch of 12 nodes, with 3 virtual channels.
    Star,
    /// A torus of 4 x 3 switches of 10 ports, with trunks of 2 links: one ring of even and one of odd size.
    Torus,
    /// A torus of 8 x 3 switches of 10 ports, with trunks of 2 links, whose nodes wait for room.
    LongTorus,
    /// A torus of 3 x 4 switches of 7 ports, with three nodes at each.
    SharedTorus,
    /// A mesh of 4 x 3 switches of 7 ports, with three nodes at each, and 3 virtual channels.
    Mesh,
    /// A dragonfly of 7 groups of 3 switches with 6 ports, shortest ways only.
    Dragonfly,
    /// The same with UGAL-L.
    DragonflyUgal,
    /// Three boards with three nodes each, a switch of 9 ports.
    Boards,
    /// The shipped fat-tree of 8 ports with a folded root, routed by what least-occupied routing sees, and with 3 virtual channels.
    LeastOccupied,
    /// The mesh of 4 x 3 switches of 7 ports with 3 virtual channels, routed by a table.
    Table,
    /// The same with nodes that wait for room.
    LimitedTable,
    /// A torus of 5 x 4 switches of 6 ports, with two nodes at each, whose links may be off but for stairs.
    Stairs,
    /// A mesh of 4 x 5 switches of 5 ports whose links may be off but for one-way streets, with 3 virtual channels.
    Streets,
    /// A torus of 4 x 3 switches of 5 ports likewise.
    RingStreets,
    /// A mesh of 5 x 6 switches of 6 ports, with two nodes at each, whose links may be off but for one-way streets, with two virtual networks
    /// and 3 virtual channels.
    LastTurns,
    /// The shipped fat-tree of 4 ports, for the whole switch.
    SmallTree,
    /// A demonstrator of three nodes, with 2 virtual channels.
    Demonstrator,
    /// That of a leaf of a 2-ary 2-tree: packets for two of its ports may come out at either, and those alone out of order.
    TreeDemonstrator,
    /// That of a switch in the middle of a mesh of 3 x 2, whose position is not 0, with a port that leads nowhere.
    MeshDemonstrator,
}

/// Every one, in their order; the first that has a block is the one that it is usually tried at.
pub const ALL: [TestSwitch; 22] = {
    use TestSwitch::*;
    [
        FatTree,
        Trunks,
        ShortPackets,
        Star,
        Torus,
        LongTorus,
        SharedTorus,
        Mesh,
        Dragonfly,
        DragonflyUgal,
        Boards,
        LeastOccupied,
        Table,
        LimitedTable,
        Stairs,
        Streets,
        RingStreets,
        LastTurns,
        SmallTree,
        Demonstrator,
        TreeDemonstrator,
        MeshDemonstrator,
    ]
};

/// A block, and the switches that it is tried at.
pub(crate) type TriedAt = (&'static str, &'static [TestSwitch]);

/// The configuration of a switch. Its buffers are so small that they run full, and no power of two.
pub fn config(switch: TestSwitch) -> Config {
    let preset = |name| presets::by_name(name).expect("the preset is shipped");
    let of_network = |name| Config::of_network(name).expect("the name of a network");
    let (vcs, words) = match switch {
        TestSwitch::SmallTree => (2, 1),
        TestSwitch::Demonstrator | TestSwitch::TreeDemonstrator | TestSwitch::MeshDemonstrator => (2, 2),
        TestSwitch::Star
        | TestSwitch::LeastOccupied
        | TestSwitch::Mesh
        | TestSwitch::Table
        | TestSwitch::LimitedTable
        | TestSwitch::Streets
        | TestSwitch::LastTurns => (3, 2),
        _ => (4, 2),
    };
    let own = SwitchConfig {
        vcs,
        buffer_flits: 20 * vcs,
        max_packet_flits: 9,
        flit_bits: 32 * words,
        every_turn: false,
        short_packets: (switch == TestSwitch::ShortPackets).then_some(true),
        link_stages: 3,
        crossing_entries: 8,
    };
    let groups = |count, size| (0..count).map(|group| Group { first: group * size, size }).collect();
    let config = match switch {
        TestSwitch::FatTree => preset("fat-tree-4"),
        TestSwitch::ShortPackets => Config { name: "short-packets".into(), ..preset("fat-tree-4") },
        TestSwitch::LeastOccupied => Config {
            name: "least-occupied".into(),
            routing: Some(&least_occupied::ROUTING),
            deterministic: least_occupied::ROUTING.deterministic,
            topology: Some(Box::new(FatTree { k: 4, n: 4, folded: true })),
            ..preset("fat-tree-4")
        },
        TestSwitch::SmallTree => preset("fat-tree-2"),
        TestSwitch::Demonstrator => Config { name: "demonstrator-3".into(), ports: 3, ..preset("demonstrator-4") },
        TestSwitch::TreeDemonstrator => of_network("2-ary-2-tree"),
        TestSwitch::MeshDemonstrator => of_network("mesh-3x2"),
        TestSwitch::Star => Config { ports: 12, ..preset("star-16") },
        TestSwitch::Trunks => Config {
            name: "two-trunks".into(),
            deterministic: Deterministic::Set,
            groups: groups(2, 4),
            topology: None,
            ..preset("fat-tree-4")
        },
        TestSwitch::Torus => Config {
            ports: 10,
            groups: groups(5, 2),
            topology: Some(Box::new(Torus { dimensions: vec![4, 3], trunk: 2, nodes: 1 })),
            ..preset("torus-28")
        },
        TestSwitch::LongTorus => Config {
            name: "long-torus".into(),
            ports: 10,
            groups: groups(5, 2),
            topology: Some(Box::new(Torus { dimensions: vec![8, 3], trunk: 2, nodes: 1 })),
            routing: Some(&torus_limited::ROUTING),
            ..preset("torus-28")
        },
        TestSwitch::SharedTorus => Config {
            ports: 7,
            groups: groups(4, 1),
            topology: Some(Box::new(Torus { dimensions: vec![3, 4], trunk: 1, nodes: 3 })),
            ..preset("torus-28")
        },
        TestSwitch::Mesh => Config {
            ports: 7,
            groups: groups(4, 1),
            topology: Some(Box::new(Mesh { dimensions: vec![4, 3], nodes: 3 })),
            ..preset("torus-28")
        },
        TestSwitch::Table => {
            let mut mesh = Config { name: "by-table".into(), ..self::config(TestSwitch::Mesh) };
            mesh.route_by(&table::ROUTING);
            mesh
        }
        TestSwitch::LimitedTable => {
            let mut mesh = Config { name: "by-table-limited".into(), ..self::config(TestSwitch::Mesh) };
            mesh.route_by(&table_limited::ROUTING);
            mesh
        }
        TestSwitch::Stairs => Config {
            name: "stairs".into(),
            ports: 6,
            groups: groups(4, 1),
            topology: Some(Box::new(Torus { dimensions: vec![5, 4], trunk: 1, nodes: 2 })),
            routing: Some(&staircase_escape::ROUTING),
            deterministic: staircase_escape::ROUTING.deterministic,
            ..preset("torus-28")
        },
        TestSwitch::Streets => Config {
            name: "streets".into(),
            ports: 5,
            groups: groups(4, 1),
            topology: Some(Box::new(Mesh { dimensions: vec![4, 5], nodes: 1 })),
            routing: Some(&alternating_escape::ROUTING),
            deterministic: alternating_escape::ROUTING.deterministic,
            ..preset("torus-28")
        },
        TestSwitch::RingStreets => Config {
            topology: Some(Box::new(Torus { dimensions: vec![4, 3], trunk: 1, nodes: 1 })),
            ..config(TestSwitch::Streets)
        },
        TestSwitch::LastTurns => Config {
            name: "last-turns".into(),
            ports: 6,
            groups: groups(4, 1),
            topology: Some(Box::new(Mesh { dimensions: vec![5, 6], nodes: 2 })),
            routing: Some(&west_last_east_last::ROUTING),
            deterministic: west_last_east_last::ROUTING.deterministic,
            ..preset("torus-28")
        },
        TestSwitch::Boards => {
            let boards = Boards { boards: 3, nodes: 3 };
            Config {
                name: "boards".into(),
                ports: 9,
                deterministic: Deterministic::Single,
                groups: boards.groups(9),
                topology: Some(Box::new(boards)),
                ..preset("torus-28")
            }
        }
        TestSwitch::Dragonfly | TestSwitch::DragonflyUgal => {
            let dragonfly = Dragonfly { p: 2, a: 3, h: 2 };
            let minimal = Some(&dragonfly_minimal::ROUTING).filter(|_| switch == TestSwitch::Dragonfly);
            Config {
                name: "dragonfly".into(),
                ports: 6,
                groups: dragonfly.groups(6),
                topology: Some(Box::new(dragonfly)),
                routing: minimal,
                ..preset("torus-28")
            }
        }
    };
    Config { switch: own, ..config }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_a_switch() {
        for switch in ALL {
            config(switch).check().unwrap();
        }
    }
}
