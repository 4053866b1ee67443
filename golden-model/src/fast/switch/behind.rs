//! Next routes: the packets behind those that wait for a port, whose route is known already (`docs/microarchitecture/switch.md`, Short packets).
//!
//! Only switches for short packets have them, and only those whose routing answers once: the others keep none of this.

use super::input_port::{InputPort, Vc};
use super::routing::Route;

/// What route registers of an input port hold beside routes of packets that wait; masks are over its VCs.
#[derive(Clone, Debug)]
pub(super) struct Behind {
    /// VCs with a packet behind the one that waits, and those of them whose packet is to be dropped.
    pub valid: u8,
    pub drop: u8,
    /// The VC whose packet is accepted in this cycle.
    pub accepted: u8,
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
    pub fn at_head(vc: &Vc) -> Packet {
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
