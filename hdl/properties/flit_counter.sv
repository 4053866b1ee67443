// `flit_counter`: what docs/microarchitecture/power.md promises of the flits of a group in a check period (FC of Algorithms 2 and 3).
//
// "`count' = (check ? 0 : count) + popcount(flit)`, modulo 2^24: a flit of the check cycle itself counts for the next period. (64 ports over the
// longest period of 65535 cycles stay below 2^24.)"
//
// Not covered: nothing.
module flit_counter_properties #(
    parameter BITS_flit = 4
) (
    input wire                 clk,
    input wire                 rst,
    input wire [BITS_flit-1:0] flit,
    input wire                 check,
    input wire [23:0]          count
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Flits of this cycle, a port taken off at a time: x & (x - 1) is x without its lowest one.
    reg [6:0]           flits;
    reg [BITS_flit-1:0] rest;
    integer             i;
    always @* begin
        flits = 7'd0;
        rest  = flit;
        for (i = 0; i < BITS_flit; i = i + 1) begin
            if (rest != 0) flits = flits + 7'd1;
            rest = rest & (rest - 1'b1);
        end
    end

    // Cycles since the last check, as many as the longest period has, and what the ports could forward in them.
    reg [16:0] cycles;
    reg [24:0] most;
    always @(posedge clk) begin
        cycles <= rst || check ? 17'd1 : cycles < 17'h1ffff ? cycles + 17'd1 : cycles;
        most   <= rst ? 25'd0 : check ? BITS_flit : most[24] ? most : most + BITS_flit;
    end

    always @* if (began) begin
        no_more_than_the_ports_forward: assert (most[24] || {1'b0, count} <= most);
        longest_period_does_not_wrap: assert (cycles > 17'd65535 || !most[24]);
    end
    // What induction needs.
    always @* if (began) most_is_of_cycles: assert (cycles > 17'd65535 || most <= cycles * BITS_flit);

    always @(posedge clk) if (began) begin
        count_begins_at_0: assert (!$past(rst) || count == 0);
        counts_every_flit: assert ($past(rst || check) || count == $past(count) + $past({17'd0, flits}));
        flit_of_the_check_is_of_the_next_period: assert (!$past(check && !rst) || count == $past({17'd0, flits}));
        all_ports_happen: cover (!$past(rst || check) && $past(&flit) && count > 2 * BITS_flit);
        flit_with_check_happens: cover ($past(check && !rst && count != 0) && count == 1);
    end
endmodule
