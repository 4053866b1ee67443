//! Faults of the counters of a port, and of their turns.

use super::{VerilogFault, fault};

const fn counters(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault("port_counters", name, find, right, wrong)
}

const fn slots(name: &'static str, find: &'static str, right: &'static str, wrong: &'static str) -> VerilogFault {
    fault("counter_slots", name, find, right, wrong)
}

pub(super) const FAULTS: &[VerilogFault] = &[
    counters(
        "the last counter does not count",
        "for (c = 0; c < 12; c = c + 1) begin\n                if (counted[c])",
        "c < 12",
        "c < 11",
    ),
    counters("the word that is stored is that of before", "] <= word;", "word", "stored"),
    counters(
        "words are stored where the next one is fetched",
        "words_mem[write_slot] <= word;",
        "write_slot",
        "fetch_slot",
    ),
    slots(
        "words are stored at the slot that is fetched",
        "assign write_slot_d = fetch_slot_q;",
        "fetch_slot_q",
        "fetch_slot_d",
    ),
    slots("the turn is that of the word being fetched", "assign turn = turn_q;", "turn_q", "turn_d"),
];
