//! Faults of the golden model: after each clock edge a register is put wrong in the way a real mistake would.

mod crossing;
mod demonstrator;
mod links_off;
pub(crate) mod mechanism;
mod network_interface;
mod pipeline;
mod switch;

use powar_config::{Config, CycleModel, Layout, registers};
use powar_golden::lock_step::{Frames, LockStep};
use powar_golden::reference::allocation::*;
use powar_golden::reference::arbiters::*;
use powar_golden::reference::controller::StepwiseController;
use powar_golden::reference::mechanisms::build;
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

impl<B: Frames + Clone, F: Fn(&B, &mut B)> CycleModel for Spoilt<B, F> {
    fn layout(&self) -> &Layout {
        self.twin.layout()
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut [u64]) {
        let before = self.twin.block.clone();
        self.twin.cycle(inputs, observed);
        (self.spoil)(&before, &mut self.twin.block);
    }
}

pub(crate) fn spoilt<B, F>(block: B, spoil: F) -> Box<dyn CycleModel + Send>
where
    B: Frames + Clone + Send + 'static,
    F: Fn(&B, &mut B) + Send + 'static,
{
    Box::new(Spoilt { twin: LockStep::new(block), spoil })
}

fn selector(config: &Config, spoil: fn(&Selector, &mut Selector)) -> Box<dyn CycleModel + Send> {
    spoilt(Selector::of(config), spoil)
}

/// `spoil` gets the prescalers and how many of them are of phases and levels.
fn counters(config: &Config, spoil: fn(&[u8], &mut [u8], usize)) -> Box<dyn CycleModel + Send> {
    let residency = config.mechanism().residency;
    let block = PortCounters::new(residency, registers::ERRORS.len());
    spoilt(block, move |before: &PortCounters, after: &mut PortCounters| {
        spoil(&before.prescaler, &mut after.prescaler, residency.len());
    })
}

/// `spoil` gets the word that was fetched before, and that of now.
fn fetched(config: &Config, spoil: fn(u64, &mut u64)) -> Box<dyn CycleModel + Send> {
    let block = PortCounters::new(config.mechanism().residency, registers::ERRORS.len());
    spoilt(block, move |before: &PortCounters, after: &mut PortCounters| {
        spoil(before.words.output, &mut after.words.output);
    })
}

fn slots(config: &Config, spoil: fn(&CounterSlots, &mut CounterSlots)) -> Box<dyn CycleModel + Send> {
    spoilt(CounterSlots::new(registers::counters(config.mechanism()).count()), spoil)
}

fn manager(config: &Config, spoil: fn(&PowerManager, &mut PowerManager)) -> Box<dyn CycleModel + Send> {
    let manager = PowerManager::new(config.ports, build(config), registers::ERRORS.len());
    spoilt(manager.for_short_packets(config.switch.short_packets()), spoil)
}

fn held_ports(config: &Config, spoil: fn(&HeldPorts, &mut HeldPorts)) -> Box<dyn CycleModel + Send> {
    spoilt(HeldPorts::new(config.ports, config.switch.short_packets()), spoil)
}

/// Ports of the first group.
pub(crate) fn group_size(config: &Config) -> usize {
    config.groups.first().map_or(1, |group| group.size)
}

/// Those of the blocks of every switch.
pub(crate) fn shared() -> impl Iterator<Item = &'static GoldenFault> {
    FAULTS
        .iter()
        .chain(switch::FAULTS)
        .chain(links_off::INJECTION_LIMIT)
        .chain(&links_off::STAIRCASE)
        .chain(&links_off::ALTERNATING)
        .chain(links_off::WEST_LAST_EAST_LAST)
        .chain(pipeline::FAULTS)
        .chain(network_interface::FAULTS)
        .chain(crossing::FAULTS)
        .chain(demonstrator::FAULTS)
}

/// Those of allocation and power.
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
        name: "port 0 stays held",
        block: "held_ports",
        build: |config| held_ports(config, |before, after| after.held |= before.held & 1),
    },
    GoldenFault {
        name: "ports are released two at a time",
        block: "held_ports",
        build: |config| {
            held_ports(config, |before, after| {
                let released = before.held & !after.held;
                after.held &= !(released << 1);
            })
        },
    },
    GoldenFault {
        name: "wake-ups count twice",
        block: "port_counters",
        build: |config| {
            counters(config, |before, after, pairs| {
                if after[pairs] == before[pairs] + 1 {
                    after[pairs] = (after[pairs] + 1) & 15;
                }
            })
        },
    },
    GoldenFault {
        name: "a phase counts as the one before it in the list",
        block: "port_counters",
        build: |config| {
            counters(config, |before, after, _| {
                if after[3] == before[3] + 1 {
                    after[3] = before[3];
                    after[2] = (after[2] + 1) & 15;
                }
            })
        },
    },
    GoldenFault {
        name: "the prescaler of the flits has 3 bits",
        block: "port_counters",
        build: |config| counters(config, |_, after, pairs| after[pairs + 1] &= 7),
    },
    GoldenFault {
        name: "a word is that fetched before",
        block: "port_counters",
        build: |config| fetched(config, |before, now| *now = before),
    },
    GoldenFault {
        name: "words are read without the bits of the prescaler",
        block: "port_counters",
        build: |config| fetched(config, |_, now| *now &= !15),
    },
    GoldenFault {
        name: "words have 8 bits",
        block: "port_counters",
        build: |config| fetched(config, |_, now| *now &= 0xff),
    },
    GoldenFault {
        name: "the first counter never has its turn again",
        block: "counter_slots",
        build: |config| {
            slots(config, |before, after| {
                if before.fetch_slot > 1 && after.fetch_slot == 0 {
                    after.fetch_slot = 1;
                }
            })
        },
    },
    GoldenFault {
        name: "the round goes on through a clear",
        block: "counter_slots",
        build: |config| {
            slots(config, |before, after| {
                if !before.fresh && after.fresh {
                    after.fetch_slot = (before.fetch_slot + 1) % 12;
                }
            })
        },
    },
    GoldenFault {
        name: "the last word of the first round is added to",
        block: "counter_slots",
        build: |config| slots(config, |_, after| after.replace = after.fresh),
    },
    GoldenFault {
        name: "words are replaced for ever",
        block: "counter_slots",
        build: |config| slots(config, |before, after| after.fresh |= before.fresh),
    },
    GoldenFault {
        name: "the turn is that of the word fetched two cycles before",
        block: "counter_slots",
        build: |config| slots(config, |before, after| after.turn = 1 << before.write_slot),
    },
    GoldenFault {
        name: "credit errors are not counted",
        block: "port_counters",
        build: |config| counters(config, |_, after, pairs| after[pairs + 6] = 0),
    },
    GoldenFault {
        name: "a clear leaves the errors",
        block: "port_counters",
        build: |config| {
            counters(config, |before, after, pairs| {
                if after.iter().all(|&count| count == 0) {
                    after[pairs + 2..].copy_from_slice(&before[pairs + 2..]);
                }
            })
        },
    },
    GoldenFault {
        name: "the cycle of the clear is counted",
        block: "port_counters",
        build: |config| {
            counters(config, |before, after, _| {
                if after.iter().all(|&count| count == 0) && before.iter().any(|&count| count != 0) {
                    after[0] = 1;
                }
            })
        },
    },
    GoldenFault {
        name: "a held port is free once it is not ready",
        block: "power_manager",
        build: |config| {
            manager(config, |_, after| {
                if after.outputs(0, 0).ready & 4 == 0 {
                    after.held_ports.held &= !4;
                }
            })
        },
    },
    GoldenFault {
        name: "the clear stays",
        block: "power_manager",
        build: |config| manager(config, |before, after| after.clear |= before.clear),
    },
    GoldenFault {
        name: "the first word that is read stays",
        block: "power_manager",
        build: |config| {
            manager(config, |before, after| {
                if before.read_data != 0 {
                    after.read_data = before.read_data;
                }
            })
        },
    },
    GoldenFault {
        name: "a word keeps the bits of the one before",
        block: "power_manager",
        build: |config| manager(config, |before, after| after.read_data |= before.read_data),
    },
    GoldenFault {
        name: "a counter is read without waiting for its turn",
        block: "power_manager",
        build: |config| manager(config, |_, after| after.taken |= std::mem::take(&mut after.waiting)),
    },
    GoldenFault {
        name: "a counter is waited for only one cycle",
        block: "power_manager",
        build: |config| manager(config, |before, after| after.waiting &= !before.waiting),
    },
    GoldenFault {
        name: "an answer lasts until the next",
        block: "power_manager",
        build: |config| manager(config, |before, after| after.read_done |= before.read_done),
    },
    GoldenFault {
        name: "the word of a group keeps the bits of the one before",
        block: "power_manager",
        build: |config| manager(config, |before, after| after.group_word[0] |= before.group_word[0]),
    },
    GoldenFault {
        name: "the turns of the counters stand still",
        block: "power_manager",
        build: |config| manager(config, |before, after| after.slots = before.slots.clone()),
    },
    GoldenFault {
        name: "the counters of the last port stand still",
        block: "power_manager",
        build: |config| {
            manager(config, |before, after| {
                let last = before.counters.len() - 1;
                after.counters[last] = before.counters[last].clone();
            })
        },
    },
    GoldenFault {
        name: "the tail does not free port 0",
        block: "power_controller",
        build: |config| {
            spoilt(StepwiseController::new(config), |before, after: &mut StepwiseController| {
                after.power.held_ports.held |= before.power.held() & 1;
            })
        },
    },
    GoldenFault {
        name: "the counters of two ports are swapped",
        block: "power_controller",
        build: |config| {
            spoilt(StepwiseController::new(config), |_, after: &mut StepwiseController| after.power.counters.swap(0, 1))
        },
    },
];
