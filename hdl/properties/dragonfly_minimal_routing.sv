// `dragonfly_minimal_routing`: the shortest way, on VCs that count the links between groups (docs/microarchitecture/routing.md).
//
// Promised: one way for each packet: to its node, to its switch in the group, to its group over the link that leads there, or to the switch of the
// group that has that link; the VC between switches is the number of links between groups that have been crossed, 2 at most, so a packet goes on to a
// higher VC or from a group's inside out of it, and to its node on any.
// Where links lead is said the other way round than in the page: link l of group G, at switch l / h, leads to group G + l + 1.
// Assumed: "`position` is an address that exists"; the packet came in at a port and on a VC that there are.
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module dragonfly_minimal_routing_properties #(
    parameter P = 2,
    parameter A = 4,
    parameter H = 2,
    parameter PORTS = 7,
    parameter VCS = 3
) (
    input wire [15:0]      position,
    input wire [15:0]      destination,
    input wire [5:0]       input_port,
    input wire [2:0]       input_vc,
    input wire             routable,
    input wire [PORTS-1:0] adaptive,
    input wire [PORTS-1:0] deterministic,
    input wire [VCS-1:0]   adaptive_vcs,
    input wire [VCS-1:0]   deterministic_vcs
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

    // A port, any, and what is behind it.
    (* anyconst *) reg [5:0] port;
    always @* assume (port < PORTS);
    wire out = port >= OUT;
    wire [15:0] next_switch = port - P >= own_switch ? port - P + 1 : port - P;
    function [15:0] behind(input [15:0] link);
        behind = own_group + link + 1 >= GROUPS ? own_group + link + 1 - GROUPS : own_group + link + 1;
    endfunction
    wire [15:0] next_group = behind(own_switch * H + (port - OUT));
    // Whether some link of that switch leads to the packet's group; some of this one.
    reg next_has_link, has_link;
    integer q;
    always @* begin
        next_has_link = 1'b0;
        has_link = 1'b0;
        for (q = 0; q < H; q = q + 1) begin
            if (behind(next_switch * H + q) == its_group) next_has_link = 1'b1;
            if (behind(own_switch * H + q) == its_group) has_link = 1'b1;
        end
    end
    wire same_group = own_group == its_group;
    wire here = same_group && own_switch == its_switch;
    wire in_d = (deterministic >> port) & 1'b1;
    wire from_node = input_port < P, from_inside = input_port >= P && input_port < OUT;

    always @* begin
        routable_if_it_exists: assert (routable == exists);
        one_way_if_it_exists: assert (exists ? deterministic != 0 && (deterministic & (deterministic - 1'b1)) == 0 : deterministic == 0 && deterministic_vcs == 0);
        no_other_way: assert (adaptive == 0 && adaptive_vcs == 0);
        to_its_node: assert (!(in_d && here) || port == node);
        to_its_switch_in_the_group: assert (!(in_d && same_group && !here) || (port >= P && !out && next_switch == its_switch));
        out_over_the_link_to_its_group: assert (!(in_d && out) || (!same_group && next_group == its_group));
        to_the_switch_that_has_the_link: assert (!(in_d && !same_group && !out) || (port >= P && next_has_link && !has_link));
        any_vc_to_its_node: assert (!(exists && here) || deterministic_vcs == {VCS{1'b1}});
        first_vc_from_a_node: assert (!(exists && !here && from_node) || deterministic_vcs == 1);
        same_vc_within_a_group: assert (!(exists && !here && from_inside) || deterministic_vcs == 1 << input_vc);
        next_vc_from_another_group: assert (!(exists && !here && !from_node && !from_inside) || deterministic_vcs == (input_vc == 0 ? 2 : 4));
        goes_out: cover (in_d && out && port == PORTS - 1 && from_inside);
        goes_to_the_switch_with_the_link: cover (in_d && !same_group && !out && from_node);
        comes_from_outside: cover (in_d && same_group && !here && deterministic_vcs == 4 && input_vc == 1);
        has_arrived: cover (in_d && here && port == P - 1);
        goes_nowhere: cover (!routable);
    end
endmodule
