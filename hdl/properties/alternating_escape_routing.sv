// `alternating_escape_routing`: any way that is on, over an escape along the one-way streets of the alternating graph (docs/microarchitecture/routing.md).
//
// Promised: at its switch a packet goes to its node; away from it the escape (D) is one direction, with a cable, that is ever-on in the graph: +x in even rows and -x in
// odd ones, +y in even columns and -y in odd ones, in a mesh both at the edges; on VC V-2 or V-1: in a torus V-2 until the link around has been crossed,
// in a mesh V-1 once row and column lead to the destination, nearer with every hop. The adaptive ways (P) are some that serve, not back,
// on the VCs below; none for a packet on the escape. A packet from a node goes only where no more flits are under way than fill half a VC.
// Assumed: "`position` is an address that exists"; the packet came in on a VC that there is. For one node a switch.
// Not covered here: which serving ways are in P (`grid_ways`); that the escape has no circle (`powar check --routing`).
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module alternating_escape_routing_properties #(
    parameter X = 4,
    parameter Y = 5,
    parameter TORUS = 0,
    parameter PORTS = 5,
    parameter VCS = 3,
    parameter VC_FLITS = 9
) (
    input wire [15:0]      position,
    input wire [15:0]      destination,
    input wire [5:0]       input_port,
    input wire [2:0]       input_vc,
    input wire [PORTS-1:0] serves,
    input wire [64:0]      occupancy,
    input wire             routable,
    input wire [PORTS-1:0] adaptive,
    input wire [PORTS-1:0] deterministic,
    input wire [VCS-1:0]   adaptive_vcs,
    input wire [VCS-1:0]   deterministic_vcs
);
    localparam X_BITS = $clog2(X), Y_BITS = $clog2(Y);
    localparam [VCS-1:0] FIRST = 1 << (VCS - 2), SECOND = 1 << (VCS - 1);
    wire [15:0] x = position & ((1 << X_BITS) - 1), y = position >> X_BITS;
    wire [15:0] tx = destination & ((1 << X_BITS) - 1), ty = destination >> X_BITS;
    wire exists = tx < X && ty < Y;
    wire here = x == tx && y == ty;
    always @* assume (x < X && y < Y && input_port < PORTS && input_vc < VCS);

    (* anyconst *) reg [1:0] one;
    wire in_p = (adaptive >> one) & 1'b1, in_d = (deterministic >> one) & 1'b1, its_serves = (serves >> one) & 1'b1;
    wire [12:0] under_way = occupancy >> (one * 13);
    wire cable = TORUS || (one == 0 ? x + 1 < X : one == 1 ? x > 0 : one == 2 ? y + 1 < Y : y > 0);
    wire along_x = one < 2;
    // The street's direction, and the edges of a mesh.
    wire edge_row = !TORUS && (y == 0 || y == Y - 1), edge_column = !TORUS && (x == 0 || x == X - 1);
    wire ever_on = one == 0 ? edge_row || y % 2 == 0 : one == 1 ? edge_row || y % 2 == 1 : one == 2 ? edge_column || x % 2 == 0 : edge_column || x % 2 == 1;
    // In a mesh: the row leads to the column of the destination, and that to it.
    wire row_leads = tx == x || edge_row || (y % 2 == 0 ? tx > x : tx < x);
    wire column_leads = ty == y || tx == 0 || tx == X - 1 || (tx % 2 == 0 ? ty > y : ty < y);
    wire direct = row_leads && column_leads;
    // In a torus: the way left along the street comes around.
    wire around = one == 0 ? tx < x : one == 1 ? tx > x : one == 2 ? ty < y : ty > y;
    // In its dimension.
    wire nearer = one == 0 ? tx > x : one == 1 ? tx < x : one == 2 ? ty > y : ty < y;
    wire from_node = input_port >= 4;
    wire escaping = !from_node && input_vc >= VCS - 2;
    wire admitted = !from_node || {1'b0, under_way} * 2 <= VC_FLITS;

    always @* begin
        routable_if_it_exists: assert (routable == exists);
        nowhere_if_it_does_not: assert (exists || (adaptive == 0 && deterministic == 0));
        to_its_node: assert (!(exists && here) || (adaptive == 0 && deterministic == 16 && deterministic_vcs == {VCS{1'b1}}));
        to_no_other_node: assert (here || ((adaptive | deterministic) >> 4) == 0);
        one_escape: assert ((deterministic & (deterministic - 1'b1)) == 0 && !(exists && !here && !from_node && deterministic == 0));
        escape_has_a_cable: assert (!(in_d && !here) || cable);
        escape_is_ever_on: assert (!(in_d && !here) || ever_on);
        row_first_in_a_torus: assert (!(TORUS && in_d && !here) || along_x == (tx != x));
        nearer_once_both_lead: assert (!(!TORUS && in_d && !here && direct) || nearer);
        row_first_if_both_lead: assert (!(!TORUS && in_d && !here && direct) || along_x == (tx != x));
        first_vc_until_the_dateline: assert (!(TORUS && in_d && !here) || deterministic_vcs == (around ? FIRST : SECOND));
        second_vc_once_both_lead: assert (!(!TORUS && in_d && !here) || deterministic_vcs == (direct ? SECOND : FIRST));
        else_to_an_edge_and_along_it: assert (!(!TORUS && in_d && !here && !direct) || along_x != edge_column);
        adaptive_ways_serve: assert (!in_p || (its_serves && one != input_port));
        adaptive_below_the_escape: assert (adaptive == 0 || (adaptive_vcs & (FIRST | SECOND)) == 0 && adaptive_vcs != 0);
        on_the_escape_to_the_end: assert (!escaping || here || adaptive == 0);
        nodes_wait_for_room: assert (!((in_p || in_d) && !here) || admitted);
        some_way_in_if_there_is_room: assert (!(exists && !here && from_node) || deterministic != 0 || !(occupancy[51:0] == 0));
        escapes_on_the_first: cover (in_d && !here && one == 2 && deterministic_vcs == FIRST);
        escapes_on_the_second: cover (in_d && !here && one == 1 && deterministic_vcs == SECOND);
        has_both: cover (in_p && deterministic != 0 && !in_d);
        a_node_is_kept_back: cover (exists && !here && from_node && deterministic == 0 && adaptive != 0);
        has_arrived: cover (exists && here);
    end
endmodule
