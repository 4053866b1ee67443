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
