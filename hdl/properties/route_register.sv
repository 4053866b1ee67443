// `route_register`: what the routing unit says of the packet in the head register, one cycle later (docs/microarchitecture/routing.md).
//
// Promised: a route is shown of every packet that has not been accepted, one cycle after it stood in the head register; it is to be dropped if it is
// malformed or has no destination, or if there is no turn to any of the ports that it may go to, and then no port is shown; else the routing unit's answer is,
// but for ports without a turn; without a packet no port is shown.
module route_register_properties #(
    parameter PORTS = 2,
    parameter VCS = 2
) (
    input wire             clk,
    input wire             rst,
    input wire             head_valid,
    input wire             malformed,
    input wire             accept,
    input wire [PORTS-1:0] turns,
    input wire             routable,
    input wire [PORTS-1:0] new_adaptive,
    input wire [PORTS-1:0] new_deterministic,
    input wire [VCS-1:0]   new_adaptive_vcs,
    input wire [VCS-1:0]   new_deterministic_vcs,
    input wire             valid,
    input wire             drop,
    input wire [PORTS-1:0] adaptive,
    input wire [PORTS-1:0] deterministic,
    input wire [VCS-1:0]   adaptive_vcs,
    input wire [VCS-1:0]   deterministic_vcs
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    wire [PORTS-1:0] asked = new_adaptive | new_deterministic;
    wire no_turn = asked != 0 && (asked & turns) == 0;

    always @(posedge clk) begin
        if (began && $past(rst)) begin
            nothing_after_reset: assert (!valid && !drop && adaptive == 0 && deterministic == 0 && adaptive_vcs == 0 && deterministic_vcs == 0);
        end
        if (began && !$past(rst)) begin
            shown_if_it_was_not_accepted: assert (valid == $past(head_valid && !accept));
            dropped_if_malformed_or_lost: assert (drop == (valid && ($past(malformed) || !$past(routable) || $past(no_turn))));
            no_port_without_a_packet: assert (valid || (adaptive == 0 && deterministic == 0));
            no_port_if_dropped: assert (!drop || (adaptive == 0 && deterministic == 0));
            if (valid && !drop) begin
                the_answer_where_there_are_turns: assert (adaptive == $past(new_adaptive & turns) && deterministic == $past(new_deterministic & turns));
            end
            vcs_unaltered: assert (adaptive_vcs == $past(new_adaptive_vcs) && deterministic_vcs == $past(new_deterministic_vcs));
            a_route_is_shown: cover (valid && !drop && adaptive != 0 && deterministic != 0);
            a_lost_one_is_dropped: cover (drop && !$past(malformed) && !$past(no_turn));
            one_without_a_turn_is_dropped: cover (drop && !$past(malformed) && $past(routable));
            a_malformed_one_is_dropped: cover (drop && $past(routable));
            accepted: cover (!valid && $past(valid) && $past(head_valid));
        end
    end
endmodule
