// What the switch around a power mechanism does with its ports (docs/microarchitecture/power.md, arbiters.md): assumptions that the properties of every mechanism share.
//
// `held_ports`: "held' = given | (held & ~(departing & released | freed))", what is released is free: held from the cycle after it is given, until a flit departs, or
// in a switch for short packets to the cycle before one departs (switch.md: "in the next one the flit departs, so that the port is in use").
// "`port_arbiter`: no grant while the port is held." With LATE: "a packet may still be *given* a port three cycles after the last one with `grantable`".
module mechanism_surroundings_properties #(
    parameter PORTS = 4,
    parameter LATE = 1
) (
    input wire             clk,
    input wire             rst,
    input wire [PORTS-1:0] held,
    input wire [PORTS-1:0] given,
    input wire [PORTS-1:0] departing,
    input wire [PORTS-1:0] grantable
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;

    reg [PORTS-1:0] must_hold, may_hold, grantable_1, grantable_2, grantable_3;
    always @(posedge clk) begin
        must_hold   <= rst ? {PORTS{1'b0}} : given | (held & ~departing);
        may_hold    <= rst ? {PORTS{1'b0}} : given | held;
        grantable_1 <= rst ? {PORTS{1'b0}} : grantable;
        grantable_2 <= rst ? {PORTS{1'b0}} : grantable_1;
        grantable_3 <= rst ? {PORTS{1'b0}} : grantable_2;
    end
    always @* if (began) begin
        assume ((must_hold & ~held & ~departing) == 0 && (held & ~may_hold) == 0);
        assume ((given & held) == 0);
        if (LATE) assume ((given & ~(grantable | grantable_1 | grantable_2 | grantable_3)) == 0);
    end
endmodule
