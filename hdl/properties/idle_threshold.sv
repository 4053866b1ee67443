// `idle_threshold`: what docs/microarchitecture/mechanisms/perf_bound.md promises of the threshold that a port chooses, at full widths.
//
// "The first that is no more than `allowed` is the threshold of the next window, and the longest if there is none": said of any one threshold, as it is looked at. If its counter was no
// more than `allowed`, what is chosen is no longer; if it was more, it is not this one.
//
// Assumed of `look`, which comes from `window_search`: its `counters_follow_each_other` and `reset_looks_at_nothing`. Nothing is assumed of counters, gaps and `allowed`.
//
// Not covered: nothing.
module idle_threshold_properties (
    input wire        clk,
    input wire        rst,
    input wire [23:0] look,
    input wire [7:0]  count,
    input wire [23:0] idle,
    input wire [7:0]  allowed,
    input wire        may_sleep,
    input wire [23:0] threshold_q,
    input wire        seeks_q
);
    localparam [23:0] LONGEST = 24'h800000;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    reg  [23:0] was_look;
    always @(posedge clk) was_look <= rst ? 24'd0 : look;
    always @* if (began) assume (look == 24'd1 || look == {was_look[22:0], 1'b0});

    // Any one of the thresholds: the search under way, or the last one, has looked at it; whether it was cheap; whether no gap began in the window.
    (* anyconst *) reg [4:0] one;
    always @* assume (one < 24);
    wire [23:0] its_cycles = 24'd1 << one;
    wire        its_look = look == its_cycles;
    reg         looked, cheap, empty;
    reg  [23:0] threshold_before;
    always @(posedge clk) begin
        if (rst) looked <= 1'b0;
        else if (its_look) looked <= 1'b1;
        else if (look[0]) looked <= 1'b0;
        if (its_look) cheap <= count <= allowed;
        if (rst) empty <= 1'b0;
        else if (look[0]) empty <= count == 0;
        if (rst) threshold_before <= LONGEST;
        else if (look[0]) threshold_before <= threshold_q;
    end

    always @* if (began) begin
        threshold_is_a_power_of_two: assert (threshold_q != 0 && (threshold_q & (threshold_q - 24'd1)) == 0);
        may_sleep_from_the_threshold_on: assert (may_sleep == (idle >= threshold_q));
        no_longer_than_one_that_was_cheap: assert (!(looked && cheap && !empty) || (!seeks_q && threshold_q <= its_cycles));
        not_one_that_was_not: assert (!(looked && !cheap && !empty && !seeks_q) || threshold_q != its_cycles || threshold_q == LONGEST);
        without_a_gap_it_stays: assert (!empty || threshold_q == threshold_before);
        idle_port_sleeps_at_last: assert (!idle[23] || may_sleep);
    end
    always @(posedge clk) if (began) begin
        reset_is_the_longest: assert (!$past(rst) || (threshold_q == LONGEST && !seeks_q));
        another_one_is_one_that_is_looked_at: assert ($past(rst) || threshold_q == $past(threshold_q) || threshold_q == $past(look));
        longest_if_none_is_cheap: assert (!$past(look[23] && seeks_q && !rst) || threshold_q == LONGEST);
        search_is_over_behind_the_last: assert (!$past(look[23] && !rst) || !seeks_q);
    end

    // What induction needs.
    always @* if (began) begin
        seeks_while_counters_come: assert (!seeks_q || (was_look != 0 && !was_look[23]));
        seeks_with_a_gap_only: assert (!(seeks_q && empty));
        what_is_found_was_looked_at: assert (!(was_look != 0 && !empty && !seeks_q) || threshold_q <= was_look);
        looked_at_in_turn: assert (was_look == 0 || looked == (its_cycles <= was_look));
        counters_come_one_by_one: assert ((was_look & (was_look - 24'd1)) == 0);
    end

    always @(posedge clk) if (began && !$past(rst) && !rst) begin
        shorter_one_happens: cover (one == 3 && looked && cheap && !empty && threshold_q == 8);
        second_search_happens: cover (look == 4 && threshold_q == 2 && $past(threshold_q) == 1 && !empty);
        stays_without_a_gap: cover (empty && threshold_q == 2 && look == 4);
        longest_happens: cover ($past(look[23] && seeks_q) && threshold_q == LONGEST);
        nothing_is_allowed: cover (allowed == 0 && threshold_q == 4 && $past(look == 4) && looked);
    end
endmodule
