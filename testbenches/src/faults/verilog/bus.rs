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
        "there is a register behind the last",
        "(write_offset < CONTROL_BYTES)",
        "write_offset < CONTROL_BYTES",
        "write_offset <= CONTROL_BYTES",
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
    bus(
        "a refused write is done",
        "assign registers_write_enable = write_now & writable;",
        "write_now & writable",
        "write_now",
    ),
    bus(
        "a read does not wait for the last answer",
        "(~s_axi_rvalid_q | s_axi_rready)",
        "~s_axi_rvalid_q | s_axi_rready",
        "1'b1",
    ),
    bus("there is a port behind the last", "(port < PORTS)", "port < PORTS", "port <= PORTS"),
    bus("a port has words behind its status", "(offset < PORT_BYTES)", "offset < PORT_BYTES", "1'b1"),
    bus(
        "the low address bits of a read do not matter",
        "(s_axi_araddr[1:0] == 2'd0)",
        "s_axi_araddr[1:0] == 2'd0",
        "1'b1",
    ),
    bus(
        "the ports come again at every 4096 bytes",
        "(s_axi_araddr - PORT_BASE) >> OFFSET_BITS",
        "(s_axi_araddr - PORT_BASE)",
        "{4'd0, s_axi_araddr[11:0]}",
    ),
    bus("a refused read keeps the last word", "s_axi_rdata_d = word;", "word", "readable ? word : s_axi_rdata_q"),
    bus(
        "refresh and quiet cycles are swapped",
        "picked = refresh_cycles[p*32 +: 32];",
        "refresh_cycles[p*32 +: 32]",
        "quiet_cycles[p*32 +: 32]",
    ),
    bus(
        "awake and selectable are swapped in the status",
        "{selectable[p], awake[p], busy[p], state}",
        "{selectable[p], awake[p], busy[p], state}",
        "{awake[p], selectable[p], busy[p], state}",
    ),
    bus("the power states overlap", "state = power_state[p*2 +: 2];", "power_state[p*2 +: 2]", "power_state[p +: 2]"),
    bus(
        "the address that is read chooses what is written",
        ".write_address    (s_axi_awaddr[5:2]),",
        "s_axi_awaddr[5:2]",
        "s_axi_araddr[5:2]",
    ),
];
