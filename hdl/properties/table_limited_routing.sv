// `table_limited_routing`: where a packet may go by a row of the routing table, where nodes wait for room (docs/microarchitecture/routing.md).
//
// Promised: what comes from a switch goes by its row, as do packets for a node of the same switch; of what comes from a node no port to a switch is left
// to which more flits are under way than fill half a VC, and every other one of the row is; VCs and whether there is a way are the row's alone.
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module table_limited_routing_properties #(
    parameter PORTS = 4,
    parameter VCS = 2,
    parameter VC_FLITS = 9,
    parameter BITS_row = 32
) (
    input wire [5:0]          input_port,
    input wire [13*PORTS-1:0] occupancy,
    input wire [BITS_row-1:0] row,
    input wire [PORTS-1:0]    to_node,
    input wire                routable,
    input wire [PORTS-1:0]    adaptive,
    input wire [PORTS-1:0]    deterministic,
    input wire [VCS-1:0]      adaptive_vcs,
    input wire [VCS-1:0]      deterministic_vcs
);
    localparam NUMBER_BITS = $clog2(PORTS);
    wire [NUMBER_BITS-1:0] row_port = row[PORTS +: NUMBER_BITS];
    wire [VCS-1:0] row_vcs = row[PORTS+NUMBER_BITS +: VCS];
    wire [VCS-1:0] row_port_vcs = row[PORTS+NUMBER_BITS+VCS +: VCS];
    // The sets of the row.
    wire [PORTS-1:0] row_adaptive = row_vcs == 0 ? 0 : row[PORTS-1:0];
    wire [PORTS-1:0] row_deterministic = row_port_vcs == 0 || row_port >= PORTS ? 0 : {{PORTS-1{1'b0}}, 1'b1} << row_port;
    // A port, any that a solver chooses.
    (* anyconst *) reg [5:0] port;
    always @* assume (port < PORTS && input_port < PORTS);
    wire [12:0] under_way = occupancy >> (port * 13);
    wire full = {1'b0, under_way} * 2 > VC_FLITS;
    wire from_node = (to_node >> input_port) & 1'b1;
    wire leads_to_node = (to_node >> port) & 1'b1;
    wire in_adaptive = (adaptive >> port) & 1'b1;
    wire in_deterministic = (deterministic >> port) & 1'b1;
    wire row_has_adaptive = (row_adaptive >> port) & 1'b1;
    wire row_has_deterministic = (row_deterministic >> port) & 1'b1;

    always @* begin
        nothing_but_the_row: assert ((adaptive & ~row_adaptive) == 0 && (deterministic & ~row_deterministic) == 0);
        from_switches_by_the_row: assert (from_node || (adaptive == row_adaptive && deterministic == row_deterministic));
        nodes_wait_for_room: assert (!from_node || leads_to_node || !full || (!in_adaptive && !in_deterministic));
        no_longer_than_that: assert (full || (in_adaptive == row_has_adaptive && in_deterministic == row_has_deterministic));
        not_for_their_own_switch: assert (!leads_to_node || (in_adaptive == row_has_adaptive && in_deterministic == row_has_deterministic));
        routable_by_the_row: assert (routable == (row_adaptive != 0 || row_deterministic != 0));
        vcs_of_the_row: assert (adaptive_vcs == (row_adaptive == 0 ? 0 : row_vcs) && deterministic_vcs == (row_deterministic == 0 ? 0 : row_port_vcs));
        a_node_waits: cover (from_node && routable && adaptive == 0 && deterministic == 0);
        it_has_one_way_left: cover (from_node && adaptive != 0 && adaptive != row_adaptive);
        it_goes_to_another_node: cover (from_node && full && leads_to_node && in_deterministic);
    end
endmodule
