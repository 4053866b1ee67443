//! One switch with a node at every port.

use super::{ExpectedRouting, Head, Route, Rules};
use powar_config::topology::Star;
use powar_config::{Config, Topology};
use std::sync::Arc;

#[derive(Debug)]
struct StarRules;

pub(super) fn of(_: &Config, topology: &dyn Topology) -> Option<Arc<dyn Rules>> {
    topology.of::<Star>().map(|_| Arc::new(StarRules) as _)
}

impl Rules for StarRules {
    fn route(&self, at: &ExpectedRouting, to: &[usize], head: &Head) -> Route {
        let vc = at.vc_of(head.header as u16);
        Route { deterministic: 1 << to[0], deterministic_vcs: 1 << vc, ..Route::default() }
    }

    /// Every input sends to every output, its own node too: the uniform traffic of the textbooks.
    fn brings(&self, _at: &ExpectedRouting, _input: usize, _to: &[usize]) -> bool {
        true
    }
}
