//! Faults of Alonso's mechanism as a whole in the emitted Verilog, at a switch of a tree.

use crate::verilog::{VerilogFault, fault, fault_at};
use powar_testbenches::test_switches::TestSwitch::{SmallTree, Torus};

pub(super) const FAULTS: &[VerilogFault] = &[
    fault("alonso", "down-ports go off at once", "end else if (all_near_off) begin", "all_near_off", "1'b1"),
    fault("alonso", "hints do not count", "assign hinted = waiting &", "waiting", "1'b0"),
    fault(
        "alonso",
        "links do not follow those below",
        "neighbour_on = {4{outside}} & near_on[3:0] & ~was_on_q[3:0];",
        "near_on[3:0] & ~was_on_q[3:0]",
        "4'd0",
    ),
    fault("alonso", "only ready ports are to be counted on", "assign serves = active;", "active", "active & ready"),
    fault("alonso", "a port that drains is not steady", "assign steady = ready;", "ready", "ready & active"),
    fault(
        "alonso",
        "turn_on and turn_off are swapped",
        ".turn_on   (registers_turn_on),",
        "registers_turn_on",
        "registers_turn_off",
    ),
    fault(
        "alonso",
        "the timer takes half the period",
        ".period (registers_check_period),",
        "registers_check_period",
        "(registers_check_period >> 1)",
    ),
    fault_at(
        SmallTree,
        "alonso",
        "links do not follow those below",
        "neighbour_on = {2{outside}} & near_on[1:0] & ~was_on_q[1:0];",
        "near_on[1:0] & ~was_on_q[1:0]",
        "2'd0",
    ),
    fault_at(SmallTree, "alonso", "hints do not count", "assign hinted = waiting &", "waiting", "1'b0"),
    fault_at(
        Torus,
        "alonso",
        "a trunk counts the flits of the next",
        ".flit          (departing[i*2 +: 2]),",
        "i*2",
        "((i + 1) % 5)*2",
    ),
];
