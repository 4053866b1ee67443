//! Faults of the blocks of Alonso's mechanism in the golden model.

use crate::golden::mechanism::{wrong_outputs, wrong_registers};
use crate::golden::{GoldenFault, golden_fault, group_size, spoilt};
use powar_config::mechanism::alonso::AlonsoValues;
use powar_config::{Config, CycleModel, Phase};
use powar_golden::reference::mechanisms::alonso::*;
use powar_golden::reference::power::mechanism::MechanismOutputs;

fn fsm(spoil: fn(&LinkFsm, &mut LinkFsm)) -> Box<dyn CycleModel + Send> {
    spoilt(LinkFsm::new(), spoil)
}

fn group(config: &Config, spoil: fn(&LinkGroup, &mut LinkGroup)) -> Box<dyn CycleModel + Send> {
    spoilt(LinkGroup::new(group_size(config)), spoil)
}

fn words(config: &Config, spoil: fn(&ControlRegisters, &mut ControlRegisters)) -> Box<dyn CycleModel + Send> {
    spoilt(ControlRegisters::new(AlonsoValues::of(config)), spoil)
}

fn outputs(config: &Config, spoil: fn(&Alonso, &mut MechanismOutputs)) -> Box<dyn CycleModel + Send> {
    wrong_outputs(config, Alonso::new(config), spoil)
}

fn registers(config: &Config, spoil: fn(&Alonso, &mut Alonso)) -> Box<dyn CycleModel + Send> {
    wrong_registers(config, Alonso::new(config), spoil)
}

pub(super) const FAULTS: &[GoldenFault] = &[
    golden_fault("link_fsm", "a link that is to be on again goes off first", |_| {
        fsm(|before, after| {
            if before.phase == Phase::GoingOff && after.phase == Phase::ComingOn {
                after.phase = Phase::Off;
            }
        })
    }),
    golden_fault("link_fsm", "a link goes off without draining", |_| {
        fsm(|before, after| {
            if before.phase == Phase::On && after.phase == Phase::Draining {
                after.phase = Phase::GoingOff;
            }
        })
    }),
    golden_fault("link_fsm", "a link that drains comes on for turn_on", |_| {
        fsm(|before, after| {
            if before.phase == Phase::Draining && after.phase == Phase::On {
                after.phase = Phase::ComingOn;
            }
        })
    }),
    golden_fault("link_fsm", "going off takes no time", |_| {
        fsm(|before, after| {
            if before.phase == Phase::GoingOff && after.phase == Phase::GoingOff {
                *after = LinkFsm { phase: Phase::Off, elapsed: 1 };
            }
        })
    }),
    golden_fault("link_fsm", "coming on is one cycle short", |_| {
        fsm(|_, after| {
            if after.phase == Phase::ComingOn && after.elapsed == 1 {
                after.elapsed = 2;
            }
        })
    }),
    golden_fault("link_fsm", "the count goes on from GoingOff", |_| {
        fsm(|before, after| {
            if before.phase == Phase::GoingOff && after.phase == Phase::ComingOn {
                after.elapsed = before.elapsed + 1;
            }
        })
    }),
    golden_fault("link_group", "the highest link goes on first", |config| {
        group(config, |before, after| {
            let came = after.active & !before.active;
            if came.count_ones() == 1 && before.active == 1 {
                after.active = before.active | 8;
            }
        })
    }),
    golden_fault("link_group", "the lowest link goes off first", |config| {
        group(config, |before, after| {
            if before.active & !after.active == 8 && after.active & !before.active == 0 {
                after.active = before.active & (before.active - 1);
            }
        })
    }),
    golden_fault("link_group", "the last link never goes off", |config| {
        group(config, |before, after| {
            if after.active == 0 {
                after.active = before.active & before.active.wrapping_neg();
            }
        })
    }),
    golden_fault("link_group", "the limits are those of all links", |config| {
        group(config, |before, after| {
            if let Some(of_a_link) = after.on_limit.checked_div(before.active.count_ones()) {
                after.on_limit = 4 * of_a_link;
            }
        })
    }),
    golden_fault("link_group", "U_on and U_off are mixed up", |config| {
        group(config, |_, after| std::mem::swap(&mut after.on_limit, &mut after.off_limit))
    }),
    golden_fault("link_group", "the limit for off ends at 16 bits", |config| {
        group(config, |_, after| after.off_limit &= 0xffff)
    }),
    golden_fault("link_group", "the flits of a period are kept for the next", |config| {
        group(config, |before, after| {
            if after.flit_counter.count < before.flit_counter.count {
                after.flit_counter.count = before.flit_counter.count;
            }
        })
    }),
    golden_fault("alonso_control_registers", "the check period has 8 bits", |config| {
        words(config, |_, after| after.values.check_period &= 0xff)
    }),
    golden_fault("alonso_control_registers", "turn_on has 16 bits", |config| {
        words(config, |_, after| after.values.turn_on &= 0xffff)
    }),
    golden_fault("alonso_control_registers", "turn_off is written with turn_on", |config| {
        words(config, |before, after| {
            if after.values.turn_on != before.values.turn_on {
                after.values.turn_off = after.values.turn_on;
            }
        })
    }),
    golden_fault("alonso_control_registers", "policy 3 is taken for 1", |config| {
        words(config, |_, after| {
            if after.values.policy == 3 {
                after.values.policy = 1;
            }
        })
    }),
    golden_fault("alonso_control_registers", "litmus can only be set", |config| {
        words(config, |before, after| after.values.litmus |= before.values.litmus)
    }),
    golden_fault("alonso", "a link that drains is not ready", |config| {
        outputs(config, |alonso, outputs| {
            for (port, fsm) in alonso.fsms.iter().enumerate() {
                outputs.ready &= !(u64::from(fsm.phase == Phase::Draining) << port);
            }
        })
    }),
    golden_fault("alonso", "a link that drains is grantable", |config| {
        outputs(config, |_, outputs| outputs.grantable |= outputs.ready)
    }),
    golden_fault("alonso", "links that come on do not serve yet", |config| {
        outputs(config, |_, outputs| outputs.serves &= outputs.ready)
    }),
    golden_fault("alonso", "links that are off are not preferred", |config| {
        outputs(config, |_, outputs| outputs.preferred = outputs.ready)
    }),
    golden_fault("alonso", "Draining is shown as On", |config| {
        outputs(config, |_, outputs| {
            for phase in outputs.phase.iter_mut().filter(|phase| **phase == Phase::Draining as u8) {
                *phase = Phase::On as u8;
            }
        })
    }),
    golden_fault("alonso", "the neighbours of two cycles are taken together", |config| {
        registers(config, |before, after| after.was_on |= before.was_on)
    }),
    golden_fault("alonso", "down-ports never go off", |config| registers(config, |_, after| after.down_active = true)),
    golden_fault("alonso", "every cycle is a start", |config| registers(config, |_, after| after.started = false)),
    golden_fault("alonso", "the start leaves all links on", |config| {
        registers(config, |before, after| {
            if !before.started {
                after.groups.clone_from(&before.groups);
            }
        })
    }),
    golden_fault("alonso", "the FSM of the last port stands still", |config| {
        registers(config, |before, after| {
            let last = before.fsms.len() - 1;
            after.fsms[last] = before.fsms[last].clone();
        })
    }),
    golden_fault("alonso", "the timer stands still", |config| {
        registers(config, |before, after| after.timer = before.timer.clone())
    }),
];
