//! The credit registers of the output ports against what their receivers see, and the counters of credit errors.
//!
//! A flit that takes its credit in cycle t is on the link in t+1 (`docs/microarchitecture/switch.md`), so a cycle is judged a cycle later.

use super::intake::Intake;
use super::signals::Signals;
use super::{Monitor, ObservedCycle, Violations};
use anyhow::Result;
use powar_config::Config;

pub(super) struct Credits {
    depth: u64,
    vcs: usize,
    /// What the registers should show: by port x virtual channel, and by port.
    credits: Vec<u64>,
    errors: Vec<u64>,
    /// Place of the counter of credit errors.
    errors_place: usize,
    /// The cycle before.
    past: Option<Shown>,
    /// Memory for the next one.
    spare: Shown,
}

/// What a cycle showed.
#[derive(Default)]
struct Shown {
    credits: Vec<u64>,
    errors: Vec<u64>,
    /// By port: the credit that came back; a virtual channel that does not exist is kept.
    returned: Vec<Option<usize>>,
    clear: bool,
}

impl Credits {
    pub(super) fn new(config: &Config, signals: &Signals) -> Result<Self> {
        let depth = config.switch.vc_depth() as u64;
        Ok(Credits {
            depth,
            vcs: config.switch.vcs,
            credits: vec![depth; config.ports * config.switch.vcs],
            errors: vec![0; config.ports],
            errors_place: signals.counter("credit_errors")?,
            past: None,
            spare: Shown::default(),
        })
    }

    fn shown(&mut self, frame: &ObservedCycle) -> Shown {
        let mut shown = std::mem::take(&mut self.spare);
        let signals = frame.signals;
        let returned = |port: usize| {
            let vc = frame.inputs[signals.links.out_credit_vc + port] as usize;
            frame.input_bit(signals.links.out_credit_valid, port).then_some(vc)
        };
        shown.credits.clear();
        shown.credits.extend_from_slice(&frame.observed[signals.credits..][..self.credits.len()]);
        shown.errors.clear();
        shown.errors.extend((0..signals.ports).map(|port| frame.counter(port, self.errors_place)));
        shown.returned.clear();
        shown.returned.extend((0..signals.ports).map(returned));
        shown.clear = frame.clears();
        shown
    }

    /// Judges one port of the cycle before, whose flits are on the link now.
    fn port(&mut self, frame: &ObservedCycle, port: usize, shown: &Shown, violations: &mut Violations) {
        let then = frame.cycle - 1;
        let sent = frame
            .bit(frame.signals.links.out_valid, port)
            .then(|| frame.observed[frame.signals.links.out_vc + port] as usize);
        if self.errors[port] != shown.errors[port] {
            let (is, should) = (shown.errors[port], self.errors[port]);
            violations.add(
                frame,
                format_args!("output port {port}: {is} credit errors counted in cycle {then}, there were {should}"),
            );
            self.errors[port] = is;
        }
        let mut error = shown.returned[port].is_some_and(|vc| vc >= self.vcs);
        for vc in 0..self.vcs {
            let row = port * self.vcs + vc;
            if self.credits[row] != shown.credits[row] {
                let (is, should) = (shown.credits[row], self.credits[row]);
                violations.add(
                    frame,
                    format_args!(
                        "output port {port}: {is} credits of VC {vc} in cycle {then}, its receiver makes it {should}"
                    ),
                );
                self.credits[row] = is;
            }
            match (sent == Some(vc), shown.returned[port] == Some(vc)) {
                (true, false) if self.credits[row] == 0 => {
                    error = true;
                    violations.add(frame, format_args!("output port {port}: a flit on VC {vc} without a credit"));
                }
                (true, false) => self.credits[row] -= 1,
                (false, true) if self.credits[row] == self.depth => error = true,
                (false, true) => self.credits[row] += 1,
                _ => (),
            }
        }
        let counted = (self.errors[port] + u64::from(error)) & frame.signals.mask;
        self.errors[port] = if shown.clear { 0 } else { counted };
    }
}

impl Monitor for Credits {
    fn cycle(&mut self, frame: &ObservedCycle, _intake: &Intake, violations: &mut Violations) {
        let shown = self.shown(frame);
        if let Some(then) = self.past.replace(shown) {
            for port in 0..frame.signals.ports {
                self.port(frame, port, &then, violations);
            }
            self.spare = then;
        }
    }

    fn reset(&mut self) {
        self.credits.fill(self.depth);
        self.errors.fill(0);
        self.past = None;
    }
}
