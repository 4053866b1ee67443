//! Faults of POWAR's blocks in the golden model.

use crate::golden::mechanism::{wrong_outputs, wrong_registers};
use crate::golden::{GoldenFault, group_size, spoilt};
use powar_config::{Config, CycleModel, PowarValues};
use powar_golden::reference::mechanisms::powar::port_power_fsm::State;
use powar_golden::reference::mechanisms::powar::*;
use powar_golden::reference::power::mechanism::MechanismOutputs;

fn outputs(config: &Config, spoil: fn(&Powar, &mut MechanismOutputs)) -> Box<dyn CycleModel + Send> {
    wrong_outputs(config, Powar::new(config), spoil)
}

fn registers(config: &Config, spoil: fn(&Powar, &mut Powar)) -> Box<dyn CycleModel + Send> {
    wrong_registers(config, Powar::new(config), spoil)
}

fn fsm(spoil: fn(&PortPowerFsm, &mut PortPowerFsm)) -> Box<dyn CycleModel + Send> {
    spoilt(PortPowerFsm::new(), spoil)
}

pub(super) const FAULTS: &[GoldenFault] = &[
    GoldenFault {
        name: "T_on and T_off are mixed up",
        block: "threshold_comparator",
        build: |_| {
            spoilt(ThresholdComparator::new(), |_, after| std::mem::swap(&mut after.on_limit, &mut after.off_limit))
        },
    },
    GoldenFault {
        name: "the limit of T_on ends at 16 bits",
        block: "threshold_comparator",
        build: |_| spoilt(ThresholdComparator::new(), |_, after| after.on_limit = after.on_limit.min(0xffff)),
    },
    GoldenFault {
        name: "limits for fewer ports are not made anew",
        block: "threshold_comparator",
        build: |_| {
            spoilt(ThresholdComparator::new(), |before, after| {
                if after.ports == 0 && (before.on_step, before.off_step) == (after.on_step, after.off_step) {
                    *after = before.clone();
                }
            })
        },
    },
    GoldenFault {
        name: "a new T_on is not noticed",
        block: "threshold_comparator",
        build: |_| {
            spoilt(ThresholdComparator::new(), |before, after| after.on_step = before.on_step.max(after.on_step))
        },
    },
    GoldenFault {
        name: "the last port can be dropped",
        block: "selectable_ports",
        build: |config| {
            spoilt(SelectablePorts::new(group_size(config)), |before, after| {
                if before.n_selectable == 2 && after.n_selectable == 1 {
                    after.n_selectable = 0;
                }
            })
        },
    },
    GoldenFault {
        name: "a wake request in EnteringSleep is lost",
        block: "port_power_fsm",
        build: |_| fsm(|_, after| after.wake_pending = false),
    },
    GoldenFault {
        name: "use does not clear the idle count",
        block: "port_power_fsm",
        build: |_| {
            fsm(|before, after| {
                if after.state == State::Active && before.state == State::Active && after.elapsed == 1 {
                    after.elapsed = before.elapsed;
                }
            })
        },
    },
    GoldenFault {
        name: "refresh never comes",
        block: "port_power_fsm",
        build: |_| fsm(|_, after| after.refreshing = false),
    },
    GoldenFault {
        name: "waking is one cycle short",
        block: "port_power_fsm",
        build: |_| {
            fsm(|_, after| {
                if after.state == State::Waking && after.elapsed == 1 {
                    after.elapsed = 2;
                }
            })
        },
    },
    GoldenFault {
        name: "a wake request always aborts EnteringSleep",
        block: "port_power_fsm",
        build: |_| {
            fsm(|_, after| {
                if after.state == State::EnteringSleep && after.wake_pending {
                    *after = PortPowerFsm::new();
                }
            })
        },
    },
    GoldenFault {
        name: "a port that should wake goes to sleep first",
        block: "port_power_fsm",
        build: |_| {
            fsm(|before, after| {
                if before.state == State::EnteringSleep && after.state == State::Waking {
                    after.state = State::Asleep;
                }
            })
        },
    },
    GoldenFault {
        name: "PDT has 16 bits",
        block: "control_registers",
        build: |config| spoilt(ControlRegisters::new(PowarValues::of(config)), |_, after| after.values.pdt &= 0xffff),
    },
    GoldenFault {
        name: "the group's flit counter stands still",
        block: "port_group",
        build: |config| {
            spoilt(PortGroup::new(group_size(config)), |before, after| after.flit_counter = before.flit_counter.clone())
        },
    },
    GoldenFault {
        name: "on_flits writes both thresholds",
        block: "control_registers",
        build: |config| {
            spoilt(ControlRegisters::new(PowarValues::of(config)), |before, after| {
                if after.values.on_flits != before.values.on_flits {
                    after.values.off_flits = after.values.on_flits;
                }
            })
        },
    },
    GoldenFault {
        name: "a refresh is shown as Off",
        block: "powar",
        build: |config| {
            outputs(config, |_, outputs| {
                for phase in outputs.phase.iter_mut().filter(|phase| **phase == 4) {
                    *phase = 2;
                }
            })
        },
    },
    GoldenFault {
        name: "a sleeping port that is selectable is preferred",
        block: "powar",
        build: |config| outputs(config, |_, outputs| outputs.preferred |= outputs.grantable),
    },
    GoldenFault {
        name: "a sleeping port is not grantable",
        block: "powar",
        build: |config| outputs(config, |_, outputs| outputs.grantable &= outputs.ready),
    },
    GoldenFault {
        name: "a port on its way to sleep is ready",
        block: "powar",
        build: |config| {
            outputs(config, |powar, outputs| {
                for (port, fsm) in powar.fsms.iter().enumerate() {
                    outputs.ready |= u64::from(fsm.state == State::EnteringSleep) << port;
                }
            })
        },
    },
    GoldenFault {
        name: "the last port never sleeps",
        block: "powar",
        build: |config| {
            registers(config, |_, after| {
                let last = after.fsms.len() - 1;
                after.fsms[last] = PortPowerFsm::new();
            })
        },
    },
    GoldenFault {
        name: "the check period is that after reset",
        block: "powar",
        build: |config| {
            registers(config, |before, after| {
                after.registers.values.check_period = before.registers.values.check_period;
            })
        },
    },
];
