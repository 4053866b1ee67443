// `reset_synchroniser`: the demonstrator's reset (docs/microarchitecture/demonstrator.md).
//
// The reset ends once `ready` has been seen in 16 cycles one after the other, neither sooner nor later; a cycle in which it is not seen resets everything. What is seen is `ready` of two cycles before.
//
// Not covered: metastability, which a model of two values does not have.
module reset_synchroniser_properties (
    input wire clk,
    input wire rst,
    input wire ready,
    input wire reset
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);
    // `ready` of the cycle before, and so on; cycles in a row in which it has been seen; whether the reset has ever ended.
    reg       before, before_2, before_3, released;
    reg [4:0] seen;
    always @(posedge clk) begin
        before   <= !rst && ready;
        before_2 <= !rst && before;
        before_3 <= !rst && before_2;
        seen     <= rst || !before_2 ? 5'd0 : seen == 16 ? 5'd16 : seen + 5'd1;
        released <= !rst && (released || !reset);
    end
    always @* if (began) begin
        reset_until_it_has_been_ready_for_16_cycles: assert (reset == (seen != 16));
        resets_as_soon_as_it_is_not: assert (before_3 || reset);
        is_released: cover (!reset);
        resets_again: cover (reset && released && before);
    end
endmodule
