//! `table_routing`: any network, by what a table says that software has loaded.

use super::{Entry, Route, RoutingInputs, RoutingUnit};
use std::sync::Arc;

/// The line in the list of units.
pub const ENTRY: Entry = ("table", |_| Some(Arc::new(TableRouting)));

/// The routing unit of any network.
#[derive(Clone, Copy, Debug)]
pub struct TableRouting;

impl RoutingUnit for TableRouting {
    fn name(&self) -> &'static str {
        "table_routing"
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        // A row of words has no set without a VC, and no VCs without a set.
        let row = inputs.row;
        Route {
            routable: !row.is_empty(),
            adaptive: row.adaptive,
            deterministic: row.deterministic,
            adaptive_vcs: row.adaptive_vcs.into(),
            deterministic_vcs: row.deterministic_vcs.into(),
        }
    }
}
