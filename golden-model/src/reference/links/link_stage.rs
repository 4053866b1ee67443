//! `link_stage`: registers on a link, in both directions.

use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{flag, flit_word, phase, vc_number};
use powar_config::{Config, Habit, Owner, SignalSpec};
use std::collections::VecDeque;

inputs! {
    /// What the sender of a link drives in a cycle.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Forward of (words, flits, told): (usize, Habit, Habit) {
        pub valid: bool = flag("in_valid").of(Owner::InputLink).habit(flits),
        pub head: bool = flag("in_head").of(Owner::InputLink),
        pub vc: u8 = vc_number("in_vc").of(Owner::InputLink),
        /// The words of the flit, one a slot.
        pub flit: Vec<u64> = flit_word("in_flit").rows(Owner::InputLink, words),
        /// Code of the phase.
        pub phase: u8 = phase("in_phase").of(Owner::InputLink).habit(told),
        pub hint: bool = flag("in_hint").of(Owner::InputLink).habit(told),
    }
}

inputs! {
    /// What the receiver drives.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Back {
        pub credit_valid: bool = flag("out_credit_valid").of(Owner::OutputLink),
        pub credit_vc: u8 = vc_number("out_credit_vc").of(Owner::OutputLink),
    }
}

/// Registers on a link; each list holds the stages, the one that takes the inputs first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkStage {
    words: usize,
    pub forward: VecDeque<Forward>,
    pub back: VecDeque<Back>,
}

impl Forward {
    /// As outputs.
    pub(super) fn show(&self, rows: &mut RegisterRows) {
        let link = Owner::OutputLink;
        rows.one(flag("out_valid").of(link), self.valid);
        rows.one(flag("out_head").of(link), self.head);
        rows.one(vc_number("out_vc").of(link), self.vc);
        rows.many(flit_word("out_flit").of(link), self.flit.iter().copied());
        rows.one(phase("out_phase").of(link), self.phase);
        rows.one(flag("out_hint").of(link), self.hint);
    }
}

impl Back {
    /// As outputs.
    pub(super) fn show(&self, rows: &mut RegisterRows) {
        rows.one(flag("in_credit_valid").of(Owner::InputLink), self.credit_valid);
        rows.one(vc_number("in_credit_vc").of(Owner::InputLink), self.credit_vc);
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

inputs! {
    /// What both ends drive in a cycle.
    #[derive(Clone, Debug)]
    pub struct LinkStageInputs of block: &LinkStage {
        pub forward: Forward = (block.words, Habit::AsMeant, Habit::AsMeant),
        pub back: Back = (),
    }
}

impl Block for LinkStage {
    type Inputs<'a> = LinkStageInputs;

    fn outputs(&self, _: &LinkStageInputs, rows: &mut RegisterRows) {
        self.to_receiver().show(rows);
        self.to_sender().show(rows);
    }

    fn edge(&mut self, rst: bool, seen: &LinkStageInputs) {
        if rst { self.reset() } else { self.clock(seen.forward.clone(), seen.back) }
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
