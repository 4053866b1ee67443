//! `fat_tree_routing`: k-ary n-trees (virtual channel by destination: Andújar et al. 2023).

use crate::bits::low_bits;
use crate::reference::routing::{Route, RoutingUnit, digits, raw_digits};
use powar_config::Config;
use powar_config::topology::FatTree;
use std::sync::Arc;

/// The routing unit of a k-ary n-tree.
#[derive(Clone, Copy, Debug)]
pub struct FatTreeRouting {
    k: usize,
    n: usize,
    folded: bool,
    vcs: usize,
}

impl FatTreeRouting {
    pub(crate) fn of(config: &Config) -> Option<Arc<dyn RoutingUnit>> {
        let &FatTree { k, n, folded } = config.topology.as_ref()?.of()?;
        Some(Arc::new(FatTreeRouting { k, n, folded, vcs: config.switch.vcs }))
    }
}

impl RoutingUnit for FatTreeRouting {
    fn name(&self) -> &'static str {
        "fat_tree_routing"
    }

    /// A stage above the root is taken as the root's.
    fn route(&self, position: u16, stage: u8, destination: u16) -> Route {
        let &FatTreeRouting { k, n, folded, vcs } = self;
        let bases = vec![k; n];
        let Some(digits) = digits(&bases, destination) else { return Route::default() };
        let position = raw_digits(&bases, position);
        let stage = usize::from(stage).min(n - 1);
        let below = (stage + 1..n).all(|j| digits[j] == position[j]);
        let (adaptive, deterministic) = match below {
            true if folded && stage == n - 1 => (1 << digits[stage] | 1 << (k + digits[stage]), 0),
            true => (0, 1 << digits[stage]),
            false => (low_bits(k) << k, 0),
        };
        let vc = 1 << (usize::from(destination) % vcs);
        let with = |set: u64| if set == 0 { 0 } else { vc };
        Route {
            routable: true,
            adaptive,
            deterministic,
            adaptive_vcs: with(adaptive),
            deterministic_vcs: with(deterministic),
        }
    }
}
