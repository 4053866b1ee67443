//! Registers on a link, in both directions: for links that are too long for a cycle.
//!
//! Use:      towards the sender it is a receiver (`in_*`), towards the receiver a sender (`out_*`).
//! Flow:     nothing stops a flit but the sender's credits, so the receiver's buffer must hold what is on its way as well:
//!           `SwitchConfig::full_rate_depth`.
//! Latency:  as many cycles as there are stages, for flits and for credits.
//! Range:    1 to 64 stages, flits of 1 to 16 words of 32 bits.
//! Reset:    the link idle and `On`; flits and credits on their way are lost, so both ends must be reset too, for a cycle longer than there are
//!           stages.
//! Source:   docs/microarchitecture/network_interface.md.

use crate::block;
use powar_config::SwitchConfig;
use rust_hdl::prelude::*;

block! {
    pub struct LinkStage("link_stage", include_str!("link_stage.rs"), clocked)
    /// For a checked configuration.
    pub fn new(config: &SwitchConfig) -> Self {
        let (stages, words) = (config.link_stages, config.flit_words());
    }
    inputs {
        /// From the sender: a flit, whether it is a head flit, its virtual channel and its words; phase and hint.
        in_valid: Bit,
        in_head: Bit,
        in_vc: Bits<3>,
        in_flit[words]: Bits<32>,
        in_phase: Bits<3>,
        in_hint: Bit,
        /// From the receiver: a credit, and its virtual channel.
        out_credit_valid: Bit,
        out_credit_vc: Bits<3>,
    }
    outputs {
        /// To the receiver.
        out_valid: Bit,
        out_head: Bit,
        out_vc: Bits<3>,
        out_flit[words]: Bits<32>,
        out_phase: Bits<3>,
        out_hint: Bit,
        /// To the sender.
        in_credit_valid: Bit,
        in_credit_vc: Bits<3>,
    }
    registers {
        /// One of each for every stage, W words of a flit; the stage that takes the inputs first.
        valid_r[stages]: Bit,
        head_r[stages]: Bit,
        vc_r[stages]: Bits<3>,
        flit_r[stages * words]: Bits<32>,
        phase_r[stages]: Bits<3>,
        hint_r[stages]: Bit,
        credit_valid_r[stages]: Bit,
        credit_vc_r[stages]: Bits<3>,
    }
    sizes {
        stages = stages,
        /// Words of a flit.
        words = words,
    }
}

impl Logic for LinkStage {
    #[hdl_gen]
    fn update(&mut self) {
        self.valid_r[0].d.next = self.in_valid.val();
        self.head_r[0].d.next = self.in_head.val();
        self.vc_r[0].d.next = self.in_vc.val();
        self.phase_r[0].d.next = self.in_phase.val();
        self.hint_r[0].d.next = self.in_hint.val();
        self.credit_valid_r[0].d.next = self.out_credit_valid.val();
        self.credit_vc_r[0].d.next = self.out_credit_vc.val();
        for s in 1..self.stages.get() {
            self.valid_r[s].d.next = self.valid_r[s - 1].q.val();
            self.head_r[s].d.next = self.head_r[s - 1].q.val();
            self.vc_r[s].d.next = self.vc_r[s - 1].q.val();
            self.phase_r[s].d.next = self.phase_r[s - 1].q.val();
            self.hint_r[s].d.next = self.hint_r[s - 1].q.val();
            self.credit_valid_r[s].d.next = self.credit_valid_r[s - 1].q.val();
            self.credit_vc_r[s].d.next = self.credit_vc_r[s - 1].q.val();
        }
        for w in 0..self.words.get() {
            self.flit_r[w].d.next = self.in_flit[w].val();
        }
        for s in 1..self.stages.get() {
            for w in 0..self.words.get() {
                self.flit_r[s * self.words + w].d.next = self.flit_r[(s - 1) * self.words + w].q.val();
            }
        }
        self.out_valid.next = self.valid_r[self.stages - 1].q.val();
        self.out_head.next = self.head_r[self.stages - 1].q.val();
        self.out_vc.next = self.vc_r[self.stages - 1].q.val();
        self.out_phase.next = self.phase_r[self.stages - 1].q.val();
        self.out_hint.next = self.hint_r[self.stages - 1].q.val();
        self.in_credit_valid.next = self.credit_valid_r[self.stages - 1].q.val();
        self.in_credit_vc.next = self.credit_vc_r[self.stages - 1].q.val();
        for w in 0..self.words.get() {
            self.out_flit[w].next = self.flit_r[(self.stages - 1) * self.words + w].q.val();
        }
    }
}
