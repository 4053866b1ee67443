//! `port_counters`: what a port did, and what was wrong there, for software and for the power model.

use super::CounterSlots;
use super::counter_slots::slot_bits;
use crate::bits::is_set;
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::buffers::memory::Memory;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{flag, flags, level, number, phase, slot};
use powar_config::{Habit, Meaning, Owner, Residency, SignalSpec};

/// The counters of a port, 32 bits each; they wrap.
#[derive(Clone, Debug, PartialEq)]
pub struct PortCounters {
    residency: &'static [Residency],
    errors: usize,
    /// Events of each counter, modulo 2^w: cycles in each pair of phase and level, wake-ups, flits, errors.
    pub prescaler: Vec<u8>,
    /// The word of each counter: its events before the cycle before its last turn.
    pub words: Memory,
    /// The prescaler of the counter whose turn it is, as it was in the cycle before.
    pub now: u8,
}

inputs! {
    /// What a port's counters see in a cycle.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct CounterInputs of block: &PortCounters {
        pub phase: u8 = phase("phase"),
        pub level: u8 = level("level"),
        pub waking: bool = flag("waking"),
        pub departing: bool = flag("departing"),
        /// Events that are errors, bit e being that of counter K + 2 + e.
        pub error: u64 = flags("error", Owner::Block, block.errors).only_if(block.errors != 0),
        pub clear: bool = flag("clear").habit(Habit::Rare),
        pub turn: Turn = slot_bits(block.prescaler.len()),
    }
}

inputs! {
    /// Whose turn it is.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Turn of bits: usize {
        /// The counter whose word is fetched, if that is not left out.
        pub fetch: bool = flag("fetch"),
        pub fetch_slot: usize = slot("fetch_slot", bits),
        /// The counter whose turn it is.
        pub write_slot: usize = slot("write_slot", bits),
        /// What was fetched is older than the last clear.
        pub replace: bool = flag("replace").habit(Habit::Rare),
    }
}

impl From<&CounterSlots> for Turn {
    fn from(slots: &CounterSlots) -> Turn {
        let &CounterSlots { fetch_slot, write_slot, replace, .. } = slots;
        Turn { fetch: slots.fetch(), fetch_slot, write_slot, replace }
    }
}

impl PortCounters {
    /// Counters after reset, for a mechanism with these K pairs of phase and level, and for `errors` kinds of errors.
    pub fn new(residency: &'static [Residency], errors: usize) -> Self {
        let counters = residency.len() + 2 + errors;
        let words = Memory::new(1 << slot_bits(counters));
        PortCounters { residency, errors, prescaler: vec![0; counters], words, now: 0 }
    }

    /// The bits of a prescaler: w ones.
    fn mask(&self) -> u8 {
        let bits = (1..).find(|bits| 1 << bits > self.prescaler.len());
        ((1 << bits.expect("as many bits as the number of counters has")) - 1) as u8
    }

    /// A word that was `before` when its prescaler was, and the prescaler's value now.
    fn gone_on(&self, before: u32, now: u8) -> u32 {
        before.wrapping_add((now.wrapping_sub(before as u8) & self.mask()).into())
    }

    /// The counter whose turn it is: its events before the cycle before this one.
    pub fn word(&self, turn: &Turn) -> u32 {
        self.gone_on(if turn.replace { 0 } else { self.words.output as u32 }, self.now)
    }

    /// The events of all counters before this cycle.
    pub fn counts(&self, slots: &CounterSlots) -> Vec<u32> {
        let turn = Turn::from(slots);
        let before = |counter| match counter {
            // What is in memory is older than a prescaler can tell.
            _ if counter == turn.write_slot => self.word(&turn),
            _ if counter < slots.stored() => self.words.stored(counter) as u32,
            _ => 0,
        };
        self.prescaler.iter().enumerate().map(|(counter, &now)| self.gone_on(before(counter), now)).collect()
    }

    /// The edge with `rst`, of which the memory knows nothing.
    pub fn reset(&mut self, turn: &Turn) {
        self.store(turn);
        self.prescaler.fill(0);
        self.now = 0;
    }

    fn store(&mut self, turn: &Turn) {
        let word = self.word(turn).into();
        self.words.clock(turn.fetch.then_some(turn.fetch_slot), Some((turn.write_slot, word)));
    }

    /// The clock edge. The cycle of a clear is not counted.
    pub fn clock(&mut self, inputs: &CounterInputs) {
        self.store(&inputs.turn);
        self.now = self.prescaler.get(inputs.turn.fetch_slot).copied().unwrap_or(0);
        if inputs.clear {
            self.prescaler.fill(0);
            self.now = 0;
            return;
        }
        let pairs = self.residency.iter();
        let in_pair = pairs.map(|pair| (pair.phase as u8, pair.level) == (inputs.phase, inputs.level));
        let errors = (0..self.errors).map(|error| is_set(inputs.error, error));
        let events = in_pair.chain([inputs.waking, inputs.departing]).chain(errors);
        let mask = self.mask();
        for (prescaler, event) in self.prescaler.iter_mut().zip(events) {
            *prescaler = prescaler.wrapping_add(event.into()) & mask;
        }
    }
}

impl Registers for PortCounters {
    fn list(&self, rows: &mut RegisterRows) {
        let prescaler = SignalSpec::new("prescaler", 8, Meaning::PortCounter).known_as("prescaler.count");
        rows.many(prescaler, self.prescaler.iter().copied());
        rows.one(SignalSpec::new("now", 8, Meaning::PortCounter), self.now);
    }
}

impl Block for PortCounters {
    type Inputs<'a> = CounterInputs;

    fn outputs(&self, seen: &CounterInputs, rows: &mut RegisterRows) {
        rows.one(number("word", 32), self.word(&seen.turn));
    }

    fn edge(&mut self, rst: bool, seen: &CounterInputs) {
        if rst { self.reset(&seen.turn) } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::{Phase, mechanism::powar};

    /// Counters and their slots.
    struct Port(PortCounters, CounterSlots);

    impl Port {
        fn new() -> Port {
            let counters = PortCounters::new(powar::MECHANISM.residency, 5);
            let slots = CounterSlots::new(counters.prescaler.len());
            Port(counters, slots)
        }

        fn clock(&mut self, inputs: &CounterInputs) {
            self.0.clock(&CounterInputs { turn: Turn::from(&self.1), ..*inputs });
            self.1.clock(inputs.clear);
        }

        fn counts(&self) -> Vec<u32> {
            self.0.counts(&self.1)
        }
    }

    const NOTHING: CounterInputs = CounterInputs {
        phase: 7,
        level: 0,
        waking: false,
        departing: false,
        error: 0,
        clear: false,
        turn: Turn { fetch: false, fetch_slot: 0, write_slot: 0, replace: false },
    };

    #[test]
    fn every_cycle_counts_once_by_its_phase() {
        let mut port = Port::new();
        let phases = [Phase::On, Phase::GoingOff, Phase::Off, Phase::Refreshing, Phase::ComingOn];
        for (phase, cycles) in phases.into_iter().zip(1..) {
            for _ in 0..cycles {
                port.clock(&CounterInputs { phase: phase as u8, ..NOTHING });
            }
        }
        assert_eq!(port.counts(), [1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 0]);
        port.clock(&CounterInputs { phase: 0, level: 1, ..NOTHING });
        assert_eq!(port.counts()[0], 1, "no pair of the mechanism");
        let busy = CounterInputs { phase: 0, waking: true, departing: true, error: 0b10110, ..NOTHING };
        port.clock(&busy);
        assert_eq!(port.counts(), [2, 2, 3, 4, 5, 1, 1, 0, 1, 1, 0, 1]);
        port.clock(&CounterInputs { clear: true, ..busy });
        assert_eq!(port.counts(), [0; 12], "the cycle of the clear is not counted");
    }

    #[test]
    fn every_counter_is_exact_in_its_turn_whatever_happens_in_every_cycle() {
        let mut port = Port::new();
        let busy = CounterInputs { phase: 0, waking: true, departing: true, error: 0b11111, ..NOTHING };
        let mut since = 0;
        for cycle in 0..1000u32 {
            let clear = [5, 6, 77, 300, 301, 313, 314].contains(&cycle);
            let counter = port.1.write_slot;
            // The events before the cycle before this one.
            let expected = if (1..5).contains(&counter) { 0 } else { (cycle - since).saturating_sub(1) };
            assert_eq!(port.0.word(&Turn::from(&port.1)), expected, "counter {counter} in cycle {cycle}");
            assert!(port.counts().iter().enumerate().all(|(c, &count)| (1..5).contains(&c) || count == cycle - since));
            port.clock(&CounterInputs { clear, ..busy });
            since = if clear { cycle + 1 } else { since };
        }
    }

    #[test]
    fn a_word_wraps_at_32_bits() {
        let mut port = Port::new();
        (0..30).for_each(|_| port.clock(&NOTHING));
        port.0.words.clock(None, Some((6, (u32::MAX - 15).into())));
        let flit = CounterInputs { departing: true, ..NOTHING };
        (0..12).for_each(|_| port.clock(&flit));
        assert_eq!(port.counts()[6], u32::MAX - 3);
        (0..12).for_each(|_| port.clock(&flit));
        assert_eq!((port.counts()[6], port.counts()[5]), (8, 0));
    }

    #[test]
    fn a_reset_begins_at_0_whatever_the_memory_holds() {
        let mut port = Port::new();
        (0..50).for_each(|_| port.clock(&CounterInputs { phase: 0, ..NOTHING }));
        port.0.reset(&Turn::from(&port.1));
        port.1.reset();
        assert_eq!(port.counts(), [0; 12]);
        (0..50).for_each(|_| port.clock(&CounterInputs { phase: 0, ..NOTHING }));
        assert_eq!(port.counts()[0], 50);
    }
}
