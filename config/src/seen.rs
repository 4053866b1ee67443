//! What a mechanism sees in the switch of a configuration.

use crate::config::Config;
use crate::mechanism::{Mechanism, Routes, Sees};
use crate::routing::tables::TableRow;

impl Config {
    /// What a mechanism sees in this switch: whoever routes looks rows up where the routing has a table.
    pub fn seen_by(&self, mechanism: &Mechanism) -> Sees {
        let routes = match mechanism.sees.routes {
            Routes::AsPackets if self.routing_sees().table => {
                Routes::ByTable(TableRow::word_count(self.ports, self.switch.vcs))
            }
            routes => routes,
        };
        Sees { routes, ..mechanism.sees }
    }
}
