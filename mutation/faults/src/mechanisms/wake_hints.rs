//! Deliberate faults of hints, in the golden model and in the emitted Verilog.

mod golden;

use super::Entry;
use crate::verilog::{VerilogFault, fault, fault_at};
use powar_testbenches::test_switches::TestSwitch::LeastOccupied;

/// The line in the list of mechanisms.
pub(super) static ENTRY: Entry = Entry { golden: golden::FAULTS, verilog: VERILOG };

/// What a hint chooses from.
const REQUEST: &str = "assign pick_request = open_adaptive | (deterministic_q & grantable & ";

static VERILOG: &[&[VerilogFault]] = &[
    &[
        fault("hint_receiver", "any parity will do", "stored = ends & ~odd &", "~odd", "1'b1"),
        fault("hint_receiver", "the parity bit does not count", "assign odd = (^word_q) ^ hint_in;", "hint_in", "1'b0"),
        fault("hint_receiver", "a word is a bit short", "count_d = 5'd17;", "5'd17", "5'd16"),
        fault("hint_receiver", "a word covers the one that waits", "(~waiting_q | take)", "~waiting_q | take", "1'b1"),
        fault(
            "hint_receiver",
            "none comes in where one is taken",
            "(~waiting_q | take)",
            "~waiting_q | take",
            "~waiting_q",
        ),
        fault(
            "hint_receiver",
            "the highest bit comes first",
            "{hint_in, value[14:0]}",
            "{hint_in, value[14:0]}",
            "{word_q[14:0], hint_in}",
        ),
        fault(
            "hint_receiver",
            "a word goes on though nobody listens",
            "if (listens) begin",
            "listens",
            "listens | (|count_q)",
        ),
        fault("hint_receiver", "it waits for ever", "(waiting_q & ~take)", "waiting_q & ~take", "waiting_q"),
        fault(
            "hint_receiver",
            "a word that waits is told as dropped",
            "dropped = ends & ~stored",
            "ends & ~stored",
            "ends",
        ),
    ],
    &[
        fault("hint_sender", "a word is a bit short", "left_d = 5'd17;", "5'd17", "5'd16"),
        fault(
            "hint_sender",
            "the parity is odd",
            "{^queue_q[15:0], queue_q[15:0]}",
            "^queue_q[15:0]",
            "~^queue_q[15:0]",
        ),
        fault("hint_sender", "the start is 0", "assign hint = starts | (sends", "starts", "1'b0"),
        fault(
            "hint_sender",
            "a fifth word covers the fourth",
            "push & sends & (count_q != 3'd4)",
            "count_q != 3'd4",
            "1'b1",
        ),
        fault("hint_sender", "three places", "push & sends & (count_q != 3'd4)", "3'd4", "3'd3"),
        fault(
            "hint_sender",
            "the queue does not move up",
            "kept = {16'd0, queue_q[63:16]};",
            "{16'd0, queue_q[63:16]}",
            "queue_q",
        ),
        fault(
            "hint_sender",
            "a word that comes as one starts is put a place too high",
            "place = count_q - 3'd1;",
            "count_q - 3'd1",
            "count_q",
        ),
        fault("hint_sender", "what waits is kept without a lane", "assign count_d = sends ?", "sends", "1'b1"),
        fault("hint_sender", "words are sent without a lane", "assign starts = sends &", "sends", "1'b1"),
        fault(
            "hint_sender",
            "nothing is told as dropped",
            "assign dropped = push & ~stored;",
            "push & ~stored",
            "1'b0",
        ),
    ],
    &[
        fault(
            "hint_monitor",
            "a refresh is no sleep",
            "| (phase == PHASE_REFRESHING));",
            "(phase == PHASE_REFRESHING)",
            "1'b0",
        ),
        fault(
            "hint_monitor",
            "a port on its way to sleep is not woken",
            "((phase == PHASE_GOING_OFF) |",
            "(phase == PHASE_GOING_OFF)",
            "1'b0",
        ),
        fault("hint_monitor", "every cycle of the way to sleep counts", "foreseen_q & awake_q &", "awake_q", "1'b1"),
        fault(
            "hint_monitor",
            "every hint of a sleep wakes",
            "assign woke = wake & (~foreseen_q | unused)",
            "~foreseen_q | unused",
            "1'b1",
        ),
        fault(
            "hint_monitor",
            "none wakes what falls asleep unused",
            "assign woke = wake & (~foreseen_q | unused)",
            "~foreseen_q | unused",
            "~foreseen_q",
        ),
        fault("hint_monitor", "a packet does not end it", "foreseen_d = ~given &", "~given", "1'b1"),
        fault("hint_monitor", "it is counted again", "(foreseen_q & ~unused)", "~unused", "1'b1"),
        fault("hint_monitor", "it was asleep behind a reset", "awake_q    <= 1'b1;", "1'b1", "1'b0"),
    ],
    &[
        fault("hint_choice", "a set of nobody's hint", "routing_adaptive & {8{taken_q}}", "{8{taken_q}}", "8'hff"),
        fault("hint_choice", "D of nobody's hint", "routing_deterministic & {8{taken_q}}", "{8{taken_q}}", "8'hff"),
        // Only there both sets have ports.
        fault_at(LeastOccupied, "hint_choice", "D beside P", "& {8{~any_adaptive}}", "{8{~any_adaptive}}", "8'hff"),
        fault("hint_choice", "D may not be given", REQUEST, "grantable", "8'hff"),
        fault("hint_choice", "P may not be given", "open_adaptive = adaptive_q & grantable;", "grantable", "8'hff"),
        fault("hint_choice", "nothing is preferred", ".preferred (preferred)", "(preferred)", "8'd0"),
        fault(
            "hint_choice",
            "the address is a cycle early",
            "assign address_d = routed_address_q;",
            "routed_address_q",
            "taken_address_q",
        ),
        fault("hint_choice", "the hint of port 0 is taken for port 1's", "port_now | p[5:0]", "p[5:0]", "6'd1"),
        fault("hint_choice", "it searches from port 5 on", ".pointer   (8'd1)", "8'd1", "8'd32"),
    ],
    &[
        fault(
            "hint_registers",
            "only words that come in count as lost",
            "lost_now + {7'd0, refused[p]}",
            "refused[p]",
            "1'b0",
        ),
        fault(
            "hint_registers",
            "only words that go out count as lost",
            "lost_now + {7'd0, broken[p]}",
            "broken[p]",
            "1'b0",
        ),
        fault(
            "hint_registers",
            "ports that are woken count as unused",
            "hints_unused_q + {25'd0, idle_q}",
            "idle_q",
            "begun_q",
        ),
        fault("hint_registers", "the sideband can't be read", "({31'd0, sideband_q} << 1)", "sideband_q", "1'b0"),
        fault(
            "hint_registers",
            "the sideband goes with the hints",
            "sideband_d = write_data[1];",
            "write_data[1]",
            "write_data[0]",
        ),
        fault(
            "hint_registers",
            "a counter ends at 16 bits",
            "hints_woke_d = hints_woke_q + {25'd0, begun_q};",
            "hints_woke_q + {25'd0, begun_q}",
            "{16'd0, hints_woke_q[15:0]} + {25'd0, begun_q}",
        ),
        fault(
            "hint_registers",
            "a write of the lost ones adds up",
            "hints_dropped_d = write_data;",
            "write_data",
            "hints_dropped_q + write_data",
        ),
    ],
    &[
        fault(
            "node_hints",
            "every beat has a word",
            "assign sender_push = accept & opening_q;",
            "accept & opening_q",
            "accept",
        ),
        fault(
            "node_hints",
            "a beat that is not taken has one",
            "assign sender_push = accept & opening_q;",
            "accept",
            "s_axis_tvalid",
        ),
        fault(
            "node_hints",
            "only the first packet has one",
            "opening_d = accept ? s_axis_tlast :",
            "s_axis_tlast",
            "1'b0",
        ),
        fault(
            "node_hints",
            "the next packet begins at once",
            "opening_d = accept ? s_axis_tlast :",
            "s_axis_tlast",
            "1'b1",
        ),
        fault("node_hints", "no packet begins behind a reset", "opening_q <= 1'b1;", "1'b1", "1'b0"),
    ],
    &[
        fault(
            "wake_hints",
            "hints wake nothing",
            "assign ahead_given = given | choice_wake;",
            "given | choice_wake",
            "given",
        ),
        fault(
            "wake_hints",
            "what a hint woke is not preferred",
            "assign preferred = ahead_preferred | monitor_foreseen;",
            "ahead_preferred | monitor_foreseen",
            "ahead_preferred",
        ),
        fault(
            "wake_hints",
            "hints do not prefer it",
            "assign choice_preferred = ahead_preferred | monitor_foreseen;",
            "ahead_preferred | monitor_foreseen",
            "ahead_preferred",
        ),
        fault(
            "wake_hints",
            "only Ahead's words are read",
            "assign read_data = ahead_read_data | registers_read_data;",
            "ahead_read_data | registers_read_data",
            "ahead_read_data",
        ),
        fault(
            "wake_hints",
            "a lane of a draining port is not listened to",
            "(neighbour_phase[p*3 +: 3] == PHASE_DRAINING)",
            "(neighbour_phase[p*3 +: 3] == PHASE_DRAINING)",
            "1'b0",
        ),
        fault(
            "wake_hints",
            "words are sent whatever the port does",
            "(phase[p*3 +: 3] == PHASE_ON)",
            "(phase[p*3 +: 3] == PHASE_ON)",
            "1'b1",
        ),
        fault("wake_hints", "a hint counts as a packet", ".given    (given[i])", "given[i]", "ahead_given[i]"),
        fault("wake_hints", "all lanes are that of port 0", ".hint_in     (hint_in[i])", "hint_in[i]", "hint_in[0]"),
    ],
];
