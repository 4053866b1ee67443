//! Faults of the routing units.

use super::{VerilogFault, fault, fault_at};
use powar_testbenches::test_switches::TestSwitch::{
    Boards, Dragonfly, DragonflyUgal, LeastOccupied, LongTorus, Mesh, SharedTorus, Star, Torus,
};

const fn star(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(Star, "star_routing", name, find, right, wrong)
}

const fn torus(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(Torus, "torus_routing", name, find, right, wrong)
}

const fn shared(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(SharedTorus, "torus_routing", name, find, right, wrong)
}

const fn mesh(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(Mesh, "mesh_routing", name, find, right, wrong)
}

const fn dragonfly(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(Dragonfly, "dragonfly_minimal_routing", name, find, right, wrong)
}

const fn ugal(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(DragonflyUgal, "dragonfly_ugal_routing", name, find, right, wrong)
}

const fn boards(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(Boards, "boards_routing", name, find, right, wrong)
}

const fn tree(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault("fat_tree_routing", name, find, right, wrong)
}

const fn least(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(LeastOccupied, "least_occupied_routing", name, find, right, wrong)
}

const fn limited(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(LongTorus, "torus_limited_routing", name, find, right, wrong)
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
    star("an unknown node has a VC", "assign deterministic_vcs = {3{routable}} &", "{3{routable}}", "3'h7"),
    star(
        "the VC is that of a quarter of the address",
        "assign vc_row = destination & ROW_MASK;",
        "destination & ROW_MASK",
        "destination >> 2",
    ),
    star("the VC follows from three bits", "assign vc_row = destination & ROW_MASK;", "ROW_MASK", "16'd7"),
    star(
        "node 4 is on the VC of node 5",
        "assign vc[1] = (vc_row == 16'd1) | (vc_row == 16'd4)",
        "vc_row == 16'd4",
        "vc_row == 16'd5",
    ),
    star("node 2 is on no VC", "assign vc[2] = (vc_row == 16'd2) |", "vc_row == 16'd2", "1'b0"),
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
    tree("the VC is that of the branch", "assign vc = 4'd1 << vc_row;", "vc_row", "branch"),
    tree("a VC of D without D", "assign deterministic_vcs = {4{down}} &", "{4{down}}", "{4{routable}}"),
    least("a port that does not serve is counted on", "assign counted = tree_adaptive & serves &", "serves", "8'hff"),
    least("a packet turns back", "serves & ~(8'd1 << input_port);", "~(8'd1 << input_port)", "8'hff"),
    least(
        "where no port is to be counted on there is none",
        "assign candidate = counted | (tree_adaptive & {8{~any_counted}});",
        "counted | (tree_adaptive & {8{~any_counted}})",
        "counted",
    ),
    least(
        "every port that leads there is a candidate",
        "assign candidate = counted | (tree_adaptive & {8{~any_counted}});",
        "{8{~any_counted}}",
        "8'hff",
    ),
    least("bit 27 asks for the deterministic way", "assign ordered = choice & header[26];", "header[26]", "header[27]"),
    least(
        "packets on their way down are in order too",
        "assign ordered = choice & header[26];",
        "choice & header[26]",
        "header[26]",
    ),
    least("ports that are no candidates take part", "if (!candidate[p]) begin", "!candidate[p]", "1'b0"),
    least("the last port takes no part", "if (!candidate[p]) begin", "!candidate[p]", "!candidate[p] || p == 7"),
    least(
        "the fullest buffer wins",
        "if (rank[(14 - i*2)*13 +: 13] < rank[(13 - i*2)*13 +: 13]) begin",
        "rank[(14 - i*2)*13 +: 13] < rank[(13 - i*2)*13 +: 13]",
        "rank[(14 - i*2)*13 +: 13] > rank[(13 - i*2)*13 +: 13]",
    ),
    least("ports that lead nowhere are in P", "adaptive[p] = candidate[p] &", "candidate[p]", "1'b1"),
    least("packets in order have a P", "adaptive[p] = candidate[p] & ~ordered &", "~ordered", "1'b1"),
    least(
        "every candidate is in P",
        "(rank[(p + 7)*13 +: 13] == rank[12:0]);",
        "rank[(p + 7)*13 +: 13] == rank[12:0]",
        "rank[(p + 7)*13 +: 13] >= rank[12:0]",
    ),
    least("the branch takes a bit of the next digit", "4'd1: branch = wide_destination[7:2] & DIGIT;", "DIGIT", "6'd7"),
    least("the branch is always digit 0", "        case (stage)\n            4'd0: branch", "stage", "4'd0"),
    least(
        "packets in order go to both ports of a folded root",
        "assign deterministic[7:4] = left[7:4] | ({4{ordered & ~choice_down}} &",
        "ordered & ~choice_down",
        "ordered",
    ),
    least(
        "packets in order have no port at a folded root",
        "({4{ordered}} & tree_adaptive[3:0])",
        "{4{ordered}}",
        "4'd0",
    ),
    least("the VC is that of the destination", "assign vc = 3'd1 << input_vc;", "input_vc", "destination[1:0]"),
    least("a VC of P without P", "assign adaptive_vcs = {3{choice & ~ordered}} & vc;", "choice & ~ordered", "~ordered"),
    least(
        "what has a choice has no VC of D",
        "assign deterministic_vcs = {3{single | choice}} & vc;",
        "single | choice",
        "single",
    ),
    least(
        "a VC of D only while D has ports",
        "assign deterministic_vcs = {3{single | choice}} & vc;",
        "single | choice",
        "single | ordered | (|left)",
    ),
    least("what is left are all ports that lead there", "{8{~ordered}} & ~adaptive &", "~adaptive", "8'hff"),
    least("packets in order have ports left", "assign left = tree_adaptive & {8{~ordered}} &", "~ordered", "1'b1"),
    least("the way back is left", "~adaptive & ~(8'd1 << input_port);", "~(8'd1 << input_port)", "8'hff"),
    least("nothing is left up", "assign deterministic[7:4] = left[7:4] |", "left[7:4]", "4'd0"),
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
    limited(
        "P is there without room",
        "assign adaptive[7:0] = torus_adaptive[7:0] & limit_admits;",
        "torus_adaptive[7:0] & limit_admits",
        "torus_adaptive[7:0]",
    ),
    limited(
        "D is there without room",
        "assign deterministic[7:0] = torus_deterministic[7:0] & limit_admits;",
        "torus_deterministic[7:0] & limit_admits",
        "torus_deterministic[7:0]",
    ),
    limited(
        "there is room if there is some at the next port",
        "assign adaptive[7:0] = torus_adaptive[7:0] & limit_admits;",
        "limit_admits",
        "{limit_admits[0], limit_admits[7:1]}",
    ),
    limited(
        "packets wait for their node",
        "assign deterministic[9:8] = torus_deterministic[9:8];",
        "torus_deterministic[9:8]",
        "torus_deterministic[9:8] & limit_admits[1:0]",
    ),
    limited(
        "the node's ports are in P",
        "assign adaptive[9:8] = torus_adaptive[9:8];",
        "torus_adaptive[9:8]",
        "torus_deterministic[9:8]",
    ),
    limited(
        "each port has the room of the next",
        ".occupancy  (occupancy[103:0])",
        "occupancy[103:0]",
        "occupancy[116:13]",
    ),
    limited("packets from switches wait for room, too", "(input_port)", "input_port", "6'd9"),
    shared("a switch has a fourth node", "& (node < 9'd3) &", "node < 9'd3", "node <= 9'd3"),
    shared("all nodes of a switch are the first", "& (3'd1 << node);", "3'd1 << node", "3'd1"),
    shared(
        "the digit of the node is that of a dimension",
        "to[i*9 +: 9] = wide_destination[i*2 + 2 +: 9] & 9'd3;",
        "i*2 + 2",
        "i*2",
    ),
    shared("every switch has every node", "{3{routable & ~away}} &", "routable & ~away", "routable"),
    mesh("a switch has a fourth node", "& (node < 9'd3) &", "node < 9'd3", "node <= 9'd3"),
    mesh("a digit may be its base", "(to[17:9] < 9'd3)", "to[17:9] < 9'd3", "to[17:9] <= 9'd3"),
    mesh(
        "bits above the digits do not matter",
        "((destination & ABOVE) == 16'd0)",
        "(destination & ABOVE) == 16'd0",
        "1'b1",
    ),
    mesh(
        "plus is productive at the destination",
        "productive[i*2] = to[i*9 +: 9] > from[i*9 +: 9];",
        "to[i*9 +: 9] > from[i*9 +: 9]",
        "to[i*9 +: 9] >= from[i*9 +: 9]",
    ),
    mesh(
        "every dimension is the first",
        "escape[i*2] = productive[i*2] & ~away;",
        "productive[i*2] & ~away",
        "productive[i*2]",
    ),
    mesh(
        "a dimension downwards does not count as away",
        "away = away | productive[i*2] | productive[i*2 + 1];",
        "away | productive[i*2] | productive[i*2 + 1]",
        "away | productive[i*2]",
    ),
    mesh("a digit takes a bit of the next", "from[i*9 +: 9] = wide_position[i*2 + 2 +: 9] & 9'd3;", "9'd3", "9'd7"),
    mesh("P may take the escape VC", "assign adaptive_vcs[2] = 1'b0;", "1'b0", "routable & away"),
    mesh(
        "the escape VC leads to nodes only",
        "assign deterministic_vcs[2] = routable;",
        "routable",
        "routable & ~away",
    ),
    mesh(
        "adaptive VCs do not lead to nodes",
        "assign deterministic_vcs[1:0] = {2{routable & ~away}};",
        "{2{routable & ~away}}",
        "2'd0",
    ),
    mesh("all nodes of a switch are the first", "& (3'd1 << node);", "3'd1 << node", "3'd1"),
    mesh("every switch has every node", "{3{routable & ~away}} &", "routable & ~away", "routable"),
    dragonfly("a group has a fourth switch", "(to_switch < 6'd3)", "6'd3", "6'd4"),
    dragonfly("there is an eighth group", "(to_group < 12'd7)", "to_group < 12'd7", "to_group <= 12'd7"),
    dragonfly(
        "bits above the digits do not matter",
        "((destination & ABOVE) == 16'd0)",
        "(destination & ABOVE) == 16'd0",
        "1'b1",
    ),
    dragonfly(
        "the digit of the switch takes a bit of the group's",
        "from_switch = wide_position[6:1] & SWITCH_MASK;",
        "SWITCH_MASK",
        "6'd7",
    ),
    dragonfly(
        "a node of another group is here",
        "assign here = same_group & (to_switch == from_switch);",
        "same_group & (to_switch == from_switch)",
        "to_switch == from_switch",
    ),
    dragonfly("links are counted from the group itself on", "link = to_group - from_group - 12'd1;", "12'd1", "12'd0"),
    dragonfly("groups are not counted round", "link = link + 12'd7;", "12'd7", "12'd0"),
    dragonfly("the links of the last switch are those of the one before", "6'd2: own_link = 12'd4;", "12'd4", "12'd2"),
    dragonfly(
        "the way to a node of the group is that to its group",
        "towards[1] = (same_group & (to_switch == 6'd1))",
        "same_group & (to_switch == 6'd1)",
        "1'b0",
    ),
    dragonfly(
        "the last link of a switch is the next one's",
        "(link >= 12'd4) & (link < 12'd6)",
        "link >= 12'd4",
        "link > 12'd4",
    ),
    dragonfly(
        "a switch has a port to itself",
        "if (from_switch <= l[5:0]) begin",
        "from_switch <= l[5:0]",
        "from_switch < l[5:0]",
    ),
    dragonfly(
        "every switch has every node",
        "deterministic[1:0] = {2{routable & here}}",
        "routable & here",
        "routable",
    ),
    dragonfly(
        "both links of a switch lead to the same group",
        "(link == (own_link + l[11:0]))",
        "own_link + l[11:0]",
        "own_link",
    ),
    dragonfly(
        "what comes from a node counts as from the group",
        "assign from_node = input_port < 6'd2;",
        "input_port < 6'd2",
        "1'b0",
    ),
    dragonfly(
        "the first port to another group is one of the group",
        "assign from_outside = input_port >= 6'd4;",
        "input_port >= 6'd4",
        "input_port > 6'd4",
    ),
    dragonfly(
        "a link between groups is not counted",
        "(from_outside & (input_vc == 3'd0)) | (~from_outside & (input_vc == 3'd1))",
        "from_outside & (input_vc == 3'd0)",
        "1'b0",
    ),
    dragonfly(
        "a packet within the group starts again on VC 0",
        "(~from_outside & (input_vc == 3'd1))",
        "input_vc == 3'd1",
        "1'b0",
    ),
    dragonfly(
        "from VC 2 on there is none",
        "vc[2] = ~vc[0] & ~vc[1];",
        "~vc[0] & ~vc[1]",
        "~vc[0] & ~vc[1] & (input_vc < 3'd2)",
    ),
    dragonfly("nodes take the packet's VC only", "({3{here}} | vc)", "{3{here}} | vc", "vc"),
    ugal("a packet for nowhere chooses", "assign away = routable & (", "routable", "1'b1"),
    ugal(
        "within the group a packet goes round, too",
        "((wide_position[14:3] & GROUP_MASK) != (wide_destination[14:3] & GROUP_MASK))",
        "(wide_position[14:3] & GROUP_MASK) != (wide_destination[14:3] & GROUP_MASK)",
        "1'b1",
    ),
    ugal(
        "the group's digit takes a bit of the switch",
        "(wide_position[14:3] & GROUP_MASK) !=",
        "wide_position[14:3]",
        "wide_position[13:2]",
    ),
    ugal(
        "the last link leads nowhere",
        "assign direct = |minimal_deterministic[5:4];",
        "|minimal_deterministic[5:4]",
        "minimal_deterministic[4]",
    ),
    ugal("the second node is a switch", "assign from_node = input_port < 6'd2;", "6'd2", "6'd1"),
    ugal("what comes from another group comes from this one", "(input_port < 6'd4);", "6'd4", "6'd6"),
    ugal(
        "nodes are switches of the group",
        "assign from_group = ~from_node & (input_port < 6'd4);",
        "~from_node & (input_port < 6'd4)",
        "input_port < 6'd4",
    ),
    ugal("every switch lets packets choose", "assign first = away & from_node;", "away & from_node", "away"),
    ugal(
        "no packet is sent on to another group",
        "assign second = away & from_group & (input_vc == 3'd0) & ~direct;",
        "~direct",
        "1'b0",
    ),
    ugal(
        "a packet in the group between goes round again",
        "& (input_vc == 3'd0) & ~direct;",
        "(input_vc == 3'd0)",
        "1'b1",
    ),
    ugal("a switch with the link sends packets to any group", "& (input_vc == 3'd0) & ~direct;", "~direct", "1'b1"),
    ugal(
        "the shortest way counts a link more",
        "around[q*16 +: 16] - flits[q*16 +: 16] - flits[q*16 +: 16];",
        "around[q*16 +: 16] - flits[q*16 +: 16] - flits[q*16 +: 16]",
        "around[q*16 +: 16] - flits[q*16 +: 16]",
    ),
    ugal(
        "the shortest way is as long as those round",
        "around[q*16 +: 16] - flits[q*16 +: 16] - flits[q*16 +: 16];",
        "around[q*16 +: 16] - flits[q*16 +: 16] - flits[q*16 +: 16]",
        "around[q*16 +: 16]",
    ),
    ugal(
        "occupancies are those of the port before",
        "narrow = occupancy[(q + 2)*13 +: 13];",
        "(q + 2)*13",
        "(q + 1)*13",
    ),
    ugal("an occupancy has 6 bits", "flits[q*16 +: 16] = {3'd0, narrow};", "{3'd0, narrow}", "{10'd0, narrow[5:0]}"),
    ugal(
        "a way round counts half",
        "around[q*16 +: 16] = flits[q*16 +: 16] << 2;",
        "flits[q*16 +: 16] << 2",
        "flits[q*16 +: 16] << 1",
    ),
    ugal(
        "ways round that begin in the group are a link shorter",
        "around[q*16 +: 16] = around[q*16 +: 16] + flits[q*16 +: 16];",
        "around[q*16 +: 16] + flits[q*16 +: 16]",
        "around[q*16 +: 16]",
    ),
    ugal(
        "as good is good enough",
        "quicker[q] = around[q*16 +: 16] < shortest;",
        "around[q*16 +: 16] < shortest",
        "around[q*16 +: 16] <= shortest",
    ),
    ugal(
        "a product has 8 bits",
        "quicker[q] = around[q*16 +: 16] < shortest;",
        "around[q*16 +: 16] < shortest",
        "around[q*16 +: 8] < shortest[7:0]",
    ),
    ugal(
        "the shortest way is left out",
        "{4{first}} & (minimal_deterministic[5:2] | quicker);",
        "minimal_deterministic[5:2] | quicker",
        "quicker",
    ),
    ugal("packets on the way go to one group only", "adaptive[5:4] | {2{second}};", "{2{second}}", "{1'b0, second}"),
    ugal(
        "a packet that chooses has the shortest way in D",
        "minimal_deterministic[5:2] & {4{~choice}};",
        "~choice",
        "1'b1",
    ),
    ugal("D has VCs without a port", "minimal_deterministic_vcs & {4{~choice}};", "~choice", "1'b1"),
    ugal(
        "on a way round the second switch has VC 1",
        "adaptive_vcs = {3'd0, choice};",
        "{3'd0, choice}",
        "{2'd0, second, first}",
    ),
    boards("a board has a fourth node", "& (node < 6'd3) &", "node < 6'd3", "node <= 6'd3"),
    boards("there is a fourth board", "& (to < 4'd3);", "to < 4'd3", "to <= 4'd3"),
    boards(
        "bits above the digits do not matter",
        "((destination & ABOVE) == 16'd0)",
        "(destination & ABOVE) == 16'd0",
        "1'b1",
    ),
    boards("the digit of the node takes a bit of the board's", "destination[5:0] & NODE_MASK;", "NODE_MASK", "6'd7"),
    boards(
        "the digit of the board takes a bit of the node's",
        "assign to = destination[5:2] & BOARD_MASK;",
        "destination[5:2]",
        "destination[4:1]",
    ),
    boards(
        "the board is that of the lowest bits",
        "assign from = position[5:2] & BOARD_MASK;",
        "position[5:2]",
        "position[3:0]",
    ),
    boards("boards are counted the other way round", "further = to - from;", "to - from", "from - to"),
    boards("boards are not counted round", "further = further + 4'd3;", "4'd3", "4'd0"),
    boards("there are four boards to go round", "further = further + 4'd3;", "4'd3", "4'd4"),
    boards("the own board is once round", "if (to < from) begin", "to < from", "to <= from"),
    boards("the next board is here", "assign here = further == 4'd0;", "further == 4'd0", "further <= 4'd1"),
    boards(
        "no wavelength leads to the last board",
        "assign adaptive[8:6] = {3{routable & (further == 4'd2)}};",
        "routable & (further == 4'd2)",
        "1'b0",
    ),
    boards(
        "the spare wavelength is not in P",
        "assign adaptive[8:6] = {3{routable & (further == 4'd2)}};",
        "{3{routable & (further == 4'd2)}}",
        "{{2{routable & (further == 4'd2)}}, 1'b0}",
    ),
    boards(
        "an unknown node has a P",
        "assign adaptive[5:3] = {3{routable & (further == 4'd1)}};",
        "routable & (further == 4'd1)",
        "further == 4'd1",
    ),
    boards("all nodes of a board are the first", "{3{routable & here}} & (3'd1 << node);", "3'd1 << node", "3'd1"),
    boards("every board has every node", "{3{routable & here}} &", "routable & here", "routable"),
    boards("D is P", "deterministic[8:3] = 6'd0;", "6'd0", "adaptive[8:3]"),
    boards(
        "D to the next board leads to the last",
        "deterministic[5] = routable & (further == 4'd1);",
        "further == 4'd1",
        "further == 4'd2",
    ),
    boards(
        "an unknown node has a D",
        "deterministic[7] = routable & (further == 4'd2);",
        "routable & (further == 4'd2)",
        "further == 4'd2",
    ),
    boards("VCs of P without P", "assign adaptive_vcs = {4{routable & ~here}};", "routable & ~here", "routable"),
    boards("D has VCs on the board alone", "assign deterministic_vcs = {4{routable}};", "routable", "routable & here"),
    boards("VCs of D without D", "assign deterministic_vcs = {4{routable}};", "{4{routable}}", "4'hf"),
    fault(
        "route_register",
        "a packet that is accepted is shown for another cycle",
        "assign stays = head_valid & ~accept;",
        "head_valid & ~accept",
        "head_valid",
    ),
    fault(
        "route_register",
        "an empty head register has a route",
        "assign stays = head_valid & ~accept;",
        "head_valid & ~accept",
        "~accept",
    ),
    fault(
        "route_register",
        "a malformed packet asks for a port",
        "assign wants = stays & ~malformed & routable &",
        "stays & ~malformed & routable",
        "stays & routable",
    ),
    fault(
        "route_register",
        "a packet without a way stays",
        "assign wants = stays & ~malformed & routable &",
        "stays & ~malformed & routable",
        "stays & ~malformed",
    ),
    fault(
        "route_register",
        "where there is no packet one is to be dropped",
        "assign drop_d = stays & ~wants;",
        "stays & ~wants",
        "~wants",
    ),
    fault(
        "route_register",
        "the sets of an empty head register are used",
        "assign adaptive_d = {8{wants}} & new_adaptive & turns;",
        "{8{wants}} & new_adaptive",
        "new_adaptive",
    ),
    fault(
        "route_register",
        "a packet to be dropped has a deterministic port",
        "assign deterministic_d = {8{wants}} & new_deterministic & turns;",
        "wants",
        "stays",
    ),
    fault(
        "route_register",
        "a packet without a turn waits for ever",
        "routable & (has_turn | ~astray);",
        "(has_turn | ~astray)",
        "1'b1",
    ),
    fault(
        "route_register",
        "a packet with a turn to some of its ports is dropped",
        "routable & (has_turn | ~astray);",
        "has_turn | ~astray",
        "~astray",
    ),
    fault(
        "route_register",
        "a packet that has to wait for ports to be named is dropped",
        "routable & (has_turn | ~astray);",
        "has_turn | ~astray",
        "has_turn",
    ),
    fault(
        "route_register",
        "a port without a turn is asked for",
        "assign deterministic_d = {8{wants}} & new_deterministic & turns;",
        "new_deterministic & turns",
        "new_deterministic",
    ),
    fault(
        "route_register",
        "the VCs of D come a cycle early",
        "assign deterministic_vcs = deterministic_vcs_q;",
        "deterministic_vcs_q",
        "new_deterministic_vcs",
    ),
    fault("route_register", "the route survives a reset", "valid_q             <= 1'b0;", "1'b0", "valid_q"),
];
