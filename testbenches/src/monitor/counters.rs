//! The prescalers of phases, wake-ups and flits count what the ports and their links show, modulo a power of two.
//!
//! A flit that sets out in cycle t is on the link in t+2, so the counters of flits are judged a cycle later than the others.

use super::intake::Intake;
use super::signals::Signals;
use super::{Monitor, ObservedCycle, Violations};
use anyhow::Result;
use powar_config::{Phase, registers};
use std::collections::VecDeque;

pub(super) struct Counters {
    wake_ups: usize,
    flits: usize,
    /// The two cycles before, oldest first.
    past: VecDeque<Shown>,
    /// Memory for the next one.
    spare: Shown,
}

/// What a cycle showed; by port.
#[derive(Default)]
struct Shown {
    /// Code of the phase, and the level.
    phases: Vec<(u64, u64)>,
    /// All prescalers, port after port.
    counts: Vec<u64>,
    clear: bool,
}

impl Counters {
    pub(super) fn new(signals: &Signals) -> Result<Self> {
        let (wake_ups, flits) = (signals.counter("wake_ups")?, signals.counter("flits")?);
        Ok(Counters { wake_ups, flits, past: VecDeque::new(), spare: Shown::default() })
    }
}

/// Judges a counter of a port: what it showed, what a cycle later, and whether its event came in between.
fn judge(
    frame: &ObservedCycle,
    (port, place): (usize, usize),
    before: &Shown,
    after: u64,
    event: bool,
    violations: &mut Violations,
) {
    let was = before.counts[port * frame.signals.counters + place];
    let expected = if before.clear { 0 } else { (was + u64::from(event)) & frame.signals.mask };
    if after != expected {
        let (name, _) = registers::counters(frame.signals.mechanism).nth(place).expect("a counter of the port");
        violations.add(frame, format_args!("output port {port}: {name} counted {after}, there were {expected}"));
    }
}

impl Monitor for Counters {
    fn cycle(&mut self, frame: &ObservedCycle, _intake: &Intake, violations: &mut Violations) {
        let signals = frame.signals;
        let mut shown = std::mem::take(&mut self.spare);
        shown.phases.clear();
        let of_port = |port: usize| (frame.observed[signals.phase + port], frame.observed[signals.level + port]);
        shown.phases.extend((0..signals.ports).map(of_port));
        shown.counts.clear();
        shown.counts.extend_from_slice(frame.counters());
        shown.clear = frame.clears();
        for port in 0..signals.ports {
            let Some(before) = self.past.back() else { break };
            let now = |place: usize| frame.counter(port, place);
            for (place, residency) in signals.mechanism.residency.iter().enumerate() {
                let there = before.phases[port] == (residency.phase as u64, u64::from(residency.level));
                judge(frame, (port, place), before, now(place), there, violations);
            }
            let coming = |(phase, _): (u64, u64)| phase == Phase::ComingOn as u64;
            let woken = coming(shown.phases[port]) && !coming(before.phases[port]);
            judge(frame, (port, self.wake_ups), before, now(self.wake_ups), woken, violations);
        }
        if let [before, after] = self.past.make_contiguous() {
            for port in 0..signals.ports {
                let sent = frame.bit(signals.links.out_valid, port);
                let counted = after.counts[port * signals.counters + self.flits];
                judge(frame, (port, self.flits), before, counted, sent, violations);
            }
        }
        self.past.push_back(shown);
        if self.past.len() > 2 {
            self.spare = self.past.pop_front().expect("three cycles");
        }
    }

    fn reset(&mut self) {
        self.past.clear();
    }
}
