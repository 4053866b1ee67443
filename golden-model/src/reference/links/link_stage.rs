//! `link_stage`: registers on a link, in both directions.

use crate::lock_step::{Frames, Observed, Slots, declare};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{RST, flag, flit_word, phase, vc_number};
use powar_config::{Config, Owner, Role, SignalDecl, SignalSpec};
use std::collections::VecDeque;

/// What the sender of a link drives in a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forward {
    pub valid: bool,
    pub head: bool,
    pub vc: u8,
    /// The words of the flit, one a slot.
    pub flit: Vec<u64>,
    /// Code of the phase.
    pub phase: u8,
    pub hint: bool,
}

/// What the receiver drives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Back {
    pub credit_valid: bool,
    pub credit_vc: u8,
}

/// Registers on a link; each list holds the stages, the one that takes the inputs first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkStage {
    words: usize,
    pub forward: VecDeque<Forward>,
    pub back: VecDeque<Back>,
}

impl Forward {
    /// The inputs of a receiver, in the order of the link's signals, with so many words a flit.
    pub fn take(slots: &mut Slots, words: usize) -> Forward {
        Forward {
            valid: slots.bit(),
            head: slots.bit(),
            vc: slots.one() as u8,
            flit: slots.rows(words).to_vec(),
            phase: slots.one() as u8,
            hint: slots.bit(),
        }
    }

    /// As outputs, in the same order.
    pub fn show(&self, observed: &mut Observed) {
        observed.rows([self.valid, self.head]);
        observed.put(self.vc);
        observed.rows(self.flit.iter().copied());
        observed.put(self.phase);
        observed.put(self.hint);
    }
}

impl Back {
    /// The inputs of a sender, in the order of the link's signals.
    pub fn take(slots: &mut Slots) -> Back {
        Back { credit_valid: slots.bit(), credit_vc: slots.one() as u8 }
    }

    /// As outputs, in the same order.
    pub fn show(&self, observed: &mut Observed) {
        observed.put(self.credit_valid);
        observed.put(self.credit_vc);
    }
}

impl LinkStage {
    /// The registers of this configuration's links, in their state after reset.
    pub fn new(config: &Config) -> Self {
        LinkStage::of(config.switch.link_stages, config.switch.flit_words())
    }

    fn of(stages: usize, words: usize) -> Self {
        let idle = Forward { valid: false, head: false, vc: 0, flit: vec![0; words], phase: 0, hint: false };
        let (forward, back) = (vec![idle; stages], vec![Back::default(); stages]);
        LinkStage { words, forward: forward.into(), back: back.into() }
    }

    /// What the receiver sees in this cycle.
    pub fn to_receiver(&self) -> &Forward {
        self.forward.back().expect("there is a stage")
    }

    /// What the sender sees in this cycle.
    pub fn to_sender(&self) -> Back {
        *self.back.back().expect("there is a stage")
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = LinkStage::of(self.forward.len(), self.words);
    }

    /// The clock edge.
    pub fn clock(&mut self, forward: Forward, back: Back) {
        self.forward.pop_back();
        self.forward.push_front(forward);
        self.back.pop_back();
        self.back.push_front(back);
    }
}

impl Registers for LinkStage {
    fn list(&self, rows: &mut RegisterRows) {
        let of = |signal: SignalSpec| signal.of(Owner::OutputLink);
        rows.many(of(flag("valid")), self.forward.iter().map(|stage| stage.valid));
        rows.many(of(flag("head")), self.forward.iter().map(|stage| stage.head));
        rows.many(of(vc_number("vc")), self.forward.iter().map(|stage| stage.vc));
        rows.many(of(flit_word("flit")), self.forward.iter().flat_map(|stage| stage.flit.iter().copied()));
        rows.many(of(phase("phase")), self.forward.iter().map(|stage| stage.phase));
        rows.many(of(flag("hint")), self.forward.iter().map(|stage| stage.hint));
        rows.many(of(flag("credit_valid")), self.back.iter().map(|stage| stage.credit_valid));
        rows.many(of(vc_number("credit_vc")), self.back.iter().map(|stage| stage.credit_vc));
    }
}

impl Frames for LinkStage {
    fn signals(&self) -> Vec<SignalDecl> {
        let (from, to, w) = (Owner::InputLink, Owner::OutputLink, self.words);
        let inputs = [
            RST,
            flag("in_valid").of(from),
            flag("in_head").of(from),
            vc_number("in_vc").of(from),
            flit_word("in_flit").rows(from, w),
            phase("in_phase").of(from),
            flag("in_hint").of(from),
            flag("out_credit_valid").of(to),
            vc_number("out_credit_vc").of(to),
        ];
        let outputs = [
            flag("out_valid").of(to),
            flag("out_head").of(to),
            vc_number("out_vc").of(to),
            flit_word("out_flit").rows(to, w),
            phase("out_phase").of(to),
            flag("out_hint").of(to),
            flag("in_credit_valid").of(from),
            vc_number("in_credit_vc").of(from),
        ];
        let mut signals = declare(Role::Input, inputs);
        signals.extend(declare(Role::Output, outputs));
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let mut slots = Slots(inputs);
        let rst = slots.bit();
        let (forward, back) = (Forward::take(&mut slots, self.words), Back::take(&mut slots));
        self.to_receiver().show(observed);
        self.to_sender().show(observed);
        RegisterRows::of(self).observe(observed);
        if rst { self.reset() } else { self.clock(forward, back) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flits_and_credits_come_out_after_as_many_cycles_as_there_are_stages() {
        let mut link = LinkStage::of(3, 1);
        let flit = |number: u64| Forward { valid: true, head: true, vc: 5, flit: vec![number], phase: 4, hint: true };
        let credit = Back { credit_valid: true, credit_vc: 6 };
        link.clock(flit(1), credit);
        link.clock(flit(2), Back::default());
        assert!(!link.to_receiver().valid && !link.to_sender().credit_valid);
        link.clock(flit(3), Back::default());
        assert_eq!((link.to_receiver(), link.to_sender()), (&flit(1), credit));
        link.clock(flit(4), Back::default());
        assert_eq!((link.to_receiver(), link.to_sender()), (&flit(2), Back::default()));
        link.reset();
        assert_eq!(link, LinkStage::of(3, 1));
    }
}
