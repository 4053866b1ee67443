//! Faults of the blocks of Wake hints in the golden model.

use crate::golden::mechanism::{wrong_outputs, wrong_registers};
use crate::golden::{GoldenFault, spoilt};
use powar_config::mechanism::wake_hints::HintValues;
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
    spoilt(HintRegisters::new(config.ports, HintValues::of(config)), spoil)
}

fn mechanism(config: &Config, spoil: fn(&WakeHints, &mut WakeHints)) -> Box<dyn CycleModel + Send> {
    wrong_registers(config, WakeHints::new(config), spoil)
}

/// The lowest port of some, one-hot; 0 if there is none.
fn lowest(vector: u64) -> u64 {
    vector & vector.wrapping_neg()
}

pub(super) const FAULTS: &[GoldenFault] = &[
    GoldenFault {
        name: "a word has a bit too few",
        block: "hint_receiver",
        build: |_| {
            receiver(|before, after| {
                if before.count == 0 && after.count != 0 {
                    after.count -= 1;
                }
            })
        },
    },
    GoldenFault {
        name: "the start bit counts for the address",
        block: "hint_receiver",
        build: |_| {
            receiver(|before, after| {
                if after.destination != before.destination {
                    after.destination = after.word;
                }
            })
        },
    },
    GoldenFault {
        name: "a hint that waits is never taken",
        block: "hint_receiver",
        build: |_| receiver(|before, after| after.waiting |= before.waiting),
    },
    GoldenFault {
        name: "a hint that waits is replaced",
        block: "hint_receiver",
        build: |_| {
            receiver(|before, after| {
                let sound = (before.word.count_ones() + u32::from(after.word >> 15)).is_multiple_of(2);
                if before.count == 1 && sound {
                    after.destination = before.word;
                }
            })
        },
    },
    GoldenFault {
        name: "a word goes on while nobody listens",
        block: "hint_receiver",
        build: |_| {
            receiver(|before, after| {
                if before.count > 1 {
                    after.count = before.count - 1;
                }
            })
        },
    },
    GoldenFault {
        name: "the parity is odd",
        block: "hint_sender",
        build: |_| {
            sender(|before, after| {
                if before.left == 0 && after.left != 0 {
                    after.word ^= 1 << 16;
                }
            })
        },
    },
    GoldenFault {
        name: "three words wait at most",
        block: "hint_sender",
        build: |_| sender(|_, after| after.count = after.count.min(3)),
    },
    GoldenFault {
        name: "the next word starts a cycle late",
        block: "hint_sender",
        build: |_| {
            sender(|before, after| {
                if before.left == 1 && after.count != 0 && after.left == 0 {
                    after.left = 1;
                }
            })
        },
    },
    GoldenFault {
        name: "what waits is kept without a lane",
        block: "hint_sender",
        build: |_| {
            sender(|before, after| {
                if before.count > 1 && after.count == 0 {
                    after.count = before.count;
                }
            })
        },
    },
    GoldenFault {
        name: "the newest word goes first",
        block: "hint_sender",
        build: |_| {
            sender(|before, after| {
                if after.count > before.count && before.count == 1 {
                    after.queue.swap(0, 1);
                }
            })
        },
    },
    GoldenFault {
        name: "the choice begins at the first port each time",
        block: "hint_choice",
        build: |config| choice(config, |_, after| after.turn.pointer = 1),
    },
    GoldenFault {
        name: "a port that may not be given is woken",
        block: "hint_choice",
        build: |config| {
            choice(config, |before, after| {
                if after.wake == 0 {
                    after.wake = lowest(before.adaptive | before.deterministic);
                }
            })
        },
    },
    GoldenFault {
        name: "no port is preferred",
        block: "hint_choice",
        build: |config| {
            choice(config, |before, after| {
                if after.wake & before.adaptive != 0 {
                    after.wake = lowest(before.adaptive);
                }
            })
        },
    },
    GoldenFault {
        name: "the address is that of the next hint",
        block: "hint_choice",
        build: |config| choice(config, |before, after| after.address = before.taken_address),
    },
    GoldenFault {
        name: "hints come in at the first port",
        block: "hint_choice",
        build: |config| choice(config, |_, after| after.taken_port = 0),
    },
    GoldenFault {
        name: "a packet does not end it",
        block: "hint_monitor",
        build: |_| {
            spoilt(HintMonitor::new(), |before: &HintMonitor, after: &mut HintMonitor| {
                after.foreseen |= before.foreseen && after.awake;
            })
        },
    },
    GoldenFault {
        name: "it is asleep behind a reset",
        block: "hint_monitor",
        build: |_| {
            spoilt(HintMonitor::new(), |_, after: &mut HintMonitor| {
                if *after == HintMonitor::new() {
                    after.awake = false;
                }
            })
        },
    },
    GoldenFault {
        name: "of several words that are lost in a cycle one counts",
        block: "hint_registers",
        build: |config| registers(config, |_, after| after.lost = after.lost.min(1)),
    },
    GoldenFault {
        name: "what was in vain counts as woken",
        block: "hint_registers",
        build: |config| registers(config, |_, after| after.hints_woke = after.hints_woke.max(after.hints_unused)),
    },
    GoldenFault {
        name: "the sideband can't be switched off",
        block: "hint_registers",
        build: |config| registers(config, |before, after| after.sideband |= before.sideband),
    },
    GoldenFault {
        name: "each beat has a word",
        block: "node_hints",
        build: |_| spoilt(NodeHints::new(), |_, after: &mut NodeHints| after.opening = true),
    },
    GoldenFault {
        name: "a port that was woken is not preferred",
        block: "wake_hints",
        build: |config| {
            wrong_outputs(config, WakeHints::new(config), |mechanism, outputs| {
                outputs.preferred = mechanism.ahead.outputs(&Default::default()).preferred;
            })
        },
    },
    GoldenFault {
        name: "a hint wakes nothing",
        block: "wake_hints",
        build: |config| {
            mechanism(config, |before, after| {
                for (was, is) in before.ahead.powar.fsms.iter().zip(&mut after.ahead.powar.fsms) {
                    if before.choice.wake != 0 && was.phase() != is.phase() {
                        *is = was.clone();
                    }
                }
            })
        },
    },
    GoldenFault {
        name: "hints end at the switch",
        block: "wake_hints",
        build: |config| wrong_outputs(config, WakeHints::new(config), |_, outputs| outputs.hint = 0),
    },
    GoldenFault {
        name: "all ports are foreseen together",
        block: "wake_hints",
        build: |config| {
            mechanism(config, |_, after| {
                let any = after.monitors.iter().any(|monitor| monitor.foreseen);
                after.monitors.iter_mut().for_each(|monitor| monitor.foreseen = any);
            })
        },
    },
];
