//! Faults of the wiring of a whole demonstrator: of three nodes at a star, and of what is there at the switches of other networks alone.

use super::{VerilogFault, fault_at};
use powar_testbenches::test_switches::TestSwitch;
use powar_testbenches::twins::DEMONSTRATOR;

const fn top(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(TestSwitch::Demonstrator, DEMONSTRATOR, name, find, right, wrong)
}

const fn tree(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(TestSwitch::TreeDemonstrator, DEMONSTRATOR, name, find, right, wrong)
}

const fn mesh(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault_at(TestSwitch::MeshDemonstrator, DEMONSTRATOR, name, find, right, wrong)
}

pub(super) const FAULTS: &[VerilogFault] = &[
    top(
        "the windows are the other way round for reads",
        "assign decoder_m_axi_rdata = {registers_s_axi_rdata, network_s_axi_rdata};",
        "{registers_s_axi_rdata, network_s_axi_rdata}",
        "{network_s_axi_rdata, registers_s_axi_rdata}",
    ),
    top(
        "no error comes from the switch",
        "assign decoder_m_axi_bresp = {registers_s_axi_bresp, network_s_axi_bresp};",
        "network_s_axi_bresp",
        "2'd0",
    ),
    top(
        "lost bytes are not counted",
        "receiver_framing_error | receiver_overrun",
        "receiver_framing_error | receiver_overrun",
        "receiver_overrun",
    ),
    top(
        "the generator takes words of the checker for its own",
        "assign asks_generator = registers_read_address[6:4] == 3'd0;",
        "registers_read_address[6:4] == 3'd0",
        "registers_read_address[5] == 1'b0",
    ),
    top(
        "nobody asks the network interfaces",
        "assign asks_interface = registers_read_address[6];",
        "registers_read_address[6]",
        "1'b0",
    ),
    top(
        "the statistics are not in the answer",
        "read_data | generator_read_data[i*32 +: 32] | packet_checker_read_data[i*32 +: 32] | statistics_reader_read_data[i*32 +: 32]",
        "statistics_reader_read_data[i*32 +: 32]",
        "32'd0",
    ),
    top(
        "node 1 is written where node 0 is",
        "assign writes[1] = registers_write_enable & (registers_write_address[13:7] == 7'd9);",
        "7'd9",
        "7'd8",
    ),
    top(
        "node 2 is asked where node 1 is",
        "assign asks[2] = registers_read & (registers_read_address[13:7] == 7'd10);",
        "7'd10",
        "7'd9",
    ),
    top("all generators believe to be node 0", "assign generator_node = 18'd8256;", "18'd8256", "18'd0"),
    top(
        "all network interfaces have address 0",
        "assign network_interface_address = 48'h200010000;",
        "48'h200010000",
        "48'd0",
    ),
    top("two checkers have each other's number", "assign packet_checker_node = 18'd8256;", "18'd8256", "18'd4224"),
    top(
        "every word of a node is written to the generator",
        "assign generator_write_enable = writes & {3{writes_generator}};",
        "writes & {3{writes_generator}}",
        "{3{writes_generator & (|writes)}}",
    ),
    top(
        "a checker answers for the network interface",
        "asks & {3{~asks_generator}} & {3{~asks_interface}}",
        "{3{~asks_interface}}",
        "3'd7",
    ),
    top(
        "the reader answers for the generator",
        "assign statistics_reader_read = asks & {3{asks_interface}};",
        "asks & {3{asks_interface}}",
        "asks",
    ),
    top(
        "a port that goes off is on",
        "(network_phase[i*3 +: 3] == 3'd0) | (network_phase[i*3 +: 3] == 3'd5)",
        "3'd5",
        "3'd1",
    ),
    tree(
        "packets have to come out of one up-port in order",
        "assign packet_checker_ordered = 4'b0011;",
        "4'b0011",
        "4'b1111",
    ),
    tree(
        "the first up-port has the number of the second in the content",
        "assign packet_checker_node = 24'h82040;",
        "24'h82040",
        "24'h83040",
    ),
    tree("the switch is at the root", ".stage            (4'd0),", "4'd0", "4'd1"),
    mesh("the switch is the first of its network", ".position         (16'd1),", "16'd1", "16'd0"),
    mesh(
        "packets that go on may come out at the node",
        "assign packet_checker_node = 30'h40c0000;",
        "30'h40c0000",
        "30'hc0000",
    ),
];
