//! Faults of the blocks of the demonstrator.

use super::{VerilogFault, fault, fault_at};
use powar_testbenches::test_switches::TestSwitch;

const fn receiver(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault("uart_receiver", name, find, right, wrong)
}

const fn transmitter(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault("uart_transmitter", name, find, right, wrong)
}

const fn bridge(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault("uart_bridge", name, find, right, wrong)
}

const fn decoder(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault("axi_lite_decoder", name, find, right, wrong)
}

const fn registers(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault("demonstrator_registers", name, find, right, wrong)
}

const fn generator(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(TestSwitch::Star, "traffic_generator", name, find, right, wrong)
}

/// Where packets leave at any of several ports.
const fn tree_generator(
    name: &'static str,
    find: &'static str,
    right: &'static str,
    wrong: &'static str,
) -> VerilogFault {
    fault("traffic_generator", name, find, right, wrong)
}

const fn checker(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(TestSwitch::Star, "traffic_checker", name, find, right, wrong)
}

const fn tree_checker(
    name: &'static str,
    find: &'static str,
    right: &'static str,
    wrong: &'static str,
) -> VerilogFault {
    fault("traffic_checker", name, find, right, wrong)
}

const fn reset(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault("reset_synchroniser", name, find, right, wrong)
}

const fn reader(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault("statistics_reader", name, find, right, wrong)
}

pub(super) const FAULTS: &[VerilogFault] = &[
    reader("the first word is another", "4'd0: word = statistics[31:0];", "statistics[31:0]", "statistics[63:32]"),
    reader(
        "the last word is another",
        "4'd9: word = statistics[319:288];",
        "statistics[319:288]",
        "statistics[287:256]",
    ),
    reader("a word where there is none", "default: word = 32'd0;", "32'd0", "statistics[31:0]"),
    reader(
        "an answer lasts as long as it is asked for",
        "assign read_done_d = read & ~read_done_q;",
        "read & ~read_done_q",
        "read",
    ),
    reader(
        "the word stays when it is not asked for",
        "assign read_data_d = (read & ~read_done_q) ? word : 32'd0;",
        "read & ~read_done_q",
        "1'b1",
    ),
    reset(
        "the pin is used a cycle too early",
        "assign steady = synchroniser_q[1];",
        "synchroniser_q[1]",
        "synchroniser_q[0]",
    ),
    reset("the count is not started again", "if (!steady) begin", "!steady", "1'b0"),
    reset("the count wraps", "else if (!(&count_q)) begin", "!(&count_q)", "1'b1"),
    reset("the reset ends at once", "steady & (&count_q)", "steady & (&count_q)", "steady"),
    reset("the reset stays away when the lock is lost", "steady & (&count_q)", "steady & (&count_q)", "&count_q"),
    receiver("one flip-flop for the pin", "assign pin = synchroniser_q[1];", "synchroniser_q[1]", "synchroniser_q[0]"),
    receiver("no edge is needed for a start bit", "~busy_q & before_q & ~pin", "before_q", "1'b1"),
    receiver("a start bit is sampled at its end", "count_d = divider >> 1;", "divider >> 1", "divider"),
    receiver("bits are a cycle long", "count_d = divider - 16'd1;", "divider - 16'd1", "divider"),
    receiver("a disturbance is a start bit", "~(|place_q) & pin", "~(|place_q) & pin", "1'b0"),
    receiver("the highest bit comes first", "{pin, value_2[6:0]}", "{pin, value_2[6:0]}", "{value_2[6:0], pin}"),
    receiver("a byte of seven bits", "(place_q <= 4'd8)", "place_q <= 4'd8", "place_q <= 4'd7"),
    receiver("a byte without a stop bit counts", "assign received = stop & pin;", "stop & pin", "stop"),
    receiver("a byte goes over the one that waits", "(~valid_q | ready)", "~valid_q | ready", "1'b1"),
    receiver("a byte lasts one cycle", "received | (valid_q & ~ready)", "valid_q & ~ready", "1'b0"),
    receiver(
        "an overrun is not seen",
        "assign overrun = received & valid_q & ~ready;",
        "received & valid_q & ~ready",
        "1'b0",
    ),
    transmitter("the stop bit is left out", "place_q != 4'd9", "4'd9", "4'd8"),
    transmitter("the stop bit is a data bit", "(place_q >= 4'd8)", "4'd8", "4'd9"),
    transmitter("the start bit is 1", "tx_d = 1'b0;", "1'b0", "1'b1"),
    transmitter("the highest bit goes first", "| shift_q[0]", "shift_q[0]", "shift_q[7]"),
    transmitter("a byte is taken while one is sent", "assign take = valid & ~busy_q;", "valid & ~busy_q", "valid"),
    transmitter("bits end a cycle early", "busy_q & ~(|count_q)", "~(|count_q)", "~(|count_q[15:1])"),
    bridge(
        "the lowest byte of an address comes first",
        "(address_q << 8) | {24'd0, rx_data}",
        "(address_q << 8) | {24'd0, rx_data}",
        "(address_q >> 8) | {rx_data, 24'd0}",
    ),
    bridge("the lowest byte of a word goes first", "assign tx_data = data_q[31:24];", "data_q[31:24]", "data_q[7:0]"),
    bridge("addresses are bytes", "assign m_axi_awaddr = address_q << 2;", "address_q << 2", "address_q"),
    bridge(
        "a burst without increment increments",
        "assign increments = (command_q == 8'd1) | (command_q == 8'd2);",
        "command_q == 8'd2",
        "command_q == 8'd4",
    ),
    bridge(
        "an unknown command writes",
        "assign is_write = (command_q == 8'd1) | (command_q == 8'd3);",
        "command_q == 8'd3",
        "command_q == 8'd5",
    ),
    bridge("a command of no words does not end", "if ((|words_q) & is_read) begin", "(|words_q) & is_read", "is_read"),
    bridge("one word more is written or read", "assign last_word = words_q == 8'd1;", "8'd1", "8'd0"),
    bridge("half a command stays", "(elapsed_q >= timeout)", "elapsed_q >= timeout", "1'b0"),
    bridge(
        "the time-out is a cycle short",
        "(elapsed_q >= timeout)",
        "elapsed_q >= timeout",
        "elapsed_q + 24'd1 >= timeout",
    ),
    bridge(
        "the time-out runs on over bytes",
        "assign elapsed_d = (waiting & ~rx_valid & ~expired)",
        "waiting & ~rx_valid & ~expired",
        "waiting & ~expired",
    ),
    bridge(
        "a write is not held until it is taken",
        "m_axi_wvalid_d = m_axi_wvalid_q & ~m_axi_wready;",
        "m_axi_wvalid_q & ~m_axi_wready",
        "1'b0",
    ),
    bridge(
        "address and data are taken as one",
        "m_axi_awvalid_d = m_axi_awvalid_q & ~m_axi_awready;",
        "~m_axi_awready",
        "~m_axi_wready",
    ),
    bridge("errors of reads are not seen", "read_error = |m_axi_rresp;", "|m_axi_rresp", "1'b0"),
    bridge("the place stays behind half a number", "place_d = 2'd0;\n        end\n    end", "2'd0", "place_q"),
    decoder(
        "an unknown address is the last slave's",
        "if (write_now & ~write_known) begin",
        "write_now & ~write_known",
        "1'b0",
    ),
    decoder("an unknown address is OKAY", "s_axi_rresp_d = SLVERR;", "SLVERR", "2'd0"),
    decoder(
        "a write does not wait for its data",
        "(write_state_q == ACCESS_STATE_IDLE) & s_axi_awvalid & s_axi_wvalid",
        "s_axi_awvalid & s_axi_wvalid",
        "s_axi_awvalid",
    ),
    decoder(
        "any slave may answer",
        "assign read_answered = |(read_window_q & m_axi_rvalid);",
        "read_window_q & m_axi_rvalid",
        "m_axi_rvalid",
    ),
    decoder(
        "the address is taken with the data",
        "(m_axi_awvalid_q & ~m_axi_awready)",
        "m_axi_awready",
        "m_axi_wready",
    ),
    decoder(
        "a read is offered for one cycle",
        "(m_axi_arvalid_q & ~m_axi_arready)",
        "m_axi_arvalid_q & ~m_axi_arready",
        "2'd0",
    ),
    decoder(
        "answers are taken too early",
        "assign m_axi_bready = {2{write_state_q == ACCESS_STATE_FORWARD}} & write_window_q;",
        "write_state_q == ACCESS_STATE_FORWARD",
        "1'b1",
    ),
    decoder("an answer lasts one cycle", "if (s_axi_rready) begin", "s_axi_rready", "1'b1"),
    decoder("the old word comes with an error", "s_axi_rdata_d = 32'd0;", "32'd0", "s_axi_rdata_q"),
    registers("the strobes are ignored", "(&s_axi_wstrb)", "&s_axi_wstrb", "1'b1"),
    registers("a counter can be written", "({1'b0, write_place} < 8'd8)", "8'd8", "8'd9"),
    registers(
        "a node too many",
        "(write_offset < NODE_BYTES)",
        "write_offset < NODE_BYTES",
        "write_offset <= NODE_BYTES",
    ),
    registers("a word behind the generator's can be read", "({1'b0, read_place} < 8'd11)", "8'd11", "8'd12"),
    registers(
        "a word that nobody has can be read",
        "(s_axi_araddr < OWN_BYTES)",
        "s_axi_araddr < OWN_BYTES",
        "s_axi_araddr <= OWN_BYTES",
    ),
    registers("a read does not wait for the node", "assign done = read_q & read_done;", "read_q & read_done", "read_q"),
    registers(
        "a read is taken while one is under way",
        "& ~pending_q & ~read_q &",
        "~pending_q & ~read_q",
        "~pending_q",
    ),
    registers(
        "the clear stays",
        "assign clear_d = write_now & write_clear & s_axi_wdata[0];",
        "write_now & write_clear & s_axi_wdata[0]",
        "(write_now & write_clear & s_axi_wdata[0]) | clear_q",
    ),
    registers(
        "a written 0 clears",
        "assign clear_d = write_now & write_clear & s_axi_wdata[0];",
        "s_axi_wdata[0]",
        "1'b1",
    ),
    registers("a clear leaves the errors of the serial port", "serial_errors_d = 32'd0;", "32'd0", "serial_errors_q"),
    registers(
        "the answer of a node has an error",
        "end else if (done) begin\n            s_axi_rresp_d = OKAY;",
        "OKAY",
        "SLVERR",
    ),
    generator("the seed is taken while it runs", "if (on) begin\n            random_d", "on", "run"),
    generator("a seed of 0 is taken", "else if (|seed_q) begin", "|seed_q", "1'b1"),
    generator("a wrong shift", "assign shifted_right = shifted_left ^ (shifted_left >> 17);", "17", "16"),
    generator(
        "the load is a flit too high",
        "({1'b0, random_q[15:0]} < load_q)",
        "{1'b0, random_q[15:0]} < load_q",
        "{1'b0, random_q[15:0]} <= load_q",
    ),
    generator("the pause is a burst", "assign offer = on & bursting_q &", "on & bursting_q", "on"),
    generator(
        "bursts never end",
        "bursting_d = ~bursting_q | ~(|burst_off_q);",
        "~bursting_q | ~(|burst_off_q)",
        "1'b1",
    ),
    generator(
        "bursts are a cycle too long",
        "({1'b0, burst_count_q} + 17'd1)",
        "{1'b0, burst_count_q} + 17'd1",
        "{1'b0, burst_count_q}",
    ),
    generator("a node sends to itself", "(candidate != node)", "candidate != node", "1'b1"),
    generator("a node that there is not", "choice = LAST_NODE - node;", "LAST_NODE - node", "~node"),
    generator("the neighbour of the last node is none", "if (node == LAST_NODE) begin", "node == LAST_NODE", "1'b0"),
    generator("a packet may be too long", "else if (length_q > MOST_BEATS) begin", "length_q > MOST_BEATS", "1'b0"),
    generator(
        "the head flit is not counted",
        "assign flits = {6'd0, beats} + 16'd1;",
        "{6'd0, beats} + 16'd1",
        "{6'd0, beats}",
    ),
    generator("packets go before their flits are offered", "(backlog_q >= flits)", "backlog_q >= flits", "|backlog_q"),
    generator(
        "a packet goes over the one before",
        "assign start = on & ~m_axis_tvalid_q &",
        "~m_axis_tvalid_q",
        "~(m_axis_tvalid_q & ~last_beat)",
    ),
    generator(
        "the number is one destination's for all",
        "        number = 16'd0;\n        sequence_d = sequence_q;\n        case (choice)",
        "choice",
        "6'd0",
    ),
    generator(
        "the content does not know the destination",
        "first_content = word0 ^ ({26'd0, choice} << 26) ^ BELOW_SOURCE;",
        "({26'd0, choice} << 26)",
        "32'd0",
    ),
    generator(
        "a beat goes without being taken",
        "assign taken = m_axis_tvalid_q & m_axis_tready;",
        "m_axis_tvalid_q & m_axis_tready",
        "m_axis_tvalid_q",
    ),
    generator("the last beat is no last one", "assign m_axis_tlast = last_beat;", "last_beat", "1'b0"),
    generator("a clear leaves the flits offered", "flits_offered_d = 32'd0;", "32'd0", "flits_offered_q"),
    generator("a read has two answers", "assign read_done_d = read & ~read_done_q;", "read & ~read_done_q", "read"),
    tree_generator("two up-ports have one address", "m_axis_tdest_d = 16'd10;", "16'd10", "16'd9"),
    tree_generator(
        "an up-port is in the content for itself",
        "first_content = word0 ^ exit ^ BELOW_SOURCE;",
        "exit",
        "({26'd0, choice} << 26)",
    ),
    tree_generator(
        "a node that there is not is sent to",
        "if (choice > LAST_NODE) begin",
        "choice > LAST_NODE",
        "1'b0",
    ),
    fault_at(
        TestSwitch::MeshDemonstrator,
        "traffic_generator",
        "a port that leads nowhere is sent to",
        "if (choice == 6'd3) begin\n            fits = 1'b0;",
        "choice == 6'd3",
        "1'b0",
    ),
    tree_checker(
        "the order is looked at where there is none",
        "(s_axis_tdata[15:0] != expected_now) & ordered;",
        "(s_axis_tdata[15:0] != expected_now) & ordered",
        "(s_axis_tdata[15:0] != expected_now)",
    ),
    checker(
        "beats come while a latency is counted",
        "~record_q & ~sweeping & ~ask_histogram",
        "~record_q & ~sweeping",
        "~sweeping",
    ),
    checker(
        "beats come while the histogram is emptied",
        "~record_q & ~sweeping & ~ask_histogram",
        "~record_q & ~sweeping",
        "~record_q",
    ),
    checker("software's reads stop no beat", "~record_q & ~sweeping & ~ask_histogram", "~ask_histogram", "1'b1"),
    checker("the content does not know the node", "({26'd0, node} << 26)", "{26'd0, node} << 26", "32'd0"),
    checker(
        "only the last beat is looked at",
        "assign any_bad = bad | (wrong_content_q & ~first);",
        "bad | (wrong_content_q & ~first)",
        "bad",
    ),
    checker("one byte is enough", "assign kept = &s_axis_tkeep;", "&s_axis_tkeep", "|s_axis_tkeep"),
    checker("a node too many", "assign known = source <= LAST_NODE;", "source <= LAST_NODE", "1'b1"),
    checker(
        "the network's word is not asked for",
        "~known | ({10'd0, source} != s_axis_tid)",
        "({10'd0, source} != s_axis_tid)",
        "1'b0",
    ),
    checker(
        "the order is one source's for all",
        "        expected_d = expected_q;\n        case (source)",
        "(source)",
        "(6'd0)",
    ),
    checker(
        "a packet of another source counts in the order",
        "if (taken & first & ~wrong_source) begin\n                    expected_d[63:48]",
        "~wrong_source",
        "1'b1",
    ),
    checker("the length is not compared", "(count != length)", "count != length", "1'b0"),
    checker("a packet has its first beat twice", "count = beats_q + 10'd1;", "beats_q + 10'd1", "beats_q"),
    checker(
        "the latency is that of the packet before",
        "assign latency_d = ends ? (cycles - at) : latency_q;",
        "cycles - at",
        "cycles - sent_at_q",
    ),
    checker(
        "the least latency is the largest",
        "if (latency_q < latency_min_q) begin",
        "latency_q < latency_min_q",
        "latency_q > latency_min_q",
    ),
    checker(
        "the sum has 32 bits",
        "latency_sum_q + {32'd0, latency_q}",
        "latency_sum_q + {32'd0, latency_q}",
        "{32'd0, latency_sum_q[31:0] + latency_q}",
    ),
    checker("bins begin one too low", "index = highest + 5'd1;", "highest + 5'd1", "highest"),
    checker("the histogram does not add", "write_word = histogram_q + 32'd1;", "histogram_q + 32'd1", "32'd1"),
    checker("a clear leaves the histogram", "sweep_d = 6'd0;", "6'd0", "sweep_q"),
    checker(
        "a packet is counted in spite of a clear",
        "assign adding_d = record_q & ~clear;",
        "record_q & ~clear",
        "record_q",
    ),
    checker(
        "software is answered the word of another bin",
        "read_bin = read_address[4:0];",
        "read_address[4:0]",
        "bin_q",
    ),
];
