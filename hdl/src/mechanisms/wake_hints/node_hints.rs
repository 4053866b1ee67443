//! The words that a network interface sends ahead of its packets: one of each that begins on the stream, or earlier if the stream announces it.
//!
//! Latency:  the start bit is on the lane in the cycle after the first beat of the packet at the earliest.
//! Range:    as `hint_sender`; words beyond it are not sent.
//! Reset:    the next beat is the first of its packet, the lane is 0.
//! Source:   docs/microarchitecture/mechanisms/wake_hints.md.

use super::HintSender;
use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct NodeHints("node_hints", include_str!("node_hints.rs"), clocked)
    pub fn new() -> Self {}
    inputs {
        /// A beat from the node, for the node with the packed address `s_axis_tdest`.
        s_axis_tvalid: Bit,
        /// It is taken.
        s_axis_tready: Bit,
        s_axis_tlast: Bit,
        s_axis_tdest: Bits<16>,
        /// Of a beat that begins a packet: it is an announcement; the packet has been announced.
        s_axis_tuser[2]: Bit,
    }
    outputs {
        /// The beat is an announcement: no part of a packet.
        announces: Bit,
        /// The lane.
        hint: Bit,
    }
    registers {
        /// The next beat is the first of its packet.
        opening_r: Bit = true,
    }
    children { sender: HintSender = HintSender::new() }
    locals {
        /// A beat is taken.
        accept: Bit,
        announcement: Bit,
    }
}

impl Logic for NodeHints {
    #[hdl_gen]
    fn update(&mut self) {
        self.accept.next = self.s_axis_tvalid.val() & self.s_axis_tready.val();
        self.announcement.next = self.opening_r.q.val() & self.s_axis_tuser[0].val();
        self.announces.next = self.announcement.val();
        if self.accept.val() & !self.announcement.val() {
            self.opening_r.d.next = self.s_axis_tlast.val();
        }
        self.sender.push.next =
            self.accept.val() & self.opening_r.q.val() & (self.announcement.val() | !self.s_axis_tuser[1].val());
        self.sender.address.next = self.s_axis_tdest.val();
        self.sender.sends.next = true;
        self.hint.next = self.sender.hint.val();
    }
}
