//! The sender of an input port: the upstream switch, which holds packets and counts credits.

use super::options::LinkOptions;
use super::payload::Packet;
use crate::random::Random;
use powar_config::Phase;
use std::collections::VecDeque;

/// The sender of one input port.
#[derive(Clone, Debug)]
pub(super) struct Sender {
    /// Packets that wait, by virtual channel.
    queues: Vec<VecDeque<Packet>>,
    /// The packet of each virtual channel whose first flit has been sent.
    sending: Vec<Option<Packet>>,
    /// Free places in the buffer at the other end, as far as is known.
    credits: Vec<u32>,
    depth: u32,
    /// Virtual channel of the flit of the cycle before: whether it found a place is known one cycle later.
    unsettled: Option<usize>,
    /// Where the search for the next packet starts; if packets are not interleaved, also the one that must end first.
    pointer: usize,
    /// Cycles for which the sender's port goes on not to send.
    closed: u64,
    /// While it sends it is about to stop.
    draining: bool,
    hint: bool,
}

/// What the sender puts on its link.
pub(super) struct OnLink {
    pub valid: bool,
    pub head: bool,
    pub vc: u64,
    /// Code of the phase of the sender's port.
    pub phase: u64,
    pub hint: bool,
}

/// Codes of the phases in which a port doesn't send, then those of none.
const CLOSED: [u64; 6] =
    [Phase::GoingOff as u64, Phase::Off as u64, Phase::ComingOn as u64, Phase::Refreshing as u64, 6, 7];
/// Cycles from which on a stop is long: until there are no more left, the sender's port is off.
const SHORT_STOP: u64 = 30;
/// Phases among them.
const CLOSED_PHASES: u64 = 4;

impl Sender {
    pub(super) fn new(vcs: usize, depth: usize) -> Self {
        Sender {
            queues: vec![VecDeque::new(); vcs],
            sending: vec![None; vcs],
            credits: vec![depth as u32; vcs],
            depth: depth as u32,
            unsettled: None,
            pointer: 0,
            closed: 0,
            draining: false,
            hint: false,
        }
    }

    /// Forgets everything: a reset.
    pub(super) fn reset(&mut self) {
        *self = Sender::new(self.queues.len(), self.depth as usize);
    }

    pub(super) fn queue(&mut self, packet: Packet) {
        self.queues[packet.vc].push_back(packet);
    }

    /// Virtual channels of the link.
    pub(super) fn vcs(&self) -> usize {
        self.queues.len()
    }

    /// Packets that wait on a virtual channel.
    pub(super) fn waiting_on(&self, vc: usize) -> usize {
        self.queues[vc].len()
    }

    /// Packets that wait on any.
    pub(super) fn waiting(&self) -> usize {
        self.queues.iter().map(VecDeque::len).sum()
    }

    /// Takes the credit that was on the link in the cycle before, then settles the flit that was.
    pub(super) fn settle(&mut self, credit: Option<u64>) {
        if let Some(credits) = credit.and_then(|vc| self.credits.get_mut(vc as usize)) {
            *credits += 1;
        }
        if let Some(vc) = self.unsettled.take() {
            // With no credit left it found the buffer full and was lost.
            self.credits[vc] = self.credits[vc].saturating_sub(1);
        }
    }

    /// What is on the link in this cycle; `words` are those of the flit.
    pub(super) fn step(&mut self, options: &LinkOptions, random: &mut Random, words: &mut [u64]) -> OnLink {
        let wrong = &options.disturbances;
        self.draining ^= random.one_in(64);
        self.hint ^= random.one_in(32);
        let mut on_link = match self.choose(options, random) {
            _ if self.closed != 0 => self.rest(options, random, words),
            Some(vc) if !random.one_in(options.gap) => self.send(vc, words),
            _ => self.rest(options, random, words),
        };
        if on_link.valid {
            self.closed = 0;
            on_link.head ^= random.one_in(wrong.wrong_head);
            if random.one_in(wrong.closed_link) {
                on_link.phase = CLOSED[random.below(CLOSED.len() as u64) as usize];
            }
        }
        on_link
    }

    /// The virtual channel to send on.
    fn choose(&mut self, options: &LinkOptions, random: &mut Random) -> Option<usize> {
        let vcs = self.queues.len();
        if !options.interleaved && self.sending[self.pointer].is_some() {
            return (self.credits[self.pointer] != 0).then_some(self.pointer);
        }
        let first = if options.interleaved { random.below(vcs as u64) as usize } else { self.pointer + 1 };
        (0..vcs).map(|place| (first + place) % vcs).find(|&vc| match (&self.sending[vc], self.queues[vc].front()) {
            (Some(_), _) => self.credits[vc] != 0,
            // A whole packet must fit.
            (None, Some(next)) => self.credits[vc] >= u32::from(next.flits).min(self.depth),
            (None, None) => false,
        })
    }

    fn send(&mut self, vc: usize, words: &mut [u64]) -> OnLink {
        self.pointer = vc;
        let mut packet = self.sending[vc].take().or_else(|| self.queues[vc].pop_front()).expect("it has been chosen");
        packet.words(words);
        let head = packet.sent == 0;
        packet.sent += 1;
        self.sending[vc] = (packet.sent < packet.flits).then_some(packet);
        self.unsettled = Some(vc);
        OnLink { valid: true, head, vc: vc as u64, phase: self.open_phase(), hint: self.hint }
    }

    fn open_phase(&self) -> u64 {
        if self.draining { Phase::Draining as u64 } else { Phase::On as u64 }
    }

    /// A cycle in which nothing is to be sent: the wires show anything, and what goes wrong goes wrong here.
    fn rest(&mut self, options: &LinkOptions, random: &mut Random, words: &mut [u64]) -> OnLink {
        let wrong = &options.disturbances;
        words.iter_mut().for_each(|word| *word = random.bits() & 0xffff_ffff);
        let vcs = self.queues.len() as u64;
        let noise = random.bits();
        let (head, vc) = (noise & 1 == 1, noise >> 1 & 7);
        let mut on_link = OnLink { valid: false, head, vc, phase: self.open_phase(), hint: self.hint };
        if self.closed == 0 && random.one_in(100) {
            self.closed = random.below(options.longest_stop);
        }
        if self.closed != 0 {
            self.closed -= 1;
            // A sender that goes by the rules is always in a phase that there is.
            let codes = if wrong.closed_link == 0 { CLOSED_PHASES } else { CLOSED.len() as u64 };
            on_link.phase =
                if self.closed >= SHORT_STOP { Phase::Off as u64 } else { CLOSED[(self.closed / 4 % codes) as usize] };
        }
        let full = |vc: usize| self.credits[vc] == 0;
        if vcs < 8 && random.one_in(wrong.bad_vc) {
            on_link.valid = true;
            on_link.vc = vcs + random.below(8 - vcs);
        } else if random.one_in(wrong.stray) {
            let vc = random.below(vcs) as usize;
            if self.sending[vc].is_none() && !full(vc) {
                (on_link.valid, on_link.head, on_link.vc) = (true, false, vc as u64);
                self.unsettled = Some(vc);
            }
        } else if let Some(vc) = (0..self.queues.len()).find(|&vc| full(vc))
            && random.one_in(wrong.overflow)
        {
            (on_link.valid, on_link.vc) = (true, vc as u64);
            self.unsettled = Some(vc);
        }
        on_link
    }
}
