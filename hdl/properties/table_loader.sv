// `table_loader`: the words through which software writes a switch's routing table (docs/microarchitecture/routing.md).
//
// Promised: a row's words are kept as they are written, in the bits that they have; writing the last one writes the row, one cycle later, at the number
// that was written last to `table_row`, or the one after the row that was written last, modulo the number of rows; reading gives a word back, 0 at
// any other address. Said of one word, any that a solver chooses.
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module table_loader_properties #(
    parameter ROWS = 4,
    parameter ROW_BITS = 10,
    parameter BITS_word = 32
) (
    input wire                 clk,
    input wire                 rst,
    input wire                 write_enable,
    input wire [9:0]           write_address,
    input wire [31:0]          write_data,
    input wire                 read_request,
    input wire [13:0]          read_address,
    input wire [31:0]          read_data,
    input wire                 write,
    input wire [15:0]          row,
    input wire [BITS_word-1:0] word
);
    // Byte addresses 0x10 and 0x14 on.
    localparam [9:0] ROW_AT = 10'h4;
    localparam [9:0] WORDS_AT = 10'h5;
    localparam WORDS = BITS_word / 32;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    (* anyconst *) reg [9:0] one;
    always @* assume (one < WORDS);
    wire [31:0] its_word = word >> (one * 32);
    // The bits that the word has.
    wire [31:0] mask = one == WORDS - 1 ? ~32'd0 >> (32 * WORDS - ROW_BITS) : ~32'd0;
    wire last_written = write_enable && write_address == WORDS_AT + WORDS - 1;
    wire row_written = write_enable && write_address == ROW_AT;

    // What software has said.
    reg [31:0] said, said_row;
    always @(posedge clk) begin
        if (rst) begin
            said <= 32'd0;
            said_row <= 32'd0;
        end else begin
            if (write_enable && write_address == WORDS_AT + one) said <= write_data & mask;
            if (row_written) said_row <= write_data[15:0] % ROWS;
            else if (write) said_row <= (said_row + 32'd1) % ROWS;
        end
    end

    always @* if (began) begin
        words_are_those_written: assert (its_word == said);
        row_is_that_said_or_the_next: assert ({16'd0, row} == said_row && said_row < ROWS);
    end
    always @(posedge clk) begin
        if (began && $past(rst)) begin
            nothing_after_reset: assert (!write && row == 16'd0 && word == 0 && read_data == 32'd0);
        end
        if (began && !$past(rst)) begin
            the_last_word_writes_the_row: assert (write == $past(last_written));
            if ($past(read_request)) begin
                reads_the_row: assert ($past(read_address) != {4'd0, ROW_AT} || read_data == $past(said_row));
                reads_a_word: assert ($past(read_address) != {4'd0, WORDS_AT + one} || read_data == $past(said));
                reads_nothing_elsewhere: assert (($past(read_address) >= 14'h4 && $past(read_address) < 14'h5 + WORDS) || read_data == 32'd0);
            end else begin
                shows_what_was_read: assert (read_data == $past(read_data));
            end
        end
        if (began && !rst) begin
            a_row_is_written: cover (write && row == ROWS - 1 && word != 0);
            the_rows_go_round: cover (!$past(rst) && $past(write) && row == 16'd0 && $past(row) == ROWS - 1);
            a_word_is_read: cover (!$past(rst) && $past(read_request) && read_data != 32'd0 && $past(read_address) == {4'd0, WORDS_AT + one});
        end
    end
endmodule
