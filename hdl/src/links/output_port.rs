//! One output port of the switch: its link, the credits of the buffer at the other end, and the output VC of each packet.
//!
//! Use:      `given` with the VCs that the routing allows names the packet's VC, `given_vc`, in the same cycle; `departing_vc` with
//!           every flit that sets out takes a credit of it.
//! Policy:   round robin among the allowed VCs that a longest packet fits into.
//! Latency:  one cycle from the crossbar to the link; phase and hint on the link are those of two cycles before, as the flits are.
//! Range:    1 to 8 VCs, flits of 1 to 16 words of 32 bits.
//! Errors:   `credit_error` shows a wrong credit in its cycle; it is not counted as a credit.
//! Reset:    all credits there, the link idle and `On`.
//! Source:   docs/microarchitecture/links.md.

use crate::arbiters::PortArbiter;
use crate::dff_setup;
use crate::links::CreditCounter;
use crate::power::if_seen;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::SwitchConfig;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct OutputPort {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// The port is given to a packet in this cycle.
    pub given: Signal<In, Bit>,
    /// Output VCs allowed to that packet.
    pub allowed: Vec<Signal<In, Bit>>,
    /// Output VC of the flit that sets out in this cycle, one-hot; 0 = none.
    pub departing_vc: Vec<Signal<In, Bit>>,
    /// From the crossbar: a flit, whether it is a head flit, its VC (one-hot) and its words.
    pub valid: Signal<In, Bit>,
    pub head: Signal<In, Bit>,
    pub vc: Vec<Signal<In, Bit>>,
    pub flit: Vec<Signal<In, Bits<32>>>,
    /// Phase and hint of the port.
    pub phase: Signal<In, Bits<3>>,
    pub hint: Signal<In, Bit>,
    /// A credit comes back, and of which VC.
    pub out_credit_valid: Signal<In, Bit>,
    pub out_credit_vc: Signal<In, Bits<3>>,
    /// The VC has room for a packet that is yet to choose the port.
    pub room: Vec<Signal<Out, Bit>>,
    /// One-hot output VC of the packet that is given the port.
    pub given_vc: Vec<Signal<Out, Bit>>,
    /// The link.
    pub out_valid: Signal<Out, Bit>,
    pub out_head: Signal<Out, Bit>,
    pub out_vc: Signal<Out, Bits<3>>,
    pub out_flit: Vec<Signal<Out, Bits<32>>>,
    pub out_phase: Signal<Out, Bits<3>>,
    pub out_hint: Signal<Out, Bit>,
    /// Flits in the next buffer and on the way there and back.
    pub occupancy: Vec<Signal<Out, Bits<13>>>,
    /// A credit is wrong, or a flit sets out without one.
    pub credit_error: Signal<Out, Bit>,
    out_valid_r: Register<Bit>,
    out_head_r: Register<Bit>,
    out_vc_r: Register<Bits<3>>,
    out_flit_r: Vec<Register<Bits<32>>>,
    out_phase_r: Register<Bits<3>>,
    out_hint_r: Register<Bit>,
    /// Phase and hint on their way beside the crossbar.
    phase_early_r: Register<Bits<3>>,
    hint_early_r: Register<Bit>,
    /// One per VC.
    credit: Vec<Settled<CreditCounter>>,
    vc_allocator: Settled<PortArbiter>,
    /// The credit is one of this VC.
    returned: Vec<Signal<Local, Bit>>,
    /// The credit names some VC that there is.
    known_vc: Signal<Local, Bit>,
    /// Some counter finds the credits wrong.
    wrong_credit: Signal<Local, Bit>,
    /// The VC as a number.
    vc_number: Signal<Local, Bits<3>>,
    /// Flits that the next buffer holds, all VCs.
    capacity: Constant<Bits<13>>,
    /// VCs.
    vcs: Size,
    /// Words of a flit.
    words: Size,
    /// 1 if the occupancy is shown, else 0.
    shows_occupancy: Size,
    info: BlockInfo,
}

impl OutputPort {
    /// For a checked configuration. `shows_occupancy`: the output `occupancy` is there.
    pub fn new(config: &SwitchConfig, shows_occupancy: bool) -> Self {
        let (vcs, words) = (config.vcs, config.flit_words());
        let credit = || CreditCounter::new(config.vc_depth(), config.max_packet_flits, shows_occupancy);
        build!(OutputPort {
            (
                clk, rst, given, valid, head, phase, hint, out_credit_valid, out_credit_vc, out_valid, out_head,
                out_vc, out_phase, out_hint, credit_error, out_valid_r, out_head_r, out_vc_r, out_phase_r,
                out_hint_r, phase_early_r, hint_early_r, known_vc, wrong_credit, vc_number,
            )
            [vcs => allowed, departing_vc, vc, room, given_vc, returned]
            [words => flit, out_flit, out_flit_r]
            [if_seen(shows_occupancy, 1) => occupancy]
            credit: (0..vcs).map(|_| credit().into()).collect(),
            vc_allocator: PortArbiter::new(vcs).into(),
            capacity: Constant::new((vcs * config.vc_depth()).to_bits()),
            vcs: vcs.into(),
            words: words.into(),
            shows_occupancy: if_seen(shows_occupancy, 1).into(),
            info: BlockInfo::new("output_port", include_str!("output_port.rs")),
        })
    }
}

impl Logic for OutputPort {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, out_valid_r, out_head_r, out_vc_r, out_phase_r, out_hint_r, phase_early_r, hint_early_r);
        // Credits of each VC.
        self.known_vc.next = false;
        self.wrong_credit.next = false;
        for v in 0..self.vcs.get() {
            self.returned[v].next = self.out_credit_valid.val() & (self.out_credit_vc.val() == v.to_bits());
            self.known_vc.next = self.known_vc.val() | self.returned[v].val();
        }
        for v in 0..self.vcs.get() {
            self.credit[v].clk.next = self.clk.val();
            self.credit[v].rst.next = self.rst.val();
            self.credit[v].sent.next = self.departing_vc[v].val();
            self.credit[v].returned.next = self.returned[v].val();
            self.room[v].next = self.credit[v].room.val();
            self.wrong_credit.next = self.wrong_credit.val() | self.credit[v].error.val();
        }
        self.credit_error.next = self.wrong_credit.val() | (self.out_credit_valid.val() & !self.known_vc.val());
        for k in 0..self.shows_occupancy.get() {
            self.occupancy[k].next = self.capacity.val();
            for v in 0..self.vcs.get() {
                self.occupancy[k].next = self.occupancy[k].val() - self.credit[v].credits[k].val();
            }
        }
        // The output VC of the packet that is given the port.
        self.vc_allocator.clk.next = self.clk.val();
        self.vc_allocator.rst.next = self.rst.val();
        self.vc_allocator.free.next = self.given.val();
        for v in 0..self.vcs.get() {
            self.vc_allocator.request[v].next = self.allowed[v].val() & self.credit[v].fits.val();
            self.given_vc[v].next = self.vc_allocator.grant[v].val();
        }
        // The link.
        self.out_valid_r.d.next = self.valid.val();
        self.out_head_r.d.next = self.head.val();
        self.vc_number.next = 0.into();
        for v in 0..self.vcs.get() {
            if self.vc[v].val() {
                self.vc_number.next = self.vc_number.val() | v.to_bits();
            }
        }
        self.out_vc_r.d.next = self.vc_number.val();
        for w in 0..self.words.get() {
            dff_setup!(self, clk, out_flit_r[w]);
            self.out_flit_r[w].d.next = self.flit[w].val();
            self.out_flit[w].next = self.out_flit_r[w].q.val();
        }
        self.phase_early_r.d.next = self.phase.val();
        self.out_phase_r.d.next = self.phase_early_r.q.val();
        self.hint_early_r.d.next = self.hint.val();
        self.out_hint_r.d.next = self.hint_early_r.q.val();
        self.out_valid.next = self.out_valid_r.q.val();
        self.out_head.next = self.out_head_r.q.val();
        self.out_vc.next = self.out_vc_r.q.val();
        self.out_phase.next = self.out_phase_r.q.val();
        self.out_hint.next = self.out_hint_r.q.val();
    }
}

rtl_signals!(
    OutputPort,
    clocked,
    inputs(
        given,
        allowed,
        departing_vc,
        valid,
        head,
        vc,
        flit,
        phase,
        hint,
        out_credit_valid,
        out_credit_vc,
    ),
    outputs(room, given_vc, out_valid, out_head, out_vc, out_flit, out_phase, out_hint, occupancy, credit_error),
    registers(
        out_valid_r as "out_valid",
        out_head_r as "out_head",
        out_vc_r as "out_vc",
        out_flit_r as "out_flit",
        out_phase_r as "out_phase",
        out_hint_r as "out_hint",
        phase_early_r as "phase_early",
        hint_early_r as "hint_early",
    ),
    children(credit, vc_allocator),
);
