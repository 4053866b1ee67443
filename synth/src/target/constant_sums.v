// Sums and differences of short unsigned words with a constant in look-up tables, as a techmap file for Yosys.
//
// Yosys itself puts each on a carry chain, which takes two half-slices for two bits and as many where it begins, and its result comes out of it by
// a wire of its own. Of a short counter each bit is a look-up table or two, in which what the counter is loaded with finds room.

(* techmap_celltype = "$add $sub" *)
module constant_sum (A, B, Y);
    parameter A_SIGNED = 0;
    parameter B_SIGNED = 0;
    parameter A_WIDTH = 1;
    parameter B_WIDTH = 1;
    parameter Y_WIDTH = 1;
    parameter _TECHMAP_CELLTYPE_ = "";
    // Which bits are constant.
    parameter [A_WIDTH-1:0] _TECHMAP_CONSTMSK_A_ = 0;
    parameter [B_WIDTH-1:0] _TECHMAP_CONSTMSK_B_ = 0;

    (* force_downto *)
    input [A_WIDTH-1:0] A;
    (* force_downto *)
    input [B_WIDTH-1:0] B;
    (* force_downto *)
    output [Y_WIDTH-1:0] Y;

    // A longer one is faster on a carry chain.
    localparam LONGEST = 8;
    localparam CONSTANT = &_TECHMAP_CONSTMSK_A_ || &_TECHMAP_CONSTMSK_B_;
    localparam MINUS = _TECHMAP_CELLTYPE_ == "$sub";

    generate
        if (A_SIGNED || B_SIGNED || !CONSTANT || Y_WIDTH > LONGEST) begin
            wire _TECHMAP_FAIL_ = 1'b1;
        end else begin
            wire [Y_WIDTH-1:0] a = A;
            wire [Y_WIDTH-1:0] b = B;
            // A - B = A + ~B + 1.
            wire [Y_WIDTH-1:0] added = MINUS ? ~b : b;
            // Bit i: what the bits below i carry.
            wire [Y_WIDTH:0] carry;
            assign carry = {a & added | (a ^ added) & carry[Y_WIDTH-1:0], MINUS};
            assign Y = a ^ added ^ carry[Y_WIDTH-1:0];
        end
    endgenerate
endmodule
