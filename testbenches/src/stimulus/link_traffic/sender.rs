//! The sender of an input port: the upstream switch, which holds packets and counts credits.

use super::options::LinkOptions;
use super::payload::Packet;
use crate::random::Random;
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
    /// Cycles for which the sender's port goes on to sleep.
    asleep: u64,
}

/// What the sender puts on its link.
pub(super) struct OnLink {
    pub valid: bool,
    pub head: bool,
    pub vc: u64,
    pub power_state: u64,
}

impl Sender {
    pub(super) fn new(vcs: usize, depth: usize) -> Self {
        Sender {
            queues: vec![VecDeque::new(); vcs],
            sending: vec![None; vcs],
            credits: vec![depth as u32; vcs],
            depth: depth as u32,
            unsettled: None,
            pointer: 0,
            asleep: 0,
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
        let mut on_link = match self.choose(options, random) {
            _ if self.asleep != 0 => self.rest(options, random, words),
            Some(vc) if !random.one_in(options.gap) => self.send(vc, words),
            _ => self.rest(options, random, words),
        };
        if on_link.valid {
            self.asleep = 0;
            on_link.head ^= random.one_in(wrong.wrong_head);
            if random.one_in(wrong.sleeping_link) {
                on_link.power_state = 1 + random.below(3);
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
        OnLink { valid: true, head, vc: vc as u64, power_state: 0 }
    }

    /// A cycle in which nothing is to be sent: the wires show anything, and what goes wrong goes wrong here.
    fn rest(&mut self, options: &LinkOptions, random: &mut Random, words: &mut [u64]) -> OnLink {
        let wrong = &options.disturbances;
        words.iter_mut().for_each(|word| *word = random.bits() & 0xffff_ffff);
        let vcs = self.queues.len() as u64;
        let noise = random.bits();
        let mut on_link = OnLink { valid: false, head: noise & 1 == 1, vc: noise >> 1 & 7, power_state: 0 };
        if self.asleep == 0 && random.one_in(100) {
            self.asleep = random.below(30);
        }
        if self.asleep != 0 {
            self.asleep -= 1;
            on_link.power_state = 1 + self.asleep % 3;
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
