//! Faults of the golden model: after each clock edge a register is put wrong in the way a real mistake would.

mod switch;

use powar_config::{Config, CycleModel, Layout, PowerState};
use powar_golden::lock_step::{Block, LockStep};
use powar_golden::reference::allocation::*;
use powar_golden::reference::arbiters::*;
use powar_golden::reference::controller::StepwiseController;
use powar_golden::reference::mechanisms::powar::*;
use powar_golden::reference::power::*;

/// A spoilt golden model.
pub struct GoldenFault {
    /// What is wrong with it.
    pub name: &'static str,
    /// The block it is in.
    pub block: &'static str,
    /// Builds it for a configuration.
    pub build: fn(&Config) -> Box<dyn CycleModel + Send>,
}

/// A block whose registers are spoilt after each edge.
struct Spoilt<B, F> {
    twin: LockStep<B>,
    /// Gets the block before and after the edge.
    spoil: F,
}

impl<B: Block + Clone, F: Fn(&B, &mut B)> CycleModel for Spoilt<B, F> {
    fn layout(&self) -> &Layout {
        self.twin.layout()
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut [u64]) {
        let before = self.twin.block.clone();
        self.twin.cycle(inputs, observed);
        (self.spoil)(&before, &mut self.twin.block);
    }
}

fn spoilt<B, F>(block: B, spoil: F) -> Box<dyn CycleModel + Send>
where
    B: Block + Clone + Send + 'static,
    F: Fn(&B, &mut B) + Send + 'static,
{
    Box::new(Spoilt { twin: LockStep::new(block), spoil })
}

fn selector(config: &Config, spoil: fn(&Selector, &mut Selector)) -> Box<dyn CycleModel + Send> {
    spoilt(Selector::new(config.ports, config.deterministic), spoil)
}

fn fsm(spoil: fn(&PortPowerFsm, &mut PortPowerFsm)) -> Box<dyn CycleModel + Send> {
    spoilt(PortPowerFsm::new(), spoil)
}

fn statistics(spoil: fn(&PortStatistics, &mut PortStatistics)) -> Box<dyn CycleModel + Send> {
    spoilt(PortStatistics::default(), spoil)
}

fn group_size(config: &Config) -> usize {
    config.groups.first().map_or(1, |group| group.size)
}

/// All of them, by block.
pub fn faults() -> impl Iterator<Item = &'static GoldenFault> {
    FAULTS.iter().chain(switch::FAULTS)
}

/// Those of the power controller's blocks.
const FAULTS: &[GoldenFault] = &[
    GoldenFault {
        name: "rrp never moves",
        block: "selector",
        build: |config| selector(config, |before, after| after.rrp = before.rrp),
    },
    GoldenFault {
        name: "rrp follows a choice that is not accepted",
        block: "selector",
        build: |config| {
            selector(config, |_, after| {
                if after.choice_adaptive {
                    after.rrp = after.choice;
                }
            })
        },
    },
    GoldenFault {
        name: "an accepted choice stays",
        block: "selector",
        build: |config| {
            selector(config, |before, after| {
                if after.choice == 0 {
                    after.choice = before.choice;
                }
            })
        },
    },
    GoldenFault {
        name: "every choice counts as adaptive",
        block: "selector",
        build: |config| selector(config, |_, after| after.choice_adaptive = after.choice != 0),
    },
    GoldenFault {
        name: "the pointer stands on the winner, not past it",
        block: "selector",
        build: |config| {
            selector(config, |before, after| {
                if after.rrp != before.rrp {
                    after.rrp = before.choice;
                }
            })
        },
    },
    GoldenFault {
        name: "drp never moves",
        block: "selector",
        build: |config| selector(config, |before, after| after.drp = before.drp),
    },
    GoldenFault {
        name: "drp follows adaptive choices too",
        block: "selector",
        build: |config| {
            selector(config, |before, after| {
                if after.rrp != before.rrp {
                    after.drp = after.rrp;
                }
            })
        },
    },
    GoldenFault {
        name: "the arbiter's pointer never moves",
        block: "port_arbiter",
        build: |config| spoilt(PortArbiter::new(config.requesters()), |before, after| after.pointer = before.pointer),
    },
    GoldenFault {
        name: "the check period is one cycle short",
        block: "check_timer",
        build: |_| {
            spoilt(CheckTimer::new(), |_, after| {
                if after.count == 0 {
                    after.count = 1;
                }
            })
        },
    },
    GoldenFault {
        name: "the flit counter is not cleared by a check",
        block: "flit_counter",
        build: |config| {
            spoilt(FlitCounter::new(group_size(config)), |before, after| {
                if after.count < before.count {
                    after.count = (after.count + before.count) & 0xff_ffff;
                }
            })
        },
    },
    GoldenFault {
        name: "one flit a cycle at most is counted",
        block: "flit_counter",
        build: |config| {
            spoilt(FlitCounter::new(group_size(config)), |before, after| {
                if after.count > before.count + 1 {
                    after.count = before.count + 1;
                }
            })
        },
    },
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
                if after.state == PowerState::Active && before.state == PowerState::Active && after.count == 0 {
                    after.count = before.count;
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
                if after.state == PowerState::Waking && after.count == 0 {
                    after.count = 1;
                }
            })
        },
    },
    GoldenFault {
        name: "a wake request always aborts EnteringSleep",
        block: "port_power_fsm",
        build: |_| {
            fsm(|_, after| {
                if after.state == PowerState::EnteringSleep && after.wake_pending {
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
                if before.state == PowerState::EnteringSleep && after.state == PowerState::Waking {
                    after.state = PowerState::Asleep;
                }
            })
        },
    },
    GoldenFault {
        name: "wake-ups count twice",
        block: "port_statistics",
        build: |_| {
            statistics(|before, after| {
                if after.wake_ups == before.wake_ups.wrapping_add(1) {
                    after.wake_ups = after.wake_ups.wrapping_add(1);
                }
            })
        },
    },
    GoldenFault {
        name: "refresh counts as quiet",
        block: "port_statistics",
        build: |_| {
            statistics(|before, after| {
                if after.refresh_cycles == before.refresh_cycles.wrapping_add(1) {
                    after.refresh_cycles = before.refresh_cycles;
                    after.quiet_cycles = after.quiet_cycles.wrapping_add(1);
                }
            })
        },
    },
    GoldenFault {
        name: "the flit statistics wrap at 8 bits",
        block: "port_statistics",
        build: |_| statistics(|_, after| after.flits &= 0xff),
    },
    GoldenFault {
        name: "PDT has 16 bits",
        block: "control_registers",
        build: |config| spoilt(ControlRegisters::new(config.register_values()), |_, after| after.values.pdt &= 0xffff),
    },
    GoldenFault {
        name: "clear_statistics stays set",
        block: "control_registers",
        build: |config| {
            spoilt(ControlRegisters::new(config.register_values()), |before, after| {
                after.clear_statistics |= before.clear_statistics;
            })
        },
    },
    GoldenFault {
        name: "the group's flit counter stands still",
        block: "port_group",
        build: |config| {
            spoilt(PortGroup::new(group_size(config)), |before, after| after.flit_counter = before.flit_counter.clone())
        },
    },
    GoldenFault {
        name: "address 3 writes both thresholds",
        block: "control_registers",
        build: |config| {
            spoilt(ControlRegisters::new(config.register_values()), |before, after| {
                if after.values.on_flits != before.values.on_flits {
                    after.values.off_flits = after.values.on_flits;
                }
            })
        },
    },
    GoldenFault {
        name: "the tail does not free port 0",
        block: "power_controller",
        build: |config| {
            spoilt(StepwiseController::new(config), |before, after: &mut StepwiseController| {
                after.power.busy |= before.power.busy & 1;
            })
        },
    },
    GoldenFault {
        name: "the statistics of two ports are swapped",
        block: "power_controller",
        build: |config| {
            spoilt(StepwiseController::new(config), |_, after: &mut StepwiseController| {
                after.power.statistics.swap(0, 1)
            })
        },
    },
];
