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
        let row = inputs.row;
        let with = |set: u64, vcs: u8| if set == 0 { 0 } else { vcs.into() };
        Route {
            routable: row.adaptive | row.deterministic != 0,
            adaptive: row.adaptive,
            deterministic: row.deterministic,
            adaptive_vcs: with(row.adaptive, row.adaptive_vcs),
            deterministic_vcs: with(row.deterministic, row.deterministic_vcs),
        }
    }
}
