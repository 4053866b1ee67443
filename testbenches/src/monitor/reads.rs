//! A counter that is read is what its prescaler has counted in 32 bits, up to three cycles before the answer.

use super::intake::Intake;
use super::{Monitor, ObservedCycle, Violations};
use powar_config::Config;
use powar_config::registers::{self, RegisterOwner, WORD_BYTES};
use std::collections::VecDeque;

pub(super) struct Reads {
    config: Config,
    /// The prescalers of the cycle before, and whether the counters were cleared in it.
    before: Option<(Vec<u64>, bool)>,
    /// The counters, port after port, and whether they are cleared: in this cycle and the three before, oldest first.
    totals: VecDeque<(Vec<u32>, bool)>,
}

impl Reads {
    pub(super) fn new(config: &Config) -> Self {
        Reads { config: config.clone(), before: None, totals: VecDeque::new() }
    }

    /// Counts on, from what the prescalers show.
    fn count(&mut self, frame: &ObservedCycle) {
        let prescalers = frame.counters();
        let oldest = if self.totals.len() > 3 { self.totals.pop_front() } else { None };
        let (mut totals, _) = oldest.unwrap_or_default();
        totals.clear();
        match (&self.before, self.totals.back()) {
            (Some((before, false)), Some((last, _))) => {
                let gone_on = prescalers.iter().zip(before).map(|(now, before)| now.wrapping_sub(*before));
                let counted = gone_on.map(|events| (events & frame.signals.mask) as u32);
                totals.extend(last.iter().zip(counted).map(|(last, events)| last.wrapping_add(events)));
            }
            // They begin with a reset or a clear.
            _ => totals.resize(prescalers.len(), 0),
        }
        self.totals.push_back((totals, frame.clears()));
        let (mut before, _) = self.before.take().unwrap_or_default();
        before.clear();
        before.extend_from_slice(prescalers);
        self.before = Some((before, frame.clears()));
    }
}

impl Monitor for Reads {
    fn cycle(&mut self, frame: &ObservedCycle, _intake: &Intake, violations: &mut Violations) {
        self.count(frame);
        let signals = frame.signals;
        if frame.observed[signals.read_done] == 0 {
            return;
        }
        let address = frame.observed[signals.read_address] as u16 * WORD_BYTES;
        let owner = registers::lookup(address, &self.config).map(|register| register.owner);
        let Some(RegisterOwner::Counter { port, counter }) = owner else { return };
        // An answer takes four cycles from a reset on.
        let Some((totals, cleared)) = self.totals.front().filter(|_| self.totals.len() == 4) else { return };
        let shown = frame.observed[signals.read_data];
        let expected = if *cleared { 0 } else { u64::from(totals[port * signals.counters + counter]) };
        if shown != expected {
            let (name, _) = registers::counters(signals.mechanism).nth(counter).expect("a counter of the port");
            violations.add(frame, format_args!("port {port}: {name} read as {shown}, it was {expected}"));
        }
    }

    fn reset(&mut self) {
        self.before = None;
        self.totals.clear();
    }
}
