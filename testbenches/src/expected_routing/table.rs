//! Any network: what software has loaded into the switch's table.

use super::{ExpectedRouting, Head, Route, Rules};
use powar_config::routing::table;
use powar_config::routing::tables::{RoutingTables, TableRow};
use powar_config::topology::wiring::End;
use powar_config::topology::{pack_address, unpack_address};
use powar_config::{Config, Topology};
use std::ops::Range;
use std::sync::Arc;

#[derive(Debug)]
struct TableRules {
    config: Config,
    tables: Arc<RoutingTables>,
}

pub(super) fn of(config: &Config, _: &dyn Topology) -> Option<Arc<dyn Rules>> {
    Some(Arc::new(TableRules { config: config.clone(), tables: RoutingTables::of(config).ok()? }))
}

impl TableRules {
    /// The number of the switch: that of its node, or so many stages above it.
    fn switch(&self, at: &ExpectedRouting) -> usize {
        let wiring = self.tables.wiring();
        let node = unpack_address(&at.bases, at.packed(&at.position)).expect("the address of a node");
        let mut switch = wiring.nodes[node][0].0 as usize;
        for stage in 1..=at.stage {
            let above = wiring.ends[switch].iter().filter_map(|end| match *end {
                End::Switch { switch, .. } => Some(switch as usize),
                _ => None,
            });
            let mut above = above.filter(|&next| usize::from(wiring.places[next].stage) == stage);
            switch = above.next().expect("a tree has a switch above another at every stage but the last");
        }
        switch
    }

    fn row(&self, switch: usize, at: &ExpectedRouting, to: &[usize]) -> TableRow {
        self.tables.row(switch, at.packed(to))
    }
}

impl Rules for TableRules {
    fn route(&self, at: &ExpectedRouting, to: &[usize], _head: &Head) -> Route {
        let row = self.row(self.switch(at), at, to);
        Route {
            adaptive: row.adaptive,
            deterministic: row.deterministic,
            adaptive_vcs: row.adaptive_vcs.into(),
            deterministic_vcs: row.deterministic_vcs.into(),
        }
    }

    /// What the table of the neighbour sends this way.
    fn brings(&self, at: &ExpectedRouting, input: usize, to: &[usize]) -> bool {
        let wiring = self.tables.wiring();
        match wiring.ends[self.switch(at)][input] {
            End::Switch { switch, port } => {
                let row = self.row(switch as usize, at, to);
                (row.adaptive | row.deterministic) >> port & 1 == 1
            }
            End::Node { node, .. } => pack_address(&at.bases, node as usize) != at.packed(to),
            End::Open => false,
        }
    }

    fn input_vcs(&self, at: &ExpectedRouting, _vc: usize) -> (Range<usize>, Range<usize>) {
        if at.vcs > 1 { (0..at.vcs - 1, at.vcs - 1..at.vcs) } else { (0..1, 0..1) }
    }

    fn table(&self, at: &ExpectedRouting) -> Vec<table::Write> {
        table::writes(&self.config, &self.tables, self.switch(at))
    }
}
