//! Deliberate faults of the thresholds that ports choose, in the golden model.

use super::Entry;
use crate::golden::mechanism::wrong_registers;
use crate::golden::{GoldenFault, golden_fault, spoilt};
use powar_config::mechanism::perf_bound::PerfBoundValues;
use powar_config::{Config, CycleModel};
use powar_golden::reference::mechanisms::perf_bound::{
    BoundRegisters, GapHistogram, IdleThreshold, PerfBound, WindowSearch,
};

/// The line in the list of mechanisms.
pub(super) static ENTRY: Entry = Entry { golden: GOLDEN, verilog: &[] };

fn gaps(spoil: fn(&GapHistogram, &mut GapHistogram)) -> Box<dyn CycleModel + Send> {
    spoilt(GapHistogram::new(), spoil)
}

fn threshold(spoil: fn(&IdleThreshold, &mut IdleThreshold)) -> Box<dyn CycleModel + Send> {
    spoilt(IdleThreshold::new(), spoil)
}

fn search(spoil: fn(&WindowSearch, &mut WindowSearch)) -> Box<dyn CycleModel + Send> {
    spoilt(WindowSearch::new(), spoil)
}

fn registers(config: &Config, spoil: fn(&BoundRegisters, &mut BoundRegisters)) -> Box<dyn CycleModel + Send> {
    spoilt(BoundRegisters::new(PerfBoundValues::of(config)), spoil)
}

fn perf_bound(config: &Config, spoil: fn(&PerfBound, &mut PerfBound)) -> Box<dyn CycleModel + Send> {
    wrong_registers(config, PerfBound::new(config), spoil)
}

const GOLDEN: &[GoldenFault] = &[
    golden_fault("gap_histogram", "a gap has four bits", |_| gaps(|_, after| after.gap &= 0xf)),
    golden_fault("gap_histogram", "gaps of 2^4 cycles are not counted", |_| {
        gaps(|before, after| after.counts[4] = after.counts[4].min(before.counts[4]))
    }),
    golden_fault("gap_histogram", "a counter that is looked at goes on", |_| {
        gaps(|before, after| {
            for (was, is) in before.counts.iter().zip(&mut after.counts) {
                *is = (*is).max(*was);
            }
        })
    }),
    golden_fault("gap_histogram", "what the cycle of a look counts is lost", |_| {
        gaps(|before, after| {
            for (was, is) in before.counts.iter().zip(&mut after.counts) {
                if *is < *was {
                    *is = 0;
                }
            }
        })
    }),
    golden_fault("gap_histogram", "counters wrap at 128", |_| {
        gaps(|_, after| after.counts.iter_mut().for_each(|count| *count &= 0x7f))
    }),
    golden_fault("idle_threshold", "a threshold is never longer than it was", |_| {
        threshold(|before, after| after.threshold = after.threshold.min(before.threshold))
    }),
    golden_fault("idle_threshold", "a search goes on behind what it has found", |_| {
        threshold(|before, after| after.seeks |= before.threshold != after.threshold)
    }),
    golden_fault("idle_threshold", "the shortest threshold is 2", |_| {
        threshold(|_, after| after.threshold = after.threshold.max(2))
    }),
    golden_fault("window_search", "windows are a cycle longer", |_| {
        search(|before, after| {
            if after.count == 0 && before.count != 0 && before.look != 1 {
                (after.count, after.look) = (before.count, 2 * before.look % (1 << 24));
            }
        })
    }),
    golden_fault("window_search", "the longest threshold is not looked at", |_| {
        search(|_, after| after.look &= 0x7f_ffff)
    }),
    golden_fault("bound_registers", "the period has 23 bits", |config| {
        registers(config, |_, after| after.values.period &= 0x7f_ffff)
    }),
    golden_fault("bound_registers", "`allowed` is never less than it was", |config| {
        registers(config, |before, after| after.values.allowed = after.values.allowed.max(before.values.allowed))
    }),
    golden_fault("perf_bound", "all ports have the threshold of the first", |config| {
        perf_bound(config, |_, after| {
            let first = after.thresholds[0].threshold;
            after.thresholds.iter_mut().for_each(|of| of.threshold = first);
        })
    }),
    golden_fault("perf_bound", "POWAR does not know of thresholds", |config| {
        perf_bound(config, |_, after| after.thresholds.iter_mut().for_each(|of| of.threshold = 1))
    }),
    golden_fault("perf_bound", "a port that is given goes on with its gap", |config| {
        perf_bound(config, |before, after| {
            for (was, is) in before.gaps.iter().zip(&mut after.gaps) {
                if is.gap == 0 && was.gap == 9 {
                    is.gap = 10;
                }
            }
        })
    }),
    golden_fault("perf_bound", "a write of the period begins a window", |config| {
        perf_bound(config, |before, after| {
            if before.registers.values.period != after.registers.values.period {
                after.timer.count = 0;
            }
        })
    }),
];
