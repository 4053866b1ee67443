//! Faults of POWAR's blocks in the golden model.

use crate::golden::mechanism::{wrong_outputs, wrong_registers};
use crate::golden::{GoldenFault, golden_fault, group_size, spoilt};
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
    golden_fault("threshold_comparator", "T_on and T_off are mixed up", |_| {
        spoilt(ThresholdComparator::new(), |_, after| std::mem::swap(&mut after.on_limit, &mut after.off_limit))
    }),
    golden_fault("threshold_comparator", "the limit of T_on ends at 16 bits", |_| {
        spoilt(ThresholdComparator::new(), |_, after| after.on_limit = after.on_limit.min(0xffff))
    }),
    golden_fault("threshold_comparator", "limits for fewer ports are not made anew", |_| {
        spoilt(ThresholdComparator::new(), |before, after| {
            if after.ports == 0 && (before.on_step, before.off_step) == (after.on_step, after.off_step) {
                *after = before.clone();
            }
        })
    }),
    golden_fault("threshold_comparator", "a new T_on is not noticed", |_| {
        spoilt(ThresholdComparator::new(), |before, after| after.on_step = before.on_step.max(after.on_step))
    }),
    golden_fault("selectable_ports", "the last port can be dropped", |config| {
        spoilt(SelectablePorts::new(group_size(config)), |before, after| {
            if before.n_selectable == 2 && after.n_selectable == 1 {
                after.n_selectable = 0;
            }
        })
    }),
    golden_fault("port_power_fsm", "a wake request in EnteringSleep is lost", |_| {
        fsm(|_, after| after.wake_pending = false)
    }),
    golden_fault("port_power_fsm", "use does not clear the idle count", |_| {
        fsm(|before, after| {
            if after.state == State::Active && before.state == State::Active && after.elapsed == 1 {
                after.elapsed = before.elapsed;
            }
        })
    }),
    golden_fault("port_power_fsm", "refresh never comes", |_| fsm(|_, after| after.refreshing = false)),
    golden_fault("port_power_fsm", "waking is one cycle short", |_| {
        fsm(|_, after| {
            if after.state == State::Waking && after.elapsed == 1 {
                after.elapsed = 2;
            }
        })
    }),
    golden_fault("port_power_fsm", "a wake request always aborts EnteringSleep", |_| {
        fsm(|_, after| {
            if after.state == State::EnteringSleep && after.wake_pending {
                *after = PortPowerFsm::new();
            }
        })
    }),
    golden_fault("port_power_fsm", "a port that should wake goes to sleep first", |_| {
        fsm(|before, after| {
            if before.state == State::EnteringSleep && after.state == State::Waking {
                after.state = State::Asleep;
            }
        })
    }),
    golden_fault("control_registers", "PDT has 16 bits", |config| {
        spoilt(ControlRegisters::new(PowarValues::of(config)), |_, after| after.values.pdt &= 0xffff)
    }),
    golden_fault("port_group", "the group's flit counter stands still", |config| {
        spoilt(PortGroup::new(group_size(config)), |before, after| after.flit_counter = before.flit_counter.clone())
    }),
    golden_fault("control_registers", "on_flits writes both thresholds", |config| {
        spoilt(ControlRegisters::new(PowarValues::of(config)), |before, after| {
            if after.values.on_flits != before.values.on_flits {
                after.values.off_flits = after.values.on_flits;
            }
        })
    }),
    golden_fault("powar", "a refresh is shown as Off", |config| {
        outputs(config, |_, outputs| {
            for phase in outputs.phase.iter_mut().filter(|phase| **phase == 4) {
                *phase = 2;
            }
        })
    }),
    golden_fault("powar", "a sleeping port that is selectable is preferred", |config| {
        outputs(config, |_, outputs| outputs.preferred |= outputs.grantable)
    }),
    golden_fault("powar", "a sleeping port is not grantable", |config| {
        outputs(config, |_, outputs| outputs.grantable &= outputs.ready)
    }),
    golden_fault("powar", "a port on its way to sleep is ready", |config| {
        outputs(config, |powar, outputs| {
            for (port, fsm) in powar.fsms.iter().enumerate() {
                outputs.ready |= u64::from(fsm.state == State::EnteringSleep) << port;
            }
        })
    }),
    golden_fault("powar", "the last port never sleeps", |config| {
        registers(config, |_, after| {
            let last = after.fsms.len() - 1;
            after.fsms[last] = PortPowerFsm::new();
        })
    }),
    golden_fault("powar", "the check period is that after reset", |config| {
        registers(config, |before, after| {
            after.registers.values.check_period = before.registers.values.check_period;
        })
    }),
];
