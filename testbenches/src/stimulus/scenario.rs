//! Random stimuli for any block, from a handful of parameters that proptest chooses and shrinks.
//!
//! Inputs are told apart by their names in the microarchitecture page: durations are drawn small (and sometimes at
//! their limits) and held, so that counters run into them; pointers are one-hot; everything else is
//! random with a density. The same parameters always give the same stimuli.

use super::Stimulus;
use powar_config::{Layout, SignalDecl};
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

    /// The stimulus for a block with these signals.
    pub fn stimulus(&self, layout: &Layout) -> RandomStimulus {
        RandomStimulus {
            scenario: self.clone(),
            random: Xoshiro256PlusPlus::seed_from_u64(self.seed),
            inputs: layout.inputs.iter().map(Input::new).collect(),
            write: layout.input("write_enable").zip(layout.input("write_data")),
            held: vec![0; layout.input_slots()],
        }
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
}

/// An input signal.
#[derive(Clone, Copy)]
struct Input {
    kind: Kind,
    rows: usize,
    width: usize,
}

impl Input {
    fn new(signal: &SignalDecl) -> Self {
        Input { kind: kind(&signal.name), rows: signal.rows, width: signal.width }
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
            Kind::Compared | Kind::Held | Kind::Uniform | Kind::Reset => self.random.next_u64() & mask(width),
        }
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
            let Input { kind, rows, width } = self.inputs[index];
            for (row, input) in inputs.iter_mut().enumerate().skip(slot).take(rows) {
                *input = match kind {
                    Kind::Reset => u64::from(cycle < 2 || self.chance(self.scenario.reset_every)),
                    Kind::Compared if self.chance(2) => self.beside(last, width),
                    Kind::Compared | Kind::Event | Kind::Rare | Kind::Uniform | Kind::Request => {
                        self.fresh(kind, width)
                    }
                    Kind::Duration | Kind::Pointer | Kind::Held => {
                        if cycle == 0 || self.chance(self.scenario.hold) {
                            self.held[row] = self.fresh(kind, width);
                        }
                        self.held[row]
                    }
                };
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
