//! Faults of the routings when links are off.

use super::{VerilogFault, fault_at};
use crate::faults::Network::{RingStreets, Stairs, Streets};

/// Of `grid_ways` in a torus with two nodes a switch.
const fn ring(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(Stairs, "grid_ways", name, find, right, wrong)
}

/// Of the same in a mesh.
const fn grid(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(Streets, "grid_ways", name, find, right, wrong)
}

const fn stairs(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(Stairs, "staircase_escape_routing", name, find, right, wrong)
}

const fn streets(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(Streets, "alternating_escape_routing", name, find, right, wrong)
}

const fn round(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(RingStreets, "alternating_escape_routing", name, find, right, wrong)
}

pub const FAULTS: &[VerilogFault] = &[
    ring("there is one node only", "(node < 9'd2)", "9'd2", "9'd1"),
    ring(
        "the node is a bit of x",
        "assign node = wide_destination[8:0] & 9'd1;",
        "wide_destination[8:0]",
        "wide_destination[9:1]",
    ),
    ring("there is a sixth column", "(to[8:0] < 9'd5)", "to[8:0] < 9'd5", "to[8:0] <= 9'd5"),
    ring(
        "bits above the digits do not matter",
        "(destination & ABOVE) == 16'd0",
        "destination & ABOVE",
        "destination & 16'd0",
    ),
    ring(
        "y takes the highest bit of x",
        "assign from[17:9] = wide_position[12:4] & 9'd3;",
        "wide_position[12:4]",
        "wide_position[11:3]",
    ),
    ring("the way up is not counted round", "            up[8:0] = up[8:0] + 9'd5;", "up[8:0] + 9'd5", "up[8:0]"),
    ring(
        "the way down is a ring of five in a ring of four",
        "            down[17:9] = down[17:9] + 9'd4;",
        "9'd4",
        "9'd5",
    ),
    ring(
        "half way round there is one direction only",
        "nearer[i*2] = (|up[i*9 +: 9]) & (up[i*9 +: 9] <= down[i*9 +: 9]);",
        "up[i*9 +: 9] <= down[i*9 +: 9]",
        "up[i*9 +: 9] < down[i*9 +: 9]",
    ),
    ring("where nothing is left to go down is nearer", "nearer[i*2 + 1] = (|up[i*9 +: 9]) &", "|up[i*9 +: 9]", "1'b1"),
    ring(
        "a hop between two that are equally far is none too many",
        "(up[i*9 +: 9] <= (down[i*9 +: 9] + 9'd1));",
        "down[i*9 +: 9] + 9'd1",
        "down[i*9 +: 9]",
    ),
    ring("any hop that was down is too many", "level[i*2] = (|up[i*9 +: 9]) & (up", "|up[i*9 +: 9]", "1'b1"),
    ring(
        "the destination's port is that of the other node",
        "assign own[5:4] = {2{routable & ~differs}} & (2'd1 << node);",
        "2'd1 << node",
        "2'd2 >> node",
    ),
    grid("ports that do not serve are open", "assign open = cable & serves[3:0] &", "serves[3:0]", "4'hf"),
    grid("ports without a cable are open", "assign open = cable & serves[3:0] &", "cable", "4'hf"),
    grid("packets turn back", "serves[3:0] & ~(4'd1 << input_port);", "~(4'd1 << input_port)", "4'hf"),
    grid("the last row has a cable upwards", "cable[2] = from[17:9] != 9'd4;", "9'd4", "9'd5"),
    grid(
        "column 0 has a cable downwards",
        "cable[i*2 + 1] = from[i*9 +: 9] != 9'd0;",
        "from[i*9 +: 9] != 9'd0",
        "1'b1",
    ),
    grid(
        "the same coordinate is upwards",
        "nearer[i*2] = to[i*9 +: 9] > from[i*9 +: 9];",
        "to[i*9 +: 9] > from[i*9 +: 9]",
        "to[i*9 +: 9] >= from[i*9 +: 9]",
    ),
    grid(
        "a packet is misrouted twice in a row",
        "assign misrouted = |(level & (4'd1 << input_port));",
        "level & (4'd1 << input_port)",
        "4'd0",
    ),
    grid("a packet is misrouted never", "{4{~leads & ~misrouted}}", "~leads & ~misrouted", "1'b0"),
    grid("a packet is misrouted although it need not", "{4{~leads & ~misrouted}}", "~leads", "1'b1"),
    grid("what is closed leads there", "assign leads = |(nearer & open);", "nearer & open", "nearer"),
    grid("a packet that is there goes on", "assign ways[3:0] = {4{away}} & open &", "{4{away}}", "4'hf"),
    grid(
        "columns alone make a difference",
        "for (i = 0; i < 2; i = i + 1) begin\n            differs",
        "i < 2",
        "i < 1",
    ),
    stairs(
        "packets from nodes are on the escape",
        "assign escaping = (input_port < 6'd4) &",
        "input_port < 6'd4",
        "1'b1",
    ),
    stairs("the first node is a switch", "assign escaping = (input_port < 6'd4) &", "6'd4", "6'd5"),
    stairs("the first escape channel is adaptive", "(input_vc >= 3'd2);", "input_vc >= 3'd2", "input_vc > 3'd2"),
    stairs(
        "packets change their escape channel",
        "assign on_first = input_vc == 3'd2;",
        "input_vc == 3'd2",
        "there >= here",
    ),
    stairs("the escape channel is that of what came in", "assign first = escaping ? on_first :", "escaping", "1'b1"),
    stairs("what goes along the diagonal is on the last channel", "(there >= here);", "there >= here", "there > here"),
    stairs(
        "a sum has 9 bits less one",
        "assign here = {1'b0, grid_from[8:0]}",
        "grid_from[8:0]",
        "grid_from[8:0] & 9'd3",
    ),
    stairs(
        "stairs go along the row where they should along the column",
        "assign odd = here[0];",
        "here[0]",
        "~here[0]",
    ),
    stairs("stairs are rows", "assign odd = here[0];", "here[0]", "grid_from[9]"),
    stairs(
        "the stairs of the last channel go up in their column",
        "(~first & (grid_from[8:0] == 9'd0))",
        "grid_from[8:0] == 9'd0",
        "1'b1",
    ),
    stairs("stairs go out at the right", "(first & (grid_from[8:0] != 9'd4))", "grid_from[8:0] != 9'd4", "1'b1"),
    stairs("stairs turn back before the last row", "(first & (grid_from[17:9] != 9'd3))", "9'd3", "9'd2"),
    stairs("stairs go out at the bottom", "(~first & (grid_from[17:9] == 9'd0))", "grid_from[17:9] == 9'd0", "1'b0"),
    stairs(
        "what is left is above",
        "(grid_to[17:9] > grid_from[17:9])",
        "grid_to[17:9] > grid_from[17:9]",
        "grid_to[17:9] >= grid_from[17:9]",
    ),
    stairs(
        "whoever is on the escape may leave it",
        "assign adaptive[3:0] = grid_ways[3:0] & {4{~escaping}};",
        "~escaping",
        "1'b1",
    ),
    stairs("P has a VC on the escape", "assign adaptive_vcs[1:0] = {2{grid_away & ~escaping}};", "~escaping", "1'b1"),
    stairs(
        "P has a VC at home",
        "assign adaptive_vcs[1:0] = {2{grid_away & ~escaping}};",
        "grid_away & ~escaping",
        "routable & ~escaping",
    ),
    stairs(
        "the escape is on both channels",
        "assign deterministic_vcs[3] = routable & ~(grid_away & first);",
        "~(grid_away & first)",
        "1'b1",
    ),
    stairs(
        "nodes take no packet on the first escape channel",
        "routable & (~grid_away | first);",
        "~grid_away | first",
        "grid_away & first",
    ),
    streets(
        "packets from nodes are on the escape",
        "assign escaping = (input_port < 6'd4) &",
        "input_port < 6'd4",
        "1'b1",
    ),
    streets("the adaptive channel is on the escape", "(input_vc >= 3'd1);", "3'd1", "3'd0"),
    streets("odd rows go upwards", "assign odd = {grid_to[0], grid_from[9]};", "grid_from[9]", "~grid_from[9]"),
    streets(
        "the column's direction is that of the one here",
        "assign odd = {grid_to[0], grid_from[9]};",
        "grid_to[0]",
        "grid_from[0]",
    ),
    streets("the last row is a one-way street", "(grid_from[17:9] == 9'd4);", "grid_from[17:9] == 9'd4", "1'b0"),
    streets(
        "the first row is a one-way street",
        "assign border[0] = (grid_from[17:9] == 9'd0)",
        "grid_from[17:9] == 9'd0",
        "1'b0",
    ),
    streets(
        "the last column is another",
        "assign border[1] = (grid_to[8:0] == 9'd0) | (grid_to[8:0] == 9'd3);",
        "9'd3",
        "9'd2",
    ),
    streets(
        "there is no edge on the left",
        "assign border_here = (grid_from[8:0] == 9'd0)",
        "grid_from[8:0] == 9'd0",
        "1'b0",
    ),
    streets("the same column leads nowhere", "assign leads = ~differs | border |", "~differs", "2'd0"),
    streets("streets lead where they come from", "(higher ^ odd);", "higher ^ odd", "higher ~^ odd"),
    streets(
        "it is enough that the row leads there",
        "assign direct = leads[0] & leads[1];",
        "leads[0] & leads[1]",
        "leads[0]",
    ),
    streets("edges are left for the other row", "            upwards = odd[1];", "odd[1]", "~odd[1]"),
    streets("edges are not turned into", "        turned = border_here;", "border_here", "1'b0"),
    streets("ways go along columns first", "            turned = ~differs[0];", "~differs[0]", "differs[1]"),
    streets(
        "what is above is below",
        "upwards = higher[0] | (~differs[0] & higher[1]);",
        "~differs[0] & higher[1]",
        "1'b0",
    ),
    streets("direct ways are on the first channel", "assign late = direct;", "direct", "~direct"),
    streets(
        "whoever is on the escape may leave it",
        "assign adaptive[3:0] = grid_ways[3:0] & {4{~escaping}};",
        "~escaping",
        "1'b1",
    ),
    streets("P has a VC on the escape", "assign adaptive_vcs[0] = grid_away & ~escaping;", "~escaping", "1'b1"),
    streets(
        "D has VCs of nothing",
        "assign deterministic_vcs[1] = routable & ~(grid_away & late);",
        "routable & ~(grid_away & late)",
        "~(grid_away & late)",
    ),
    round("rows are left too late", "assign turned = ~differs[0];", "~differs[0]", "~differs[1] & ~differs[0]"),
    round("columns go as the destination's does", "            upwards = ~odd_here;", "odd_here", "odd[0]"),
    round("odd rows go upwards", "        upwards = ~odd[0];", "~odd[0]", "odd[0]"),
    round("in the column the row's way counts", "            beyond = higher[1];", "higher[1]", "higher[0]"),
    round(
        "what wraps around is on the last channel",
        "assign late = beyond == upwards;",
        "beyond == upwards",
        "beyond != upwards",
    ),
    round("all is on the last channel", "assign late = beyond == upwards;", "beyond == upwards", "1'b1"),
    round(
        "nodes take packets on the escape alone",
        "assign deterministic_vcs[1:0] = {2{routable & ~grid_away}};",
        "routable & ~grid_away",
        "1'b0",
    ),
];
