//! Faults of the group of links in the emitted Verilog.

use crate::verilog::{VerilogFault, fault};

pub(super) const FAULTS: &[VerilogFault] = &[
    fault("link_group", "a start does not mind the neighbours", "first = on;", "on", "4'd0"),
    fault(
        "link_group",
        "the dynamic threshold is a share of U_off",
        "off_threshold = on_flits;",
        "on_flits",
        "off_flits",
    ),
    fault("link_group", "a constant threshold is U_on", "off_threshold = off_flits;", "off_flits", "on_flits"),
    fault(
        "link_group",
        "the highest bit of the number of links is lost",
        "for (b = 0; b < 6; b = b + 1)",
        "b < 6",
        "b < 2",
    ),
];
