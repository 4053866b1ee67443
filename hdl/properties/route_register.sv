// `route_register`: what the routing unit says of the packet in the head register, one cycle later (docs/microarchitecture/routing.md).
//
// Promised: a route is shown of every packet that has not been accepted, one cycle after it stood in the head register; it is to be dropped if it is
// malformed or has no destination, or if there is no turn to any of the ports that it may go to, and then no port is shown; else the routing unit's answer is,
// but for ports without a turn; without a packet no port is shown. With next routes (NEXT_ROUTES = 1) two packets may wait, whose routes are shown
// one after the other, in the order in which they left the head register, none of them lost, none twice: of the second one from the cycle on in which the first is accepted.
// Assumed with next routes, in the page's words: "`accept` comes only if `valid`, `head_valid` only if `has_place`".
module route_register_properties #(
    parameter PORTS = 2,
    parameter VCS = 2,
    parameter NEXT_ROUTES = 0
) (
    input wire             clk,
    input wire             rst,
    input wire             head_valid,
    input wire             malformed,
    input wire [9:0]       new_length,
    input wire             accept,
    input wire [PORTS-1:0] turns,
    input wire             routable,
    input wire [PORTS-1:0] new_adaptive,
    input wire [PORTS-1:0] new_deterministic,
    input wire [VCS-1:0]   new_adaptive_vcs,
    input wire [VCS-1:0]   new_deterministic_vcs,
    input wire             has_place,
    input wire [9:0]       length,
    input wire             valid,
    input wire             drop,
    input wire [PORTS-1:0] adaptive,
    input wire [PORTS-1:0] deterministic,
    input wire [VCS-1:0]   adaptive_vcs,
    input wire [VCS-1:0]   deterministic_vcs
);
    localparam HAS_NEXT = NEXT_ROUTES != 0;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);
    reg ran = 1'b0;
    always @(posedge clk) ran <= began && !rst;

    wire [PORTS-1:0] asked = new_adaptive | new_deterministic;
    wire no_turn = asked != 0 && (asked & turns) == 0;

    // Routes that wait, the oldest one first; without next routes the one of the cycle before, unless it was accepted then.
    localparam BITS = 13 + 2*PORTS + 2*VCS;
    wire [BITS-1:0] answer = {new_length, malformed, !routable, no_turn, new_adaptive & turns, new_deterministic & turns, new_adaptive_vcs, new_deterministic_vcs};
    reg [BITS-1:0] first, second;
    reg [1:0] waiting;
    wire [1:0] stay = HAS_NEXT ? waiting - {1'b0, accept} : 2'd0;
    wire comes = HAS_NEXT ? head_valid : head_valid && !accept;
    always @(posedge clk) begin
        waiting <= rst ? 2'd0 : stay + {1'b0, comes};
        if (stay == 2'd0) first <= answer;
        else if (accept) first <= second;
        if (stay == 2'd1) second <= answer;
    end
    always @* if (began && HAS_NEXT) begin
        assume (!accept || waiting != 2'd0);
        assume (!head_valid || has_place);
    end

    // The one that is to be shown, and its answer.
    wire second_shown = HAS_NEXT && accept;
    wire there = second_shown ? waiting == 2'd2 : waiting != 2'd0;
    wire [9:0] its_length, own_length = first[BITS-1 -: 10];
    wire its_malformed, its_unroutable, its_no_turn;
    wire [PORTS-1:0] its_adaptive, its_deterministic;
    wire [VCS-1:0] its_adaptive_vcs, its_deterministic_vcs;
    assign {its_length, its_malformed, its_unroutable, its_no_turn, its_adaptive, its_deterministic, its_adaptive_vcs, its_deterministic_vcs} = second_shown ? second : first;

    always @(posedge clk) if (began && $past(rst)) begin
        nothing_after_reset: assert (!valid && !drop && adaptive == 0 && deterministic == 0 && adaptive_vcs == 0 && deterministic_vcs == 0 && length == 10'd0);
    end
    always @* begin
        if (began && !rst && ran) begin
            shown_if_it_was_not_accepted: assert (valid == there);
            dropped_if_malformed_or_lost: assert (drop == (valid && (its_malformed || its_unroutable || its_no_turn)));
            no_port_without_a_packet: assert (valid || (adaptive == 0 && deterministic == 0));
            no_port_if_dropped: assert (!drop || (adaptive == 0 && deterministic == 0));
            if (valid && !drop) begin
                the_answer_where_there_are_turns: assert (adaptive == its_adaptive && deterministic == its_deterministic);
            end
            vcs_unaltered: assert (HAS_NEXT && !valid || (adaptive_vcs == its_adaptive_vcs && deterministic_vcs == its_deterministic_vcs));
            if (HAS_NEXT) begin
                a_place_unless_two_wait_on: assert (has_place == (stay != 2'd2));
                length_until_it_is_accepted: assert (waiting == 2'd0 || length == own_length);
            end
        end
    end
    always @* if (began && !rst && ran) begin
        a_route_is_shown: cover (valid && !drop && adaptive != 0 && deterministic != 0);
        a_lost_one_is_dropped: cover (drop && !its_malformed && !its_no_turn);
        one_without_a_turn_is_dropped: cover (drop && !its_malformed && !its_unroutable);
        a_malformed_one_is_dropped: cover (drop && !its_unroutable);
        if (HAS_NEXT) begin
            one_goes_and_two_are_shown: cover (accept && waiting == 2'd2 && head_valid && valid && !drop);
            no_place: cover (!has_place);
        end else begin
            accepted: cover (!valid && was_valid && was_head_valid);
        end
    end
    reg was_valid, was_head_valid;
    always @(posedge clk) begin
        was_valid <= valid;
        was_head_valid <= head_valid;
    end
endmodule
