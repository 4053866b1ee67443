// `star_routing`: one switch with a node at every port (docs/microarchitecture/routing.md).
//
// Promised: a packet goes to the port of its node on the VC of its destination (its six lowest bits modulo V), and nowhere if there is no such node.
module star_routing_properties #(
    parameter PORTS = 2,
    parameter VCS = 1
) (
    input wire [15:0]      destination,
    input wire             routable,
    input wire [PORTS-1:0] adaptive,
    input wire [PORTS-1:0] deterministic,
    input wire [VCS-1:0]   adaptive_vcs,
    input wire [VCS-1:0]   deterministic_vcs
);
    wire exists = destination < PORTS;
    wire [5:0] vc = destination[5:0] % VCS;

    always @* begin
        routable_if_it_exists: assert (routable == exists);
        to_its_node: assert (!exists || deterministic == {{PORTS-1{1'b0}}, 1'b1} << destination);
        nowhere_else: assert (adaptive == 0 && adaptive_vcs == 0 && (exists || (deterministic == 0 && deterministic_vcs == 0)));
        on_the_vc_of_the_destination: assert (!exists || deterministic_vcs == 1 << vc);
        to_the_last_node: cover (deterministic[PORTS-1]);
        to_no_node: cover (!routable && destination == PORTS);
    end
endmodule
