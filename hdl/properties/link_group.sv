// `link_group`: what docs/microarchitecture/mechanisms/alonso.md promises of which links of a group are to be on.
//
// "The check takes the highest active link and the lowest inactive one"; `above` is more than U_on a link that is on, `below` less than U_off, a constant or U_on (a - 1) / k with a of k links on; "`keep`: the last
// link must not go off", "one stays, or comes on"; "on wins over off"; neighbours' wishes; all links on at once; a start with the last one alone.
//
// Not covered: nothing; that flits are counted is said beside `flit_counter`.
module link_group_properties #(
    parameter BITS_flit = 2
) (
    input wire                 clk,
    input wire                 rst,
    input wire [BITS_flit-1:0] flit,
    input wire                 check,
    input wire                 sleeps,
    input wire                 dynamic,
    input wire [15:0]          on_flits,
    input wire [15:0]          off_flits,
    input wire                 keep,
    input wire [BITS_flit-1:0] neighbour_on,
    input wire [BITS_flit-1:0] neighbour_off,
    input wire                 all_on,
    input wire                 only_last,
    input wire [BITS_flit-1:0] active,
    input wire [23:0]          on_limit_q,
    input wire [28:0]          off_limit_q,
    input wire [23:0]          flit_counter_count
);
    localparam K = BITS_flit;
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // The limits: a threshold for each link that is on; for U_off a constant k of them each, for a dynamic one a U_on for each pair of different links that are on.
    reg [23:0] on_limit;
    reg [28:0] off_limit;
    integer i, j;
    always @* begin
        on_limit  = 24'd0;
        off_limit = 29'd0;
        for (i = 0; i < K; i = i + 1) begin
            if (active[i]) on_limit = on_limit + {8'd0, on_flits};
            for (j = 0; j < K; j = j + 1)
                if (dynamic ? active[i] && active[j] && i != j : active[i]) off_limit = off_limit + {13'd0, dynamic ? on_flits : off_flits};
        end
    end
    reg [28:0] weighted;
    always @* begin
        weighted = 29'd0;
        for (i = 0; i < K; i = i + 1) weighted = weighted + {5'd0, flit_counter_count};
    end

    // What the load calls for: the lowest link that is off, the highest that is on; going up, and going down.
    wire above = check && active != 0 && flit_counter_count > on_limit_q;
    wire below = check && (weighted < off_limit_q || (flit_counter_count == 0 && !keep));
    reg [K-1:0] lowest_off, highest_on, lowest_on;
    always @* begin
        lowest_off = {K{1'b0}};
        highest_on = {K{1'b0}};
        lowest_on  = {K{1'b0}};
        for (i = K - 1; i >= 0; i = i - 1) begin
            if (!active[i]) lowest_off = {{(K - 1){1'b0}}, 1'b1} << i;
            if (active[i])  lowest_on = {{(K - 1){1'b0}}, 1'b1} << i;
        end
        for (i = 0; i < K; i = i + 1)
            if (active[i]) highest_on = {{(K - 1){1'b0}}, 1'b1} << i;
    end
    wire free = sleeps && !all_on && !only_last;

    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_all_on: assert (&active && on_limit_q == 0 && off_limit_q == 0);
        end else begin
            on_limit_is_of_the_links_that_are_on: assert (on_limit_q == $past(on_limit));
            off_limit_is_of_the_links_that_are_on: assert (off_limit_q == $past(off_limit));
            all_on_at_once: assert (!$past(all_on || !sleeps) || &active);
            one_stays_or_comes_on: assert (!$past(keep) || active != 0);
            last_that_stays_is_the_lowest_that_was_on: assert (!$past(free && keep && (active & ~(neighbour_off | (below && !above ? highest_on : {K{1'b0}}))) == 0 && neighbour_on == 0 && !above)
                || active == $past(active != 0 ? lowest_on : {{(K - 1){1'b0}}, 1'b1}));
            neighbour_wants_it_on: assert ($past(!all_on && sleeps && neighbour_on == 0) || ($past(neighbour_on) & ~active) == 0);
            neighbour_wants_it_off: assert (!$past(free && !keep) || (active & $past(neighbour_off & ~neighbour_on & ~(above ? lowest_off : {K{1'b0}}))) == 0);
            above_is_the_lowest_more: assert (!$past(free && above) || ($past(lowest_off) & ~active) == 0);
            below_is_the_highest_less: assert (!$past(free && below && !above && neighbour_on == 0 && neighbour_off == 0 && !keep) || active == $past(active & ~highest_on));
            no_other_goes_off: assert (!$past(free) || ($past(active & ~neighbour_off & ~(below && !above ? highest_on : {K{1'b0}})) & ~active) == 0);
            no_other_comes_on: assert (!$past(free && (active != 0 || !keep)) || (active & ~$past(active | neighbour_on | (above ? lowest_off : {K{1'b0}}))) == 0);
            start_is_the_last_alone: assert (!$past(only_last && sleeps && !all_on && neighbour_on == 0 && !above) || active == {{(K - 1){1'b0}}, $past(keep)});
        end
        one_less_happens: cover (!$past(rst) && $past(free && below && !above && flit_counter_count == 3 && keep) && active != $past(active));
        dynamic_less_happens: cover (!$past(rst) && $past(free && dynamic && below && !above && flit_counter_count == 2) && active != $past(active));
        one_more_happens: cover (!$past(rst) && $past(free && above && neighbour_on == 0) && active != $past(active) && on_limit_q == 2);
        none_on_happens: cover (active == 0 && !rst);
        comes_on_by_keep_happens: cover (!$past(rst) && $past(free && keep && active == 0 && neighbour_on == 0) && active == 1);
    end
endmodule
