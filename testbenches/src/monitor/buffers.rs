//! The queues of all virtual channels have the flits that came in and have not left, by their pointers.

use super::intake::Intake;
use super::{Monitor, ObservedCycle, Violations};
use powar_config::Config;
use powar_golden::places;

pub(super) struct Buffers {
    depth: u64,
    /// How many places come before a place; none if it is no place.
    number: Vec<Option<u64>>,
}

impl Buffers {
    pub(super) fn new(config: &Config) -> Self {
        let depth = config.switch.vc_depth();
        let mut number = vec![None; depth.next_power_of_two()];
        for (k, place) in (0..).zip(places::order(depth)) {
            number[usize::from(place)] = Some(k);
        }
        Buffers { depth: depth as u64, number }
    }

    /// Entries between two pointers, if both are places.
    fn count(&self, write: u64, read: u64, full: bool) -> Option<u64> {
        let number = |place: u64| *self.number.get(place as usize)?;
        let count = (number(write)? + self.depth - number(read)?) % self.depth;
        Some(if full && count == 0 { self.depth } else { count })
    }
}

impl Monitor for Buffers {
    fn cycle(&mut self, frame: &ObservedCycle, intake: &Intake, violations: &mut Violations) {
        let vcs = frame.signals.vcs;
        for input in 0..frame.signals.ports {
            for vc in 0..vcs {
                let shown = |slot: usize| frame.observed[slot + input * vcs + vc];
                let (write, read) = (shown(frame.signals.write_pointer), shown(frame.signals.read_pointer));
                // What is read in this cycle gives its credit in the next: until then it is in the buffer.
                let held = intake.channel(input, vc).flits.len() as u64;
                match self.count(write, read, shown(frame.signals.full) == 1) {
                    None => violations.add(
                        frame,
                        format_args!(
                            "input port {input}: VC {vc} has pointers {write} and {read}, which are no places"
                        ),
                    ),
                    Some(count) if count != held => violations.add(
                        frame,
                        format_args!(
                            "input port {input}: VC {vc} counts {count} flits, {held} came in and have not left"
                        ),
                    ),
                    Some(_) => {}
                }
            }
        }
    }

    fn reset(&mut self) {}
}
