//! `star_routing`: one switch with a node at every port.

use crate::reference::routing::{Route, RoutingUnit, digits};
use powar_config::Config;
use powar_config::topology::Star;
use std::sync::Arc;

/// The routing unit of a network of one switch.
#[derive(Clone, Copy, Debug)]
pub struct StarRouting {
    ports: usize,
    vcs: usize,
}

impl StarRouting {
    pub(crate) fn of(config: &Config) -> Option<Arc<dyn RoutingUnit>> {
        let unit = StarRouting { ports: config.ports, vcs: config.switch.vcs };
        config.topology.as_ref()?.of::<Star>().map(|_| Arc::new(unit) as _)
    }
}

impl RoutingUnit for StarRouting {
    fn name(&self) -> &'static str {
        "star_routing"
    }

    fn route(&self, _position: u16, _stage: u8, destination: u16) -> Route {
        let Some(digits) = digits(&[self.ports], destination) else { return Route::default() };
        Route {
            routable: true,
            adaptive: 0,
            deterministic: 1 << digits[0],
            adaptive_vcs: 0,
            deterministic_vcs: 1 << (usize::from(destination) % self.vcs),
        }
    }
}
