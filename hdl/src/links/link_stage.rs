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

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::SwitchConfig;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct LinkStage {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// From the sender: a flit, whether it is a head flit, its virtual channel and its words; phase and hint.
    pub in_valid: Signal<In, Bit>,
    pub in_head: Signal<In, Bit>,
    pub in_vc: Signal<In, Bits<3>>,
    pub in_flit: Vec<Signal<In, Bits<32>>>,
    pub in_phase: Signal<In, Bits<3>>,
    pub in_hint: Signal<In, Bit>,
    /// From the receiver: a credit, and its virtual channel.
    pub out_credit_valid: Signal<In, Bit>,
    pub out_credit_vc: Signal<In, Bits<3>>,
    /// To the receiver.
    pub out_valid: Signal<Out, Bit>,
    pub out_head: Signal<Out, Bit>,
    pub out_vc: Signal<Out, Bits<3>>,
    pub out_flit: Vec<Signal<Out, Bits<32>>>,
    pub out_phase: Signal<Out, Bits<3>>,
    pub out_hint: Signal<Out, Bit>,
    /// To the sender.
    pub in_credit_valid: Signal<Out, Bit>,
    pub in_credit_vc: Signal<Out, Bits<3>>,
    /// One of each for every stage, W words of a flit; the stage that takes the inputs first.
    valid_r: Vec<Register<Bit>>,
    head_r: Vec<Register<Bit>>,
    vc_r: Vec<Register<Bits<3>>>,
    flit_r: Vec<Register<Bits<32>>>,
    phase_r: Vec<Register<Bits<3>>>,
    hint_r: Vec<Register<Bit>>,
    credit_valid_r: Vec<Register<Bit>>,
    credit_vc_r: Vec<Register<Bits<3>>>,
    stages: Size,
    /// Words of a flit.
    words: Size,
    info: BlockInfo,
}

impl LinkStage {
    /// For a checked configuration.
    pub fn new(config: &SwitchConfig) -> Self {
        let (stages, words) = (config.link_stages, config.flit_words());
        build!(LinkStage {
            (
                clk, rst, in_valid, in_head, in_vc, in_phase, in_hint, out_credit_valid, out_credit_vc, out_valid,
                out_head, out_vc, out_phase, out_hint, in_credit_valid, in_credit_vc,
            )
            [words => in_flit, out_flit]
            [stages => valid_r, head_r, vc_r, phase_r, hint_r, credit_valid_r, credit_vc_r]
            [stages * words => flit_r]
            stages: stages.into(),
            words: words.into(),
            info: BlockInfo::new("link_stage", include_str!("link_stage.rs")),
        })
    }
}

impl Logic for LinkStage {
    #[hdl_gen]
    fn update(&mut self) {
        for s in 0..self.stages.get() {
            dff_setup!(
                self,
                clk,
                valid_r[s],
                head_r[s],
                vc_r[s],
                phase_r[s],
                hint_r[s],
                credit_valid_r[s],
                credit_vc_r[s]
            );
        }
        for k in 0..(self.stages * self.words) {
            dff_setup!(self, clk, flit_r[k]);
        }
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

rtl_signals!(
    LinkStage,
    clocked,
    inputs(in_valid, in_head, in_vc, in_flit, in_phase, in_hint, out_credit_valid, out_credit_vc),
    outputs(out_valid, out_head, out_vc, out_flit, out_phase, out_hint, in_credit_valid, in_credit_vc),
    registers(
        valid_r as "valid",
        head_r as "head",
        vc_r as "vc",
        flit_r as "flit",
        phase_r as "phase",
        hint_r as "hint",
        credit_valid_r as "credit_valid",
        credit_vc_r as "credit_vc",
    ),
    children(),
);
