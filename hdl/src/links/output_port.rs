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
use crate::block;
use crate::links::CreditCounter;
use crate::power::if_seen;
use powar_config::SwitchConfig;
use rust_hdl::prelude::*;

block! {
    pub struct OutputPort("output_port", include_str!("output_port.rs"), clocked)
    /// For a checked configuration. `shows_occupancy`: the output `occupancy` is there; `shows_room`: `room` is.
    pub fn new(config: &SwitchConfig, shows_occupancy: bool, shows_room: bool) -> Self {
        let (vcs, words) = (config.vcs, config.flit_words());
        let credit = || CreditCounter::new(config.vc_depth(), config.max_packet_flits, shows_occupancy);
    }
    inputs {
        /// The port was given to a packet in the cycle before.
        granted: Bit,
        /// It is given to one in this cycle: in a switch for short packets.
        given[if_seen(config.short_packets(), 1)]: Bit,
        /// Output VCs allowed to that packet.
        allowed[vcs]: Bit,
        /// The port is held by nobody in the next cycle; it may be given; it is taken before others.
        free_next: Bit,
        grantable: Bit,
        preferred: Bit,
        /// From the crossbar: a flit, whether it is a head flit, and its words.
        valid: Bit,
        head: Bit,
        flit[words]: Bits<32>,
        /// Phase and hint of the port.
        phase: Bits<3>,
        hint: Bit,
        /// A credit comes back, and of which VC.
        out_credit_valid: Bit,
        out_credit_vc: Bits<3>,
    }
    outputs {
        /// A packet may be given the port and has room on this VC; the port is taken before others.
        open[vcs]: Bit,
        prefer: Bit,
        /// There is room on this VC, whether or not the port may be given.
        room[if_seen(shows_room, vcs)]: Bit,
        /// The link.
        out_valid: Bit,
        out_head: Bit,
        out_vc: Bits<3>,
        out_flit[words]: Bits<32>,
        out_phase: Bits<3>,
        out_hint: Bit,
        /// Flits in the next buffer and on the way there and back.
        occupancy[if_seen(shows_occupancy, 1)]: Bits<13>,
        /// A credit is wrong, or a flit sets out without one.
        credit_error: Bit,
    }
    registers {
        open_r = vec![false; vcs],
        prefer_r: Bit,
        room_r[if_seen(shows_room, 1)] = vec![false; vcs],
        out_valid_r: Bit,
        out_head_r: Bit,
        out_vc_r: Bits<3>,
        out_flit_r[words]: Bits<32>,
        out_phase_r: Bits<3>,
        out_hint_r: Bit,
        /// Phase and hint on their way beside the flits: those of one, two and three cycles before.
        phase_early_r[3]: Bits<3>,
        hint_early_r[3]: Bit,
        /// The VC of the packet that was given the port last is chosen in this cycle, among these.
        choosing_r: Bit,
        choices_r = vec![false; vcs],
        /// That VC, and the one of the packet whose flits leave, one-hot.
        next_vc_r = vec![false; vcs],
        current_vc_r = vec![false; vcs],
    }
    children {
        /// One per VC.
        credit[vcs]: CreditCounter = credit(),
        vc_allocator: PortArbiter = PortArbiter::new(vcs),
    }
    locals {
        /// The credit is one of this VC.
        returned[vcs]: Bit,
        /// The credit names some VC that there is.
        known_vc: Bit,
        /// Some counter finds the credits wrong.
        wrong_credit: Bit,
        /// The VC of the flit from the crossbar, one-hot.
        vc[vcs]: Bit,
        /// The VC as a number.
        vc_number: Bits<3>,
    }
    constants {
        /// Flits that the next buffer holds, all VCs.
        capacity: Bits<13> = (vcs * config.vc_depth()).to_bits(),
    }
    sizes {
        /// VCs.
        vcs = vcs,
        /// Words of a flit.
        words = words,
        /// 1 if the occupancy is shown, else 0.
        shows_occupancy = if_seen(shows_occupancy, 1),
        /// 1 if the room is shown, else 0.
        shows_room = if_seen(shows_room, 1),
        /// 1 in a switch for short packets, else 0.
        sees_given = if_seen(config.short_packets(), 1),
    }
}

impl Logic for OutputPort {
    #[hdl_gen]
    fn update(&mut self) {
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
            for v in 0..self.vcs.get() {
                self.room_r[k].d[v].next = self.credit[v].room.val();
                self.room[v].next = self.room_r[k].q[v].val();
            }
        }
        // The output VC of the packet that was given the port.
        self.choosing_r.d.next = self.granted.val();
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
            self.out_flit_r[w].d.next = 0.into();
            if self.valid.val() {
                self.out_flit_r[w].d.next = self.flit[w].val();
            }
            self.out_flit[w].next = self.out_flit_r[w].q.val();
        }
        for k in 0..3 {
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
