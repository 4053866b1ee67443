//! Tells where a packet may go in a network of one switch with a node at every port.
//!
//! Rule:     node p is at port p; nothing to choose. A packet leaves on the virtual channel `destination[5:0]` mod V.
//! Latency:  none (combinational).
//! Range:    2 to 64 ports, 1 to 8 virtual channels; a destination that does not exist is not `routable`, and all sets are empty.
//! Source:   docs/microarchitecture/routing.md.

use super::{RoutingPorts, vc_tables};
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::routing::star;
use powar_config::topology::Star;
use powar_config::{Config, Topology};
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub(super) const NAME: &str = "star_routing";

#[derive(LogicBlock)]
pub struct StarRouting {
    pub ports: RoutingPorts,
    /// Ports.
    nodes: Constant<Bits<16>>,
    /// Bit d of table v: destinations whose six lowest bits are d are for virtual channel v.
    vc_table: Vec<Constant<Bits<64>>>,
    /// The bits of the destination that its virtual channel follows from.
    row: Signal<Local, Bits<6>>,
    n: Size,
    vcs: Size,
    info: BlockInfo,
}

impl StarRouting {
    /// `None` if the topology is of another kind.
    pub fn new(config: &Config, topology: &dyn Topology) -> Option<Self> {
        topology.of::<Star>()?;
        let (n, vcs) = (config.ports, config.switch.vcs);
        Some(StarRouting {
            ports: RoutingPorts::new(n, vcs, star::ROUTING.sees),
            nodes: Constant::new(n.to_bits()),
            vc_table: vc_tables(vcs),
            row: Default::default(),
            n: n.into(),
            vcs: vcs.into(),
            info: BlockInfo::new(NAME, include_str!("star_routing.rs")),
        })
    }
}

impl Logic for StarRouting {
    #[hdl_gen]
    fn update(&mut self) {
        self.ports.routable.next = self.ports.destination.val() < self.nodes.val();
        for p in 0..self.n.get() {
            self.ports.adaptive[p].next = false;
            self.ports.deterministic[p].next = self.ports.destination.val() == p.to_bits();
        }
        self.row.next = self.ports.destination.val().get_bits::<6>(0);
        for w in 0..self.vcs.get() {
            self.ports.adaptive_vcs[w].next = false;
            self.ports.deterministic_vcs[w].next =
                self.ports.routable.val() & self.vc_table[w].val().get_bit(self.row.val().index());
        }
    }
}

rtl_signals!(StarRouting, ports(RoutingPorts), registers(), children());
