//! Boards that are joined by wavelengths, every one to every other: E-RAPID.

mod view;
mod wiring;

pub use view::BoardsSwitch;

use super::{Named, SwitchView, Topology, TopologyKind, Wiring, no_file, number};
use crate::config::PORTS;
use crate::group::Group;
use crate::table;
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// The entry in the list of topologies.
pub static KIND: TopologyKind = TopologyKind {
    name: "boards",
    forms: "boards-BxD",
    parameters: &["boards", "nodes"],
    of_name,
    file: no_file,
    parse: |table| Ok(Box::new(table::read::<Boards>(table)?)),
};

/// Boards with a switch and nodes each (Kodi and Louri 2007, section 2: R(1, B, D), one cluster). Ports of a switch: its nodes, then for each of the
/// other boards, the next one first, one for each of as many wavelengths as there are boards. A cable is one wavelength between two boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Boards {
    /// Boards, B.
    pub boards: usize,
    /// Nodes of a board, D.
    pub nodes: usize,
}

fn of_name(name: &str) -> Option<Result<Named>> {
    let (boards, nodes) = name.strip_prefix("boards-")?.split_once('x')?;
    let boards = Boards { boards: number(boards)?, nodes: number(nodes)? };
    Some(Ok((Box::new(boards), boards.ports_of_a_switch())))
}

impl Boards {
    /// The port over a wavelength, 0..B, to the board that is so much further, 1..B, counted round.
    pub fn port(&self, further: usize, wavelength: usize) -> usize {
        self.nodes + (further - 1) * self.boards + wavelength
    }

    /// The wavelength that a board has to the one that is so much further, 1..B, before any is given to another board (section 2.1).
    pub fn assigned_wavelength(&self, further: usize) -> usize {
        self.boards - further
    }

    /// How much further another board is, 0..B.
    pub fn further(&self, from: usize, to: usize) -> usize {
        (to + self.boards - from) % self.boards
    }

    fn ports_of_a_switch(&self) -> usize {
        self.boards.saturating_sub(1).saturating_mul(self.boards).saturating_add(self.nodes)
    }
}

impl Topology for Boards {
    fn kind(&self) -> &'static TopologyKind {
        &KIND
    }

    fn check(&self) -> Result<()> {
        let &Boards { boards, nodes } = self;
        ensure!((2..=8).contains(&boards), "topology.boards: {boards} is out of range 2..=8");
        let most = PORTS.end() - boards * (boards - 1);
        ensure!((1..=most).contains(&nodes), "topology.nodes: {nodes} is out of range 1..={most} with {boards} boards");
        Ok(())
    }

    fn ports(&self) -> Option<usize> {
        Some(self.ports_of_a_switch())
    }

    /// The node on its board, the board.
    fn bases(&self, _ports: usize) -> Vec<usize> {
        vec![self.nodes, self.boards]
    }

    /// The wavelengths to each of the other boards.
    fn groups(&self, _ports: usize) -> Vec<Group> {
        (1..self.boards).map(|further| Group { first: self.port(further, 0), size: self.boards }).collect()
    }

    /// Nodes of a board, boards.
    fn dimensions(&self, ports: usize) -> Vec<usize> {
        self.bases(ports)
    }

    fn cables(&self, _ports: usize) -> Result<Wiring> {
        Ok(wiring::cables(self))
    }

    fn view(&self, _ports: usize, switch: u32) -> Result<Box<dyn SwitchView>> {
        Ok(Box::new(BoardsSwitch::new(self, switch)?))
    }

    fn table(&self) -> toml::Table {
        table::written(self)
    }
}
