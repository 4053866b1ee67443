//! Tells where a packet may go in a dragonfly: the shortest way.
//!
//! Rule:     D is the port of the node, or to the switch of the node in this group, or to the node's group; without a link to that group, the
//!           port to the switch that has it. On the way to a switch the virtual channel is the number of links between groups
//!           that the packet has crossed: 0 from a node, as it came in from a switch of the group, one more from another group, 2 at most.
//!           P is empty.
//! Latency:  none (combinational).
//! Range:    3 to 8 virtual channels; a destination that does not exist is not `routable`, and all sets are empty. The ports are those of the
//!           p nodes, the a - 1 other switches of the group, lowest first, and h other groups: port i of switch s leads to the group
//!           h s + i + 1 further. Digits of an address, lowest first: node, switch, group.
//! Source:   docs/microarchitecture/routing.md; Kim et al. 2008.

use super::{RoutingPorts, Unit, no_blocks};
use crate::block;
use powar_config::routing::dragonfly_minimal;
use powar_config::topology::{Dragonfly, digit_bits};
use powar_config::{Config, Topology};
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub(super) const NAME: &str = "dragonfly_minimal_routing";

/// Its line in the list of routings.
pub(super) const UNIT: Unit = Unit {
    routing: &dragonfly_minimal::ROUTING,
    module: NAME,
    build: |config, topology| Some(Box::new(DragonflyMinimalRouting::new(config, topology)?)),
    blocks: no_blocks,
};

/// Virtual channels on ways between switches.
const USED_VCS: usize = 3;

block! {
    pub struct DragonflyMinimalRouting(
        NAME,
        include_str!("dragonfly_minimal_routing.rs"),
        RoutingPorts = RoutingPorts::new(n, vcs, dragonfly_minimal::ROUTING.sees)
    )
    /// `None` if the topology is of another kind.
    pub fn new(config: &Config, topology: &dyn Topology) -> Option<Self> {
        let dragonfly: &Dragonfly = topology.of()?;
        let &Dragonfly { p, a, h } = dragonfly;
        let (n, vcs, groups) = (config.ports, config.switch.vcs, dragonfly.groups_of_switches());
        let [node_bits, switch_bits, group_bits] = [p, a, groups].map(digit_bits);
        let bits = node_bits + switch_bits + group_bits;
    }
    locals {
        /// Both addresses with room to take a digit at any place.
        wide_position: Bits<32>,
        wide_destination: Bits<32>,
        /// The destination's node, and the switch and the group of both.
        node: Bits<6>,
        from_switch: Bits<6>,
        to_switch: Bits<6>,
        from_group: Bits<12>,
        to_group: Bits<12>,
        same_group: Bit,
        /// The node is at this switch.
        here: Bit,
        /// Link of the group that leads to the destination's group; the first link of this switch.
        link: Bits<12>,
        own_link: Bits<12>,
        /// Switch of the group that the packet has to go to: the node's, or the one with that link.
        towards[a]: Bit,
        /// The packet comes from a node, from another group.
        from_node: Bit,
        from_outside: Bit,
        /// The virtual channel to another switch, one-hot.
        vc[USED_VCS]: Bit,
    }
    constants {
        node_mask: Bits<6> = ((1_usize << node_bits) - 1).to_bits(),
        switch_mask: Bits<6> = ((1_usize << switch_bits) - 1).to_bits(),
        group_mask: Bits<12> = ((1_usize << group_bits) - 1).to_bits(),
        /// Bits of the destination above all digits.
        above: Bits<16> = (0xFFFF_usize << bits & 0xFFFF).to_bits(),
    }
    sizes {
        /// p, a, a - 1, h, the number of groups, the first port to another group.
        nodes = p,
        switches = a,
        others = a - 1,
        links = h,
        groups = groups,
        outside = dragonfly.first_global_port(),
        vcs = vcs,
        used_vcs = USED_VCS,
    }
    tables {
        /// Lowest bits of the digits of the switch and of the group.
        low = vec![node_bits, node_bits + switch_bits],
        /// The first link of each switch of a group, and behind the last.
        first_link = (0..=a).map(|switch| switch * h).collect(),
    }
}

impl Logic for DragonflyMinimalRouting {
    #[hdl_gen]
    fn update(&mut self) {
        self.wide_position.next = bit_cast::<32, 16>(self.ports.position.val());
        self.wide_destination.next = bit_cast::<32, 16>(self.ports.destination.val());
        self.node.next = self.wide_destination.val().get_bits::<6>(0) & self.node_mask.val();
        self.from_switch.next = self.wide_position.val().get_bits::<6>(self.low[0]) & self.switch_mask.val();
        self.to_switch.next = self.wide_destination.val().get_bits::<6>(self.low[0]) & self.switch_mask.val();
        self.from_group.next = self.wide_position.val().get_bits::<12>(self.low[1]) & self.group_mask.val();
        self.to_group.next = self.wide_destination.val().get_bits::<12>(self.low[1]) & self.group_mask.val();
        self.ports.routable.next = ((self.ports.destination.val() & self.above.val()) == 0)
            & (self.node.val() < self.nodes.val().to_bits())
            & (self.to_switch.val() < self.switches.val().to_bits())
            & (self.to_group.val() < self.groups.val().to_bits());
        self.same_group.next = self.to_group.val() == self.from_group.val();
        self.here.next = self.same_group.val() & (self.to_switch.val() == self.from_switch.val());
        // Groups further, less one; within the group no switch has the link of that number.
        self.link.next = self.to_group.val() - self.from_group.val() - 1;
        if self.to_group.val() <= self.from_group.val() {
            self.link.next = self.link.val() + self.groups.val().to_bits();
        }
        self.own_link.next = 0.into();
        for s in 0..self.switches.get() {
            self.towards[s].next = (self.same_group.val() & (self.to_switch.val() == s.to_bits()))
                | ((self.link.val() >= self.first_link[s].to_bits())
                    & (self.link.val() < self.first_link[s + 1].to_bits()));
            if self.from_switch.val() == s.to_bits() {
                self.own_link.next = self.first_link[s].to_bits();
            }
        }
        for l in 0..self.nodes.get() {
            self.ports.adaptive[l].next = false;
            self.ports.deterministic[l].next =
                self.ports.routable.val() & self.here.val() & (self.node.val() == l.to_bits());
        }
        // Ports to the other switches of the group leave out its own number.
        for l in 0..self.others.get() {
            self.ports.adaptive[self.nodes + l].next = false;
            self.ports.deterministic[self.nodes + l].next = self.ports.routable.val() & self.towards[l].val();
            if self.from_switch.val() <= l.to_bits() {
                self.ports.deterministic[self.nodes + l].next = self.ports.routable.val() & self.towards[l + 1].val();
            }
        }
        for l in 0..self.links.get() {
            self.ports.adaptive[self.outside + l].next = false;
            self.ports.deterministic[self.outside + l].next =
                self.ports.routable.val() & (self.link.val() == (self.own_link.val() + l.to_bits()));
        }
        self.from_node.next = self.ports.input_port[0].val() < self.nodes.val().to_bits();
        self.from_outside.next = self.ports.input_port[0].val() >= self.outside.val().to_bits();
        self.vc[0].next = self.from_node.val() | (!self.from_outside.val() & (self.ports.input_vc[0].val() == 0));
        self.vc[1].next = !self.from_node.val()
            & ((self.from_outside.val() & (self.ports.input_vc[0].val() == 0))
                | (!self.from_outside.val() & (self.ports.input_vc[0].val() == 1)));
        self.vc[2].next = !self.vc[0].val() & !self.vc[1].val();
        for w in 0..self.vcs.get() {
            self.ports.adaptive_vcs[w].next = false;
            self.ports.deterministic_vcs[w].next = self.ports.routable.val() & self.here.val();
        }
        for w in 0..self.used_vcs.get() {
            self.ports.deterministic_vcs[w].next = self.ports.routable.val() & (self.here.val() | self.vc[w].val());
        }
    }
}
