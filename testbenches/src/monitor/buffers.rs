//! No virtual channel holds more than D flits, and the queues count what is in them.

use super::intake::Intake;
use super::{Monitor, ObservedCycle, Violations};
use powar_config::Config;

pub(super) struct Buffers {
    depth: u64,
}

impl Buffers {
    pub(super) fn new(config: &Config) -> Self {
        Buffers { depth: config.switch.vc_depth() as u64 }
    }
}

impl Monitor for Buffers {
    fn cycle(&mut self, frame: &ObservedCycle, intake: &Intake, violations: &mut Violations) {
        let vcs = frame.signals.vcs;
        for input in 0..frame.signals.ports {
            for vc in 0..vcs {
                let count = frame.observed[frame.signals.count + input * vcs + vc];
                // What is read in this cycle gives its credit in the next: until then it is in the buffer.
                let held = intake.channel(input, vc).flits.len() as u64;
                if count > self.depth {
                    violations.add(
                        frame,
                        format_args!("input port {input}: VC {vc} counts {count} flits, its depth is {}", self.depth),
                    );
                } else if count != held {
                    violations.add(
                        frame,
                        format_args!(
                            "input port {input}: VC {vc} counts {count} flits, {held} came in and have not left"
                        ),
                    );
                }
            }
        }
    }

    fn reset(&mut self) {}
}
