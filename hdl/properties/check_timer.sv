// `check_timer`: what docs/microarchitecture/power.md promises of the end of each check period.
//
// "`check = (count + 1 >= period)`; `count' = check ? 0 : count + 1`. Periods of 0 and 1 both check in every cycle." So a period that stays as it is
// lasts `period` cycles, and a shorter one that is written takes effect at once.
//
// Not covered: nothing.
module check_timer_properties (
    input wire        clk,
    input wire        rst,
    input wire [15:0] period,
    input wire        check,
    input wire [15:0] count_q
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Cycles since the last check or reset, this one with them; the period has stayed as it is in them.
    reg [16:0] cycles;
    reg [15:0] period_before;
    reg        stayed_before;
    wire       begins = cycles == 17'd1;
    wire       stayed = begins || (stayed_before && period == period_before);
    always @(posedge clk) begin
        cycles        <= rst || check ? 17'd1 : cycles + 17'd1;
        period_before <= period;
        stayed_before <= stayed;
    end
    wire [16:0] length = period == 0 ? 17'd1 : {1'b0, period};

    always @* if (began) begin
        count_is_of_cycles_passed: assert ({1'b0, count_q} + 17'd1 == cycles);
        checks_from_the_last_cycle_on: assert (check == (cycles >= length));
        period_lasts_exactly_so_long: assert (!(check && stayed) || cycles == length);
        no_period_without_check: assert (!stayed || cycles <= length);
        period_of_0_or_1_checks_always: assert (period > 1 || check);
        no_period_is_longer_than_the_register: assert (cycles <= 17'h10000);
    end
    always @(posedge clk) if (began) begin
        count_begins_anew: assert (!$past(rst || check) || count_q == 0);
        long_period_happens: cover (check && stayed && period == 7);
        shorter_period_happens: cover (check && !stayed && cycles > length);
        check_in_every_cycle_happens: cover (check && $past(check) && $past(check, 2) && period == 0);
    end
endmodule
