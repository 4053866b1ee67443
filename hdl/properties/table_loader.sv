// `table_loader`: the words through which software writes a switch's routing table (docs/microarchitecture/routing.md).
//
// Promised: a row's words are kept as they are written, in the bits that they have; writing the last one writes the row, one cycle later, at the number
// that was written last to `table_row`, or the one after the row that was written last, modulo the number of rows; reading gives a word back, 0 at
// any other address. If the routing sees which ports lead to nodes (TO_NODE = 1), the words that say so are kept and read likewise, and a reset clears
// them. Said of one word of each kind, any that a solver chooses.
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module table_loader_properties #(
    parameter ROWS = 4,
    parameter ROW_BITS = 10,
    parameter PORTS = 4,
    parameter TO_NODE = 0,
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
    input wire [BITS_word-1:0] word,
    input wire [32*((PORTS+31)/32)-1:0] node_ports
);
    // Byte addresses 0x10, 0x14 on and 0x20 on.
    localparam [9:0] ROW_AT = 10'h4;
    localparam [9:0] WORDS_AT = 10'h5;
    localparam [9:0] NODES_AT = 10'h8;
    localparam WORDS = BITS_word / 32;
    localparam HAS_NODES = TO_NODE != 0;
    localparam NODE_WORDS = (PORTS + 31) / 32;

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

    (* anyconst *) reg [9:0] of_nodes;
    always @* assume (of_nodes < NODE_WORDS);
    wire [31:0] its_ports = node_ports >> (of_nodes * 32);
    wire [31:0] port_mask = of_nodes == NODE_WORDS - 1 ? ~32'd0 >> (32 * NODE_WORDS - PORTS) : ~32'd0;
    wire ports_written = HAS_NODES && write_enable && write_address == NODES_AT + of_nodes;

    // What software has said.
    reg [31:0] said, said_row, said_ports;
    always @(posedge clk) begin
        if (rst) begin
            said <= 32'd0;
            said_row <= 32'd0;
            said_ports <= 32'd0;
        end else begin
            if (ports_written) said_ports <= write_data & port_mask;
            if (write_enable && write_address == WORDS_AT + one) said <= write_data & mask;
            if (row_written) said_row <= write_data[15:0] % ROWS;
            else if (write) said_row <= (said_row + 32'd1) % ROWS;
        end
    end

    always @* if (began) begin
        words_are_those_written: assert (its_word == said);
        ports_are_those_written: assert (its_ports == said_ports);
        row_is_that_said_or_the_next: assert ({16'd0, row} == said_row && said_row < ROWS);
    end
    always @(posedge clk) begin
        if (began && $past(rst)) begin
            nothing_after_reset: assert (!write && row == 16'd0 && word == 0 && read_data == 32'd0);
            no_port_leads_to_a_node_after_reset: assert (node_ports == 0);
        end
        if (began && !$past(rst)) begin
            the_last_word_writes_the_row: assert (write == $past(last_written));
            if ($past(read_request)) begin
                reads_the_row: assert ($past(read_address) != {4'd0, ROW_AT} || read_data == $past(said_row));
                reads_a_word: assert ($past(read_address) != {4'd0, WORDS_AT + one} || read_data == $past(said));
                reads_the_ports: assert (!HAS_NODES || $past(read_address) != {4'd0, NODES_AT + of_nodes} || read_data == $past(said_ports));
                reads_nothing_elsewhere: assert (($past(read_address) >= 14'h4 && $past(read_address) < 14'h5 + WORDS)
                    || (HAS_NODES && $past(read_address) >= 14'h8 && $past(read_address) < 14'h8 + NODE_WORDS) || read_data == 32'd0);
            end else begin
                shows_what_was_read: assert (read_data == $past(read_data));
            end
        end
        if (began && !rst) begin
            a_row_is_written: cover (write && row == ROWS - 1 && word != 0);
            the_rows_go_round: cover (!$past(rst) && $past(write) && row == 16'd0 && $past(row) == ROWS - 1);
            a_word_is_read: cover (!$past(rst) && $past(read_request) && read_data != 32'd0 && $past(read_address) == {4'd0, WORDS_AT + one});
            ports_are_read: cover (!HAS_NODES || (!$past(rst) && $past(read_request) && read_data == port_mask && $past(read_address) == {4'd0, NODES_AT + of_nodes}));
        end
    end
endmodule
