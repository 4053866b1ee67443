// Registers that software writes, as every mechanism has some ("`control_registers`: as POWAR's"): what holds whatever the map. An instance gives the map.
//
// "A write of cycle t is visible in t+1"; "writes to other addresses are ignored"; "the low bits of the data are taken"; "`read_data`: the register at `read_address`, 0 if there is none".
// `words` are the registers in the order of their addresses, from FIRST on, a byte address / 4, each as a word; `bits` has ones where a register has bits. The last READ_ONLY of them are not the block's: writes don't matter.
module register_file_properties #(
    parameter [9:0] FIRST = 10'h10,
    parameter WORDS = 10,
    parameter READ_ONLY = 0
) (
    input wire                clk,
    input wire                rst,
    input wire                write_enable,
    input wire [9:0]          write_address,
    input wire [31:0]         write_data,
    input wire [9:0]          read_address,
    input wire [31:0]         read_data,
    input wire [32*WORDS-1:0] words,
    input wire [32*WORDS-1:0] bits
);
    localparam [9:0] END = FIRST + WORDS, FIRST_READ_ONLY = END - READ_ONLY;
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Any one of the addresses.
    (* anyconst *) reg [9:0] one;
    wire        exists = one >= FIRST && one < END;
    wire        is_register = one >= FIRST && one < FIRST_READ_ONLY;
    wire [31:0] its_word = words >> (32 * (one - FIRST));
    wire [31:0] its_bits = bits >> (32 * (one - FIRST));

    // What it was behind the first reset.
    reg        seen = 1'b0;
    reg        reset_before = 1'b0;
    reg [31:0] at_reset;
    always @(posedge clk) begin
        reset_before <= rst;
        if (reset_before && !seen) begin
            seen     <= 1'b1;
            at_reset <= its_word;
        end
    end

    always @* if (began) begin
        register_is_read: assert (!(exists && read_address == one) || read_data == its_word);
        no_register_reads_0: assert ((read_address >= FIRST && read_address < END) || read_data == 0);
    end
    always @(posedge clk) if (began) begin
        write_shows_in_the_next_cycle: assert (!(is_register && $past(!rst && write_enable && write_address == one)) || its_word == ($past(write_data) & its_bits));
        other_writes_are_ignored: assert (!is_register || $past(rst || (write_enable && write_address == one)) || its_word == $past(its_word));
        every_reset_gives_the_same_values: assert (!($past(rst) && seen && is_register) || its_word == at_reset);
        write_happens: cover (!$past(rst) && is_register && its_word == 32'h1 && $past(its_word) != 1);
        second_reset_happens: cover ($past(rst) && seen && is_register);
        write_elsewhere_happens: cover (!$past(rst) && $past(write_enable && write_address == FIRST_READ_ONLY));
        all_bits_are_written: cover (is_register && its_word == its_bits && one == FIRST_READ_ONLY - 10'd1);
    end
endmodule
