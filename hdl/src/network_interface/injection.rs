//! Which packet of a node starts, and its flits on the link to the switch.
//!
//! Policy:   virtual channels take turns; the first starts whose oldest packet has credits for all of its flits. From then on it sends a
//!           flit a cycle, without a gap.
//! Use:      `start` is the head flit of the packet whose header is shown, `read` the next of its beats, whose words are in `flit` one cycle
//!           later.
//! Latency:  a flit is on the link two cycles after `start` or `read`; a credit counts two cycles after it is on the link.
//! Range:    1 to 8 virtual channels, flits of 2 to 16 words, packets of 1 to 1023 flits.
//! Errors:   `credit_error` tells a credit too many, or of a virtual channel that there is not; it is not counted as a credit.
//! Reset:    all credits there, the link idle. The link's phase is always `On`.
//! Source:   docs/networks.md; docs/microarchitecture/network_interface.md.

use crate::arbiters::RoundRobinArbiter;
use crate::block;
use crate::primitives::*;
use powar_config::{Phase, SwitchConfig};
use rust_hdl::prelude::*;

block! {
    pub struct Injection("injection", include_str!("injection.rs"), clocked)
    /// For a configuration that there are network interfaces for.
    pub fn new(config: &SwitchConfig) -> Self {
        let (vcs, words, depth) = (config.vcs, config.flit_words(), config.vc_depth());
    }
    inputs {
        /// Packed address of this node.
        source: Bits<16>,
        /// This virtual channel has a packet.
        waiting[vcs]: Bit,
        /// Header of its oldest one: bytes of the last beat less one 31:26, length in flits 25:16, destination 15:0.
        header[vcs]: Bits<32>,
        /// The beat for which `read` was in the cycle before.
        flit[words]: Bits<32>,
        /// Hint that goes to the link with the flit that is decided on in this cycle.
        hint: Bit,
        /// A credit comes back, and of which virtual channel.
        out_credit_valid: Bit,
        out_credit_vc: Bits<3>,
    }
    outputs {
        /// The packet of this virtual channel starts, one-hot.
        start[vcs]: Bit,
        /// A beat of this virtual channel is sent, one-hot.
        read[vcs]: Bit,
        /// A flit is sent.
        busy: Bit,
        /// The link.
        out_valid: Bit,
        out_head: Bit,
        out_vc: Bits<3>,
        out_flit[words]: Bits<32>,
        out_phase: Bits<3>,
        out_hint: Bit,
        /// A credit is wrong.
        credit_error: Bit,
    }
    registers {
        /// Free places of each virtual channel at the other end.
        credits_r[vcs]: Bits<13> = depth.to_bits(),
        /// The credit on the link in the cycle before.
        returned_valid_r: Bit,
        returned_vc_r: Bits<3>,
        /// Virtual channel of the packet that started last, one-hot, and flits of it that are still to be decided on.
        sending_r = vec![false; vcs],
        remaining_r: Bits<10>,
        /// There are none.
        idle_r: Bit = true,
        /// Round robin among virtual channels, one-hot.
        pointer_r = first_of(vcs),
        /// What goes to the link next.
        valid_early_r: Bit,
        head_early_r: Bit,
        vc_early_r: Bits<3>,
        hint_early_r: Bit,
        /// Header of the packet that started last.
        header_early_r: Bits<32>,
        out_valid_r: Bit,
        out_head_r: Bit,
        out_vc_r: Bits<3>,
        out_flit_r[words]: Bits<32>,
        out_hint_r: Bit,
    }
    children { starter: RoundRobinArbiter = RoundRobinArbiter::new(vcs) }
    locals {
        /// No packet is under way.
        idle: Bit,
        /// Length of the packet that a virtual channel has.
        length: Bits<10>,
        /// Flits behind the head flit of the oldest packet, by virtual channel, and whether there are none; of the packet that starts.
        left[vcs]: Bits<10>,
        lone[vcs]: Bit,
        left_of_chosen: Bits<10>,
        lone_chosen: Bit,
        begins[vcs]: Bit,
        any_start: Bit,
        sent[vcs]: Bit,
        any_sent: Bit,
        sent_vc: Bits<3>,
        /// Header of the packet that starts.
        chosen: Bits<32>,
        returned[vcs]: Bit,
        known_vc: Bit,
        wrong: Bit,
    }
    constants {
        depth: Bits<13> = depth.to_bits(),
        /// The bits that a number of credits has; synthesis leaves the others out.
        credit_mask: Bits<13> = ((depth + 1).next_power_of_two() - 1).to_bits(),
        /// The bits of a header that are destination and length, and those of word 1 that are bytes of the last beat.
        header_mask: Bits<32> = 0x03FF_FFFF_u64.into(),
        bytes_mask: Bits<32> = 0x003F_0000_u64.into(),
        on: Bits<3> = (Phase::On as usize).to_bits(),
    }
    sizes { vcs = vcs, words = words }
}

impl Logic for Injection {
    #[hdl_gen]
    fn update(&mut self) {
        // The packet that starts, and the beat that is sent.
        self.idle.next = self.idle_r.q.val();
        for v in 0..self.vcs.get() {
            self.left[v].next = 0.into();
            if self.header[v].val().get_bits::<10>(16).any() {
                self.left[v].next = self.header[v].val().get_bits::<10>(16) - 1;
            }
            self.lone[v].next = !self.header[v].val().get_bits::<9>(17).any();
            self.length.next = self.header[v].val().get_bits::<10>(16);
            self.starter.request[v].next =
                self.waiting[v].val() & (self.credits_r[v].q.val() >= bit_cast::<13, 10>(self.length.val()));
            self.starter.pointer[v].next = self.pointer_r.q[v].val();
        }
        self.any_start.next = false;
        self.any_sent.next = false;
        for v in 0..self.vcs.get() {
            self.begins[v].next = self.starter.grant[v].val() & self.idle.val();
            self.sent[v].next = self.begins[v].val() | (self.sending_r.q[v].val() & !self.idle.val());
        }
        for v in 0..self.vcs.get() {
            self.start[v].next = self.begins[v].val();
            self.read[v].next = self.sending_r.q[v].val() & !self.idle.val();
            self.any_start.next = self.any_start.val() | self.begins[v].val();
            self.any_sent.next = self.any_sent.val() | self.sent[v].val();
        }
        self.busy.next = self.any_sent.val();
        self.chosen.next = 0.into();
        self.left_of_chosen.next = 0.into();
        self.lone_chosen.next = false;
        self.sent_vc.next = 0.into();
        for v in 0..self.vcs.get() {
            if self.begins[v].val() {
                self.chosen.next = self.chosen.val() | self.header[v].val();
            }
        }
        for v in 0..self.vcs.get() {
            if self.begins[v].val() {
                self.left_of_chosen.next = self.left_of_chosen.val() | self.left[v].val();
            }
        }
        for v in 0..self.vcs.get() {
            self.lone_chosen.next = self.lone_chosen.val() | (self.begins[v].val() & self.lone[v].val());
        }
        for v in 0..self.vcs.get() {
            if self.sent[v].val() {
                self.sent_vc.next = self.sent_vc.val() | v.to_bits();
            }
        }
        if self.any_start.val() {
            self.header_early_r.d.next = self.chosen.val();
            self.remaining_r.d.next = self.left_of_chosen.val();
            self.idle_r.d.next = self.lone_chosen.val();
        } else if !self.idle.val() {
            self.remaining_r.d.next = self.remaining_r.q.val() - 1;
            self.idle_r.d.next = self.remaining_r.q.val() == 1;
        }
        if self.any_start.val() {
            self.pointer_r.d[0].next = self.begins[self.vcs - 1].val();
            for v in 1..self.vcs.get() {
                self.pointer_r.d[v].next = self.begins[v - 1].val();
            }
        }
        for v in 0..self.vcs.get() {
            if self.any_start.val() {
                self.sending_r.d[v].next = self.begins[v].val();
            }
        }
        // Credits.
        self.returned_valid_r.d.next = self.out_credit_valid.val();
        self.returned_vc_r.d.next = self.out_credit_vc.val();
        self.known_vc.next = false;
        for v in 0..self.vcs.get() {
            self.returned[v].next = self.returned_valid_r.q.val() & (self.returned_vc_r.q.val() == v.to_bits());
            self.known_vc.next = self.known_vc.val() | self.returned[v].val();
        }
        self.wrong.next = false;
        for v in 0..self.vcs.get() {
            if self.returned[v].val() & !self.sent[v].val() {
                if self.credits_r[v].q.val() == self.depth.val() {
                    self.wrong.next = true;
                } else {
                    self.credits_r[v].d.next = (self.credits_r[v].q.val() + 1) & self.credit_mask.val();
                }
            } else if self.sent[v].val() & !self.returned[v].val() {
                if self.credits_r[v].q.val() == 0 {
                    self.wrong.next = true;
                } else {
                    self.credits_r[v].d.next = (self.credits_r[v].q.val() - 1) & self.credit_mask.val();
                }
            }
        }
        self.credit_error.next = self.wrong.val() | (self.returned_valid_r.q.val() & !self.known_vc.val());
        // The link.
        self.valid_early_r.d.next = self.any_sent.val();
        self.head_early_r.d.next = self.any_start.val();
        self.vc_early_r.d.next = self.sent_vc.val();
        self.hint_early_r.d.next = self.hint.val();
        self.out_valid_r.d.next = self.valid_early_r.q.val();
        self.out_head_r.d.next = self.head_early_r.q.val();
        self.out_vc_r.d.next = self.vc_early_r.q.val();
        self.out_hint_r.d.next = self.hint_early_r.q.val();
        for w in 0..self.words.get() {
            if self.head_early_r.q.val() {
                self.out_flit_r[w].d.next = 0.into();
            } else if self.valid_early_r.q.val() {
                self.out_flit_r[w].d.next = self.flit[w].val();
            }
        }
        if self.head_early_r.q.val() {
            self.out_flit_r[0].d.next = self.header_early_r.q.val() & self.header_mask.val();
            self.out_flit_r[1].d.next =
                bit_cast::<32, 16>(self.source.val()) | ((self.header_early_r.q.val() >> 10) & self.bytes_mask.val());
        }
        self.out_valid.next = self.out_valid_r.q.val();
        self.out_head.next = self.out_head_r.q.val();
        self.out_vc.next = self.out_vc_r.q.val();
        self.out_hint.next = self.out_hint_r.q.val();
        self.out_phase.next = self.on.val();
        for w in 0..self.words.get() {
            self.out_flit[w].next = self.out_flit_r[w].q.val();
        }
    }
}
