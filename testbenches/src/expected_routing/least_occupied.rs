//! k-ary n-trees: up where there is most room, then down; or up where the destination's digit says, for packets that ask for it.

use super::{ExpectedRouting, Head, Route, Rules, fat_tree, links};
use powar_config::topology::FatTree;
use powar_config::{Config, Topology};
use std::ops::Range;
use std::sync::Arc;

#[derive(Debug)]
struct LeastOccupiedRules(FatTree);

pub(super) fn of(_: &Config, topology: &dyn Topology) -> Option<Arc<dyn Rules>> {
    topology.of::<FatTree>().map(|tree| Arc::new(LeastOccupiedRules(tree.clone())) as _)
}

impl Rules for LeastOccupiedRules {
    /// Which ports had most room and were to be counted on in the cycle of the choice is not to be seen on the links: every port that leads
    /// to the destination is allowed. That the choice among them is right the lock-step of the two models shows.
    fn route(&self, at: &ExpectedRouting, to: &[usize], head: &Head) -> Route {
        let FatTree { k, n, folded } = self.0;
        let (digit, below, vcs) = (to[at.stage], fat_tree::is_below(at, to), 1 << head.vc);
        let one = |port: usize| Route { deterministic: 1 << port, deterministic_vcs: vcs, ..Route::default() };
        let any = |ports: u64| Route { adaptive: ports, adaptive_vcs: vcs, ..Route::default() };
        let asks = head.header >> 26 & 1 == 1;
        match (below, folded && at.stage == n - 1) {
            (true, false) => one(digit),
            (true, true) if asks => one(digit),
            (false, _) if asks => one(k + digit),
            (true, true) => any(1 << digit | 1 << (k + digit)),
            (false, _) => any(links(k, k)),
        }
    }

    fn near(&self) -> Option<usize> {
        (!self.0.folded).then_some(self.0.k)
    }

    fn brings(&self, at: &ExpectedRouting, input: usize, to: &[usize]) -> bool {
        fat_tree::brings(&self.0, at, input, to)
    }

    /// A node may choose another virtual channel than its destination's.
    fn input_vcs(&self, at: &ExpectedRouting, vc: usize) -> (Range<usize>, Range<usize>) {
        (vc..vc + 1, 0..at.vcs)
    }
}
