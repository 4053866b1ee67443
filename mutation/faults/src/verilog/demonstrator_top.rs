//! Faults of the wiring of a whole demonstrator: of three nodes at a star, and of what is there at the switches of other networks alone.

use super::{VerilogFault, fault_at};
use powar_testbenches::test_switches::TestSwitch;
use powar_testbenches::twins::DEMONSTRATOR;

const fn top(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(TestSwitch::Demonstrator, DEMONSTRATOR, name, find, right, wrong)
}

pub(super) const FAULTS: &[VerilogFault] = &[
    top(
        "no error comes from the switch",
        "assign decoder_m_axi_bresp = {registers_s_axi_bresp, network_s_axi_bresp};",
        "network_s_axi_bresp",
        "2'd0",
    ),
    top("two checkers have each other's number", "assign packet_checker_node = 18'd8256;", "18'd8256", "18'd4224"),
];
