//! Tells where a packet may go in a k-ary n-tree: up on any port until it is below a switch that reaches its destination, then down.
//!
//! Rule:     `position` and `destination` agree in all digits above `stage`: down, to port `destination[stage]`; else up, on any of
//!           the ports k to 2k-1. With a folded root all ports of a root switch go down, d and k+d to the same subtree. A packet
//!           keeps to the virtual channel `destination[5:0]` mod V.
//! Latency:  none (combinational).
//! Range:    k 1 to 32, n 1 to 8, `stage` below n; a destination that does not exist is not `routable`, and all sets are empty.
//! Source:   docs/microarchitecture/routing.md; POWAR section 3; virtual channels as in Andujar et al. 2023.

use super::{RoutingPorts, Unit, no_blocks, vc_rows};
use crate::block;
use powar_config::routing::fat_tree;
use powar_config::topology::{FatTree, digit_bits};
use powar_config::{Config, Topology};
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub(super) const NAME: &str = "fat_tree_routing";

/// Its line in the list of routings.
pub(super) const UNIT: Unit = Unit {
    routing: &fat_tree::ROUTING,
    module: NAME,
    build: |config, topology| Some(Box::new(FatTreeRouting::new(config, topology)?)),
    blocks: no_blocks,
};

block! {
    pub struct FatTreeRouting(
        NAME,
        include_str!("fat_tree_routing.rs"),
        RoutingPorts = RoutingPorts::new(2 * k, vcs, fat_tree::ROUTING.sees)
    )
    /// `None` if the topology is of another kind.
    pub fn new(config: &Config, topology: &dyn Topology) -> Option<Self> {
        let &FatTree { k, n, folded } = topology.of()?;
        let (width, vcs) = (digit_bits(k), config.switch.vcs);
    }
    locals {
        /// Both addresses with room to take a digit at any place.
        wide_position: Bits<24>,
        wide_destination: Bits<24>,
        /// Their digits.
        from[n]: Bits<6>,
        to[n]: Bits<6>,
        /// The destination is below this switch.
        below: Bit,
        /// The destination's digit of this stage.
        branch: Bits<6>,
        /// The packet goes down: on one port, or on one of two of a folded root; or it goes up.
        down: Bit,
        either: Bit,
        up: Bit,
        /// Down-port that leads to the destination.
        port[k]: Bit,
        /// The bits of the destination that choose the virtual channel.
        vc_row: Bits<16>,
        /// Virtual channel that the packet keeps to.
        vc[vcs]: Bit,
    }
    constants {
        /// Bits of the destination above all digits, and those of one digit.
        above: Bits<16> = (0xFFFF_usize << (n * width) & 0xFFFF).to_bits(),
        digit: Bits<6> = ((1_usize << width) - 1).to_bits(),
        /// Values of a digit.
        base: Bits<6> = k.to_bits(),
        /// The root stage has only down-ports.
        folded: Bit = folded,
        root: Bits<4> = (n - 1).to_bits(),
        /// Its six lowest bits; as many of them as matter if V is a power of two.
        row_mask: Bits<16> = (vc_rows(vcs) - 1).to_bits(),
    }
    sizes {
        k = k,
        digits = n,
        width = width,
        vcs = vcs,
        /// Values of these bits that are for the same virtual channel, at most.
        multiples = vc_rows(vcs).div_ceil(vcs),
    }
}

impl Logic for FatTreeRouting {
    #[hdl_gen]
    fn update(&mut self) {
        self.wide_position.next = bit_cast::<24, 16>(self.ports.position.val());
        self.wide_destination.next = bit_cast::<24, 16>(self.ports.destination.val());
        self.ports.routable.next = (self.ports.destination.val() & self.above.val()) == 0;
        self.below.next = true;
        self.branch.next = 0.into();
        for j in 0..self.digits.get() {
            self.from[j].next = self.wide_position.val().get_bits::<6>(j * self.width) & self.digit.val();
            self.to[j].next = self.wide_destination.val().get_bits::<6>(j * self.width) & self.digit.val();
            self.ports.routable.next = self.ports.routable.val() & (self.to[j].val() < self.base.val());
            if (self.ports.stage.val() < j.to_bits()) & (self.to[j].val() != self.from[j].val()) {
                self.below.next = false;
            }
            if self.ports.stage.val() == j.to_bits() {
                self.branch.next = self.to[j].val();
            }
        }
        self.either.next = self.ports.routable.val()
            & self.below.val()
            & self.folded.val()
            & (self.ports.stage.val() == self.root.val());
        self.down.next = self.ports.routable.val() & self.below.val() & !self.either.val();
        self.up.next = self.ports.routable.val() & !self.below.val();
        for d in 0..self.k.get() {
            self.port[d].next = self.branch.val() == d.to_bits();
            self.ports.adaptive[d].next = self.either.val() & self.port[d].val();
            self.ports.adaptive[self.k + d].next = self.up.val() | (self.either.val() & self.port[d].val());
            self.ports.deterministic[d].next = self.down.val() & self.port[d].val();
            self.ports.deterministic[self.k + d].next = false;
        }
        self.vc_row.next = self.ports.destination.val() & self.row_mask.val();
        for w in 0..self.vcs.get() {
            self.vc[w].next = self.vc_row.val() == w.to_bits();
            for m in 1..self.multiples.get() {
                self.vc[w].next = self.vc[w].val() | (self.vc_row.val() == (m * self.vcs + w).to_bits());
            }
            self.ports.adaptive_vcs[w].next = (self.up.val() | self.either.val()) & self.vc[w].val();
            self.ports.deterministic_vcs[w].next = self.down.val() & self.vc[w].val();
        }
    }
}
