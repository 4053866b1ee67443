//! Deliberate faults that the lock-step check must catch: a check that has never failed proves nothing.
//!
//! [`golden`] spoils the golden model and runs it against the sound RTL; [`verilog`] spoils the emitted Verilog and runs it
//! against the sound golden model. `tests/faults.rs` runs them all.

pub mod board;
pub mod golden;
mod hunt;
mod splice;
pub mod verilog;

use crate::dut::verilator::Verilator;
use crate::expected_routing::ExpectedRouting;
use crate::mechanisms;
use crate::random::Random;
use crate::stimulus::{
    CrossingClocks, CrossingLoad, CrossingTraffic, HardlyReading, LinkOptions, LinkTraffic, NodeTraffic, Scenario,
    SerialCommands, Stimulus, TrafficKind,
};
use crate::twins::{self, DEMONSTRATOR, SWITCH};
use anyhow::Result;
use powar_config::routing::{
    alternating_escape, dragonfly_minimal, least_occupied, staircase_escape, table, table_limited, torus_limited,
    west_last_east_last,
};
use powar_config::topology::{Boards, Dragonfly, FatTree, Mesh, Topology, Torus};
use powar_config::{Config, Deterministic, Group, Layout, SwitchConfig, presets};
use powar_hdl::verilog::Design;
use powar_tools::{Progress, Tools};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

pub use crate::dut::lockstep_top::{FAULT, TOP};
pub use hunt::{Caught, hunt, hunt_to_the_end};
pub use splice::with_faults;

/// Cycles a fault is looked for under each of [`scenarios`].
pub const CYCLES: u64 = 15_000;
/// For how long one that takes a long wait or a high count to show is looked for, with [`Patient`](crate::stimulus::Patient): values of
/// signals that are compared, so that a small block runs for millions of cycles and a large one takes no longer.
pub const PATIENCE: u64 = 240_000_000;
/// Cycles for which a block is told of waits of ten million: enough for forty of them.
pub const TO_THE_END: u64 = 400_000_000;
/// Like [`CYCLES`], of a whole demonstrator, which is told what to do bit by bit.
pub const DEMONSTRATOR_CYCLES: u64 = 100_000;

/// The stimuli that must bring a fault to light.
pub fn scenarios() -> [Scenario; 6] {
    let lively = Scenario::lively(1);
    [
        lively.clone(),
        // Resets in the middle of everything.
        Scenario { seed: 2, reset_every: 12, hold: 20, ..lively.clone() },
        // Long undisturbed runs under load: counters get far.
        Scenario { seed: 3, reset_every: 0, density: 200, longest: 60, hold: 1000, ..lively.clone() },
        // Collisions.
        Scenario { seed: 4, hot_ports: Some(2), density: 90, longest: 4, hold: 10, ..lively.clone() },
        // Software that writes all the time, so that every bit of every word comes, and few requests.
        Scenario { seed: 5, density: 12, longest: 6, hold: 8, ..lively.clone() },
        // Resets in the middle of what takes a hundred cycles.
        Scenario { seed: 6, reset_every: 150, ..lively },
    ]
}

/// The network whose switch a fault is tried at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Network {
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

impl Network {
    /// Where the faults of a block's golden model are tried: the networks of the faults in its Verilog, which say theirs; the shipped fat-tree of
    /// a block without any.
    pub fn of(block: &str) -> BTreeSet<Network> {
        let of_verilog: BTreeSet<Network> =
            verilog::faults().filter(|fault| fault.block == block).map(|fault| fault.network).collect();
        if of_verilog.is_empty() { BTreeSet::from([Network::FatTree]) } else { of_verilog }
    }
}

/// The switch that the faults of a block are tried at: [`config`], with the mechanism that the block is of.
pub fn config_of(network: Network, block: &str) -> Config {
    mechanisms::config_of(config(network), block)
}

/// The switch that the faults are tried at. Its buffers are so small that they run full, and no power of two.
pub fn config(network: Network) -> Config {
    let preset = |name| presets::by_name(name).expect("the preset is shipped");
    let of_network = |name| Config::of_network(name).expect("the name of a network");
    let (vcs, words) = match network {
        Network::SmallTree => (2, 1),
        Network::Demonstrator | Network::TreeDemonstrator | Network::MeshDemonstrator => (2, 2),
        Network::Star
        | Network::LeastOccupied
        | Network::Mesh
        | Network::Table
        | Network::LimitedTable
        | Network::Streets
        | Network::LastTurns => (3, 2),
        _ => (4, 2),
    };
    let switch = SwitchConfig {
        vcs,
        buffer_flits: 20 * vcs,
        max_packet_flits: 9,
        flit_bits: 32 * words,
        every_turn: false,
        short_packets: (network == Network::ShortPackets).then_some(true),
        link_stages: 3,
        crossing_entries: 8,
    };
    let groups = |count, size| (0..count).map(|group| Group { first: group * size, size }).collect();
    let config = match network {
        Network::FatTree => preset("fat-tree-4"),
        Network::ShortPackets => Config { name: "short-packets".into(), ..preset("fat-tree-4") },
        Network::LeastOccupied => Config {
            name: "least-occupied".into(),
            routing: Some(&least_occupied::ROUTING),
            deterministic: least_occupied::ROUTING.deterministic,
            topology: Some(Box::new(FatTree { k: 4, n: 4, folded: true })),
            ..preset("fat-tree-4")
        },
        Network::SmallTree => preset("fat-tree-2"),
        Network::Demonstrator => Config { name: "demonstrator-3".into(), ports: 3, ..preset("demonstrator-4") },
        Network::TreeDemonstrator => of_network("2-ary-2-tree"),
        Network::MeshDemonstrator => of_network("mesh-3x2"),
        Network::Star => Config { ports: 12, ..preset("star-16") },
        Network::Trunks => Config {
            name: "two-trunks".into(),
            deterministic: Deterministic::Set,
            groups: groups(2, 4),
            topology: None,
            ..preset("fat-tree-4")
        },
        Network::Torus => Config {
            ports: 10,
            groups: groups(5, 2),
            topology: Some(Box::new(Torus { dimensions: vec![4, 3], trunk: 2, nodes: 1 })),
            ..preset("torus-28")
        },
        Network::LongTorus => Config {
            name: "long-torus".into(),
            ports: 10,
            groups: groups(5, 2),
            topology: Some(Box::new(Torus { dimensions: vec![8, 3], trunk: 2, nodes: 1 })),
            routing: Some(&torus_limited::ROUTING),
            ..preset("torus-28")
        },
        Network::SharedTorus => Config {
            ports: 7,
            groups: groups(4, 1),
            topology: Some(Box::new(Torus { dimensions: vec![3, 4], trunk: 1, nodes: 3 })),
            ..preset("torus-28")
        },
        Network::Mesh => Config {
            ports: 7,
            groups: groups(4, 1),
            topology: Some(Box::new(Mesh { dimensions: vec![4, 3], nodes: 3 })),
            ..preset("torus-28")
        },
        Network::Table => {
            let mut mesh = Config { name: "by-table".into(), ..self::config(Network::Mesh) };
            mesh.route_by(&table::ROUTING);
            mesh
        }
        Network::LimitedTable => {
            let mut mesh = Config { name: "by-table-limited".into(), ..self::config(Network::Mesh) };
            mesh.route_by(&table_limited::ROUTING);
            mesh
        }
        Network::Stairs => Config {
            name: "stairs".into(),
            ports: 6,
            groups: groups(4, 1),
            topology: Some(Box::new(Torus { dimensions: vec![5, 4], trunk: 1, nodes: 2 })),
            routing: Some(&staircase_escape::ROUTING),
            deterministic: staircase_escape::ROUTING.deterministic,
            ..preset("torus-28")
        },
        Network::Streets => Config {
            name: "streets".into(),
            ports: 5,
            groups: groups(4, 1),
            topology: Some(Box::new(Mesh { dimensions: vec![4, 5], nodes: 1 })),
            routing: Some(&alternating_escape::ROUTING),
            deterministic: alternating_escape::ROUTING.deterministic,
            ..preset("torus-28")
        },
        Network::RingStreets => Config {
            topology: Some(Box::new(Torus { dimensions: vec![4, 3], trunk: 1, nodes: 1 })),
            ..config(Network::Streets)
        },
        Network::LastTurns => Config {
            name: "last-turns".into(),
            ports: 6,
            groups: groups(4, 1),
            topology: Some(Box::new(Mesh { dimensions: vec![5, 6], nodes: 2 })),
            routing: Some(&west_last_east_last::ROUTING),
            deterministic: west_last_east_last::ROUTING.deterministic,
            ..preset("torus-28")
        },
        Network::Boards => {
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
        Network::Dragonfly | Network::DragonflyUgal => {
            let dragonfly = Dragonfly { p: 2, a: 3, h: 2 };
            let minimal = Some(&dragonfly_minimal::ROUTING).filter(|_| network == Network::Dragonfly);
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
    Config { switch, ..config }
}

/// What must bring a fault of this block to light: random inputs, for the whole switch traffic on its links, for a demonstrator commands on
/// its serial line.
///
/// # Errors
/// A layout that is not that of the block.
pub fn stimuli(config: &Config, block: &str, layout: &Layout) -> Result<Vec<Box<dyn Stimulus + Send>>> {
    if block == DEMONSTRATOR {
        return Ok(vec![
            Box::new(SerialCommands::busy(config, layout, 1)),
            Box::new(SerialCommands::busy(config, layout, 2)),
        ]);
    }
    if block != SWITCH {
        let random = |scenario: &Scenario| Box::new(scenario.stimulus(config, layout)) as Box<dyn Stimulus + Send>;
        let hardly = HardlyReading::new(config, layout).map(|stimulus| Box::new(stimulus) as _);
        let around = NodeTraffic::new(config, block, layout, 6).map(|stimulus| Box::new(stimulus) as _);
        return Ok(scenarios()
            .iter()
            .map(random)
            .chain(hardly)
            .chain(around)
            .chain(crossing(config, block, layout))
            .collect());
    }
    let options = [
        LinkOptions::lively(TrafficKind::Uniform, 0.3, 2),
        LinkOptions::rough(TrafficKind::Uniform, 0.8, 3),
        LinkOptions::rough(TrafficKind::HotSpot, 0.9, 4),
    ];
    let traffic = |options: LinkOptions| {
        let routing = ExpectedRouting::any(config, &mut Random::new(options.seed))?;
        Ok(Box::new(LinkTraffic::new(config, &routing, layout, options)?) as Box<dyn Stimulus + Send>)
    };
    options.into_iter().map(traffic).collect()
}

/// Two clocks that come close to each other and go apart, for a block that has two.
fn crossing(config: &Config, block: &str, layout: &Layout) -> Option<Box<dyn Stimulus + Send>> {
    let load = CrossingLoad { reset_every: 4000, ..CrossingLoad::LIVELY };
    let clocks = CrossingClocks::new([5, 5], 0).with_jitter(1).with_stops(400, 40);
    let traffic =
        || Box::new(CrossingTraffic::new(config, layout, clocks.clone(), load, 1)) as Box<dyn Stimulus + Send>;
    (block == "link_crossing").then(traffic)
}

/// The Verilog of a block with these faults, compiled; [`Verilator::load`] switches one of them on by its number from 1 on, none by 0.
///
/// # Errors
/// A fault that does not fit the text; a tool fails.
pub fn library(
    config: &Config,
    block: &str,
    faults: &[&verilog::VerilogFault],
    tools: &Tools,
    progress: &Progress,
) -> Result<PathBuf> {
    let design = with_faults(&twins::design(config, block)?, faults)?;
    spoilt_library(&design, twins::golden(config, block)?.layout(), tools, progress)
}

/// The same of a design with things wrong in it that are on while `lockstep_top.fault` ([`FAULT`]) has their numbers, of a block with this layout.
///
/// # Errors
/// The signals are not those of the layout; a tool fails.
pub fn spoilt_library(design: &Design, layout: &Layout, tools: &Tools, progress: &Progress) -> Result<PathBuf> {
    // Choices between expressions of unequal width, and bits that only a sound design reads.
    let library = Verilator::library(design, layout, true)?.argument("-Wno-WIDTH").argument("-Wno-UNUSED");
    Ok(library.argument("-Wno-fatal").build(tools, progress)?)
}

/// Faults of a block in the catalogues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// In its golden model.
    pub golden: usize,
    /// In its Verilog.
    pub verilog: usize,
}

/// How many faults there are, by block.
pub fn summary() -> BTreeMap<&'static str, Count> {
    let mut counts: BTreeMap<&'static str, Count> = BTreeMap::new();
    for fault in golden::faults() {
        counts.entry(fault.block).or_default().golden += 1;
    }
    for fault in verilog::faults() {
        counts.entry(fault.block).or_default().verilog += 1;
    }
    counts
}
