// `boards_routing`: E-RAPID's boards, every two of them joined by as many wavelengths as there are boards (docs/microarchitecture/routing.md).
//
// Promised: to the node if it is at this board; else over any wavelength to its board (P), of which D is the one that this board has to the other before
// any is given away: B - (d - s) from board s to a board d > s, s - d to one before it (Kodi and Louri 2007, section 2.1); on any VC.
// Assumed: "`position` is an address that exists".
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module boards_routing_properties #(
    parameter BOARDS = 3,
    parameter NODES = 2,
    parameter PORTS = 8,
    parameter VCS = 2
) (
    input wire [15:0]      position,
    input wire [15:0]      destination,
    input wire             routable,
    input wire [PORTS-1:0] adaptive,
    input wire [PORTS-1:0] deterministic,
    input wire [VCS-1:0]   adaptive_vcs,
    input wire [VCS-1:0]   deterministic_vcs
);
    localparam NODE_BITS = NODES <= 2 ? 1 : $clog2(NODES);
    localparam BOARD_BITS = BOARDS <= 2 ? 1 : $clog2(BOARDS);
    wire [15:0] node = destination & ((1 << NODE_BITS) - 1);
    wire [15:0] source = (position >> NODE_BITS) & ((1 << BOARD_BITS) - 1), target = (destination >> NODE_BITS) & ((1 << BOARD_BITS) - 1);
    wire exists = node < NODES && target < BOARDS && (destination >> (NODE_BITS + BOARD_BITS)) == 0;
    always @* assume (source < BOARDS && (position >> (NODE_BITS + BOARD_BITS)) == 0);

    // A port, any: its wavelength, and the board that it leads to.
    (* anyconst *) reg [5:0] port;
    always @* assume (port < PORTS);
    wire [15:0] further = (port - NODES) / BOARDS + 1;
    wire [15:0] wavelength = (port - NODES) % BOARDS;
    wire [15:0] behind = source + further >= BOARDS ? source + further - BOARDS : source + further;
    wire in_p = (adaptive >> port) & 1'b1, in_d = (deterministic >> port) & 1'b1;
    wire here = source == target;
    wire [15:0] static_wavelength = target > source ? BOARDS - (target - source) : source - target;

    always @* begin
        routable_if_it_exists: assert (routable == exists);
        nowhere_if_it_does_not: assert (exists || (adaptive == 0 && deterministic == 0));
        to_its_node: assert (!(exists && here) || (adaptive == 0 && deterministic == 1 << node));
        only_to_its_board: assert (!((in_p || in_d) && !here) || (port >= NODES && behind == target));
        over_every_wavelength: assert (!(exists && !here && port >= NODES && behind == target) || in_p);
        d_is_the_static_wavelength: assert (!(in_d && !here) || wavelength == static_wavelength);
        d_is_one_port: assert (!exists || (deterministic != 0 && (deterministic & (deterministic - 1'b1)) == 0));
        d_is_one_of_p: assert (!(in_d && !here) || in_p);
        on_any_vc: assert (!exists || (deterministic_vcs == {VCS{1'b1}} && (here || adaptive_vcs == {VCS{1'b1}})));
        goes_to_a_board_before: cover (in_d && target < source);
        goes_over_another_wavelength: cover (in_p && !in_d && target > source);
        has_arrived: cover (in_d && here);
        goes_nowhere: cover (!routable);
    end
endmodule
