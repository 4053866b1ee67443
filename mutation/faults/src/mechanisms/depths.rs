//! Deliberate faults of the depths of sleep, in the golden model.

use super::Entry;
use crate::golden::mechanism::wrong_registers;
use crate::golden::{GoldenFault, golden_fault, spoilt};
use powar_config::mechanism::depths::DepthsValues;
use powar_config::{Config, CycleModel};
use powar_golden::reference::mechanisms::depths::{DepthRegisters, Depths, SleepDepth};

/// The line in the list of mechanisms.
pub(super) static ENTRY: Entry = Entry { golden: GOLDEN, verilog: &[] };

fn depth(spoil: fn(&SleepDepth, &mut SleepDepth)) -> Box<dyn CycleModel + Send> {
    spoilt(SleepDepth::new(), spoil)
}

fn registers(config: &Config, spoil: fn(&DepthRegisters, &mut DepthRegisters)) -> Box<dyn CycleModel + Send> {
    spoilt(DepthRegisters::new(DepthsValues::of(config)), spoil)
}

fn depths(config: &Config, spoil: fn(&Depths, &mut Depths)) -> Box<dyn CycleModel + Send> {
    wrong_registers(config, Depths::new(config), spoil)
}

const GOLDEN: &[GoldenFault] = &[
    golden_fault("sleep_depth", "a port that is deep is deep for ever", |_| {
        depth(|before, after| after.deep |= before.deep)
    }),
    golden_fault("sleep_depth", "no port goes deep", |_| depth(|before, after| after.deep &= before.deep)),
    golden_fault("sleep_depth", "cycles asleep are counted on into the wake-up", |_| {
        depth(|before, after| {
            if after.deep && !before.deep {
                after.elapsed = before.elapsed + 1;
            }
        })
    }),
    golden_fault("sleep_depth", "cycles have four bits", |_| depth(|_, after| after.elapsed &= 0xf)),
    golden_fault("sleep_depth", "a deep wake-up takes a cycle less", |_| {
        depth(|before, after| {
            if after.deep && before.deep && after.elapsed == 2 {
                after.elapsed = 3;
            }
        })
    }),
    golden_fault("depth_registers", "the second threshold has 23 bits", |config| {
        registers(config, |_, after| after.values.deep_after &= 0x7f_ffff)
    }),
    golden_fault("depth_registers", "a second threshold of 0 is not taken", |config| {
        registers(config, |before, after| {
            if after.values.deep_after == 0 {
                after.values.deep_after = before.values.deep_after;
            }
        })
    }),
    golden_fault("depth_registers", "the time of a deep wake-up is not written", |config| {
        registers(config, |before, after| after.values.t_wake_deep = before.values.t_wake_deep)
    }),
    golden_fault("depths", "all ports are as deep as the first", |config| {
        depths(config, |_, after| {
            let first = after.depths[0].deep;
            after.depths.iter_mut().for_each(|depth| depth.deep = first);
        })
    }),
    golden_fault("depths", "a write of the second threshold brings all ports up", |config| {
        depths(config, |before, after| {
            if before.registers.values.deep_after != after.registers.values.deep_after {
                after.depths.iter_mut().for_each(|depth| depth.deep = false);
            }
        })
    }),
    golden_fault("depths", "POWAR does not know of a port that is held back", |config| {
        depths(config, |before, after| {
            for (fsm, depth) in after.powar.fsms.iter_mut().zip(&before.depths) {
                if depth.deep && fsm.awake() {
                    fsm.elapsed += 1;
                }
            }
        })
    }),
];
