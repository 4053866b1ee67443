// `statistics_reader`: the words of a network interface's statistics (docs/microarchitecture/demonstrator.md).
//
// A word that is asked for until `read_done` is answered one cycle later, once, with that number as it was when it was asked for, 0 if there is none; it shows nothing in all other cycles.
//
// Not covered: nothing.
module statistics_reader_properties #(
    parameter BITS_statistics = 320
) (
    input wire                       clk,
    input wire                       rst,
    input wire                       read,
    input wire [3:0]                 read_address,
    input wire [BITS_statistics-1:0] statistics,
    input wire                       read_done,
    input wire [31:0]                read_data
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);
    // Any one of the addresses.
    (* anyconst *) reg [3:0] one;
    wire [511:0] words = statistics;
    wire [31:0]  its_word = words >> (32 * one);
    reg          asked, answered_before;
    reg [31:0]   word_then;
    always @(posedge clk) begin
        asked           <= !rst && read && read_address == one;
        answered_before <= !rst && read_done;
        word_then       <= its_word;
    end
    always @* if (began) begin
        word_that_is_asked_for: assert (!(asked && read_done) || read_data == word_then);
        answers_one_cycle_later: assert (!asked || read_done || answered_before);
        nothing_else: assert (read_done || read_data == 0);
        one_cycle: assert (!(read_done && answered_before));
        last_word: cover (asked && read_done && one == BITS_statistics / 32 - 1 && read_data == 32'h12345678);
        no_such_word: cover (asked && read_done && one == 15 && statistics == {BITS_statistics{1'b1}});
        asked_again: cover (asked && read_done && read_data == 3 && read);
    end
    always @(posedge clk) if (began) begin
        only_if_asked: assert ($past(!rst && read) || !read_done);
        reset_is_0: assert (!$past(rst) || (!read_done && read_data == 0));
    end
endmodule
