//! Rows of the routing table that the power mechanism looks up, of a switch with one that does.

use super::{Payload, Switch};

/// What is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lookup {
    /// The packed address whose row was asked for in the cycle before.
    asked: Option<u16>,
    /// A row has been asked for since the last reset, and the last one was at an address that the table has.
    pub exists: bool,
}

impl<P: Payload> Switch<P> {
    /// Shows the mechanism the row that it asked for in the cycle before, ahead of its edge, and notes what it asks for in this one.
    pub(super) fn look_up(&mut self) {
        let Some(table) = &self.input.router.table else { return };
        let asked = self.power.lookup();
        if let Some(address) = std::mem::replace(&mut self.lookup.asked, asked) {
            // A row that is written when it is asked for is not in the table yet.
            let words = table.row(0, address).words(self.config.ports, self.config.switch.vcs);
            let shown = &mut self.power.seen.around.lookup_row;
            shown.clear();
            shown.extend(words.into_iter().map(u64::from));
        }
        if let Some(address) = asked {
            self.lookup.exists = u32::from(address) >> table.address_bits() == 0;
        }
    }
}
