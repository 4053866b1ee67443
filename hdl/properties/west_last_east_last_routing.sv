// `west_last_east_last_routing`: two virtual networks over the alternating graph of a mesh, without an escape (docs/microarchitecture/routing.md).
//
// Promised: the switch at which a packet comes from its node chooses its network, which it keeps; it never turns back, and never leaves the last direction of its network once it has taken it; all that it may take has a cable
// and is on or ever-on. "P is never empty", whatever is on, for a packet from its node, and some ever-on channel is in it if nothing else is on. What is nearer comes first.
// `ahead` is written down from its table, direction by direction.
// Assumed: "`position` is an address that exists"; the packet came in over a cable. For one node a switch.
// Not covered here: which serving ways are nearer (`grid_ways`); that no packet is ever without a way behind its first switch (`powar check --routing`, a search along channels).
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module west_last_east_last_routing_properties #(
    parameter X = 4,
    parameter Y = 5,
    parameter PORTS = 5,
    parameter VCS = 2
) (
    input wire [15:0]      position,
    input wire [15:0]      destination,
    input wire [5:0]       input_port,
    input wire [2:0]       input_vc,
    input wire [PORTS-1:0] serves,
    input wire             routable,
    input wire [PORTS-1:0] adaptive,
    input wire [PORTS-1:0] deterministic,
    input wire [VCS-1:0]   adaptive_vcs,
    input wire [VCS-1:0]   deterministic_vcs
);
    localparam X_BITS = $clog2(X), Y_BITS = $clog2(Y);
    // VCs of the two networks: the west-last one's are even.
    localparam [VCS-1:0] EVEN = {VCS{2'b01}}, ODD = {VCS{2'b10}};
    // Coordinates with a sign, since a neighbour may be at -1.
    wire signed [17:0] x = position & ((1 << X_BITS) - 1), y = position >> X_BITS;
    wire signed [17:0] tx = destination & ((1 << X_BITS) - 1), ty = destination >> X_BITS;
    wire exists = tx < X && ty < Y;
    wire away = exists && (x != tx || y != ty);
    wire [3:0] cable = {y > 0, y < Y - 1, x > 0, x < X - 1};
    wire from_node = input_port >= 4;
    always @* assume (x < X && y < Y && input_port < PORTS && input_vc < VCS && (from_node || cable[input_port[1:0]]));

    wire east_last = from_node ? tx < x || (tx == x && !ty[0]) : input_vc[0];
    // Rows and columns that are ever-on in a direction; of a direction of the network: "free" is +x in the west-last one.
    function east_on(input signed [17:0] row);
        east_on = row == 0 || row == Y - 1 || !row[0];
    endfunction
    function west_on(input signed [17:0] row);
        west_on = row == 0 || row == Y - 1 || row[0];
    endfunction
    function up_on(input signed [17:0] column);
        up_on = column == 0 || column == X - 1 || !column[0];
    endfunction
    function down_on(input signed [17:0] column);
        down_on = column == 0 || column == X - 1 || column[0];
    endfunction
    wire [3:0] ever_on = {down_on(x), up_on(x), west_on(y), east_on(y)};
    wire [5:0] free = east_last, last = !east_last;
    wire signed [17:0] n = east_last ? x - 1 : x + 1, b = east_last ? x + 1 : x - 1, finish = east_last ? 0 : X - 1;
    wire onward = east_last ? tx < x : tx > x, behind = east_last ? tx > x : tx < x;
    wire last_on_there = east_last ? east_on(ty) : west_on(ty), last_on_here = east_last ? east_on(y) : west_on(y);
    wire ahead_free = x != finish && ((onward && tx != n) || (tx == n && ty == y) || (ty != y && (last_on_there || (tx == n && (ty > y ? up_on(n) : down_on(n))))));
    wire ahead_last = ty == y && (tx == b || (behind && last_on_here));
    function along(input down);
        reg signed [17:0] r;
        reg street, own_way, beyond, leaves;
        begin
            r = down ? y - 1 : y + 1;
            street = down ? down_on(x) : up_on(x);
            own_way = x[0] == down;
            beyond = down ? ty < r : ty > r;
            leaves = street || (east_last ? west_on(r) : east_on(r));
            along = (down ? y != 0 : y != Y - 1) && (onward ? leaves && (tx != n || own_way || ty == r || beyond || last_on_there || tx == finish)
                : ((tx == x || last_on_there) && (ty == r || (beyond && street))) || (last_on_there && x != finish && leaves));
        end
    endfunction
    wire [3:0] ahead = {along(1'b1), along(1'b0), east_last ? ahead_free : ahead_last, east_last ? ahead_last : ahead_free};
    // In at the port of the free direction it has gone in the last one.
    wire [3:0] good = away ? ahead & (serves[3:0] | ever_on) & ~(from_node ? 4'd0 : 4'd1 << input_port[1:0]) & (input_port == free ? 4'd1 << last : 4'd15) : 4'd0;
    wire [3:0] nearer = {ty < y, ty > y, tx < x, tx > x};

    (* anyconst *) reg [1:0] one;
    wire in_p = adaptive[one];

    always @* begin
        routable_if_it_exists: assert (routable == exists);
        to_its_node: assert (deterministic == (exists && !away ? 16 : 0) && deterministic_vcs == (exists && !away ? {VCS{1'b1}} : 0));
        nowhere_else_at_its_switch: assert (away || adaptive == 0);
        to_no_other_node: assert ((adaptive >> 4) == 0);
        has_a_cable: assert (!in_p || cable[one]);
        never_back: assert (!in_p || one != input_port);
        is_on_or_ever_on: assert (!in_p || serves[one] || ever_on[one]);
        last_direction_to_the_end: assert (!(in_p && input_port == free) || one == last);
        only_what_is_ahead: assert ((adaptive & ~good) == 0);
        some_of_what_is_ahead: assert ((adaptive != 0) == (good != 0));
        nearer_first: assert (!(in_p && !nearer[one]) || (good & nearer & serves) == 0);
        all_that_is_nearer: assert (!((good & nearer & serves) >> one & 1'b1) || in_p);
        stays_in_its_network: assert (adaptive_vcs == (away ? east_last ? ODD : EVEN : 0));
        never_without_a_way: assert (!(away && from_node) || adaptive != 0);
        counts_on_ever_on_alone: assert (!(away && from_node && (serves[3:0] & ~ever_on) == 0) || (adaptive[3:0] & ever_on) != 0);
        goes_east_last: cover (in_p && east_last && one == 0 && input_port == 1);
        goes_aside: cover (in_p && !nearer[one] && !from_node);
        streets_alone: cover (away && (serves[3:0] & cable & ~ever_on) == 0 && adaptive != 0 && ever_on != 15 && from_node);
        chooses_east_last: cover (away && from_node && adaptive_vcs == ODD && tx == x);
        has_arrived: cover (exists && !away);
    end
endmodule
