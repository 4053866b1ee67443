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
use crate::mechanisms::wake_hints::NodeHints;
use crate::power::if_seen;
use crate::{block, dff_setup};
use powar_config::Config;
use powar_config::mechanism::NodeHint;
use rust_hdl::prelude::*;

/// Words of the statistics.
const STATISTICS: usize = 10;

block! {
    pub struct NetworkInterface("network_interface", include_str!("network_interface.rs"), clocked)
    /// For a configuration that there are network interfaces for.
    pub fn new(config: &Config) -> Self {
        let switch = &config.switch;
        let (vcs, words) = (switch.vcs, switch.flit_words());
        let sends_addresses = config.mechanism().node_hint == NodeHint::Addresses;
    }
    inputs {
        /// Packed address of this node.
        address: Bits<16>,
        /// The statistics go back to 0.
        clear: Bit,
        /// From the node: a beat for the node with the packed address `s_axis_tdest`.
        s_axis_tvalid: Bit,
        s_axis_tdata[words]: Bits<32>,
        s_axis_tkeep[4 * words]: Bit,
        s_axis_tlast: Bit,
        s_axis_tdest: Bits<16>,
        /// Of a beat that begins a packet: it announces one and is none; the packet has been announced.
        s_axis_tuser[NetworkInterface::user_bits(config)]: Bit,
        /// The link from the switch.
        in_valid: Bit,
        in_head: Bit,
        in_vc: Bits<3>,
        in_flit[words]: Bits<32>,
        m_axis_tready: Bit,
        /// Credits for the link to the switch.
        out_credit_valid: Bit,
        out_credit_vc: Bits<3>,
    }
    outputs {
        s_axis_tready: Bit,
        /// To the node: a beat from the node with the packed address `m_axis_tid`; with `m_axis_tuser` and `m_axis_tlast` its packet may be
        /// damaged.
        m_axis_tvalid: Bit,
        m_axis_tdata[words]: Bits<32>,
        m_axis_tkeep[4 * words]: Bit,
        m_axis_tlast: Bit,
        m_axis_tid: Bits<16>,
        m_axis_tuser: Bit,
        /// Credits for the link from the switch.
        in_credit_valid: Bit,
        in_credit_vc: Bits<3>,
        /// The link to the switch.
        out_valid: Bit,
        out_head: Bit,
        out_vc: Bits<3>,
        out_flit[words]: Bits<32>,
        out_phase: Bits<3>,
        out_hint: Bit,
        /// Words that count: packets sent, flits sent, packets received, flits received, packets refused as too long, for the bytes they keep, as
        /// empty, flits with framing errors, flits lost, wrong credits.
        statistics[STATISTICS]: Bits<32>,
    }
    registers { statistics_r[STATISTICS]: Bits<32> }
    children {
        queues: InjectionQueues = InjectionQueues::new(switch),
        injection: Injection = Injection::new(switch),
        reception: Reception = Reception::new(switch),
        /// If the mechanism of its switch reads addresses on the hint lane.
        hints[if_seen(sends_addresses, 1)]: NodeHints = NodeHints::new(),
    }
    locals {
        any_start: Bit,
        /// What is counted.
        counted[STATISTICS]: Bit,
    }
    sizes {
        vcs = vcs,
        words = words,
        bytes = 4 * words,
        counters = STATISTICS,
        /// 1 if there is `hints`, else 0.
        sends_addresses = if_seen(sends_addresses, 1),
        user_bits = NetworkInterface::user_bits(config),
    }
}

impl NetworkInterface {
    /// Bits of `s_axis_tuser`: none if there is nothing to announce.
    pub fn user_bits(config: &Config) -> usize {
        if_seen(config.mechanism().node_hint == NodeHint::Addresses, 2)
    }
}

impl Logic for NetworkInterface {
    #[hdl_gen]
    fn update(&mut self) {
        // From the node to the switch.
        self.queues.s_axis_tvalid.next = self.s_axis_tvalid.val();
        self.queues.s_axis_tlast.next = self.s_axis_tlast.val();
        self.queues.s_axis_tdest.next = self.s_axis_tdest.val();
        self.s_axis_tready.next = self.queues.s_axis_tready.val();
        self.injection.source.next = self.address.val();
        // Another packet waits while one is being sent.
        self.injection.hint.next = self.injection.busy.val() & self.queues.pending.val();
        for k in 0..self.sends_addresses.get() {
            self.hints[k].s_axis_tvalid.next = self.s_axis_tvalid.val();
            self.hints[k].s_axis_tready.next = self.queues.s_axis_tready.val();
            self.hints[k].s_axis_tlast.next = self.s_axis_tlast.val();
            self.hints[k].s_axis_tdest.next = self.s_axis_tdest.val();
            for b in 0..self.user_bits.get() {
                self.hints[k].s_axis_tuser[b].next = self.s_axis_tuser[b].val();
            }
            self.injection.hint.next = self.hints[k].hint.val();
            self.queues.s_axis_tvalid.next = self.s_axis_tvalid.val() & !self.hints[k].announces.val();
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
