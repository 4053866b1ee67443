// `injection_limit`: to which ports a packet from a node may go in (docs/microarchitecture/routing.md).
//
// Promised: a packet that comes from a switch may go anywhere; one from a node only where no more flits are under way than fill half a VC.
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module injection_limit_properties #(
    parameter VC_FLITS = 9,
    parameter BITS_admits = 4
) (
    input wire [5:0]                input_port,
    input wire [13*BITS_admits-1:0] occupancy,
    input wire [BITS_admits-1:0]    admits
);
    (* anyconst *) reg [5:0] port;
    always @* assume (port < BITS_admits);
    wire [12:0] under_way = occupancy >> (port * 13);
    wire admitted = (admits >> port) & 1'b1;
    wire from_node = input_port >= BITS_admits;

    always @* begin
        others_are_not_kept_back: assert (from_node || admits == {BITS_admits{1'b1}});
        half_a_vc_admits: assert (!from_node || {1'b0, under_way} * 2 > VC_FLITS || admitted);
        more_keeps_back: assert (!from_node || {1'b0, under_way} * 2 <= VC_FLITS || !admitted);
        a_node_waits: cover (from_node && admits == 1 << (BITS_admits - 1));
    end
endmodule
