// `link_stage`: registers on a link (docs/microarchitecture/network_interface.md).
//
// "Register 0 takes the inputs, register s what register s - 1 was": each end shows what the other one showed so many cycles before, and nothing else; 0 behind a reset.
//
// Not covered: nothing.
module link_stage_properties #(
    parameter STAGES = 1,
    parameter FLIT_BITS = 32
) (
    input wire                 clk,
    input wire                 rst,
    input wire                 in_valid,
    input wire                 in_head,
    input wire [2:0]           in_vc,
    input wire [FLIT_BITS-1:0] in_flit,
    input wire [2:0]           in_phase,
    input wire                 in_hint,
    input wire                 out_credit_valid,
    input wire [2:0]           out_credit_vc,
    input wire                 out_valid,
    input wire                 out_head,
    input wire [2:0]           out_vc,
    input wire [FLIT_BITS-1:0] out_flit,
    input wire [2:0]           out_phase,
    input wire                 out_hint,
    input wire                 in_credit_valid,
    input wire [2:0]           in_credit_vc
);
    localparam B = FLIT_BITS + 13;
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);
    // What both ends are given, the newest lowest.
    reg [B*STAGES-1:0] given;
    wire [B-1:0] now = {in_valid, in_head, in_vc, in_flit, in_phase, in_hint, out_credit_valid, out_credit_vc};
    wire [B*STAGES+B-1:0] longer = {given, now};
    always @(posedge clk) given <= rst ? {B*STAGES{1'b0}} : longer[B*STAGES-1:0];
    wire [B-1:0] then = given[B*STAGES-1 -: B];
    always @* if (began) begin
        flits_come_so_many_cycles_later: assert ({out_valid, out_head, out_vc, out_flit} == then[B-1 -: FLIT_BITS+5]);
        phase_and_hint_do: assert ({out_phase, out_hint} == then[7:4]);
        credits_go_back_likewise: assert ({in_credit_valid, in_credit_vc} == then[3:0]);
        both_ways_at_once: cover (out_valid && in_credit_valid && in_credit_vc != out_vc && !in_valid && !out_credit_valid);
    end
    always @(posedge clk) if (began) begin
        reset_is_0: assert (!$past(rst) || {out_valid, out_head, out_vc, out_flit, out_phase, out_hint, in_credit_valid, in_credit_vc} == 0);
    end
endmodule
