//! Faults of the blocks of E-RAPID's mechanism in the golden model.

use crate::golden::mechanism::{wrong_outputs, wrong_registers};
use crate::golden::{GoldenFault, spoilt};
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
    GoldenFault {
        name: "the cycle of a sample is lost",
        block: "queue_monitor",
        build: |config| {
            queue(config, |before, after| {
                if after.count < before.count {
                    after.count = 0;
                }
            })
        },
    },
    GoldenFault {
        name: "the longest wait is kept",
        block: "queue_monitor",
        build: |config| queue(config, |before, after| after.waited = after.waited.max(before.waited)),
    },
    GoldenFault {
        name: "a packet goes without its time on the wavelength",
        block: "link_controller",
        build: |config| link(config, |_, after| after.debt = after.debt.min(63)),
    },
    GoldenFault {
        name: "the last cycle of a debt is not counted",
        block: "link_controller",
        build: |config| {
            link(config, |before, after| {
                if before.debt > 0 && after.debt == 0 {
                    after.busy_count = before.busy_count;
                }
            })
        },
    },
    GoldenFault {
        name: "a laser is on at once",
        block: "link_controller",
        build: |config| {
            link(config, |before, after| {
                if before.phase == Phase::Off && after.phase == Phase::ComingOn {
                    after.phase = Phase::On;
                }
            })
        },
    },
    GoldenFault {
        name: "the rate goes up with the voltage",
        block: "link_controller",
        build: |config| {
            link(config, |before, after| {
                if before.phase == Phase::On && after.phase == Phase::ComingOn {
                    after.phase = Phase::On;
                }
            })
        },
    },
    GoldenFault {
        name: "a dead time is one cycle short",
        block: "link_controller",
        build: |config| {
            link(config, |before, after| {
                if before.phase != Phase::ComingOn && after.phase == Phase::ComingOn {
                    after.dead = 2;
                }
            })
        },
    },
    GoldenFault {
        name: "a window that comes opens what is offered",
        block: "link_controller",
        build: |config| link(config, |before, after| after.withheld &= !before.offered),
    },
    GoldenFault {
        name: "what has been offered stays so when it is answered",
        block: "link_controller",
        build: |config| link(config, |before, after| after.offered |= before.offered && after.holds),
    },
    GoldenFault {
        name: "a board does not leave",
        block: "link_controller",
        build: |config| link(config, |_, after| after.leaving = false),
    },
    GoldenFault {
        name: "a link is drained at once",
        block: "link_controller",
        build: |config| link(config, |before, after| after.quiet = if before.open() { 0 } else { 2 }),
    },
    GoldenFault {
        name: "a word with a wrong parity leaves the one before",
        block: "ring_station",
        build: |config| {
            station(config, |before, after| {
                if after.ring_errors != before.ring_errors {
                    after.word = before.word;
                }
            })
        },
    },
    GoldenFault {
        name: "errors are counted to 7",
        block: "ring_station",
        build: |config| station(config, |_, after| after.ring_errors &= 7),
    },
    GoldenFault {
        name: "a claim is not filled in",
        block: "ring_station",
        build: |config| {
            station(config, |before, after| {
                let claim = 1 << 30;
                if before.word & claim == 0 && after.ring_out & claim != 0 {
                    after.ring_out ^= claim | 1 << 41;
                }
            })
        },
    },
    GoldenFault {
        name: "words go out without a parity",
        block: "ring_station",
        build: |config| station(config, |_, after| after.ring_out &= !(1 << 41)),
    },
    GoldenFault {
        name: "requests that are lost are not counted",
        block: "reconfiguration_controller",
        build: |config| controller(config, |before, after| after.lost_messages = before.lost_messages),
    },
    GoldenFault {
        name: "what was given in the last window counts",
        block: "reconfiguration_controller",
        build: |config| {
            controller(config, |before, after| {
                if after.state == State::BoardRequest {
                    after.gained.clone_from(&before.gained);
                }
            })
        },
    },
    GoldenFault {
        name: "wavelengths that are offered count as used",
        block: "reconfiguration_controller",
        build: |config| {
            controller(config, |before, after| {
                let index = usize::from(before.index);
                if before.state == State::Tally && before.offered >> index & 1 == 1 {
                    after.count[usize::from(before.holder[index]).min(1)] += 1;
                }
            })
        },
    },
    GoldenFault {
        name: "a board that waits at all is given more",
        block: "reconfiguration_controller",
        build: |config| {
            controller(config, |before, after| {
                let demand = before.demand.get(usize::from(before.scan));
                after.found |= before.state == State::Classify && demand.is_some_and(|&waits| waits > 0);
            })
        },
    },
    GoldenFault {
        name: "a claim is not looked at",
        block: "reconfiguration_controller",
        build: |config| controller(config, |_, after| after.claimed = 0),
    },
    GoldenFault {
        name: "nothing is answered",
        block: "reconfiguration_controller",
        build: |config| {
            controller(config, |before, after| {
                if before.state == State::Collect && after.state == State::Tally {
                    after.state = State::Wait;
                }
            })
        },
    },
    GoldenFault {
        name: "the window has 8 bits",
        block: "e_rapid_control_registers",
        build: |config| words(config, |_, after| after.values.window &= 0xff),
    },
    GoldenFault {
        name: "B_min and B_max are written together",
        block: "e_rapid_control_registers",
        build: |config| {
            words(config, |before, after| {
                if after.values.b_min != before.values.b_min {
                    after.values.b_max = after.values.b_min;
                }
            })
        },
    },
    GoldenFault {
        name: "the degree has 3 bits",
        block: "e_rapid_control_registers",
        build: |config| words(config, |_, after| after.values.degree &= 7),
    },
    GoldenFault {
        name: "a link with debt is grantable",
        block: "e_rapid",
        build: |config| outputs(config, |_, outputs| outputs.grantable = outputs.serves),
    },
    GoldenFault {
        name: "links that come on are ready",
        block: "e_rapid",
        build: |config| {
            outputs(config, |_, outputs| {
                let phases = outputs.phase.iter().enumerate();
                let coming_on = phases.filter(|(_, phase)| **phase == Phase::ComingOn as u8);
                outputs.ready |= coming_on.fold(0, |ports, (port, _)| ports | 1 << port);
            })
        },
    },
    GoldenFault {
        name: "control packets go out as long as a rate changes",
        block: "e_rapid",
        build: |config| {
            outputs(config, |_, outputs| {
                let phases = outputs.phase.iter().enumerate();
                let coming_on = phases.filter(|(_, phase)| **phase == Phase::ComingOn as u8);
                outputs.hint = coming_on.fold(0, |ports, (port, _)| ports | 1 << port);
            })
        },
    },
    GoldenFault {
        name: "the ring stands still",
        block: "e_rapid",
        build: |config| registers(config, |before, after| after.station.ring_out = before.station.ring_out),
    },
    GoldenFault {
        name: "the last queue is not sampled",
        block: "e_rapid",
        build: |config| {
            registers(config, |before, after| {
                let last = before.queue.len() - 1;
                after.queue[last].waited = before.queue[last].waited;
            })
        },
    },
    GoldenFault {
        name: "the last link stands still",
        block: "e_rapid",
        build: |config| {
            registers(config, |before, after| {
                let last = before.link.len() - 1;
                after.link[last] = before.link[last].clone();
            })
        },
    },
    GoldenFault {
        name: "the timer stands still",
        block: "e_rapid",
        build: |config| registers(config, |before, after| after.timer = before.timer.clone()),
    },
];
