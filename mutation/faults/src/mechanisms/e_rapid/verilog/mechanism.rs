//! Faults of the mechanism as a whole and of its registers in the emitted Verilog.

use super::fault;
use crate::verilog::VerilogFault;

pub(super) const FAULTS: &[VerilogFault] = &[
    fault(
        "e_rapid",
        "boards are counted the other way round",
        "(owner - place + 4'd3)",
        "owner - place + 4'd3",
        "place - owner",
    ),
    fault(
        "e_rapid",
        "a board with wavelengths claims more",
        "word_claims = ~has_any[0] & (wavelength == 3'd2);",
        "~has_any[0]",
        "1'b1",
    ),
    fault(
        "e_rapid",
        "any wavelength is claimed",
        "word_claims = ~has_any[1] & (wavelength == 3'd1);",
        "(wavelength == 3'd1)",
        "1'b1",
    ),
    fault(
        "e_rapid",
        "a link that has much to carry does not serve",
        "assign serves = {link_open, 3'd7};",
        "link_open",
        "link_grantable",
    ),
    fault(
        "e_rapid",
        "changes of level are no wake-ups",
        "assign waking = {link_coming_on, 3'd0};",
        "link_coming_on",
        "link_coming_on & ~link_holds",
    ),
    fault(
        "e_rapid_control_registers",
        "errors are read for losses",
        "read_data = {16'd0, lost_messages};",
        "lost_messages",
        "ring_errors",
    ),
];
