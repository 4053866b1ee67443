//! Next routes: the packets behind those that wait for a port, whose route is known already (`docs/microarchitecture/switch.md`, Short packets).
//!
//! Only switches for short packets have them, and only those whose routing answers once: the others keep none of this.

use super::input_ports::{InputPort, InputPorts, VC_BITS, Vc};
use super::link::Payload;
use super::routing::Route;
use crate::bits::ones;

/// What route registers of an input port hold beside routes of packets that wait; masks are over its VCs.
#[derive(Clone, Debug)]
pub(super) struct Behind {
    /// VCs with a packet behind the one that waits, and those of them whose packet is to be dropped.
    pub valid: u8,
    pub drop: u8,
    /// The VC whose packet is accepted in this cycle.
    accepted: u8,
    /// By VC, of the packet behind the one that waits: its route, as of a register that takes whatever answer there is while it holds none.
    pub next: [Followed; 8],
    /// Likewise of the packet that waits; its route is with the VC.
    pub current: [Packet; 8],
}

/// A packet and its route.
#[derive(Clone, Copy, Debug)]
pub(super) struct Followed {
    pub route: Route,
    pub packet: Packet,
}

/// What is known of a packet that has left its head register.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Packet {
    pub length: u16,
    pub destination: u16,
}

impl Packet {
    /// That in the head register.
    fn at_head(vc: &Vc) -> Packet {
        Packet { length: vc.length, destination: vc.destination }
    }
}

impl Behind {
    pub const RESET: Behind = Behind {
        valid: 0,
        drop: 0,
        accepted: 0,
        next: [Followed { route: Route::NONE, packet: Packet { length: 0, destination: 0 } }; 8],
        current: [Packet { length: 0, destination: 0 }; 8],
    };
}

/// The packet of VC v, in place of the one that has been accepted: whether there is one.
pub(super) fn moves_up(port: &mut InputPort, behind: &mut Behind, vc: &mut Vc, v: usize) -> bool {
    let bit = 1 << v;
    behind.accepted = bit;
    if behind.valid & bit == 0 {
        return false;
    }
    vc.route = behind.next[v].route;
    behind.current[v] = behind.next[v].packet;
    port.valid |= bit;
    port.drop |= behind.drop & bit;
    behind.valid &= !bit;
    behind.drop &= !bit;
    true
}

impl<P: Payload> InputPorts<P> {
    /// The clock edge, for a switch with next routes: answers for what is in head registers go to the route registers, and one packet of a port leaves
    /// its head register with its answer.
    pub(super) fn show_next_routes(&mut self) {
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
            let (route, packet) = (self.router.route(vc, (i, v)), Packet::at_head(vc));
            if behind.valid >> v & 1 == 0 {
                behind.next[v] = Followed { route, packet };
                if valid >> v & 1 == 0 {
                    (vc.route, behind.current[v]) = (route, packet);
                }
            }
        }
    }

    /// The packet of one of these VCs leaves its head register, if there is a place for it: that behind an accepted one first, else the lowest.
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
