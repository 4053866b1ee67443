//! Section 5.10: an output port: its credits, the output VC of a packet, and the registers of the link.

use crate::bits::{is_set, ones};
use crate::lock_step::{Block, Observed};
use crate::reference::arbiters::PortArbiter;
use crate::reference::links::CreditCounter;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::{Config, Role, SignalDecl};

/// An output port; the public fields are its children and its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputPort {
    pub credits: Vec<CreditCounter>,
    pub vc_allocator: PortArbiter,
    pub out_valid: bool,
    pub out_head: bool,
    pub out_vc: u8,
    pub out_flit: Vec<u64>,
    pub out_power_state: u8,
    pub power_state_early: u8,
    pub credit_errors: u32,
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
    pub power_state: u8,
    pub out_credit_valid: bool,
    pub out_credit_vc: u8,
    pub clear: bool,
}

impl OutputPort {
    /// An output port of this configuration's switch in its state after reset.
    pub fn new(config: &Config) -> Self {
        OutputPort {
            credits: vec![CreditCounter::new(config); config.switch.vcs],
            vc_allocator: PortArbiter::new(config.switch.vcs),
            out_valid: false,
            out_head: false,
            out_vc: 0,
            out_flit: vec![0; config.switch.flit_words()],
            out_power_state: 0,
            power_state_early: 0,
            credit_errors: 0,
        }
    }

    fn vector(&self, property: impl Fn(&CreditCounter) -> bool) -> u64 {
        self.credits.iter().enumerate().fold(0, |vector, (v, credit)| vector | u64::from(property(credit)) << v)
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

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        self.credits.iter_mut().for_each(CreditCounter::reset);
        self.vc_allocator.reset();
        (self.out_valid, self.out_head, self.out_vc) = (false, false, 0);
        self.out_flit.fill(0);
        (self.out_power_state, self.power_state_early, self.credit_errors) = (0, 0, 0);
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &OutputPortInputs) {
        let returned = |v: usize| inputs.out_credit_valid && usize::from(inputs.out_credit_vc) == v;
        let sent = |v: usize| is_set(inputs.departing_vc, v);
        let wrong = self.credits.iter().enumerate().any(|(v, credit)| credit.error(sent(v), returned(v)));
        let unknown_vc = inputs.out_credit_valid && usize::from(inputs.out_credit_vc) >= self.credits.len();
        self.credit_errors =
            if inputs.clear { 0 } else { self.credit_errors.wrapping_add((wrong || unknown_vc).into()) };
        self.vc_allocator.clock(self.request(inputs.allowed), inputs.given);
        for (v, credit) in self.credits.iter_mut().enumerate() {
            credit.clock(sent(v), returned(v));
        }
        (self.out_valid, self.out_head) = (inputs.valid, inputs.head);
        self.out_vc = ones(inputs.vc).fold(0, |number, v| number | v as u8);
        self.out_flit.copy_from_slice(inputs.flit);
        self.out_power_state = self.power_state_early;
        self.power_state_early = inputs.power_state;
    }
}

impl Registers for OutputPort {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one("out_valid", 1, self.out_valid);
        rows.one("out_head", 1, self.out_head);
        rows.one("out_vc", 3, self.out_vc);
        rows.many("out_flit", 32, self.out_flit.iter().copied());
        rows.one("out_power_state", 2, self.out_power_state);
        rows.one("power_state_early", 2, self.power_state_early);
        rows.one("credit_errors", 32, self.credit_errors);
        rows.child("credit", &self.credits);
        rows.child("vc_allocator", [&self.vc_allocator]);
    }
}

impl Block for OutputPort {
    fn signals(&self) -> Vec<SignalDecl> {
        let (v, w) = (self.credits.len(), self.out_flit.len());
        let inputs = [
            ("rst", 1, 1),
            ("given", 1, 1),
            ("allowed", 1, v),
            ("departing_vc", 1, v),
            ("valid", 1, 1),
            ("head", 1, 1),
            ("vc", 1, v),
            ("flit", w, 32),
            ("power_state", 1, 2),
            ("out_credit_valid", 1, 1),
            ("out_credit_vc", 1, 3),
            ("clear", 1, 1),
        ];
        let outputs = [
            ("room", 1, v),
            ("given_vc", 1, v),
            ("out_valid", 1, 1),
            ("out_head", 1, 1),
            ("out_vc", 1, 3),
            ("out_flit", w, 32),
            ("out_power_state", 1, 2),
            ("credit_errors", 1, 32),
        ];
        let mut signals: Vec<SignalDecl> = Vec::new();
        for (role, list) in [(Role::Input, &inputs[..]), (Role::Output, &outputs[..])] {
            signals.extend(list.iter().map(|&(name, rows, width)| SignalDecl::new(role, name, rows, width)));
        }
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let w = self.out_flit.len();
        let rest = &inputs[7 + w..];
        let seen = OutputPortInputs {
            given: inputs[1] == 1,
            allowed: inputs[2],
            departing_vc: inputs[3],
            valid: inputs[4] == 1,
            head: inputs[5] == 1,
            vc: inputs[6],
            flit: &inputs[7..7 + w],
            power_state: rest[0] as u8,
            out_credit_valid: rest[1] == 1,
            out_credit_vc: rest[2] as u8,
            clear: rest[3] == 1,
        };
        observed.rows([self.room(), self.given_vc(seen.given, seen.allowed)]);
        observed.rows([self.out_valid, self.out_head]);
        observed.put(self.out_vc);
        observed.rows(self.out_flit.iter().copied());
        observed.put(self.out_power_state);
        observed.put(self.credit_errors);
        RegisterRows::of(self).observe(observed);
        if inputs[0] == 1 { self.reset() } else { self.clock(&seen) }
    }
}
