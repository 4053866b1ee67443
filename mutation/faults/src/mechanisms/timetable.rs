//! Deliberate faults of the timetable, in the golden model and in the emitted Verilog.

use super::Entry;
use crate::golden::GoldenFault;
use crate::golden::mechanism::{wrong_outputs, wrong_registers};
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
    GoldenFault {
        name: "ports that drain are grantable",
        block: "timetable",
        build: |config| outputs(config, |_, outputs| outputs.grantable |= outputs.ready),
    },
    GoldenFault {
        name: "Draining is shown as On",
        block: "timetable",
        build: |config| {
            outputs(config, |_, outputs| {
                for phase in outputs.phase.iter_mut().filter(|phase| **phase == Phase::Draining as u8) {
                    *phase = Phase::On as u8;
                }
            })
        },
    },
    GoldenFault {
        name: "the timetable stands still",
        block: "timetable",
        build: |config| {
            registers(config, |before, after| {
                if after.on != before.on && after.count == 0 {
                    (after.on, after.count) = (before.on, before.count);
                }
            })
        },
    },
    GoldenFault {
        name: "ports are closed as long as they were open",
        block: "timetable",
        build: |config| registers(config, |_, after| after.registers.values.off_time = after.registers.values.on_time),
    },
    GoldenFault {
        name: "one port that drains keeps all awake",
        block: "timetable",
        build: |config| {
            registers(config, |before, after| {
                if before.asleep == 0 && after.asleep.count_ones() < 4 {
                    after.asleep = 0;
                }
            })
        },
    },
];

static VERILOG: &[&[VerilogFault]] = &[&[
    fault(
        "timetable",
        "a time ends a cycle late: > for >=",
        "if (elapsed >= {1'b0, period}) begin",
        "elapsed >= {1'b0, period}",
        "elapsed > {1'b0, period}",
    ),
    fault("timetable", "cycles count twice", "assign elapsed = {1'b0, count_q} + 25'd1;", "25'd1", "25'd2"),
    fault("timetable", "times have 8 bits", "count_d = elapsed[23:0];", "elapsed[23:0]", "{16'd0, elapsed[7:0]}"),
    fault(
        "timetable",
        "ports are closed as long as they are open",
        "assign period = on_q ? on_time_q : off_time_q;",
        "on_q ? on_time_q : off_time_q",
        "on_time_q",
    ),
    fault("timetable", "reference sleeps too", "assign open = on_q | ~policy_q;", "~policy_q", "1'b0"),
    fault(
        "timetable",
        "a packet that is given a port as it closes does not keep it",
        "& ~(held | given | departing)));",
        "given",
        "8'd0",
    ),
    fault(
        "timetable",
        "a flit that sets out does not keep its port",
        "& ~(held | given | departing)));",
        "departing",
        "8'd0",
    ),
    fault(
        "timetable",
        "a packet that holds a port does not keep it",
        "& ~(held | given | departing)));",
        "held",
        "8'd0",
    ),
    fault("timetable", "a port that sleeps wakes when it is in use", "(asleep_q | ({8{drained}}", "asleep_q", "8'd0"),
    fault("timetable", "ports that are closed are grantable", "assign grantable = {8{open}};", "{8{open}}", "ready"),
    fault(
        "timetable",
        "a port that is held is not grantable",
        "assign grantable = {8{open}};",
        "{8{open}}",
        "{8{open}} & ~held",
    ),
    fault("timetable", "a port that drains is not ready", "assign ready = {8{open}} | ~asleep_q;", "~asleep_q", "8'd0"),
    fault("timetable", "a port that drains is not steady", "assign steady = ready;", "ready", "{8{open}}"),
    fault("timetable", "Draining is shown as On", "phase[p*3 +: 3] = PHASE_DRAINING;", "PHASE_DRAINING", "PHASE_ON"),
    fault("timetable", "the policy is any bit", "policy_d = write_data[0];", "write_data[0]", "|write_data"),
    fault(
        "timetable",
        "off_time is odd",
        "off_time_d = write_data[23:0];",
        "write_data[23:0]",
        "{write_data[23:1], 1'b1}",
    ),
    fault("timetable", "off_time is read for on_time", "read_data = {8'd0, on_time_q};", "on_time_q", "off_time_q"),
    fault("timetable", "a reset leaves the ports closed", "on_q       <= 1'b1;", "1'b1", "on_q"),
    fault("timetable", "the count survives a reset", "count_q    <= 24'd0;", "24'd0", "count_q"),
    fault(
        "timetable",
        "ports sleep in the cycle in which they close",
        "assign drained = ~open & ~(|opened_q);",
        "~open & ~(|opened_q)",
        "~open",
    ),
    fault(
        "timetable",
        "ports are closed for one cycle before they sleep",
        "assign drained = ~open & ~(|opened_q);",
        "~(|opened_q)",
        "~opened_q[0]",
    ),
    fault(
        "timetable",
        "ports that were open count as such for ever",
        "assign opened_d = {opened_next[1], open};",
        "opened_next[1]",
        "|opened_q",
    ),
]];
