//! Meshes: the shortest ways, and a way out in the order of dimensions.

use super::{ExpectedRouting, Head, Route, Rules, links};
use powar_config::topology::Mesh;
use powar_config::{Config, Topology};
use std::ops::Range;
use std::sync::Arc;

#[derive(Debug)]
struct MeshRules {
    /// Several nodes a switch, told apart by the lowest digit.
    several: bool,
    dimensions: usize,
}

pub(super) fn of(_: &Config, topology: &dyn Topology) -> Option<Arc<dyn Rules>> {
    let mesh = topology.of::<Mesh>()?;
    Some(Arc::new(MeshRules { several: mesh.nodes > 1, dimensions: mesh.dimensions.len() }))
}

impl MeshRules {
    /// The coordinates of an address.
    fn coordinates<'a>(&self, digits: &'a [usize]) -> &'a [usize] {
        &digits[usize::from(self.several)..]
    }
}

impl Rules for MeshRules {
    fn route(&self, at: &ExpectedRouting, to: &[usize], _head: &Head) -> Route {
        let mut route = Route::default();
        for (dimension, (here, there)) in
            self.coordinates(&at.position).iter().zip(self.coordinates(to)).enumerate().rev()
        {
            if here != there {
                // The last that is set is that of the lowest dimension.
                route.deterministic = 1 << (2 * dimension + usize::from(there < here));
                route.adaptive |= route.deterministic;
            }
        }
        if route.deterministic == 0 {
            let node = 2 * self.dimensions + if self.several { to[0] } else { 0 };
            return Route { deterministic: 1 << node, deterministic_vcs: links(0, at.vcs), ..Route::default() };
        }
        (route.adaptive_vcs, route.deterministic_vcs) = (links(0, at.vcs - 1), 1 << (at.vcs - 1));
        route
    }

    fn brings(&self, at: &ExpectedRouting, input: usize, to: &[usize]) -> bool {
        let (here, there) = (self.coordinates(&at.position), self.coordinates(to));
        if input >= 2 * self.dimensions {
            // A node sends nothing to itself.
            return there != here || self.several && to[0] != input - 2 * self.dimensions;
        }
        let (here, there) = (here[input / 2], there[input / 2]);
        let size = self.coordinates(&at.bases)[input / 2];
        // What comes from the plus neighbour goes downwards or stays here. At an edge there is no neighbour.
        if input.is_multiple_of(2) { there <= here && here + 1 < size } else { there >= here && here > 0 }
    }

    fn input_vcs(&self, at: &ExpectedRouting, _vc: usize) -> (Range<usize>, Range<usize>) {
        if at.vcs > 1 { (0..at.vcs - 1, at.vcs - 1..at.vcs) } else { (0..1, 0..1) }
    }
}
