//! Faults of links between two clocks.

use super::{VerilogFault, fault};

const WRITE: &str = "if (sender_store) flit_memory_mem[sender_place] <= in_flit[i*32 +: 32];";
pub(super) const FAULTS: &[VerilogFault] = &[
    fault("synchroniser", "there is one flip-flop", "assign seen = second_q;", "second_q", "first_q"),
    fault("synchroniser", "the first flip-flop is passed by", "assign second_d = first_q;", "first_q", "value"),
    fault(
        "synchroniser",
        "the lowest bit passes the first flip-flop by",
        "assign second_d = first_q;",
        "first_q",
        "{first_q[3:1], value[0]}",
    ),
    fault("crossing_sender", "the first phase counts as told", "told_phase_d = in_phase;", "in_phase", "told_phase_q"),
    fault("link_crossing", "the receiver's half has the sender's clock", "(receive_clk),", "receive_clk", "send_clk"),
    fault(
        "link_crossing",
        "words of a flit are turned round",
        WRITE,
        "in_flit[i*32 +: 32]",
        "in_flit[(1 - i)*32 +: 32]",
    ),
    fault(
        "link_crossing",
        "an entry is read where one is stored",
        "if (receiver_fetch) entry_memory_q <= entry_memory_mem[receiver_place];",
        "receiver_place",
        "sender_place",
    ),
    fault(
        "link_crossing",
        "the sender sees its own entries as read",
        "(receiver_read_gray),\n        .credit_gray     (receiver_credit_gray),",
        "receiver_read_gray",
        "sender_written_gray",
    ),
    fault(
        "link_crossing",
        "credits of two virtual channels are swapped",
        ".credit_gray     (receiver_credit_gray),",
        "receiver_credit_gray",
        "{receiver_credit_gray[19:10], receiver_credit_gray[4:0], receiver_credit_gray[9:5]}",
    ),
    fault(
        "link_crossing",
        "a flit is a head flit if it has a hint",
        ".entry            (entry_memory_q),",
        "entry_memory_q",
        "{entry_memory_q[8:1], entry_memory_q[7]}",
    ),
];
