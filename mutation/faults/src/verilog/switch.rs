//! Faults of the wiring of the whole switch.

use super::{VerilogFault, fault_at};
use powar_testbenches::test_switches::TestSwitch::SmallTree;

const fn wire(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(SmallTree, "powar_switch", name, find, right, wrong)
}

pub(super) const FAULTS: &[VerilogFault] = &[
    wire(
        "what is open is by port where it should be by VC",
        "allocator_open[w*4 + p] = output_port_open[p*2 + w];",
        "output_port_open[p*2 + w]",
        "output_port_open[w*4 + p]",
    ),
    wire(
        "the port that a packet is granted is that of the next input port",
        ".grant            (allocator_grant[i*4 +: 4]),",
        "i*4",
        "((i + 1) % 4)*4",
    ),
    wire(
        "the power manager counts flits on the link",
        ".departing     (crossbar_departing),",
        "crossbar_departing",
        "crossbar_valid",
    ),
    wire(
        "a port is free when its last flit is at the crossbar",
        ".released      (power_released),",
        "power_released",
        "(crossbar_departing & ~crossbar_valid)",
    ),
    wire(
        "every VC has the way of VC 0",
        ".destination       (input_port_destination[i*16 +: 16]),",
        "input_port_destination[i*16 +: 16]",
        "input_port_destination[i/2*32 +: 16]",
    ),
    wire(
        "the VCs of P are taken for those of D",
        ".new_deterministic_vcs (routing_deterministic_vcs[i*2 +: 2]),",
        "routing_deterministic_vcs[i*2 +: 2]",
        "routing_adaptive_vcs[i*2 +: 2]",
    ),
    wire(
        "a head packet is taken at any time",
        ".can_take          (input_port_can_take),",
        "input_port_can_take",
        "{8{1'b1}}",
    ),
    wire("input ports can always read", ".can_read          (input_port_can_read),", "input_port_can_read", "4'hf"),
    wire(
        "the phase on the link is that of port 0",
        ".phase            (phase[i*3 +: 3]),",
        "phase[i*3 +: 3]",
        "phase[2:0]",
    ),
    wire("the allowed VCs are those of another port", "allocator_allowed[i*2 +: 2]", "i*2", "(3 - i)*2"),
    wire(
        "the phase of the other end is that of port 0",
        ".in_phase         (in_phase[i*3 +: 3]),",
        "in_phase[i*3 +: 3]",
        "in_phase[2:0]",
    ),
    wire("no packet is dropped", ".drop              (route_drop),", "route_drop", "8'd0"),
];
