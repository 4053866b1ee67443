//! Faults of the blocks of Soteriou and Peh's mechanism in the golden model.

use crate::golden::mechanism::{wrong_outputs, wrong_registers};
use crate::golden::{GoldenFault, golden_fault, spoilt};
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
    golden_fault("window_sums", "the cycle of a check is lost", |config| {
        sums(config, |before, after| {
            if after.filled < before.filled {
                after.filled = 0;
            }
        })
    }),
    golden_fault("window_sums", "flits are counted one a cycle", |config| {
        sums(config, |before, after| after.flits = after.flits.min(before.flits + 1))
    }),
    golden_fault("window_sums", "departures are those that set out", |config| {
        sums(config, |_, after| after.departures = after.flits)
    }),
    golden_fault("load_predictor", "the past does not count", |config| {
        predictor(config, |before, after| {
            if after.stage & 1 == 1 {
                after.past_filled = after.past_filled.saturating_sub(before.past_filled / 4);
            }
        })
    }),
    golden_fault("load_predictor", "ports are counted together", |config| {
        predictor(config, |_, after| after.outs = after.ins)
    }),
    golden_fault("load_predictor", "a decision comes twice", |config| {
        predictor(config, |before, after| after.stage |= before.stage & 0b100)
    }),
    golden_fault("load_predictor", "links alone are never above", |config| {
        predictor(config, |_, after| after.over = false)
    }),
    golden_fault("load_predictor", "the gaps are mixed up", |config| {
        predictor(config, |_, after| std::mem::swap(&mut after.sleep_gap, &mut after.wake_gap))
    }),
    golden_fault("age_monitor", "flits are late for ever", |config| {
        age(config, |before, after| after.late |= before.late)
    }),
    golden_fault("age_monitor", "the limit is taken for cycles", |config| {
        age(config, |before, after| {
            if after.allowed != before.allowed {
                after.allowed *= 4;
            }
        })
    }),
    golden_fault("link_choice", "the last links go first", |config| {
        choice(config, |before, after| {
            if before.active & !after.active != 0 && after.active & !before.active == 0 {
                after.active = before.active & (before.active - 1);
            }
        })
    }),
    golden_fault("link_choice", "links come on all at once", |config| {
        choice(config, |before, after| {
            if (after.active & !before.active).count_ones() == 1 {
                after.active = u64::from(u8::MAX);
            }
        })
    }),
    golden_fault("on_off_fsm", "a link goes off without draining", |config| {
        fsm(config, |before, after| {
            if before.phase == Phase::On && after.phase == Phase::Draining {
                after.phase = Phase::GoingOff;
            }
        })
    }),
    golden_fault("on_off_fsm", "a link that is wanted is on at once", |config| {
        fsm(config, |_, after| {
            if after.phase == Phase::ComingOn {
                after.phase = Phase::On;
            }
        })
    }),
    golden_fault("on_off_fsm", "idle times go on while a link is used", |config| {
        fsm(config, |before, after| {
            if before.phase == Phase::On && after.phase == Phase::On {
                after.elapsed = before.elapsed + 1;
            }
        })
    }),
    golden_fault("on_off_fsm", "a transition is one cycle short", |config| {
        fsm(config, |_, after| {
            if after.phase == Phase::GoingOff && after.elapsed == 1 {
                after.elapsed = 2;
            }
        })
    }),
    golden_fault("soteriou_peh_control_registers", "the window has 8 bits", |config| {
        words(config, |_, after| after.values.window &= 0xff)
    }),
    golden_fault("soteriou_peh_control_registers", "thresholds have 16 bits", |config| {
        words(config, |_, after| after.values.wake_load &= 0xffff)
    }),
    golden_fault("soteriou_peh_control_registers", "idle times are all the same", |config| {
        words(config, |_, after| {
            let values = &mut after.values;
            (values.idle_1, values.idle_2, values.idle_3) = (values.idle_4, values.idle_4, values.idle_4);
        })
    }),
    golden_fault("soteriou_peh_control_registers", "policy 2 is taken for 1", |config| {
        words(config, |_, after| {
            if after.values.policy == 2 {
                after.values.policy = 1;
            }
        })
    }),
    golden_fault("soteriou_peh_control_registers", "the age limit can only be raised", |config| {
        words(config, |before, after| after.values.age_limit = after.values.age_limit.max(before.values.age_limit))
    }),
    golden_fault("soteriou_peh", "a link that drains is grantable", |config| {
        outputs(config, |_, outputs| outputs.grantable |= outputs.ready)
    }),
    golden_fault("soteriou_peh", "links that come on serve", |config| {
        outputs(config, |mechanism, outputs| outputs.serves |= vector_of(mechanism, Phase::ComingOn))
    }),
    golden_fault("soteriou_peh", "a link that is off is ready", |config| {
        outputs(config, |mechanism, outputs| outputs.ready |= vector_of(mechanism, Phase::Off))
    }),
    golden_fault("soteriou_peh", "idle times never double", |config| {
        registers(config, |_, after| after.idle_limit = after.registers.values.idle_4)
    }),
    golden_fault("soteriou_peh", "the timer stands still", |config| {
        registers(config, |before, after| after.timer = before.timer.clone())
    }),
    golden_fault("soteriou_peh", "the FSM of the last link stands still", |config| {
        registers(config, |before, after| {
            let last = before.fsms.len() - 1;
            after.fsms[last] = before.fsms[last].clone();
        })
    }),
    golden_fault("soteriou_peh", "statistics are of two windows", |config| {
        registers(config, |before, after| {
            if after.timer.count == 0 {
                after.sums.filled += before.sums.filled;
            }
        })
    }),
];
