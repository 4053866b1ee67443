//! `dragonfly_minimal_routing`: dragonflies, the shortest way.

use crate::bits::low_bits;
use crate::reference::routing::{Entry, Route, RoutingInputs, RoutingUnit, digits, exists};
use powar_config::Config;
use powar_config::topology::Dragonfly;
use std::sync::Arc;

/// The line in the list of units.
pub const ENTRY: Entry = ("dragonfly-minimal", |config| Some(Arc::new(DragonflyMinimalRouting(Place::of(config)?))));

/// The VC of a packet that has crossed both links between groups that it may.
const LAST_VC: u8 = 2;

/// A switch of a dragonfly.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub dragonfly: Dragonfly,
    vcs: usize,
}

/// What is left of a packet's shortest way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Its node is at this switch.
    Here { port: usize },
    /// Its node is at another switch of the group, behind this port.
    Group { port: usize },
    /// This switch has the link to its group.
    Gateway { port: usize },
    /// The switch behind this port has it.
    ToGateway { port: usize },
}

/// The kinds of ports, as what a packet comes in at says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Node,
    Local,
    Global,
}

impl Place {
    /// Of the configuration's topology, if that is a dragonfly.
    pub fn of(config: &Config) -> Option<Place> {
        let dragonfly: &Dragonfly = config.topology.as_ref()?.of()?;
        Some(Place { dragonfly: *dragonfly, vcs: config.switch.vcs })
    }

    /// The way of a packet; `None` if its node does not exist.
    pub fn way(&self, inputs: &RoutingInputs) -> Option<Way> {
        let Dragonfly { p, a, h } = self.dragonfly;
        let groups = a * h + 1;
        let bases = [p, a, groups];
        if !exists(&bases, inputs.destination) {
            return None;
        }
        let to: Vec<usize> = digits(&bases, inputs.destination).collect();
        let here: Vec<usize> = digits(&bases, inputs.position).collect();
        let link = (to[2] + 2 * groups - here[2] - 1) % groups;
        let towards = if to[2] == here[2] { to[1] } else { link / h };
        let local = if towards > here[1] { p + towards - 1 } else { p + towards };
        Some(match (to[2] == here[2], towards == here[1]) {
            (true, true) => Way::Here { port: to[0] },
            (true, false) => Way::Group { port: local },
            (false, true) => Way::Gateway { port: p + a - 1 + link % h },
            (false, false) => Way::ToGateway { port: local },
        })
    }

    /// The kind of a port.
    pub fn side(&self, port: usize) -> Side {
        let Dragonfly { p, a, .. } = self.dragonfly;
        if port < p {
            Side::Node
        } else if port < p + a - 1 {
            Side::Local
        } else {
            Side::Global
        }
    }

    /// The VC on which a packet leaves for another switch: one for each link between groups that it has crossed.
    pub fn vc(&self, inputs: &RoutingInputs) -> usize {
        let vc = match self.side(inputs.input_port.into()) {
            Side::Node => 0,
            Side::Local => inputs.input_vc,
            Side::Global => inputs.input_vc + 1,
        };
        vc.min(LAST_VC).into()
    }

    /// The only way that is left.
    pub fn deterministic(&self, way: Way, inputs: &RoutingInputs) -> Route {
        let (port, vcs) = match way {
            Way::Here { port } => (port, low_bits(self.vcs)),
            Way::Group { port } | Way::Gateway { port } | Way::ToGateway { port } => (port, 1 << self.vc(inputs)),
        };
        Route::on(vcs, 0, 1 << port)
    }
}

/// The routing unit of a dragonfly on shortest ways.
#[derive(Clone, Copy, Debug)]
pub struct DragonflyMinimalRouting(Place);

impl RoutingUnit for DragonflyMinimalRouting {
    fn name(&self) -> &'static str {
        "dragonfly_minimal_routing"
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        let way = self.0.way(inputs);
        way.map_or(Route::default(), |way| self.0.deterministic(way, inputs))
    }
}
