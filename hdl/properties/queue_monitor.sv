// `queue_monitor`: what docs/microarchitecture/mechanisms/e_rapid.md promises of how packets wait for a board.
//
// "`count`: cycles of this window, at most 4095; `waited`: those of the last window": "`count' = (sample ? 0 : count) + waits, at most 4095`; `sample: waited' = count`".
//
// Not covered: nothing.
module queue_monitor_properties (
    input wire        clk,
    input wire        rst,
    input wire        waits,
    input wire        sample,
    input wire [11:0] waited,
    input wire [11:0] count_q
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Cycles in which a packet waited: a count that is wide enough not to wrap within a window of up to 2^20 cycles, and then stays.
    reg [19:0] cycles, last_cycles;
    always @(posedge clk) begin
        if (rst)                 cycles <= 20'd0;
        else if (sample)         cycles <= {19'd0, waits};
        else if (waits && !(&cycles)) cycles <= cycles + 20'd1;
        if (rst)                 last_cycles <= 20'd0;
        else if (sample)         last_cycles <= cycles;
    end

    always @* if (began) begin
        waited_is_of_the_last_window: assert (waited == (last_cycles > 20'd4095 ? 12'd4095 : last_cycles[11:0]));
    end
    always @* if (began) count_is_of_this_window: assert (count_q == (cycles > 20'd4095 ? 12'd4095 : cycles[11:0]));

    always @(posedge clk) if (began) begin
        waited_changes_with_the_sample_only: assert ($past(rst || sample) || waited == $past(waited));
        waited_happens: cover (waited == 3 && $past(sample && !rst));
        sample_while_it_waits_happens: cover (!$past(rst) && $past(sample && waits && last_cycles == 1) && waited == 2);
    end
endmodule
