//! Faults of the power manager, and of blocks that mechanisms are built from.

use super::{VerilogFault, fault};

const fn manager(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault("power_manager", name, find, right, wrong)
}

pub(super) const FAULTS: &[VerilogFault] = &[
    fault("flit_counter", "the last port is left out", "for (i = 0; i < 4; i = i + 1)", "i < 4", "i < 3"),
    fault(
        "held_ports",
        "every flit frees its port",
        "& ~(departing & released));",
        "departing & released",
        "departing",
    ),
    manager("words come a cycle early", "assign read_data = read_data_q;", "read_data_q", "read_data_d"),
    manager("the phases overlap in the status", ", phase[p*3 +: 3]};", "p*3", "p*2"),
    manager(
        "the status is mixed into a counter",
        "port_word = counters_word;",
        "counters_word",
        "counters_word | status",
    ),
    manager("the errors of two ports are mixed up", ".error      (error[i*5 +: 5]),", "i*5", "(i ^ 1)*5"),
    manager("every port counts the phase of port 0", ".phase      (phase[i*3 +: 3]),", "i*3", "0"),
];
