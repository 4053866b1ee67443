//! A node's network interface: packets of an AXI4-Stream into the network and out of it, over one link to a switch.
//!
//! Packets:  what ends with `tlast` is one packet of the network: a head flit with destination, length, source and the bytes of the last
//!           beat, then a flit a beat. `tdata` is as wide as a flit, `s_axis_tdest` and `m_axis_tid` are packed addresses of nodes.
//! Sending:  a packet starts once it is complete and the switch has room for all of it; its virtual channel is that of its destination.
//! Receiving: a packet is delivered once it has come in completely; packets of different virtual channels never mix.
//! Refused:  packets that are too long, empty, or keep bytes that they may not keep. They are counted, as are errors on the link.
//! Latency:  six cycles from a packet's last beat to its head flit on the link, three from its tail on the link to its first beat.
//! Range:    1 to 8 virtual channels, flits of 2 to 16 words, packets of 1 to 1022 beats.
//! Reset:    empty; all credits there; the statistics 0.
//! Source:   docs/microarchitecture/network_interface.md.

use super::{Injection, InjectionQueues, Reception};
use crate::dff_setup;
use crate::mechanisms::wake_hints::NodeHints;
use crate::power::if_seen;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::Config;
use powar_config::mechanism::NodeHint;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct NetworkInterface {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Packed address of this node.
    pub address: Signal<In, Bits<16>>,
    /// The statistics go back to 0.
    pub clear: Signal<In, Bit>,
    /// From the node: a beat for the node with the packed address `s_axis_tdest`.
    pub s_axis_tvalid: Signal<In, Bit>,
    pub s_axis_tdata: Vec<Signal<In, Bits<32>>>,
    pub s_axis_tkeep: Vec<Signal<In, Bit>>,
    pub s_axis_tlast: Signal<In, Bit>,
    pub s_axis_tdest: Signal<In, Bits<16>>,
    /// The link from the switch.
    pub in_valid: Signal<In, Bit>,
    pub in_head: Signal<In, Bit>,
    pub in_vc: Signal<In, Bits<3>>,
    pub in_flit: Vec<Signal<In, Bits<32>>>,
    pub m_axis_tready: Signal<In, Bit>,
    /// Credits for the link to the switch.
    pub out_credit_valid: Signal<In, Bit>,
    pub out_credit_vc: Signal<In, Bits<3>>,
    pub s_axis_tready: Signal<Out, Bit>,
    /// To the node: a beat from the node with the packed address `m_axis_tid`; with `m_axis_tuser` and `m_axis_tlast` its packet may be
    /// damaged.
    pub m_axis_tvalid: Signal<Out, Bit>,
    pub m_axis_tdata: Vec<Signal<Out, Bits<32>>>,
    pub m_axis_tkeep: Vec<Signal<Out, Bit>>,
    pub m_axis_tlast: Signal<Out, Bit>,
    pub m_axis_tid: Signal<Out, Bits<16>>,
    pub m_axis_tuser: Signal<Out, Bit>,
    /// Credits for the link from the switch.
    pub in_credit_valid: Signal<Out, Bit>,
    pub in_credit_vc: Signal<Out, Bits<3>>,
    /// The link to the switch.
    pub out_valid: Signal<Out, Bit>,
    pub out_head: Signal<Out, Bit>,
    pub out_vc: Signal<Out, Bits<3>>,
    pub out_flit: Vec<Signal<Out, Bits<32>>>,
    pub out_phase: Signal<Out, Bits<3>>,
    pub out_hint: Signal<Out, Bit>,
    /// Words that count: packets sent, flits sent, packets received, flits received, packets refused as too long, for the bytes they keep, as
    /// empty, flits with framing errors, flits lost, wrong credits.
    pub statistics: Vec<Signal<Out, Bits<32>>>,
    statistics_r: Vec<Register<Bits<32>>>,
    queues: Settled<InjectionQueues>,
    injection: Settled<Injection>,
    reception: Settled<Reception>,
    /// If the mechanism of its switch reads addresses on the hint lane.
    hints: Vec<Settled<NodeHints>>,
    any_start: Signal<Local, Bit>,
    /// What is counted.
    counted: Vec<Signal<Local, Bit>>,
    vcs: Size,
    words: Size,
    bytes: Size,
    counters: Size,
    /// 1 if there is `hints`, else 0.
    sends_addresses: Size,
    info: BlockInfo,
}

/// Words of the statistics.
const STATISTICS: usize = 10;

impl NetworkInterface {
    /// For a configuration that there are network interfaces for.
    pub fn new(config: &Config) -> Self {
        let switch = &config.switch;
        let (vcs, words) = (switch.vcs, switch.flit_words());
        let sends_addresses = config.mechanism().node_hint == NodeHint::Addresses;
        build!(NetworkInterface {
            (
                clk, rst, address, clear, s_axis_tvalid, s_axis_tlast, s_axis_tdest, in_valid, in_head, in_vc,
                m_axis_tready, out_credit_valid, out_credit_vc, s_axis_tready, m_axis_tvalid, m_axis_tlast, m_axis_tid,
                m_axis_tuser, in_credit_valid, in_credit_vc, out_valid, out_head, out_vc, out_phase, out_hint,
                any_start,
            )
            [words => s_axis_tdata, in_flit, m_axis_tdata, out_flit]
            [4 * words => s_axis_tkeep, m_axis_tkeep]
            [STATISTICS => statistics, statistics_r, counted]
            queues: InjectionQueues::new(switch).into(),
            injection: Injection::new(switch).into(),
            reception: Reception::new(switch).into(),
            hints: (0..if_seen(sends_addresses, 1)).map(|_| NodeHints::new().into()).collect(),
            vcs: vcs.into(),
            words: words.into(),
            bytes: (4 * words).into(),
            counters: STATISTICS.into(),
            sends_addresses: if_seen(sends_addresses, 1).into(),
            info: BlockInfo::new("network_interface", include_str!("network_interface.rs")),
        })
    }
}

impl Logic for NetworkInterface {
    #[hdl_gen]
    fn update(&mut self) {
        // From the node to the switch.
        self.queues.clk.next = self.clk.val();
        self.queues.rst.next = self.rst.val();
        self.queues.s_axis_tvalid.next = self.s_axis_tvalid.val();
        self.queues.s_axis_tlast.next = self.s_axis_tlast.val();
        self.queues.s_axis_tdest.next = self.s_axis_tdest.val();
        self.s_axis_tready.next = self.queues.s_axis_tready.val();
        self.injection.clk.next = self.clk.val();
        self.injection.rst.next = self.rst.val();
        self.injection.source.next = self.address.val();
        // Another packet waits while one is being sent.
        self.injection.hint.next = self.injection.busy.val() & self.queues.pending.val();
        for k in 0..self.sends_addresses.get() {
            self.hints[k].clk.next = self.clk.val();
            self.hints[k].rst.next = self.rst.val();
            self.hints[k].s_axis_tvalid.next = self.s_axis_tvalid.val();
            self.hints[k].s_axis_tready.next = self.queues.s_axis_tready.val();
            self.hints[k].s_axis_tlast.next = self.s_axis_tlast.val();
            self.hints[k].s_axis_tdest.next = self.s_axis_tdest.val();
            self.injection.hint.next = self.hints[k].hint.val();
        }
        self.injection.out_credit_valid.next = self.out_credit_valid.val();
        self.injection.out_credit_vc.next = self.out_credit_vc.val();
        self.any_start.next = false;
        for v in 0..self.vcs.get() {
            self.queues.start[v].next = self.injection.start[v].val();
            self.queues.read[v].next = self.injection.read[v].val();
            self.injection.waiting[v].next = self.queues.waiting[v].val();
            self.injection.header[v].next = self.queues.header[v].val();
            self.any_start.next = self.any_start.val() | self.injection.start[v].val();
        }
        self.out_valid.next = self.injection.out_valid.val();
        self.out_head.next = self.injection.out_head.val();
        self.out_vc.next = self.injection.out_vc.val();
        self.out_phase.next = self.injection.out_phase.val();
        self.out_hint.next = self.injection.out_hint.val();
        // From the switch to the node.
        self.reception.clk.next = self.clk.val();
        self.reception.rst.next = self.rst.val();
        self.reception.in_valid.next = self.in_valid.val();
        self.reception.in_head.next = self.in_head.val();
        self.reception.in_vc.next = self.in_vc.val();
        self.reception.m_axis_tready.next = self.m_axis_tready.val();
        self.m_axis_tvalid.next = self.reception.m_axis_tvalid.val();
        self.m_axis_tlast.next = self.reception.m_axis_tlast.val();
        self.m_axis_tid.next = self.reception.m_axis_tid.val();
        self.m_axis_tuser.next = self.reception.m_axis_tuser.val();
        self.in_credit_valid.next = self.reception.in_credit_valid.val();
        self.in_credit_vc.next = self.reception.in_credit_vc.val();
        for w in 0..self.words.get() {
            self.queues.s_axis_tdata[w].next = self.s_axis_tdata[w].val();
            self.injection.flit[w].next = self.queues.flit[w].val();
            self.out_flit[w].next = self.injection.out_flit[w].val();
            self.reception.in_flit[w].next = self.in_flit[w].val();
            self.m_axis_tdata[w].next = self.reception.m_axis_tdata[w].val();
        }
        for b in 0..self.bytes.get() {
            self.queues.s_axis_tkeep[b].next = self.s_axis_tkeep[b].val();
            self.m_axis_tkeep[b].next = self.reception.m_axis_tkeep[b].val();
        }
        // Statistics.
        self.counted[0].next = self.any_start.val();
        self.counted[1].next = self.injection.busy.val();
        self.counted[2].next = self.reception.received_packet.val();
        self.counted[3].next = self.reception.received_flit.val();
        self.counted[4].next = self.queues.refused_long.val();
        self.counted[5].next = self.queues.refused_keep.val();
        self.counted[6].next = self.queues.refused_empty.val();
        self.counted[7].next = self.reception.framing_error.val();
        self.counted[8].next = self.reception.overflow_error.val();
        self.counted[9].next = self.injection.credit_error.val();
        for k in 0..self.counters.get() {
            dff_setup!(self, clk, statistics_r[k]);
            if self.clear.val() {
                self.statistics_r[k].d.next = 0.into();
            } else if self.counted[k].val() {
                self.statistics_r[k].d.next = self.statistics_r[k].q.val() + 1;
            }
            self.statistics[k].next = self.statistics_r[k].q.val();
        }
    }
}

rtl_signals!(
    NetworkInterface,
    clocked,
    inputs(
        address,
        clear,
        s_axis_tvalid,
        s_axis_tdata,
        s_axis_tkeep,
        s_axis_tlast,
        s_axis_tdest,
        in_valid,
        in_head,
        in_vc,
        in_flit,
        m_axis_tready,
        out_credit_valid,
        out_credit_vc,
    ),
    outputs(
        s_axis_tready,
        m_axis_tvalid,
        m_axis_tdata,
        m_axis_tkeep,
        m_axis_tlast,
        m_axis_tid,
        m_axis_tuser,
        in_credit_valid,
        in_credit_vc,
        out_valid,
        out_head,
        out_vc,
        out_flit,
        out_phase,
        out_hint,
        statistics,
    ),
    registers(statistics_r as "statistics"),
    children(queues, injection, reception, hints),
);
