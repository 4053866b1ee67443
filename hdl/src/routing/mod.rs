//! The routing units: where a packet may go, one unit for each routing.
//!
//! To add one: a file beside these, with the ports of [`RoutingPorts`], and one line in the list `UNITS`.

pub mod alternating_escape_routing;
pub mod boards_routing;
pub mod dragonfly_minimal_routing;
pub mod dragonfly_ugal_routing;
pub mod fat_tree_routing;
pub mod grid_ways;
pub mod injection_limit;
pub mod least_occupied_routing;
pub mod mesh_routing;
mod route_register;
mod routing_table;
pub mod staircase_escape_routing;
pub mod star_routing;
pub mod table_limited_routing;
mod table_loader;
pub mod table_routing;
pub mod torus_limited_routing;
pub mod torus_routing;
pub mod west_last_east_last_routing;

pub use alternating_escape_routing::AlternatingEscapeRouting;
pub use boards_routing::BoardsRouting;
pub use dragonfly_minimal_routing::DragonflyMinimalRouting;
pub use dragonfly_ugal_routing::DragonflyUgalRouting;
pub use fat_tree_routing::FatTreeRouting;
pub use grid_ways::GridWays;
pub use injection_limit::InjectionLimit;
pub use least_occupied_routing::LeastOccupiedRouting;
pub use mesh_routing::MeshRouting;
pub use route_register::RouteRegister;
pub use routing_table::RoutingTable;
pub use staircase_escape_routing::StaircaseEscapeRouting;
pub use star_routing::StarRouting;
pub use table_limited_routing::TableLimitedRouting;
pub use table_loader::TableLoader;
pub use table_routing::TableRouting;
pub use torus_limited_routing::TorusLimitedRouting;
pub use torus_routing::TorusRouting;
pub use west_last_east_last_routing::WestLastEastLastRouting;

use crate::port_bundle;
use crate::power::if_seen;
use crate::power::mechanism::Builder;
use crate::rtl_block::{RtlBlock, any_block};
use anyhow::{Context, Result};
use powar_config::routing::tables::TableRow;
use powar_config::{Config, Routing, RoutingSees, Topology};
use rust_hdl::prelude::*;
use std::ops::{Deref, DerefMut};

port_bundle! {
    /// Ports of a routing unit (docs/microarchitecture/routing.md). What the routing does not see has no elements.
    pub struct RoutingPorts(combinational)
    /// For a switch of `n` ports with `vcs` virtual channels each.
    pub fn new(n: usize, vcs: usize, sees: RoutingSees) -> Self {}
    inputs {
        /// Packed address of this switch.
        position: Bits<16>,
        /// Stage of this switch in a tree: 0 is the leaf stage.
        stage: Bits<4>,
        /// Packed address of the packet's destination node.
        destination: Bits<16>,
        /// The packet's header, word 0 of its head flit: destination 15:0, length 25:16, the user's bits 31:26.
        header[if_seen(sees.header, 1)]: Bits<32>,
        /// The port at which the packet came in, and the virtual channel.
        input_port[if_seen(sees.input, 1)]: Bits<6>,
        input_vc[if_seen(sees.input, 1)]: Bits<3>,
        /// Output ports to be counted on.
        serves[if_seen(sees.serves, n)]: Bit,
        /// Flits in the next buffer of each output port and on the way there and back.
        occupancy[if_seen(sees.occupancy, n)]: Bits<13>,
        /// The row of the routing table for the destination, word 0 lowest.
        row[if_seen(sees.table, TableRow::word_count(n, vcs))]: Bits<32>,
        /// Ports that lead to nodes.
        to_node[if_seen(sees.to_node, n)]: Bit,
    }
    outputs {
        /// The destination exists.
        routable: Bit,
        /// P: ports to choose from.
        adaptive[n]: Bit,
        /// D: the ports that are left if P is taken.
        deterministic[n]: Bit,
        /// Virtual channels allowed on a port of P.
        adaptive_vcs[vcs]: Bit,
        /// Virtual channels allowed on a port of D.
        deterministic_vcs[vcs]: Bit,
    }
}

/// A block with the ports of a routing unit.
pub trait RoutingUnit: RtlBlock + Deref<Target = RoutingPorts> + DerefMut {}

impl<U: RtlBlock + Deref<Target = RoutingPorts> + DerefMut> RoutingUnit for U {}

any_block!(dyn RoutingUnit);

/// Numbers that the virtual channel of a destination is looked up by, from 0: its six lowest bits, of which it takes only those below
/// `vcs` if that is a power of two.
pub(crate) const fn vc_rows(vcs: usize) -> usize {
    if vcs.is_power_of_two() { vcs } else { 64 }
}

/// Builds the unit for the switches of a topology that has passed [`Config::check_switch`]; `None` if the routing is not for its kind.
type Build = fn(&Config, &dyn Topology) -> Option<Box<dyn RoutingUnit>>;

/// The RTL of a routing.
#[derive(Clone, Copy)]
pub(super) struct Unit {
    routing: &'static Routing,
    /// Name of its Verilog module.
    pub module: &'static str,
    pub build: Build,
    /// Builds its children, which are blocks of their own, by name.
    pub blocks: fn(&Config) -> Vec<(String, Builder<'_>)>,
}

/// Every routing unit. A new one is a file and a line here.
const UNITS: [Unit; 14] = [
    star_routing::UNIT,
    fat_tree_routing::UNIT,
    least_occupied_routing::UNIT,
    mesh_routing::UNIT,
    torus_routing::UNIT,
    torus_limited_routing::UNIT,
    dragonfly_ugal_routing::UNIT,
    dragonfly_minimal_routing::UNIT,
    boards_routing::UNIT,
    staircase_escape_routing::UNIT,
    alternating_escape_routing::UNIT,
    west_last_east_last_routing::UNIT,
    table_routing::UNIT,
    table_limited_routing::UNIT,
];

/// The children of a unit that has none, or none that is not a unit itself.
fn no_blocks(_: &Config) -> Vec<(String, Builder<'_>)> {
    vec![]
}

/// Those of a unit whose packets may take any way that is on, or an escape.
fn escape_blocks(config: &Config) -> Vec<(String, Builder<'_>)> {
    [grid_ways::blocks(config), injection_limit::blocks(config, grid_ways::DIRECTIONS)].into_iter().flatten().collect()
}

/// The routings that there is RTL of.
pub fn with_units() -> [&'static Routing; UNITS.len()] {
    UNITS.map(|unit| unit.routing)
}

/// The unit of a configuration's routing.
///
/// # Errors
/// There is no RTL of it, or the configuration has no routing.
pub(super) fn unit(config: &Config) -> Result<Unit> {
    let routing = config.routing().context("routing: needs a topology")?;
    let known = || with_units().map(|routing| routing.name).join(", ");
    let found = UNITS.into_iter().find(|unit| unit.routing == routing);
    found.with_context(|| format!("routing: there is no RTL of {}; it must be one of {}", routing.name, known()))
}
