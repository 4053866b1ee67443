// Comparisons of unsigned words with a constant in look-up tables, as a techmap file for Yosys.
//
// Yosys itself puts each on a carry chain: two half-slices for two bits, and as many where it begins and ends. Against
// a constant, three bits and what comes from below fit into one look-up table.

(* techmap_celltype = "$lt $le $gt $ge" *)
module constant_comparison (A, B, Y);
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

    localparam WIDTH = A_WIDTH > B_WIDTH ? A_WIDTH : B_WIDTH;
    // A longer one is faster on a carry chain.
    localparam LONGEST = 14;
    localparam CONSTANT = &_TECHMAP_CONSTMSK_A_ || &_TECHMAP_CONSTMSK_B_;
    // A < B and A >= B ask whether B is more than A, the others whether A is more than B; two of them want the contrary.
    localparam SWAPPED = _TECHMAP_CELLTYPE_ == "$lt" || _TECHMAP_CELLTYPE_ == "$ge";
    localparam NEGATED = _TECHMAP_CELLTYPE_ == "$le" || _TECHMAP_CELLTYPE_ == "$ge";

    generate
        if (A_SIGNED || B_SIGNED || !CONSTANT || WIDTH > LONGEST) begin
            wire _TECHMAP_FAIL_ = 1'b1;
        end else begin
            wire [WIDTH-1:0] a = A;
            wire [WIDTH-1:0] b = B;
            wire [WIDTH-1:0] left = SWAPPED ? b : a;
            wire [WIDTH-1:0] right = SWAPPED ? a : b;
            // Bit i: what the bits below i say is more on the left.
            wire [WIDTH:0] more;
            assign more = {left & ~right | ~(left ^ right) & more[WIDTH-1:0], 1'b0};
            assign Y = more[WIDTH] ^ NEGATED;
        end
    endgenerate
endmodule
