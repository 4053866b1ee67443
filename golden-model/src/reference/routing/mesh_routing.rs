//! `mesh_routing`: k-ary n-meshes (Duato's protocol over dimension order).

use crate::bits::low_bits;
use crate::reference::routing::{Entry, Route, RoutingInputs, RoutingUnit, digits, exists};
use powar_config::topology::Mesh;
use std::cmp::Ordering;
use std::sync::Arc;

/// The line in the list of units.
pub const ENTRY: Entry = ("mesh", |config| {
    let mesh: &Mesh = config.topology.as_ref()?.of()?;
    Some(Arc::new(MeshRouting { mesh: mesh.clone(), vcs: config.switch.vcs }))
});

/// The routing unit of a mesh.
#[derive(Clone, Debug)]
pub struct MeshRouting {
    mesh: Mesh,
    vcs: usize,
}

impl RoutingUnit for MeshRouting {
    fn name(&self) -> &'static str {
        "mesh_routing"
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        let Mesh { dimensions, nodes } = &self.mesh;
        let mut bases = dimensions.clone();
        if *nodes > 1 {
            bases.insert(0, *nodes);
        }
        if !exists(&bases, inputs.destination) {
            return Route::default();
        }
        let to: Vec<usize> = digits(&bases, inputs.destination).collect();
        let from: Vec<usize> = digits(&bases, inputs.position).collect();
        let of_switch = bases.len() - dimensions.len();
        let productive: Vec<usize> = (0..dimensions.len())
            .filter_map(|i| match to[of_switch + i].cmp(&from[of_switch + i]) {
                Ordering::Greater => Some(2 * i),
                Ordering::Less => Some(2 * i + 1),
                Ordering::Equal => None,
            })
            .collect();
        match productive.first() {
            None => Route {
                routable: true,
                deterministic: 1 << (2 * dimensions.len() + if *nodes > 1 { to[0] } else { 0 }),
                deterministic_vcs: low_bits(self.vcs),
                ..Route::default()
            },
            Some(first) => Route {
                routable: true,
                adaptive: productive.iter().fold(0, |ports, port| ports | 1 << port),
                deterministic: 1 << first,
                adaptive_vcs: low_bits(self.vcs - 1),
                deterministic_vcs: 1 << (self.vcs - 1),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::topology::pack_address;

    /// Of a row of five switches with two nodes each, from switch 2 to a node.
    fn route(switch: usize, node: usize) -> Route {
        let unit = MeshRouting { mesh: Mesh { dimensions: vec![5], nodes: 2 }, vcs: 2 };
        let [position, destination] = [4, 2 * switch + node].map(|place| pack_address(&[2, 5], place));
        unit.route(&RoutingInputs { position, destination, ..RoutingInputs::default() })
    }

    #[test]
    fn each_of_two_nodes_has_a_port_of_its_own() {
        for node in [0, 1] {
            let own = Route { routable: true, deterministic: 4 << node, deterministic_vcs: 0b11, ..Route::default() };
            assert_eq!(route(2, node), own);
            assert_eq!((route(3, node).adaptive, route(3, node).deterministic), (0b01, 0b01));
            assert_eq!((route(0, node).adaptive, route(0, node).deterministic), (0b10, 0b10));
        }
    }
}
