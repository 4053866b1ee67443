//! The words that a network interface sends ahead of its packets: one of each that begins on the stream.
//!
//! Latency:  the start bit is on the lane in the cycle after the first beat of the packet at the earliest.
//! Range:    as `hint_sender`; words beyond it are not sent.
//! Reset:    the next beat is the first of its packet, the lane is 0.
//! Source:   docs/microarchitecture/mechanisms/wake_hints.md.

use super::HintSender;
use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct NodeHints {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// A beat from the node, for the node with the packed address `s_axis_tdest`.
    pub s_axis_tvalid: Signal<In, Bit>,
    /// It is taken.
    pub s_axis_tready: Signal<In, Bit>,
    pub s_axis_tlast: Signal<In, Bit>,
    pub s_axis_tdest: Signal<In, Bits<16>>,
    /// The lane.
    pub hint: Signal<Out, Bit>,
    /// The next beat is the first of its packet.
    opening_r: Register<Bit>,
    sender: Settled<HintSender>,
    /// A beat is taken.
    accept: Signal<Local, Bit>,
    info: BlockInfo,
}

impl NodeHints {
    pub fn new() -> Self {
        build!(NodeHints {
            (clk, rst, s_axis_tvalid, s_axis_tready, s_axis_tlast, s_axis_tdest, hint, accept)
            opening_r: Register::new(true),
            sender: HintSender::new().into(),
            info: BlockInfo::new("node_hints", include_str!("node_hints.rs")),
        })
    }
}

impl Default for NodeHints {
    fn default() -> Self {
        Self::new()
    }
}

impl Logic for NodeHints {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, opening_r);
        self.accept.next = self.s_axis_tvalid.val() & self.s_axis_tready.val();
        if self.accept.val() {
            self.opening_r.d.next = self.s_axis_tlast.val();
        }
        self.sender.clk.next = self.clk.val();
        self.sender.rst.next = self.rst.val();
        self.sender.push.next = self.accept.val() & self.opening_r.q.val();
        self.sender.address.next = self.s_axis_tdest.val();
        self.sender.sends.next = true;
        self.hint.next = self.sender.hint.val();
    }
}

rtl_signals!(
    NodeHints,
    clocked,
    inputs(s_axis_tvalid, s_axis_tready, s_axis_tlast, s_axis_tdest),
    outputs(hint),
    registers(opening_r as "opening"),
    children(sender),
);
