//! `link_crossing`: a link from a sender to a receiver with another clock.
//!
//! A step of the model is no cycle of either clock: it says which of the two rise at its end. Flip-flops take what there was before the
//! step; in a model that is [`LinkCrossing::uncertain`] the first ones of each synchroniser take, bit by bit, that or what there is after it, as real
//! ones may if both clocks rise at the same moment.

use super::CrossingSizes;
use super::crossing_receiver::CrossingReceiver;
use super::crossing_sender::{CrossingSender, Entry};
use super::link_stage::{Back, Forward};
use super::synchroniser::Synchroniser;
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{clock_edge, flag, reset};
use powar_config::{Config, Habit, Owner};

inputs! {
    /// What a step is taken with.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct CrossingInputs of block: &LinkCrossing {
        /// The resets of the sender and of the receiver.
        pub send_rst: bool = reset("send_rst"),
        pub receive_rst: bool = reset("receive_rst"),
        /// Their clocks rise at the end of the step.
        pub send_edge: bool = clock_edge("send_edge"),
        pub receive_edge: bool = clock_edge("receive_edge"),
        /// What the sender drives, and the receiver.
        pub forward: Forward = (block.words, Habit::Tide, Habit::Held),
        pub back: Back = (),
    }
}

/// A place of the queue, or the memories' outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    entry: Entry,
    flit: Vec<u64>,
}

/// The block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkCrossing {
    words: usize,
    pub sender: CrossingSender,
    pub receiver: CrossingReceiver,
    /// Neither these nor the word read last know a reset.
    queue: Vec<Word>,
    fetched: Word,
    /// State of the random numbers that say which bits are taken before they change and which after it; `None`: all before.
    uncertain: Option<u64>,
}

impl LinkCrossing {
    /// That of this configuration's links, in its state after reset.
    pub fn new(config: &Config) -> Self {
        LinkCrossing::of(CrossingSizes::new(config), config.switch.flit_words())
    }

    fn of(sizes: CrossingSizes, words: usize) -> Self {
        let word = Word { entry: Entry::default(), flit: vec![0; words] };
        LinkCrossing {
            words,
            sender: CrossingSender::of(sizes),
            receiver: CrossingReceiver::of(sizes),
            queue: vec![word.clone(); 1 << sizes.place_bits],
            fetched: word,
            uncertain: None,
        }
    }

    /// The same, with bits that change while a synchroniser takes them taken before or after that at random.
    pub fn uncertain(config: &Config, seed: u64) -> Self {
        LinkCrossing { uncertain: Some(seed), ..LinkCrossing::new(config) }
    }

    /// What the receiver sees in this step.
    pub fn to_receiver(&self) -> Forward {
        let Entry { valid, head, vc, phase, hint } = self.receiver.link(self.fetched.entry);
        Forward { valid, head, vc, flit: self.fetched.flit.clone(), phase, hint }
    }

    /// What the sender sees in this step.
    pub fn to_sender(&self) -> Back {
        self.sender.credit
    }

    fn credit_gray(&self) -> Vec<u16> {
        self.receiver.returned.iter().map(|counter| counter.gray).collect()
    }

    /// The end of a step.
    pub fn clock(&mut self, inputs: &CrossingInputs) {
        // Each half sees the other as it is before the edges.
        let (written_gray, read_gray, credit_gray) =
            (self.sender.written.gray, self.receiver.read.gray, self.credit_gray());
        let entry = Entry::of(&inputs.forward);
        if inputs.receive_edge {
            if let Some(place) = self.receiver.fetches() {
                self.fetched = self.queue[place].clone();
            }
            match inputs.receive_rst {
                true => self.receiver.reset(),
                false => self.receiver.clock(written_gray, inputs.back),
            }
        }
        if inputs.send_edge {
            if let Some(place) = self.sender.stores(entry) {
                self.queue[place] = Word { entry, flit: inputs.forward.flit.clone() };
            }
            match inputs.send_rst {
                true => self.sender.reset(),
                false => self.sender.clock(entry, read_gray, &credit_gray),
            }
        }
    }

    /// The end of a step in which `newer` says of each bit that a synchroniser takes while it changes whether the new value is taken.
    pub fn clock_uncertain(&mut self, inputs: &CrossingInputs, newer: &mut dyn FnMut() -> bool) {
        self.clock(inputs);
        if !inputs.send_edge || !inputs.receive_edge {
            return;
        }
        let (written_gray, read_gray, credit_gray) =
            (self.sender.written.gray, self.receiver.read.gray, self.credit_gray());
        let mut blur = |synchroniser: &mut Synchroniser, now: u16| {
            let changes = synchroniser.first ^ now;
            let taken = (0..16).filter(|place| changes >> place & 1 == 1).filter(|_| newer());
            synchroniser.first ^= taken.fold(0, |bits, place| bits | 1 << place);
        };
        if !inputs.receive_rst {
            blur(&mut self.receiver.written, written_gray);
        }
        if !inputs.send_rst {
            blur(&mut self.sender.read, read_gray);
            self.sender.returned.iter_mut().zip(credit_gray).for_each(|(returned, gray)| blur(returned, gray));
        }
    }
}

/// The next of a row of random bits: a step of Marsaglia's xorshift generator with the shifts 13, 7 and 17.
fn random_bit(state: &mut u64) -> bool {
    *state = (*state).max(1);
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state >> 63 == 1
}

impl Registers for LinkCrossing {
    fn list(&self, rows: &mut RegisterRows) {
        rows.child_of(Owner::InputLink, "sender", [&self.sender]);
        rows.child_of(Owner::OutputLink, "receiver", [&self.receiver]);
    }
}

impl Block for LinkCrossing {
    type Inputs<'a> = CrossingInputs;
    const HAS_RST: bool = false;

    fn outputs(&self, _: &CrossingInputs, rows: &mut RegisterRows) {
        self.to_receiver().show(rows);
        self.to_sender().show(rows);
        rows.one(flag("overflow_error").of(Owner::InputLink), self.sender.overflow_error);
    }

    fn edge(&mut self, _: bool, seen: &CrossingInputs) {
        match self.uncertain {
            None => self.clock(seen),
            Some(mut state) => {
                self.clock_uncertain(seen, &mut || random_bit(&mut state));
                self.uncertain = Some(state);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crossing() -> LinkCrossing {
        LinkCrossing::of(CrossingSizes { vcs: 2, place_bits: 3, credit_bits: 3 }, 1)
    }

    fn inputs(valid: bool, number: u64, back: Back) -> CrossingInputs {
        let forward = Forward { valid, head: valid, vc: 1, flit: vec![number], phase: 5, hint: true };
        let (send_edge, receive_edge, send_rst, receive_rst) = (true, true, false, false);
        CrossingInputs { send_edge, receive_edge, send_rst, receive_rst, forward, back }
    }

    #[test]
    fn with_clocks_in_step_a_flit_and_a_credit_take_four_cycles() {
        let mut link = crossing();
        let credit = |credit_valid| Back { credit_valid, credit_vc: 1 };
        let mut shown = vec![];
        for cycle in 0..7 {
            let (flit, back) = (link.to_receiver(), link.to_sender());
            shown.push((flit.valid, flit.phase, back.credit_valid));
            link.clock(&inputs(cycle == 0, 7, credit(cycle == 0)));
        }
        let idle = (false, 0, false);
        let after = (false, 5, false);
        assert_eq!(shown, [idle, idle, idle, idle, (true, 5, true), after, after]);
        assert_eq!((link.to_receiver().flit, link.to_receiver().hint, link.to_sender().credit_vc), (vec![7], true, 0));
    }

    #[test]
    fn a_bit_that_is_taken_while_it_changes_may_be_the_new_one() {
        let latency = |newer: bool| {
            let mut link = crossing();
            (0..9).find(|&cycle| {
                let valid = link.to_receiver().valid;
                link.clock_uncertain(&inputs(cycle == 0, 7, Back::default()), &mut || newer);
                valid
            })
        };
        assert_eq!((latency(false), latency(true)), (Some(4), Some(3)));
    }

    #[test]
    fn each_half_has_the_reset_of_its_own_clock() {
        let mut link = crossing();
        link.clock(&inputs(true, 7, Back { credit_valid: true, credit_vc: 0 }));
        let of_sender = CrossingInputs { send_rst: true, ..inputs(true, 8, Back::default()) };
        link.clock(&of_sender);
        assert_eq!(link.sender, crossing().sender);
        assert_ne!(link.receiver, crossing().receiver);
        link.clock(&CrossingInputs { receive_edge: false, receive_rst: true, ..of_sender.clone() });
        assert_ne!(link.receiver, crossing().receiver);
        link.clock(&CrossingInputs { receive_rst: true, ..of_sender });
        assert_eq!(link.receiver, crossing().receiver);
    }
}
