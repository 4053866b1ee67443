//! `boards_routing`: boards that are joined by wavelengths.

use crate::bits::low_bits;
use crate::reference::routing::{Entry, Route, RoutingInputs, RoutingUnit, digits, exists};
use powar_config::topology::Boards;
use std::sync::Arc;

/// The line in the list of units.
pub const ENTRY: Entry = ("boards", |config| {
    let &Boards { boards, nodes } = config.topology.as_ref()?.of()?;
    Some(Arc::new(BoardsRouting { boards, nodes, vcs: config.switch.vcs }))
});

/// The routing unit of a board.
#[derive(Clone, Copy, Debug)]
pub struct BoardsRouting {
    /// B and D of the page.
    boards: usize,
    nodes: usize,
    vcs: usize,
}

impl RoutingUnit for BoardsRouting {
    fn name(&self) -> &'static str {
        "boards_routing"
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        let &BoardsRouting { boards, nodes, vcs } = self;
        let bases = [nodes, boards];
        if !exists(&bases, inputs.destination) {
            return Route::default();
        }
        let to: Vec<usize> = digits(&bases, inputs.destination).collect();
        let here: Vec<usize> = digits(&bases, inputs.position).collect();
        let o = (to[1] + boards - here[1]) % boards;
        if o == 0 {
            return Route::on(low_bits(vcs), 0, 1 << to[0]);
        }
        let first = nodes + (o - 1) * boards;
        Route::on(low_bits(vcs), low_bits(boards) << first, 1 << (first + boards - o))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::allocation::selector::{Selector, SelectorInputs};
    use powar_config::topology::pack_address;
    use powar_config::{Config, Deterministic};

    fn route(name: &str, position: u16, destination: u16) -> Route {
        let config = Config::of_network(name).unwrap();
        let unit = (ENTRY.1)(&config).unwrap();
        unit.route(&RoutingInputs { position, destination, ..RoutingInputs::default() })
    }

    #[test]
    fn every_wavelength_to_the_board_of_the_destination() {
        // From board 1 of 4, with 3 nodes each: two further, ports 7 to 10; wavelength 2.
        let far = route("boards-4x3", 1 << 2, 3 << 2 | 1);
        assert_eq!(far, Route::on(0b1111, 0b1111 << 7, 1 << 9));
        // Three further, round: wavelength 1. One further: wavelength 3.
        assert_eq!(route("boards-4x3", 1 << 2, 0), Route::on(0b1111, 0b1111 << 11, 1 << 12));
        assert_eq!(route("boards-4x3", 1 << 2, 2 << 2), Route::on(0b1111, 0b1111 << 3, 1 << 6));
        assert_eq!(route("boards-4x3", 1 << 2, 1 << 2 | 2), Route::on(0b1111, 0, 1 << 2));
        for nowhere in [3, 1 << 4, 1 << 15] {
            assert_eq!(route("boards-4x3", 1 << 2, nowhere), Route::default());
        }
        // The last port of the largest switch.
        let last = route("boards-8x8", 0, 7 << 3);
        assert_eq!((last.adaptive, last.deterministic), (0xff << 56, 1 << 57));
    }

    /// D is one of P on the same VCs, so whatever the mechanism lets a packet have, the selector chooses the same without it: a packet never
    /// waits for the wavelength in D alone, and never gets it while it may not.
    #[test]
    fn the_selector_does_not_need_d() {
        let ports = 15;
        for (board, other) in (0..4).flat_map(|board| (0..4).map(move |other| (board, other))) {
            let [position, destination] = [board, other].map(|board| pack_address(&[3, 4], 3 * board));
            let route = route("boards-4x3", position, destination);
            if board == other {
                continue;
            }
            assert_eq!(
                (route.deterministic & route.adaptive, route.deterministic_vcs),
                (route.deterministic, route.adaptive_vcs)
            );
            for (open, preferred) in (0..1 << 12).step_by(5).map(|set: u64| (set << 3, set << 1 & 0xfff8)) {
                let mut selectors = [(); 2].map(|()| Selector::new(ports, Deterministic::Single));
                let [with, without] = &mut selectors;
                let inputs = SelectorInputs {
                    adaptive: route.adaptive & open,
                    deterministic: route.deterministic & open,
                    preferred,
                    ..SelectorInputs::default()
                };
                with.clock(&inputs);
                without.clock(&SelectorInputs { deterministic: 0, ..inputs });
                assert_eq!(with, without);
                assert_eq!(with.choice == 0, route.adaptive & open == 0);
                assert_eq!(with.choice & !(route.adaptive & open), 0);
            }
        }
    }
}
