//! Faults of the routings when links are off.

use super::{VerilogFault, fault_at};
use powar_testbenches::test_switches::TestSwitch::{LastTurns, RingStreets, Stairs, Streets};

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

const fn turns(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(LastTurns, "west_last_east_last_routing", name, find, right, wrong)
}

const fn limit(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(Stairs, "injection_limit", name, find, right, wrong)
}

pub const FAULTS: &[VerilogFault] = &[
    limit(
        "packets from switches wait for room, too",
        "assign from_switch = input_port < 6'd4;",
        "input_port < 6'd4",
        "1'b0",
    ),
    limit("the first node is a switch", "assign from_switch = input_port < 6'd4;", "6'd4", "6'd5"),
    limit(
        "nodes wait for one flit less",
        "(occupancy[p*13 +: 13] <= LIMIT)",
        "occupancy[p*13 +: 13] <= LIMIT",
        "occupancy[p*13 +: 13] < LIMIT",
    ),
    limit("nodes send where one flit more is under way", "(occupancy[p*13 +: 13] <= LIMIT)", "LIMIT", "LIMIT + 13'd1"),
    limit(
        "an occupancy has 6 bits",
        "(occupancy[p*13 +: 13] <= LIMIT)",
        "occupancy[p*13 +: 13]",
        "{7'd0, occupancy[p*13 +: 6]}",
    ),
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
        "assign adaptive[3:0] = grid_ways[3:0] & limit_admits & {4{~escaping}};",
        "~escaping",
        "1'b1",
    ),
    stairs("nodes fill the adaptive channels", "grid_ways[3:0] & limit_admits &", "limit_admits", "4'hf"),
    stairs("nodes fill the escape upwards", "& upwards[i] & limit_admits[i*2];", "limit_admits[i*2]", "1'b1"),
    stairs(
        "nodes fill the escape downwards",
        "& ~upwards[i] & limit_admits[i*2 + 1];",
        "limit_admits[i*2 + 1]",
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
        "assign adaptive[3:0] = grid_ways[3:0] & limit_admits & {4{~escaping}};",
        "~escaping",
        "1'b1",
    ),
    streets("nodes fill the adaptive channels", "grid_ways[3:0] & limit_admits &", "limit_admits", "4'hf"),
    streets("nodes fill the escape", "& hop & limit_admits;", "limit_admits", "4'hf"),
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
    turns(
        "packets from nodes stay in the network of their channel",
        "assign east_last = from_switch ?",
        "from_switch",
        "1'b1",
    ),
    turns("the first node is a switch", "assign from_switch = input_port < 6'd4;", "6'd4", "6'd5"),
    turns(
        "packets from switches change their network",
        "assign from_switch = input_port < 6'd4;",
        "input_port < 6'd4",
        "1'b0",
    ),
    turns(
        "in its column every packet goes west last",
        "(same_column & ~grid_to[9])",
        "same_column & ~grid_to[9]",
        "1'b0",
    ),
    turns("in its column the column decides", "(same_column & ~grid_to[9])", "grid_to[9]", "grid_to[0]"),
    turns("the network is that of the other channels", "input_vc[0] :", "input_vc[0]", "~input_vc[0]"),
    turns("the last row is a one-way street", "(grid_to[17:9] == 9'd5)", "grid_to[17:9] == 9'd5", "1'b0"),
    turns(
        "the first row is a one-way street",
        "assign last_on = (grid_to[17:9] == 9'd0)",
        "grid_to[17:9] == 9'd0",
        "1'b0",
    ),
    turns(
        "rows lead where they come from",
        "(grid_to[9] != east_last);",
        "grid_to[9] != east_last",
        "grid_to[9] == east_last",
    ),
    turns(
        "the last column is a one-way street",
        "assign side = (grid_from[8:0] == 9'd0) | (grid_from[8:0] == 9'd4);",
        "9'd4",
        "9'd0",
    ),
    turns("the first column is a one-way street", "assign side = (grid_from[8:0] == 9'd0)", "9'd0", "9'd4"),
    turns(
        "what turns east last ends at the last column",
        "            at_end = grid_from[8:0] == 9'd0;",
        "9'd0",
        "9'd4",
    ),
    turns("what turns west last ends a column early", "            at_end = grid_from[8:0] == 9'd4;", "9'd4", "9'd3"),
    turns(
        "the last column is none to end at",
        "            to_end = grid_to[8:0] == 9'd4;",
        "grid_to[8:0] == 9'd4",
        "1'b0",
    ),
    turns(
        "the first column is none to end at",
        "            to_end = grid_to[8:0] == 9'd0;",
        "grid_to[8:0] == 9'd0",
        "1'b0",
    ),
    turns(
        "beside the last column there is a one-way street",
        "            next_side = grid_from[8:0] == 9'd3;",
        "9'd3",
        "9'd4",
    ),
    turns(
        "beside the second column there is a two-way street",
        "            next_side = grid_from[8:0] == 9'd1;",
        "9'd1",
        "9'd2",
    ),
    turns("west last is east last in the next column", "            follows = next[0];", "next[0]", "next[1]"),
    turns("nobody comes from the last hop but one", "            precedes = next[0];", "next[0]", "1'b0"),
    turns("what goes west last is ahead in the east", "            behind = lies[1];", "lies[1]", "lies[0]"),
    turns("what has gone west turns", "            stays = input_port == 6'd0;", "input_port == 6'd0", "1'b0"),
    turns("what has gone east comes in at the wrong side", "            stays = input_port == 6'd1;", "6'd1", "6'd0"),
    turns("both networks turn after all", "& {2{~stays}} &", "~stays", "1'b1"),
    turns(
        "the next column is as odd as this one",
        "(odd_column == lies[2]);",
        "odd_column == lies[2]",
        "odd_column != lies[2]",
    ),
    turns("the next column is as good as any farther on", "((onward & ~follows)", "onward & ~follows", "onward"),
    turns("there is no straight way", "(follows & same_row)", "follows & same_row", "1'b0"),
    turns("rows are left to come back to them", "(~same_row & (last_on", "~same_row", "1'b1"),
    turns(
        "nobody comes back along the row",
        "(last_on | (follows & bends))",
        "last_on | (follows & bends)",
        "follows & bends",
    ),
    turns("the next column leads everywhere", "(last_on | (follows & bends))", "follows & bends", "follows"),
    turns("free ways go out at the side", "assign free_ahead = ~at_end &", "~at_end", "1'b1"),
    turns("one goes back along any row", "(behind & last_on));", "behind & last_on", "behind"),
    turns("one goes back in any row", "assign last_ahead = same_row &", "same_row", "1'b1"),
    turns(
        "there is a cable above the last row",
        "assign cable[0] = grid_from[17:9] != 9'd5;",
        "grid_from[17:9] != 9'd5",
        "1'b1",
    ),
    turns(
        "there is a cable below the first row",
        "assign cable[1] = grid_from[17:9] != 9'd0;",
        "grid_from[17:9] != 9'd0",
        "1'b1",
    ),
    turns("even columns go down", "assign own_way[0] = ~odd_column;", "~odd_column", "odd_column"),
    turns(
        "nobody goes on in the last row",
        "assign next_free_on[0] = (grid_from[17:9] == 9'd4)",
        "grid_from[17:9] == 9'd4",
        "1'b0",
    ),
    turns(
        "nobody goes on in the first row",
        "assign next_free_on[1] = (grid_from[17:9] == 9'd1)",
        "grid_from[17:9] == 9'd1",
        "1'b0",
    ),
    turns(
        "the next row is as odd as this one",
        "(grid_from[17:9] == 9'd1) | (odd_row != east_last);",
        "odd_row != east_last",
        "odd_row == east_last",
    ),
    turns("the sides are one-way streets", "assign street = {2{side}} | own_way;", "{2{side}}", "2'd0"),
    turns("rows are left along columns alone", "assign leaves = street | next_free_on;", "next_free_on", "2'd0"),
    turns("columns that lead nowhere are entered", "assign reaches = leaves &", "leaves", "2'd3"),
    turns("no turn is too late", "({2{~follows}} | own_way", "{2{~follows}}", "2'd3"),
    turns("what is above cannot be come to from below", "own_way | lies[3:2] |", "lies[3:2]", "2'd0"),
    turns("nobody goes past the destination", "lies[3:2] | {2{last_on}} |", "{2{last_on}}", "2'd0"),
    turns("the side is a one-way street for who comes to it", "{2{last_on}} | {2{to_end}});", "{2{to_end}}", "2'd0"),
    turns("rows are come back to along all rows", "({2{same_column | last_on}} &", "same_column | last_on", "1'b1"),
    turns("the next row is come to along streets alone", "(next[3:2] | (lies[3:2]", "next[3:2]", "2'd0"),
    turns("all columns lead there", "(lies[3:2] & street)", "lies[3:2] & street", "lies[3:2]"),
    turns("the last column leads on", "({2{last_on & ~at_end}} & leaves)", "last_on & ~at_end", "last_on"),
    turns("nobody comes round", "({2{last_on & ~at_end}} & leaves)", "last_on & ~at_end", "1'b0"),
    turns(
        "the networks go the wrong way",
        "            ahead[1:0] = {last_ahead, free_ahead};",
        "{last_ahead, free_ahead}",
        "{free_ahead, last_ahead}",
    ),
    turns("what is behind is ahead", "(({2{onward}} & reaches)", "{2{onward}}", "2'd3"),
    turns("ports that do not serve are taken", "& (serves[3:0] | ever_on) &", "serves[3:0]", "4'hf"),
    turns("nothing is ever-on", "& (serves[3:0] | ever_on) &", "serves[3:0] | ever_on", "serves[3:0]"),
    turns("even rows are not ever-on", "assign ever_on[0] = row_side | ~odd_row;", "~odd_row", "1'b0"),
    turns("odd rows are ever-on both ways", "assign ever_on[0] = row_side | ~odd_row;", "~odd_row", "1'b1"),
    turns("even rows are ever-on both ways", "assign ever_on[1] = row_side | odd_row;", "odd_row", "1'b1"),
    turns(
        "the last row is not ever-on both ways",
        "assign row_side = (grid_from[17:9] == 9'd0) | (grid_from[17:9] == 9'd5);",
        "grid_from[17:9] == 9'd5",
        "1'b0",
    ),
    turns(
        "the first row is not ever-on both ways",
        "assign row_side = (grid_from[17:9] == 9'd0)",
        "grid_from[17:9] == 9'd0",
        "1'b0",
    ),
    turns("columns are ever-on both ways", "assign ever_on[3:2] = street;", "street", "2'd3"),
    turns("nobody looks ahead", "{4{grid_away}} & ahead &", "ahead", "4'hf"),
    turns("packets turn back", "~(4'd1 << input_port);", "~(4'd1 << input_port)", "4'hf"),
    turns("a packet that is there goes on", "assign good = {4{grid_away}} &", "{4{grid_away}}", "4'hf"),
    turns(
        "what does not lead on counts as a way",
        "assign leads = |(grid_ways[3:0] & good);",
        "grid_ways[3:0] & good",
        "grid_ways[3:0]",
    ),
    turns("nobody goes aside", "(grid_ways[3:0] | {4{~leads}});", "{4{~leads}}", "4'd0"),
    turns("anybody goes aside", "(grid_ways[3:0] | {4{~leads}});", "{4{~leads}}", "4'hf"),
    turns(
        "what turns west last is on all channels",
        "adaptive_vcs[w*2] = grid_away & ~east_last;",
        "grid_away & ~east_last",
        "grid_away",
    ),
    turns("P has a VC at home", "adaptive_vcs[1] = grid_away & east_last;", "grid_away & east_last", "east_last"),
    turns(
        "D has VCs on the way",
        "assign deterministic_vcs = {3{routable & ~grid_away}};",
        "routable & ~grid_away",
        "routable",
    ),
    turns("nodes take no packets", "assign deterministic = {grid_own[5:4], 4'd0};", "grid_own[5:4]", "2'd0"),
];
