//! Faults of network interfaces.

use super::{VerilogFault, fault};

pub(super) const FAULTS: &[VerilogFault] = &[
    fault(
        "header_queue",
        "an entry is fetched twice",
        "assign wants = places_some & ~fetching_q & (~valid_q | take);",
        "~fetching_q",
        "1'b1",
    ),
    fault(
        "packet_queue",
        "a packet that is given up begins where it ended",
        "place_d = base_q;",
        "base_q",
        "next_place",
    ),
    fault("injection_queues", "the head flit is not counted", "assign length = beats_q + 10'd2;", "10'd2", "10'd1"),
    fault(
        "injection",
        "the bytes of the last beat stand too low",
        "((header_early_q >> 10) & BYTES_MASK)",
        "(header_early_q >> 10)",
        "(header_early_q >> 11)",
    ),
    fault("injection", "the hint is a cycle early", "assign out_hint_d = hint_early_q;", "hint_early_q", "hint"),
    fault(
        "reception",
        "a packet starts before it is complete",
        "assign starter_request = headers_valid & complete_q;",
        "headers_valid & complete_q",
        "headers_valid",
    ),
    fault(
        "reception",
        "the last beat is told a beat early",
        "m_axis_tlast_d = remaining_q == 10'd1;",
        "10'd1",
        "10'd2",
    ),
    fault(
        "reception",
        "credits come back a cycle early",
        "assign in_credit_valid = in_credit_valid_q;",
        "in_credit_valid_q",
        "any_read",
    ),
    fault(
        "network_interface",
        "packets sent are flits sent",
        "injection_busy, any_start};",
        "any_start",
        "injection_busy",
    ),
    fault(
        "network_interface",
        "the source is the destination",
        ".source           (address),",
        "address",
        "s_axis_tdest",
    ),
    fault(
        "link_stage",
        "words of a flit are turned round",
        "flit_d = {flit_q[191:64], in_flit};",
        "in_flit",
        "{in_flit[31:0], in_flit[63:32]}",
    ),
];
