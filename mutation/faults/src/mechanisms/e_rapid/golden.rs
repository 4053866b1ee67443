//! Faults of the blocks of E-RAPID's mechanism in the golden model.

use crate::golden::mechanism::{wrong_outputs, wrong_registers};
use crate::golden::{GoldenFault, golden_fault, spoilt};
use powar_config::mechanism::e_rapid::{ERapidValues, Layout};
use powar_config::{Config, CycleModel, Phase};
use powar_golden::reference::mechanisms::e_rapid::*;
use powar_golden::reference::power::mechanism::MechanismOutputs;

type Model = Box<dyn CycleModel + Send>;

fn boards(config: &Config) -> usize {
    Layout::of(config).expect("a network of boards").boards
}

fn queue(_: &Config, spoil: fn(&QueueMonitor, &mut QueueMonitor)) -> Model {
    spoilt(QueueMonitor::new(), spoil)
}

fn link(_: &Config, spoil: fn(&LinkController, &mut LinkController)) -> Model {
    spoilt(LinkController::new(true), spoil)
}

fn station(config: &Config, spoil: fn(&RingStation, &mut RingStation)) -> Model {
    spoilt(RingStation::new(boards(config)), spoil)
}

fn controller(config: &Config, spoil: fn(&ReconfigurationController, &mut ReconfigurationController)) -> Model {
    spoilt(ReconfigurationController::new(boards(config)), spoil)
}

fn words(config: &Config, spoil: fn(&ControlRegisters, &mut ControlRegisters)) -> Model {
    let sound = RegistersWithCounts(ControlRegisters::new(ERapidValues::of(config)));
    spoilt(sound, move |before: &RegistersWithCounts, after: &mut RegistersWithCounts| spoil(&before.0, &mut after.0))
}

fn outputs(config: &Config, spoil: fn(&ERapid, &mut MechanismOutputs)) -> Model {
    wrong_outputs(config, ERapid::new(config), spoil)
}

fn registers(config: &Config, spoil: fn(&ERapid, &mut ERapid)) -> Model {
    wrong_registers(config, ERapid::new(config), spoil)
}

pub(super) const FAULTS: &[GoldenFault] = &[
    golden_fault("queue_monitor", "the cycle of a sample is lost", |config| {
        queue(config, |before, after| {
            if after.count < before.count {
                after.count = 0;
            }
        })
    }),
    golden_fault("queue_monitor", "the longest wait is kept", |config| {
        queue(config, |before, after| after.waited = after.waited.max(before.waited))
    }),
    golden_fault("link_controller", "a packet goes without its time on the wavelength", |config| {
        link(config, |_, after| after.debt = after.debt.min(63))
    }),
    golden_fault("link_controller", "the last cycle of a debt is not counted", |config| {
        link(config, |before, after| {
            if before.debt > 0 && after.debt == 0 {
                after.busy_count = before.busy_count;
            }
        })
    }),
    golden_fault("link_controller", "a laser is on at once", |config| {
        link(config, |before, after| {
            if before.phase == Phase::Off && after.phase == Phase::ComingOn {
                after.phase = Phase::On;
            }
        })
    }),
    golden_fault("link_controller", "the rate goes up with the voltage", |config| {
        link(config, |before, after| {
            if before.phase == Phase::On && after.phase == Phase::ComingOn {
                after.phase = Phase::On;
            }
        })
    }),
    golden_fault("link_controller", "a dead time is one cycle short", |config| {
        link(config, |before, after| {
            if before.phase != Phase::ComingOn && after.phase == Phase::ComingOn {
                after.dead = 2;
            }
        })
    }),
    golden_fault("link_controller", "a window that comes opens what is offered", |config| {
        link(config, |before, after| after.withheld &= !before.offered)
    }),
    golden_fault("link_controller", "what has been offered stays so when it is answered", |config| {
        link(config, |before, after| after.offered |= before.offered && after.holds)
    }),
    golden_fault("link_controller", "a board does not leave", |config| link(config, |_, after| after.leaving = false)),
    golden_fault("link_controller", "a link is drained at once", |config| {
        link(config, |before, after| after.quiet = if before.open() { 0 } else { 2 })
    }),
    golden_fault("ring_station", "a word with a wrong parity leaves the one before", |config| {
        station(config, |before, after| {
            if after.ring_errors != before.ring_errors {
                after.word = before.word;
            }
        })
    }),
    golden_fault("ring_station", "errors are counted to 7", |config| {
        station(config, |_, after| after.ring_errors &= 7)
    }),
    golden_fault("ring_station", "a claim is not filled in", |config| {
        station(config, |before, after| {
            let claim = 1 << 30;
            if before.word & claim == 0 && after.ring_out & claim != 0 {
                after.ring_out ^= claim | 1 << 41;
            }
        })
    }),
    golden_fault("ring_station", "words go out without a parity", |config| {
        station(config, |_, after| after.ring_out &= !(1 << 41))
    }),
    golden_fault("reconfiguration_controller", "requests that are lost are not counted", |config| {
        controller(config, |before, after| after.lost_messages = before.lost_messages)
    }),
    golden_fault("reconfiguration_controller", "what was given in the last window counts", |config| {
        controller(config, |before, after| {
            if after.state == State::BoardRequest {
                after.gained.clone_from(&before.gained);
            }
        })
    }),
    golden_fault("reconfiguration_controller", "wavelengths that are offered count as used", |config| {
        controller(config, |before, after| {
            let index = usize::from(before.index);
            if before.state == State::Tally && before.offered >> index & 1 == 1 {
                after.count[usize::from(before.holder[index]).min(1)] += 1;
            }
        })
    }),
    golden_fault("reconfiguration_controller", "a board that waits at all is given more", |config| {
        controller(config, |before, after| {
            let demand = before.demand.get(usize::from(before.scan));
            after.found |= before.state == State::Classify && demand.is_some_and(|&waits| waits > 0);
        })
    }),
    golden_fault("reconfiguration_controller", "a claim is not looked at", |config| {
        controller(config, |_, after| after.claimed = 0)
    }),
    golden_fault("reconfiguration_controller", "nothing is answered", |config| {
        controller(config, |before, after| {
            if before.state == State::Collect && after.state == State::Tally {
                after.state = State::Wait;
            }
        })
    }),
    golden_fault("e_rapid_control_registers", "the window has 8 bits", |config| {
        words(config, |_, after| after.values.window &= 0xff)
    }),
    golden_fault("e_rapid_control_registers", "B_min and B_max are written together", |config| {
        words(config, |before, after| {
            if after.values.b_min != before.values.b_min {
                after.values.b_max = after.values.b_min;
            }
        })
    }),
    golden_fault("e_rapid_control_registers", "the degree has 3 bits", |config| {
        words(config, |_, after| after.values.degree &= 7)
    }),
    golden_fault("e_rapid", "a link with debt is grantable", |config| {
        outputs(config, |_, outputs| outputs.grantable = outputs.serves)
    }),
    golden_fault("e_rapid", "links that come on are ready", |config| {
        outputs(config, |_, outputs| {
            let phases = outputs.phase.iter().enumerate();
            let coming_on = phases.filter(|(_, phase)| **phase == Phase::ComingOn as u8);
            outputs.ready |= coming_on.fold(0, |ports, (port, _)| ports | 1 << port);
        })
    }),
    golden_fault("e_rapid", "control packets go out as long as a rate changes", |config| {
        outputs(config, |_, outputs| {
            let phases = outputs.phase.iter().enumerate();
            let coming_on = phases.filter(|(_, phase)| **phase == Phase::ComingOn as u8);
            outputs.hint = coming_on.fold(0, |ports, (port, _)| ports | 1 << port);
        })
    }),
    golden_fault("e_rapid", "the ring stands still", |config| {
        registers(config, |before, after| after.station.ring_out = before.station.ring_out)
    }),
    golden_fault("e_rapid", "the last queue is not sampled", |config| {
        registers(config, |before, after| {
            let last = before.queue.len() - 1;
            after.queue[last].waited = before.queue[last].waited;
        })
    }),
    golden_fault("e_rapid", "the last link stands still", |config| {
        registers(config, |before, after| {
            let last = before.link.len() - 1;
            after.link[last] = before.link[last].clone();
        })
    }),
    golden_fault("e_rapid", "the timer stands still", |config| {
        registers(config, |before, after| after.timer = before.timer.clone())
    }),
];
