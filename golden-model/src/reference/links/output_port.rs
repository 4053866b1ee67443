//! `output_port`: an output port: its credits, the output VC of a packet, and the registers of the link.

use crate::bits::{self, is_set, ones};
use crate::lock_step::{Frames, Observed, Slots, declare, output};
use crate::reference::arbiters::PortArbiter;
use crate::reference::links::{CreditCounter, shows_occupancy};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{RST, choice, fill, flag, flit_word, phase, set, vc_number};
use powar_config::{Config, Habit, Owner, Role, Sees, SignalDecl, SignalSpec};

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

/// What an output port sees in a cycle. Vectors over virtual channels have one bit each.
#[derive(Clone, Copy, Debug)]
pub struct OutputPortInputs<'a> {
    /// The port was given to a packet in the cycle before.
    pub granted: bool,
    /// It is given to one in this cycle; not looked at but in a switch for short packets.
    pub given: bool,
    /// The output VCs allowed to it.
    pub allowed: u64,
    /// The port is held by nobody in the next cycle; may be given to a packet; is taken before others.
    pub free_next: bool,
    pub grantable: bool,
    pub preferred: bool,
    /// A flit comes from the crossbar, a head flit.
    pub valid: bool,
    pub head: bool,
    /// The words of that flit, one a slot.
    pub flit: &'a [u64],
    /// Code of the port's phase, and its hint.
    pub phase: u8,
    pub hint: bool,
    pub out_credit_valid: bool,
    pub out_credit_vc: u8,
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

impl Frames for OutputPort {
    fn signals(&self) -> Vec<SignalDecl> {
        let (v, w) = (self.credits.len(), self.out_flit.len());
        let link = Owner::OutputLink;
        let inputs = [
            RST,
            flag("granted"),
            flag("given"),
            set("allowed", v).habit(Habit::Usual),
            flag("free_next").habit(Habit::Usual),
            flag("grantable").habit(Habit::Usual),
            flag("preferred"),
            flag("valid"),
            flag("head"),
            SignalSpec { rows: w, ..flit_word("flit") },
            phase("phase"),
            flag("hint"),
            flag("out_credit_valid").of(link).habit(Habit::Tide),
            vc_number("out_credit_vc").of(link),
        ];
        let to_allocator = [set("open", v), flag("prefer")];
        let outputs = [
            flag("out_valid").of(link),
            flag("out_head").of(link),
            vc_number("out_vc").of(link),
            flit_word("out_flit").rows(link, w),
            phase("out_phase").of(link),
            flag("out_hint").of(link),
        ];
        let is_there = |signal: &SignalSpec| signal.name != "given" || self.short_packets;
        let mut signals = declare(Role::Input, inputs.into_iter().filter(is_there));
        signals.extend(declare(Role::Output, to_allocator));
        signals.extend(self.shows_room.then(|| output(set("room", v))));
        signals.extend(declare(Role::Output, outputs));
        signals.extend(self.shows_occupancy.then(|| output(fill("occupancy"))));
        signals.push(output(flag("credit_error")));
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let w = self.out_flit.len();
        let mut slots = Slots(inputs);
        let rst = slots.bit();
        let seen = OutputPortInputs {
            granted: slots.bit(),
            given: self.short_packets && slots.bit(),
            allowed: slots.one(),
            free_next: slots.bit(),
            grantable: slots.bit(),
            preferred: slots.bit(),
            valid: slots.bit(),
            head: slots.bit(),
            flit: slots.rows(w),
            phase: slots.one() as u8,
            hint: slots.bit(),
            out_credit_valid: slots.bit(),
            out_credit_vc: slots.one() as u8,
        };
        observed.put(self.open);
        observed.put(self.prefer);
        if self.shows_room {
            observed.put(self.room);
        }
        observed.rows([self.out_valid, self.out_head]);
        observed.put(self.out_vc);
        observed.rows(self.out_flit.iter().copied());
        observed.put(self.out_phase);
        observed.put(self.out_hint);
        if self.shows_occupancy {
            observed.put(self.occupancy());
        }
        observed.put(self.credit_error(&seen));
        RegisterRows::of(self).observe(observed);
        if rst { self.reset() } else { self.clock(&seen) }
    }
}
