//! `torus_limited_routing`: tori whose nodes wait for room in the buffers that their packets would come into.

use crate::reference::mechanisms::Twin;
use crate::reference::routing::injection_limit::{self, InjectionLimit};
use crate::reference::routing::torus_routing::TorusRouting;
use crate::reference::routing::{Entry, Route, RoutingInputs, RoutingUnit};
use powar_config::Config;
use std::sync::Arc;

/// The line in the list of units.
pub const ENTRY: Entry = ("torus-limited", |config| Some(Arc::new(TorusLimitedRouting::of(config)?)));

/// The routing unit of a torus with a limit on injection.
#[derive(Clone, Debug)]
pub struct TorusLimitedRouting {
    torus: TorusRouting,
    limit: InjectionLimit,
}

impl TorusLimitedRouting {
    /// `None` if the topology is no torus.
    fn of(config: &Config) -> Option<TorusLimitedRouting> {
        let torus = TorusRouting::of(config)?;
        let limit = InjectionLimit::new(config, torus.ports_to_switches());
        Some(TorusLimitedRouting { torus, limit })
    }
}

impl RoutingUnit for TorusLimitedRouting {
    fn name(&self) -> &'static str {
        "torus_limited_routing"
    }

    fn blocks(&self, config: &Config) -> Vec<(String, Twin)> {
        injection_limit::twins(config, self.torus.ports_to_switches())
    }

    fn distinguishes(&self, occupancy: u64) -> u64 {
        self.limit.distinguishes(occupancy)
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        let route = self.torus.route(inputs);
        // At its switch a packet has its node's ports alone, which no limit is for.
        if route.adaptive == 0 && route.deterministic >> self.torus.ports_to_switches() != 0 {
            return route;
        }
        let admits = self.limit.admits(inputs.input_port, inputs.occupancy);
        Route { adaptive: route.adaptive & admits, deterministic: route.deterministic & admits, ..route }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::routing::routing_unit;
    use powar_config::topology::pack_address;

    /// In a torus of 8 x 8 with 4 VCs of 27 flits: from switch (1, 1) with so many flits under way to each port.
    fn in_traffic(to: usize, input_port: u8, occupancy: [u64; 5]) -> (Route, Route) {
        let config = Config::of_network("torus-8x8").unwrap();
        assert_eq!(config.routing().unwrap().name, "torus-limited");
        let mut free = config.clone();
        free.route_by(&powar_config::routing::torus::ROUTING);
        let [position, destination] = [9, to].map(|node| pack_address(&[8, 8], node));
        let inputs =
            RoutingInputs { position, destination, input_port, occupancy: &occupancy, ..RoutingInputs::default() };
        let [limited, free] = [config, free].map(|config| routing_unit(&config).unwrap().route(&inputs));
        (limited, free)
    }

    #[test]
    fn nodes_wait_for_room_and_others_do_not() {
        let half = Config::of_network("torus-8x8").unwrap().switch.vc_depth() as u64 / 2;
        // To (3, 3): +x or +y, with +x as the escape.
        let (limited, free) = in_traffic(27, 4, [half; 5]);
        assert_eq!((limited, free.adaptive, free.deterministic), (free, 0b0101, 0b0001));
        let (limited, free) = in_traffic(27, 4, [half + 1, 0, 0, 0, 0]);
        assert_eq!(limited, Route { adaptive: 0b0100, deterministic: 0, ..free });
        let (limited, free) = in_traffic(27, 4, [half + 1; 5]);
        assert_eq!(limited, Route { adaptive: 0, deterministic: 0, ..free });
        let (limited, free) = in_traffic(27, 1, [half + 1; 5]);
        assert_eq!(limited, free);
        // To its own node.
        let (limited, free) = in_traffic(9, 4, [half + 1; 5]);
        assert_eq!(limited, free);
    }
}
