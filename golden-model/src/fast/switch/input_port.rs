//! What an input port and its virtual channels (VCs) hold.
//!
//! What concerns all VCs of a port at once is a mask over them. What a VC has for itself are two records: one that
//! every flit needs, and one that only its head flits need.

use super::queue::{FlitQueue, HeaderQueue};
use super::routing::Route;
use crate::bits::{is_set, ones};

/// In place of a port's number: none.
pub(super) const NO_PORT: u8 = 64;

/// The flits of a virtual channel.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Lane {
    pub flits: FlitQueue,
    /// The output port that the packet holds; [`NO_PORT`] when it is being dropped.
    pub port: u8,
    /// The next flit to be read is its head flit.
    pub first: bool,
}

/// The packets of a virtual channel that wait for an output port.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Vc {
    /// The route register: where a packet may go.
    pub route: Route,
    pub headers: HeaderQueue,
    /// The header that the head register takes at the end of a fetching cycle.
    pub fetched: u32,
    /// The head register: destination and length.
    pub destination: u16,
    pub length: u16,
    /// The user's bits of the header; what no routing sees is no register.
    pub user: u8,
    /// The selector's pointers, as numbers.
    pub rrp: u8,
    pub drp: u8,
}

/// A packet that is picked: the number of its VC, the output port that it asks for ([`NO_PORT`]: it is to be dropped),
/// and, once it is accepted, the output VCs allowed to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pick {
    pub vc: u8,
    pub wish: u8,
    pub vcs: u8,
}

impl Pick {
    /// The VC, one-hot.
    #[inline]
    pub fn vc(&self) -> u8 {
        1 << (self.vc & 7)
    }
}

/// An input port; masks are over its VCs.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct InputPort {
    pub head_valid: u8,
    pub malformed: u8,
    /// The packet has come into the head register at the last edge: its route is shown from the next cycle on.
    pub loaded: u8,
    /// Its route is shown; it is to be dropped.
    pub valid: u8,
    pub drop: u8,
    pub holding: u8,
    pub dropping: u8,
    pub fetching: u8,
    /// Header reads of this cycle.
    pub fetch: u8,
    /// VCs with a packet that is dropped or holds a ready port, and those of them that can be read: with a flit.
    pub sends: u8,
    pub able: u8,
    pub reading: u8,
    /// One-hot, over VCs that can start to be read.
    pub pointer: u8,
    /// Stage 2 of allocation: its one-hot pointer.
    pub arbiter_pointer: u8,
    /// VCs whose selector shows a choice.
    pub choosing: u8,
    /// Of those: the choice came from P.
    pub choice_adaptive: u8,
    /// VCs whose packet has missed the most chances.
    pub starved: u8,
    /// The choices, by VC.
    pub choice: [u8; 8],
    /// What is picked, has been picked in the cycle before, and what before that: [`super::allocation::Allocation`]
    /// knows which is where, and whether anything has.
    pub picks: [Pick; 3],
    /// Chances that the packet in the head register has missed because the port could not read it or had just picked
    /// another: byte v is that of VC v.
    pub missed: u64,
    /// Ports that its waiting packets may go to, and those that they have chosen; perhaps some more.
    pub interest: u64,
    pub chosen: u64,
}

/// Error counters of an input port; all wrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputErrors {
    /// Packets that were dropped: destination or header not valid.
    pub dropped_packets: u32,
    /// Flits with a wrong head mark or virtual channel.
    pub framing_errors: u32,
    /// Flits that found their virtual channel full and were lost.
    pub overflow_errors: u32,
    /// Flits whose sender said that its port doesn't send.
    pub closed_link_flits: u32,
}

impl InputErrors {
    /// In the order of their words.
    #[inline]
    pub fn list(&self) -> [u32; 4] {
        [self.dropped_packets, self.framing_errors, self.overflow_errors, self.closed_link_flits]
    }
}

impl InputPort {
    pub const RESET: InputPort = InputPort {
        head_valid: 0,
        malformed: 0,
        loaded: 0,
        valid: 0,
        drop: 0,
        holding: 0,
        dropping: 0,
        fetching: 0,
        fetch: 0,
        sends: 0,
        able: 0,
        reading: 0,
        pointer: 1,
        arbiter_pointer: 1,
        choosing: 0,
        choice_adaptive: 0,
        starved: 0,
        choice: [0; 8],
        picks: [Pick { vc: 0, wish: NO_PORT, vcs: 0 }; 3],
        missed: 0,
        interest: 0,
        chosen: 0,
    };

    /// VCs whose choice is none of some ports.
    pub fn choices_outside(&self, ports: u64) -> u8 {
        let outside = |v: usize| u8::from(!is_set(ports, self.choice[v & 7].into()));
        ones(self.choosing.into()).fold(0, |vcs, v| vcs | outside(v) << v)
    }
}

/// The run that was read last of an input port, as registers behind the memory show it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LastRun {
    /// The cycle behind that of its first flit, and how many there are.
    pub begin: u64,
    pub flits: u16,
    pub vc: u8,
    /// It is not dropped, and begins with the head flit.
    pub head: bool,
    /// The cycle behind that of the first flit which releases the output port.
    pub releases: u64,
}

impl LastRun {
    /// A flit of it was read in the cycle before `now`.
    #[inline]
    pub fn was_read(&self, now: u64) -> bool {
        now.wrapping_sub(self.begin) < self.flits.into()
    }
}

impl Lane {
    pub const RESET: Lane = Lane { flits: FlitQueue::EMPTY, port: NO_PORT, first: false };

    /// The packet's output port, one-hot; 0 if it is being dropped.
    #[inline]
    pub fn output(&self) -> u64 {
        if self.port == NO_PORT { 0 } else { 1 << (self.port & 63) }
    }
}

impl Vc {
    pub const RESET: Vc = Vc {
        route: Route::NONE,
        headers: HeaderQueue::EMPTY,
        fetched: 0,
        destination: 0,
        length: 0,
        user: 0,
        rrp: 0,
        drp: 0,
    };

    /// The header in the head register.
    pub fn header(&self) -> u32 {
        u32::from(self.user) << 26 | u32::from(self.length) << 16 | u32::from(self.destination)
    }
}
