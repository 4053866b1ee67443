// `gap_histogram`: what docs/microarchitecture/mechanisms/perf_bound.md promises of the gaps of a port, at full widths.
//
// "Counter b goes up by one in the 2^b-th cycle of a gap"; "what this cycle counts is the next window's". Cycles of a gap are counted here beside the block, and how often one got to 2^b
// of them, for any one b.
//
// Assumed of `look`, which comes from `window_search`: its `one_counter_or_none`. Nothing is assumed of `in_use`.
//
// Not covered: nothing.
module gap_histogram_properties (
    input wire         clk,
    input wire         rst,
    input wire         in_use,
    input wire [23:0]  look,
    input wire [7:0]   looked,
    input wire [23:0]  idle,
    input wire [23:0]  gap_q,
    input wire [191:0] count_q
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);
    always @* assume ((look & (look - 24'd1)) == 0);

    // Cycles of this gap before this one, as far as they can matter.
    reg  [23:0] passed;
    always @(posedge clk) passed <= rst || in_use ? 24'd0 : passed == 24'hffffff ? passed : passed + 24'd1;

    // Any one of the counters: how often a gap got there since it was looked at.
    (* anyconst *) reg [4:0] one;
    always @* assume (one < 24);
    wire [7:0]  its_count = count_q >> {one, 3'd0};
    wire        its_look = look >> one;
    wire        gets_there = !in_use && {1'b0, passed} + 25'd1 == 25'd1 << one;
    reg  [7:0]  times;
    always @(posedge clk) begin
        if (rst) times <= 8'd0;
        else if (its_look) times <= {7'd0, gets_there};
        else if (times != 8'hff) times <= times + {7'd0, gets_there};
    end

    always @* if (began) begin
        gap_is_cycles_not_in_use: assert (gap_q == passed);
        idle_is_with_this_cycle: assert (idle == (passed == 24'hffffff ? passed : passed + 24'd1));
        counts_each_gap_that_gets_there_once: assert (its_count == times);
        what_is_looked_at_is_shown: assert (!its_look || looked == its_count);
        without_a_look_0_is_shown: assert (look != 0 || looked == 0);
    end
    always @(posedge clk) if (began) begin
        reset_is_no_gap_and_nothing_counted: assert (!$past(rst) || (gap_q == 0 && count_q == 0));
        use_ends_the_gap: assert (!$past(in_use) || gap_q == 0);
        a_look_begins_the_counter_anew: assert (!$past(its_look && !rst) || its_count <= 1);
        stops_at_255: assert (!$past(its_count == 8'hff && !its_look && !rst) || its_count == 8'hff);
    end

    always @(posedge clk) if (began && !$past(rst) && !rst) begin
        counted_twice_happens: cover (one == 2 && its_count == 2);
        counted_in_the_cycle_of_a_look: cover (one == 3 && its_count == 1 && $past(its_look) && $past(its_count) == 0);
        looked_at_happens: cover (its_look && one == 1 && looked == 2);
    end
endmodule
