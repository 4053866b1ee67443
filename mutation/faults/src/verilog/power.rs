//! Faults of the power manager, and of blocks that mechanisms are built from.

use super::{VerilogFault, fault};

const fn manager(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault("power_manager", name, find, right, wrong)
}

/// The clear as the counters have it, and as the slots do.
const COUNTERS_CLEAR: &str = "(error[i*5 +: 5]),\n                .clear      (clear_q),";
const SLOTS_CLEAR: &str = ".rst        (rst),\n        .clear      (clear_q),";

/// Of periods as long as users have them.
const fn period(name: &'static str, wrong: &'static str) -> VerilogFault {
    fault("check_timer", name, "assign check = elapsed >= {1'b0, period};", "elapsed >= {1'b0, period}", wrong)
}

pub(super) const FAULTS: &[VerilogFault] = &[
    period("bit 8 of the period is 0", "elapsed >= {1'b0, period & 16'hfeff}"),
    period("bit 9 of the period is 0", "elapsed >= {1'b0, period & 16'hfdff}"),
    period("bit 10 of the period is 0", "elapsed >= {1'b0, period & 16'hfbff}"),
    period("bit 11 of the period is 0", "elapsed >= {1'b0, period & 16'hf7ff}"),
    period("bit 12 of the period is 0", "elapsed >= {1'b0, period & 16'hefff}"),
    period("bit 13 of the period is 0", "elapsed >= {1'b0, period & 16'hdfff}"),
    fault(
        "check_timer",
        "a period is one cycle too long: > for >=",
        "assign check = elapsed >= {1'b0, period};",
        "elapsed >= {1'b0, period}",
        "elapsed > {1'b0, period}",
    ),
    fault(
        "check_timer",
        "a period made shorter is missed: == for >=",
        "assign check = elapsed >= {1'b0, period};",
        "elapsed >= {1'b0, period}",
        "elapsed == {1'b0, period}",
    ),
    fault("check_timer", "cycles count twice", "+ 17'd1;", "17'd1", "17'd2"),
    fault("check_timer", "a check does not start a new period", "assign count_d = check ? 16'd0 :", "16'd0", "count_q"),
    fault("check_timer", "the count is not reset", "count_q <= 16'd0;", "16'd0", "count_q"),
    fault(
        "flit_counter",
        "flits of the check cycle are lost",
        "assign count_d = check ? flits : (count_q + flits);",
        "check ? flits : (count_q + flits)",
        "check ? 24'd0 : (count_q + flits)",
    ),
    fault(
        "flit_counter",
        "a check does not start at 0",
        "assign count_d = check ? flits : (count_q + flits);",
        "check ? flits : (count_q + flits)",
        "count_q + flits",
    ),
    fault("flit_counter", "the last port is left out", "for (i = 0; i < 4; i = i + 1)", "i < 4", "i < 3"),
    fault(
        "flit_counter",
        "flits of one cycle are ored",
        "flits = flits + {23'd0, flit[i]};",
        "flits + {23'd0, flit[i]}",
        "flits | {23'd0, flit[i]}",
    ),
    fault(
        "flit_counter",
        "the count wraps at 8 bits",
        "(count_q + flits);",
        "count_q + flits",
        "(count_q + flits) & 24'hff",
    ),
    fault(
        "flit_counter",
        "the count wraps at 16 bits",
        "(count_q + flits);",
        "count_q + flits",
        "(count_q + flits) & 24'hffff",
    ),
    fault("flit_counter", "the count is not reset", "count_q <= 24'd0;", "24'd0", "count_q"),
    fault(
        "held_ports",
        "every flit frees its port",
        "& ~(departing & released));",
        "departing & released",
        "departing",
    ),
    fault(
        "held_ports",
        "a port is released without a flit",
        "& ~(departing & released));",
        "departing & released",
        "released",
    ),
    fault("held_ports", "no port is released", "& ~(departing & released));", "departing & released", "8'd0"),
    fault("held_ports", "a given port is not held", "assign held_d = given | (", "given", "8'd0"),
    fault(
        "held_ports",
        "a release beats the next packet",
        "assign held_d = given | (held_q & ~(departing & released));",
        "given | (held_q & ~(departing & released))",
        "(given | held_q) & ~(departing & released)",
    ),
    fault("held_ports", "held ports survive a reset", "held_q <= 8'd0;", "8'd0", "held_q"),
    manager("the counters are never cleared", COUNTERS_CLEAR, "clear_q", "1'b0"),
    manager("the clear comes to the counters a cycle early", COUNTERS_CLEAR, "clear_q", "clear_d"),
    manager("a clear begins no round", SLOTS_CLEAR, "clear_q", "1'b0"),
    manager("a clear begins the round a cycle early", SLOTS_CLEAR, "clear_q", "clear_d"),
    manager("a clear needs no bit", "== CLEAR_AT) & write_data[0];", "write_data[0]", "1'b1"),
    manager("any bit clears", "== CLEAR_AT) & write_data[0];", "write_data[0]", "(|write_data)"),
    manager(
        "a clear is written at any address",
        "assign clear_d = write_enable & ({4'd0, write_address} == CLEAR_AT) &",
        "{4'd0, write_address} == CLEAR_AT",
        "1'b1",
    ),
    manager("the clear stays", "assign clear_d = write_enable &", "write_enable", "(write_enable | clear_q)"),
    manager("clear_counters reads as 0", "assign clear_word = {31'd0, clear_q};", "clear_q", "1'b0"),
    manager("words come a cycle early", "assign read_data = read_data_q;", "read_data_q", "read_data_d"),
    manager(
        "the window shows the next port",
        "assign port = (read_address - PORT_BASE) >> PLACE_BITS;",
        "(read_address - PORT_BASE) >> PLACE_BITS",
        "((read_address - PORT_BASE) >> PLACE_BITS) + 14'd1",
    ),
    manager(
        "a port takes 32 words",
        "assign port = (read_address - PORT_BASE) >> PLACE_BITS;",
        "PLACE_BITS",
        "(PLACE_BITS + 14'd1)",
    ),
    manager("the ports come again behind the last", "if (group == 14'd0) begin", "group == 14'd0", "1'b1"),
    manager("the status is the last counter's neighbour", "assign of_status = place == 14'd12;", "14'd12", "14'd13"),
    manager("the status is that of port 0", "{grantable[p], held[p],", "held[p]", "held[0]"),
    manager(
        "preferred and grantable are swapped in the status",
        "{ready[p], preferred[p]};",
        "preferred[p]",
        "grantable[p]",
    ),
    manager("software reads held for ready", "{ready[p], preferred[p]};", "ready[p]", "held[p]"),
    manager("the phases overlap in the status", ", phase[p*3 +: 3]};", "p*3", "p*2"),
    manager(
        "a word of the mechanism is shown above the ports' first",
        "assign of_ports = read_address >= PORT_BASE;",
        "read_address >= PORT_BASE",
        "read_address > PORT_BASE",
    ),
    manager(
        "the status is mixed into a counter",
        "port_word = counters_word;",
        "counters_word",
        "counters_word | status",
    ),
    manager("a word of no counter shows the status", "else if (of_status) begin", "of_status", "1'b1"),
    manager("the ports of a pair are swapped", "if (port[0]) begin", "port[0]", "!port[0]"),
    manager("the pairs of four are not told apart", "if (port[1]) begin", "port[1]", "1'b0"),
    manager("the fours of a group are chosen by the pair", "assign of_eight = port[2]", "port[2]", "port[1]"),
    manager(
        "a counter does not wait for its turn",
        "& (~of_counter | (waiting_q & has_turn));",
        "~of_counter | (waiting_q & has_turn)",
        "1'b1",
    ),
    manager(
        "a status waits for a turn",
        "& (~of_counter | (waiting_q & has_turn));",
        "~of_counter | (waiting_q & has_turn)",
        "waiting_q & has_turn",
    ),
    manager(
        "the turn is that of the next counter",
        "assign of_this_counter = 12'd1 << place;",
        "12'd1 << place",
        "place == 14'd0 ? 12'h800 : (12'd1 << place) >> 1",
    ),
    manager(
        "any turn will do",
        "assign has_turn = |(slots_turn & of_this_counter);",
        "slots_turn & of_this_counter",
        "slots_turn",
    ),
    manager("a request is forgotten", "assign asked = read_request | waiting_q;", "waiting_q", "1'b0"),
    manager("a counter is waited for for ever", "assign waiting_d = asked & of_ports & ~take;", "~take", "1'b1"),
    manager(
        "words of the mechanism are waited for",
        "assign waiting_d = asked & of_ports & ~take;",
        "of_ports",
        "1'b1",
    ),
    manager("the word of a group is taken before its turn", "assign group_word_d = take ?", "take", "asked"),
    manager("the word of a group follows the counters", "assign group_word_d = take ?", "take", "(take | taken_q)"),
    manager(
        "the answer comes before the word",
        "assign read_done_d = taken_q | (read_request & ~of_ports);",
        "taken_q",
        "take",
    ),
    manager(
        "a word of a port has two answers",
        "assign read_done_d = taken_q | (read_request & ~of_ports);",
        "read_request & ~of_ports",
        "read_request",
    ),
    manager("a read under way survives a reset", "waiting_q    <= 1'b0;", "1'b0", "waiting_d"),
    manager("an answer survives a reset", "taken_q      <= 1'b0;", "1'b0", "taken_d"),
    manager(
        "words of the mechanism are read one on",
        ".read_address  (read_address[9:0]),",
        "read_address[9:0]",
        "(read_address[9:0] + 10'd1)",
    ),
    manager(
        "the mechanism hears of flits when a packet is given a port",
        ".departing     (departing),\n        .write_enable",
        "(departing)",
        "(given)",
    ),
    manager("the counters count packets", ".departing  (departing[i]),", "departing[i]", "given[i]"),
    manager("the errors of two ports are mixed up", ".error      (error[i*5 +: 5]),", "i*5", "(i ^ 1)*5"),
    manager("every port counts the phase of port 0", ".phase      (phase[i*3 +: 3]),", "i*3", "0"),
    manager(
        "the mechanism takes what is given for what is held",
        ".held          (held),\n        .given",
        "(held)",
        "(given)",
    ),
    manager("a word survives a reset", "read_data_q  <= 32'd0;", "32'd0", "read_data_q"),
];
