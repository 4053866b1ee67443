//! The user of a network interface: packets into its stream, sound ones and others, and packets out of it.

use crate::network_interface::model::Model;
use powar_testbenches::random::Random;
use std::collections::VecDeque;

/// A packet of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Node at the other end.
    pub peer: u16,
    /// Words and `tkeep` of its beats.
    pub beats: Vec<(Vec<u64>, u64)>,
}

/// How packets are made.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub words: usize,
    /// Most beats of a packet that is not refused.
    pub most_beats: usize,
}

/// Why a packet is refused, in the order of the statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    Long,
    Keep,
    Empty,
}

impl Shape {
    fn all(self) -> u64 {
        u64::MAX >> (64 - 4 * self.words)
    }

    /// A sound packet of so many beats, of which the last one keeps some bytes.
    pub fn packet(self, random: &mut Random, peer: u16, beats: usize) -> Packet {
        let word = |random: &mut Random| random.bits() & u64::from(u32::MAX);
        let mut beats: Vec<_> =
            (0..beats).map(|_| ((0..self.words).map(|_| word(random)).collect(), self.all())).collect();
        let kept = 1 + random.below(4 * self.words as u64);
        beats.last_mut().expect("a beat").1 = u64::MAX >> (64 - kept);
        Packet { peer, beats }
    }

    /// A packet that must be refused for this.
    fn refused(self, random: &mut Random, peer: u16, why: Refused) -> Packet {
        let some = 1 + random.below(self.most_beats as u64) as usize;
        match why {
            Refused::Long => {
                let more = 1 + random.below(3 * self.most_beats as u64) as usize;
                let mut packet = self.packet(random, peer, self.most_beats + more);
                if random.one_in(3) {
                    packet.beats[0].1 = 0;
                }
                packet
            }
            Refused::Keep => {
                let mut packet = self.packet(random, peer, some);
                let place = random.below(some as u64) as usize;
                let last = place + 1 == some;
                // A hole, or fewer than all before the last beat; nothing in a last beat that is not the only one.
                packet.beats[place].1 = match random.below(3) {
                    0 if !last => self.all() >> 1,
                    1 if !last || some > 1 => 0,
                    _ => self.all() & !2,
                };
                packet
            }
            Refused::Empty => {
                let mut packet = self.packet(random, peer, 1);
                packet.beats[0].1 = 0;
                packet
            }
        }
    }
}

/// Feeds the stream into an interface.
pub struct Source {
    random: Random,
    shape: Shape,
    /// The packet under way, and its beats that have been taken.
    packet: Option<(Packet, usize, Option<Refused>)>,
    offered: bool,
    /// The beat that was offered was not taken.
    stays: bool,
    /// Sound packets that have been taken completely.
    pub sent: VecDeque<Packet>,
    /// Packets refused, in the order of the statistics.
    pub refused: [u64; 3],
    pub beats: u64,
}

impl Source {
    pub fn new(seed: u64, shape: Shape) -> Source {
        let random = Random::new(seed);
        Source {
            random,
            shape,
            packet: None,
            offered: false,
            stays: false,
            sent: VecDeque::new(),
            refused: [0; 3],
            beats: 0,
        }
    }

    /// Drives the stream; new packets only if `goes_on`, to one of `peers`.
    pub fn drive(&mut self, to: &mut Model, goes_on: bool, peers: &[u16]) {
        let random = &mut self.random;
        // Bursts of packets and pauses.
        if self.packet.is_none() && goes_on && (self.offered || random.one_in(8)) {
            let peer = peers[random.below(peers.len() as u64) as usize];
            let why = match random.below(24) {
                0 => Some(Refused::Long),
                1 => Some(Refused::Keep),
                2 => Some(Refused::Empty),
                _ => None,
            };
            let beats = 1 + random.below(self.shape.most_beats as u64) as usize;
            let packet = match why {
                Some(why) => self.shape.refused(random, peer, why),
                None => self.shape.packet(random, peer, beats),
            };
            self.packet = Some((packet, 0, why));
        }
        // A beat that was offered stays until it is taken.
        let valid = self.packet.is_some() && (self.stays || !random.one_in(5));
        to.set("s_axis_tvalid", 0, &[valid.into()]);
        if let Some((packet, done, _)) = &self.packet {
            let (words, keep) = &packet.beats[*done];
            to.set("s_axis_tdata", 0, words);
            to.set("s_axis_tkeep", 0, &[*keep]);
            to.set("s_axis_tlast", 0, &[u64::from(done + 1 == packet.beats.len())]);
            // Only the first beat's destination counts.
            let dest = if *done == 0 { packet.peer } else { self.random.bits() as u16 };
            to.set("s_axis_tdest", 0, &[dest.into()]);
        }
        self.offered = valid;
    }

    /// Sees what the interface has taken in the cycle that is over.
    pub fn after(&mut self, of: &Model) {
        self.stays = self.offered && of.one("s_axis_tready") == 0;
        if !self.offered || self.stays {
            return;
        }
        let (packet, done, why) = self.packet.as_mut().expect("a beat was offered");
        *done += 1;
        if *done < packet.beats.len() {
            return;
        }
        match why {
            Some(why) => self.refused[*why as usize] += 1,
            None => {
                self.beats += packet.beats.len() as u64;
                self.sent.push_back(packet.clone());
            }
        }
        self.packet = None;
    }

    /// A packet is under way.
    pub fn is_busy(&self) -> bool {
        self.packet.is_some()
    }
}

/// Takes the stream out of an interface.
pub struct Sink {
    random: Random,
    /// Takes nothing for a while.
    drought: bool,
    ready: bool,
    /// A beat that was not taken, which must stay.
    waiting: Option<(Vec<u64>, [u64; 4])>,
    beats: Vec<(Vec<u64>, u64)>,
    peer: u64,
}

impl Sink {
    pub fn new(seed: u64) -> Sink {
        let random = Random::new(seed);
        Sink { random, drought: false, ready: false, waiting: None, beats: vec![], peer: 0 }
    }

    pub fn drive(&mut self, to: &mut Model, always: bool) {
        if self.random.one_in(if self.drought { 60 } else { 300 }) {
            self.drought = !self.drought;
        }
        self.ready = always || !self.drought && !self.random.one_in(6);
        to.set("m_axis_tready", 0, &[self.ready.into()]);
    }

    /// The packet that the cycle that is over has completed.
    pub fn after(&mut self, of: &Model, words: usize) -> Option<Packet> {
        let valid = of.one("m_axis_tvalid") == 1;
        let data = of.get("m_axis_tdata", 0, words).to_vec();
        let marks = ["m_axis_tkeep", "m_axis_tlast", "m_axis_tid", "m_axis_tuser"].map(|signal| of.one(signal));
        if let Some(waiting) = self.waiting.take() {
            assert!(valid && waiting == (data.clone(), marks), "a beat that waits has changed");
        }
        if !valid {
            return None;
        }
        if !self.ready {
            self.waiting = Some((data, marks));
            return None;
        }
        let [keep, last, peer, damaged] = marks;
        assert!(self.beats.is_empty() || peer == self.peer, "two packets are mixed");
        assert_eq!(damaged, 0, "a sound packet is told to be damaged");
        self.peer = peer;
        self.beats.push((data, keep));
        (last == 1).then(|| Packet { peer: peer as u16, beats: std::mem::take(&mut self.beats) })
    }
}
