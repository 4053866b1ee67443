//! `torus_routing`: k-ary n-cubes with trunks (Duato's protocol over a dateline escape network).

use crate::bits::low_bits;
use crate::reference::routing::{Entry, Route, RoutingInputs, RoutingUnit, digits, exists};
use powar_config::Config;
use powar_config::topology::Torus;
use std::sync::Arc;

/// The line in the list of units.
pub const ENTRY: Entry = ("torus", |config| Some(Arc::new(TorusRouting::of(config)?)));

/// The routing unit of a torus.
#[derive(Clone, Debug)]
pub struct TorusRouting {
    sizes: Vec<usize>,
    trunk: usize,
    /// Nodes a switch: the digit below those of the dimensions, if there are several.
    nodes: usize,
    vcs: usize,
}

impl TorusRouting {
    /// `None` if the topology is of another kind.
    pub(super) fn of(config: &Config) -> Option<TorusRouting> {
        let Torus { dimensions, trunk, nodes } = config.topology.as_ref()?.of()?;
        Some(TorusRouting { sizes: dimensions.clone(), trunk: *trunk, nodes: *nodes, vcs: config.switch.vcs })
    }

    /// Ports to other switches: 0 up to this number.
    pub(super) fn ports_to_switches(&self) -> usize {
        2 * self.sizes.len() * self.trunk
    }

    /// The bases of addresses.
    fn bases(&self) -> Vec<usize> {
        let node = if self.nodes > 1 { Some(self.nodes) } else { None };
        node.into_iter().chain(self.sizes.iter().copied()).collect()
    }

    /// The links of port group g: plus and minus of dimension i are 2i and 2i + 1, those of the only node come last.
    fn links(&self, group: usize) -> u64 {
        low_bits(self.trunk) << (group * self.trunk)
    }
}

impl RoutingUnit for TorusRouting {
    fn name(&self) -> &'static str {
        "torus_routing"
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        let bases = self.bases();
        if !exists(&bases, inputs.destination) {
            return Route::default();
        }
        let (mut adaptive, mut escape) = (0, None);
        let of_switch = bases.len() - self.sizes.len();
        let places = digits(&bases, inputs.position).zip(digits(&bases, inputs.destination)).skip(of_switch);
        for (i, (&size, (position, destination))) in self.sizes.iter().zip(places).enumerate() {
            let distance = |from: usize, to: usize| (to as i32 - from as i32).rem_euclid(size as i32);
            let (up, down) = (distance(position, destination), distance(destination, position));
            let plus = up != 0 && up <= down;
            let minus = up != 0 && down <= up;
            adaptive |= if plus { self.links(2 * i) } else { 0 };
            adaptive |= if minus { self.links(2 * i + 1) } else { 0 };
            if up != 0 && escape.is_none() {
                let crosses = if plus { destination < position } else { destination > position };
                let class = u64::from(!crosses);
                escape = Some((self.links(if plus { 2 * i } else { 2 * i + 1 }), 1 << (self.vcs - 2) << class));
            }
        }
        let Some((deterministic, deterministic_vcs)) = escape else {
            let first = 2 * self.sizes.len();
            let deterministic = match self.nodes {
                1 => self.links(first),
                _ => 1 << (first * self.trunk + digits(&bases, inputs.destination).next().unwrap_or(0)),
            };
            return Route { routable: true, deterministic, deterministic_vcs: low_bits(self.vcs), ..Route::default() };
        };
        Route { routable: true, adaptive, deterministic, adaptive_vcs: low_bits(self.vcs - 2), deterministic_vcs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::topology::pack_address;

    /// Of a ring of five switches with two nodes each, from switch 2 to a node.
    fn route(switch: usize, node: usize) -> Route {
        let unit = TorusRouting { sizes: vec![5], trunk: 1, nodes: 2, vcs: 3 };
        let [position, destination] = [4, 2 * switch + node].map(|place| pack_address(&[2, 5], place));
        unit.route(&RoutingInputs { position, destination, ..RoutingInputs::default() })
    }

    #[test]
    fn each_of_two_nodes_has_a_port_of_its_own() {
        for node in [0, 1] {
            let own = Route { routable: true, deterministic: 4 << node, deterministic_vcs: 0b111, ..Route::default() };
            assert_eq!(route(2, node), own);
            assert_eq!((route(4, node).adaptive, route(4, node).deterministic), (0b01, 0b01));
            assert_eq!((route(0, node).adaptive, route(0, node).deterministic), (0b10, 0b10));
        }
    }
}
