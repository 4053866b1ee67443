//! The route registers: where packets may go, a cycle after they have come into a head register.

use super::behind::{Followed, Packet};
use super::input_ports::InputPorts;
use super::link::{Payload, VC_BITS};
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
                self.router.read_row(self.channels[i << VC_BITS | v].destination, (i, v));
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
            vc.route = self.router.route(vc.header(), (i, v));
            let is_lost = (port.malformed >> v & 1 == 1) | !vc.route.routable;
            port.drop = port.drop & !(1 << v) | u8::from(is_lost) << v;
        }
    }

    /// Selectors and arbiters look at the routes of a port.
    #[inline]
    fn note_routes(&mut self, i: usize) {
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

    /// The clock edge, for a switch with next routes: answers for what is in head registers go to the route registers,
    /// and one packet of a port leaves its head register with its answer.
    fn show_next_routes(&mut self) {
        if std::mem::take(&mut self.ask_everywhere) {
            let every_vc = u8::MAX >> (8 - self.vcs);
            for i in 0..self.ports.len() {
                self.take_answers(i, every_vc);
            }
        }
        for i in ones(std::mem::take(&mut self.loaded)) {
            let loaded = std::mem::take(&mut self.ports[i].loaded);
            self.take_answers(i, loaded);
            self.take_packet(i, loaded);
        }
    }

    /// A register that holds the route of no packet takes the answer for what is in the head register, packet or not.
    fn take_answers(&mut self, i: usize, vcs: u8) {
        let (valid, behind) = (self.ports[i].valid, &mut self.behind[i]);
        for v in ones(vcs.into()) {
            let vc = &mut self.channels[i << VC_BITS | v];
            let (route, packet) = (self.router.route(vc.header(), (i, v)), Packet::at_head(vc));
            if behind.valid >> v & 1 == 0 {
                behind.next[v] = Followed { route, packet };
                if valid >> v & 1 == 0 {
                    (vc.route, behind.current[v]) = (route, packet);
                }
            }
        }
    }

    /// The packet of one of these VCs leaves its head register, if there is a place for it: that behind an accepted one
    /// first, else the lowest.
    fn take_packet(&mut self, i: usize, loaded: u8) {
        let (port, behind) = (&mut self.ports[i], &mut self.behind[i]);
        let waits = loaded & port.head_valid & !(port.valid & behind.valid);
        let accepted = waits & std::mem::take(&mut behind.accepted);
        let first = if accepted != 0 { accepted } else { waits };
        if first == 0 {
            return;
        }
        let v = first.trailing_zeros() as usize;
        let bit = 1 << v;
        port.loaded = waits & !bit;
        self.loaded |= u64::from(port.loaded != 0) << i;
        port.head_valid &= !bit;
        self.present &= !(u64::from(port.head_valid == 0) << i);
        let vc = &mut self.channels[i << VC_BITS | v];
        if !vc.headers.is_empty() {
            vc.fetched = vc.headers.pop(&mut self.headers);
            port.fetch |= bit;
            self.fetch |= 1 << i;
        }
        let is_first = port.valid & bit == 0;
        let route = if is_first { &vc.route } else { &behind.next[v].route };
        let drop = if (port.malformed & bit != 0) | !route.routable { bit } else { 0 };
        if is_first {
            port.valid |= bit;
            port.drop = port.drop & !bit | drop;
            self.note_routes(i);
        } else {
            behind.valid |= bit;
            behind.drop = behind.drop & !bit | drop;
        }
    }
}
