// `least_occupied_routing`: as `fat_tree_routing`, but up where there is most room (docs/microarchitecture/routing.md).
//
// Promised: a packet goes by ports that lead to its destination alone; where there are several it takes the least occupied ones (P), of those to be counted on
// but the one it came in at, if there are any; D is what is left, never the port it came in at. One that asks for a deterministic way has one port. A
// packet keeps its VC.
// Assumed: "`position` is an address that exists"; "`stage` is at most n-1"; the packet came in at a port that there is.
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module least_occupied_routing_properties #(
    parameter K = 2,
    parameter N = 2,
    parameter FOLDED = 0,
    parameter PORTS = 4,
    parameter LOWEST = 0,
    parameter VCS = 2
) (
    input wire [15:0]         position,
    input wire [3:0]          stage,
    input wire [15:0]         destination,
    input wire [31:0]         header,
    input wire [5:0]          input_port,
    input wire [2:0]          input_vc,
    input wire [PORTS-1:0]    serves,
    input wire [13*PORTS-1:0] occupancy,
    input wire                routable,
    input wire [PORTS-1:0]    adaptive,
    input wire [PORTS-1:0]    deterministic,
    input wire [VCS-1:0]      adaptive_vcs,
    input wire [VCS-1:0]      deterministic_vcs
);
    localparam WIDTH = K <= 2 ? 1 : $clog2(K);

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
            if (j > stage && digit(destination, j) != digit(position, j)) below = 1'b0;
        end
        assume (there && stage < N && input_port < PORTS && input_vc < VCS);
    end
    wire root = FOLDED && stage == N - 1;
    wire [15:0] branch = digit(destination, stage);
    wire asks_for_one = header[26];
    // Ports that lead there; those to be counted on.
    reg [PORTS-1:0] lead, back, counted;
    always @* begin
        lead = 0;
        for (j = 0; j < PORTS; j = j + 1) begin
            if (exists && below && !root) lead[j] = j == branch;
            if (exists && below && root) lead[j] = j == branch || j == K + branch;
            if (exists && !below) lead[j] = j >= K;
        end
        back = 1 << input_port;
        counted = (lead & serves & ~back) != 0 ? lead & serves & ~back : lead;
    end
    wire several = exists && (!below || root) && !asks_for_one;
    // Two ports, any.
    (* anyconst *) reg [5:0] one;
    (* anyconst *) reg [5:0] other;
    always @* assume (one < PORTS && other < PORTS);
    wire one_adaptive = (adaptive >> one) & 1'b1, one_counted = (counted >> one) & 1'b1, other_counted = (counted >> other) & 1'b1, other_adaptive = (adaptive >> other) & 1'b1;
    wire [12:0] at_one = occupancy >> (one * 13), at_other = occupancy >> (other * 13);

    always @* begin
        routable_if_it_exists: assert (routable == exists);
        only_ports_that_lead_there: assert (((adaptive | deterministic) & ~lead) == 0);
        some_way_if_it_exists: assert ((adaptive | deterministic) != 0 || !exists);
        adaptive_where_there_are_several: assert ((adaptive != 0) == several);
        only_ports_to_be_counted_on: assert ((adaptive & ~counted) == 0);
        none_is_less_occupied: assert (!(one_adaptive && other_counted) || at_one <= at_other);
        all_that_are_least_occupied: assert (!(one_adaptive && other_counted && at_one == at_other) || other_adaptive);
        the_rest_is_in_d: assert (!several || deterministic == (lead & ~adaptive & ~back));
        one_port_if_asked_for: assert (!(exists && !several) || (deterministic != 0 && (deterministic & (deterministic - 1'b1)) == 0));
        the_same_port_whatever_is_free: assert (!(exists && asks_for_one && !below) || deterministic == 1 << (K + branch));
        down_to_its_subtree: assert (!(exists && below && !several) || deterministic == 1 << branch);
        back_only_if_nothing_else_serves: assert ((adaptive & back) == 0 || (lead & serves & ~back) == 0);
        no_port_of_p_below_the_lowest: assert ((adaptive & ((64'd1 << LOWEST) - 64'd1)) == 0);
        keeps_its_vc: assert ((adaptive == 0 || adaptive_vcs == 1 << input_vc) && (deterministic == 0 || deterministic_vcs == 1 << input_vc));
        goes_up_by_one_of_them: cover (several && (adaptive & (adaptive - 1'b1)) == 0 && deterministic != 0 && adaptive[PORTS-1]);
        by_all_of_them: cover (several && adaptive == lead && deterministic == 0);
        goes_the_same_way: cover (exists && asks_for_one && !below);
        goes_nowhere: cover (!routable);
    end
endmodule
