//! Tells where a packet may go in a k-ary n-cube with trunks of L links whose nodes wait for room in the next buffers.
//!
//! Rule:     P, D and the virtual channels are those of `torus_routing`. Of both sets a packet from a node gets only ports to which no more flits
//!           are under way than fill half a virtual channel (`injection_limit`), but for its destination's port at the same switch.
//! Latency:  none (combinational).
//! Range:    as `torus_routing`.
//! Source:   docs/microarchitecture/routing.md; Duato 1993; Baydal, López and Duato 2005.

use super::{InjectionLimit, RoutingPorts, TorusRouting};
use super::{Unit, injection_limit};
use crate::block;
use crate::power::mechanism::Builder;
use powar_config::routing::torus_limited;
use powar_config::topology::Torus;
use powar_config::{Config, Topology};
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub(super) const NAME: &str = "torus_limited_routing";

/// Its line in the list of routings.
pub(super) const UNIT: Unit = Unit {
    routing: &torus_limited::ROUTING,
    module: NAME,
    build: |config, topology| Some(Box::new(TorusLimitedRouting::new(config, topology)?)),
    blocks,
};

/// Ports of a torus to other switches.
fn switch_ports(torus: &Torus) -> usize {
    2 * torus.dimensions.len() * torus.trunk
}

/// Its children that are blocks of their own. `torus_routing` is one as the unit of the routing without a limit.
pub(super) fn blocks(config: &Config) -> Vec<(String, Builder<'_>)> {
    let torus = config.topology.as_ref().and_then(|topology| topology.of());
    torus.map_or_else(Vec::new, |torus| injection_limit::blocks(config, switch_ports(torus)))
}

block! {
    pub struct TorusLimitedRouting(
        NAME,
        include_str!("torus_limited_routing.rs"),
        RoutingPorts = RoutingPorts::new(n, vcs, torus_limited::ROUTING.sees)
    )
    /// `None` if the topology is of another kind.
    pub fn new(config: &Config, topology: &dyn Topology) -> Option<Self> {
        let (n, vcs, switch_ports) = (config.ports, config.switch.vcs, switch_ports(topology.of()?));
    }
    children {
        /// Where it may go if there is room.
        torus: TorusRouting = TorusRouting::new(config, topology)?,
        /// Ports that are open to packets from nodes.
        limit: InjectionLimit = InjectionLimit::new(config, switch_ports),
    }
    sizes {
        /// Ports to other switches, which come first; those to nodes.
        switch_ports = switch_ports,
        node_ports = n - switch_ports,
        vcs = vcs,
    }
}

impl Logic for TorusLimitedRouting {
    #[hdl_gen]
    fn update(&mut self) {
        self.torus.position.next = self.ports.position.val();
        self.torus.stage.next = self.ports.stage.val();
        self.torus.destination.next = self.ports.destination.val();
        self.limit.input_port.next = self.ports.input_port[0].val();
        self.ports.routable.next = self.torus.routable.val();
        for p in 0..self.switch_ports.get() {
            self.limit.occupancy[p].next = self.ports.occupancy[p].val();
            self.ports.adaptive[p].next = self.torus.adaptive[p].val() & self.limit.admits[p].val();
            self.ports.deterministic[p].next = self.torus.deterministic[p].val() & self.limit.admits[p].val();
        }
        for l in 0..self.node_ports.get() {
            self.ports.adaptive[self.switch_ports + l].next = self.torus.adaptive[self.switch_ports + l].val();
            self.ports.deterministic[self.switch_ports + l].next =
                self.torus.deterministic[self.switch_ports + l].val();
        }
        for v in 0..self.vcs.get() {
            self.ports.adaptive_vcs[v].next = self.torus.adaptive_vcs[v].val();
            self.ports.deterministic_vcs[v].next = self.torus.deterministic_vcs[v].val();
        }
    }
}
