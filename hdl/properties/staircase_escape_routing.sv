// `staircase_escape_routing`: any way that is on, over an escape along the staircase's ever-on channels (docs/microarchitecture/routing.md).
//
// Promised: at its switch a packet goes to its node; away from it the escape (D) is one direction, with a cable, that is ever-on in the graph: along x where x + y is
// even, along y where it is odd; nearer in that dimension unless that is done; on VC V-2 or V-1, of which a packet never leaves the one it came in on. The
// adaptive ways (P) are some that serve, not back, on the VCs below; none for a packet on the escape. A packet from a node goes only where no more
// flits are under way than fill half a VC.
// Assumed: "`position` is an address that exists"; the packet came in at a port with a cable, on a VC that there is. For one node a switch.
// Not covered here: which serving ways are in P (`grid_ways`); that the escape has no circle (`powar check --routing`).
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module staircase_escape_routing_properties #(
    parameter X = 4,
    parameter Y = 5,
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
    wire cable = one == 0 ? x + 1 < X : one == 1 ? x > 0 : one == 2 ? y + 1 < Y : y > 0;
    wire along_x = one < 2;
    wire even = (x + y) % 2 == 0;
    // The dimension of the direction is not done yet; the direction leads nearer in it.
    wire to_do = along_x ? tx != x : ty != y;
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
        escape_is_ever_on: assert (!(in_d && !here) || along_x == even);
        escape_leads_nearer_unless_done: assert (!(in_d && !here && to_do) || nearer);
        escape_on_its_vcs: assert (!(in_d && !here) || deterministic_vcs == FIRST || deterministic_vcs == SECOND);
        stays_on_its_escape_vc: assert (!(in_d && !here && escaping) || deterministic_vcs == 1 << input_vc);
        enters_by_the_diagonal: assert (!(in_d && !here && !escaping) || deterministic_vcs == (tx + ty >= x + y ? FIRST : SECOND));
        first_turns_up_second_down: assert (!(in_d && !here && !to_do) || (deterministic_vcs == FIRST) == (one == 0 || one == 2) || (along_x ? x == 0 || x == X - 1 : y == 0 || y == Y - 1));
        adaptive_ways_serve: assert (!in_p || (its_serves && one != input_port));
        adaptive_below_the_escape: assert (adaptive == 0 || (adaptive_vcs & (FIRST | SECOND)) == 0 && adaptive_vcs != 0);
        on_the_escape_to_the_end: assert (!escaping || here || adaptive == 0);
        nodes_wait_for_room: assert (!((in_p || in_d) && !here) || admitted);
        some_way_in_if_there_is_room: assert (!(exists && !here && from_node) || deterministic != 0 || !(occupancy[51:0] == 0));
        escapes_upwards: cover (in_d && !here && !to_do && one == 2 && cable);
        escapes_back: cover (in_d && !here && one == input_port);
        has_both: cover (in_p && deterministic != 0 && !in_d);
        a_node_is_kept_back: cover (exists && !here && from_node && deterministic == 0 && adaptive != 0);
        has_arrived: cover (exists && here);
    end
endmodule
