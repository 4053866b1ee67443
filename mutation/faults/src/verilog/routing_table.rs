//! Faults of routing tables: what loads them, their memories, the unit that goes by a row, what gives a row its address.

use super::{VerilogFault, fault_at};
use powar_testbenches::test_switches::TestSwitch::{LimitedTable, Table};

const fn unit(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(Table, "table_routing", name, find, right, wrong)
}

const fn memory(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(Table, "routing_table", name, find, right, wrong)
}

const fn loader(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(Table, "table_loader", name, find, right, wrong)
}

const fn limited(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(LimitedTable, "table_limited_routing", name, find, right, wrong)
}

const fn of_ports(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(LimitedTable, "table_loader", name, find, right, wrong)
}

const fn channel(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(Table, "virtual_channel", name, find, right, wrong)
}

pub(super) const FAULTS: &[VerilogFault] = &[
    unit("P needs no VC", "assign adaptive = {7{adaptive_has_vc}} &", "{7{adaptive_has_vc}}", "7'h7f"),
    unit("P lacks the last port", "assign adaptive = {7{adaptive_has_vc}} & row[6:0];", "row[6:0]", "{1'b0, row[5:0]}"),
    unit("D needs no VC", "assign deterministic = {7{deterministic_has_vc}} &", "{7{deterministic_has_vc}}", "7'h7f"),
    unit("the highest bit of D's number is lost", "assign port = {3'd0, row[9:7]};", "row[9:7]", "row[8:7]"),
    unit("the number of D's port begins a bit too low", "assign port = {3'd0, row[9:7]};", "row[9:7]", "row[8:6]"),
    unit(
        "a port that is not there is the last one",
        "(7'd1 << port);",
        "7'd1 << port",
        "port > 6'd6 ? 7'd64 : 7'd1 << port",
    ),
    unit(
        "P is allowed the VCs of D",
        "assign adaptive_vcs = {3{some_adaptive}} & row[12:10];",
        "row[12:10]",
        "row[15:13]",
    ),
    unit(
        "D is allowed the VCs of P",
        "assign deterministic_vcs = {3{some_deterministic}} & row[15:13];",
        "row[15:13]",
        "row[12:10]",
    ),
    unit("VCs of P without P", "assign adaptive_vcs = {3{some_adaptive}} &", "{3{some_adaptive}}", "3'h7"),
    unit(
        "VCs of D without D",
        "assign deterministic_vcs = {3{some_deterministic}} &",
        "{3{some_deterministic}}",
        "3'h7",
    ),
    unit(
        "a destination without D is dropped",
        "assign routable = some_adaptive | some_deterministic;",
        "some_adaptive | some_deterministic",
        "some_deterministic",
    ),
    unit(
        "a destination without P is dropped",
        "assign routable = some_adaptive | some_deterministic;",
        "some_adaptive | some_deterministic",
        "some_adaptive",
    ),
    unit("the highest VC of P is none", "assign adaptive_has_vc = |row[12:10];", "row[12:10]", "row[11:10]"),
    unit("the highest VC of D is none", "assign deterministic_has_vc = |row[15:13];", "row[15:13]", "row[14:13]"),
    memory("bits above the rows do not matter", "(read_row & ABOVE) == 16'd0", "(read_row & ABOVE) == 16'd0", "1'b1"),
    memory("the eight highest bits do not matter", "(read_row & ABOVE) == 16'd0", "ABOVE", "16'h00c0"),
    memory("the lowest bit above does not matter", "(read_row & ABOVE) == 16'd0", "ABOVE", "16'hff80"),
    memory("once there is a row there is always one", "16'd0) : exists_q;", "exists_q", "1'b1"),
    memory(
        "the row of an address that is not there stays",
        "assign exists_d = read ? ((read_row & ABOVE) == 16'd0)",
        "((read_row & ABOVE) == 16'd0)",
        "(exists_q | ((read_row & ABOVE) == 16'd0))",
    ),
    memory("there is a row before one is read", "assign row = exists_q ? words_q : 32'd0;", "exists_q", "1'b1"),
    memory("a reset leaves the row", "exists_q <= 1'b0;", "1'b0", "exists_d"),
    memory("the row is read in every cycle", "if (read) words_q <=", "read", "1'b1"),
    memory("a row is written in every cycle", "if (write) words_mem_0[", "write", "1'b1"),
    memory(
        "a row is written one too high",
        "if (write) words_mem_0[write_row[5:0]]",
        "write_row[5:0]",
        "write_row[5:0] + 6'd1",
    ),
    memory(
        "half of the rows can't be written",
        "if (write) words_mem_0[write_row[5:0]]",
        "write_row[5:0]",
        "{1'b0, write_row[4:0]}",
    ),
    memory("two rows are one", "<= words_mem_0[read_row[5:0]];", "read_row[5:0]", "{read_row[5:1], 1'b0}"),
    memory(
        "what is written is read in the same cycle",
        "words_q <= words_mem_0[read_row[5:0]];",
        "words_mem_0[read_row[5:0]]",
        "(write & (write_row[5:0] == read_row[5:0])) ? write_word : words_mem_0[read_row[5:0]]",
    ),
    memory(
        "the row that is written is the one that is read",
        "if (write) words_mem_0[write_row[5:0]]",
        "write_row[5:0]",
        "read_row[5:0]",
    ),
    loader(
        "any word writes the row",
        "assign write_d = write_enable & (write_address == 10'd5);",
        "(write_address == 10'd5)",
        "1'b1",
    ),
    loader("its address alone writes the row", "assign write_d = write_enable &", "write_enable", "1'b1"),
    loader("the row is not counted up", "end else if (write_q) begin", "write_q", "1'b0"),
    loader("the row is counted up a cycle too early", "end else if (write_q) begin", "write_q", "write_d"),
    loader("every second row is left out", "row_d = (row_q + 16'd1) & ROW_MASK;", "16'd1", "16'd2"),
    loader("behind the last row comes none", "row_d = (row_q + 16'd1) & ROW_MASK;", "ROW_MASK", "16'hffff"),
    loader("a row's number has all bits", "row_d = write_data[15:0] & ROW_MASK;", "ROW_MASK", "16'hffff"),
    loader("the number of a row is read from the wrong address", "(write_address == ROW_AT)", "ROW_AT", "10'd6"),
    loader(
        "counting up comes before writing",
        "if (write_enable & (write_address == ROW_AT)) begin",
        "write_enable & (write_address == ROW_AT)",
        "write_enable & ~write_q & (write_address == ROW_AT)",
    ),
    loader("a word has all bits", "(write_data & WORD_MASK)", "WORD_MASK", "32'hffffffff"),
    loader("the word is written without enable", "assign word_d = (write_enable &", "write_enable", "1'b1"),
    loader("the word reads at the row's address", "if (read_address == 14'd5) begin", "14'd5", "14'd4"),
    loader("other words read as the one before", "            read_data_d = 32'd0;", "32'd0", "read_data_q"),
    loader("the row reads as 0", "read_data_d = {16'd0, row_q};", "row_q", "16'd0"),
    loader("the word is read without a request", "if (read_request) begin", "read_request", "1'b1"),
    loader("a reset leaves the row's number", "row_q       <= 16'd0;", "16'd0", "row_d"),
    loader("a reset leaves a write", "write_q     <= 1'b0;", "1'b0", "write_d"),
    loader("a reset leaves the word", "word_q      <= 32'd0;", "32'd0", "word_d"),
    limited(
        "nobody waits",
        "assign from_node = |(to_node & (7'd1 << input_port));",
        "|(to_node & (7'd1 << input_port))",
        "1'b0",
    ),
    limited(
        "packets from switches wait, too",
        "|(to_node & (7'd1 << input_port))",
        "to_node & (7'd1 << input_port)",
        "to_node",
    ),
    limited("what comes in at a port waits if the next leads to a node", "(7'd1 << input_port)", "7'd1", "7'd2"),
    limited(
        "packets wait for nodes of the same switch",
        "admits[p] = ~from_node | to_node[p] |",
        "~from_node | to_node[p]",
        "~from_node",
    ),
    limited(
        "nodes wait for one flit less",
        "(occupancy[p*13 +: 13] <= LIMIT)",
        "occupancy[p*13 +: 13] <= LIMIT",
        "occupancy[p*13 +: 13] < LIMIT",
    ),
    limited(
        "nodes send where one flit more is under way",
        "(occupancy[p*13 +: 13] <= LIMIT)",
        "LIMIT",
        "LIMIT + 13'd1",
    ),
    limited(
        "an occupancy has 5 bits",
        "(occupancy[p*13 +: 13] <= LIMIT)",
        "occupancy[p*13 +: 13]",
        "{8'd0, occupancy[p*13 +: 5]}",
    ),
    limited(
        "P is there without room",
        "assign adaptive = table_adaptive & admits;",
        "table_adaptive & admits",
        "table_adaptive",
    ),
    limited(
        "D is there without room",
        "assign deterministic = table_deterministic & admits;",
        "table_deterministic & admits",
        "table_deterministic",
    ),
    of_ports("ports to nodes that there are not", "(write_data & NODE_PORTS_MASK)", "NODE_PORTS_MASK", "32'hffffffff"),
    of_ports(
        "the row's word says which ports lead to nodes",
        "assign node_ports_d = (write_enable & (write_address == 10'd8))",
        "10'd8",
        "10'd5",
    ),
    of_ports(
        "ports to nodes are written without enable",
        "assign node_ports_d = (write_enable &",
        "write_enable",
        "1'b1",
    ),
    of_ports("ports to nodes read as the row", "read_data_d = node_ports_q;", "node_ports_q", "word_q"),
    of_ports("ports to nodes read at the next address", "if (read_address == 14'd8) begin", "14'd8", "14'd9"),
    of_ports("a reset leaves ports to nodes", "node_ports_q <= 32'd0;", "32'd0", "node_ports_d"),
    channel(
        "a header from the link gets no row",
        "assign loads = bypass | fetching_q;",
        "bypass | fetching_q",
        "fetching_q",
    ),
    channel("a header that waited gets no row", "assign loads = bypass | fetching_q;", "bypass | fetching_q", "bypass"),
    channel("a header that waits gets its row too early", "assign loads = bypass | fetching_q;", "fetching_q", "fetch"),
    channel(
        "the row is that of the packet before",
        "assign next_destination = incoming[15:0];",
        "incoming[15:0]",
        "destination_q",
    ),
];
