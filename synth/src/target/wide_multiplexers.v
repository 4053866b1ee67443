// Multiplexers of words on the multiplexers of an ECP5's slices, as a techmap file for Yosys.
//
// A slice has two look-up tables, PFUMX chooses between them, and L6MUX21 between those of neighbours. With a 2:1
// multiplexer in each look-up table, a bit of 8:1 takes 4 of them and a bit of 16:1 takes 8; Yosys by itself takes 6
// and 20, because it makes truth tables of five to seven inputs of the slice multiplexers and nothing else.

// A multiplexer that Yosys made of `words[select]` or of `case`: a shift by a multiple of the words' distance, which
// is a power of two then. All others stay as they are.
(* techmap_celltype = "$shiftx" *)
module wide_shift (A, B, Y);
    parameter A_SIGNED = 0;
    parameter B_SIGNED = 0;
    parameter A_WIDTH = 1;
    parameter B_WIDTH = 1;
    parameter Y_WIDTH = 1;
    // Which bits of B are constant, and what they are.
    parameter [B_WIDTH-1:0] _TECHMAP_CONSTMSK_B_ = 0;
    parameter [B_WIDTH-1:0] _TECHMAP_CONSTVAL_B_ = 0;

    (* force_downto *)
    input [A_WIDTH-1:0] A;
    (* force_downto *)
    input [B_WIDTH-1:0] B;
    (* force_downto *)
    output [Y_WIDTH-1:0] Y;

    // Lowest bits of the shift that are always 0.
    function integer zeros;
        input [B_WIDTH-1:0] constant, value;
        integer i;
        begin
            zeros = 0;
            for (i = 0; i < B_WIDTH; i = i + 1)
                if (zeros == i && constant[i] && !value[i])
                    zeros = i + 1;
        end
    endfunction

    localparam LOW = zeros(_TECHMAP_CONSTMSK_B_, _TECHMAP_CONSTVAL_B_);
    localparam DISTANCE = 1 << LOW;
    localparam WORDS = (A_WIDTH + DISTANCE - 1) / DISTANCE;
    localparam SELECT = $clog2(WORDS);

    generate
        if (B_SIGNED || LOW > 16 || Y_WIDTH < 8 || Y_WIDTH > DISTANCE || WORDS < 4
                || (WORDS == 4 && Y_WIDTH < 64) || WORDS > 64
                || B_WIDTH < LOW + SELECT) begin
            wire _TECHMAP_FAIL_ = 1;
        end else begin
            // Out of range is undefined; 0 does.
            wire [(DISTANCE << SELECT)-1:0] all = A;
            wire [(Y_WIDTH << SELECT)-1:0] words;
            genvar i;
            for (i = 0; i < (1 << SELECT); i = i + 1) begin : word
                assign words[i*Y_WIDTH +: Y_WIDTH] = all[i*DISTANCE +: Y_WIDTH];
            end
            \$bmux #(.WIDTH(Y_WIDTH), .S_WIDTH(SELECT)) multiplexer (.A(words), .S(B[LOW +: SELECT]), .Y(Y));
        end
    endgenerate
endmodule

// Word S of A: 4:1 of words of 64 and more bits, 8:1 and 16:1 here, 32:1 and 64:1 of several 16:1 and what Yosys makes of the rest.
(* techmap_celltype = "$bmux" *)
module wide_multiplexer (A, S, Y);
    parameter WIDTH = 1;
    parameter S_WIDTH = 1;
    // Which bits of A are constant, and what they are.
    parameter [(WIDTH << S_WIDTH)-1:0] _TECHMAP_CONSTMSK_A_ = 0;
    parameter [(WIDTH << S_WIDTH)-1:0] _TECHMAP_CONSTVAL_A_ = 0;

    (* force_downto *)
    input [(WIDTH << S_WIDTH)-1:0] A;
    (* force_downto *)
    input [S_WIDTH-1:0] S;
    (* force_downto *)
    output [WIDTH-1:0] Y;

    // Words that there are not are undefined; 0 does.
    wire [(WIDTH << S_WIDTH)-1:0] words;
    genvar i, j;
    generate
        for (i = 0; i < (WIDTH << S_WIDTH); i = i + 1) begin : defined
            if (_TECHMAP_CONSTMSK_A_[i] && _TECHMAP_CONSTVAL_A_[i] === 1'bx)
                assign words[i] = 1'b0;
            else
                assign words[i] = A[i];
        end
        if (WIDTH < 8 || S_WIDTH < 2 || (S_WIDTH == 2 && WIDTH < 64) || S_WIDTH > 6) begin
            wire _TECHMAP_FAIL_ = 1;
        end else if (S_WIDTH > 4) begin
            localparam PARTS = 1 << (S_WIDTH - 4);
            wire [WIDTH*PARTS-1:0] chosen;
            for (i = 0; i < PARTS; i = i + 1) begin : part
                \$bmux #(.WIDTH(WIDTH), .S_WIDTH(4)) multiplexer (
                    .A(words[i*16*WIDTH +: 16*WIDTH]), .S(S[3:0]), .Y(chosen[i*WIDTH +: WIDTH])
                );
            end
            \$bmux #(.WIDTH(WIDTH), .S_WIDTH(S_WIDTH - 4)) multiplexer (.A(chosen), .S(S[S_WIDTH-1:4]), .Y(Y));
        end else begin
            for (i = 0; i < WIDTH; i = i + 1) begin : word_bit
                // Of 16 words, of 8 after the look-up tables, and so on.
                wire [7:0] of_two;
                wire [3:0] of_four;
                wire [1:0] of_eight;
                for (j = 0; j < (1 << (S_WIDTH - 1)); j = j + 1) begin : pair
                    // Z = C ? B : A, whatever D is.
                    LUT4 #(.INIT(16'hCACA)) lut (
                        .A(words[2*j*WIDTH + i]), .B(words[(2*j + 1)*WIDTH + i]), .C(S[0]), .D(1'b0), .Z(of_two[j])
                    );
                end
                for (j = 0; j < (1 << (S_WIDTH - 2)); j = j + 1) begin : four
                    PFUMX mux (.BLUT(of_two[2*j]), .ALUT(of_two[2*j + 1]), .C0(S[1]), .Z(of_four[j]));
                end
                for (j = 0; j < (1 << (S_WIDTH - 3)); j = j + 1) begin : eight
                    L6MUX21 mux (.D0(of_four[2*j]), .D1(of_four[2*j + 1]), .SD(S[2]), .Z(of_eight[j]));
                end
                if (S_WIDTH == 2) begin
                    assign Y[i] = of_four[0];
                end else if (S_WIDTH == 4) begin
                    L6MUX21 mux (.D0(of_eight[0]), .D1(of_eight[1]), .SD(S[3]), .Z(Y[i]));
                end else begin
                    assign Y[i] = of_eight[0];
                end
            end
        end
    endgenerate
endmodule
