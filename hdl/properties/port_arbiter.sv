// `port_arbiter`: what docs/microarchitecture/arbiters.md promises of an output port among the requesters that chose it.
//
// "`grant = free ? round_robin(request, pointer) : 0`; where a grant is made `pointer' = grant rotated up`", "one-hot pointer; reset 1; moves past the
// winner in every cycle with a grant". So a request that stays is granted with the R-th grant at the latest.
//
// Not covered: nothing.
module port_arbiter_properties #(
    parameter BITS_request = 4
) (
    input wire                    clk,
    input wire                    rst,
    input wire [BITS_request-1:0] request,
    input wire                    free,
    input wire [BITS_request-1:0] grant,
    input wire [BITS_request-1:0] pointer_q
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // The search of the round robin, place by place from the pointer on.
    reg [BITS_request-1:0] place;
    integer i;
    always @* begin
        place = pointer_q;
        for (i = 1; i < BITS_request; i = i + 1)
            if ((place & request) == 0) place = (place << 1) | (place >> (BITS_request - 1));
    end

    // Any one of the requesters; grants to others since it asks, and how far its place is behind the pointer.
    (* anyconst *) reg [6:0] one;
    always @* assume (one < BITS_request);
    wire asks = request[one];
    reg [6:0] passed_over, pointer_place, distance;
    always @(posedge clk)
        passed_over <= rst || !asks || grant[one] ? 7'd0 : grant != 0 ? passed_over + 7'd1 : passed_over;
    always @* begin
        pointer_place = 7'd0;
        for (i = 1; i < BITS_request; i = i + 1)
            if (pointer_q[i]) pointer_place = i;
        distance = one >= pointer_place ? one - pointer_place : one + BITS_request - pointer_place;
    end

    always @* if (began) begin
        grant_is_one_hot: assert ((grant & (grant - 1'b1)) == 0);
        grant_is_a_request: assert ((grant & ~request) == 0);
        no_grant_while_held: assert (free || grant == 0);
        grants_if_asked: assert (!free || (grant != 0) == (request != 0));
        grant_is_the_first_from_the_pointer_on: assert (!free || grant == (place & request));
        pointer_is_one_hot: assert (pointer_q != 0 && (pointer_q & (pointer_q - 1'b1)) == 0);
        served_within_n_grants: assert (passed_over < BITS_request);
        next_grant_is_its_own_after_the_others: assert (!(asks && passed_over == BITS_request - 1) || grant[one] || grant == 0);
    end
    // What induction needs: with every grant to another the pointer comes nearer.
    always @* if (began) pointer_comes_nearer: assert (passed_over + distance < BITS_request);

    always @(posedge clk) if (began) begin
        pointer_begins_at_0: assert (!$past(rst) || pointer_q == 1);
        pointer_moves_past_the_winner: assert ($past(rst || grant == 0)
            || pointer_q == (($past(grant) << 1) | ($past(grant) >> (BITS_request - 1))));
        pointer_stays_without_grant: assert ($past(rst || grant != 0) || pointer_q == $past(pointer_q));
        longest_wait_happens: cover (passed_over == BITS_request - 1 && grant[one]);
        held_port_happens: cover (!free && request != 0);
        pointer_turns_happens: cover (pointer_q == 1 && $past(grant[BITS_request-1] && !rst));
    end
endmodule
