//! `table_limited_routing`: any network by a table, whose nodes wait for room in the buffers that their packets would come into.

use super::table_routing::TableRouting;
use super::{Entry, Route, RoutingInputs, RoutingUnit};
use crate::bits::{is_set, low_bits, ones};
use powar_config::Config;
use std::sync::Arc;

/// The line in the list of units.
pub const ENTRY: Entry = ("table-limited", |config| Some(Arc::new(TableLimitedRouting::new(config))));

/// The routing unit of any network with a limit on injection.
#[derive(Clone, Copy, Debug)]
pub struct TableLimitedRouting {
    /// Ports of the switch.
    ports: usize,
    /// Flits that fill half a VC of a buffer.
    limit: u64,
}

impl TableLimitedRouting {
    fn new(config: &Config) -> TableLimitedRouting {
        TableLimitedRouting { ports: config.ports, limit: config.switch.vc_depth() as u64 / 2 }
    }
}

impl RoutingUnit for TableLimitedRouting {
    fn name(&self) -> &'static str {
        "table_limited_routing"
    }

    fn distinguishes(&self, occupancy: u64) -> u64 {
        (occupancy > self.limit).into()
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        let route = TableRouting.route(inputs);
        if !is_set(inputs.to_node, inputs.input_port.into()) {
            return route;
        }
        let has_room = |&port: &usize| inputs.occupancy[port] <= self.limit;
        let admits = ones(low_bits(self.ports)).filter(has_room).fold(inputs.to_node, |open, port| open | 1 << port);
        Route { adaptive: route.adaptive & admits, deterministic: route.deterministic & admits, ..route }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::routing::tables::TableRow;

    #[test]
    fn nodes_wait_for_room_of_half_a_channel_and_others_do_not() {
        let unit = TableLimitedRouting { ports: 5, limit: 27 };
        let row = TableRow { adaptive: 0b1100, deterministic: 0b1000, adaptive_vcs: 0b011, deterministic_vcs: 0b100 };
        let sets = |row, input_port, occupancy: [u64; 5]| {
            let to_node = 0b0_0011;
            let inputs = RoutingInputs { input_port, occupancy: &occupancy, row, to_node, ..Default::default() };
            let Route { routable, adaptive, deterministic, adaptive_vcs, deterministic_vcs } = unit.route(&inputs);
            assert_eq!((routable, adaptive_vcs, deterministic_vcs), (true, 0b011, 0b100));
            (adaptive, deterministic)
        };
        assert_eq!(sets(row, 0, [99, 99, 27, 27, 99]), (0b1100, 0b1000));
        assert_eq!(sets(row, 1, [0, 0, 27, 28, 0]), (0b0100, 0));
        assert_eq!(sets(row, 1, [0, 0, 28, 28, 0]), (0, 0));
        assert_eq!(sets(row, 4, [0, 0, 28, 28, 0]), (0b1100, 0b1000));
        // To another node of the same switch.
        assert_eq!(sets(TableRow { adaptive: 0b0010, deterministic: 0b0010, ..row }, 0, [99; 5]), (0b0010, 0b0010));
    }
}
