// `control_registers`: what docs/microarchitecture/mechanisms/powar.md promises of POWAR's registers.
//
// "A write of cycle t is visible in t+1"; "writes to other addresses are ignored"; "the low bits of the data are taken"; "`read_data`: the register at `read_address`, 0 if there is none". The map is the page's.
//
// Not covered: the values that a reset gives, which are the configuration's.
module control_registers_properties (
    input wire        clk,
    input wire        rst,
    input wire        write_enable,
    input wire [9:0]  write_address,
    input wire [31:0] write_data,
    input wire [9:0]  read_address,
    input wire [31:0] read_data,
    input wire [1:0]  policy,
    input wire [23:0] pdt,
    input wire [15:0] check_period,
    input wire [15:0] on_flits,
    input wire [15:0] off_flits,
    input wire [23:0] t_sleep,
    input wire [23:0] t_wake,
    input wire [23:0] t_quiet,
    input wire [23:0] t_refresh,
    input wire        abort_sleep
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // The map, by byte addresses from 0x40 on: the registers as words, and how many bits each has.
    wire [319:0] words = {31'd0, abort_sleep, 8'd0, t_refresh, 8'd0, t_quiet, 8'd0, t_wake, 8'd0, t_sleep, 16'd0, off_flits, 16'd0, on_flits, 16'd0, check_period, 8'd0, pdt, 30'd0, policy};
    wire [319:0] bits = {32'h1, 32'hffffff, 32'hffffff, 32'hffffff, 32'hffffff, 32'hffff, 32'hffff, 32'hffff, 32'hffffff, 32'h3};
    // Any one of the addresses.
    (* anyconst *) reg [9:0] one;
    wire        exists = one >= 10'h10 && one < 10'h1a;
    wire [31:0] its_word = words >> (32 * (one - 10'h10));
    wire [31:0] its_bits = bits >> (32 * (one - 10'h10));

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
        no_register_reads_0: assert ((read_address >= 10'h10 && read_address < 10'h1a) || read_data == 0);
    end
    always @(posedge clk) if (began) begin
        write_shows_in_the_next_cycle: assert (!(exists && $past(!rst && write_enable && write_address == one)) || its_word == ($past(write_data) & its_bits));
        other_writes_are_ignored: assert (!exists || $past(rst || (write_enable && write_address == one)) || its_word == $past(its_word));
        every_reset_gives_the_same_values: assert (!($past(rst) && seen) || its_word == at_reset);
        write_happens: cover (!$past(rst) && exists && its_word == 32'h1 && $past(its_word) != 1);
        second_reset_happens: cover ($past(rst) && seen && exists);
        write_elsewhere_happens: cover (!$past(rst) && $past(write_enable && write_address == 10'h1a));
    end
endmodule
