// `round_robin_arbiter`: what docs/microarchitecture/arbiters.md promises of n requests in one class.
//
// "The winner is the first request at or after the pointer, cyclically", "one-hot winner, 0 if there is no request". Written as the search that the page
// describes, place by place from the pointer on.
//
// Not covered: pointers that are not one-hot, which "are not used".
module round_robin_arbiter_properties #(
    parameter BITS_request = 4
) (
    input wire [BITS_request-1:0] request,
    input wire [BITS_request-1:0] pointer,
    input wire [BITS_request-1:0] grant
);
    // "one-hot pointer; other codes are not used".
    always @* assume (pointer != 0 && (pointer & (pointer - 1'b1)) == 0);

    // Where the search stands: the pointer, moved on place by place until there is a request.
    reg [BITS_request-1:0] place;
    integer i;
    always @* begin
        place = pointer;
        for (i = 1; i < BITS_request; i = i + 1)
            if ((place & request) == 0) place = (place << 1) | (place >> (BITS_request - 1));
    end

    always @* begin
        grant_is_one_hot: assert ((grant & (grant - 1'b1)) == 0);
        grant_is_a_request: assert ((grant & ~request) == 0);
        grants_if_asked: assert ((grant != 0) == (request != 0));
        grant_is_the_first_from_the_pointer_on: assert (grant == (place & request));
        request_at_the_pointer_wins: assert ((request & pointer) == 0 || grant == pointer);
        grant_behind_the_end_happens: cover (grant != 0 && grant < pointer);
        grant_past_others_happens: cover (grant > pointer && (request & (pointer - 1'b1)) != 0);
        no_request_happens: cover (grant == 0);
    end
endmodule
