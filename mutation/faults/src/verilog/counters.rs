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
        "a phase counts at any level",
        "assign counted[3] = (phase == 3'd4) & (level == 3'd0);",
        "(phase == 3'd4) & (level == 3'd0)",
        "phase == 3'd4",
    ),
    counters(
        "a phase that the mechanism does not name counts as Refreshing",
        "assign counted[3] = (phase == 3'd4) & (level == 3'd0);",
        "phase == 3'd4",
        "phase[2]",
    ),
    counters(
        "Refreshing counts as Off",
        "assign counted[2:0] = (3'd1 << phase) &",
        "3'd1 << phase",
        "3'd1 << (phase == 3'd4 ? 3'd2 : phase)",
    ),
    counters("the wrong phase is counted", "assign counted[4] = (phase == 3'd3) &", "phase == 3'd3", "phase == 3'd1"),
    counters(
        "wake-ups count the cycles of waking",
        "assign counted[11:5] = {error, departing, waking};",
        "{error, departing, waking}",
        "{error, departing, phase == 3'd3}",
    ),
    counters(
        "flits of ports that do not send are left out",
        "assign counted[11:5] = {error, departing, waking};",
        "{error, departing, waking}",
        "{error, departing & (phase == 3'd0), waking}",
    ),
    counters(
        "an error is not counted",
        "assign counted[11:5] = {error, departing, waking};",
        "{error, departing, waking}",
        "{error & 5'd15, departing, waking}",
    ),
    counters(
        "two errors are swapped",
        "assign counted[11:5] = {error, departing, waking};",
        "{error, departing, waking}",
        "{error[4:3], error[1], error[2], error[0], departing, waking}",
    ),
    counters("the last prescaler is not cleared", "prescaler_d = 96'd0;", "96'd0", "{prescaler_q[95:88], 88'd0}"),
    counters("the cycle of a clear is counted", "prescaler_d = 96'd0;", "96'd0", "{91'd0, counted[0] ? 5'd1 : 5'd0}"),
    counters("the clear is not looked at", "if (clear) begin", "clear", "1'b0"),
    counters("the prescalers have 3 bits", "+ 8'd1) & PRESCALER_MASK;", "PRESCALER_MASK", "(PRESCALER_MASK >> 1)"),
    counters(
        "the prescalers have more bits than are passed on",
        "+ 8'd1) & PRESCALER_MASK;",
        "PRESCALER_MASK",
        "8'd31",
    ),
    counters(
        "the last counter does not count",
        "for (c = 0; c < 12; c = c + 1) begin\n                if (counted[c])",
        "c < 12",
        "c < 11",
    ),
    counters("a prescaler survives a reset", "prescaler_q <= 96'd0;", "96'd0", "{88'd0, prescaler_q[7:0]}"),
    counters(
        "the prescaler behind that of the turn is taken",
        "8'd4: present = prescaler_q[39:32];",
        "prescaler_q[39:32]",
        "prescaler_q[47:40]",
    ),
    counters(
        "the first counter has the events of the second",
        "8'd0: present = prescaler_q[7:0];",
        "prescaler_q[7:0]",
        "prescaler_q[15:8]",
    ),
    counters("what was counted before a clear comes back", "assign now_d = clear ? 8'd0 : present;", "clear", "1'b0"),
    counters("what has gone on is that of this cycle", "(now_q - stored[7:0])", "now_q", "present"),
    counters("words are added to in the first round", "assign stored = !replace ? words_q", "!replace", "1'b1"),
    counters("words are never added to", "assign stored = !replace ? words_q", "!replace", "1'b0"),
    counters(
        "what has gone on is taken modulo 8",
        "assign gone_on = (now_q - stored[7:0]) & PRESCALER_MASK;",
        "PRESCALER_MASK",
        "8'd7",
    ),
    counters(
        "what a prescaler shows is added, not what it has gone on",
        "assign gone_on = (now_q - stored[7:0]) & PRESCALER_MASK;",
        "now_q - stored[7:0]",
        "now_q",
    ),
    counters(
        "words wrap at 8 bits",
        "assign word = stored + {24'd0, gone_on};",
        "stored + {24'd0, gone_on}",
        "(stored + {24'd0, gone_on}) & 32'hff",
    ),
    counters("the word that is stored is that of before", "] <= word;", "word", "stored"),
    counters(
        "words are stored where the next one is fetched",
        "words_mem[write_slot] <= word;",
        "write_slot",
        "fetch_slot",
    ),
    counters(
        "a word is fetched that is not asked for",
        "if (fetch) words_q <= words_mem[fetch_slot];",
        "(fetch)",
        "(1'b1)",
    ),
    slots("the last counter has no turn", "assign is_last = slot == LAST;", "LAST", "8'd10"),
    slots("a slot behind the last has a turn", "assign is_last = slot == LAST;", "LAST", "8'd12"),
    slots("a round is not begun by a clear", "{4{~(clear | is_last)}};", "clear | is_last", "is_last"),
    slots(
        "the number loses its carry",
        "assign fetch_slot_d = (fetch_slot_q ^ carry[3:0]) &",
        "carry[3:0]",
        "{2'd0, carry[1:0]}",
    ),
    slots(
        "words are stored at the slot that is fetched",
        "assign write_slot_d = fetch_slot_q;",
        "fetch_slot_q",
        "fetch_slot_d",
    ),
    slots("the turn is that of the word being fetched", "assign turn = turn_q;", "turn_q", "turn_d"),
    slots(
        "the first round lasts for ever",
        "assign fresh_d = clear | (fresh_q & ~is_last);",
        "fresh_q & ~is_last",
        "fresh_q",
    ),
    slots("a clear has no first round", "assign fresh_d = clear | (fresh_q & ~is_last);", "clear", "1'b0"),
    slots(
        "the word fetched before a clear is added to",
        "assign replace_d = clear | fresh_q;",
        "clear | fresh_q",
        "fresh_q",
    ),
    slots("the first round is added to", "assign replace_d = clear | fresh_q;", "clear | fresh_q", "clear"),
    slots("words are fetched in the first round", "assign fetch = ~fresh_q;", "~fresh_q", "1'b1"),
    slots("the turns go on through a reset", "turn_q       <= 12'b000000000001;", "12'b000000000001", "turn_d"),
    slots("a reset has no first round", "fresh_q      <= 1'b1;", "1'b1", "1'b0"),
];
