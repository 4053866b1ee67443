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
        "T_r is taken for T_q",
        ".t_quiet          (bus_t_quiet),\n        .t_refresh        (bus_t_refresh),",
        "(bus_t_quiet)",
        "(bus_t_refresh)",
    ),
    wire(
        "the power manager counts flits on the link",
        ".flit_valid       (crossbar_departing),",
        "crossbar_departing",
        "crossbar_valid",
    ),
    wire(
        "a port is free when its last flit is on the link",
        ".released         (crossbar_released),",
        "crossbar_released",
        "(crossbar_departing & ~crossbar_valid)",
    ),
    wire(
        "input ports see which ports are held, not awake",
        ".awake               (awake),\n                .routable",
        "(awake)",
        "(busy)",
    ),
    wire(
        "every VC has the way of VC 0",
        ".destination       (input_port_destination[i*16 +: 16]),",
        "input_port_destination[i*16 +: 16]",
        "input_port_destination[i/2*32 +: 16]",
    ),
    wire(
        "the error counters are never cleared",
        ".clear               (bus_clear_statistics),",
        "bus_clear_statistics",
        "1'b0",
    ),
    wire(
        "the credit errors are never cleared",
        ".clear            (bus_clear_statistics),",
        "bus_clear_statistics",
        "1'b0",
    ),
    wire(
        "framing errors are read as overflow errors",
        ".overflow_errors     (input_port_overflow_errors),\n        .sleeping_link_flits",
        "input_port_overflow_errors",
        "input_port_framing_errors",
    ),
    wire(
        "software reads selectable for awake",
        ".awake               (awake),\n        .selectable          (selectable),\n        .s_axi",
        "(awake)",
        "(selectable)",
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
    wire("input ports are always ready", ".ready             (input_port_ready),", "input_port_ready", "4'hf"),
    wire(
        "the power state on the link is that of port 0",
        ".power_state      (power_power_state[i*2 +: 2]),",
        "power_power_state[i*2 +: 2]",
        "power_power_state[1:0]",
    ),
    wire(
        "credits come from the next port",
        ".out_credit_valid (out_credit_valid[i]),",
        "out_credit_valid[i]",
        "out_credit_valid[(i + 1) % 4]",
    ),
    wire(
        "the policy of the allocator is fixed",
        "allocator allocator (\n        .clk               (clk),\n        .rst               (rst),\n        .policy            (bus_policy),",
        "bus_policy",
        "2'd3",
    ),
    wire("the allowed VCs are those of another port", "allocator_allowed[i*2 +: 2]", "i*2", "(3 - i)*2"),
    wire(
        "credits are counted when the flit comes out",
        ".departing_vc     (crossbar_departing_vc[i*2 +: 2]),",
        "crossbar_departing_vc[i*2 +: 2]",
        "crossbar_vc[i*2 +: 2]",
    ),
];
