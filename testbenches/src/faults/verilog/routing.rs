//! Faults of the routing units.

use super::{VerilogFault, fault, fault_at};
use crate::faults::Network::{Star, Torus};

const fn star(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(Star, "star_routing", name, find, right, wrong)
}

const fn torus(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(Torus, "torus_routing", name, find, right, wrong)
}

const fn tree(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault("fat_tree_routing", name, find, right, wrong)
}

pub(super) const FAULTS: &[VerilogFault] = &[
    star(
        "the node after the last exists",
        "assign routable = destination < NODES;",
        "destination < NODES",
        "destination <= NODES",
    ),
    star(
        "high bits of the destination do not matter",
        "assign routable = destination < NODES;",
        "destination < NODES",
        "{12'd0, destination[3:0]} < NODES",
    ),
    star(
        "an unknown node has a port",
        "assign deterministic = 12'd1 << destination;",
        "destination",
        "destination[3:0]",
    ),
    star("an unknown node has a VC", "assign deterministic_vcs = {4{routable}} &", "{4{routable}}", "4'hf"),
    star("the VC is the high digit", "(4'd1 << (destination & VC_MASK))", "destination & VC_MASK", "destination >> 2"),
    star("P is D", "assign adaptive = 12'd0;", "12'd0", "deterministic"),
    tree("the digit of the own stage must agree", "if ((stage < j[3:0]) & (", "stage < j[3:0]", "stage <= j[3:0]"),
    tree(
        "bits above the digits do not matter",
        "routable = (destination & ABOVE) == 16'd0;",
        "(destination & ABOVE) == 16'd0",
        "1'b1",
    ),
    tree("the port down is the switch's own digit", "branch = to[j*6 +: 6];", "to[j*6 +: 6]", "from[j*6 +: 6]"),
    tree("a digit takes a bit of the next", "to[j*6 +: 6] = wide_destination[j*2 +: 6] & DIGIT;", "DIGIT", "6'd7"),
    tree("unknown nodes are up", "assign up = routable & ~below;", "routable & ~below", "~below"),
    tree("the root is folded", "assign either = routable & below & FOLDED &", "FOLDED", "1'b1"),
    tree(
        "the VC is that of the branch",
        "assign vc = 4'd1 << (destination & VC_MASK);",
        "destination & VC_MASK",
        "branch",
    ),
    tree("a VC of D without D", "assign deterministic_vcs = {4{down}} &", "{4{down}}", "{4{routable}}"),
    torus(
        "the classes of the dateline are swapped",
        "assign crosses = |(first & wraps);",
        "|(first & wraps)",
        "~|(first & wraps)",
    ),
    torus(
        "the class is that of any dimension",
        "assign crosses = |(first & wraps);",
        "first & wraps",
        "differs & wraps",
    ),
    torus(
        "half-way round, minus is not productive",
        "(down[i*9 +: 9] <= up[i*9 +: 9])",
        "down[i*9 +: 9] <= up[i*9 +: 9]",
        "down[i*9 +: 9] < up[i*9 +: 9]",
    ),
    torus(
        "half-way round, plus is not productive",
        "(up[i*9 +: 9] <= down[i*9 +: 9])",
        "up[i*9 +: 9] <= down[i*9 +: 9]",
        "up[i*9 +: 9] < down[i*9 +: 9]",
    ),
    torus(
        "the dateline is taken the wrong way round",
        "(productive[i*2] & (to[i*9 +: 9] < from[i*9 +: 9]))",
        "to[i*9 +: 9] < from[i*9 +: 9]",
        "to[i*9 +: 9] > from[i*9 +: 9]",
    ),
    torus("every dimension is the first", "first[i] = differs[i] & ~away;", "differs[i] & ~away", "differs[i]"),
    torus("a ring of 3 is one of 4", "up[17:9] = up[17:9] + 9'd3;", "9'd3", "9'd4"),
    torus("a digit may be its base", "(to[17:9] < 9'd3)", "to[17:9] < 9'd3", "to[17:9] <= 9'd3"),
    torus("escape VCs are adaptive", "assign adaptive_vcs[3:2] = 2'd0;", "2'd0", "{2{routable & away}}"),
    torus(
        "adaptive VCs do not lead to the node",
        "assign deterministic_vcs[1:0] = {2{routable & ~away}};",
        "{2{routable & ~away}}",
        "2'd0",
    ),
    torus(
        "P has one link of a trunk",
        "{2{routable & productive[g]}}",
        "{2{routable & productive[g]}}",
        "{1'b0, routable & productive[g]}",
    ),
    torus(
        "half-way round, both directions are in D",
        "escape[i*2 + 1] = first[i] & ~productive[i*2];",
        "~productive[i*2]",
        "productive[i*2 + 1]",
    ),
];
