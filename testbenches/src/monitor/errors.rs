//! The prescalers of the error counters of the input ports count what went wrong on their links, and the packets dropped are those to be dropped.

use super::intake::{Arrivals, Intake};
use super::signals::Signals;
use super::{Monitor, ObservedCycle, Violations};
use anyhow::Result;
use powar_config::Phase;

pub(super) struct Errors {
    /// By port: what the counters of framing errors, overflow errors and flits on closed links should show; and their places.
    expected: [Vec<u64>; 3],
    places: [usize; 3],
    /// The counters of dropped packets in the cycle before, and whether they were cleared in it; and their place.
    dropped: Option<(Vec<u64>, bool)>,
    dropped_place: usize,
    /// By port: packets that were counted as dropped, or may have been in a cycle of clearing, less those whose first flit has been
    /// read since.
    ahead: Vec<i64>,
    /// The same, without those that only may have been.
    sure: Vec<i64>,
}

const NAMES: [&str; 3] = ["framing errors", "overflow errors", "flits on a closed link"];

impl Errors {
    pub(super) fn new(signals: &Signals) -> Result<Self> {
        let zero = || vec![0; signals.ports];
        let place = |name: &str| signals.counter(name);
        Ok(Errors {
            expected: [zero(), zero(), zero()],
            places: [place("framing_errors")?, place("overflow_errors")?, place("closed_link_flits")?],
            dropped: None,
            dropped_place: place("dropped_packets")?,
            ahead: vec![0; signals.ports],
            sure: vec![0; signals.ports],
        })
    }

    /// A packet is counted when it is accepted and read afterwards, so the count leads by what is being read: one packet a virtual
    /// channel at most.
    fn dropped(&mut self, frame: &ObservedCycle, intake: &Intake, violations: &mut Violations) {
        let ports = frame.signals.ports;
        let now: Vec<u64> = (0..ports).map(|port| frame.counter(port, self.dropped_place)).collect();
        let (before, cleared) = self.dropped.take().unwrap_or((vec![0; ports], false));
        for port in 0..ports {
            if cleared {
                // One may have been accepted in that very cycle.
                self.ahead[port] += 1;
                if now[port] != 0 {
                    violations.add(
                        frame,
                        format_args!("input port {port}: {} dropped packets right after the clear", now[port]),
                    );
                }
                continue;
            }
            let counted = now[port].wrapping_sub(before[port]) & frame.signals.mask;
            if counted > 1 {
                violations
                    .add(frame, format_args!("input port {port}: {counted} dropped packets counted in one cycle"));
            }
            self.ahead[port] += counted as i64;
            self.sure[port] += counted as i64;
        }
        for flit in intake.leaving().iter().filter(|flit| flit.dropped && flit.first) {
            self.ahead[flit.input] -= 1;
            self.sure[flit.input] -= 1;
        }
        for port in 0..ports {
            if self.ahead[port] < 0 {
                violations.add(frame, format_args!("input port {port}: a packet was dropped and not counted"));
                self.ahead[port] = 0;
            }
            let most = frame.signals.vcs as i64;
            if self.sure[port] > most {
                violations.add(
                    frame,
                    format_args!(
                        "input port {port}: {} packets counted as dropped that were not to be",
                        self.sure[port] - most
                    ),
                );
                self.sure[port] = most;
            }
            // What was lost in clears is not carried along for ever.
            self.sure[port] = self.sure[port].max(-most);
        }
        self.dropped = Some((now, frame.clears()));
    }
}

impl Monitor for Errors {
    fn cycle(&mut self, frame: &ObservedCycle, intake: &Intake, violations: &mut Violations) {
        self.dropped(frame, intake, violations);
        let signals = frame.signals;
        let Arrivals { framing, overflow, .. } = intake.errors(frame);
        let closed = (0..signals.ports).fold(0, |mask, port| {
            let phase = Phase::by_code(frame.inputs[signals.links.in_phase + port] as u8);
            let sends = phase.is_some_and(Phase::sends);
            mask | u64::from(frame.input_bit(signals.links.in_valid, port) && !sends) << port
        });
        let counters = self.places.into_iter().zip([framing, overflow, closed]);
        for ((name, expected), (place, happened)) in NAMES.iter().zip(&mut self.expected).zip(counters) {
            for (port, expected) in expected.iter_mut().enumerate() {
                let shown = frame.counter(port, place);
                if shown != *expected {
                    violations
                        .add(frame, format_args!("input port {port}: {shown} {name} counted, there were {expected}"));
                }
                *expected = if frame.clears() { 0 } else { (shown + (happened >> port & 1)) & signals.mask };
            }
        }
    }

    fn reset(&mut self) {
        self.expected.iter_mut().for_each(|counter| counter.fill(0));
        self.dropped = None;
        self.ahead.fill(0);
        self.sure.fill(0);
    }
}
