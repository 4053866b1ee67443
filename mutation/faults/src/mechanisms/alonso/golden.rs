//! Faults of the blocks of Alonso's mechanism in the golden model.

use crate::golden::mechanism::{wrong_outputs, wrong_registers};
use crate::golden::{GoldenFault, group_size, spoilt};
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
    GoldenFault {
        name: "a link that is to be on again goes off first",
        block: "link_fsm",
        build: |_| {
            fsm(|before, after| {
                if before.phase == Phase::GoingOff && after.phase == Phase::ComingOn {
                    after.phase = Phase::Off;
                }
            })
        },
    },
    GoldenFault {
        name: "a link goes off without draining",
        block: "link_fsm",
        build: |_| {
            fsm(|before, after| {
                if before.phase == Phase::On && after.phase == Phase::Draining {
                    after.phase = Phase::GoingOff;
                }
            })
        },
    },
    GoldenFault {
        name: "a link that drains comes on for T_on",
        block: "link_fsm",
        build: |_| {
            fsm(|before, after| {
                if before.phase == Phase::Draining && after.phase == Phase::On {
                    after.phase = Phase::ComingOn;
                }
            })
        },
    },
    GoldenFault {
        name: "going off takes no time",
        block: "link_fsm",
        build: |_| {
            fsm(|before, after| {
                if before.phase == Phase::GoingOff && after.phase == Phase::GoingOff {
                    *after = LinkFsm { phase: Phase::Off, elapsed: 1 };
                }
            })
        },
    },
    GoldenFault {
        name: "coming on is one cycle short",
        block: "link_fsm",
        build: |_| {
            fsm(|_, after| {
                if after.phase == Phase::ComingOn && after.elapsed == 1 {
                    after.elapsed = 2;
                }
            })
        },
    },
    GoldenFault {
        name: "the count goes on from GoingOff",
        block: "link_fsm",
        build: |_| {
            fsm(|before, after| {
                if before.phase == Phase::GoingOff && after.phase == Phase::ComingOn {
                    after.elapsed = before.elapsed + 1;
                }
            })
        },
    },
    GoldenFault {
        name: "the highest link goes on first",
        block: "link_group",
        build: |config| {
            group(config, |before, after| {
                let came = after.active & !before.active;
                if came.count_ones() == 1 && before.active == 1 {
                    after.active = before.active | 8;
                }
            })
        },
    },
    GoldenFault {
        name: "the lowest link goes off first",
        block: "link_group",
        build: |config| {
            group(config, |before, after| {
                if before.active & !after.active == 8 && after.active & !before.active == 0 {
                    after.active = before.active & (before.active - 1);
                }
            })
        },
    },
    GoldenFault {
        name: "the last link never goes off",
        block: "link_group",
        build: |config| {
            group(config, |before, after| {
                if after.active == 0 {
                    after.active = before.active & before.active.wrapping_neg();
                }
            })
        },
    },
    GoldenFault {
        name: "the limits are those of all links",
        block: "link_group",
        build: |config| {
            group(config, |before, after| {
                if let Some(of_a_link) = after.on_limit.checked_div(before.active.count_ones()) {
                    after.on_limit = 4 * of_a_link;
                }
            })
        },
    },
    GoldenFault {
        name: "U_on and U_off are mixed up",
        block: "link_group",
        build: |config| group(config, |_, after| std::mem::swap(&mut after.on_limit, &mut after.off_limit)),
    },
    GoldenFault {
        name: "the limit for off ends at 16 bits",
        block: "link_group",
        build: |config| group(config, |_, after| after.off_limit &= 0xffff),
    },
    GoldenFault {
        name: "the flits of a period are kept for the next",
        block: "link_group",
        build: |config| {
            group(config, |before, after| {
                if after.flit_counter.count < before.flit_counter.count {
                    after.flit_counter.count = before.flit_counter.count;
                }
            })
        },
    },
    GoldenFault {
        name: "the check period has 8 bits",
        block: "alonso_control_registers",
        build: |config| words(config, |_, after| after.values.check_period &= 0xff),
    },
    GoldenFault {
        name: "T_on has 16 bits",
        block: "alonso_control_registers",
        build: |config| words(config, |_, after| after.values.t_on &= 0xffff),
    },
    GoldenFault {
        name: "T_off is written with T_on",
        block: "alonso_control_registers",
        build: |config| {
            words(config, |before, after| {
                if after.values.t_on != before.values.t_on {
                    after.values.t_off = after.values.t_on;
                }
            })
        },
    },
    GoldenFault {
        name: "policy 3 is taken for 1",
        block: "alonso_control_registers",
        build: |config| {
            words(config, |_, after| {
                if after.values.policy == 3 {
                    after.values.policy = 1;
                }
            })
        },
    },
    GoldenFault {
        name: "litmus can only be set",
        block: "alonso_control_registers",
        build: |config| words(config, |before, after| after.values.litmus |= before.values.litmus),
    },
    GoldenFault {
        name: "a link that drains is not ready",
        block: "alonso",
        build: |config| {
            outputs(config, |alonso, outputs| {
                for (port, fsm) in alonso.fsms.iter().enumerate() {
                    outputs.ready &= !(u64::from(fsm.phase == Phase::Draining) << port);
                }
            })
        },
    },
    GoldenFault {
        name: "a link that drains is grantable",
        block: "alonso",
        build: |config| outputs(config, |_, outputs| outputs.grantable |= outputs.ready),
    },
    GoldenFault {
        name: "links that come on do not serve yet",
        block: "alonso",
        build: |config| outputs(config, |_, outputs| outputs.serves &= outputs.ready),
    },
    GoldenFault {
        name: "links that are off are not preferred",
        block: "alonso",
        build: |config| outputs(config, |_, outputs| outputs.preferred = outputs.ready),
    },
    GoldenFault {
        name: "Draining is shown as On",
        block: "alonso",
        build: |config| {
            outputs(config, |_, outputs| {
                for phase in outputs.phase.iter_mut().filter(|phase| **phase == Phase::Draining as u8) {
                    *phase = Phase::On as u8;
                }
            })
        },
    },
    GoldenFault {
        name: "the neighbours of two cycles are taken together",
        block: "alonso",
        build: |config| registers(config, |before, after| after.was_on |= before.was_on),
    },
    GoldenFault {
        name: "down-ports never go off",
        block: "alonso",
        build: |config| registers(config, |_, after| after.down_active = true),
    },
    GoldenFault {
        name: "every cycle is a start",
        block: "alonso",
        build: |config| registers(config, |_, after| after.started = false),
    },
    GoldenFault {
        name: "the start leaves all links on",
        block: "alonso",
        build: |config| {
            registers(config, |before, after| {
                if !before.started {
                    after.groups.clone_from(&before.groups);
                }
            })
        },
    },
    GoldenFault {
        name: "the FSM of the last port stands still",
        block: "alonso",
        build: |config| {
            registers(config, |before, after| {
                let last = before.fsms.len() - 1;
                after.fsms[last] = before.fsms[last].clone();
            })
        },
    },
    GoldenFault {
        name: "the timer stands still",
        block: "alonso",
        build: |config| registers(config, |before, after| after.timer = before.timer.clone()),
    },
];
