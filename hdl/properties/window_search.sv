// `window_search`: what docs/microarchitecture/mechanisms/perf_bound.md promises of windows and of what is looked at behind them, at the full width of a period.
//
// "One bit or none"; "counter b of each port counts from its look in one window to that in the next, `period` cycles": each bit follows the one below it, and the first of them comes once a
// window. Cycles of a window are counted here beside the block, whatever is written meanwhile; what lasts exactly so long, for a period that stays.
//
// Not covered: nothing.
module window_search_properties (
    input wire        clk,
    input wire        rst,
    input wire [23:0] period,
    input wire [23:0] look,
    input wire [23:0] look_q,
    input wire [23:0] count_q
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Cycles of this window, this one with them, from the cycle behind a reset or from a look at the first counter on; and whether the period has been the same in all of them.
    reg         behind_reset;
    reg  [24:0] cycles_before;
    reg  [23:0] period_before;
    reg         stayed_before;
    wire        begins = behind_reset || look[0];
    wire [24:0] cycles = begins ? 25'd1 : cycles_before + 25'd1;
    wire        stayed = begins || (stayed_before && period == period_before);
    always @(posedge clk) begin
        behind_reset  <= rst;
        cycles_before <= cycles;
        period_before <= period;
        stayed_before <= stayed;
    end
    wire [24:0] length = period == 0 ? 25'd1 : {1'b0, period};

    always @* if (began) begin
        look_is_the_register: assert (look == look_q);
        one_counter_or_none: assert ((look & (look - 24'd1)) == 0);
        count_is_of_cycles_passed: assert ({1'b0, count_q} + 25'd1 == cycles);
        no_window_is_longer_than_the_period: assert (!stayed || cycles <= length);
        no_window_is_longer_than_the_register: assert (cycles <= 25'h1000000);
    end
    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_looks_at_nothing: assert (look == 0 && count_q == 0);
        end else begin
            window_lasts_exactly_the_period: assert (!(look[0] && $past(stayed)) || $past(cycles) == $past(length));
            window_ends_no_earlier: assert (!look[0] || $past(cycles) >= $past(length));
            search_begins_behind_the_window: assert (look[0] == ($past(cycles) >= $past(length)));
            counters_follow_each_other: assert (look[0] ? look == 24'd1 : look == {$past(look[22:0]), 1'b0});
        end
    end

    always @(posedge clk) if (began && !$past(rst) && !rst) begin
        window_happens: cover (look[0] && $past(stayed) && $past(period) == 6);
        search_is_begun_anew: cover (look[0] && $past(look[4]));
        search_in_every_cycle_happens: cover (look[0] && $past(look[0]) && period == 0);
        shorter_period_happens: cover (look[0] && $past(cycles) > $past(length));
    end
endmodule
