// `mesh_routing`: shortest ways, over an escape in the order of dimensions (docs/microarchitecture/routing.md). For meshes of one or two dimensions.
//
// Promised: a packet never comes to a port without a cable, and every port it may take leads nearer; all that do are in P; D is the one of the lowest
// dimension; the escape VC V-1 is for D alone, so that it has no circle; at its switch a packet goes to its node, on any VC.
// Assumed: "`position` is an address that exists".
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module mesh_routing_properties #(
    parameter DIMENSIONS = 2,
    parameter X = 3,
    parameter Y = 4,
    parameter NODES = 1,
    parameter PORTS = 5,
    parameter VCS = 3
) (
    input wire [15:0]      position,
    input wire [15:0]      destination,
    input wire             routable,
    input wire [PORTS-1:0] adaptive,
    input wire [PORTS-1:0] deterministic,
    input wire [VCS-1:0]   adaptive_vcs,
    input wire [VCS-1:0]   deterministic_vcs
);
    localparam NODE_BITS = NODES == 1 ? 0 : NODES == 2 ? 1 : $clog2(NODES);
    localparam X_BITS = X <= 2 ? 1 : $clog2(X);
    localparam Y_BITS = DIMENSIONS == 1 ? 0 : Y <= 2 ? 1 : $clog2(Y);
    localparam SWITCH_PORTS = 2 * DIMENSIONS;
    localparam [VCS-1:0] ESCAPE = 1 << (VCS - 1);

    wire [15:0] node = destination & ((1 << NODE_BITS) - 1);
    wire [15:0] x = (position >> NODE_BITS) & ((1 << X_BITS) - 1), y = (position >> (NODE_BITS + X_BITS)) & ((1 << Y_BITS) - 1);
    wire [15:0] tx = (destination >> NODE_BITS) & ((1 << X_BITS) - 1), ty = (destination >> (NODE_BITS + X_BITS)) & ((1 << Y_BITS) - 1);
    wire exists = node < NODES && tx < X && ty < Y && (destination >> (NODE_BITS + X_BITS + Y_BITS)) == 0;
    always @* assume (x < X && y < Y && (position >> (NODE_BITS + X_BITS + Y_BITS)) == 0);

    // A port, any, and what is behind it.
    (* anyconst *) reg [5:0] port;
    always @* assume (port < PORTS);
    function [15:0] apart(input [15:0] one, input [15:0] other);
        apart = one > other ? one - other : other - one;
    endfunction
    wire to_switch = port < SWITCH_PORTS;
    wire cable = port == 0 ? x + 1 < X : port == 1 ? x > 0 : port == 2 ? y + 1 < Y : y > 0;
    wire [15:0] next_x = port == 0 ? x + 16'd1 : port == 1 ? x - 16'd1 : x;
    wire [15:0] next_y = port == 2 ? y + 16'd1 : port == 3 ? y - 16'd1 : y;
    wire [15:0] far = apart(x, tx) + apart(y, ty);
    wire [15:0] next_far = apart(next_x, tx) + apart(next_y, ty);
    wire nearer = to_switch && cable && next_far + 16'd1 == far;
    wire in_p = (adaptive >> port) & 1'b1;
    wire in_d = (deterministic >> port) & 1'b1;

    always @* begin
        routable_if_it_exists: assert (routable == exists);
        nowhere_if_it_does_not: assert (exists || (adaptive == 0 && deterministic == 0));
        never_without_a_cable: assert (!((in_p || in_d) && to_switch) || cable);
        only_nearer: assert (!((in_p || in_d) && far != 0) || nearer);
        all_that_lead_nearer: assert (!(exists && far != 0 && nearer) || in_p);
        one_escape: assert (!exists || (deterministic != 0 && (deterministic & (deterministic - 1'b1)) == 0));
        dimensions_in_order: assert (!(in_d && far != 0) || port < 2 || x == tx);
        to_its_node: assert (!(exists && far == 0) || (adaptive == 0 && deterministic == 1 << (SWITCH_PORTS + node)));
        escape_vc_for_d_alone: assert ((adaptive_vcs & ESCAPE) == 0 && (far == 0 || deterministic == 0 || deterministic_vcs == ESCAPE));
        adaptive_on_all_others: assert (adaptive == 0 || adaptive_vcs == ~ESCAPE);
        any_vc_to_its_node: assert (!(exists && far == 0) || deterministic_vcs == {VCS{1'b1}});
        goes_to_a_corner: cover (in_p && far == X + Y - 2 && port == SWITCH_PORTS - 1);
        has_arrived: cover (exists && far == 0 && in_d && port == PORTS - 1);
        goes_nowhere: cover (!routable);
    end
endmodule
