// `vc_arbiter`: what docs/microarchitecture/arbiters.md promises of the virtual channels of an input port.
//
// "`pick`: one-hot: `round_robin(request, pointer)`"; "`pointer`: one-hot; reset 1; where `accept` is not 0: `accept` rotated up". So a request that stays
// is passed over by 2 (V - 1) packets at most: a pick is made before the accept of the one before has moved the pointer, so two searches take turns.
//
// Not covered: turns that a packet takes when it is overdue (two accepted in two cycles one after the other): the count begins anew with it.
module vc_arbiter_properties #(
    parameter BITS_request = 4
) (
    input wire                    clk,
    input wire                    rst,
    input wire [BITS_request-1:0] request,
    input wire [BITS_request-1:0] accept,
    input wire [BITS_request-1:0] pick,
    input wire [BITS_request-1:0] pointer_q
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);
    // "the VC whose packet was picked before and is now accepted, one-hot; 0 = none". In the allocator that is two cycles before (docs/microarchitecture/allocation.md,
    // stages 2 and 3: "`picked' = pick`", "`accept' = picked & serves`"), and a packet that is accepted does not ask in that cycle ("`waits` = ... & ~accept").
    reg [BITS_request-1:0] picked, picked_before;
    always @(posedge clk) begin
        picked        <= rst ? {BITS_request{1'b0}} : pick;
        picked_before <= rst ? {BITS_request{1'b0}} : picked;
    end
    always @* begin
        assume (accept == 0 || accept == picked_before);
        assume ((request & accept) == 0);
    end

    // The search of the round robin, place by place from the pointer on.
    reg [BITS_request-1:0] place;
    integer i;
    always @* begin
        place = pointer_q;
        for (i = 1; i < BITS_request; i = i + 1)
            if ((place & request) == 0) place = (place << 1) | (place >> (BITS_request - 1));
    end

    // Any one of the VCs; packets of others that were picked while it asked, and accepted while it still does.
    (* anyconst *) reg [3:0] one;
    always @* assume (one < BITS_request);
    wire asks = request[one];
    reg       asked_before, asked_2_before;
    reg       accepted_before;
    reg [4:0] passed_over;
    always @(posedge clk) begin
        asked_before   <= !rst && asks;
        asked_2_before <= !rst && asks && asked_before;
        accepted_before <= accept != 0;
        // "no input port has packets accepted in two cycles one after the other, unless the second one is overdue": that one comes out of turn.
        passed_over    <= rst || !asks || (accept != 0 && accepted_before) ? 5'd0 : accept != 0 && asked_2_before ? passed_over + 5'd1 : passed_over;
    end

    always @* if (began) begin
        pick_is_one_hot: assert ((pick & (pick - 1'b1)) == 0);
        pick_is_a_request: assert ((pick & ~request) == 0);
        picks_if_asked: assert ((pick != 0) == (request != 0));
        pick_is_the_first_from_the_pointer_on: assert (pick == (place & request));
        pointer_is_one_hot: assert (pointer_q != 0 && (pointer_q & (pointer_q - 1'b1)) == 0);
        served_within_two_rounds: assert (passed_over <= 2 * (BITS_request - 1));
    end

    always @(posedge clk) if (began) begin
        pointer_begins_at_0: assert (!$past(rst) || pointer_q == 1);
        pointer_moves_past_the_accepted: assert ($past(rst || accept == 0)
            || pointer_q == (($past(accept) << 1) | ($past(accept) >> (BITS_request - 1))));
        pointer_stays_without_accept: assert ($past(rst || accept != 0) || pointer_q == $past(pointer_q));
        longest_wait_happens: cover (passed_over >= BITS_request);
        accept_happens: cover (accept != 0 && pick != 0 && pick != accept);
        pick_behind_the_end_happens: cover (pick != 0 && pick < pointer_q);
    end
endmodule
