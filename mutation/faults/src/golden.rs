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

/// A fault of `block`.
pub(crate) const fn golden_fault(
    block: &'static str,
    name: &'static str,
    build: fn(&Config) -> Box<dyn CycleModel + Send>,
) -> GoldenFault {
    GoldenFault { name, block, build }
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
    golden_fault("selector", "rrp never moves", |config| selector(config, |before, after| after.rrp = before.rrp)),
    golden_fault("selector", "rrp follows a choice that is not accepted", |config| {
        selector(config, |_, after| {
            if after.choice_adaptive {
                after.rrp = after.choice;
            }
        })
    }),
    golden_fault("selector", "an accepted choice stays", |config| {
        selector(config, |before, after| {
            if after.choice == 0 {
                after.choice = before.choice;
            }
        })
    }),
    golden_fault("selector", "every choice counts as adaptive", |config| {
        selector(config, |_, after| after.choice_adaptive = after.choice != 0)
    }),
    golden_fault("selector", "the pointer stands on the winner, not past it", |config| {
        selector(config, |before, after| {
            if after.rrp != before.rrp {
                after.rrp = before.choice;
            }
        })
    }),
    golden_fault("selector", "drp never moves", |config| selector(config, |before, after| after.drp = before.drp)),
    golden_fault("selector", "drp follows adaptive choices too", |config| {
        selector(config, |before, after| {
            if after.rrp != before.rrp {
                after.drp = after.rrp;
            }
        })
    }),
    golden_fault("port_arbiter", "the arbiter's pointer never moves", |config| {
        spoilt(PortArbiter::new(config.requesters()), |before, after| after.pointer = before.pointer)
    }),
    golden_fault("check_timer", "the check period is one cycle short", |_| {
        spoilt(CheckTimer::new(), |_, after| {
            if after.count == 0 {
                after.count = 1;
            }
        })
    }),
    golden_fault("flit_counter", "the flit counter is not cleared by a check", |config| {
        spoilt(FlitCounter::new(group_size(config)), |before, after| {
            if after.count < before.count {
                after.count = (after.count + before.count) & 0xff_ffff;
            }
        })
    }),
    golden_fault("flit_counter", "one flit a cycle at most is counted", |config| {
        spoilt(FlitCounter::new(group_size(config)), |before, after| {
            if after.count > before.count + 1 {
                after.count = before.count + 1;
            }
        })
    }),
    golden_fault("held_ports", "port 0 stays held", |config| {
        held_ports(config, |before, after| after.held |= before.held & 1)
    }),
    golden_fault("held_ports", "ports are released two at a time", |config| {
        held_ports(config, |before, after| {
            let released = before.held & !after.held;
            after.held &= !(released << 1);
        })
    }),
    golden_fault("port_counters", "wake-ups count twice", |config| {
        counters(config, |before, after, pairs| {
            if after[pairs] == before[pairs] + 1 {
                after[pairs] = (after[pairs] + 1) & 15;
            }
        })
    }),
    golden_fault("port_counters", "a phase counts as the one before it in the list", |config| {
        counters(config, |before, after, _| {
            if after[3] == before[3] + 1 {
                after[3] = before[3];
                after[2] = (after[2] + 1) & 15;
            }
        })
    }),
    golden_fault("port_counters", "the prescaler of the flits has 3 bits", |config| {
        counters(config, |_, after, pairs| after[pairs + 1] &= 7)
    }),
    golden_fault("port_counters", "a word is that fetched before", |config| {
        fetched(config, |before, now| *now = before)
    }),
    golden_fault("port_counters", "words are read without the bits of the prescaler", |config| {
        fetched(config, |_, now| *now &= !15)
    }),
    golden_fault("port_counters", "words have 8 bits", |config| fetched(config, |_, now| *now &= 0xff)),
    golden_fault("counter_slots", "the first counter never has its turn again", |config| {
        slots(config, |before, after| {
            if before.fetch_slot > 1 && after.fetch_slot == 0 {
                after.fetch_slot = 1;
            }
        })
    }),
    golden_fault("counter_slots", "the round goes on through a clear", |config| {
        slots(config, |before, after| {
            if !before.fresh && after.fresh {
                after.fetch_slot = (before.fetch_slot + 1) % 12;
            }
        })
    }),
    golden_fault("counter_slots", "the last word of the first round is added to", |config| {
        slots(config, |_, after| after.replace = after.fresh)
    }),
    golden_fault("counter_slots", "words are replaced for ever", |config| {
        slots(config, |before, after| after.fresh |= before.fresh)
    }),
    golden_fault("counter_slots", "the turn is that of the word fetched two cycles before", |config| {
        slots(config, |before, after| after.turn = 1 << before.write_slot)
    }),
    golden_fault("port_counters", "credit errors are not counted", |config| {
        counters(config, |_, after, pairs| after[pairs + 6] = 0)
    }),
    golden_fault("port_counters", "a clear leaves the errors", |config| {
        counters(config, |before, after, pairs| {
            if after.iter().all(|&count| count == 0) {
                after[pairs + 2..].copy_from_slice(&before[pairs + 2..]);
            }
        })
    }),
    golden_fault("port_counters", "the cycle of the clear is counted", |config| {
        counters(config, |before, after, _| {
            if after.iter().all(|&count| count == 0) && before.iter().any(|&count| count != 0) {
                after[0] = 1;
            }
        })
    }),
    golden_fault("power_manager", "a held port is free once it is not ready", |config| {
        manager(config, |_, after| {
            if after.outputs(0, 0).ready & 4 == 0 {
                after.held_ports.held &= !4;
            }
        })
    }),
    golden_fault("power_manager", "the clear stays", |config| {
        manager(config, |before, after| after.clear |= before.clear)
    }),
    golden_fault("power_manager", "the first word that is read stays", |config| {
        manager(config, |before, after| {
            if before.read_data != 0 {
                after.read_data = before.read_data;
            }
        })
    }),
    golden_fault("power_manager", "a word keeps the bits of the one before", |config| {
        manager(config, |before, after| after.read_data |= before.read_data)
    }),
    golden_fault("power_manager", "a counter is read without waiting for its turn", |config| {
        manager(config, |_, after| after.taken |= std::mem::take(&mut after.waiting))
    }),
    golden_fault("power_manager", "a counter is waited for only one cycle", |config| {
        manager(config, |before, after| after.waiting &= !before.waiting)
    }),
    golden_fault("power_manager", "an answer lasts until the next", |config| {
        manager(config, |before, after| after.read_done |= before.read_done)
    }),
    golden_fault("power_manager", "the word of a group keeps the bits of the one before", |config| {
        manager(config, |before, after| after.group_word[0] |= before.group_word[0])
    }),
    golden_fault("power_manager", "the turns of the counters stand still", |config| {
        manager(config, |before, after| after.slots = before.slots.clone())
    }),
    golden_fault("power_manager", "the counters of the last port stand still", |config| {
        manager(config, |before, after| {
            let last = before.counters.len() - 1;
            after.counters[last] = before.counters[last].clone();
        })
    }),
    golden_fault("power_controller", "the tail does not free port 0", |config| {
        spoilt(StepwiseController::new(config), |before, after: &mut StepwiseController| {
            after.power.held_ports.held |= before.power.held() & 1;
        })
    }),
    golden_fault("power_controller", "the counters of two ports are swapped", |config| {
        spoilt(StepwiseController::new(config), |_, after: &mut StepwiseController| after.power.counters.swap(0, 1))
    }),
];
