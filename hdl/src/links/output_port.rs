//! One output port of the switch: its link, the credits of the buffer at the other end, and the output VC of each packet.
//!
//! Use:      `granted` with the VCs that the routing allows, in the cycle after the port was given to a packet; its head flit may come
//!           from the crossbar two cycles later. Every flit from there takes a credit of the packet's VC.
//! Policy:   round robin among the allowed VCs that a longest packet fits into.
//! Latency:  one cycle from the crossbar to the link; phase and hint on the link are those of four cycles before, by which its flits
//!           were read.
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
    /// The port was given to a packet in the cycle before.
    pub granted: Signal<In, Bit>,
    /// It is given to one in this cycle: in a switch for short packets.
    pub given: Vec<Signal<In, Bit>>,
    /// Output VCs allowed to that packet.
    pub allowed: Vec<Signal<In, Bit>>,
    /// The port is held by nobody in the next cycle; it may be given; it is taken before others.
    pub free_next: Signal<In, Bit>,
    pub grantable: Signal<In, Bit>,
    pub preferred: Signal<In, Bit>,
    /// From the crossbar: a flit, whether it is a head flit, and its words.
    pub valid: Signal<In, Bit>,
    pub head: Signal<In, Bit>,
    pub flit: Vec<Signal<In, Bits<32>>>,
    /// Phase and hint of the port.
    pub phase: Signal<In, Bits<3>>,
    pub hint: Signal<In, Bit>,
    /// A credit comes back, and of which VC.
    pub out_credit_valid: Signal<In, Bit>,
    pub out_credit_vc: Signal<In, Bits<3>>,
    /// A packet may be given the port and has room on this VC; the port is taken before others.
    pub open: Vec<Signal<Out, Bit>>,
    pub prefer: Signal<Out, Bit>,
    /// There is room on this VC, whether or not the port may be given.
    pub room: Vec<Signal<Out, Bit>>,
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
    open_r: BitRegister,
    prefer_r: Register<Bit>,
    room_r: Vec<BitRegister>,
    out_valid_r: Register<Bit>,
    out_head_r: Register<Bit>,
    out_vc_r: Register<Bits<3>>,
    out_flit_r: Vec<Register<Bits<32>>>,
    out_phase_r: Register<Bits<3>>,
    out_hint_r: Register<Bit>,
    /// Phase and hint on their way beside the flits: those of one, two and three cycles before.
    phase_early_r: Vec<Register<Bits<3>>>,
    hint_early_r: Vec<Register<Bit>>,
    /// The VC of the packet that was given the port last is chosen in this cycle, among these.
    choosing_r: Register<Bit>,
    choices_r: BitRegister,
    /// That VC, and the one of the packet whose flits leave, one-hot.
    next_vc_r: BitRegister,
    current_vc_r: BitRegister,
    /// One per VC.
    credit: Vec<Settled<CreditCounter>>,
    vc_allocator: Settled<PortArbiter>,
    /// The credit is one of this VC.
    returned: Vec<Signal<Local, Bit>>,
    /// The credit names some VC that there is.
    known_vc: Signal<Local, Bit>,
    /// Some counter finds the credits wrong.
    wrong_credit: Signal<Local, Bit>,
    /// The VC of the flit from the crossbar, one-hot.
    vc: Vec<Signal<Local, Bit>>,
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
    /// 1 if the room is shown, else 0.
    shows_room: Size,
    /// 1 in a switch for short packets, else 0.
    sees_given: Size,
    info: BlockInfo,
}

impl OutputPort {
    /// For a checked configuration. `shows_occupancy`: the output `occupancy` is there; `shows_room`: `room` is.
    pub fn new(config: &SwitchConfig, shows_occupancy: bool, shows_room: bool) -> Self {
        let (vcs, words) = (config.vcs, config.flit_words());
        let register = |bits| BitRegister::new(vec![false; bits]);
        let credit = || CreditCounter::new(config.vc_depth(), config.max_packet_flits, shows_occupancy);
        build!(OutputPort {
            (
                clk, rst, granted, free_next, grantable, preferred, valid, head, phase, hint, out_credit_valid,
                out_credit_vc, prefer, out_valid, out_head, out_vc, out_phase, out_hint, credit_error, prefer_r,
                out_valid_r, out_head_r, out_vc_r, out_phase_r, out_hint_r, choosing_r, known_vc, wrong_credit, vc_number,
            )
            [vcs => allowed, vc, open, returned]
            [if_seen(shows_room, vcs) => room]
            [if_seen(config.short_packets(), 1) => given]
            [3 => phase_early_r, hint_early_r]
            [words => flit, out_flit, out_flit_r]
            [if_seen(shows_occupancy, 1) => occupancy]
            credit: (0..vcs).map(|_| credit().into()).collect(),
            vc_allocator: PortArbiter::new(vcs).into(),
            open_r: register(vcs),
            room_r: (0..if_seen(shows_room, 1)).map(|_| register(vcs)).collect(),
            choices_r: register(vcs),
            next_vc_r: register(vcs),
            current_vc_r: register(vcs),
            capacity: Constant::new((vcs * config.vc_depth()).to_bits()),
            vcs: vcs.into(),
            words: words.into(),
            shows_occupancy: if_seen(shows_occupancy, 1).into(),
            shows_room: if_seen(shows_room, 1).into(),
            sees_given: if_seen(config.short_packets(), 1).into(),
            info: BlockInfo::new("output_port", include_str!("output_port.rs")),
        })
    }
}

impl Logic for OutputPort {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            open_r,
            prefer_r,
            out_valid_r,
            out_head_r,
            out_vc_r,
            out_phase_r,
            out_hint_r,
            choosing_r,
            choices_r,
            next_vc_r,
            current_vc_r
        );
        // The VC of the flit from the crossbar.
        for v in 0..self.vcs.get() {
            self.vc[v].next = self.current_vc_r.q[v].val();
            if self.head.val() {
                self.vc[v].next = self.next_vc_r.q[v].val();
            }
        }
        for v in 0..self.vcs.get() {
            if self.valid.val() {
                self.current_vc_r.d[v].next = self.vc[v].val();
            }
        }
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
            self.credit[v].sent.next = self.valid.val() & self.vc[v].val();
            self.credit[v].returned.next = self.returned[v].val();
            self.open_r.d[v].next = self.free_next.val() & self.grantable.val() & self.credit[v].room.val();
            for k in 0..self.sees_given.get() {
                // It may be chosen in the two cycles behind that in which it is given, as it may be free soon.
                self.open_r.d[v].next = (self.free_next.val() | self.given[k].val() | self.granted.val())
                    & self.grantable.val()
                    & self.credit[v].room.val();
            }
            self.open[v].next = self.open_r.q[v].val();
            self.wrong_credit.next = self.wrong_credit.val() | self.credit[v].error.val();
        }
        self.credit_error.next = self.wrong_credit.val() | (self.out_credit_valid.val() & !self.known_vc.val());
        for k in 0..self.shows_occupancy.get() {
            self.occupancy[k].next = self.capacity.val();
            for v in 0..self.vcs.get() {
                self.occupancy[k].next = self.occupancy[k].val() - self.credit[v].credits[k].val();
            }
        }
        self.prefer_r.d.next = self.preferred.val();
        self.prefer.next = self.prefer_r.q.val();
        for k in 0..self.shows_room.get() {
            dff_setup!(self, clk, room_r[k]);
            for v in 0..self.vcs.get() {
                self.room_r[k].d[v].next = self.credit[v].room.val();
                self.room[v].next = self.room_r[k].q[v].val();
            }
        }
        // The output VC of the packet that was given the port.
        self.choosing_r.d.next = self.granted.val();
        self.vc_allocator.clk.next = self.clk.val();
        self.vc_allocator.rst.next = self.rst.val();
        self.vc_allocator.free.next = self.choosing_r.q.val();
        for v in 0..self.vcs.get() {
            self.choices_r.d[v].next = self.allowed[v].val();
            self.vc_allocator.request[v].next = self.choices_r.q[v].val() & self.credit[v].fits.val();
        }
        for v in 0..self.vcs.get() {
            if self.choosing_r.q.val() {
                self.next_vc_r.d[v].next = self.vc_allocator.grant[v].val();
            }
        }
        // The link.
        self.out_valid_r.d.next = self.valid.val();
        self.out_head_r.d.next = self.valid.val() & self.head.val();
        self.vc_number.next = 0.into();
        for v in 0..self.vcs.get() {
            if self.valid.val() & self.vc[v].val() {
                self.vc_number.next = self.vc_number.val() | v.to_bits();
            }
        }
        self.out_vc_r.d.next = self.vc_number.val();
        for w in 0..self.words.get() {
            dff_setup!(self, clk, out_flit_r[w]);
            self.out_flit_r[w].d.next = 0.into();
            if self.valid.val() {
                self.out_flit_r[w].d.next = self.flit[w].val();
            }
            self.out_flit[w].next = self.out_flit_r[w].q.val();
        }
        for k in 0..3 {
            dff_setup!(self, clk, phase_early_r[k], hint_early_r[k]);
            if k == 0 {
                self.phase_early_r[k].d.next = self.phase.val();
                self.hint_early_r[k].d.next = self.hint.val();
            } else {
                self.phase_early_r[k].d.next = self.phase_early_r[k - 1].q.val();
                self.hint_early_r[k].d.next = self.hint_early_r[k - 1].q.val();
            }
        }
        self.out_phase_r.d.next = self.phase_early_r[2].q.val();
        self.out_hint_r.d.next = self.hint_early_r[2].q.val();
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
        granted,
        given,
        allowed,
        free_next,
        grantable,
        preferred,
        valid,
        head,
        flit,
        phase,
        hint,
        out_credit_valid,
        out_credit_vc,
    ),
    outputs(
        open,
        prefer,
        room,
        out_valid,
        out_head,
        out_vc,
        out_flit,
        out_phase,
        out_hint,
        occupancy,
        credit_error,
    ),
    registers(
        open_r as "open",
        prefer_r as "prefer",
        room_r as "room",
        out_valid_r as "out_valid",
        out_head_r as "out_head",
        out_vc_r as "out_vc",
        out_flit_r as "out_flit",
        out_phase_r as "out_phase",
        out_hint_r as "out_hint",
        phase_early_r as "phase_early",
        hint_early_r as "hint_early",
        choosing_r as "choosing",
        choices_r as "choices",
        next_vc_r as "next_vc",
        current_vc_r as "current_vc",
    ),
    children(credit, vc_allocator),
);
