//! Random stimuli for any block, from a handful of parameters that proptest chooses and shrinks.
//!
//! Inputs are told apart by their meanings and habits: durations are drawn small (and sometimes at
//! their limits) and held, so that counters run into them; pointers are one-hot; what no more is said of is
//! random with a density. The same parameters always give the same stimuli.

mod input_kind;
mod packets;
mod patient;

use super::Stimulus;
use super::hint_lane::HintLane;
use super::software::Software;
use crate::random::Random;
use input_kind::InputKind;
use packets::Packets;
pub use patient::Patient;
use powar_config::registers::WORD_BYTES;
use powar_config::topology::pack_address;
use powar_config::{Config, Habit, Layout, Meaning, Phase, Role, SignalDecl};
use proptest::prelude::*;

/// Parameters of a random run.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub seed: u64,
    /// A reset in mid-run about every so many cycles; 0 = only the one at the start.
    pub reset_every: u32,
    /// Chance, of 256, that a bit of a request or event vector is set.
    pub density: u8,
    /// Requests go to few ports only, so that they collide (all of them to one port where 1).
    pub hot_ports: Option<u8>,
    /// Durations (PDT, T_s, ...) are drawn from 0..=this.
    pub longest: u32,
    /// How many cycles a held value lasts on average.
    pub hold: u32,
    /// Held values are at times the largest the width allows, or a power of two.
    pub limits: bool,
}

impl Scenario {
    /// Scenarios of every kind, for proptest.
    pub fn any() -> impl Strategy<Value = Scenario> {
        (
            any::<u64>(),
            prop_oneof![Just(0u32), 3u32..50, 100u32..2000],
            prop_oneof![Just(0u8), Just(255u8), 1u8..40, any::<u8>()],
            prop_oneof![3 => Just(None), 1 => Just(Some(1u8)), 1 => (2u8..4).prop_map(Some)],
            prop_oneof![Just(0u32), Just(1), 2u32..12, 12u32..200],
            prop_oneof![Just(1u32), 2u32..30, 100u32..1000],
            any::<bool>(),
        )
            .prop_map(|(seed, reset_every, density, hot_ports, longest, hold, limits)| Scenario {
                seed,
                reset_every,
                density,
                hot_ports,
                longest,
                hold,
                limits,
            })
    }

    /// A middling scenario: something happens in most cycles, resets now and then.
    pub fn lively(seed: u64) -> Scenario {
        Scenario { seed, reset_every: 5000, density: 40, hot_ports: None, longest: 12, hold: 60, limits: true }
    }

    /// The stimulus for a block of this configuration with these signals: addresses, virtual channels, lengths and phases are mostly those
    /// that exist.
    pub fn stimulus(&self, config: &Config, layout: &Layout) -> RandomStimulus {
        let write_signal = |meaning| {
            let is_it = |signal: &&SignalDecl| signal.habit == Habit::Write && signal.meaning == meaning;
            layout.inputs.iter().find(is_it).and_then(|signal| layout.input(&signal.name))
        };
        let write = [Meaning::Flag, Meaning::WordAddress, Meaning::Data].map(write_signal);
        let write =
            if let [Some(enable), Some(address), Some(data)] = write { Some([enable, address, data]) } else { None };
        RandomStimulus {
            scenario: self.clone(),
            random: Random::new(self.seed),
            inputs: layout.inputs.iter().map(|signal| Input::new(signal, config, layout)).collect(),
            lanes: vec![HintLane::default(); 64],
            write,
            packets: Packets::new(config, layout),
            written: None,
            held: vec![0; layout.input_slots()],
            came: vec![false; layout.input_slots()],
            was_reset: false,
            sizes: Sizes::new(config),
            software: Software::new(config),
            gated: self.seed % 8 != 7,
        }
    }
}

/// See [`Scenario`].
pub struct RandomStimulus {
    scenario: Scenario,
    random: Random,
    inputs: Vec<Input>,
    /// Slots of the signals of a write: that there is one, its address, its data.
    write: Option<[usize; 3]>,
    /// Hint lanes, one for each bit of the input that has them.
    lanes: Vec<HintLane>,
    /// Packets of the demonstrator's generators, for the block that checks them.
    packets: Option<Packets>,
    /// Byte address / 4 of the word that was written in the cycle before: one that lasts a cycle is to be read now.
    written: Option<u64>,
    held: Vec<u64>,
    /// Gated rows that came in the cycle before.
    came: Vec<bool>,
    /// The cycle before was one of reset: what it showed is gone.
    was_reset: bool,
    sizes: Sizes,
    software: Software,
    /// What may come only in certain states of the block comes only then.
    gated: bool,
}

/// What random inputs of the switch's blocks must know to hit something.
struct Sizes {
    ports: usize,
    vcs: usize,
    buffer_flits: usize,
    max_packet_flits: usize,
    flit_words: usize,
    /// Bases of the digits of an address; none: not known.
    bases: Vec<usize>,
    stages: usize,
}

impl Sizes {
    fn new(config: &Config) -> Self {
        Sizes {
            ports: config.ports,
            vcs: config.switch.vcs,
            buffer_flits: config.switch.buffer_flits,
            max_packet_flits: config.switch.max_packet_flits,
            flit_words: config.switch.flit_words(),
            bases: config.topology.as_ref().map_or_else(Vec::new, |topology| topology.bases(config.ports)),
            stages: config.topology.as_ref().map_or(1, |topology| topology.stages()),
        }
    }
}

/// An input signal.
#[derive(Clone)]
struct Input {
    kind: InputKind,
    rows: usize,
    width: usize,
    gate: Gate,
}

impl Input {
    fn new(signal: &SignalDecl, config: &Config, layout: &Layout) -> Self {
        let gate = Gate::of(signal, layout);
        Input {
            kind: InputKind::of(signal, config.mechanism().node_hint),
            rows: signal.rows,
            width: signal.width,
            gate,
        }
    }
}

/// When an input may come, by what the block showed in the cycle before. One that came in that cycle stays away, since the
/// state that allowed it may be gone.
#[derive(Clone, Default)]
struct Gate {
    /// What allows it; of each list one must.
    lists: Vec<Vec<Condition>>,
}

/// What an input may wait for.
#[derive(Clone)]
enum Condition {
    /// Slot of a vector with a bit for each of the input.
    Bits(usize),
    /// Slot of something that is not 0.
    Any(usize),
    /// First slot of rows, one for each bit of the input, or of one row for all, that are 0.
    Zero { first: usize, rows: usize },
}

impl Condition {
    fn of(name: &str, input: &SignalDecl, layout: &Layout) -> Condition {
        let known = |role, name: &str| layout.slot(role, name).expect("a block names signals of its own");
        let signal = |slot: usize| layout.observed_at(slot).expect("it is in the frame").0;
        match name.strip_prefix('!') {
            Some(name) => {
                let first = known(Role::Register, name);
                Condition::Zero { first, rows: signal(first).rows }
            }
            None => {
                let slot = known(Role::Output, name);
                if signal(slot).width == input.width { Condition::Bits(slot) } else { Condition::Any(slot) }
            }
        }
    }

    /// The bits that it allows, by the frame of the cycle before.
    fn allowed(&self, last: &[u64]) -> u64 {
        let all = |allowed: bool| if allowed { u64::MAX } else { 0 };
        match *self {
            Condition::Bits(slot) => last[slot],
            Condition::Any(slot) => all(last[slot] != 0),
            Condition::Zero { first, rows: 1 } => all(last[first] == 0),
            Condition::Zero { first, rows } => {
                (0..rows).fold(0, |bits, row| bits | u64::from(last[first + row] == 0) << row)
            }
        }
    }
}

impl Gate {
    fn of(signal: &SignalDecl, layout: &Layout) -> Gate {
        let condition = |name: &&str| Condition::of(name, signal, layout);
        Gate { lists: signal.only_after.iter().map(|names| names.iter().map(condition).collect()).collect() }
    }

    fn is_open(&self) -> bool {
        self.lists.is_empty()
    }

    /// What of `value` may come.
    fn pass(&self, value: u64, last: &[u64]) -> u64 {
        let allowed =
            |list: &Vec<Condition>| list.iter().fold(0, |allowed, condition| allowed | condition.allowed(last));
        self.lists.iter().fold(value, |value, list| value & allowed(list))
    }
}

fn mask(width: usize) -> u64 {
    u64::MAX >> (64 - width)
}

impl RandomStimulus {
    /// A vector whose bits are set with the scenario's density.
    fn sparse(&mut self, width: usize) -> u64 {
        match self.scenario.density {
            0 => 0,
            255 => mask(width),
            density => {
                // Eight random words compared bit by bit with the density's binary digits, lowest first.
                let mut bits = 0;
                for place in 0..8 {
                    let word = self.random.bits();
                    bits = if density >> place & 1 == 1 { bits | word } else { bits & word };
                }
                bits & mask(width)
            }
        }
    }

    fn duration(&mut self, width: usize) -> u64 {
        if self.scenario.limits && self.random.one_in(6) {
            return match self.random.below(4) {
                0 => 0,
                1 => mask(width),
                // One bit, or nearly: who loses it has a very short duration for a long one, which shows at once.
                2 => 1 << (width - 1) | self.random.below(2),
                _ => 1 << self.random.below(width as u64) | self.random.below(2),
            };
        }
        self.random.below(u64::from(self.scenario.longest) + 1) & mask(width)
    }

    fn fresh(&mut self, kind: InputKind, width: usize) -> u64 {
        match kind {
            InputKind::Small => self.duration(width),
            InputKind::Pointer | InputKind::One => 1 << self.random.below(width as u64),
            InputKind::Request => {
                let set = self.sparse(width);
                match self.scenario.hot_ports {
                    Some(ports) => set & mask(usize::from(ports).min(width)),
                    None => set,
                }
            }
            InputKind::Event => self.sparse(width),
            InputKind::Rare => {
                let comes = u64::from(self.random.one_in(self.scenario.hold));
                if width == 1 { comes } else { comes << self.random.below(width as u64) }
            }
            InputKind::Compared
            | InputKind::Held
            | InputKind::Uniform
            | InputKind::Reset
            | InputKind::SerialLine
            | InputKind::Tide
            | InputKind::HintLane
            | InputKind::Drought => self.random.bits() & mask(width),
            InputKind::Usual => (self.random.bits() | self.random.bits()) & mask(width),
            InputKind::OneHot => {
                u64::from(self.sparse(1) != 0 || self.random.one_in(4)) << self.random.below(width as u64)
            }
            InputKind::PortNumber => self.random.below(self.sizes.ports as u64),
            InputKind::KnownVc => self.random.below(self.sizes.vcs as u64),
            InputKind::VcNumber if self.random.one_in(8) => self.random.below(8),
            InputKind::VcNumber => self.random.below(self.sizes.vcs as u64),
            InputKind::Phase | InputKind::NeighbourPhase | InputKind::LinkPhase | InputKind::Level
                if self.random.one_in(8) =>
            {
                self.random.bits() & mask(width)
            }
            InputKind::Phase | InputKind::NeighbourPhase => self.random.below(Phase::ALL.len() as u64),
            InputKind::LinkPhase if self.random.one_in(4) => Phase::Draining as u64,
            InputKind::LinkPhase => Phase::On as u64,
            InputKind::Level => 0,
            // Often few, so that some ports have as many.
            InputKind::Fill if self.random.one_in(2) => self.random.below(4),
            InputKind::Fill => self.random.below(self.sizes.buffer_flits as u64 + 1),
            InputKind::Position => self.address(),
            InputKind::Stage => self.random.below(self.sizes.stages as u64),
            InputKind::Destination => self.destination(),
            InputKind::Header | InputKind::Flit => self.header(width),
            InputKind::WordAddress => (self.software.address(&mut self.random) / u64::from(WORD_BYTES)) & mask(width),
            // In one of the first windows, or the next.
            InputKind::BusAddress if width > 16 => self.software.address(&mut self.random) | self.random.below(4) << 16,
            InputKind::BusAddress => self.software.address(&mut self.random),
            InputKind::DemonstratorAddress => self.software.demonstrator_address(&mut self.random),
            InputKind::SerialByte if self.random.one_in(3) => self.random.bits() & mask(width),
            InputKind::SerialByte => self.random.below(6),
            InputKind::BusStrobes if self.random.one_in(8) => self.random.below(16),
            InputKind::BusStrobes => 15,
            InputKind::KeptBytes => match self.random.below(16) {
                0 => self.random.bits() & mask(width),
                1..4 => match self.random.below(width as u64 + 1) {
                    0 => 0,
                    kept => mask(kept as usize),
                },
                _ => mask(width),
            },
            InputKind::BusData if self.random.one_in(8) => self.random.bits() & mask(width),
            InputKind::BusData => self.duration(24),
            InputKind::RingWord(format) => (format.drawn)(&mut || self.random.bits()),
        }
    }

    /// The address of a node; 0 if the network is not known.
    fn address(&mut self) -> u64 {
        let nodes: usize = self.sizes.bases.iter().product();
        let node = self.random.below(nodes as u64) as usize;
        u64::from(pack_address(&self.sizes.bases, node))
    }

    fn destination(&mut self) -> u64 {
        if self.sizes.bases.is_empty() || self.random.one_in(8) {
            // Numbers of every magnitude: small ones exist in every network.
            return self.random.bits() & 0xffff >> self.random.below(16);
        }
        self.address()
    }

    fn header(&mut self, width: usize) -> u64 {
        let longest = self.sizes.max_packet_flits as u64;
        let length = match self.random.below(16) {
            0 => self.random.below(1024),
            1 => longest + self.random.below(2),
            2 => 0,
            // Mostly short, so that many packets pass.
            3..8 => 1 + self.random.below(longest),
            _ => 1 + self.random.below(longest.min(4)),
        };
        let marks = if self.random.one_in(8) { self.random.bits() << 26 } else { 0 };
        (self.destination() | length << 16 | marks) & mask(width)
    }

    /// A bit for each lane, lane 0 lowest.
    fn hint_lanes(&mut self, width: usize) -> u64 {
        let mut bits = 0;
        for lane in 0..width {
            let mut of_lane = std::mem::take(&mut self.lanes[lane]);
            let destination = self.destination();
            bits |= u64::from(of_lane.step(&mut self.random, |_| destination)) << lane;
            self.lanes[lane] = of_lane;
        }
        bits
    }

    /// A bit or vector that comes in three cycles of four, or in one of eight.
    fn tide(&mut self, row: usize, width: usize) -> u64 {
        if self.random.one_in(self.scenario.hold.saturating_mul(4)) {
            self.held[row] = !self.held[row];
        }
        let (some, more) = (self.random.bits(), self.random.bits());
        let (often, seldom) = (some | more, some & more & self.random.bits());
        (self.held[row] & often | !self.held[row] & seldom) & mask(width)
    }
}

/// Beside the phase that is held of the first neighbour: all neighbours go off.
const ALL_GO_OFF: u64 = 1 << 32;

impl RandomStimulus {
    /// The phase of the neighbour in slot `row`; that of the first is in slot `first`.
    fn neighbour_phase(&mut self, cycle: u64, first: usize, row: usize, width: usize) -> u64 {
        let hold = self.scenario.hold;
        if row == first && self.random.one_in(hold.saturating_mul(6)) {
            self.held[first] ^= ALL_GO_OFF;
        }
        let all_go_off = self.held[first] & ALL_GO_OFF;
        if cycle == 0 || self.random.one_in(hold) {
            let fresh = self.fresh(InputKind::NeighbourPhase, width);
            let phase = if all_go_off != 0 { Phase::Off as u64 } else { fresh };
            self.held[row] = phase | if row == first { all_go_off } else { 0 };
        }
        self.held[row] & mask(width)
    }
}

impl RandomStimulus {
    /// A value the block showed in the cycle before, or one to either side of it.
    fn beside(&mut self, last: &[u64], width: usize) -> u64 {
        let shown = last[self.random.below(last.len() as u64) as usize];
        shown.wrapping_add(self.random.below(3)).wrapping_sub(1) & mask(width)
    }
}

impl Stimulus for RandomStimulus {
    fn drive(&mut self, cycle: u64, last: &[u64], inputs: &mut [u64]) {
        let (mut slot, mut resets) = (0, false);
        for index in 0..self.inputs.len() {
            let Input { kind, rows, width, .. } = self.inputs[index];
            for (row, input) in inputs.iter_mut().enumerate().skip(slot).take(rows) {
                *input = match kind {
                    InputKind::Reset => u64::from(cycle < 2 || self.random.one_in(self.scenario.reset_every)),
                    InputKind::Compared if self.random.one_in(2) => self.beside(last, width),
                    InputKind::Tide => self.tide(row, width),
                    InputKind::Drought => {
                        let some = self.tide(row, width);
                        some * u64::from(self.held[row] != 0)
                    }
                    InputKind::HintLane => self.hint_lanes(width),
                    InputKind::NeighbourPhase => self.neighbour_phase(cycle, slot, row, width),
                    // The words of a flit behind its header.
                    InputKind::Flit if (row - slot) % self.sizes.flit_words != 0 => {
                        self.fresh(InputKind::Uniform, width)
                    }
                    InputKind::SerialLine => {
                        if cycle == 0 || self.random.one_in(self.scenario.longest / 2 + 1) {
                            self.held[row] = self.fresh(InputKind::Uniform, width);
                        }
                        self.held[row]
                    }
                    InputKind::Small
                    | InputKind::Pointer
                    | InputKind::Held
                    | InputKind::Position
                    | InputKind::Stage => {
                        if cycle == 0 || self.random.one_in(self.scenario.hold) {
                            self.held[row] = self.fresh(kind, width);
                        }
                        self.held[row]
                    }
                    InputKind::WordAddress => {
                        let any = self.fresh(kind, width);
                        self.written.filter(|_| cycle.is_multiple_of(2)).map_or(any, |written| written & mask(width))
                    }
                    _ => self.fresh(kind, width),
                };
                let gate = &self.inputs[index].gate;
                if self.gated && !gate.is_open() {
                    *input = if self.came[row] || self.was_reset { 0 } else { gate.pass(*input, last) };
                    self.came[row] = *input != 0;
                }
            }
            if kind == InputKind::Reset {
                resets = inputs[slot] == 1;
            }
            slot += rows;
        }
        self.was_reset = resets;
        self.tame_register_writes(inputs);
        if let Some(packets) = &mut self.packets {
            packets.drive(&mut self.random, last, inputs);
        }
    }
}

impl RandomStimulus {
    /// Writes of words: rare, and mostly of values that leave the ports something to do.
    fn tame_register_writes(&mut self, inputs: &mut [u64]) {
        let Some([enable, address, data]) = self.write else { return };
        inputs[enable] = u64::from(self.random.one_in(self.scenario.hold.max(2)));
        let fate = self.random.below(8);
        if fate != 0 {
            let of_routing = if fate == 1 { self.software.routing_write(&mut self.random) } else { None };
            let (byte_address, value) = of_routing.unwrap_or_else(|| match fate {
                7 if self.scenario.limits => self.software.write_of_highest_bit(&mut self.random),
                _ => self.software.write(&mut self.random),
            });
            inputs[address] = byte_address / u64::from(WORD_BYTES);
            inputs[data] = if fate < 5 && of_routing.is_none() { self.duration(24) } else { value };
        }
        self.written = (inputs[enable] != 0).then_some(inputs[address]);
    }
}
