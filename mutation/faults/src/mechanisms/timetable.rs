//! Deliberate faults of the timetable, in the golden model and in the emitted Verilog.

use super::Entry;
use crate::golden::mechanism::{wrong_outputs, wrong_registers};
use crate::golden::{GoldenFault, golden_fault};
use crate::verilog::{VerilogFault, fault};
use powar_config::{Config, CycleModel, Phase};
use powar_golden::reference::mechanisms::timetable::Timetable;
use powar_golden::reference::power::mechanism::MechanismOutputs;

/// The line in the list of mechanisms.
pub(super) static ENTRY: Entry = Entry { golden: GOLDEN, verilog: VERILOG };

fn outputs(config: &Config, spoil: fn(&Timetable, &mut MechanismOutputs)) -> Box<dyn CycleModel + Send> {
    wrong_outputs(config, Timetable::new(config), spoil)
}

fn registers(config: &Config, spoil: fn(&Timetable, &mut Timetable)) -> Box<dyn CycleModel + Send> {
    wrong_registers(config, Timetable::new(config), spoil)
}

const GOLDEN: &[GoldenFault] = &[
    golden_fault("timetable", "ports that drain are grantable", |config| {
        outputs(config, |_, outputs| outputs.grantable |= outputs.ready)
    }),
    golden_fault("timetable", "Draining is shown as On", |config| {
        outputs(config, |_, outputs| {
            for phase in outputs.phase.iter_mut().filter(|phase| **phase == Phase::Draining as u8) {
                *phase = Phase::On as u8;
            }
        })
    }),
    golden_fault("timetable", "the timetable stands still", |config| {
        registers(config, |before, after| {
            if after.on != before.on && after.count == 0 {
                (after.on, after.count) = (before.on, before.count);
            }
        })
    }),
    golden_fault("timetable", "ports are closed as long as they were open", |config| {
        registers(config, |_, after| after.registers.values.off_time = after.registers.values.on_time)
    }),
    golden_fault("timetable", "one port that drains keeps all awake", |config| {
        registers(config, |before, after| {
            if before.asleep == 0 && after.asleep.count_ones() < 4 {
                after.asleep = 0;
            }
        })
    }),
];

static VERILOG: &[&[VerilogFault]] =
    &[&[fault("timetable", "a port that drains is not steady", "assign steady = ready;", "ready", "{8{open}}")]];
