//! One output port of the switch: its link, the credits of the buffer at the other end, and the output VC of each packet.
//!
//! Use:      `given` with the VCs that the routing allows names the packet's VC, `given_vc`, in the same cycle; `departing_vc` with
//!           every flit that sets out takes a credit of it.
//! Policy:   round robin among the allowed VCs that a longest packet fits into.
//! Latency:  one cycle from the crossbar to the link; the power state on the link is that of two cycles before, as the flits are.
//! Range:    1 to 8 VCs, flits of 1 to 16 words of 32 bits.
//! Errors:   `credit_errors` counts the cycles in which a credit is wrong; wrong credits are not counted as credits.
//! Reset:    all credits there, the link idle and `Active`.
//! Source:   docs/microarchitecture.md 5.10.

use crate::arbiters::PortArbiter;
use crate::dff_setup;
use crate::links::CreditCounter;
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
    /// State of the port's power FSM.
    pub power_state: Signal<In, Bits<2>>,
    /// A credit comes back, and of which VC.
    pub out_credit_valid: Signal<In, Bit>,
    pub out_credit_vc: Signal<In, Bits<3>>,
    /// Clear the error counter.
    pub clear: Signal<In, Bit>,
    /// The VC has room for a packet that is yet to choose the port.
    pub room: Vec<Signal<Out, Bit>>,
    /// One-hot output VC of the packet that is given the port.
    pub given_vc: Vec<Signal<Out, Bit>>,
    /// The link.
    pub out_valid: Signal<Out, Bit>,
    pub out_head: Signal<Out, Bit>,
    pub out_vc: Signal<Out, Bits<3>>,
    pub out_flit: Vec<Signal<Out, Bits<32>>>,
    pub out_power_state: Signal<Out, Bits<2>>,
    /// Cycles with a wrong credit.
    pub credit_errors: Signal<Out, Bits<32>>,
    out_valid_r: Register<Bit>,
    out_head_r: Register<Bit>,
    out_vc_r: Register<Bits<3>>,
    out_flit_r: Vec<Register<Bits<32>>>,
    out_power_state_r: Register<Bits<2>>,
    /// The power state on its way beside the crossbar.
    power_state_early_r: Register<Bits<2>>,
    credit_errors_r: Register<Bits<32>>,
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
    /// VCs.
    vcs: Size,
    /// Words of a flit.
    words: Size,
    info: BlockInfo,
}

impl OutputPort {
    /// For a checked configuration.
    pub fn new(config: &SwitchConfig) -> Self {
        let (vcs, words) = (config.vcs, config.flit_words());
        OutputPort {
            clk: Default::default(),
            rst: Default::default(),
            given: Default::default(),
            allowed: vector(vcs),
            departing_vc: vector(vcs),
            valid: Default::default(),
            head: Default::default(),
            vc: vector(vcs),
            flit: vector(words),
            power_state: Default::default(),
            out_credit_valid: Default::default(),
            out_credit_vc: Default::default(),
            clear: Default::default(),
            room: vector(vcs),
            given_vc: vector(vcs),
            out_valid: Default::default(),
            out_head: Default::default(),
            out_vc: Default::default(),
            out_flit: vector(words),
            out_power_state: Default::default(),
            credit_errors: Default::default(),
            out_valid_r: Register::new(false),
            out_head_r: Register::new(false),
            out_vc_r: Register::new(0.into()),
            out_flit_r: (0..words).map(|_| Register::new(0.into())).collect(),
            out_power_state_r: Register::new(0.into()),
            power_state_early_r: Register::new(0.into()),
            credit_errors_r: Register::new(0.into()),
            credit: (0..vcs).map(|_| CreditCounter::new(config.vc_depth(), config.max_packet_flits).into()).collect(),
            vc_allocator: PortArbiter::new(vcs).into(),
            returned: vector(vcs),
            known_vc: Default::default(),
            wrong_credit: Default::default(),
            vc_number: Default::default(),
            vcs: vcs.into(),
            words: words.into(),
            info: BlockInfo::new("output_port", include_str!("output_port.rs")),
        }
    }
}

impl Logic for OutputPort {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            out_valid_r,
            out_head_r,
            out_vc_r,
            out_power_state_r,
            power_state_early_r,
            credit_errors_r
        );
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
        if self.clear.val() {
            self.credit_errors_r.d.next = 0.into();
        } else if self.wrong_credit.val() | (self.out_credit_valid.val() & !self.known_vc.val()) {
            self.credit_errors_r.d.next = self.credit_errors_r.q.val() + 1;
        }
        self.credit_errors.next = self.credit_errors_r.q.val();
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
        self.power_state_early_r.d.next = self.power_state.val();
        self.out_power_state_r.d.next = self.power_state_early_r.q.val();
        self.out_valid.next = self.out_valid_r.q.val();
        self.out_head.next = self.out_head_r.q.val();
        self.out_vc.next = self.out_vc_r.q.val();
        self.out_power_state.next = self.out_power_state_r.q.val();
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
        power_state,
        out_credit_valid,
        out_credit_vc,
        clear
    ),
    outputs(room, given_vc, out_valid, out_head, out_vc, out_flit, out_power_state, credit_errors),
    registers(
        out_valid_r as "out_valid",
        out_head_r as "out_head",
        out_vc_r as "out_vc",
        out_flit_r as "out_flit",
        out_power_state_r as "out_power_state",
        power_state_early_r as "power_state_early",
        credit_errors_r as "credit_errors",
    ),
    children(credit, vc_allocator),
);
