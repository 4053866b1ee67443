//! The routing units: where a packet may go, one unit for each kind of network.
//!
//! To add one: a file beside these, with the ports of [`RoutingPorts`], and one line in the list `UNITS`.

pub mod fat_tree_routing;
pub mod star_routing;
pub mod torus_routing;

pub use fat_tree_routing::FatTreeRouting;
pub use star_routing::StarRouting;
pub use torus_routing::TorusRouting;

use crate::port_bundle;
use crate::primitives::vector;
use crate::rtl_block::{RtlBlock, any_block};
use powar_config::{Config, Topology};
use rust_hdl::prelude::*;
use std::ops::{Deref, DerefMut};

port_bundle! {
    /// Ports of a routing unit (docs/microarchitecture/routing.md).
    pub struct RoutingPorts(combinational) {
        inputs {
            /// Packed address of this switch.
            position: Signal<In, Bits<16>>,
            /// Stage of this switch in a tree: 0 is the leaf stage.
            stage: Signal<In, Bits<4>>,
            /// Packed address of the packet's destination node.
            destination: Signal<In, Bits<16>>,
        }
        outputs {
            /// The destination exists.
            routable: Signal<Out, Bit>,
            /// P: ports to choose from.
            adaptive: Vec<Signal<Out, Bit>>,
            /// D: the ports that are left if P is taken.
            deterministic: Vec<Signal<Out, Bit>>,
            /// Virtual channels allowed on a port of P.
            adaptive_vcs: Vec<Signal<Out, Bit>>,
            /// Virtual channels allowed on a port of D.
            deterministic_vcs: Vec<Signal<Out, Bit>>,
        }
    }
}

impl RoutingPorts {
    /// For a switch of `n` ports with `vcs` virtual channels each.
    pub fn new(n: usize, vcs: usize) -> Self {
        RoutingPorts {
            position: Default::default(),
            stage: Default::default(),
            destination: Default::default(),
            routable: Default::default(),
            adaptive: vector(n),
            deterministic: vector(n),
            adaptive_vcs: vector(vcs),
            deterministic_vcs: vector(vcs),
        }
    }
}

/// A block with the ports of a routing unit.
pub trait RoutingUnit: RtlBlock + Deref<Target = RoutingPorts> + DerefMut {}

impl<U: RtlBlock + Deref<Target = RoutingPorts> + DerefMut> RoutingUnit for U {}

any_block!(dyn RoutingUnit);

/// Builds the unit for the switches of a topology that has passed [`Config::check_switch`]; `None` if the topology is not of its kind.
type Build = fn(&Config, &dyn Topology) -> Option<Box<dyn RoutingUnit>>;

/// The routing units, by the names of their Verilog modules.
const UNITS: &[(&str, Build)] = &[
    (star_routing::NAME, |config, topology| Some(Box::new(StarRouting::new(config, topology)?))),
    (fat_tree_routing::NAME, |config, topology| Some(Box::new(FatTreeRouting::new(config, topology)?))),
    (torus_routing::NAME, |config, topology| Some(Box::new(TorusRouting::new(config, topology)?))),
];

/// The name of the routing unit for a topology and what builds it.
pub(super) fn unit(config: &Config, topology: &dyn Topology) -> Option<(&'static str, Build)> {
    UNITS.iter().copied().find(|(_, build)| build(config, topology).is_some())
}
