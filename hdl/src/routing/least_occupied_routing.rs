//! Tells where a packet may go in a k-ary n-tree: as `fat_tree_routing` does, but first on those of its ports with the emptiest next buffers.
//!
//! Rule:     where `fat_tree_routing` leaves a choice, P is what of it `serves`, without the port at which the packet came in (if nothing
//!           is left, all of it), and of that the ports whose `occupancy` is smallest; D is the rest, but for the port at which it came in.
//!           A packet whose header has bit 26 set has no choice, so that all packets from node to node take the same links: D is the port
//!           of digit `stage` of its destination, `destination[stage]` down or k more up. A packet keeps to the virtual channel at which
//!           it came in.
//! Minimum:  a tournament of the ports, each ranked by its occupancy, or last if it is no candidate.
//! Latency:  none (combinational).
//! Range:    as of `fat_tree_routing`. `routable` depends on the destination alone.
//! Source:   docs/microarchitecture/routing.md; Alonso et al. 2015.

use super::{FatTreeRouting, RoutingPorts, Unit, no_blocks};
use crate::block;
use powar_config::routing::least_occupied;
use powar_config::topology::{FatTree, digit_bits};
use powar_config::{Config, Topology};
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub(super) const NAME: &str = "least_occupied_routing";

/// Its line in the list of routings.
pub(super) const UNIT: Unit = Unit {
    routing: &least_occupied::ROUTING,
    module: NAME,
    build: |config, topology| Some(Box::new(LeastOccupiedRouting::new(config, topology)?)),
    blocks: no_blocks,
};

block! {
    pub struct LeastOccupiedRouting(
        NAME,
        include_str!("least_occupied_routing.rs"),
        RoutingPorts = RoutingPorts::new(n, vcs, least_occupied::ROUTING.sees)
    )
    /// `None` if the topology is of another kind.
    pub fn new(config: &Config, topology: &dyn Topology) -> Option<Self> {
        let &FatTree { k, n: digits, .. } = topology.of()?;
        let (n, width, vcs) = (2 * k, digit_bits(k), config.switch.vcs);
    }
    children {
        /// Where the packet may go at all.
        tree: FatTreeRouting = FatTreeRouting::new(config, topology)?,
    }
    locals {
        /// It may choose; and it may choose among ports down.
        choice: Bit,
        choice_down: Bit,
        /// It may go one way only.
        single: Bit,
        /// It is to take the deterministic way.
        ordered: Bit,
        /// Of the ports that it may choose among, those to be counted on.
        counted[n]: Bit,
        any_counted: Bit,
        candidate[n]: Bit,
        /// The tournament: node i has the smaller rank of nodes 2i+1 and 2i+2; the last N nodes are the ports, node 0 is the winner.
        rank[2 * n - 1]: Bits<13>,
        /// The destination with room to take a digit at any place, and its digit of this stage.
        wide_destination: Bits<24>,
        branch: Bits<6>,
        /// What is left of the ports that it may choose among.
        left[n]: Bit,
        /// Virtual channel that the packet keeps to.
        vc[vcs]: Bit,
    }
    constants {
        digit: Bits<6> = ((1_usize << width) - 1).to_bits(),
        /// Rank of a port that is no candidate.
        behind: Bits<13> = 0x1FFF_usize.to_bits(),
    }
    sizes {
        n = n,
        /// Matches of the tournament.
        matches = n - 1,
        k = k,
        digits = digits,
        width = width,
        vcs = vcs,
    }
}

impl Logic for LeastOccupiedRouting {
    #[hdl_gen]
    fn update(&mut self) {
        self.tree.position.next = self.ports.position.val();
        self.tree.stage.next = self.ports.stage.val();
        self.tree.destination.next = self.ports.destination.val();
        self.ports.routable.next = self.tree.routable.val();
        self.choice.next = false;
        self.choice_down.next = false;
        self.single.next = false;
        for p in 0..self.n.get() {
            self.choice.next = self.choice.val() | self.tree.adaptive[p].val();
            self.single.next = self.single.val() | self.tree.deterministic[p].val();
        }
        for d in 0..self.k.get() {
            self.choice_down.next = self.choice_down.val() | self.tree.adaptive[d].val();
        }
        self.ordered.next = self.choice.val() & self.ports.header[0].val().get_bit(26);
        // The ports to choose among.
        self.any_counted.next = false;
        for p in 0..self.n.get() {
            self.counted[p].next = self.tree.adaptive[p].val()
                & self.ports.serves[p].val()
                & (self.ports.input_port[0].val() != p.to_bits());
            self.any_counted.next = self.any_counted.val() | self.counted[p].val();
        }
        for p in 0..self.n.get() {
            self.candidate[p].next = self.counted[p].val() | (self.tree.adaptive[p].val() & !self.any_counted.val());
        }
        // The smallest occupancy of a candidate.
        for p in 0..self.n.get() {
            self.rank[self.n - 1 + p].next = self.ports.occupancy[p].val();
            if !self.candidate[p].val() {
                self.rank[self.n - 1 + p].next = self.behind.val();
            }
        }
        for i in 0..self.matches.get() {
            self.rank[self.n - 2 - i].next = self.rank[2 * (self.n - 2 - i) + 1].val();
            if self.rank[2 * (self.n - 2 - i) + 2].val() < self.rank[2 * (self.n - 2 - i) + 1].val() {
                self.rank[self.n - 2 - i].next = self.rank[2 * (self.n - 2 - i) + 2].val();
            }
        }
        for p in 0..self.n.get() {
            self.ports.adaptive[p].next =
                self.candidate[p].val() & !self.ordered.val() & (self.rank[self.n - 1 + p].val() == self.rank[0].val());
        }
        // Those to take while all of P are held by other packets.
        for p in 0..self.n.get() {
            self.left[p].next = self.tree.adaptive[p].val()
                & !self.ordered.val()
                & !self.ports.adaptive[p].val()
                & (self.ports.input_port[0].val() != p.to_bits());
        }
        // The only port of a packet without a choice.
        self.wide_destination.next = bit_cast::<24, 16>(self.ports.destination.val());
        self.branch.next = 0.into();
        for j in 0..self.digits.get() {
            if self.ports.stage.val() == j.to_bits() {
                self.branch.next = self.wide_destination.val().get_bits::<6>(j * self.width) & self.digit.val();
            }
        }
        for d in 0..self.k.get() {
            self.ports.deterministic[d].next = self.tree.deterministic[d].val()
                | self.left[d].val()
                | (self.ordered.val() & self.tree.adaptive[d].val());
            self.ports.deterministic[self.k + d].next = self.left[self.k + d].val()
                | (self.ordered.val() & !self.choice_down.val() & (self.branch.val() == d.to_bits()));
        }
        for w in 0..self.vcs.get() {
            self.vc[w].next = self.ports.input_vc[0].val() == w.to_bits();
            self.ports.adaptive_vcs[w].next = self.choice.val() & !self.ordered.val() & self.vc[w].val();
            self.ports.deterministic_vcs[w].next = (self.single.val() | self.choice.val()) & self.vc[w].val();
        }
    }
}
