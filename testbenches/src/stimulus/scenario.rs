//! Random stimuli for any block, from a handful of parameters that proptest chooses and shrinks.
//!
//! Inputs are told apart by their names in the microarchitecture page: durations are drawn small (and sometimes at
//! their limits) and held, so that counters run into them; pointers are one-hot; everything else is
//! random with a density. The same parameters always give the same stimuli.

use super::Stimulus;
use powar_config::topology::pack_address;
use powar_config::{Config, Layout, Role, SignalDecl, Topology, register_map};
use proptest::prelude::*;
use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

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
    /// Held values are at times the largest the width allows.
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

    /// The stimulus for a block with these signals. Blocks of the switch get more to do from [`Scenario::stimulus_for`].
    pub fn stimulus(&self, layout: &Layout) -> RandomStimulus {
        RandomStimulus {
            scenario: self.clone(),
            random: Xoshiro256PlusPlus::seed_from_u64(self.seed),
            inputs: layout.inputs.iter().map(|signal| Input::new(signal, layout)).collect(),
            write: layout.input("write_enable").zip(layout.input("write_data")),
            held: vec![0; layout.input_slots()],
            came: vec![false; layout.input_slots()],
            sizes: Sizes::default(),
            gated: self.seed % 8 != 7,
        }
    }

    /// The stimulus for a block of this configuration: addresses, virtual channels and lengths are mostly those that exist.
    pub fn stimulus_for(&self, config: &Config, layout: &Layout) -> RandomStimulus {
        RandomStimulus { sizes: Sizes::new(config), ..self.stimulus(layout) }
    }
}

/// See [`Scenario`].
pub struct RandomStimulus {
    scenario: Scenario,
    random: Xoshiro256PlusPlus,
    inputs: Vec<Input>,
    /// Slots of the enable and the data of the controller's write port.
    write: Option<(usize, usize)>,
    held: Vec<u64>,
    /// Gated rows that came in the cycle before.
    came: Vec<bool>,
    sizes: Sizes,
    /// What may come only in certain states of the block comes only then.
    gated: bool,
}

/// What random inputs of the switch's blocks must know to hit something.
struct Sizes {
    ports: usize,
    vcs: usize,
    max_packet_flits: usize,
    flit_words: usize,
    /// Bases of the digits of an address; none: not known.
    bases: Vec<usize>,
    stages: usize,
}

impl Default for Sizes {
    fn default() -> Self {
        Sizes { ports: 8, vcs: 4, max_packet_flits: 16, flit_words: 4, bases: vec![], stages: 1 }
    }
}

impl Sizes {
    fn new(config: &Config) -> Self {
        Sizes {
            ports: config.ports,
            vcs: config.switch.vcs,
            max_packet_flits: config.switch.max_packet_flits,
            flit_words: config.switch.flit_words(),
            bases: config.topology.as_ref().map_or_else(Vec::new, |topology| topology.bases(config.ports)),
            stages: if let Some(Topology::FatTree { n, .. }) = config.topology { n } else { 1 },
        }
    }
}

/// An input signal.
#[derive(Clone, Copy)]
struct Input {
    kind: Kind,
    rows: usize,
    width: usize,
    gate: Option<Gate>,
}

impl Input {
    fn new(signal: &SignalDecl, layout: &Layout) -> Self {
        let gate = Gate::of(&signal.name, layout);
        Input { kind: kind(&signal.name), rows: signal.rows, width: signal.width, gate }
    }
}

/// When an input may come, by slots of what the block showed in the cycle before. One that came in that cycle stays away, since the
/// state that allowed it may be gone.
#[derive(Clone, Copy)]
enum Gate {
    /// Where this is not 0.
    Some(usize),
    /// A virtual channel of an input port is accepted if it is `present` or to `drop`, and `can_take`.
    Packet { present: usize, drop: usize, can_take: usize },
}

impl Gate {
    fn of(name: &str, layout: &Layout) -> Option<Gate> {
        let output = |name| layout.observed(Role::Output, name);
        match name {
            "read" => output("available").map(Gate::Some),
            "pop" => output("count").map(Gate::Some),
            "accept" => match (output("present"), output("drop"), output("can_take")) {
                (Some(present), Some(drop), Some(can_take)) => Some(Gate::Packet { present, drop, can_take }),
                _ => output("head_valid").map(Gate::Some),
            },
            _ => None,
        }
    }

    /// What of `value` may come.
    fn pass(self, value: u64, last: &[u64]) -> u64 {
        match self {
            Gate::Some(slot) => value * u64::from(last[slot] != 0),
            Gate::Packet { present, drop, can_take } => {
                let may = value & (last[present] | last[drop]) & last[can_take];
                may & may.wrapping_neg()
            }
        }
    }
}

/// How an input is driven.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Reset,
    /// A small number, now and then 0 or the largest, kept for a while.
    Duration,
    /// A one-hot round-robin pointer, kept for a while.
    Pointer,
    /// Any value, kept for a while.
    Held,
    /// A set of ports that may be asked for.
    Request,
    /// Fresh in every cycle.
    Event,
    /// 1 about as seldom as held values change: what it clears has time to grow.
    Rare,
    /// Now and then next to something the block has just shown: a random count would never meet a limit of 24 bits.
    Compared,
    /// Fresh in every cycle, uniformly.
    Uniform,
    /// Comes often for a while, then seldom for a while: what it fills runs full, what it empties runs empty.
    Tide,
    /// Comes often for a while, then not at all for a while: what waits for it waits as long as can be.
    Drought,
    /// Most bits are set.
    Usual,
    /// At most one bit is set.
    OneHot,
    /// The number of a virtual channel, mostly of one that exists.
    VcNumber,
    /// Mostly 0.
    Awake,
    /// The address of this switch, and its stage: of those that exist, kept for a while.
    Position,
    Stage,
    /// The address of a destination, mostly of one that exists.
    Destination,
    /// A header (5.1), with a length that is mostly allowed; above it the mark of a header entry.
    Header,
    /// Rows of flits: the first word of each is a header.
    Flit,
    /// Of the register bus: mostly an address that exists, mostly all bytes, mostly a small number.
    BusAddress,
    BusStrobes,
    BusData,
}

fn kind(name: &str) -> Kind {
    match name {
        "rst" => Kind::Reset,
        "pdt" | "t_sleep" | "t_wake" | "t_quiet" | "t_refresh" | "period" | "check_period" | "on_flits"
        | "off_flits" | "n_selectable" => Kind::Duration,
        "pointer" => Kind::Pointer,
        "policy" | "abort_sleep" | "sleep_enable" | "selectable" => Kind::Held,
        "adaptive" | "deterministic" | "request" => Kind::Request,
        "check" | "clear" | "clear_statistics" => Kind::Rare,
        "count" => Kind::Compared,
        "write_address" | "write_data" | "state" => Kind::Uniform,
        "push" | "pop" | "arrive" | "read" | "sent" | "returned" | "in_valid" | "out_credit_valid" => Kind::Tide,
        "ready" | "drop" => Kind::Drought,
        "room" | "can_take" | "adaptive_vcs" | "deterministic_vcs" | "allowed" | "routable" => Kind::Usual,
        // At most one virtual channel of an input port is accepted in a cycle.
        "accept" | "grant" | "grant_vc" | "select" | "select_vc" | "departing_vc" | "vc" => Kind::OneHot,
        "in_vc" | "out_credit_vc" => Kind::VcNumber,
        "in_power_state" => Kind::Awake,
        "position" => Kind::Position,
        "stage" => Kind::Stage,
        "destination" => Kind::Destination,
        "header" | "fetched" => Kind::Header,
        "in_flit" => Kind::Flit,
        "s_axi_awaddr" | "s_axi_araddr" => Kind::BusAddress,
        "s_axi_wstrb" => Kind::BusStrobes,
        "s_axi_wdata" => Kind::BusData,
        _ => Kind::Event,
    }
}

fn mask(width: usize) -> u64 {
    u64::MAX >> (64 - width)
}

impl RandomStimulus {
    fn below(&mut self, bound: u64) -> u64 {
        // The bias is below one in 2^32 for the small bounds used here.
        ((u128::from(self.random.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    fn chance(&mut self, one_in: u32) -> bool {
        one_in != 0 && self.below(u64::from(one_in)) == 0
    }

    /// A vector whose bits are set with the scenario's density.
    fn sparse(&mut self, width: usize) -> u64 {
        match self.scenario.density {
            0 => 0,
            255 => mask(width),
            density => {
                // Eight random words compared bit by bit with the density's binary digits, lowest first.
                let mut bits = 0;
                for place in 0..8 {
                    let word = self.random.next_u64();
                    bits = if density >> place & 1 == 1 { bits | word } else { bits & word };
                }
                bits & mask(width)
            }
        }
    }

    fn duration(&mut self, width: usize) -> u64 {
        if self.scenario.limits && self.chance(6) {
            return if self.chance(2) { mask(width) } else { 0 };
        }
        self.below(u64::from(self.scenario.longest) + 1) & mask(width)
    }

    fn fresh(&mut self, kind: Kind, width: usize) -> u64 {
        match kind {
            Kind::Duration => self.duration(width),
            Kind::Pointer => 1 << self.below(width as u64),
            Kind::Request => {
                let set = self.sparse(width);
                match self.scenario.hot_ports {
                    Some(ports) => set & mask(usize::from(ports).min(width)),
                    None => set,
                }
            }
            Kind::Event => self.sparse(width),
            Kind::Rare => u64::from(self.chance(self.scenario.hold)),
            Kind::Compared | Kind::Held | Kind::Uniform | Kind::Reset | Kind::Tide | Kind::Drought => {
                self.random.next_u64() & mask(width)
            }
            Kind::Usual => (self.random.next_u64() | self.random.next_u64()) & mask(width),
            Kind::OneHot => u64::from(self.sparse(1) != 0 || self.chance(4)) << self.below(width as u64),
            Kind::VcNumber if self.chance(8) => self.below(8),
            Kind::VcNumber => self.below(self.sizes.vcs as u64),
            Kind::Awake if self.chance(8) => self.random.next_u64() & mask(width),
            Kind::Awake => 0,
            Kind::Position => self.address(),
            Kind::Stage => self.below(self.sizes.stages as u64),
            Kind::Destination => self.destination(),
            Kind::Header | Kind::Flit => self.header(width),
            Kind::BusAddress => self.bus_address(),
            Kind::BusStrobes if self.chance(8) => self.below(16),
            Kind::BusStrobes => 15,
            Kind::BusData if self.chance(8) => self.random.next_u64() & mask(width),
            Kind::BusData => self.duration(24),
        }
    }

    /// The address of a node; 0 if the network is not known.
    fn address(&mut self) -> u64 {
        let nodes: usize = self.sizes.bases.iter().product();
        let node = self.below(nodes as u64) as usize;
        u64::from(pack_address(&self.sizes.bases, node))
    }

    fn destination(&mut self) -> u64 {
        if self.sizes.bases.is_empty() || self.chance(8) {
            // Numbers of every magnitude: small ones exist in every network.
            return self.random.next_u64() & 0xffff >> self.below(16);
        }
        self.address()
    }

    fn header(&mut self, width: usize) -> u64 {
        let longest = self.sizes.max_packet_flits as u64;
        let length = match self.below(16) {
            0 => self.below(1024),
            1 => longest + self.below(2),
            2 => 0,
            // Mostly short, so that many packets pass.
            3..8 => 1 + self.below(longest),
            _ => 1 + self.below(longest.min(4)),
        };
        let marks = if self.chance(8) { self.random.next_u64() << 26 } else { 0 };
        (self.destination() | length << 16 | marks) & mask(width)
    }

    fn bus_address(&mut self) -> u64 {
        let ports = self.sizes.ports as u64;
        let (control, port) = (u64::from(register_map::CONTROL_BASE), u64::from(register_map::PORT_BASE));
        match self.below(8) {
            0 => self.below(1 << register_map::ADDRESS_BITS),
            1 => 4 * self.below(4),
            // Now and then beside a word.
            2 => control + self.below(48),
            3..5 => control + 4 * self.below(12),
            _ => port + u64::from(register_map::PORT_STRIDE) * self.below(ports + 1) + 4 * self.below(14),
        }
    }

    /// A bit or vector that comes in three cycles of four, or in one of eight.
    fn tide(&mut self, row: usize, width: usize) -> u64 {
        if self.chance(self.scenario.hold.saturating_mul(4)) {
            self.held[row] = !self.held[row];
        }
        let (some, more) = (self.random.next_u64(), self.random.next_u64());
        let (often, seldom) = (some | more, some & more & self.random.next_u64());
        (self.held[row] & often | !self.held[row] & seldom) & mask(width)
    }
}

impl RandomStimulus {
    /// A value the block showed in the cycle before, or one to either side of it.
    fn beside(&mut self, last: &[u64], width: usize) -> u64 {
        let shown = last[self.below(last.len() as u64) as usize];
        shown.wrapping_add(self.below(3)).wrapping_sub(1) & mask(width)
    }
}

impl Stimulus for RandomStimulus {
    fn drive(&mut self, cycle: u64, last: &[u64], inputs: &mut [u64]) {
        let mut slot = 0;
        for index in 0..self.inputs.len() {
            let Input { kind, rows, width, gate } = self.inputs[index];
            for (row, input) in inputs.iter_mut().enumerate().skip(slot).take(rows) {
                *input = match kind {
                    Kind::Reset => u64::from(cycle < 2 || self.chance(self.scenario.reset_every)),
                    Kind::Compared if self.chance(2) => self.beside(last, width),
                    Kind::Tide => self.tide(row, width),
                    Kind::Drought => {
                        let some = self.tide(row, width);
                        some * u64::from(self.held[row] != 0)
                    }
                    // The words of a flit behind its header.
                    Kind::Flit if (row - slot) % self.sizes.flit_words != 0 => self.fresh(Kind::Uniform, width),
                    Kind::Duration | Kind::Pointer | Kind::Held | Kind::Position | Kind::Stage => {
                        if cycle == 0 || self.chance(self.scenario.hold) {
                            self.held[row] = self.fresh(kind, width);
                        }
                        self.held[row]
                    }
                    _ => self.fresh(kind, width),
                };
                if let Some(gate) = gate.filter(|_| self.gated) {
                    *input = if self.came[row] { 0 } else { gate.pass(*input, last) };
                    self.came[row] = *input != 0;
                }
            }
            slot += rows;
        }
        self.tame_register_writes(inputs);
    }
}

impl RandomStimulus {
    /// Register writes of the whole controller: rare, and mostly of values that leave it something to do.
    fn tame_register_writes(&mut self, inputs: &mut [u64]) {
        if let Some((enable, data)) = self.write {
            inputs[enable] = u64::from(self.chance(self.scenario.hold.max(2)));
            if !self.chance(8) {
                inputs[data] = self.duration(24);
            }
        }
    }
}
