//! Faults of the register bus.

use super::{VerilogFault, fault};

const fn bus(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault("register_bus", name, find, right, wrong)
}

pub(super) const FAULTS: &[VerilogFault] = &[
    bus("a bad write is OKAY", "s_axi_bresp_d = SLVERR;", "SLVERR", "OKAY"),
    bus("the strobes are ignored", "(&s_axi_wstrb)", "&s_axi_wstrb", "1'b1"),
    bus("one strobe is enough", "(&s_axi_wstrb)", "&s_axi_wstrb", "|s_axi_wstrb"),
    bus(
        "a word behind the mechanism's last can be written",
        "((s_axi_awaddr >= 16'd64) & (s_axi_awaddr < 16'd104))",
        "s_axi_awaddr < 16'd104",
        "s_axi_awaddr <= 16'd104",
    ),
    bus(
        "a word behind the mechanism's last can be read",
        "((s_axi_araddr >= 16'd64) & (s_axi_araddr < 16'd104))",
        "s_axi_araddr < 16'd104",
        "s_axi_araddr <= 16'd104",
    ),
    bus(
        "the words of the switch can be written",
        "((s_axi_awaddr >= 16'd12) & (s_axi_awaddr < 16'd16))",
        "s_axi_awaddr >= 16'd12",
        "1'b1",
    ),
    bus(
        "the low address bits of a write do not matter",
        "(s_axi_awaddr[1:0] == 2'd0)",
        "s_axi_awaddr[1:0] == 2'd0",
        "1'b1",
    ),
    bus(
        "a write does not wait for its data",
        "assign write_now = s_axi_awvalid & s_axi_wvalid &",
        "s_axi_awvalid & s_axi_wvalid",
        "s_axi_awvalid",
    ),
    bus(
        "a write does not wait for the last answer",
        "(~s_axi_bvalid_q | s_axi_bready)",
        "~s_axi_bvalid_q | s_axi_bready",
        "1'b1",
    ),
    bus(
        "no write while an answer is taken",
        "(~s_axi_bvalid_q | s_axi_bready)",
        "~s_axi_bvalid_q | s_axi_bready",
        "~s_axi_bvalid_q",
    ),
    bus(
        "the answer to a write lasts one cycle",
        "(s_axi_bvalid_q & ~s_axi_bready)",
        "s_axi_bvalid_q & ~s_axi_bready",
        "1'b0",
    ),
    bus("a refused write is done", "assign write_enable = write_now & writable;", "write_now & writable", "write_now"),
    bus(
        "a read does not wait for the last answer",
        "(~s_axi_rvalid_q | s_axi_rready)",
        "~s_axi_rvalid_q | s_axi_rready",
        "1'b1",
    ),
    bus(
        "there is a port behind the last",
        "(port_offset < PORT_BYTES)",
        "port_offset < PORT_BYTES",
        "port_offset <= PORT_BYTES",
    ),
    bus("a port has words behind its status", "(word_offset < WORD_BYTES)", "word_offset < WORD_BYTES", "1'b1"),
    bus(
        "the low address bits of a read do not matter",
        "(s_axi_araddr[1:0] == 2'd0)",
        "s_axi_araddr[1:0] == 2'd0",
        "1'b1",
    ),
    bus(
        "the ports come again at every 4096 bytes",
        "assign port_offset = s_axi_araddr - PORT_BASE;",
        "s_axi_araddr - PORT_BASE",
        "{4'd0, s_axi_araddr[11:0]}",
    ),
    bus("a refused read keeps the last word", "s_axi_rdata_d = 32'd0;", "32'd0", "s_axi_rdata_q"),
    bus("what is read is the word from before the answer", "if (answer) begin", "answer", "(reading_q & ~answer)"),
    bus("the geometry is read as the buffers", "s_axi_rdata_d = BUFFERS;", "BUFFERS", "GEOMETRY"),
    bus(
        "a read is taken while another is on its way",
        "assign read_now = s_axi_arvalid & ~reading_q &",
        "~reading_q",
        "1'b1",
    ),
    bus(
        "the address that is read chooses what is written",
        "assign write_address = s_axi_awaddr[11:2];",
        "s_axi_awaddr[11:2]",
        "s_axi_araddr[11:2]",
    ),
    bus(
        "the address that is written chooses what is read",
        "read_address_d = s_axi_araddr[15:2];",
        "s_axi_araddr[15:2]",
        "s_axi_awaddr[15:2]",
    ),
    bus("the answer to a read does not wait for its word", "assign s_axi_rvalid_d = answer |", "answer", "reading_q"),
    bus(
        "any word is waited for",
        "assign answer = reading_q & (~exists_q | (|constant_q) | read_done);",
        "~exists_q | (|constant_q) | read_done",
        "read_done",
    ),
    bus(
        "an address without a word is never answered",
        "assign answer = reading_q & (~exists_q | (|constant_q) | read_done);",
        "~exists_q",
        "1'b0",
    ),
    bus(
        "a word that comes is the answer to nothing",
        "assign answer = reading_q & (~exists_q | (|constant_q) | read_done);",
        "reading_q",
        "1'b1",
    ),
    bus("a read is over before its answer", "(reading_q & ~answer);", "reading_q & ~answer", "1'b0"),
    bus("a read is never over", "(reading_q & ~answer);", "~answer", "1'b1"),
    bus(
        "words of the bus are asked for elsewhere, too",
        "assign read_request_d = read_now & readable & (own == 2'd0);",
        "own == 2'd0",
        "1'b1",
    ),
    bus(
        "what is no word is asked for",
        "assign read_request_d = read_now & readable & (own == 2'd0);",
        "readable",
        "1'b1",
    ),
    bus("no word is asked for", "assign read_request = read_request_q;", "read_request_q", "1'b0"),
    bus(
        "the address goes on while its word is on the way",
        "assign read_address = read_address_q;",
        "read_address_q",
        "read_address_d",
    ),
    bus("a word is asked for through a reset", "read_request_q <= 1'b0;", "1'b0", "read_request_d"),
    bus(
        "the answer to a read is lost",
        "assign s_axi_rvalid_d = answer | (s_axi_rvalid_q & ~s_axi_rready);",
        "s_axi_rvalid_q & ~s_axi_rready",
        "1'b0",
    ),
    bus("the bus's own words go on into the next read", "constant_d = own;", "own", "(constant_q | own)"),
    bus("the words of others stand still", "default: s_axi_rdata_d = read_data;", "read_data", "s_axi_rdata_q"),
    bus(
        "an address without a word is readable once one was",
        "exists_d = readable;",
        "readable",
        "(readable | exists_q)",
    ),
    bus("the write data is what is read", "assign write_data = s_axi_wdata;", "s_axi_wdata", "read_data"),
];
