// `table_routing`: what a row of the routing table says of a packet's way (docs/microarchitecture/routing.md).
//
// Promised: the ports and VCs of the row, no others; a set comes with VCs and VCs with a set; D has one port at most and one that exists; a row that is 0
// has no way; nothing but the row matters.
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module table_routing_properties #(
    parameter PORTS = 4,
    parameter VCS = 2,
    parameter BITS_row = 32
) (
    input wire [15:0]         destination,
    input wire [BITS_row-1:0] row,
    input wire                routable,
    input wire [PORTS-1:0]    adaptive,
    input wire [PORTS-1:0]    deterministic,
    input wire [VCS-1:0]      adaptive_vcs,
    input wire [VCS-1:0]      deterministic_vcs
);
    localparam NUMBER_BITS = $clog2(PORTS);
    wire [PORTS-1:0] row_ports = row[PORTS-1:0];
    wire [NUMBER_BITS-1:0] row_port = row[PORTS +: NUMBER_BITS];
    wire [VCS-1:0] row_vcs = row[PORTS+NUMBER_BITS +: VCS];
    wire [VCS-1:0] row_port_vcs = row[PORTS+NUMBER_BITS+VCS +: VCS];

    always @* begin
        only_ports_of_the_row: assert (adaptive == 0 || (adaptive == row_ports && row_vcs != 0));
        all_of_them_if_there_are_vcs: assert (row_vcs == 0 || adaptive == row_ports);
        the_port_of_the_row: assert (deterministic == 0 || (row_port < PORTS && deterministic == {{PORTS-1{1'b0}}, 1'b1} << row_port));
        that_port_if_there_are_vcs: assert (row_port_vcs == 0 || row_port >= PORTS || deterministic != 0);
        vcs_with_ports_only: assert ((adaptive != 0) == (adaptive_vcs != 0) && (deterministic != 0) == (deterministic_vcs != 0));
        vcs_of_the_row: assert ((adaptive_vcs & ~row_vcs) == 0 && (adaptive == 0 || adaptive_vcs == row_vcs) && (deterministic == 0 || deterministic_vcs == row_port_vcs));
        routable_if_there_is_a_way: assert (routable == (adaptive != 0 || deterministic != 0));
        no_way_without_a_row: assert (row != 0 || !routable);
        several_ports: cover (adaptive == {PORTS{1'b1}} && deterministic != 0);
        one_port: cover (adaptive == 0 && deterministic[PORTS-1] && deterministic_vcs == 1);
        no_way: cover (!routable && row != 0);
    end
endmodule
