// `selector`: POWAR's Algorithm 1 as docs/microarchitecture/allocation.md and mechanisms/powar.md have it, transcribed as a search port by port, with pointers that are numbers.
//
// "Chooses an output port for one requester": among those of the adaptive set that may be given, ports that are preferred (awake) first, from `rrp` on; if there
// is none, those of the deterministic set, likewise from `drp` on where it may hold several ports (SETS = 1). "Latency: one cycle"; "a choice that is not
// granted is made afresh in every cycle"; "the pointer moves past the granted port only when an adaptive choice is used".
//
// "Parameter `next_routes`: in a cycle with `accept` the sets are those of the next packet already, so that a choice is made for it."
//
// "P = adaptive & {lowest .. N-1}": no port below LOWEST is one of P, whatever `adaptive` says of it.
//
// Not covered: deterministic sets of several ports where SETS = 0, and grants that are not one-hot ("the routing unit guarantees it").
module selector_properties #(
    parameter BITS_adaptive = 8,
    parameter SETS = 0,
    parameter LOWEST = 0,
    parameter NEXT_ROUTES = 0
) (
    input wire                     clk,
    input wire                     rst,
    input wire [BITS_adaptive-1:0] adaptive,
    input wire [BITS_adaptive-1:0] deterministic,
    input wire [BITS_adaptive-1:0] preferred,
    input wire                     accept,
    input wire [BITS_adaptive-1:0] granted,
    input wire                     granted_adaptive,
    input wire [BITS_adaptive-1:0] choice,
    input wire                     choice_adaptive,
    input wire [BITS_adaptive-1:0] rrp_q
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);
    always @* begin
        // "the port it is granted, one-hot; 0 if it is dropped".
        assume ((granted & (granted - 1'b1)) == 0);
        // "`single` (a fat-tree: D is empty or one port; the routing unit guarantees it, several ports in D would all be chosen)".
        assume (SETS != 0 || (deterministic & (deterministic - 1'b1)) == 0);
    end

    // "{lowest .. N-1}", and what is there.
    localparam [BITS_adaptive-1:0] OF_P = {BITS_adaptive{1'b1}} << LOWEST;
    wire [BITS_adaptive-1:0] p_set = adaptive & OF_P;
    wire granted_of_p = granted_adaptive && (granted & OF_P) != 0;

    // The pointers as numbers of ports, and where they are behind a port.
    reg [5:0] rr_place, d_place, granted_place, behind;
    integer   i;
    always @* begin
        granted_place = 6'd0;
        for (i = 0; i < BITS_adaptive; i = i + 1)
            if (granted[i]) granted_place = i;
        behind = granted_place == BITS_adaptive - 1 ? 6'd0 : granted_place + 6'd1;
    end
    always @(posedge clk) begin
        if (rst)                                               rr_place <= 6'd0;
        else if (accept && granted_of_p)                       rr_place <= behind;
        if (rst)                                               d_place <= 6'd0;
        else if (accept && !granted_adaptive && granted != 0)  d_place <= behind;
    end

    // The sets are of a packet that is gone.
    wire gone = accept && NEXT_ROUTES == 0;
    // The search: for each port, going down, whether it is the best so far; a preferred port is better than one that is not, else the one that is met first.
    function [BITS_adaptive-1:0] search(input [BITS_adaptive-1:0] candidates, input [BITS_adaptive-1:0] favoured, input [5:0] start);
        integer p;
        reg [BITS_adaptive-1:0] of_class, at_or_behind;
        begin
            of_class = (candidates & favoured) != 0 ? candidates & favoured : candidates;
            for (p = 0; p < BITS_adaptive; p = p + 1)
                at_or_behind[p] = of_class[p] && p >= start;
            if (at_or_behind != 0) of_class = at_or_behind;
            search = {BITS_adaptive{1'b0}};
            for (p = BITS_adaptive - 1; p >= 0; p = p - 1)
                if (of_class[p]) search = {{(BITS_adaptive - 1){1'b0}}, 1'b1} << p;
        end
    endfunction
    reg [BITS_adaptive-1:0] algorithm_1;
    always @* begin
        if (gone)                    algorithm_1 = {BITS_adaptive{1'b0}};
        else if (p_set != 0)         algorithm_1 = search(p_set, preferred, rr_place);
        else if (deterministic != 0) algorithm_1 = SETS != 0 ? search(deterministic, preferred, d_place) : deterministic;
        else                         algorithm_1 = {BITS_adaptive{1'b0}};
    end

    always @* if (began) begin
        choice_is_one_hot: assert ((choice & (choice - 1'b1)) == 0);
        rrp_is_one_hot: assert (rrp_q != 0 && (rrp_q & (rrp_q - 1'b1)) == 0);
        rrp_is_the_place: assert (rrp_q == {{(BITS_adaptive - 1){1'b0}}, 1'b1} << rr_place);
        no_choice_of_p_below_the_lowest: assert (!choice_adaptive || (choice & ~OF_P) == 0);
        adaptive_choice_is_one: assert (!choice_adaptive || choice != 0);
    end
    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_no_choice: assert (choice == 0 && !choice_adaptive && rrp_q == 1);
        end else begin
            choice_is_that_of_algorithm_1: assert (choice == $past(algorithm_1));
            choice_is_a_candidate: assert ((choice & ~$past(p_set | deterministic)) == 0);
            deterministic_only_without_adaptive: assert ($past(p_set) == 0 || (choice & ~$past(p_set)) == 0);
            chooses_if_it_can: assert ((choice != 0) == $past(!gone && (p_set | deterministic) != 0));
            awake_before_asleep: assert ($past(gone || (p_set & preferred) == 0) || (choice & $past(preferred)) != 0);
            no_fresh_choice_for_a_packet_that_is_gone: assert (!$past(gone) || choice == 0);
            choice_adaptive_says_so: assert (choice_adaptive == $past(!gone && p_set != 0));
            rrp_moves_past_the_granted: assert (!$past(accept && granted_of_p) || rrp_q == (($past(granted) << 1) | ($past(granted) >> (BITS_adaptive - 1))));
            rrp_stays_if_the_choice_is_not_used: assert ($past(accept && granted_of_p) || rrp_q == $past(rrp_q));
        end
        awake_choice_happens: cover (!$past(rst) && choice_adaptive && $past((p_set & ~preferred & rrp_q) != 0) && $past((p_set & preferred) != 0));
        asleep_choice_happens: cover (!$past(rst) && choice_adaptive && $past((p_set & preferred) == 0 && rr_place == BITS_adaptive - 1) && (choice >> LOWEST) == 1);
        deterministic_choice_happens: cover (!$past(rst) && !choice_adaptive && choice != 0);
        if (NEXT_ROUTES != 0) begin
            chosen_while_another_is_accepted: cover (!$past(rst) && $past(accept && granted != 0) && choice_adaptive && choice != $past(granted));
        end
        dropped_happens: cover (!$past(rst) && $past(accept && granted == 0 && choice != 0));
    end
endmodule
