// `fat_tree_routing`: up on any port until the destination is below, then down (docs/microarchitecture/routing.md).
//
// Promised: a packet goes down if its destination is below this switch, to the subtree of the destination, from a folded root by either of two
// ports; else up, by any port; it keeps to the VC of its destination; nowhere if there is no such node.
// Assumed, in the page's words: "`position` is an address that exists (in a fat-tree: its digits above `stage`)"; "`stage` is at most n-1".
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module fat_tree_routing_properties #(
    parameter K = 2,
    parameter N = 2,
    parameter FOLDED = 0,
    parameter PORTS = 4,
    parameter LOWEST = 0,
    parameter VCS = 4
) (
    input wire [15:0]      position,
    input wire [3:0]       stage,
    input wire [15:0]      destination,
    input wire             routable,
    input wire [PORTS-1:0] adaptive,
    input wire [PORTS-1:0] deterministic,
    input wire [VCS-1:0]   adaptive_vcs,
    input wire [VCS-1:0]   deterministic_vcs
);
    localparam WIDTH = K <= 2 ? 1 : $clog2(K);
    localparam [63:0] ALL = (64'd1 << K) - 64'd1;

    function [15:0] digit(input [15:0] address, input integer place);
        digit = (address >> (place * WIDTH)) & ((1 << WIDTH) - 1);
    endfunction

    reg exists, there, below;
    integer j;
    always @* begin
        exists = N * WIDTH >= 16 || (destination >> (N * WIDTH)) == 0;
        there = N * WIDTH >= 16 || (position >> (N * WIDTH)) == 0;
        below = 1'b1;
        for (j = 0; j < N; j = j + 1) begin
            exists = exists && digit(destination, j) < K;
            if (j > stage) there = there && digit(position, j) < K;
            // Another digit above this stage: another subtree.
            if (j > stage && digit(destination, j) != digit(position, j)) below = 1'b0;
        end
        assume (there && stage < N);
    end
    wire root = FOLDED && stage == N - 1;
    wire [15:0] branch = digit(destination, stage);
    wire [63:0] down = 64'd1 << branch;
    wire [63:0] up = ALL << K;
    wire [VCS-1:0] vc = 1 << (destination[5:0] % VCS);

    always @* begin
        routable_if_it_exists: assert (routable == exists);
        nowhere_if_it_does_not: assert (exists || (adaptive == 0 && deterministic == 0 && adaptive_vcs == 0 && deterministic_vcs == 0));
        down_to_its_subtree: assert (!(exists && below && !root) || (deterministic == down && adaptive == 0));
        either_way_down_from_a_folded_root: assert (!(exists && below && root) || (adaptive == (down | down << K) && deterministic == 0));
        any_way_up_else: assert (!(exists && !below) || (adaptive == up && deterministic == 0));
        one_port_in_d_at_most: assert ((deterministic & (deterministic - 1'b1)) == 0);
        no_port_of_p_below_the_lowest: assert ((adaptive & ((64'd1 << LOWEST) - 64'd1)) == 0);
        on_the_vc_of_the_destination: assert ((adaptive == 0 || adaptive_vcs == vc) && (deterministic == 0 || deterministic_vcs == vc));
        no_vcs_without_ports: assert ((adaptive != 0 || adaptive_vcs == 0) && (deterministic != 0 || deterministic_vcs == 0));
        goes_up: cover (adaptive == up && stage == 0);
        goes_down: cover (routable && below && stage == N - 1 && branch == K - 1);
        goes_nowhere: cover (!routable);
    end
endmodule
