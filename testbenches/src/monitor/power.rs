//! The contract of a power mechanism (`docs/microarchitecture/power.md`), and that links show what it says.

use super::intake::Intake;
use super::watchdog::PATIENCE;
use super::{Monitor, ObservedCycle, Violations};
use crate::mechanisms;
use powar_config::{Config, Phase, Residency};
use std::collections::VecDeque;

/// Cycles from a phase to the link that shows it.
const PHASE_TO_LINK: usize = 4;

pub(super) struct Power {
    config: Config,
    /// `position` and `stage` of the cycle before, and the ports that the mechanism never lets go off there.
    place: (u64, u64),
    always_sends: u64,
    /// By port: cycles for which it has been held without being ready.
    waiting: Vec<u64>,
    /// `held` and `ready` of the cycle before; none after a reset.
    before: Option<(u64, u64)>,
    /// Codes of the phases of all ports in the cycles before, oldest first: as many as a phase takes to the link.
    phases: VecDeque<Vec<u64>>,
}

impl Power {
    pub(super) fn new(config: &Config) -> Self {
        let mut power = Power {
            config: config.clone(),
            place: (0, 0),
            always_sends: 0,
            waiting: vec![0; config.ports],
            before: None,
            phases: VecDeque::new(),
        };
        power.move_to((0, 0));
        power
    }

    fn move_to(&mut self, place: (u64, u64)) {
        self.place = place;
        self.always_sends = (mechanisms::of(self.config.mechanism()).always_sends)(&self.config, place.0, place.1);
    }

    /// What must hold between the outputs of a port.
    fn port(&mut self, frame: &ObservedCycle, port: usize, violations: &mut Violations) {
        let mut wrong = |what: std::fmt::Arguments| violations.add(frame, format_args!("output port {port}: {what}"));
        let signals = frame.signals;
        let (code, level) = (frame.observed[signals.phase + port], frame.observed[signals.level + port]);
        let (held, ready) = (frame.bit(signals.held, port), frame.bit(signals.ready, port));
        let given_ready = |(held, ready): (u64, u64)| ready & !held;
        if held && !ready && self.before.is_some_and(|before| given_ready(before) >> port & 1 == 1) {
            wrong(format_args!("no longer ready, though it was when it was given"));
        }
        if !sends(code) && self.always_sends >> port & 1 == 1 {
            wrong(format_args!("in phase {}, though the mechanism never lets it go off", name(code)));
        }
        let before = self.phases.back().map(|phases| phases[port]);
        if held && code == Phase::GoingOff as u64 && before.is_some_and(|before| before != code) {
            wrong(format_args!("goes off while it is held"));
        }
        if ready && !sends(code) {
            wrong(format_args!("ready in phase {}", name(code)));
        }
        let pair = |residency: &Residency| (residency.phase as u64, u64::from(residency.level));
        if !signals.mechanism.residency.iter().any(|residency| pair(residency) == (code, level)) {
            wrong(format_args!("in phase {} at level {level}, which the mechanism does not name", name(code)));
        }
        self.waiting[port] = if held && !ready { self.waiting[port] + 1 } else { 0 };
        if self.waiting[port] > PATIENCE {
            self.waiting[port] = 0;
            wrong(format_args!("held and not ready for {PATIENCE} cycles, in phase {}", name(code)));
        }
    }

    /// The link shows the phase of four cycles before, and no flit where it doesn't send.
    fn link(&self, frame: &ObservedCycle, port: usize, violations: &mut Violations) {
        let mut wrong = |what: std::fmt::Arguments| violations.add(frame, format_args!("output port {port}: {what}"));
        let on_link = frame.observed[frame.signals.links.out_phase + port];
        if frame.bit(frame.signals.links.out_valid, port) && !sends(on_link) {
            wrong(format_args!("a flit while the link's phase is {}", name(on_link)));
        }
        if self.phases.len() == PHASE_TO_LINK && self.phases[0][port] != on_link {
            let then = self.phases[0][port];
            wrong(format_args!("phase {} on the link, {} four cycles before", name(on_link), name(then)));
        }
    }
}

fn sends(code: u64) -> bool {
    Phase::by_code(code as u8).is_some_and(Phase::sends)
}

fn name(code: u64) -> String {
    Phase::by_code(code as u8).map_or_else(|| code.to_string(), |phase| phase.name().into())
}

impl Monitor for Power {
    fn cycle(&mut self, frame: &ObservedCycle, _intake: &Intake, violations: &mut Violations) {
        let links = &frame.signals.links;
        let place = (frame.inputs[links.position], frame.inputs[links.stage]);
        if place != self.place {
            self.move_to(place);
        }
        for port in 0..frame.signals.ports {
            self.port(frame, port, violations);
            self.link(frame, port, violations);
        }
        let mut spare =
            if self.phases.len() == PHASE_TO_LINK { self.phases.pop_front().unwrap_or_default() } else { vec![] };
        spare.clear();
        spare.extend_from_slice(&frame.observed[frame.signals.phase..][..frame.signals.ports]);
        self.phases.push_back(spare);
        let signals = frame.signals;
        self.before = Some((frame.observed[signals.held], frame.observed[signals.ready]));
    }

    fn reset(&mut self) {
        self.waiting.fill(0);
        self.before = None;
        self.phases.clear();
    }
}
