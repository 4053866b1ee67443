// `dragonfly_ugal_routing`: UGAL-L, a way round where the shortest one is full (docs/microarchitecture/routing.md).
//
// Promised: a packet decides at its first switch, if it goes to another group: it may always go the shortest way, and every way round that counts less
// (flits in the next buffer times links); one that goes round over this switch goes out to any other group; all others go the shortest way. On VC
// 0 as long as there is a choice. Never to a node that is not its own.
// Assumed: "`position` is an address that exists"; the packet came in at a port and on a VC that there are.
// Not covered: the ports of the shortest way are proved of `dragonfly_minimal_routing`.
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module dragonfly_ugal_routing_properties #(
    parameter P = 2,
    parameter A = 4,
    parameter H = 2,
    parameter PORTS = 7,
    parameter VCS = 3
) (
    input wire [15:0]         position,
    input wire [15:0]         destination,
    input wire [5:0]          input_port,
    input wire [2:0]          input_vc,
    input wire [13*PORTS-1:0] occupancy,
    input wire                routable,
    input wire [PORTS-1:0]    adaptive,
    input wire [PORTS-1:0]    deterministic,
    input wire [VCS-1:0]      adaptive_vcs,
    input wire [VCS-1:0]      deterministic_vcs
);
    localparam GROUPS = A * H + 1;
    localparam NODE_BITS = P <= 2 ? 1 : $clog2(P);
    localparam SWITCH_BITS = A <= 2 ? 1 : $clog2(A);
    localparam GROUP_BITS = GROUPS <= 2 ? 1 : $clog2(GROUPS);
    localparam OUT = P + A - 1;

    wire [15:0] node = destination & ((1 << NODE_BITS) - 1);
    wire [15:0] own_switch = (position >> NODE_BITS) & ((1 << SWITCH_BITS) - 1), its_switch = (destination >> NODE_BITS) & ((1 << SWITCH_BITS) - 1);
    wire [15:0] own_group = (position >> (NODE_BITS + SWITCH_BITS)) & ((1 << GROUP_BITS) - 1), its_group = (destination >> (NODE_BITS + SWITCH_BITS)) & ((1 << GROUP_BITS) - 1);
    wire exists = node < P && its_switch < A && its_group < GROUPS && (destination >> (NODE_BITS + SWITCH_BITS + GROUP_BITS)) == 0;
    always @* assume (own_switch < A && own_group < GROUPS && (position >> (NODE_BITS + SWITCH_BITS + GROUP_BITS)) == 0 && input_port < PORTS && input_vc < 3);

    // The port of the shortest way to another group, found by where this group's links lead: link l to group G + l + 1.
    reg [5:0] shortest_port;
    reg has_link;
    integer l;
    always @* begin
        shortest_port = 6'd0;
        has_link = 1'b0;
        for (l = 0; l < A * H; l = l + 1) begin
            if (own_group + l + 1 == its_group || own_group + l + 1 == its_group + GROUPS) begin
                has_link = l / H == own_switch;
                shortest_port = l / H == own_switch ? OUT + l % H : l / H > own_switch ? P + l / H - 1 : P + l / H;
            end
        end
    end
    // A port, any.
    (* anyconst *) reg [5:0] port;
    always @* assume (port < PORTS);
    wire in_p = (adaptive >> port) & 1'b1, in_d = (deterministic >> port) & 1'b1;
    wire [12:0] at_port = occupancy >> (port * 13), at_shortest = occupancy >> (shortest_port * 13);
    wire [17:0] links_shortest = shortest_port >= OUT ? 18'd2 : 18'd3;
    wire [17:0] links_around = port >= OUT ? 18'd4 : 18'd5;
    wire counts_less = {5'd0, at_port} * links_around < {5'd0, at_shortest} * links_shortest;

    wire away = exists && its_group != own_group;
    wire from_node = input_port < P, from_inside = input_port >= P && input_port < OUT;
    wire first = away && from_node;
    wire second = away && from_inside && input_vc == 0 && !has_link;

    always @* begin
        routable_if_it_exists: assert (routable == exists);
        some_way_if_it_exists: assert (((adaptive | deterministic) != 0) == exists);
        a_choice_or_one_way: assert (adaptive == 0 || deterministic == 0);
        the_shortest_way_is_open: assert (!first || ((adaptive >> shortest_port) & 1'b1));
        ways_round_only_if_they_count_less: assert (!(first && in_p && port != shortest_port) || (port >= P && counts_less));
        all_that_count_less: assert (!(first && port >= P && counts_less) || in_p);
        out_to_any_group_on_the_way_round: assert (!second || adaptive == ((1 << H) - 1) << OUT);
        else_one_way: assert (!exists || first || second || (adaptive == 0 && adaptive_vcs == 0 && (deterministic & (deterministic - 1'b1)) == 0));
        the_shortest_to_another_group: assert (!(away && !first && !second && in_d) || port == shortest_port);
        on_the_first_vc_while_there_is_a_choice: assert (!(first || second) || (adaptive_vcs == 1 && deterministic_vcs == 0));
        never_to_another_node: assert (!((in_p || in_d) && port < P) || (port == node && own_group == its_group && own_switch == its_switch));
        to_a_higher_vc_from_outside: assert (!(away && !from_node && !from_inside) || deterministic_vcs == (input_vc == 0 ? 2 : 4));
        goes_round: cover (first && in_p && port != shortest_port && port == PORTS - 1);
        goes_round_in_the_group: cover (first && in_p && port != shortest_port && port == P);
        goes_out_on_the_way_round: cover (second);
        goes_the_shortest_way: cover (first && adaptive == 1 << shortest_port && at_shortest != 0);
        has_arrived: cover (in_d && port < P);
    end
endmodule
