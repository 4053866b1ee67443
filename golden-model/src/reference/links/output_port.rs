//! `output_port`: an output port: its credits, the output VC of a packet, and the registers of the link.

use crate::bits::{self, is_set, ones};
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::arbiters::PortArbiter;
use crate::reference::links::{CreditCounter, shows_occupancy};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{choice, fill, flag, flit_word, phase, set, vc_number};
use powar_config::{Config, Habit, Owner, Sees};

/// An output port; the public fields are its children and its registers. Vectors over virtual channels have one bit each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputPort {
    /// The power mechanism or the routing sees `occupancy`.
    shows_occupancy: bool,
    /// The power mechanism sees what is wanted.
    shows_room: bool,
    /// Of a switch for short packets, with `given`.
    short_packets: bool,
    depth: u64,
    pub credits: Vec<CreditCounter>,
    pub vc_allocator: PortArbiter,
    /// A packet may be given the port and has room on the channel.
    pub open: u64,
    /// The port was preferred in the cycle before.
    pub prefer: bool,
    /// The channel had room in the cycle before.
    pub room: u64,
    pub out_valid: bool,
    pub out_head: bool,
    pub out_vc: u8,
    pub out_flit: Vec<u64>,
    pub out_phase: u8,
    pub out_hint: bool,
    /// Phase and hint of one, two and three cycles before.
    pub phase_early: [u8; 3],
    pub hint_early: [bool; 3],
    /// The virtual channel of a packet is chosen in this cycle, among these.
    pub choosing: bool,
    pub choices: u64,
    /// The virtual channel of the packet that was given the port last, one-hot.
    pub next_vc: u64,
    /// That of the packet whose flits leave.
    pub current_vc: u64,
}

inputs! {
    /// What an output port sees in a cycle. Vectors over virtual channels have one bit each.
    #[derive(Clone, Copy, Debug)]
    pub struct OutputPortInputs<'a> of block: &OutputPort {
        /// The port was given to a packet in the cycle before.
        pub granted: bool = flag("granted"),
        /// It is given to one in this cycle; not looked at but in a switch for short packets.
        pub given: bool = flag("given").only_if(block.short_packets),
        /// The output VCs allowed to it.
        pub allowed: u64 = set("allowed", block.credits.len()).habit(Habit::Usual),
        /// The port is held by nobody in the next cycle; may be given to a packet; is taken before others.
        pub free_next: bool = flag("free_next").habit(Habit::Usual),
        pub grantable: bool = flag("grantable").habit(Habit::Usual),
        pub preferred: bool = flag("preferred"),
        /// A flit comes from the crossbar, a head flit.
        pub valid: bool = flag("valid"),
        pub head: bool = flag("head"),
        /// The words of that flit, one a slot.
        pub flit: &'a [u64] = flit_word("flit").rows(Owner::Block, block.out_flit.len()),
        /// Code of the port's phase, and its hint.
        pub phase: u8 = phase("phase"),
        pub hint: bool = flag("hint"),
        pub out_credit_valid: bool = flag("out_credit_valid").of(Owner::OutputLink).habit(Habit::Tide),
        pub out_credit_vc: u8 = vc_number("out_credit_vc").of(Owner::OutputLink),
    }
}

impl OutputPort {
    /// An output port of this configuration's switch in its state after reset, with what the power mechanism sees of it.
    pub fn new(config: &Config, sees: Sees) -> Self {
        OutputPort {
            shows_occupancy: shows_occupancy(config, sees),
            shows_room: sees.wanted,
            short_packets: config.switch.short_packets(),
            depth: config.switch.vc_depth() as u64,
            credits: vec![CreditCounter::new(config, sees); config.switch.vcs],
            vc_allocator: PortArbiter::new(config.switch.vcs),
            open: 0,
            prefer: false,
            room: 0,
            out_valid: false,
            out_head: false,
            out_vc: 0,
            out_flit: vec![0; config.switch.flit_words()],
            out_phase: 0,
            out_hint: false,
            phase_early: [0; 3],
            hint_early: [false; 3],
            choosing: false,
            choices: 0,
            next_vc: 0,
            current_vc: 0,
        }
    }

    fn vector(&self, property: impl Fn(&CreditCounter) -> bool) -> u64 {
        bits::vector(&self.credits, |_, credit| property(credit))
    }

    /// What the packet whose virtual channel is chosen may ask for.
    fn request(&self) -> u64 {
        self.choices & self.vector(CreditCounter::fits)
    }

    /// The virtual channel of the flit from the crossbar, one-hot.
    fn vc(&self, head: bool) -> u64 {
        if head { self.next_vc } else { self.current_vc }
    }

    /// Flits in the buffer at the other end and on the way there and back.
    pub fn occupancy(&self) -> u64 {
        let credits: u64 = self.credits.iter().map(|credit| u64::from(credit.credits)).sum();
        self.depth * self.credits.len() as u64 - credits
    }

    fn sent(&self, v: usize, inputs: &OutputPortInputs) -> bool {
        inputs.valid && is_set(self.vc(inputs.head), v)
    }

    fn returned(&self, v: usize, inputs: &OutputPortInputs) -> bool {
        inputs.out_credit_valid && usize::from(inputs.out_credit_vc) == v
    }

    /// A credit for nothing or for no virtual channel, or a flit without a credit.
    pub fn credit_error(&self, inputs: &OutputPortInputs) -> bool {
        let mut credits = self.credits.iter().enumerate();
        let wrong = credits.any(|(v, credit)| credit.error(self.sent(v, inputs), self.returned(v, inputs)));
        wrong || inputs.out_credit_valid && usize::from(inputs.out_credit_vc) >= self.credits.len()
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        self.credits.iter_mut().for_each(CreditCounter::reset);
        self.vc_allocator.reset();
        (self.open, self.prefer, self.room) = (0, false, 0);
        (self.out_valid, self.out_head, self.out_vc) = (false, false, 0);
        self.out_flit.fill(0);
        (self.out_phase, self.out_hint, self.phase_early, self.hint_early) = (0, false, [0; 3], [false; 3]);
        (self.choosing, self.choices, self.next_vc, self.current_vc) = (false, 0, 0, 0);
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &OutputPortInputs) {
        let before = self.clone();
        self.room = before.vector(CreditCounter::room);
        let is_held_briefly = self.short_packets && (inputs.given || inputs.granted);
        self.open = if (inputs.free_next || is_held_briefly) && inputs.grantable { self.room } else { 0 };
        self.prefer = inputs.preferred;
        (self.choosing, self.choices) = (inputs.granted, inputs.allowed);
        if before.choosing {
            self.next_vc = before.vc_allocator.grant(before.request(), true);
        }
        self.vc_allocator.clock(before.request(), before.choosing);
        for (v, credit) in self.credits.iter_mut().enumerate() {
            credit.clock(before.sent(v, inputs), before.returned(v, inputs));
        }

        (self.out_valid, self.out_head) = (inputs.valid, inputs.valid && inputs.head);
        if inputs.valid {
            self.current_vc = before.vc(inputs.head);
            self.out_vc = ones(self.current_vc).next().unwrap_or(0) as u8;
            self.out_flit.copy_from_slice(inputs.flit);
        } else {
            self.out_vc = 0;
            self.out_flit.fill(0);
        }
        let ([p0, p1, p2], [h0, h1, h2]) = (before.phase_early, before.hint_early);
        (self.out_phase, self.phase_early) = (p2, [inputs.phase, p0, p1]);
        (self.out_hint, self.hint_early) = (h2, [inputs.hint, h0, h1]);
    }
}

impl Registers for OutputPort {
    fn list(&self, rows: &mut RegisterRows) {
        let (link, v) = (Owner::OutputLink, self.credits.len());
        rows.one(set("open", v), self.open);
        rows.one(flag("prefer"), self.prefer);
        if self.shows_room {
            rows.one(set("room", v), self.room);
        }
        rows.one(flag("out_valid").of(link).known_as("valid"), self.out_valid);
        rows.one(flag("out_head").of(link).known_as("head"), self.out_head);
        rows.one(vc_number("out_vc").of(link).known_as("vc"), self.out_vc);
        rows.many(flit_word("out_flit").of(link).known_as("flit"), self.out_flit.iter().copied());
        rows.one(phase("out_phase").of(link).known_as("phase"), self.out_phase);
        rows.one(flag("out_hint").of(link).known_as("hint"), self.out_hint);
        rows.many(phase("phase_early"), self.phase_early);
        rows.many(flag("hint_early"), self.hint_early);
        rows.one(flag("choosing"), self.choosing);
        rows.one(set("choices", v), self.choices);
        rows.one(choice("next_vc", v), self.next_vc);
        rows.one(choice("current_vc", v), self.current_vc);
        rows.owners(Owner::OutputVc, "credit", &self.credits);
        rows.child("vc_allocator", [&self.vc_allocator]);
    }
}

impl Block for OutputPort {
    type Inputs<'a> = OutputPortInputs<'a>;

    fn outputs(&self, seen: &OutputPortInputs, rows: &mut RegisterRows) {
        let (v, link) = (self.credits.len(), Owner::OutputLink);
        rows.one(set("open", v), self.open);
        rows.one(flag("prefer"), self.prefer);
        if self.shows_room {
            rows.one(set("room", v), self.room);
        }
        rows.one(flag("out_valid").of(link), self.out_valid);
        rows.one(flag("out_head").of(link), self.out_head);
        rows.one(vc_number("out_vc").of(link), self.out_vc);
        rows.many(flit_word("out_flit").of(link), self.out_flit.iter().copied());
        rows.one(phase("out_phase").of(link), self.out_phase);
        rows.one(flag("out_hint").of(link), self.out_hint);
        if self.shows_occupancy {
            rows.one(fill("occupancy"), self.occupancy());
        }
        rows.one(flag("credit_error"), self.credit_error(seen));
    }

    fn edge(&mut self, rst: bool, seen: &OutputPortInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}
