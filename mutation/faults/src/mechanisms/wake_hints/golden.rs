//! Faults of the blocks of Wake hints in the golden model.

use crate::golden::mechanism::{wrong_outputs, wrong_registers};
use crate::golden::{GoldenFault, golden_fault, spoilt};
use powar_config::mechanism::wake_hints::{HintValues, MECHANISM};
use powar_config::{Config, CycleModel};
use powar_golden::reference::mechanisms::wake_hints::{
    HintChoice, HintMonitor, HintReceiver, HintRegisters, HintSender, NodeHints, WakeHints,
};
use powar_golden::reference::power::PowerMechanism;

fn receiver(spoil: fn(&HintReceiver, &mut HintReceiver)) -> Box<dyn CycleModel + Send> {
    spoilt(HintReceiver::new(), spoil)
}

fn sender(spoil: fn(&HintSender, &mut HintSender)) -> Box<dyn CycleModel + Send> {
    spoilt(HintSender::new(), spoil)
}

fn choice(config: &Config, spoil: fn(&HintChoice, &mut HintChoice)) -> Box<dyn CycleModel + Send> {
    spoilt(HintChoice::new(config), spoil)
}

fn registers(config: &Config, spoil: fn(&HintRegisters, &mut HintRegisters)) -> Box<dyn CycleModel + Send> {
    spoilt(HintRegisters::new(config.ports, &MECHANISM, HintValues::of(config)), spoil)
}

fn mechanism(config: &Config, spoil: fn(&WakeHints, &mut WakeHints)) -> Box<dyn CycleModel + Send> {
    wrong_registers(config, WakeHints::new(config), spoil)
}

/// The lowest port of some, one-hot; 0 if there is none.
fn lowest(vector: u64) -> u64 {
    vector & vector.wrapping_neg()
}

pub(super) const FAULTS: &[GoldenFault] = &[
    golden_fault("hint_receiver", "a word has a bit too few", |_| {
        receiver(|before, after| {
            if before.count == 0 && after.count != 0 {
                after.count -= 1;
            }
        })
    }),
    golden_fault("hint_receiver", "the start bit counts for the address", |_| {
        receiver(|before, after| {
            if after.destination != before.destination {
                after.destination = after.word;
            }
        })
    }),
    golden_fault("hint_receiver", "a hint that waits is never taken", |_| {
        receiver(|before, after| after.waiting |= before.waiting)
    }),
    golden_fault("hint_receiver", "a hint that waits is replaced", |_| {
        receiver(|before, after| {
            let sound = (before.word.count_ones() + u32::from(after.word >> 15)).is_multiple_of(2);
            if before.count == 1 && sound {
                after.destination = before.word;
            }
        })
    }),
    golden_fault("hint_receiver", "a word goes on while nobody listens", |_| {
        receiver(|before, after| {
            if before.count > 1 {
                after.count = before.count - 1;
            }
        })
    }),
    golden_fault("hint_sender", "the parity is odd", |_| {
        sender(|before, after| {
            if before.left == 0 && after.left != 0 {
                after.word ^= 1 << 16;
            }
        })
    }),
    golden_fault("hint_sender", "three words wait at most", |_| sender(|_, after| after.count = after.count.min(3))),
    golden_fault("hint_sender", "the next word starts a cycle late", |_| {
        sender(|before, after| {
            if before.left == 1 && after.count != 0 && after.left == 0 {
                after.left = 1;
            }
        })
    }),
    golden_fault("hint_sender", "what waits is kept without a lane", |_| {
        sender(|before, after| {
            if before.count > 1 && after.count == 0 {
                after.count = before.count;
            }
        })
    }),
    golden_fault("hint_sender", "the newest word goes first", |_| {
        sender(|before, after| {
            if after.count > before.count && before.count == 1 {
                after.queue.swap(0, 1);
            }
        })
    }),
    golden_fault("hint_choice", "the choice begins at the first port each time", |config| {
        choice(config, |_, after| after.turn.pointer = 1)
    }),
    golden_fault("hint_choice", "a port that may not be given is woken", |config| {
        choice(config, |before, after| {
            if after.wake == 0 {
                after.wake = lowest(before.adaptive | before.deterministic);
            }
        })
    }),
    golden_fault("hint_choice", "no port is preferred", |config| {
        choice(config, |before, after| {
            if after.wake & before.adaptive != 0 {
                after.wake = lowest(before.adaptive);
            }
        })
    }),
    golden_fault("hint_choice", "the address is that of the next hint", |config| {
        choice(config, |before, after| after.address = before.taken_address)
    }),
    golden_fault("hint_choice", "hints come in at the first port", |config| {
        choice(config, |_, after| after.taken_port = 0)
    }),
    golden_fault("hint_monitor", "a packet does not end it", |_| {
        spoilt(HintMonitor::new(), |before: &HintMonitor, after: &mut HintMonitor| {
            after.foreseen |= before.foreseen && after.awake;
        })
    }),
    golden_fault("hint_monitor", "it is asleep behind a reset", |_| {
        spoilt(HintMonitor::new(), |_, after: &mut HintMonitor| {
            if *after == HintMonitor::new() {
                after.awake = false;
            }
        })
    }),
    golden_fault("hint_registers", "of several words that are lost in a cycle one counts", |config| {
        registers(config, |_, after| after.lost = after.lost.min(1))
    }),
    golden_fault("hint_registers", "what was in vain counts as woken", |config| {
        registers(config, |_, after| after.hints_woke = after.hints_woke.max(after.hints_unused))
    }),
    golden_fault("hint_registers", "the sideband can't be switched off", |config| {
        registers(config, |before, after| after.sideband |= before.sideband)
    }),
    golden_fault("node_hints", "each beat has a word", |_| {
        spoilt(NodeHints::new(), |_, after: &mut NodeHints| after.opening = true)
    }),
    golden_fault("node_hints", "what is announced is a packet that begins", |_| {
        spoilt(NodeHints::new(), |before: &NodeHints, after: &mut NodeHints| {
            // A word has come in, so a beat between two packets was taken.
            let took = after.sender.count > before.sender.count;
            after.opening &= !took;
        })
    }),
    golden_fault("wake_hints", "a port that was woken is not preferred", |config| {
        wrong_outputs(config, WakeHints::new(config), |mechanism, outputs| {
            outputs.preferred = mechanism.ahead.outputs(&Default::default()).preferred;
        })
    }),
    golden_fault("wake_hints", "a hint wakes nothing", |config| {
        mechanism(config, |before, after| {
            for (was, is) in before.ahead.powar.fsms.iter().zip(&mut after.ahead.powar.fsms) {
                if before.lanes.choice.wake != 0 && was.phase() != is.phase() {
                    *is = was.clone();
                }
            }
        })
    }),
    golden_fault("wake_hints", "hints end at the switch", |config| {
        wrong_outputs(config, WakeHints::new(config), |_, outputs| outputs.hint = 0)
    }),
    golden_fault("wake_hints", "the row of another address is asked for", |config| {
        wrong_outputs(config, WakeHints::new(config), |_, outputs| {
            outputs.lookup = outputs.lookup.map(|address| address ^ 1);
        })
    }),
    golden_fault("wake_hints", "a row is asked for a cycle late", |config| {
        wrong_outputs(config, WakeHints::new(config), |mechanism, outputs| {
            let choice = &mechanism.lanes.choice;
            outputs.lookup = choice.taken.then_some(choice.taken_address);
        })
    }),
    golden_fault("wake_hints", "all ports are foreseen together", |config| {
        mechanism(config, |_, after| {
            let any = after.lanes.monitors.iter().any(|monitor| monitor.foreseen);
            after.lanes.monitors.iter_mut().for_each(|monitor| monitor.foreseen = any);
        })
    }),
];
