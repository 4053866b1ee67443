//! Tells where a packet may go from a board to which others are joined by wavelengths.
//!
//! Rule:     on the board of the destination D is the port of the node, and P is empty. Else P is every wavelength to that board, and D the one
//!           of them that this board has at first: wavelength B - o to the board that is o further. Any virtual channel.
//! Latency:  none (combinational).
//! Range:    2 to 8 boards, 1 to 8 virtual channels; a destination that does not exist is not `routable`, and all sets are empty. The ports are those
//!           of the board's nodes, then B for each of the other boards, the next one first: of these, port (o - 1) B + w is wavelength w to the
//!           board that is o further. Digits of an address, lowest first: node, board.
//! Source:   docs/microarchitecture/routing.md; Kodi and Louri 2007, section 2.1.

use super::{RoutingPorts, Unit, no_blocks};
use crate::block;
use powar_config::routing::boards;
use powar_config::topology::{Boards, digit_bits};
use powar_config::{Config, Topology};
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub(super) const NAME: &str = "boards_routing";

/// Its line in the list of routings.
pub(super) const UNIT: Unit = Unit {
    routing: &boards::ROUTING,
    module: NAME,
    build: |config, topology| Some(Box::new(BoardsRouting::new(config, topology)?)),
    blocks: no_blocks,
};

block! {
    pub struct BoardsRouting(
        NAME,
        include_str!("boards_routing.rs"),
        RoutingPorts = RoutingPorts::new(n, vcs, boards::ROUTING.sees)
    )
    /// `None` if the topology is of another kind.
    pub fn new(config: &Config, topology: &dyn Topology) -> Option<Self> {
        let network: &Boards = topology.of()?;
        let &Boards { boards: count, nodes } = network;
        let (n, vcs) = (config.ports, config.switch.vcs);
        let [node_bits, board_bits] = [nodes, count].map(digit_bits);
        let assigned = (1..count).map(|further| network.port(further, network.assigned_wavelength(further)));
    }
    locals {
        /// The destination's node, and the board of both.
        node: Bits<6>,
        from: Bits<4>,
        to: Bits<4>,
        /// Boards further, counted round; 0 here.
        further: Bits<4>,
        here: Bit,
    }
    constants {
        node_mask: Bits<6> = ((1_usize << node_bits) - 1).to_bits(),
        board_mask: Bits<4> = ((1_usize << board_bits) - 1).to_bits(),
        /// Bits of the destination above all digits.
        above: Bits<16> = (0xFFFF_usize << (node_bits + board_bits) & 0xFFFF).to_bits(),
    }
    sizes {
        /// Nodes of a board, boards, boards but this one.
        nodes = nodes,
        boards = count,
        others = count - 1,
        vcs = vcs,
    }
    tables {
        /// Lowest bit of the digit of the board.
        low = vec![node_bits],
        /// For each of them the port over the wavelength that this board has to it at first.
        assigned = assigned.collect(),
    }
}

impl Logic for BoardsRouting {
    #[hdl_gen]
    fn update(&mut self) {
        self.node.next = self.ports.destination.val().get_bits::<6>(0) & self.node_mask.val();
        self.from.next = self.ports.position.val().get_bits::<4>(self.low[0]) & self.board_mask.val();
        self.to.next = self.ports.destination.val().get_bits::<4>(self.low[0]) & self.board_mask.val();
        self.ports.routable.next = ((self.ports.destination.val() & self.above.val()) == 0)
            & (self.node.val() < self.nodes.val().to_bits())
            & (self.to.val() < self.boards.val().to_bits());
        self.further.next = self.to.val() - self.from.val();
        if self.to.val() < self.from.val() {
            self.further.next = self.further.val() + self.boards.val().to_bits();
        }
        self.here.next = self.further.val() == 0;
        for l in 0..self.nodes.get() {
            self.ports.adaptive[l].next = false;
            self.ports.deterministic[l].next =
                self.ports.routable.val() & self.here.val() & (self.node.val() == l.to_bits());
        }
        for o in 0..self.others.get() {
            for w in 0..self.boards.get() {
                self.ports.adaptive[self.nodes + o * self.boards + w].next =
                    self.ports.routable.val() & (self.further.val() == (o + 1).to_bits());
                self.ports.deterministic[self.nodes + o * self.boards + w].next = false;
            }
            self.ports.deterministic[self.assigned[o]].next =
                self.ports.routable.val() & (self.further.val() == (o + 1).to_bits());
        }
        for w in 0..self.vcs.get() {
            self.ports.adaptive_vcs[w].next = self.ports.routable.val() & !self.here.val();
            self.ports.deterministic_vcs[w].next = self.ports.routable.val();
        }
    }
}
