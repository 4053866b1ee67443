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
use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::{Phase, SwitchConfig};
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Injection {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Packed address of this node.
    pub source: Signal<In, Bits<16>>,
    /// This virtual channel has a packet.
    pub waiting: Vec<Signal<In, Bit>>,
    /// Header of its oldest one: bytes of the last beat less one 31:26, length in flits 25:16, destination 15:0.
    pub header: Vec<Signal<In, Bits<32>>>,
    /// The beat for which `read` was in the cycle before.
    pub flit: Vec<Signal<In, Bits<32>>>,
    /// Hint that goes to the link with the flit that is decided on in this cycle.
    pub hint: Signal<In, Bit>,
    /// A credit comes back, and of which virtual channel.
    pub out_credit_valid: Signal<In, Bit>,
    pub out_credit_vc: Signal<In, Bits<3>>,
    /// The packet of this virtual channel starts, one-hot.
    pub start: Vec<Signal<Out, Bit>>,
    /// A beat of this virtual channel is sent, one-hot.
    pub read: Vec<Signal<Out, Bit>>,
    /// A flit is sent.
    pub busy: Signal<Out, Bit>,
    /// The link.
    pub out_valid: Signal<Out, Bit>,
    pub out_head: Signal<Out, Bit>,
    pub out_vc: Signal<Out, Bits<3>>,
    pub out_flit: Vec<Signal<Out, Bits<32>>>,
    pub out_phase: Signal<Out, Bits<3>>,
    pub out_hint: Signal<Out, Bit>,
    /// A credit is wrong.
    pub credit_error: Signal<Out, Bit>,
    /// Free places of each virtual channel at the other end.
    credits_r: Vec<Register<Bits<13>>>,
    /// The credit on the link in the cycle before.
    returned_valid_r: Register<Bit>,
    returned_vc_r: Register<Bits<3>>,
    /// Virtual channel of the packet that started last, one-hot, and flits of it that are still to be decided on.
    sending_r: BitRegister,
    remaining_r: Register<Bits<10>>,
    /// There are none.
    idle_r: Register<Bit>,
    /// Round robin among virtual channels, one-hot.
    pointer_r: BitRegister,
    /// What goes to the link next.
    valid_early_r: Register<Bit>,
    head_early_r: Register<Bit>,
    vc_early_r: Register<Bits<3>>,
    hint_early_r: Register<Bit>,
    /// Header of the packet that started last.
    header_early_r: Register<Bits<32>>,
    out_valid_r: Register<Bit>,
    out_head_r: Register<Bit>,
    out_vc_r: Register<Bits<3>>,
    out_flit_r: Vec<Register<Bits<32>>>,
    out_hint_r: Register<Bit>,
    starter: Settled<RoundRobinArbiter>,
    /// No packet is under way.
    idle: Signal<Local, Bit>,
    /// Length of the packet that a virtual channel has.
    length: Signal<Local, Bits<10>>,
    /// Flits behind the head flit of the oldest packet, by virtual channel, and whether there are none; of the packet that starts.
    left: Vec<Signal<Local, Bits<10>>>,
    lone: Vec<Signal<Local, Bit>>,
    left_of_chosen: Signal<Local, Bits<10>>,
    lone_chosen: Signal<Local, Bit>,
    begins: Vec<Signal<Local, Bit>>,
    any_start: Signal<Local, Bit>,
    sent: Vec<Signal<Local, Bit>>,
    any_sent: Signal<Local, Bit>,
    sent_vc: Signal<Local, Bits<3>>,
    /// Header of the packet that starts.
    chosen: Signal<Local, Bits<32>>,
    returned: Vec<Signal<Local, Bit>>,
    known_vc: Signal<Local, Bit>,
    wrong: Signal<Local, Bit>,
    depth: Constant<Bits<13>>,
    /// The bits that a number of credits has; synthesis leaves the others out.
    credit_mask: Constant<Bits<13>>,
    /// The bits of a header that are destination and length, and those of word 1 that are bytes of the last beat.
    header_mask: Constant<Bits<32>>,
    bytes_mask: Constant<Bits<32>>,
    on: Constant<Bits<3>>,
    vcs: Size,
    words: Size,
    info: BlockInfo,
}

impl Injection {
    /// For a configuration that there are network interfaces for.
    pub fn new(config: &SwitchConfig) -> Self {
        let (vcs, words, depth) = (config.vcs, config.flit_words(), config.vc_depth());
        build!(Injection {
            (
                clk, rst, source, hint, out_credit_valid, out_credit_vc, busy, out_valid, out_head, out_vc, out_phase,
                out_hint, credit_error, returned_valid_r, returned_vc_r, remaining_r, valid_early_r, head_early_r,
                vc_early_r, hint_early_r, header_early_r, out_valid_r, out_head_r, out_vc_r, out_hint_r, idle, length, left_of_chosen,
                lone_chosen,
                any_start, any_sent, sent_vc, chosen, known_vc, wrong,
            )
            [vcs => waiting, header, start, read, begins, sent, returned, left, lone]
            [words => flit, out_flit, out_flit_r]
            credits_r: (0..vcs).map(|_| Register::new(depth.to_bits())).collect(),
            sending_r: BitRegister::new(vec![false; vcs]),
            idle_r: Register::new(true),
            pointer_r: one_hot_register(vcs),
            starter: RoundRobinArbiter::new(vcs).into(),
            depth: Constant::new(depth.to_bits()),
            credit_mask: Constant::new(((depth + 1).next_power_of_two() - 1).to_bits()),
            header_mask: Constant::new(0x03FF_FFFF_u64.into()),
            bytes_mask: Constant::new(0x003F_0000_u64.into()),
            on: Constant::new((Phase::On as usize).to_bits()),
            vcs: vcs.into(),
            words: words.into(),
            info: BlockInfo::new("injection", include_str!("injection.rs")),
        })
    }
}

impl Logic for Injection {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            returned_valid_r,
            returned_vc_r,
            sending_r,
            remaining_r,
            idle_r,
            pointer_r,
            valid_early_r,
            head_early_r,
            vc_early_r,
            hint_early_r,
            header_early_r,
            out_valid_r,
            out_head_r,
            out_vc_r,
            out_hint_r
        );
        for v in 0..self.vcs.get() {
            dff_setup!(self, clk, credits_r[v]);
        }
        for w in 0..self.words.get() {
            dff_setup!(self, clk, out_flit_r[w]);
        }
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

rtl_signals!(
    Injection,
    clocked,
    inputs(source, waiting, header, flit, hint, out_credit_valid, out_credit_vc),
    outputs(
        start,
        read,
        busy,
        out_valid,
        out_head,
        out_vc,
        out_flit,
        out_phase,
        out_hint,
        credit_error,
    ),
    registers(
        credits_r as "credits",
        returned_valid_r as "returned_valid",
        returned_vc_r as "returned_vc",
        sending_r as "sending",
        remaining_r as "remaining",
        idle_r as "idle",
        pointer_r as "pointer",
        valid_early_r as "valid_early",
        head_early_r as "head_early",
        vc_early_r as "vc_early",
        hint_early_r as "hint_early",
        header_early_r as "header_early",
        out_valid_r as "out_valid",
        out_head_r as "out_head",
        out_vc_r as "out_vc",
        out_flit_r as "out_flit",
        out_hint_r as "out_hint",
    ),
    children(),
);
