// `routing_table`: rows of a switch's table for one input VC (docs/microarchitecture/routing.md).
//
// Promised: the row that is shown is the one that the table had, when the header came to the head register, for that header's destination; it stays until
// the next header comes, whatever is written; of a destination above all rows, and before any header, it is 0. Said of one row, any that a solver chooses.
// Assumed: "a row must not be written in the cycle in which a header for its destination comes to the head register"; and, to have something to compare
// with, that the row has been written once. (Block RAM is not changed by a reset.)
module routing_table_properties #(
    parameter ROWS = 4,
    parameter BITS_row = 32
) (
    input wire                clk,
    input wire                rst,
    input wire                write,
    input wire [15:0]         write_row,
    input wire [BITS_row-1:0] write_word,
    input wire                read,
    input wire [15:0]         read_row,
    input wire [BITS_row-1:0] row
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    (* anyconst *) reg [15:0] one;
    always @* assume (one < ROWS);
    wire written = write && (write_row & (ROWS - 1)) == one;
    wire asked = read && (read_row & (ROWS - 1)) == one;
    // Not both at once.
    always @* if (began) assume (!(written && asked));

    // What is in that row, and what was shown of it.
    reg known = 1'b0;
    reg [BITS_row-1:0] content, shown;
    reg it_is_shown, none_is_shown;
    always @(posedge clk) begin
        if (written) begin
            known <= 1'b1;
            content <= write_word;
        end
        if (rst) begin
            it_is_shown <= 1'b0;
            none_is_shown <= 1'b1;
        end else if (read) begin
            it_is_shown <= known && read_row == one;
            none_is_shown <= read_row >= ROWS;
            shown <= content;
        end
    end

    always @* if (began) begin
        if (it_is_shown) begin
            shows_the_row_of_the_destination: assert (row == shown);
        end
        if (none_is_shown) begin
            nothing_above_the_rows_or_after_reset: assert (row == 0);
        end
    end
    always @(posedge clk) if (began && !$past(rst) && !$past(read)) begin
        stays_until_the_next_header: assert (row == $past(row));
    end
    always @* if (began && !rst) begin
        a_row_is_shown_that_was_written_since: cover (it_is_shown && content != shown && row == 7);
        a_row_that_is_not_there: cover (none_is_shown && it_is_shown == 0 && known);
        kept_over_a_reset: cover (it_is_shown && row == 9 && ROWS - 1 == one);
    end
endmodule
