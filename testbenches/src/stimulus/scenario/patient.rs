//! Long waits and high counts, by the values that users have: durations of every width up to a second's worth of cycles and those of the
//! shipped configurations, held for as long as they take, with spells of quiet and of one thing only between bursts of everything.

use super::input_kind::InputKind;
use super::{RandomStimulus, Scenario, mask};
use crate::random::Random;
use crate::stimulus::Stimulus;
use powar_config::registers::registers;
use powar_config::{Config, Layout, Meaning, SignalDecl, presets};

/// A counter that is no wider runs through all its values under any stimulus.
const NARROW: usize = 8;
/// Bits of the longest spell, in cycles, but for values of shipped configurations.
const MOST_BITS: u64 = 19;
/// The same for a block that counts and knows of no duration: so long must a wide counter be left to itself before its highest bit shows.
const MOST_COUNT_BITS: u64 = 22;
/// The same of [`Patient::to_the_end`].
const ALL_BITS: u64 = 24;
/// Bits of durations that are over soon.
const SHORT_BITS: u64 = 6;
/// Cycles that a policy and the like is kept on average, and between writes of words; the highest number that is written.
const HOLD: u32 = 20_000;
const WRITTEN: u32 = 1 << 17;
/// Values are held for so many spells on average.
const SPELLS: u32 = 6;

/// What an input does for a spell.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    /// Nothing comes.
    Quiet,
    /// The same comes in every cycle.
    Steady(u64),
    /// Comes as it does in other random runs.
    Lively,
    /// Comes so once in a quarter of the spell.
    Seldom,
}

/// See the module.
pub struct Patient {
    random: Random,
    inner: RandomStimulus,
    /// Slots of one input value each.
    slots: Vec<Slot>,
    /// Values of duration that shipped configurations have.
    shipped: Vec<u64>,
    /// Bits of the longest spell, in cycles.
    longest: u64,
    /// Some durations have the highest bit of all: see [`Patient::to_the_end`].
    to_the_end: bool,
    /// Cycles of the spell under way that are left, and how long it is.
    left: u64,
    spell: u64,
}

struct Slot {
    kind: InputKind,
    width: usize,
    /// What comes when is bound to what the block shows: it may be quiet, and never steady.
    gated: bool,
    /// It comes in most spells, or stays away, as long as durations are held.
    tends_to_come: bool,
    mode: Mode,
    held: u64,
}

impl Patient {
    /// The stimulus of a block that has something to wait for or to count: a duration, or a count that takes more than a few cycles. None for
    /// others.
    pub fn new(config: &Config, layout: &Layout, seed: u64) -> Option<Patient> {
        let counts = |signal: &SignalDecl| {
            let meanings = [Meaning::Duration, Meaning::Elapsed, Meaning::Count, Meaning::PortCounter];
            meanings.contains(&signal.meaning) && signal.width > NARROW
        };
        if !layout.inputs.iter().chain(&layout.observed).any(counts) {
            return None;
        }
        let scenario =
            Scenario { limits: false, reset_every: 0, hold: HOLD, longest: WRITTEN, ..Scenario::lively(seed) };
        let slots = layout.inputs.iter().flat_map(|signal| {
            let kind = InputKind::of(signal, config.mechanism().node_hint);
            let gated = !signal.only_after.is_empty();
            (0..signal.rows).map(move |_| Slot {
                kind,
                width: signal.width,
                gated,
                tends_to_come: false,
                mode: Mode::Quiet,
                held: 0,
            })
        });
        let slots: Vec<Slot> = slots.collect();
        let widths = layout.inputs.iter().chain(&layout.observed).filter(|signal| counts(signal));
        let widest = widths.map(|signal| signal.width as u64).max().unwrap_or_default();
        let waits = slots.iter().any(|slot| slot.kind == InputKind::Small);
        Some(Patient {
            random: Random::new(seed),
            inner: scenario.stimulus(config, layout),
            slots,
            longest: if waits { MOST_BITS } else { widest.clamp(MOST_BITS, MOST_COUNT_BITS) },
            to_the_end: false,
            shipped: shipped(),
            left: 0,
            spell: 0,
        })
    }

    /// The same for a block that is told durations, with one in each draw that has the highest bit of all: waits of ten million cycles,
    /// few of them.
    pub fn to_the_end(config: &Config, layout: &Layout, seed: u64) -> Option<Patient> {
        let patient = Patient::new(config, layout, seed)?;
        let is_told = patient.slots.iter().any(|slot| slot.kind == InputKind::Small && slot.width > MOST_BITS as usize);
        is_told.then_some(Patient { longest: ALL_BITS, to_the_end: true, ..patient })
    }

    /// As many random bits as `most` at most, and none of them more likely to be the highest than another.
    fn of_any_width(&mut self, most: u64) -> u64 {
        let bits = self.random.below(most + 1);
        if bits == 0 { 0 } else { self.random.bits() & mask(bits as usize) }
    }

    /// New durations, and what inputs tend to.
    fn draw_durations(&mut self) {
        let count = self.slots.iter().filter(|slot| slot.kind == InputKind::Small).count();
        let values = if self.to_the_end { self.some_longest(count) } else { self.of_users(count) };
        for (slot, value) in self.slots.iter_mut().filter(|slot| slot.kind == InputKind::Small).zip(values) {
            slot.held = value & mask(slot.width);
        }
        for slot in &mut self.slots {
            slot.tends_to_come = self.random.one_in(2);
        }
    }

    /// All of them shipped ones, or of up to as many bits, or one of these among short ones.
    fn of_users(&mut self, count: usize) -> Vec<u64> {
        let (is_shipped, is_alone) = (self.random.one_in(3), self.random.one_in(2));
        // Of two: the highest bits take longest to be looked at.
        let most = self.random.below(MOST_BITS).max(self.random.below(MOST_BITS)) + 1;
        let long = self.random.below(count.max(1) as u64) as usize;
        (0..count)
            .map(|place| match (is_shipped, is_alone) {
                (true, _) => self.shipped[self.random.below(self.shipped.len() as u64) as usize],
                (_, true) if place == long => 1 << (most - 1) | self.random.bits() & mask(most as usize),
                (_, true) => self.of_any_width(SHORT_BITS),
                _ => self.of_any_width(most),
            })
            .collect()
    }

    /// One has the highest bit of all, and half of the others do: what waits for several comes to the end of a long one sooner or later,
    /// whichever it waits for first.
    fn some_longest(&mut self, count: usize) -> Vec<u64> {
        let long = self.random.below(count.max(1) as u64) as usize;
        (0..count)
            .map(|place| match place == long || self.random.one_in(2) {
                true => 1 << (ALL_BITS - 1) | self.random.bits() & mask(MOST_BITS as usize),
                false => self.of_any_width(SHORT_BITS),
            })
            .collect()
    }

    /// How long the next spell is: a few cycles, just as long as a duration or two of them, or longer than all.
    fn draw_spell(&mut self) -> u64 {
        let durations: Vec<u64> =
            self.slots.iter().filter(|slot| slot.kind == InputKind::Small).map(|slot| slot.held).collect();
        let any = |random: &mut Random| {
            if durations.is_empty() { 0 } else { durations[random.below(durations.len() as u64) as usize] }
        };
        let longest = 1 << self.longest;
        let length = match self.random.below(4) {
            0 => self.random.below(64),
            1 => any(&mut self.random) + self.random.below(4),
            2 => any(&mut self.random) + any(&mut self.random) + self.random.below(64),
            _ if durations.is_empty() => self.of_any_width(self.longest),
            _ => durations.iter().max().map_or(0, |most| most + most / 8) + self.random.below(64),
        };
        1 + length.min(longest)
    }

    /// Most inputs do what they tend to while these durations are held, so that what takes several of them comes to its end.
    fn draw_modes(&mut self) {
        for slot in &mut self.slots {
            let Slot { kind, width, gated, tends_to_come, .. } = *slot;
            let comes = matches!(
                kind,
                InputKind::Request
                    | InputKind::Event
                    | InputKind::Rare
                    | InputKind::Tide
                    | InputKind::Drought
                    | InputKind::HintLane
                    | InputKind::OneHot
            );
            let one_of_several = kind == InputKind::OneHot || kind == InputKind::Rare && width > 1;
            let can_last = !gated && !one_of_several;
            slot.mode = match self.random.below(8) {
                _ if !comes => Mode::Lively,
                0 => Mode::Lively,
                1 | 2 => Mode::Seldom,
                3 if can_last => Mode::Steady(self.random.bits() & mask(width)),
                _ if tends_to_come && can_last => Mode::Steady(mask(width)),
                _ => Mode::Quiet,
            };
        }
    }
}

/// What shipped configurations have in their registers, by their numbers: durations, thresholds, counts.
fn shipped() -> Vec<u64> {
    let configs = presets::ALL.iter().map(|preset| preset.config());
    let values = configs.flat_map(|config| {
        let words = registers(&config).into_iter().map(|register| register.word.reset_value(&config));
        words.map(u64::from).filter(|value| (1..1 << 24).contains(value)).collect::<Vec<_>>()
    });
    let mut values: Vec<u64> = values.collect();
    values.sort_unstable();
    values.dedup();
    values
}

impl Stimulus for Patient {
    fn drive(&mut self, cycle: u64, last: &[u64], inputs: &mut [u64]) {
        if self.left == 0 {
            let spells = if self.to_the_end { 2 * SPELLS } else { SPELLS };
            if cycle == 0 || self.random.one_in(spells) {
                self.draw_durations();
            }
            self.spell = self.draw_spell();
            self.left = self.spell;
            self.draw_modes();
        }
        self.left -= 1;
        self.inner.drive(cycle, last, inputs);
        let seldom = self.random.below(self.spell / 4 + 1) == 0;
        for (slot, input) in self.slots.iter().zip(inputs) {
            *input = match (slot.kind, slot.mode) {
                (InputKind::Small, _) => slot.held,
                (_, Mode::Quiet) => 0,
                (_, Mode::Steady(value)) => value,
                (_, Mode::Seldom) if !seldom => 0,
                _ => *input,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::twins;

    fn patient(block: &str) -> Option<Patient> {
        let config = presets::by_name("fat-tree-4").unwrap();
        let layout = twins::golden(&config, block).unwrap().layout().clone();
        Patient::new(&config, &layout, 1)
    }

    #[test]
    fn only_what_waits_or_counts_needs_patience() {
        assert!(["port_power_fsm", "check_timer", "flit_counter"].iter().all(|block| patient(block).is_some()));
        assert!(["selector", "round_robin_arbiter"].iter().all(|block| patient(block).is_none()));
    }

    /// So that the highest bit of 24 is reached at 4 flits a cycle.
    #[test]
    fn a_wide_counter_is_left_to_itself_for_long() {
        let mut patient = patient("flit_counter").unwrap();
        patient.draw_durations();
        let longest = (0..2000).map(|_| patient.draw_spell()).max().unwrap();
        assert!(longest > 1 << 21, "{longest}");
    }

    /// The defaults are among the values, and every bit up to the highest of a long wait is there and is not.
    #[test]
    fn durations_are_those_of_users() {
        let mut patient = patient("port_power_fsm").unwrap();
        assert!(patient.shipped.contains(&6250), "{:?}", patient.shipped);
        let (mut ones, mut zeros, mut longest) = (0, 0, 0);
        for _ in 0..2000 {
            patient.draw_durations();
            for slot in patient.slots.iter().filter(|slot| slot.kind == InputKind::Small) {
                (ones, zeros) = (ones | slot.held, zeros | !slot.held);
            }
            longest = longest.max(patient.draw_spell());
        }
        let all = mask(MOST_BITS as usize);
        assert_eq!((ones & all, zeros & all), (all, all));
        assert!(longest > 1 << (MOST_BITS - 1));
    }

    /// The highest bit of 24 of one duration at least, and a spell that is long enough for it.
    #[test]
    fn waits_to_the_end_are_longer_than_half_of_all_numbers() {
        let config = presets::by_name("fat-tree-4").unwrap();
        let layout = twins::golden(&config, "port_power_fsm").unwrap().layout().clone();
        let mut patient = Patient::to_the_end(&config, &layout, 1).unwrap();
        for _ in 0..20 {
            patient.draw_durations();
            let longest = patient.slots.iter().filter(|slot| slot.kind == InputKind::Small).map(|slot| slot.held).max();
            let spell = (0..40).map(|_| patient.draw_spell()).max();
            assert!(longest.unwrap() > 1 << 23 && spell > longest, "{longest:?} {spell:?}");
        }
    }
}
