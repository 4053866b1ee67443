//! Tells where a packet may go in a dragonfly: the shortest way, or over another group where the next buffers say that it is quicker (UGAL-L).
//!
//! Rule:     a packet for another group chooses at its first switch, where it comes in from a node: P is the port of the shortest way and every
//!           port to a switch whose `occupancy` times the links of a way round that begins there (4 from a port to another group, 5 from one
//!           within) is less than the occupancy times the links (2, 3) of the shortest. One that comes in on virtual channel 0 from a switch
//!           of the group, where no link leads to its group, is on a way round: P is every port to another group. Both stay on virtual
//!           channel 0. All others go as `dragonfly_minimal_routing` says.
//! Latency:  none (combinational).
//! Range:    as of `dragonfly_minimal_routing`. `routable` depends on the destination alone.
//! Source:   docs/microarchitecture/routing.md; Kim et al. 2008; Andújar et al. 2023.

use super::{DragonflyMinimalRouting, RoutingPorts, Unit, no_blocks};
use crate::block;
use powar_config::routing::dragonfly_ugal;
use powar_config::topology::{Dragonfly, digit_bits};
use powar_config::{Config, Topology};
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub(super) const NAME: &str = "dragonfly_ugal_routing";

/// Its line in the list of routings.
pub(super) const UNIT: Unit = Unit {
    routing: &dragonfly_ugal::ROUTING,
    module: NAME,
    build: |config, topology| Some(Box::new(DragonflyUgalRouting::new(config, topology)?)),
    blocks: no_blocks,
};

block! {
    pub struct DragonflyUgalRouting(
        NAME,
        include_str!("dragonfly_ugal_routing.rs"),
        RoutingPorts = RoutingPorts::new(config.ports, vcs, dragonfly_ugal::ROUTING.sees)
    )
    /// `None` if the topology is of another kind.
    pub fn new(config: &Config, topology: &dyn Topology) -> Option<Self> {
        let dragonfly: &Dragonfly = topology.of()?;
        let &Dragonfly { p, a, h } = dragonfly;
        let (vcs, ways) = (config.switch.vcs, a - 1 + h);
    }
    children {
        /// The shortest way.
        minimal: DragonflyMinimalRouting = DragonflyMinimalRouting::new(config, topology)?,
    }
    locals {
        /// Both addresses with room to take a digit at any place.
        wide_position: Bits<32>,
        wide_destination: Bits<32>,
        /// The destination exists and is in another group.
        away: Bit,
        /// A link of this switch leads to its group.
        direct: Bit,
        /// The packet comes from a node, from a switch of the group.
        from_node: Bit,
        from_group: Bit,
        /// This is the packet's first switch, its second on a way round, one of both.
        first: Bit,
        second: Bit,
        choice: Bit,
        /// Occupancy of a port, and with room for a product; of each port to a switch.
        narrow: Bits<13>,
        flits[ways]: Bits<16>,
        /// Occupancy times links of the shortest way.
        shortest: Bits<16>,
        /// The same of ways round, by their first port.
        around[ways]: Bits<16>,
        quicker[ways]: Bit,
    }
    constants {
        group_mask: Bits<12> = ((1_usize << digit_bits(dragonfly.groups_of_switches())) - 1).to_bits(),
    }
    sizes {
        /// p, a - 1, h, a - 1 + h, the first port to another group.
        nodes = p,
        others = a - 1,
        links = h,
        ways = ways,
        outside = dragonfly.first_global_port(),
        vcs = vcs,
    }
    tables {
        /// Lowest bit of the group's digit.
        low = vec![digit_bits(p) + digit_bits(a)],
    }
}

impl Logic for DragonflyUgalRouting {
    #[hdl_gen]
    fn update(&mut self) {
        self.minimal.position.next = self.ports.position.val();
        self.minimal.stage.next = self.ports.stage.val();
        self.minimal.destination.next = self.ports.destination.val();
        self.minimal.input_port[0].next = self.ports.input_port[0].val();
        self.minimal.input_vc[0].next = self.ports.input_vc[0].val();
        self.ports.routable.next = self.minimal.routable.val();
        self.wide_position.next = bit_cast::<32, 16>(self.ports.position.val());
        self.wide_destination.next = bit_cast::<32, 16>(self.ports.destination.val());
        self.away.next = self.minimal.routable.val()
            & ((self.wide_position.val().get_bits::<12>(self.low[0]) & self.group_mask.val())
                != (self.wide_destination.val().get_bits::<12>(self.low[0]) & self.group_mask.val()));
        self.direct.next = false;
        for l in 0..self.links.get() {
            self.direct.next = self.direct.val() | self.minimal.deterministic[self.outside + l].val();
        }
        self.from_node.next = self.ports.input_port[0].val() < self.nodes.val().to_bits();
        self.from_group.next = !self.from_node.val() & (self.ports.input_port[0].val() < self.outside.val().to_bits());
        self.first.next = self.away.val() & self.from_node.val();
        self.second.next =
            self.away.val() & self.from_group.val() & (self.ports.input_vc[0].val() == 0) & !self.direct.val();
        self.choice.next = self.first.val() | self.second.val();
        // Flits times links of each way round; two links less of the shortest.
        self.shortest.next = 0.into();
        for q in 0..self.ways.get() {
            self.narrow.next = self.ports.occupancy[self.nodes + q].val();
            self.flits[q].next = bit_cast::<16, 13>(self.narrow.val());
            self.around[q].next = self.flits[q].val() << 2;
        }
        for q in 0..self.others.get() {
            self.around[q].next = self.around[q].val() + self.flits[q].val();
        }
        for q in 0..self.ways.get() {
            if self.minimal.deterministic[self.nodes + q].val() {
                self.shortest.next = self.around[q].val() - self.flits[q].val() - self.flits[q].val();
            }
        }
        for l in 0..self.nodes.get() {
            self.ports.adaptive[l].next = false;
            self.ports.deterministic[l].next = self.minimal.deterministic[l].val();
        }
        for q in 0..self.ways.get() {
            self.quicker[q].next = self.around[q].val() < self.shortest.val();
            self.ports.adaptive[self.nodes + q].next =
                self.first.val() & (self.minimal.deterministic[self.nodes + q].val() | self.quicker[q].val());
            self.ports.deterministic[self.nodes + q].next =
                self.minimal.deterministic[self.nodes + q].val() & !self.choice.val();
        }
        for l in 0..self.links.get() {
            self.ports.adaptive[self.outside + l].next =
                self.ports.adaptive[self.outside + l].val() | self.second.val();
        }
        for w in 0..self.vcs.get() {
            self.ports.adaptive_vcs[w].next = false;
            self.ports.deterministic_vcs[w].next = self.minimal.deterministic_vcs[w].val() & !self.choice.val();
        }
        self.ports.adaptive_vcs[0].next = self.choice.val();
    }
}
