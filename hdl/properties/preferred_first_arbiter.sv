// `preferred_first_arbiter`: what docs/microarchitecture/arbiters.md promises of n requests in two classes.
//
// "The winner is the first preferred request at or after the pointer, cyclically; if there is none, the first request at or after the pointer,
// cyclically", "one pointer for both (Algorithm 1's `rrp`)", "one-hot winner, 0 if there is no request".
//
// Not covered: pointers that are not one-hot, which "are not used".
module preferred_first_arbiter_properties #(
    parameter BITS_request = 4
) (
    input wire [BITS_request-1:0] request,
    input wire [BITS_request-1:0] preferred,
    input wire [BITS_request-1:0] pointer,
    input wire [BITS_request-1:0] grant
);
    // "one-hot pointer; other codes are not used".
    always @* assume (pointer != 0 && (pointer & (pointer - 1'b1)) == 0);

    // Two searches from the pointer on, place by place: for a preferred request, for any.
    wire [BITS_request-1:0] first_class = request & preferred;
    reg  [BITS_request-1:0] preferred_place, place;
    integer i;
    always @* begin
        preferred_place = pointer;
        place           = pointer;
        for (i = 1; i < BITS_request; i = i + 1) begin
            if ((preferred_place & first_class) == 0) preferred_place = (preferred_place << 1) | (preferred_place >> (BITS_request - 1));
            if ((place & request) == 0)               place = (place << 1) | (place >> (BITS_request - 1));
        end
    end

    always @* begin
        grant_is_one_hot: assert ((grant & (grant - 1'b1)) == 0);
        grant_is_a_request: assert ((grant & ~request) == 0);
        grants_if_asked: assert ((grant != 0) == (request != 0));
        preferred_wins: assert (first_class == 0 || (grant & preferred) != 0);
        grant_is_the_first_preferred: assert (first_class == 0 || grant == (preferred_place & first_class));
        else_the_first_request: assert (first_class != 0 || grant == (place & request));
        preferred_before_nearer_happens: cover (first_class != 0 && (request & pointer) != 0 && grant != pointer);
        preferred_behind_the_end_happens: cover (first_class != 0 && grant < pointer);
        no_preferred_happens: cover (first_class == 0 && request != 0 && preferred != 0 && grant < pointer);
    end
endmodule
