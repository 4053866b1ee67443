//! k-ary n-trees: up on any port, then down on one.

use super::{ExpectedRouting, Head, Route, Rules, links};
use powar_config::topology::FatTree;
use powar_config::{Config, Topology};
use std::sync::Arc;

#[derive(Debug)]
struct FatTreeRules(FatTree);

pub(super) fn of(_: &Config, topology: &dyn Topology) -> Option<Arc<dyn Rules>> {
    topology.of::<FatTree>().map(|tree| Arc::new(FatTreeRules(tree.clone())) as _)
}

/// The node is below this switch.
pub(super) fn is_below(at: &ExpectedRouting, to: &[usize]) -> bool {
    to[at.stage + 1..] == at.position[at.stage + 1..]
}

impl Rules for FatTreeRules {
    fn route(&self, at: &ExpectedRouting, to: &[usize], head: &Head) -> Route {
        let FatTree { k, n, folded } = self.0;
        let vc = 1 << at.vc_of(head.header as u16);
        if !is_below(at, to) {
            Route { adaptive: links(k, k), adaptive_vcs: vc, ..Route::default() }
        } else if folded && at.stage == n - 1 {
            let down = 1 << to[at.stage];
            Route { adaptive: down | down << k, adaptive_vcs: vc, ..Route::default() }
        } else {
            Route { deterministic: 1 << to[at.stage], deterministic_vcs: vc, ..Route::default() }
        }
    }

    fn near(&self) -> Option<usize> {
        (!self.0.folded).then_some(self.0.k)
    }

    fn brings(&self, at: &ExpectedRouting, input: usize, to: &[usize]) -> bool {
        brings(&self.0, at, input, to)
    }
}

/// A packet never goes up again once it has gone down.
pub(super) fn brings(tree: &FatTree, at: &ExpectedRouting, input: usize, to: &[usize]) -> bool {
    let &FatTree { k, n, folded } = tree;
    let (root, below) = (at.stage == n - 1, is_below(at, to));
    if input >= k && !(root && folded) {
        return below;
    }
    !(below && to[at.stage] == input % k)
}
