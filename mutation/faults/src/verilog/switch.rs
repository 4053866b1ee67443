//! Faults of the wiring of the whole switch.

use super::{VerilogFault, fault_at};
use powar_testbenches::test_switches::TestSwitch::SmallTree;

const fn wire(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(SmallTree, "powar_switch", name, find, right, wrong)
}

pub(super) const FAULTS: &[VerilogFault] = &[
    wire(
        "the route registers see every head register as full",
        ".head_valid            (input_port_head_valid[i]),",
        "input_port_head_valid[i]",
        "1'b1",
    ),
    wire(
        "no packet is malformed",
        ".malformed             (input_port_malformed[i]),",
        "input_port_malformed[i]",
        "1'b0",
    ),
    wire(
        "what is open is by port where it should be by VC",
        "allocator_open[w*4 + p] = output_port_open[p*2 + w];",
        "output_port_open[p*2 + w]",
        "output_port_open[w*4 + p]",
    ),
    wire(
        "the route of a packet stays for a cycle after its grant",
        ".accept                (allocator_accept[i]),",
        "allocator_accept[i]",
        "1'b0",
    ),
    wire("every destination exists", ".routable              (routing_routable[i]),", "routing_routable[i]", "1'b1"),
    wire(
        "the port that a packet is granted is that of the next input port",
        ".grant            (allocator_grant[i*4 +: 4]),",
        "i*4",
        "((i + 1) % 4)*4",
    ),
    wire(
        "writes reach the power manager at the address that is read",
        ".write_address (bus_write_address),\n        .write_data    (bus_write_data),\n        .read_request  (bus_read_request),\n        .read_address  (bus_read_address),\n        .held",
        "(bus_write_address)",
        "(bus_read_address[9:0])",
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
        "input ports see which ports are held, not ready",
        ".ready            (ready),\n                .steady",
        "(ready)",
        "(held)",
    ),
    wire(
        "every VC has the way of VC 0",
        ".destination       (input_port_destination[i*16 +: 16]),",
        "input_port_destination[i*16 +: 16]",
        "input_port_destination[i/2*32 +: 16]",
    ),
    wire(
        "no write reaches the power manager",
        ".error         (power_error),\n        .write_enable  (bus_write_enable),",
        "(bus_write_enable)",
        "(1'b0)",
    ),
    wire(
        "the credit errors are those of the next port",
        "power_error[p*5 + 4] = output_port_credit_error[p];",
        "output_port_credit_error[p]",
        "output_port_credit_error[(p + 1) % 4]",
    ),
    wire(
        "framing errors are counted as overflow errors",
        "{input_port_closed_link_flit[p], input_port_overflow_error[p], input_port_framing_error[p], input_port_dropped_packet[p]}",
        "input_port_overflow_error[p]",
        "input_port_framing_error[p]",
    ),
    wire(
        "a read is answered before the power manager has the word",
        ".read_done     (power_read_done),\n        .read_data     (power_read_data),\n        .s_axi_awready",
        "(power_read_done)",
        "(bus_read_request)",
    ),
    wire(
        "the power manager is asked only once it has answered",
        ".read_request  (bus_read_request),\n        .read_address  (bus_read_address),\n        .held",
        "(bus_read_request)",
        "(bus_read_request & power_read_done)",
    ),
    wire(
        "software reads what is written",
        ".read_data     (power_read_data),\n        .s_axi_awready",
        "(power_read_data)",
        "(bus_write_data)",
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
    wire(
        "credits come from the next port",
        ".out_credit_valid (out_credit_valid[i]),",
        "out_credit_valid[i]",
        "out_credit_valid[(i + 1) % 4]",
    ),
    wire(
        "the allocator sees every port as preferred",
        ".preferred         (output_port_prefer),",
        "(output_port_prefer)",
        "(4'hf)",
    ),
    wire("the allowed VCs are those of another port", "allocator_allowed[i*2 +: 2]", "i*2", "(3 - i)*2"),
    wire(
        "an output port sees flits of the cycle before the crossbar's",
        ".valid            (crossbar_valid[i]),",
        "crossbar_valid[i]",
        "crossbar_departing[i]",
    ),
    wire("output ports see ready ports as grantable", ".grantable        (grantable[i]),", "grantable[i]", "ready[i]"),
    wire(
        "the allocator sees held ports as ready",
        ".held              (held),\n        .ready             (ready),",
        "(ready)",
        "(held)",
    ),
    wire(
        "the phase of the other end is that of port 0",
        ".in_phase         (in_phase[i*3 +: 3]),",
        "in_phase[i*3 +: 3]",
        "in_phase[2:0]",
    ),
    wire(
        "the closed links are not counted",
        "{input_port_closed_link_flit[p], input_port_overflow_error[p], input_port_framing_error[p], input_port_dropped_packet[p]}",
        "input_port_closed_link_flit[p]",
        "1'b0",
    ),
    wire(
        "a tail releases the port that the next packet has been given",
        "assign power_released = crossbar_released & ~allocator_granted;",
        "~allocator_granted",
        "4'hf",
    ),
    wire(
        "a port in the cycle of a grant counts as released",
        "assign power_released = crossbar_released & ~allocator_granted;",
        "crossbar_released & ~allocator_granted",
        "crossbar_released | allocator_granted",
    ),
    wire(
        "output ports see free ports only once they are so",
        ".free_next        (power_free_next[i]),",
        "power_free_next[i]",
        "~held[i]",
    ),
    wire(
        "the VC is chosen when the port is given",
        ".granted          (allocator_granted[i]),",
        "allocator_granted[i]",
        "allocator_given[i]",
    ),
    wire(
        "every pick of an input port is granted a ready port",
        ".grant_ready      (allocator_grant_ready[i]),",
        "allocator_grant_ready[i]",
        "1'b1",
    ),
    wire(
        "a granted port is never steady at first",
        ".grant_steady     (allocator_grant_steady[i]),",
        "allocator_grant_steady[i]",
        "1'b0",
    ),
    wire(
        "the allocator takes held ports for steady",
        ".steady            (power_steady),\n        .preferred",
        "(power_steady)",
        "(held)",
    ),
    wire(
        "preferred ports are told to the allocator at once",
        ".preferred        (preferred[i]),",
        "preferred[i]",
        "1'b1",
    ),
    wire("no packet is dropped", ".drop              (route_drop),", "route_drop", "8'd0"),
    wire("the hint on the link is always 1", ".hint             (power_hint[i]),", "power_hint[i]", "1'b1"),
];
