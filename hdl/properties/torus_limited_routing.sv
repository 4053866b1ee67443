// `torus_limited_routing`: shortest ways in a torus with trunks, over an escape in the order of dimensions with a dateline, for packets from nodes only
// where there is room (docs/microarchitecture/routing.md). For tori of one to three dimensions.
//
// Promised: every port that a packet may take leads nearer, and all that do are in P, whole trunks of them, but for ports to which more flits are under way
// than fill half a VC if the packet comes from a node; D is a trunk of the first dimension that is not done, but for such ports; the VCs V-2 and V-1 are for D alone, V-2 until the link around has been crossed and V-1 if it need not be crossed (any more), so that no ring has a
// circle; at its switch a packet goes to its node, on any VC.
// Assumed: "`position` is an address that exists".
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module torus_limited_routing_properties #(
    parameter DIMENSIONS = 2,
    parameter X = 4,
    parameter Y = 5,
    parameter Z = 1,
    parameter TRUNK = 1,
    parameter NODES = 1,
    parameter PORTS = 5,
    parameter VCS = 3,
    parameter VC_FLITS = 9
) (
    input wire [15:0]      position,
    input wire [15:0]      destination,
    input wire [5:0]       input_port,
    input wire [13*PORTS-1:0] occupancy,
    input wire             routable,
    input wire [PORTS-1:0] adaptive,
    input wire [PORTS-1:0] deterministic,
    input wire [VCS-1:0]   adaptive_vcs,
    input wire [VCS-1:0]   deterministic_vcs
);
    localparam NODE_BITS = NODES == 1 ? 0 : NODES == 2 ? 1 : $clog2(NODES);
    localparam X_BITS = X <= 2 ? 1 : $clog2(X);
    localparam Y_BITS = DIMENSIONS < 2 ? 0 : Y <= 2 ? 1 : $clog2(Y);
    localparam Z_BITS = DIMENSIONS < 3 ? 0 : Z <= 2 ? 1 : $clog2(Z);
    localparam SWITCH_PORTS = 2 * DIMENSIONS * TRUNK;
    localparam [VCS-1:0] BEFORE = 1 << (VCS - 2), BEHIND = 1 << (VCS - 1);

    wire [15:0] node = destination & ((1 << NODE_BITS) - 1), to = destination >> NODE_BITS, here_at = position >> NODE_BITS;
    wire [15:0] x = here_at & ((1 << X_BITS) - 1), y = (here_at >> X_BITS) & ((1 << Y_BITS) - 1), z = (here_at >> (X_BITS + Y_BITS)) & ((1 << Z_BITS) - 1);
    wire [15:0] tx = to & ((1 << X_BITS) - 1), ty = (to >> X_BITS) & ((1 << Y_BITS) - 1), tz = (to >> (X_BITS + Y_BITS)) & ((1 << Z_BITS) - 1);
    wire exists = node < NODES && tx < X && ty < Y && tz < Z && (to >> (X_BITS + Y_BITS + Z_BITS)) == 0;
    always @* assume (x < X && y < Y && z < Z && (here_at >> (X_BITS + Y_BITS + Z_BITS)) == 0);

    // Hops in a ring, the shorter way round.
    function [15:0] apart(input [15:0] one, input [15:0] other, input [15:0] size);
        reg [15:0] straight;
        begin
            straight = one > other ? one - other : other - one;
            apart = straight + straight > size ? size - straight : straight;
        end
    endfunction
    function [15:0] after(input [15:0] at, input up, input [15:0] size);
        after = up ? (at + 16'd1 == size ? 16'd0 : at + 16'd1) : (at == 16'd0 ? size - 16'd1 : at - 16'd1);
    endfunction

    // A port, any: its dimension and direction.
    (* anyconst *) reg [5:0] port;
    always @* assume (port < PORTS);
    wire to_switch = port < SWITCH_PORTS;
    wire [5:0] direction = port / TRUNK;
    wire [5:0] dimension = direction / 2;
    wire up = !direction[0];
    wire [15:0] at = dimension == 0 ? x : dimension == 1 ? y : z;
    wire [15:0] goal = dimension == 0 ? tx : dimension == 1 ? ty : tz;
    wire [15:0] size = dimension == 0 ? X : dimension == 1 ? Y : Z;
    wire [15:0] left = apart(at, goal, size);
    wire nearer = to_switch && apart(after(at, up, size), goal, size) < left;
    wire here = x == tx && y == ty && z == tz;
    wire lower_done = (dimension == 0 || x == tx) && (dimension < 2 || y == ty);
    // Going on in this direction it comes from the last switch of the ring to the first, or the other way round.
    wire around = up ? at + left >= size : at < left;
    wire in_p = (adaptive >> port) & 1'b1;
    wire in_d = (deterministic >> port) & 1'b1;
    wire [12:0] under_way = occupancy >> (port * 13);
    wire from_node = input_port >= SWITCH_PORTS;
    wire admitted = !from_node || {1'b0, under_way} * 2 <= VC_FLITS;
    wire [PORTS-1:0] trunk = ((1 << TRUNK) - 1) << (direction * TRUNK);
    // A single node has a trunk, several have a link each.
    wire [PORTS-1:0] node_ports = NODES == 1 ? ((1 << TRUNK) - 1) << SWITCH_PORTS : 1 << (SWITCH_PORTS + node);

    always @* begin
        routable_if_it_exists: assert (routable == exists);
        nowhere_if_it_does_not: assert (exists || (adaptive == 0 && deterministic == 0));
        only_nearer: assert (!((in_p || in_d) && !here) || nearer);
        nodes_wait_for_room: assert (!((in_p || in_d) && !here) || admitted);
        all_that_lead_nearer_and_have_room: assert (!(exists && nearer && admitted) || in_p);
        d_is_of_one_trunk: assert (!(in_d && !here) || (deterministic & ~trunk) == 0);
        that_trunk_where_there_is_room: assert (!(in_d && !here) || from_node || deterministic == trunk);
        some_escape_from_switches: assert (!exists || from_node || deterministic != 0);
        some_way_in_if_there_is_room: assert (!(exists && from_node && occupancy == 0) || deterministic != 0);
        dimensions_in_order: assert (!(in_d && !here) || lower_done);
        up_if_both_are_as_far: assert (!(in_d && !here && left + left == size) || up);
        escape_vcs_for_d_alone: assert ((adaptive_vcs & (BEFORE | BEHIND)) == 0);
        adaptive_on_all_others: assert (!exists || here || adaptive_vcs == ~(BEFORE | BEHIND));
        first_vc_until_the_dateline: assert (!(in_d && !here && around) || deterministic_vcs == BEFORE);
        second_vc_behind_it: assert (!(in_d && !here && !around) || deterministic_vcs == BEHIND);
        to_its_node: assert (!(exists && here) || (adaptive == 0 && deterministic == node_ports && deterministic_vcs == {VCS{1'b1}}));
        goes_around: cover (in_d && !here && around);
        goes_straight_in_the_last_dimension: cover (in_d && !here && !around && dimension == DIMENSIONS - 1);
        a_node_is_kept_back: cover (exists && !here && from_node && adaptive == 0 && deterministic == 0);
        has_arrived: cover (exists && here);
        goes_nowhere: cover (!routable);
    end
endmodule
