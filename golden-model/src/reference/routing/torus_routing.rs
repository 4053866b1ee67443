//! `torus_routing`: k-ary n-cubes with trunks (Duato's protocol over a dateline escape network).

use crate::bits::low_bits;
use crate::reference::routing::{Entry, Route, RoutingInputs, RoutingUnit, digits, exists};
use powar_config::topology::Torus;
use std::sync::Arc;

/// The line in the list of units.
pub const ENTRY: Entry = ("torus", |config| {
    let Torus { dimensions, trunk } = config.topology.as_ref()?.of()?;
    Some(Arc::new(TorusRouting { sizes: dimensions.clone(), trunk: *trunk, vcs: config.switch.vcs }))
});

/// The routing unit of a torus.
#[derive(Clone, Debug)]
pub struct TorusRouting {
    sizes: Vec<usize>,
    trunk: usize,
    vcs: usize,
}

impl TorusRouting {
    /// The links of port group g: plus and minus of dimension i are 2i and 2i + 1, the node's come last.
    fn links(&self, group: usize) -> u64 {
        low_bits(self.trunk) << (group * self.trunk)
    }
}

impl RoutingUnit for TorusRouting {
    fn name(&self) -> &'static str {
        "torus_routing"
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        if !exists(&self.sizes, inputs.destination) {
            return Route::default();
        }
        let (mut adaptive, mut escape) = (0, None);
        let places = digits(&self.sizes, inputs.position).zip(digits(&self.sizes, inputs.destination));
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
            let node = self.links(2 * self.sizes.len());
            return Route {
                routable: true,
                deterministic: node,
                deterministic_vcs: low_bits(self.vcs),
                ..Route::default()
            };
        };
        Route { routable: true, adaptive, deterministic, adaptive_vcs: low_bits(self.vcs - 2), deterministic_vcs }
    }
}
