// `load_predictor`: what docs/microarchitecture/mechanisms/soteriou_peh.md promises of the predicted load of a router and its thresholds (equations 4 and 5).
//
// The predictions, `stage` and the terms, equation by equation, in the widths of the page; and what they are for: "without a division `below` is 0.7 U_buffer + 0.3 U_link < threshold
// for the predicted sums: both sides are multiplied by 10 B T P_in P_out. A load that is equal to a threshold is neither."
// Products are added up of 16 bits by 16, since solvers cannot multiply; the sums are those of the block.
// Assumed: "P_in and P_out, 0..64"; "less than 4 counts as 4": checks are 4 cycles or more apart.
// Not covered: nothing.
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module load_predictor_properties #(
    parameter VC_FLITS = 9,
    parameter VCS = 3
) (
    input wire        clk,
    input wire        rst,
    input wire        check,
    input wire [35:0] filled,
    input wire [23:0] flits,
    input wire [6:0]  in_ports,
    input wire [6:0]  out_ports,
    input wire [1:0]  sleep_index,
    input wire [1:0]  wake_index,
    input wire [19:0] sleep_load,
    input wire [19:0] sleep_step,
    input wire [19:0] wake_load,
    input wire [19:0] wake_step,
    input wire [2:0]  stage,
    input wire [35:0] past_filled,
    input wire        below,
    input wire        above,
    input wire [23:0] past_flits_q,
    input wire [6:0]  ins_q,
    input wire [6:0]  outs_q,
    input wire [47:0] buffer_load_q,
    input wire [35:0] link_load_q,
    input wire [21:0] sleep_threshold_q,
    input wire [21:0] wake_threshold_q,
    input wire [24:0] places_q,
    input wire [47:0] sleep_gap_q,
    input wire [47:0] wake_gap_q,
    input wire        over_q
);
    // "B, flits of an input buffer".
    localparam [15:0] B = VCS * VC_FLITS;
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);
    always @* assume (in_ports <= 7'd64 && out_ports <= 7'd64);
    // Cycles since the last check, 4 at most.
    reg [2:0] since;
    always @(posedge clk) since <= rst ? 3'd4 : check ? 3'd1 : since == 4 ? 3'd4 : since + 3'd1;
    always @* if (began) assume (!check || since == 4);

    // A number times one of 16 bits, and times one of more, each in 48: places times a threshold, seven fills and flits of a buffer stay below 2^48.
    function [31:0] product(input [15:0] a, input [15:0] b);
        product = a * b;
    endfunction
    function [47:0] times(input [15:0] factor, input [47:0] number);
        times = ({product(number[47:32], factor), 32'd0} | product(number[15:0], factor)) + {product(number[31:16], factor), 16'd0};
    endfunction
    function [47:0] wide_times(input [31:0] factor, input [31:0] number);
        wide_times = ({product(factor[31:16], number[31:16]), 32'd0} | product(factor[15:0], number[15:0]))
            + {{16'd0, product(factor[15:0], number[31:16])} + product(factor[31:16], number[15:0]), 16'd0};
    endfunction
    reg [21:0] sleep_loads, wake_less;
    always @* begin
        sleep_loads = sleep_load;
        if (sleep_index[0]) sleep_loads = sleep_loads + sleep_step;
        if (sleep_index[1]) sleep_loads = sleep_loads + {sleep_step, 1'b0};
        wake_less = 22'd0;
        if (wake_index[0]) wake_less = wake_less + wake_step;
        if (wake_index[1]) wake_less = wake_less + {wake_step, 1'b0};
    end
    wire [21:0] wake_rest = wake_load - wake_less;
    wire [21:0] wake_loads = wake_load > wake_less ? wake_rest : 0;
    wire [47:0] seven_fills = {9'd0, past_filled, 3'd0} - past_filled;
    wire [31:0] three_flits = {past_flits_q, 1'b0} + past_flits_q;
    wire [37:0] filled_sum = {filled, 1'b0} + filled + past_filled;
    wire [25:0] flits_sum = {flits, 1'b0} + flits + past_flits_q;
    wire [15:0] ports = ins_q * outs_q;
    wire [47:0] buffers = times(outs_q, seven_fills);
    wire [35:0] links = times(ins_q, three_flits);
    wire [31:0] places = product(ports, B);
    wire [47:0] sleep_limit = wide_times(places_q, sleep_threshold_q), wake_limit = wide_times(places_q, wake_threshold_q);
    wire [47:0] of_links = times(B, link_load_q);
    // What is compared in the cycle of `stage[2]`: nothing of it changes before.
    reg [47:0] sleep_limit_then, wake_limit_then, of_links_then;
    always @(posedge clk) if (stage[1]) begin
        sleep_limit_then <= sleep_limit;
        wake_limit_then  <= wake_limit;
        of_links_then    <= of_links;
    end

    // In the third cycle behind a check: both sides of the comparison, as the sums, ports and thresholds of the check give them.
    wire [48:0] load = buffer_load_q + of_links_then;
    wire        decides = stage[2];

    always @* if (began) begin
        decides_in_the_third_cycle: assert (stage == {since == 3, since == 2, since == 1});
        below_is_the_inequality: assert (below == (decides && load < sleep_limit_then));
        above_is_the_inequality: assert (above == (decides && load > wake_limit_then));
        // Auxiliary: what the count of cycles can be.
        since_is_a_count: assert (since >= 1 && since <= 4);
        neither_else: assert (decides || (!below && !above));
        ports_are_1_at_least: assert (ins_q >= 1 && ins_q <= 64 && outs_q >= 1 && outs_q <= 64);
    end
    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_0: assert (stage == 0 && past_filled == 0 && past_flits_q == 0 && ins_q == 1 && outs_q == 1 && buffer_load_q == 0 && link_load_q == 0);
            reset_limits_are_0: assert (sleep_threshold_q == 0 && wake_threshold_q == 0 && places_q == 0 && sleep_gap_q == 0 && wake_gap_q == 0 && !over_q);
        end else begin
            check_predicts: assert (!$past(check) || (past_filled == $past(filled_sum[37:2]) && past_flits_q == $past(flits_sum[25:2])));
            check_counts_ports: assert (!$past(check) || (ins_q == ($past(in_ports) == 0 ? 1 : $past(in_ports)) && outs_q == ($past(out_ports) == 0 ? 1 : $past(out_ports))));
            only_a_check_does: assert ($past(check) || (past_filled == $past(past_filled) && past_flits_q == $past(past_flits_q) && ins_q == $past(ins_q) && outs_q == $past(outs_q)));
            loads_one_cycle_behind: assert (!$past(stage[0]) || (buffer_load_q == $past(buffers) && link_load_q == $past(links)));
            sleep_threshold_one_cycle_behind: assert (!$past(stage[0]) || sleep_threshold_q == $past(sleep_loads));
            wake_threshold_one_cycle_behind: assert (!$past(stage[0]) || wake_threshold_q == $past(wake_loads));
            places_one_cycle_behind: assert (!$past(stage[0]) || places_q == $past(places[24:0]));
            only_then: assert ($past(stage[0]) || (buffer_load_q == $past(buffer_load_q) && link_load_q == $past(link_load_q) && sleep_threshold_q == $past(sleep_threshold_q) && wake_threshold_q == $past(wake_threshold_q) && places_q == $past(places_q)));
            sleep_gap_two_cycles_behind: assert (!$past(stage[1]) || sleep_gap_q == (sleep_limit_then > of_links_then ? sleep_limit_then - of_links_then : 0));
            wake_gap_two_cycles_behind: assert (!$past(stage[1]) || wake_gap_q == (wake_limit_then > of_links_then ? wake_limit_then - of_links_then : 0));
            over_two_cycles_behind: assert (!$past(stage[1]) || over_q == (of_links_then > wake_limit_then));
            only_two_behind: assert ($past(stage[1]) || (sleep_gap_q == $past(sleep_gap_q) && wake_gap_q == $past(wake_gap_q) && over_q == $past(over_q)));
        end
        is_below: cover (below && buffer_load_q != 0 && link_load_q != 0);
        is_above: cover (above && !over_q && wake_limit_then != 0);
        links_alone_are_above: cover (above && over_q && buffer_load_q == 0);
        is_equal: cover (decides && !below && !above && load != 0 && load == sleep_limit_then);
        no_port_is_active: cover (!$past(rst) && $past(check && in_ports == 0) && past_filled != 0);
    end
endmodule
