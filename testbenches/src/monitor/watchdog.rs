//! Something moves while packets wait.

use super::intake::Intake;
use super::{Monitor, ObservedCycle, Violations};
use crate::expected_routing::ExpectedRouting;
use powar_config::{Config, Phase};

/// Cycles without any flit read, while whole packets wait, after which the switch is taken for locked. Receivers must drain, and
/// ports must wake, well within.
pub const PATIENCE: u64 = 20_000;
/// Waiting packets that the report names.
const MOST_NAMED: usize = 8;

pub(super) struct Watchdog {
    ports: usize,
    vcs: usize,
    still: u64,
}

impl Watchdog {
    pub(super) fn new(config: &Config, routing: &ExpectedRouting) -> Self {
        Watchdog { ports: routing.ports(), vcs: config.switch.vcs, still: 0 }
    }

    /// Whether a whole packet waits at the head of this channel.
    fn waits(intake: &Intake, input: usize, vc: usize) -> bool {
        let flits = &intake.channel(input, vc).flits;
        flits.front().is_some_and(|flit| flit.first) && flits.iter().any(|flit| flit.last)
    }

    fn waiting(&self, frame: &ObservedCycle, intake: &Intake) -> Vec<String> {
        let mut lines = vec![];
        for input in 0..self.ports {
            for vc in 0..self.vcs {
                let Some(flit) = intake.channel(input, vc).flits.front() else { continue };
                let Some(route) = flit.route else {
                    lines.push(format!("input port {input} VC {vc} waits to be dropped"));
                    continue;
                };
                let ports: Vec<String> = (0..self.ports)
                    .filter(|port| route.ports() >> port & 1 == 1)
                    .map(|port| {
                        let credits = &frame.observed[frame.signals.credits + port * self.vcs..][..self.vcs];
                        let phase = Phase::by_code(frame.observed[frame.signals.phase + port] as u8);
                        let phase = phase.map_or("?", Phase::name);
                        let held = if frame.bit(frame.signals.held, port) { "held" } else { "free" };
                        format!("{port} ({held}, {phase}, credits {credits:?})")
                    })
                    .collect();
                let what = if flit.first { "a port" } else { "a flit's turn" };
                lines.push(format!("input port {input} VC {vc} waits for {what} of {}", ports.join(" ")));
            }
        }
        lines
    }
}

impl Monitor for Watchdog {
    fn cycle(&mut self, frame: &ObservedCycle, intake: &Intake, violations: &mut Violations) {
        self.still += 1;
        if !intake.leaving().is_empty() {
            self.still = 0;
        }
        if self.still <= PATIENCE {
            return;
        }
        self.still = 0;
        // A packet whose sender does not send the rest holds its port, and is no fault of the switch.
        if (0..self.ports).any(|input| (0..self.vcs).any(|vc| intake.channel(input, vc).is_starved())) {
            return;
        }
        let any_waits = (0..self.ports).any(|input| (0..self.vcs).any(|vc| Watchdog::waits(intake, input, vc)));
        if any_waits {
            let mut waiting = self.waiting(frame, intake);
            let more = waiting.len().saturating_sub(MOST_NAMED);
            waiting.truncate(MOST_NAMED);
            if more != 0 {
                waiting.push(format!("and {more} more"));
            }
            violations.add(frame, format_args!("no flit has moved for {PATIENCE} cycles: {}", waiting.join("; ")));
        }
    }

    fn reset(&mut self) {
        self.still = 0;
    }
}
