//! Random configurations of the mechanism Wake hints, what is on the lanes of a switch, and the mechanism with one rule changed.

use super::changed;
use fastrand::Rng;
use powar_config::mechanism::NodeHint;
use powar_config::mechanism::ahead::AheadParameters;
use powar_config::mechanism::wake_hints::{MECHANISM, WakeHintsParameters};
use powar_config::topology::{ADDRESS_BITS, FatTree, Mesh, Star, Torus, digit_bits, pack_address};
use powar_config::{Chosen, Config, Deterministic, Parameters, Routing, Topology};
use powar_golden::reference::mechanisms::wake_hints::{HintMonitor, HintReceiver, HintSender, WakeHints};
use powar_golden::reference::power::PowerMechanism;
use powar_golden::reference::power::mechanism::MechanismInputs;
use std::collections::VecDeque;

/// A topology whose switches have so many ports.
pub fn random_topology(ports: usize, rng: &mut Rng) -> Box<dyn Topology> {
    let mut choices: Vec<Box<dyn Topology>> = vec![Box::new(Star {})];
    if ports.is_multiple_of(2) {
        let k = ports / 2;
        let n = rng.usize(1..=(ADDRESS_BITS / digit_bits(k)).min(4));
        choices.push(Box::new(FatTree { k, n, folded: n > 1 && k.is_multiple_of(2) && rng.bool() }));
    }
    if ports > 4 {
        let dimensions = vec![rng.usize(2..=5), rng.usize(2..=5)];
        let nodes = ports - 4;
        choices.push(Box::new(Torus { dimensions: dimensions.clone(), trunk: 1, nodes }));
        choices.push(Box::new(Mesh { dimensions, nodes }));
    }
    choices.swap_remove(rng.usize(0..choices.len()))
}

/// Gives a configuration with a topology one of the routings that it may have.
pub fn draw_routing(config: &mut Config, rng: &mut Rng) {
    let topology = &**config.topology.as_ref().unwrap();
    let known: Vec<&Routing> = Routing::of(topology).collect();
    let routing = known[rng.usize(0..known.len())];
    config.routing = Some(routing);
    if routing.sees.table {
        config.groups.clear();
    }
    if routing.deterministic == Deterministic::Set {
        config.deterministic = Deterministic::Set;
    }
}

/// Gives a configuration with a topology and with POWAR, whose parameters it keeps, this mechanism.
pub fn take_over(config: &mut Config, rng: &mut Rng) {
    let powar = config.powar_mut().unwrap().clone();
    let (bound, cap) = ([1.0, 0.3, 0.05][rng.usize(0..3)], 3.0 + rng.f64());
    let ahead = AheadParameters { powar, bound, cap, ..AheadParameters::default() };
    let (hints, sideband) = (rng.u8(0..8) != 0, rng.bool());
    let mut parameters = WakeHintsParameters { ahead, hints, sideband, ..WakeHintsParameters::default() };
    let policy = MECHANISM.policies[[0, 1, 2, 3, 3, 3][rng.usize(0..6)]].name;
    parameters.set_policy(policy).unwrap();
    config.mechanism = Chosen(Box::new(parameters));
    config.check().unwrap();
}

/// What is likely on the lanes for a while.
#[derive(Clone, Copy, Debug)]
struct Mood {
    /// Chance that a word begins at a port between words, in 1/256; 255: words follow each other at once.
    word: u8,
    /// Chance that its parity is wrong, and that it is for no node, likewise.
    wrong: u8,
    stray: u8,
    /// Chance that a bit is any, in 1/256.
    noise: u8,
    /// All words come at the same time.
    together: bool,
}

/// The lanes that come into a switch: words to nodes that there are, and what is none.
#[derive(Clone, Debug)]
pub struct Lanes {
    bases: Vec<usize>,
    nodes: usize,
    mood: Mood,
    /// By port, the bits still to come.
    bits: Vec<VecDeque<bool>>,
}

impl Lanes {
    /// `None` of a mechanism to which nodes show something else.
    pub fn new(config: &Config) -> Option<Lanes> {
        if config.mechanism().node_hint != NodeHint::Addresses {
            return None;
        }
        let bases = config.topology.as_ref().unwrap().bases(config.ports);
        let mood = Mood { word: 10, wrong: 16, stray: 8, noise: 0, together: false };
        let bits = vec![VecDeque::new(); config.ports];
        Some(Lanes { nodes: bases.iter().product(), bases, mood, bits })
    }

    /// The position and the stage of some switch.
    pub fn place(&self, rng: &mut Rng) -> (u64, u64) {
        (pack_address(&self.bases, rng.usize(0..self.nodes)).into(), rng.usize(0..self.bases.len()) as u64)
    }

    fn word(&self, rng: &mut Rng) -> impl Iterator<Item = bool> + use<> {
        let stray = rng.u8(..) < self.mood.stray;
        let address = if stray { rng.u16(..) } else { pack_address(&self.bases, rng.usize(0..self.nodes)) };
        let parity = (address.count_ones() % 2 == 1) != (rng.u8(..) < self.mood.wrong);
        let bits = (0..16).map(move |place| address >> place & 1 == 1);
        std::iter::once(true).chain(bits).chain([parity])
    }

    /// The bits of the next cycle, one a port.
    pub fn next(&mut self, rng: &mut Rng) -> u64 {
        if rng.u16(0..400) == 0 {
            let mut chance = |choices: &[u8]| choices[rng.usize(0..choices.len())];
            self.mood = Mood {
                word: chance(&[0, 1, 4, 20, 255]),
                wrong: chance(&[0, 16, 128]),
                stray: chance(&[0, 8, 128]),
                noise: chance(&[0, 0, 0, 1, 30, 255]),
                together: chance(&[0, 1]) == 1,
            };
        }
        let begins = rng.u8(..);
        let mut hints = 0;
        let words: Vec<_> = self.bits.iter().map(|_| self.word(rng)).collect();
        for (port, (bits, word)) in self.bits.iter_mut().zip(words).enumerate() {
            let begins = if self.mood.together { begins } else { rng.u8(..) };
            if bits.is_empty() && (begins < self.mood.word || self.mood.word == 255) {
                bits.extend(word);
            }
            let bit = bits.pop_front().unwrap_or(false);
            let bit = if rng.u8(..) < self.mood.noise { rng.bool() } else { bit };
            hints |= u64::from(bit) << port;
        }
        hints
    }
}

/// What of the mechanism is changed: what it sees, before a clock edge, or what it holds behind it.
#[derive(Clone, Copy)]
pub enum Change {
    Seen(fn(&mut MechanismInputs, &mut [u64])),
    Held(fn(&WakeHints, &mut WakeHints)),
    Each(Each),
}

/// The same of each receiver, sender or monitor.
#[derive(Clone, Copy)]
pub enum Each {
    Receiver(fn(&HintReceiver, &mut HintReceiver)),
    Sender(fn(&HintSender, &mut HintSender)),
    Monitor(fn(&HintMonitor, &mut HintMonitor)),
}

impl std::fmt::Debug for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("change")
    }
}

fn pairs<B>(before: &[B], after: &mut [B], change: fn(&B, &mut B)) {
    before.iter().zip(after).for_each(|(before, after)| change(before, after));
}

impl changed::Change<WakeHints> for Change {
    fn clock(self, mechanism: &mut WakeHints, inputs: &MechanismInputs) {
        match self {
            Change::Seen(change) => {
                let (mut inputs, mut phases) = (*inputs, inputs.around.neighbour_phase.to_vec());
                change(&mut inputs, &mut phases);
                inputs.around.neighbour_phase = &phases;
                mechanism.clock(&inputs);
            }
            Change::Held(change) => changed::Change::clock(change, mechanism, inputs),
            Change::Each(each) => {
                let before = mechanism.clone();
                mechanism.clock(inputs);
                let after = mechanism;
                match each {
                    Each::Receiver(change) => pairs(&before.lanes.receivers, &mut after.lanes.receivers, change),
                    Each::Sender(change) => pairs(&before.lanes.senders, &mut after.lanes.senders, change),
                    Each::Monitor(change) => pairs(&before.lanes.monitors, &mut after.lanes.monitors, change),
                }
            }
        }
    }
}
