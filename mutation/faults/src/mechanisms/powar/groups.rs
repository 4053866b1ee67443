//! Faults of the blocks that manage which ports are selectable, in the emitted Verilog.

use crate::verilog::{VerilogFault, fault};

pub(super) const FAULTS: &[VerilogFault] = &[
    fault("port_group", "T_on and T_off are swapped", ".on_flits     (on_flits),", "(on_flits)", "(off_flits)"),
    fault(
        "port_group",
        "the thresholds are for all ports of the group",
        ".n_selectable (selectable_ports_n_selectable),\n        .on_flits",
        "selectable_ports_n_selectable",
        "7'd4",
    ),
];
