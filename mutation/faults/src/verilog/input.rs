//! Faults of an input port: its queues, and which of its virtual channels is read.

use super::{VerilogFault, fault, fault_at};
use powar_testbenches::test_switches::TestSwitch::LeastOccupied;

/// A fault that shows where the routing sees the header.
const fn header(
    block: &'static str,
    name: &'static str,
    find: &'static str,
    right: &'static str,
    wrong: &'static str,
) -> VerilogFault {
    fault_at(LeastOccupied, block, name, find, right, wrong)
}

pub(super) const FAULTS: &[VerilogFault] = &[
    header(
        "input_port",
        "the header memory has no user's bits",
        "header_memory_mem[header_memory_write_address] <= entry;",
        "entry",
        "{entry[32], 6'd0, entry[25:0]}",
    ),
    fault(
        "input_port",
        "the words come a cycle early",
        "<= flit_memory_mem_fetched;",
        "flit_memory_mem_fetched",
        "flit_memory_mem[flit_from]",
    ),
];
