//! `output_port`: an output port: its credits, the output VC of a packet, and the registers of the link.

use crate::bits::{self, is_set, ones};
use crate::lock_step::{Block, Observed, Slots, declare, output};
use crate::reference::arbiters::PortArbiter;
use crate::reference::links::{CreditCounter, shows_occupancy};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{RST, choice, fill, flag, flags, flit_word, phase, set, vc_number};
use powar_config::{Config, Habit, Owner, Role, Sees, SignalDecl, SignalSpec};

/// An output port; the public fields are its children and its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputPort {
    /// The power mechanism or the routing sees `occupancy`.
    shows_occupancy: bool,
    depth: u64,
    pub credits: Vec<CreditCounter>,
    pub vc_allocator: PortArbiter,
    pub out_valid: bool,
    pub out_head: bool,
    pub out_vc: u8,
    pub out_flit: Vec<u64>,
    pub out_phase: u8,
    pub out_hint: bool,
    pub phase_early: u8,
    pub hint_early: bool,
}

/// What an output port sees in a cycle. Vectors over virtual channels have one bit each.
#[derive(Clone, Copy, Debug)]
pub struct OutputPortInputs<'a> {
    pub given: bool,
    pub allowed: u64,
    /// Output VC of the flit that departs, one-hot; 0 = none.
    pub departing_vc: u64,
    pub valid: bool,
    pub head: bool,
    /// Output VC of the flit from the crossbar, one-hot; 0 = none.
    pub vc: u64,
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
            depth: config.switch.vc_depth() as u64,
            credits: vec![CreditCounter::new(config, sees); config.switch.vcs],
            vc_allocator: PortArbiter::new(config.switch.vcs),
            out_valid: false,
            out_head: false,
            out_vc: 0,
            out_flit: vec![0; config.switch.flit_words()],
            out_phase: 0,
            out_hint: false,
            phase_early: 0,
            hint_early: false,
        }
    }

    fn vector(&self, property: impl Fn(&CreditCounter) -> bool) -> u64 {
        bits::vector(&self.credits, |_, credit| property(credit))
    }

    /// Output VCs with room for a packet.
    pub fn room(&self) -> u64 {
        self.vector(CreditCounter::room)
    }

    /// What the packet that is given the port may ask for.
    fn request(&self, allowed: u64) -> u64 {
        allowed & self.vector(CreditCounter::fits)
    }

    /// Output VC of the packet that is given the port, one-hot.
    pub fn given_vc(&self, given: bool, allowed: u64) -> u64 {
        self.vc_allocator.grant(self.request(allowed), given)
    }

    /// Flits in the buffer at the other end and on the way there and back.
    pub fn occupancy(&self) -> u64 {
        let credits: u64 = self.credits.iter().map(|credit| u64::from(credit.credits)).sum();
        self.depth * self.credits.len() as u64 - credits
    }

    fn returned(&self, v: usize, inputs: &OutputPortInputs) -> bool {
        inputs.out_credit_valid && usize::from(inputs.out_credit_vc) == v
    }

    /// A credit for nothing or for no virtual channel, or a flit without a credit.
    pub fn credit_error(&self, inputs: &OutputPortInputs) -> bool {
        let sent = |v: usize| is_set(inputs.departing_vc, v);
        let mut credits = self.credits.iter().enumerate();
        let wrong = credits.any(|(v, credit)| credit.error(sent(v), self.returned(v, inputs)));
        wrong || inputs.out_credit_valid && usize::from(inputs.out_credit_vc) >= self.credits.len()
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        self.credits.iter_mut().for_each(CreditCounter::reset);
        self.vc_allocator.reset();
        (self.out_valid, self.out_head, self.out_vc) = (false, false, 0);
        self.out_flit.fill(0);
        (self.out_phase, self.out_hint, self.phase_early, self.hint_early) = (0, false, 0, false);
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &OutputPortInputs) {
        let returned: Vec<bool> = (0..self.credits.len()).map(|v| self.returned(v, inputs)).collect();
        self.vc_allocator.clock(self.request(inputs.allowed), inputs.given);
        for (v, credit) in self.credits.iter_mut().enumerate() {
            credit.clock(is_set(inputs.departing_vc, v), returned[v]);
        }
        (self.out_valid, self.out_head) = (inputs.valid, inputs.head);
        self.out_vc = ones(inputs.vc).fold(0, |number, v| number | v as u8);
        self.out_flit.copy_from_slice(inputs.flit);
        (self.out_phase, self.out_hint) = (self.phase_early, self.hint_early);
        (self.phase_early, self.hint_early) = (inputs.phase, inputs.hint);
    }
}

impl Registers for OutputPort {
    fn list(&self, rows: &mut RegisterRows) {
        let link = Owner::OutputLink;
        rows.one(flag("out_valid").of(link).known_as("valid"), self.out_valid);
        rows.one(flag("out_head").of(link).known_as("head"), self.out_head);
        rows.one(vc_number("out_vc").of(link).known_as("vc"), self.out_vc);
        rows.many(flit_word("out_flit").of(link).known_as("flit"), self.out_flit.iter().copied());
        rows.one(phase("out_phase").of(link).known_as("phase"), self.out_phase);
        rows.one(flag("out_hint").of(link).known_as("hint"), self.out_hint);
        rows.one(phase("phase_early"), self.phase_early);
        rows.one(flag("hint_early"), self.hint_early);
        rows.owners(Owner::OutputVc, "credit", &self.credits);
        rows.child("vc_allocator", [&self.vc_allocator]);
    }
}

impl Block for OutputPort {
    fn signals(&self) -> Vec<SignalDecl> {
        let (v, w) = (self.credits.len(), self.out_flit.len());
        let link = Owner::OutputLink;
        let inputs = [
            RST,
            flag("given"),
            set("allowed", v).habit(Habit::Usual),
            choice("departing_vc", v),
            flag("valid"),
            flag("head"),
            choice("vc", v),
            SignalSpec { rows: w, ..flit_word("flit") },
            phase("phase"),
            flag("hint"),
            flag("out_credit_valid").of(link).habit(Habit::Tide),
            vc_number("out_credit_vc").of(link),
        ];
        let outputs = [
            flags("room", Owner::OutputVc, v),
            choice("given_vc", v),
            flag("out_valid").of(link),
            flag("out_head").of(link),
            vc_number("out_vc").of(link),
            flit_word("out_flit").rows(link, w),
            phase("out_phase").of(link),
            flag("out_hint").of(link),
        ];
        let mut signals = declare(Role::Input, inputs);
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
            given: slots.bit(),
            allowed: slots.one(),
            departing_vc: slots.one(),
            valid: slots.bit(),
            head: slots.bit(),
            vc: slots.one(),
            flit: slots.rows(w),
            phase: slots.one() as u8,
            hint: slots.bit(),
            out_credit_valid: slots.bit(),
            out_credit_vc: slots.one() as u8,
        };
        observed.rows([self.room(), self.given_vc(seen.given, seen.allowed)]);
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
