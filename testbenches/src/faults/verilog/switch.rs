//! Faults of the wiring of the whole switch.

use super::{VerilogFault, fault_at};
use crate::faults::Network::SmallTree;

const fn wire(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(SmallTree, "powar_switch", name, find, right, wrong)
}

pub(super) const FAULTS: &[VerilogFault] = &[
    wire(
        "the sets of an empty head register are used",
        "routing_adaptive[(i*2 + v)*4 +: 4] & {4{input_port_present[i*2 + v]}}",
        "input_port_present[i*2 + v]",
        "1'b1",
    ),
    wire(
        "a packet to be dropped has a deterministic port",
        "routing_deterministic[(i*2 + v)*4 +: 4] & {4{input_port_present[i*2 + v]}}",
        "input_port_present[i*2 + v]",
        "(input_port_present[i*2 + v] | input_port_drop[i*2 + v])",
    ),
    wire(
        "room is by port where it should be by VC",
        "allocator_room[w*4 + p] = output_port_room[p*2 + w];",
        "output_port_room[p*2 + w]",
        "output_port_room[w*4 + p]",
    ),
    wire(
        "the output VC is by port where it should be by VC",
        "given_vc[w*4 + p] = output_port_given_vc[p*2 + w];",
        "output_port_given_vc[p*2 + w]",
        "output_port_given_vc[w*4 + p]",
    ),
    wire(
        "the output VC is that of any port",
        "grant_vc[i*2 + w] = |(won[i*4 +: 4] & given_vc[w*4 +: 4]);",
        "won[i*4 +: 4] & given_vc[w*4 +: 4]",
        "given_vc[w*4 +: 4]",
    ),
    wire("the ports a packet may have are those of VC 0", "allocator_grant[(i*2 + v)*4 +: 4];", "i*2 + v", "i*2"),
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
        "a port is free when its last flit is on the link",
        ".released      (crossbar_released),",
        "crossbar_released",
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
        ".deterministic_vcs (routing_deterministic_vcs),\n        .drop",
        "routing_deterministic_vcs",
        "routing_adaptive_vcs",
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
        ".preferred         (preferred),\n        .ready             (ready),\n        .grant ",
        "(preferred)",
        "(4'hf)",
    ),
    wire("the allowed VCs are those of another port", "allocator_allowed[i*2 +: 2]", "i*2", "(3 - i)*2"),
    wire(
        "credits are counted when the flit comes out",
        ".departing_vc     (crossbar_departing_vc[i*2 +: 2]),",
        "crossbar_departing_vc[i*2 +: 2]",
        "crossbar_vc[i*2 +: 2]",
    ),
    wire(
        "the allocator sees ready ports as grantable",
        ".grantable         (grantable),\n        .preferred         (preferred),\n        .ready             (ready),\n        .grant ",
        "(grantable)",
        "(ready & ~held)",
    ),
    wire("the allocator sees held ports as ready", ".ready             (ready),\n        .grant ", "(ready)", "(held)"),
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
];
