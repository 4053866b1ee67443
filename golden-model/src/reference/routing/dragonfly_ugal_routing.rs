//! `dragonfly_ugal_routing`: dragonflies, the shortest way or one over another group, as the first switch's buffers say (UGAL-L).

use crate::reference::routing::dragonfly_minimal_routing::{Place, Side, Way};
use crate::reference::routing::{Entry, Route, RoutingInputs, RoutingUnit};
use std::sync::Arc;

/// The line in the list of units.
pub const ENTRY: Entry = ("dragonfly-ugal", |config| {
    Some(Arc::new(DragonflyUgalRouting { place: Place::of(config)?, ports: config.ports }))
});

/// The routing unit of a dragonfly with UGAL-L.
#[derive(Clone, Copy, Debug)]
pub struct DragonflyUgalRouting {
    place: Place,
    ports: usize,
}

impl DragonflyUgalRouting {
    /// Links between switches on the shortest way that begins with this port, at most.
    fn shortest(&self, port: usize) -> u64 {
        if self.place.side(port) == Side::Global { 2 } else { 3 }
    }

    /// The same on the shortest way over another group: one within it and one to the destination's more.
    fn around(&self, port: usize) -> u64 {
        self.shortest(port) + 2
    }

    fn adaptive(&self, keep: impl Fn(usize) -> bool) -> Route {
        let ports = (0..self.ports).filter(|&port| keep(port)).fold(0, |ports, port| ports | 1 << port);
        Route::on(1, ports, 0)
    }
}

impl RoutingUnit for DragonflyUgalRouting {
    fn name(&self) -> &'static str {
        "dragonfly_ugal_routing"
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        let Some(way) = self.place.way(inputs) else { return Route::default() };
        let from = self.place.side(inputs.input_port.into());
        match (way, from) {
            (Way::Gateway { port: first } | Way::ToGateway { port: first }, Side::Node) => {
                let wait = inputs.occupancy[first] * self.shortest(first);
                self.adaptive(|port| {
                    let quicker = inputs.occupancy[port] * self.around(port) < wait;
                    port == first || self.place.side(port) != Side::Node && quicker
                })
            }
            // It has been sent here to go on to any group.
            (Way::ToGateway { .. }, Side::Local) if inputs.input_vc == 0 => {
                self.adaptive(|port| self.place.side(port) == Side::Global)
            }
            _ => self.place.deterministic(way, inputs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::Config;
    use powar_config::topology::pack_address;

    const BASES: [usize; 3] = [2, 4, 9];

    fn unit() -> DragonflyUgalRouting {
        let config = Config::of_network("dragonfly-p2a4h2").unwrap();
        DragonflyUgalRouting { place: Place::of(&config).unwrap(), ports: config.ports }
    }

    /// At switch 0 of group 0: ports 0 and 1 to nodes, 2 to 4 within the group, 5 and 6 to groups 1 and 2.
    fn packet(to: usize, input_port: u8, input_vc: u8, occupancy: &[u64; 7]) -> RoutingInputs<'_> {
        let destination = pack_address(&BASES, to);
        RoutingInputs { position: 0, destination, input_port, input_vc, occupancy, ..RoutingInputs::default() }
    }

    fn adaptive(ports: u64) -> Route {
        Route { routable: true, adaptive: ports, adaptive_vcs: 1, ..Route::default() }
    }

    fn deterministic(port: usize, vcs: u64) -> Route {
        Route { routable: true, deterministic: 1 << port, deterministic_vcs: vcs, ..Route::default() }
    }

    #[test]
    fn around_where_the_product_of_flits_and_links_is_smaller() {
        let unit = unit();
        let group_1 = 8;
        // 4 flits and 2 links behind the shortest way's port.
        assert_eq!(unit.route(&packet(group_1, 0, 3, &[0, 0, 2, 1, 1, 4, 2])), adaptive(0b011_1000));
        assert_eq!(unit.route(&packet(group_1, 0, 3, &[0, 0, 2, 2, 2, 4, 1])), adaptive(0b110_0000));
        assert_eq!(unit.route(&packet(group_1, 1, 0, &[0; 7])), adaptive(0b010_0000));
        // To group 3 by switch 1, behind port 2: 3 links.
        assert_eq!(unit.route(&packet(24, 1, 0, &[0, 0, 5, 3, 2, 3, 4])), adaptive(0b011_0100));
    }

    #[test]
    fn the_second_switch_sends_it_to_any_group_or_straight_on() {
        let unit = unit();
        assert_eq!(unit.route(&packet(24, 3, 0, &[9; 7])), adaptive(0b110_0000));
        assert_eq!(unit.route(&packet(8, 3, 0, &[9; 7])), deterministic(5, 0b001));
        // In another group than its first, the way is the shortest.
        assert_eq!(unit.route(&packet(24, 3, 1, &[9; 7])), deterministic(2, 0b010));
        assert_eq!(unit.route(&packet(24, 6, 0, &[9; 7])), deterministic(2, 0b010));
        assert_eq!(unit.route(&packet(8, 6, 0, &[9; 7])), deterministic(5, 0b010));
    }

    #[test]
    fn within_the_group_the_way_is_the_shortest() {
        let unit = unit();
        assert_eq!(unit.route(&packet(6, 0, 0, &[9; 7])), deterministic(4, 0b001));
        assert_eq!(unit.route(&packet(4, 5, 1, &[9; 7])), deterministic(3, 0b100));
        assert_eq!(unit.route(&packet(4, 5, 2, &[9; 7])), deterministic(3, 0b100));
        assert_eq!(unit.route(&packet(1, 5, 1, &[9; 7])), deterministic(1, 0b1111));
        let unknown = RoutingInputs { destination: 9 << 3, ..packet(0, 0, 0, &[0; 7]) };
        assert_eq!(unit.route(&unknown), Route::default());
    }
}
