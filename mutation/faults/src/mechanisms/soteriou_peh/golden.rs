//! Faults of the blocks of Soteriou and Peh's mechanism in the golden model.

use crate::golden::mechanism::{wrong_outputs, wrong_registers};
use crate::golden::{GoldenFault, spoilt};
use powar_config::mechanism::soteriou_peh::{SoteriouPehValues, links};
use powar_config::{Config, CycleModel, Phase};
use powar_golden::reference::mechanisms::soteriou_peh::*;
use powar_golden::reference::power::mechanism::MechanismOutputs;

type Model = Box<dyn CycleModel + Send>;

fn sums(config: &Config, spoil: fn(&WindowSums, &mut WindowSums)) -> Model {
    spoilt(WindowSums::new(links(config)), spoil)
}

fn predictor(config: &Config, spoil: fn(&LoadPredictor, &mut LoadPredictor)) -> Model {
    spoilt(LoadPredictor::new(config.switch.buffer_flits), spoil)
}

fn age(_: &Config, spoil: fn(&AgeMonitor, &mut AgeMonitor)) -> Model {
    spoilt(AgeMonitor::new(), spoil)
}

fn choice(config: &Config, spoil: fn(&LinkChoice, &mut LinkChoice)) -> Model {
    spoilt(LinkChoice::new(links(config)), spoil)
}

fn fsm(_: &Config, spoil: fn(&OnOffFsm, &mut OnOffFsm)) -> Model {
    spoilt(OnOffFsm::new(), spoil)
}

fn words(config: &Config, spoil: fn(&ControlRegisters, &mut ControlRegisters)) -> Model {
    spoilt(ControlRegisters::new(SoteriouPehValues::of(config)), spoil)
}

fn outputs(config: &Config, spoil: fn(&SoteriouPeh, &mut MechanismOutputs)) -> Model {
    wrong_outputs(config, SoteriouPeh::new(config), spoil)
}

fn registers(config: &Config, spoil: fn(&SoteriouPeh, &mut SoteriouPeh)) -> Model {
    wrong_registers(config, SoteriouPeh::new(config), spoil)
}

/// The links in a phase.
fn vector_of(mechanism: &SoteriouPeh, phase: Phase) -> u64 {
    let fsms = mechanism.fsms.iter().enumerate();
    fsms.fold(0, |links, (link, fsm)| links | u64::from(fsm.phase == phase) << link)
}

pub(super) const FAULTS: &[GoldenFault] = &[
    GoldenFault {
        name: "the cycle of a check is lost",
        block: "window_sums",
        build: |config| {
            sums(config, |before, after| {
                if after.filled < before.filled {
                    after.filled = 0;
                }
            })
        },
    },
    GoldenFault {
        name: "flits are counted one a cycle",
        block: "window_sums",
        build: |config| sums(config, |before, after| after.flits = after.flits.min(before.flits + 1)),
    },
    GoldenFault {
        name: "departures are those that set out",
        block: "window_sums",
        build: |config| sums(config, |_, after| after.departures = after.flits),
    },
    GoldenFault {
        name: "the past does not count",
        block: "load_predictor",
        build: |config| {
            predictor(config, |before, after| {
                if after.stage & 1 == 1 {
                    after.past_filled = after.past_filled.saturating_sub(before.past_filled / 4);
                }
            })
        },
    },
    GoldenFault {
        name: "ports are counted together",
        block: "load_predictor",
        build: |config| predictor(config, |_, after| after.outs = after.ins),
    },
    GoldenFault {
        name: "a decision comes twice",
        block: "load_predictor",
        build: |config| predictor(config, |before, after| after.stage |= before.stage & 0b100),
    },
    GoldenFault {
        name: "links alone are never above",
        block: "load_predictor",
        build: |config| predictor(config, |_, after| after.over = false),
    },
    GoldenFault {
        name: "the gaps are mixed up",
        block: "load_predictor",
        build: |config| predictor(config, |_, after| std::mem::swap(&mut after.sleep_gap, &mut after.wake_gap)),
    },
    GoldenFault {
        name: "flits are late for ever",
        block: "age_monitor",
        build: |config| age(config, |before, after| after.late |= before.late),
    },
    GoldenFault {
        name: "the limit is taken for cycles",
        block: "age_monitor",
        build: |config| {
            age(config, |before, after| {
                if after.allowed != before.allowed {
                    after.allowed *= 4;
                }
            })
        },
    },
    GoldenFault {
        name: "the last links go first",
        block: "link_choice",
        build: |config| {
            choice(config, |before, after| {
                if before.active & !after.active != 0 && after.active & !before.active == 0 {
                    after.active = before.active & (before.active - 1);
                }
            })
        },
    },
    GoldenFault {
        name: "links come on all at once",
        block: "link_choice",
        build: |config| {
            choice(config, |before, after| {
                if (after.active & !before.active).count_ones() == 1 {
                    after.active = u64::from(u8::MAX);
                }
            })
        },
    },
    GoldenFault {
        name: "a link goes off without draining",
        block: "on_off_fsm",
        build: |config| {
            fsm(config, |before, after| {
                if before.phase == Phase::On && after.phase == Phase::Draining {
                    after.phase = Phase::GoingOff;
                }
            })
        },
    },
    GoldenFault {
        name: "a link that is wanted is on at once",
        block: "on_off_fsm",
        build: |config| {
            fsm(config, |_, after| {
                if after.phase == Phase::ComingOn {
                    after.phase = Phase::On;
                }
            })
        },
    },
    GoldenFault {
        name: "idle times go on while a link is used",
        block: "on_off_fsm",
        build: |config| {
            fsm(config, |before, after| {
                if before.phase == Phase::On && after.phase == Phase::On {
                    after.elapsed = before.elapsed + 1;
                }
            })
        },
    },
    GoldenFault {
        name: "a transition is one cycle short",
        block: "on_off_fsm",
        build: |config| {
            fsm(config, |_, after| {
                if after.phase == Phase::GoingOff && after.elapsed == 1 {
                    after.elapsed = 2;
                }
            })
        },
    },
    GoldenFault {
        name: "the window has 8 bits",
        block: "soteriou_peh_control_registers",
        build: |config| words(config, |_, after| after.values.window &= 0xff),
    },
    GoldenFault {
        name: "thresholds have 16 bits",
        block: "soteriou_peh_control_registers",
        build: |config| words(config, |_, after| after.values.wake_load &= 0xffff),
    },
    GoldenFault {
        name: "idle times are all the same",
        block: "soteriou_peh_control_registers",
        build: |config| {
            words(config, |_, after| {
                let values = &mut after.values;
                (values.idle_1, values.idle_2, values.idle_3) = (values.idle_4, values.idle_4, values.idle_4);
            })
        },
    },
    GoldenFault {
        name: "policy 2 is taken for 1",
        block: "soteriou_peh_control_registers",
        build: |config| {
            words(config, |_, after| {
                if after.values.policy == 2 {
                    after.values.policy = 1;
                }
            })
        },
    },
    GoldenFault {
        name: "the age limit can only be raised",
        block: "soteriou_peh_control_registers",
        build: |config| {
            words(config, |before, after| after.values.age_limit = after.values.age_limit.max(before.values.age_limit))
        },
    },
    GoldenFault {
        name: "a link that drains is grantable",
        block: "soteriou_peh",
        build: |config| outputs(config, |_, outputs| outputs.grantable |= outputs.ready),
    },
    GoldenFault {
        name: "links that come on serve",
        block: "soteriou_peh",
        build: |config| outputs(config, |mechanism, outputs| outputs.serves |= vector_of(mechanism, Phase::ComingOn)),
    },
    GoldenFault {
        name: "a link that is off is ready",
        block: "soteriou_peh",
        build: |config| outputs(config, |mechanism, outputs| outputs.ready |= vector_of(mechanism, Phase::Off)),
    },
    GoldenFault {
        name: "idle times never double",
        block: "soteriou_peh",
        build: |config| registers(config, |_, after| after.idle_limit = after.registers.values.idle_4),
    },
    GoldenFault {
        name: "the timer stands still",
        block: "soteriou_peh",
        build: |config| registers(config, |before, after| after.timer = before.timer.clone()),
    },
    GoldenFault {
        name: "the FSM of the last link stands still",
        block: "soteriou_peh",
        build: |config| {
            registers(config, |before, after| {
                let last = before.fsms.len() - 1;
                after.fsms[last] = before.fsms[last].clone();
            })
        },
    },
    GoldenFault {
        name: "statistics are of two windows",
        block: "soteriou_peh",
        build: |config| {
            registers(config, |before, after| {
                if after.timer.count == 0 {
                    after.sums.filled += before.sums.filled;
                }
            })
        },
    },
];
