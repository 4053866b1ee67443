// `hint_monitor`: what foresight was good for at a port (docs/microarchitecture/mechanisms/wake_hints.md).
//
// A port that a hint wakes is owed a packet. `owed` follows that here as the page's meanings of `woke`, `given` and `unused` say it, and `counted` that its sleep
// without a packet has been told: once, at the first cycle of that sleep, and not again before the next hint wakes it.
//
// Assumed: nothing, but that a solver begins with a reset.
module hint_monitor_properties (
    input wire       clk,
    input wire       rst,
    input wire       wake,
    input wire       given,
    input wire [2:0] phase,
    input wire       woke,
    input wire       unused,
    input wire       foreseen,
    input wire       awake_q
);
    localparam [2:0] ON = 3'd0, GOING_OFF = 3'd1, OFF = 3'd2, REFRESHING = 3'd4;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    wire asleep = phase == GOING_OFF || phase == OFF || phase == REFRESHING;
    reg  was_on;
    wire falls_asleep = was_on && phase == GOING_OFF;
    reg  owed, told;
    always @(posedge clk) begin
        was_on <= rst || phase == ON;
        if (rst || given) owed <= 1'b0;
        else if (wake && asleep) owed <= 1'b1;
        else if (falls_asleep) owed <= 1'b0;
        if (rst || given || (wake && asleep)) told <= 1'b0;
        else if (unused) told <= 1'b1;
    end

    // Ports that were woken, less those that a packet came for and those that are counted as unused.
    reg [3:0] open;
    always @(posedge clk) begin
        if (rst) open <= 4'd0;
        else open <= open + {3'd0, woke} - {3'd0, unused} - {3'd0, given && (woke || (foreseen && !unused))};
    end

    always @* if (began) begin
        a_hint_wakes_what_sleeps: assert (woke == (wake && asleep && !(owed && !falls_asleep)));
        as_many_are_woken_as_used_or_counted: assert (open == {3'd0, owed});
        foreseen_until_a_packet_or_a_sleep: assert (foreseen == owed);
        a_sleep_without_a_packet_is_counted: assert (unused == (owed && falls_asleep));
        it_is_counted_once: assert (!(unused && told));
        no_count_without_a_hint: assert (!unused || foreseen);
        // Auxiliary.
        knows_whether_it_was_on: assert (awake_q == was_on);
        told_of_none_that_is_owed: assert (!(owed && told));
    end
    always @(posedge clk) if (began && $past(rst)) begin
        nothing_is_foreseen_behind_a_reset: assert (!foreseen);
    end
    always @(posedge clk) if (began && !$past(rst)) begin
        a_packet_ends_it: assert (!$past(given) || !foreseen);
    end

    always @* if (began && !rst) begin
        woken_in_vain: cover (unused);
        woken_for_a_packet: cover (foreseen && given && phase == ON);
        woken_again_when_it_falls_asleep: cover (unused && woke);
    end
endmodule
