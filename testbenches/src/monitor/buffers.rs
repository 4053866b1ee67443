//! No virtual channel holds more than D flits, and the queues know whether they are full and whether they are empty.

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
                let row = input * vcs + vc;
                let (full, some) = (frame.observed[frame.signals.full + row], frame.observed[frame.signals.some + row]);
                // What is read in this cycle gives its credit in the next: until then it is in the buffer.
                let held = intake.channel(input, vc).flits.len() as u64;
                let sound = (full, some) == (u64::from(held == self.depth), u64::from(held != 0));
                if held > self.depth || !sound {
                    let said = match (full, some) {
                        (0, 0) => "empty",
                        (0, _) => "neither full nor empty",
                        _ => "full",
                    };
                    violations.add(
                        frame,
                        format_args!(
                            "input port {input}: VC {vc} for {} flits is {said}, {held} came in and have not left",
                            self.depth
                        ),
                    );
                }
            }
        }
    }

    fn reset(&mut self) {}
}
