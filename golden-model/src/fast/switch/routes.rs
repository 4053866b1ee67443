//! The route registers: where packets may go, a cycle after they have come into a head register.

use super::input_ports::{InputPorts, VC_BITS};
use super::link::Payload;
use crate::bits::ones;

impl<P: Payload> InputPorts<P> {
    /// The clock edge. What has been accepted in this cycle has left its head register already.
    #[inline]
    pub fn show_routes(&mut self) {
        if !self.behind.is_empty() {
            return self.show_next_routes();
        }
        if (self.ask_again != 0) | self.ask_everywhere {
            self.show_routes_again();
        }
        for i in ones(std::mem::take(&mut self.loaded)) {
            let loaded = std::mem::take(&mut self.ports[i].loaded);
            for v in ones(loaded.into()) {
                self.router.read_row(&self.channels[i << VC_BITS | v], (i, v));
            }
            self.show_routes_of(i, loaded);
            self.ports[i].valid |= loaded;
            self.note_routes(i);
        }
    }

    /// The answer for what is in some head registers of a port, and which of these packets are to be dropped.
    #[inline]
    fn show_routes_of(&mut self, i: usize, vcs: u8) {
        let port = &mut self.ports[i];
        for v in ones(vcs.into()) {
            let vc = &mut self.channels[i << VC_BITS | v];
            vc.route = self.router.route(vc, (i, v));
            let is_lost = (port.malformed >> v & 1 == 1) | !vc.route.routable;
            port.drop = port.drop & !(1 << v) | u8::from(is_lost) << v;
        }
    }

    /// Selectors and arbiters look at the routes of a port.
    #[inline]
    pub(super) fn note_routes(&mut self, i: usize) {
        self.routed |= 1 << i;
        self.fresh |= 1 << i;
        self.asking |= u64::from(self.ports[i].drop != 0) << i;
    }

    /// The answers for packets whose route is shown already, and after a reset or at another place those for what head registers still
    /// hold of packets that have gone, too: route registers show the VCs of it.
    #[cold]
    fn show_routes_again(&mut self) {
        if self.ask_everywhere {
            let every_vc = u8::MAX >> (8 - self.vcs);
            for i in 0..self.ports.len() {
                self.show_routes_of(i, every_vc);
                self.ports[i].drop &= self.ports[i].valid;
            }
        }
        let again = if self.ask_everywhere { u64::MAX } else { self.ask_again };
        for i in ones(self.routed & again) {
            self.show_routes_of(i, self.ports[i].valid);
            self.note_routes(i);
        }
        (self.ask_again, self.ask_everywhere) = (0, false);
    }

    /// The switch is at another place.
    pub fn reroute(&mut self, position: u16, stage: u8) {
        self.router.move_to(position, stage);
        self.ask_everywhere = self.router.may_be_asked_again();
    }
}
