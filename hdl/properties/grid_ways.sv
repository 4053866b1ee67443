// `grid_ways`: the directions in which a packet may go on over links that are on (docs/microarchitecture/routing.md).
//
// Promised: only directions with a cable that serve, never back on the cable on which it came; those that lead nearer, if any does; else all of these, but never
// twice in a row: not if the hop before brought it no nearer. `own` is the port of its node if it has arrived. Distances are hops, the shorter way
// round in a torus. Said of one direction, any that a solver chooses.
// Assumed: "`position` is an address that exists". For networks with one node a switch.
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module grid_ways_properties #(
    parameter X = 4,
    parameter Y = 5,
    parameter TORUS = 0,
    parameter PORTS = 5
) (
    input wire [15:0]      position,
    input wire [15:0]      destination,
    input wire [5:0]       input_port,
    input wire [PORTS-1:0] serves,
    input wire             routable,
    input wire             away,
    input wire [17:0]      from,
    input wire [17:0]      to,
    input wire [PORTS-1:0] own,
    input wire [PORTS-1:0] ways
);
    localparam X_BITS = $clog2(X), Y_BITS = $clog2(Y);
    wire [15:0] x = position & ((1 << X_BITS) - 1), y = position >> X_BITS;
    wire [15:0] tx = destination & ((1 << X_BITS) - 1), ty = destination >> X_BITS;
    wire exists = tx < X && ty < Y;
    always @* assume (x < X && y < Y);

    function [15:0] apart(input [15:0] one, input [15:0] other, input [15:0] size);
        reg [15:0] straight;
        begin
            straight = one > other ? one - other : other - one;
            apart = TORUS && straight + straight > size ? size - straight : straight;
        end
    endfunction
    // How far it is from behind a port; from here.
    function [15:0] far_behind(input [5:0] port);
        reg [15:0] nx, ny;
        begin
            nx = port == 0 ? (x + 1 == X ? 0 : x + 1) : port == 1 ? (x == 0 ? X - 1 : x - 1) : x;
            ny = port == 2 ? (y + 1 == Y ? 0 : y + 1) : port == 3 ? (y == 0 ? Y - 1 : y - 1) : y;
            far_behind = apart(nx, tx, X) + apart(ny, ty, Y);
        end
    endfunction
    function cable(input [5:0] port);
        cable = TORUS || (port == 0 ? x + 1 < X : port == 1 ? x > 0 : port == 2 ? y + 1 < Y : y > 0);
    endfunction
    wire [15:0] far = apart(x, tx, X) + apart(y, ty, Y);
    reg some_nearer;
    integer p;
    always @* begin
        some_nearer = 1'b0;
        for (p = 0; p < 4; p = p + 1) if (cable(p) && serves[p] && p != input_port && far_behind(p) < far) some_nearer = 1'b1;
    end
    // It came in over a port that leads no farther away: the hop before brought it no nearer.
    wire misrouted = input_port < 4 && cable(input_port) && far_behind(input_port) <= far;
    // A mesh's ports without a cable lead nowhere.
    always @* assume (input_port < PORTS && (input_port >= 4 || cable(input_port)));
    (* anyconst *) reg [1:0] one;
    wire its_way = (ways >> one) & 1'b1, its_serves = (serves >> one) & 1'b1;
    wire open = cable(one) && its_serves && one != input_port;

    always @* begin
        routable_if_it_exists: assert (routable == exists);
        away_if_it_is_elsewhere: assert (away == (exists && far != 0));
        coordinates: assert (from == {y[8:0], x[8:0]} && (!exists || to == {ty[8:0], tx[8:0]}));
        own_port_if_it_has_arrived: assert (own == (exists && far == 0 ? 16 : 0));
        only_cables_that_serve: assert (!its_way || (away && cable(one) && its_serves));
        never_back: assert (!its_way || one != input_port);
        nearer_if_any_is: assert (!(its_way && some_nearer) || far_behind(one) < far);
        all_that_are_nearer: assert (!(away && open && far_behind(one) < far) || its_way);
        never_misrouted_twice: assert (!(its_way && misrouted) || far_behind(one) < far);
        aside_if_nothing_is_nearer: assert (!(away && open && !some_nearer && !misrouted) || its_way);
        not_to_a_node: assert ((ways >> 4) == 0);
        goes_aside: cover (its_way && far_behind(one) >= far && input_port < 4);
        stands: cover (away && ways == 0 && serves[3:0] != 0);
        two_ways: cover (ways == 5'h5);
        has_arrived: cover (own != 0);
    end
endmodule
