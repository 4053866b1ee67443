//! `star_routing`: one switch with a node at every port.

use crate::reference::routing::{Entry, Route, RoutingInputs, RoutingUnit, vc_of_destination};
use powar_config::topology::Star;
use std::sync::Arc;

/// The line in the list of units.
pub const ENTRY: Entry = ("star", |config| {
    let unit = StarRouting { ports: config.ports, vcs: config.switch.vcs };
    config.topology.as_ref()?.of::<Star>().map(|_| Arc::new(unit) as _)
});

/// The routing unit of a network of one switch.
#[derive(Clone, Copy, Debug)]
pub struct StarRouting {
    ports: usize,
    vcs: usize,
}

impl RoutingUnit for StarRouting {
    fn name(&self) -> &'static str {
        "star_routing"
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        match usize::from(inputs.destination) {
            port if port < self.ports => Route::on(1 << vc_of_destination(inputs.destination, self.vcs), 0, 1 << port),
            _ => Route::default(),
        }
    }
}
