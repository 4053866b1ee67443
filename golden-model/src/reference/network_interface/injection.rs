//! `injection`: which packet of a node starts, and its flits on the link.

use super::{Entry, header_queue::ENTRY_BITS};
use crate::bits::{is_set, ones, rotated_up, vector};
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::arbiters::round_robin;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{choice, count, destination, flag, flags, flit_word, header, phase, pointer, vc_number};
use powar_config::{Config, Habit, Owner, Phase, SignalSpec};

/// The sender of a network interface; the public fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Injection {
    depth: u16,
    /// Free places of each virtual channel at the other end.
    pub credits: Vec<u16>,
    /// The credit on the link in the cycle before.
    pub returned_valid: bool,
    pub returned_vc: u8,
    /// Virtual channel of the packet that started last, one-hot.
    pub sending: u64,
    /// Flits of it that are still to be decided on.
    pub remaining: u16,
    /// One-hot pointer: where the search for the next packet starts.
    pub pointer: u64,
    /// What goes to the link next.
    pub valid_early: bool,
    pub head_early: bool,
    pub vc_early: u8,
    pub hint_early: bool,
    /// Header of the packet that started last.
    pub header_early: u32,
    pub out_valid: bool,
    pub out_head: bool,
    pub out_vc: u8,
    pub out_flit: Vec<u64>,
    pub out_hint: bool,
}

inputs! {
    /// What the sender sees in a cycle. Vectors over virtual channels have one bit each.
    #[derive(Clone, Copy, Debug)]
    pub struct InjectionInputs<'a> of block: &Injection {
        /// Packed address of this node.
        // A node's address does not change while it is at work.
        pub source: u16 = destination("source").habit(Habit::Held),
        /// Virtual channels with a packet.
        pub waiting: u64 = flags("waiting", Owner::OutputVc, block.vcs()).habit(Habit::Tide),
        /// The header of the oldest one, a slot a virtual channel.
        pub header: &'a [u64] = header("header", ENTRY_BITS).rows(Owner::OutputVc, block.vcs()),
        /// The words of the beat for which `read` was in the cycle before.
        pub flit: &'a [u64] = flit_word("flit").rows(Owner::Block, block.out_flit.len()),
        pub hint: bool = flag("hint"),
        pub out_credit_valid: bool = CREDIT_VALID,
        pub out_credit_vc: u8 = CREDIT_VC,
    }
}

/// What is decided on in a cycle, one-hot by virtual channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decision {
    /// A packet starts: its head flit.
    pub start: u64,
    /// A beat is sent.
    pub read: u64,
}

impl Decision {
    /// Some flit is sent.
    pub fn busy(self) -> bool {
        self.start | self.read != 0
    }
}

impl Injection {
    /// The sender of a node at this configuration's switch, in its state after reset.
    pub fn new(config: &Config) -> Self {
        let (vcs, words) = (config.switch.vcs, config.switch.flit_words());
        Injection::of(config.switch.vc_depth() as u16, vcs, words)
    }

    fn of(depth: u16, vcs: usize, words: usize) -> Self {
        Injection {
            depth,
            credits: vec![depth; vcs],
            returned_valid: false,
            returned_vc: 0,
            sending: 0,
            remaining: 0,
            pointer: 1,
            valid_early: false,
            head_early: false,
            vc_early: 0,
            hint_early: false,
            header_early: 0,
            out_valid: false,
            out_head: false,
            out_vc: 0,
            out_flit: vec![0; words],
            out_hint: false,
        }
    }

    fn vcs(&self) -> usize {
        self.credits.len()
    }

    /// What is decided on in this cycle, if these packets wait.
    pub fn decision(&self, waiting: u64, header: &[u64]) -> Decision {
        if self.remaining != 0 {
            return Decision { start: 0, read: self.sending };
        }
        let enough = |v: usize, &credits: &u16| is_set(waiting, v) && credits >= Entry::of(header[v] as u32).length;
        Decision { start: round_robin(vector(&self.credits, enough), self.pointer, self.vcs()), read: 0 }
    }

    fn returned(&self, v: usize) -> bool {
        self.returned_valid && usize::from(self.returned_vc) == v
    }

    fn error(&self, v: usize, sent: u64) -> bool {
        match (self.returned(v), is_set(sent, v)) {
            (true, false) => self.credits[v] == self.depth,
            (false, true) => self.credits[v] == 0,
            _ => false,
        }
    }

    /// A credit for nothing or for no virtual channel, or a flit without a credit.
    pub fn credit_error(&self, decision: Decision) -> bool {
        let sent = decision.start | decision.read;
        (0..self.vcs()).any(|v| self.error(v, sent))
            || self.returned_valid && usize::from(self.returned_vc) >= self.vcs()
    }

    /// The words of a head flit.
    fn head_flit(&self, source: u16) -> Vec<u64> {
        let Entry { address, length, last_bytes } = Entry::of(self.header_early);
        let mut words = vec![0; self.out_flit.len()];
        words[0] = u64::from(length) << 16 | u64::from(address);
        words[1] = u64::from(last_bytes) << 16 | u64::from(source);
        words
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = Injection::of(self.depth, self.vcs(), self.out_flit.len());
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &InjectionInputs) {
        let decision = self.decision(inputs.waiting, inputs.header);
        let sent = decision.start | decision.read;
        // The link shows what was decided on in the cycle before.
        if self.head_early {
            self.out_flit = self.head_flit(inputs.source);
        } else if self.valid_early {
            self.out_flit.copy_from_slice(inputs.flit);
        }
        (self.out_valid, self.out_head) = (self.valid_early, self.head_early);
        (self.out_vc, self.out_hint) = (self.vc_early, self.hint_early);
        (self.valid_early, self.head_early) = (sent != 0, decision.start != 0);
        (self.vc_early, self.hint_early) = (ones(sent).next().unwrap_or(0) as u8, inputs.hint);
        for v in 0..self.vcs() {
            if !self.error(v, sent) {
                self.credits[v] = self.credits[v] + u16::from(self.returned(v)) - u16::from(is_set(sent, v));
            }
        }
        (self.returned_valid, self.returned_vc) = (inputs.out_credit_valid, inputs.out_credit_vc);
        match ones(decision.start).next() {
            Some(v) => {
                self.header_early = inputs.header[v] as u32;
                self.sending = decision.start;
                self.pointer = rotated_up(decision.start, self.vcs());
                self.remaining = Entry::of(self.header_early).length.saturating_sub(1);
            }
            None => self.remaining = self.remaining.saturating_sub(1),
        }
    }
}

impl Registers for Injection {
    fn list(&self, rows: &mut RegisterRows) {
        let (link, vcs) = (Owner::OutputLink, self.vcs());
        rows.many(count("credits", 13).of(Owner::OutputVc), self.credits.iter().copied());
        rows.one(flag("returned_valid"), self.returned_valid);
        rows.one(vc_number("returned_vc"), self.returned_vc);
        rows.one(choice("sending", vcs), self.sending);
        rows.one(count("remaining", 10), self.remaining);
        rows.one(flag("idle"), self.remaining == 0);
        rows.one(pointer("pointer", vcs), self.pointer);
        rows.one(flag("valid_early"), self.valid_early);
        rows.one(flag("head_early"), self.head_early);
        rows.one(vc_number("vc_early"), self.vc_early);
        rows.one(flag("hint_early"), self.hint_early);
        rows.one(header("header_early", ENTRY_BITS), self.header_early);
        rows.one(flag("out_valid").of(link).known_as("valid"), self.out_valid);
        rows.one(flag("out_head").of(link).known_as("head"), self.out_head);
        rows.one(vc_number("out_vc").of(link).known_as("vc"), self.out_vc);
        rows.many(flit_word("out_flit").of(link).known_as("flit"), self.out_flit.iter().copied());
        rows.one(flag("out_hint").of(link).known_as("hint"), self.out_hint);
    }
}

/// The credits of the link to the switch, as inputs; of the network interface too.
pub(super) const CREDIT_VALID: SignalSpec = flag("out_credit_valid").of(Owner::OutputLink).habit(Habit::Tide);
pub(super) const CREDIT_VC: SignalSpec = vc_number("out_credit_vc").of(Owner::OutputLink);

impl Injection {
    /// Lists the link to the switch as outputs; of the network interface too.
    pub(super) fn show_link(&self, rows: &mut RegisterRows) {
        let link = Owner::OutputLink;
        rows.one(flag("out_valid").of(link), self.out_valid);
        rows.one(flag("out_head").of(link), self.out_head);
        rows.one(vc_number("out_vc").of(link), self.out_vc);
        rows.many(flit_word("out_flit").of(link), self.out_flit.iter().copied());
        rows.one(phase("out_phase").of(link), Phase::On as u8);
        rows.one(flag("out_hint").of(link), self.out_hint);
    }
}

impl Block for Injection {
    type Inputs<'a> = InjectionInputs<'a>;

    fn outputs(&self, seen: &InjectionInputs, rows: &mut RegisterRows) {
        let decision = self.decision(seen.waiting, seen.header);
        rows.one(choice("start", self.vcs()), decision.start);
        rows.one(choice("read", self.vcs()), decision.read);
        rows.one(flag("busy"), decision.busy());
        self.show_link(rows);
        rows.one(flag("credit_error"), self.credit_error(decision));
    }

    fn edge(&mut self, rst: bool, seen: &InjectionInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_start_in_turn_with_credits_for_all_of_their_flits_and_go_without_a_gap() {
        let mut injection = Injection::of(4, 2, 2);
        let header = [3u64 << 16 | 7, 2 << 16 | 9];
        let step = |injection: &mut Injection, credit: Option<u8>| {
            let Decision { start, read } = injection.decision(0b11, &header);
            injection.clock(&InjectionInputs {
                source: 5,
                waiting: 0b11,
                header: &header,
                flit: &[70, 71],
                hint: false,
                out_credit_valid: credit.is_some(),
                out_credit_vc: credit.unwrap_or(0),
            });
            (start, read)
        };
        let seen: Vec<_> = (0..8).map(|_| step(&mut injection, None)).collect();
        // Of VC 0 one credit is left, so VC 1 starts twice.
        assert_eq!(seen, [(1, 0), (0, 1), (0, 1), (2, 0), (0, 2), (2, 0), (0, 2), (0, 0)]);
        assert_eq!((injection.credits.clone(), injection.pointer), (vec![1, 0], 1));
        // A credit counts two cycles after it is on the link.
        let seen: Vec<_> = [Some(0), Some(0), None, None].map(|credit| step(&mut injection, credit)).into();
        assert_eq!(seen, [(0, 0), (0, 0), (0, 0), (1, 0)]);
        // The head flit is on the link two cycles after its start.
        step(&mut injection, None);
        assert_eq!(
            (injection.out_valid, injection.out_head, injection.out_flit.clone()),
            (true, true, vec![3 << 16 | 7, 5])
        );
        step(&mut injection, None);
        assert_eq!((injection.out_valid, injection.out_head, injection.out_flit.clone()), (true, false, vec![70, 71]));
    }
}
