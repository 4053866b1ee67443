// `window_sums`: what docs/microarchitecture/mechanisms/soteriou_peh.md promises of the statistics of a sampling window (equations 1 to 3).
//
// "`filled`: sum of `fill` over links and cycles of this window that have passed; `flits`, `departures`: sums of `flit` and of `leaving` likewise [...]: the cycle of the check counts for the next window."
// No sum wraps in the longest window of 65535 cycles.
//
// Not covered: nothing.
module window_sums_properties #(
    parameter BITS_flit = 4
) (
    input wire                    clk,
    input wire                    rst,
    input wire                    check,
    input wire [BITS_flit-1:0]    flit,
    input wire [BITS_flit-1:0]    leaving,
    input wire [13*BITS_flit-1:0] fill,
    input wire [35:0]             filled,
    input wire [23:0]             flits,
    input wire [23:0]             departures
);
    localparam L = BITS_flit;
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);
    // "`fill`: flits in that buffer": 4096 at most ("B, flits of an input buffer (1..4096)").
    integer i;
    always @* for (i = 0; i < L; i = i + 1) assume (fill[13*i +: 13] <= 13'd4096);

    // What this cycle adds.
    reg [35:0] fill_now;
    reg [23:0] flits_now, departures_now;
    always @* begin
        fill_now       = 36'd0;
        flits_now      = 24'd0;
        departures_now = 24'd0;
        for (i = L - 1; i >= 0; i = i - 1) begin
            fill_now       = fill_now + {23'd0, fill[13*i +: 13]};
            if (flit[i])    flits_now = flits_now + 24'd1;
            if (leaving[i]) departures_now = departures_now + 24'd1;
        end
    end
    // Cycles of the window that have passed, up to those of the longest one, and what they could add: L flits and 4096 L flits of fill each.
    reg [16:0] cycles;
    reg [23:0] most;
    always @(posedge clk) begin
        cycles <= rst ? 17'd0 : check ? 17'd1 : cycles == 17'd65536 ? cycles : cycles + 17'd1;
        most   <= rst ? 24'd0 : check ? L : cycles == 17'd65536 ? most : most + L;
    end
    wire in_time = cycles <= 17'd65535;

    always @* if (began) begin
        flits_do_not_wrap: assert (!in_time || flits <= most);
        departures_do_not_wrap: assert (!in_time || departures <= most);
        filled_does_not_wrap: assert (!in_time || filled <= {most, 12'd0});
    end
    // What induction needs.
    always @* if (began) most_is_of_cycles: assert (most <= L * cycles && cycles <= 17'd65536);

    always @(posedge clk) if (began) begin
        reset_is_0: assert (!$past(rst) || (filled == 0 && flits == 0 && departures == 0));
        filled_is_the_sum_of_fill: assert ($past(rst) || filled == $past(check ? 36'd0 : filled) + $past(fill_now));
        flits_are_counted: assert ($past(rst) || flits == $past(check ? 24'd0 : flits) + $past(flits_now));
        departures_are_counted: assert ($past(rst) || departures == $past(check ? 24'd0 : departures) + $past(departures_now));
        cycle_of_the_check_counts_for_the_next_window: assert ($past(rst || !check) || (filled == $past(fill_now) && flits == $past(flits_now) && departures == $past(departures_now)));
        full_buffers_happen: cover (filled > 36'd8192 * L && flits == 2 * L);
        check_with_flits_happens: cover (!$past(rst) && $past(check && flits != 0) && flits == 1 && departures == 2);
    end
endmodule
