//! No flit on a link whose port is not `Active`.

use super::intake::Intake;
use super::{Frame, Monitor, Violations};

pub(super) struct Power;

impl Monitor for Power {
    fn cycle(&mut self, frame: &Frame, _intake: &Intake, violations: &mut Violations) {
        for port in 0..frame.signals.ports {
            let state = frame.observed[frame.signals.links.out_power_state + port];
            if state != 0 && frame.bit(frame.signals.links.out_valid, port) {
                violations
                    .add(frame, format_args!("output port {port}: a flit while the link's power state is {state}"));
            }
        }
    }

    fn reset(&mut self) {}
}
