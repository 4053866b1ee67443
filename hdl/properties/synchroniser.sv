// `synchroniser`: what docs/microarchitecture/crossing.md promises of two flip-flops in a row, in a model of two values.
//
// What is seen is what the other clock's registers were two cycles before, and nothing else; 0 behind a reset.
//
// Not covered: metastability, which such a model does not have.
module synchroniser_properties #(
    parameter BITS_value = 4
) (
    input wire                  clk,
    input wire                  rst,
    input wire [BITS_value-1:0] value,
    input wire [BITS_value-1:0] seen
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);
    reg [BITS_value-1:0] first, second;
    always @(posedge clk) begin
        first  <= rst ? {BITS_value{1'b0}} : value;
        second <= rst ? {BITS_value{1'b0}} : first;
    end
    always @* if (began) begin
        seen_two_cycles_later: assert (seen == second);
        sees_ones: cover (seen == {BITS_value{1'b1}} && value == 0);
    end
    always @(posedge clk) if (began) begin
        reset_is_0: assert (!$past(rst) || seen == 0);
    end
endmodule
