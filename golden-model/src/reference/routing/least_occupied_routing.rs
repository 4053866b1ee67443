//! `least_occupied_routing`: k-ary n-trees, up where the next buffers are emptiest (the selection of Alonso et al.).

use crate::bits::{low_bits, ones};
use crate::reference::routing::fat_tree_routing::{Tree, Way};
use crate::reference::routing::{Entry, Route, RoutingInputs, RoutingUnit};
use powar_config::Config;
use std::sync::Arc;

/// The line in the list of units.
pub const ENTRY: Entry = ("least-occupied", |config| Some(Arc::new(LeastOccupiedRouting::of(config)?)));

/// Bit of the header, the user's lowest: the packet asks for a deterministic way.
const DETERMINISTIC: u32 = 1 << 26;

/// The routing unit of a k-ary n-tree that looks at the buffers behind its ports.
#[derive(Clone, Copy, Debug)]
pub struct LeastOccupiedRouting {
    tree: Tree,
    vcs: usize,
}

impl LeastOccupiedRouting {
    fn of(config: &Config) -> Option<LeastOccupiedRouting> {
        Some(LeastOccupiedRouting { tree: Tree::of(config)?, vcs: config.switch.vcs })
    }
}

impl RoutingUnit for LeastOccupiedRouting {
    fn name(&self) -> &'static str {
        "least_occupied_routing"
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        let Some(way) = self.tree.way(inputs) else { return Route::default() };
        let vc = 1 << inputs.input_vc & low_bits(self.vcs); // A packet keeps its VC.
        let only =
            |port: usize| Route { routable: true, deterministic: 1 << port, deterministic_vcs: vc, ..Route::default() };
        match way {
            Way::Down(digit) => only(digit),
            Way::EitherDown(_) | Way::Up(_) if inputs.header & DETERMINISTIC == 0 => {
                let leading = self.tree.ports(way);
                let adaptive = least_occupied(leading, inputs);
                let deterministic = leading & !adaptive & !(1 << inputs.input_port);
                Route { routable: true, adaptive, deterministic, adaptive_vcs: vc, deterministic_vcs: vc }
            }
            Way::EitherDown(digit) => only(digit),
            Way::Up(digit) => only(self.tree.k + digit),
        }
    }
}

/// Of the ports that lead to the destination those with the fewest flits behind them, among those to be counted on if there are any.
fn least_occupied(leading: u64, inputs: &RoutingInputs) -> u64 {
    let counted_on = leading & inputs.serves & !(1 << inputs.input_port);
    let candidates = if counted_on == 0 { leading } else { counted_on };
    let least = ones(candidates).map(|port| inputs.occupancy[port]).min();
    ones(candidates).filter(|&port| Some(inputs.occupancy[port]) == least).fold(0, |ports, port| ports | 1 << port)
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::topology::pack_address;

    /// Switches of 8 ports with 3 VCs.
    fn unit() -> LeastOccupiedRouting {
        let mut config = Config::of_network("4-ary-2-tree").unwrap();
        (config.switch.vcs, config.switch.buffer_flits) = (3, 96);
        LeastOccupiedRouting::of(&config).unwrap()
    }

    /// In the leaf above nodes 4 to 7, a packet from node 5 on VC 2 to a node.
    fn at_leaf<'a>(to: usize, occupancy: &'a [u64; 8]) -> RoutingInputs<'a> {
        RoutingInputs {
            position: pack_address(&[4, 4], 4),
            stage: 0,
            destination: pack_address(&[4, 4], to),
            header: 1 << 16 | to as u32,
            input_port: 1,
            input_vc: 2,
            serves: 0xff,
            occupancy,
            ..RoutingInputs::default()
        }
    }

    /// P, and what is left to D.
    fn adaptive(ports: u64, left: u64) -> Route {
        let (adaptive_vcs, deterministic_vcs) = (0b100, 0b100);
        Route { routable: true, adaptive: ports, deterministic: left, adaptive_vcs, deterministic_vcs }
    }

    fn deterministic(port: usize) -> Route {
        Route { routable: true, deterministic: 1 << port, deterministic_vcs: 0b100, ..Route::default() }
    }

    #[test]
    fn up_on_the_ports_with_the_emptiest_buffers() {
        let unit = unit();
        // What is behind the ports down is nobody's concern.
        let occupancy = [0, 0, 0, 0, 7, 3, 9, 3];
        assert_eq!(unit.route(&at_leaf(14, &occupancy)), adaptive(0b1010_0000, 0b0101_0000));
        assert_eq!(unit.route(&at_leaf(14, &[5; 8])), adaptive(0xf0, 0));
        // The whole width of an occupancy counts.
        let occupancy = [0, 0, 0, 0, 0x1000, 0xfff, 0x1fff, 0x1001];
        assert_eq!(unit.route(&at_leaf(14, &occupancy)), adaptive(0b0010_0000, 0b1101_0000));
        assert_eq!(unit.route(&at_leaf(6, &occupancy)), deterministic(2));
    }

    #[test]
    fn only_ports_that_serve_are_counted_on() {
        let unit = unit();
        let occupancy = [0, 0, 0, 0, 7, 3, 9, 4];
        let with = |serves| unit.route(&RoutingInputs { serves, ..at_leaf(14, &occupancy) });
        assert_eq!(with(0b1101_0000), adaptive(0b1000_0000, 0b0111_0000));
        assert_eq!(with(0b0101_0000), adaptive(0b0001_0000, 0b1110_0000));
        // None of those that lead there serves: all of them.
        assert_eq!(with(0b0000_1111), adaptive(0b0010_0000, 0b1101_0000));
    }

    #[test]
    fn not_back_where_it_came_from_as_long_as_there_is_another_way() {
        let unit = unit();
        let occupancy = [0, 0, 0, 0, 7, 3, 9, 4];
        let from_above = RoutingInputs { input_port: 5, ..at_leaf(14, &occupancy) };
        assert_eq!(unit.route(&from_above), adaptive(0b1000_0000, 0b0101_0000));
        assert_eq!(unit.route(&RoutingInputs { serves: 1 << 5, ..from_above }), adaptive(0b0010_0000, 0b1101_0000));
    }

    #[test]
    fn a_folded_root_has_two_ports_down() {
        let mut unit = unit();
        unit.tree.folded = true;
        let occupancy = [0, 0, 6, 0, 0, 0, 5, 0];
        let at_root = RoutingInputs { position: 0, stage: 1, ..at_leaf(9, &occupancy) };
        assert_eq!(unit.route(&at_root), adaptive(1 << 6, 1 << 2));
        assert_eq!(unit.route(&RoutingInputs { serves: 1 << 2, ..at_root }), adaptive(1 << 2, 1 << 6));
        assert_eq!(unit.route(&RoutingInputs { input_port: 6, ..at_root }), adaptive(1 << 2, 0));
        assert_eq!(unit.route(&RoutingInputs { header: at_root.header | 1 << 26, ..at_root }), deterministic(2));
    }

    #[test]
    fn a_packet_that_asks_for_it_takes_the_same_way_whatever_the_buffers_hold() {
        let unit = unit();
        let occupancy = [0, 0, 0, 0, 0, 0, 9, 0];
        let asks = RoutingInputs { header: 1 << 26 | 1 << 16 | 14, serves: 0, ..at_leaf(14, &occupancy) };
        // Its digit at this stage is 2.
        assert_eq!(unit.route(&asks), deterministic(4 + 2));
        // The user's other bits ask for nothing.
        assert_eq!(
            unit.route(&RoutingInputs { header: 0b11_1110 << 26 | asks.header & 0x3ff_ffff, ..asks }),
            adaptive(0b1011_0000, 0b0100_0000)
        );
        assert_eq!(unit.route(&RoutingInputs { destination: 16, ..asks }), Route::default());
    }
}
