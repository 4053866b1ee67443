//! `port_counters`: what a port did, and what was wrong there, for software and for the power model.

use crate::bits::{is_set, ones};
use crate::lock_step::{Block, Observed, Slots, declare, input, output};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{RST, choice, flag, flags, level, number, phase};
use powar_config::{Habit, Meaning, Owner, Residency, Role, SignalDecl, SignalSpec};

/// The counters of a port, 32 bits each; they wrap.
#[derive(Clone, Debug, PartialEq)]
pub struct PortCounters {
    residency: &'static [Residency],
    errors: usize,
    /// Cycles in each pair of phase and level, wake-ups, flits, errors.
    pub count: Vec<u32>,
}

/// What a port's counters see in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct CounterInputs {
    pub phase: u8,
    pub level: u8,
    pub waking: bool,
    pub departing: bool,
    /// Events that are errors, bit e being that of counter K + 2 + e.
    pub error: u64,
    pub clear: bool,
}

impl PortCounters {
    /// Counters after reset, for a mechanism with these K pairs of phase and level, and for `errors` kinds of errors.
    pub fn new(residency: &'static [Residency], errors: usize) -> Self {
        PortCounters { residency, errors, count: vec![0; residency.len() + 2 + errors] }
    }

    /// The counter that is selected, one-hot; 0 if none.
    pub fn word(&self, select: u64) -> u32 {
        ones(select).fold(0, |word, counter| word | self.count[counter])
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        self.count.fill(0);
    }

    /// The clock edge. The cycle of a clear is not counted.
    pub fn clock(&mut self, inputs: &CounterInputs) {
        if inputs.clear {
            return self.reset();
        }
        let pairs = self.residency.iter();
        let in_pair = pairs.map(|pair| (pair.phase as u8, pair.level) == (inputs.phase, inputs.level));
        let errors = (0..self.errors).map(|error| is_set(inputs.error, error));
        let events = in_pair.chain([inputs.waking, inputs.departing]).chain(errors);
        for (count, event) in self.count.iter_mut().zip(events) {
            *count = count.wrapping_add(event.into());
        }
    }
}

impl Registers for PortCounters {
    fn list(&self, rows: &mut RegisterRows) {
        rows.many(SignalSpec::new("count", 32, Meaning::PortCounter), self.count.iter().copied());
    }
}

impl Block for PortCounters {
    fn signals(&self) -> Vec<SignalDecl> {
        let counters = self.count.len();
        let mut signals =
            declare(Role::Input, [RST, phase("phase"), level("level"), flag("waking"), flag("departing")]);
        signals.extend((self.errors != 0).then(|| input(flags("error", Owner::Block, self.errors))));
        signals.extend([input(flag("clear").habit(Habit::Rare)), input(choice("select", counters))]);
        signals.push(output(number("word", 32)));
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let mut slots = Slots(inputs);
        let rst = slots.bit();
        let seen = CounterInputs {
            phase: slots.one() as u8,
            level: slots.one() as u8,
            waking: slots.bit(),
            departing: slots.bit(),
            error: slots.one_if(self.errors != 0),
            clear: slots.bit(),
        };
        observed.put(self.word(slots.one()));
        observed.rows(self.count.iter().copied());
        if rst { self.reset() } else { self.clock(&seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::{Phase, mechanism::powar};

    fn counters() -> PortCounters {
        PortCounters::new(powar::MECHANISM.residency, 5)
    }

    #[test]
    fn every_cycle_counts_once_by_its_phase() {
        let mut counters = counters();
        let phases = [Phase::On, Phase::GoingOff, Phase::Off, Phase::Refreshing, Phase::ComingOn];
        for (phase, cycles) in phases.into_iter().zip(1..) {
            for _ in 0..cycles {
                counters.clock(&CounterInputs { phase: phase as u8, ..Default::default() });
            }
        }
        assert_eq!(counters.count, [1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 0]);
        counters.clock(&CounterInputs { level: 1, ..Default::default() });
        assert_eq!(counters.count[0], 1, "no pair of the mechanism");
        let busy = CounterInputs { waking: true, departing: true, error: 0b10110, ..Default::default() };
        counters.clock(&busy);
        assert_eq!(counters.count, [2, 2, 3, 4, 5, 1, 1, 0, 1, 1, 0, 1]);
        counters.clock(&CounterInputs { clear: true, ..busy });
        assert_eq!(counters, self::counters(), "the cycle of the clear is not counted");
    }

    #[test]
    fn counters_wrap_and_one_is_shown() {
        let mut counters = counters();
        (counters.count[0], counters.count[6]) = (u32::MAX, 7);
        assert_eq!([0, 1, 1 << 1, 1 << 6].map(|select| counters.word(select)), [0, u32::MAX, 0, 7]);
        counters.clock(&CounterInputs::default());
        assert_eq!(counters.word(1), 0);
    }
}
