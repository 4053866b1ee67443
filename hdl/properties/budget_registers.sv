// `budget_registers`: what the budgets of all ports have in common (docs/microarchitecture/mechanisms/ahead.md).
//
// "In any L consecutive cycles at most ceil(bound x L) cycles are earned." All windows at once: `excess` is the most, over all windows that end here, by which
// 2^16 for each cycle earned exceeds the sum of `bound` in the same cycles. It is below 2^16, whatever is written meanwhile; so of a `bound` that stays, E cycles
// earned in L are E x 2^16 < bound x L + 2^16, which for whole numbers is the promise.
//
// Not covered: the values that a reset gives, which are the configuration's.
module budget_registers_properties (
    input wire        clk,
    input wire        rst,
    input wire        write_enable,
    input wire [9:0]  write_address,
    input wire [31:0] write_data,
    input wire [9:0]  read_address,
    input wire [31:0] read_data,
    input wire        earn,
    input wire [26:0] cap,
    input wire [25:0] reserve,
    input wire [16:0] bound_q,
    input wire [26:0] cap_q,
    input wire [23:0] t_sleep_q,
    input wire [23:0] t_wake_q,
    input wire [15:0] fraction_q
);
    localparam [9:0] T_SLEEP = 10'h15, T_WAKE = 10'h16, BOUND = 10'h1a, CAP = 10'h1b;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    reg  [17:0] excess;
    wire [18:0] with_this = {1'b0, excess} + {2'b0, earn, 16'd0};
    always @(posedge clk) begin
        if (rst || with_this < {2'b0, bound_q}) excess <= 18'd0;
        else excess <= with_this - {2'b0, bound_q};
    end
    wire [17:0] sum = {2'b0, fraction_q} + {1'b0, bound_q};

    always @* if (began) begin
        no_window_earns_more_than_the_bound: assert (excess < 18'h10000);
        what_is_earned_is_taken_from_the_fraction: assert ({1'b0, excess} + {3'b0, fraction_q} < 19'h10000);
        earn_is_the_carry: assert (earn == (sum >= 18'h10000));
        cap_is_shown: assert (cap == cap_q);
        register_is_read: assert (read_data == (read_address == BOUND ? {15'd0, bound_q} : read_address == CAP ? {5'd0, cap_q} : 32'd0));
    end

    always @(posedge clk) if (began && $past(rst)) begin
        no_fraction_behind_a_reset: assert (fraction_q == 0);
        reserve_fits_behind_a_reset: assert (reserve == {2'd0, t_sleep_q} + {2'd0, t_wake_q} + 26'd2 && {1'b0, reserve} <= cap);
    end

    always @(posedge clk) if (began && !$past(rst)) begin
        fraction_adds_up: assert (fraction_q == $past(sum[15:0]));
        reserve_is_the_sum_of_the_cycle_before: assert (reserve == {2'd0, $past(t_sleep_q)} + {2'd0, $past(t_wake_q)} + 26'd2);
        written_bound_holds: assert (bound_q == ($past(write_enable && write_address == BOUND) ? $past(write_data[16:0]) : $past(bound_q)));
        written_cap_holds: assert (cap_q == ($past(write_enable && write_address == CAP) ? $past(write_data[26:0]) : $past(cap_q)));
        written_t_sleep_holds: assert (t_sleep_q == ($past(write_enable && write_address == T_SLEEP) ? $past(write_data[23:0]) : $past(t_sleep_q)));
        written_t_wake_holds: assert (t_wake_q == ($past(write_enable && write_address == T_WAKE) ? $past(write_data[23:0]) : $past(t_wake_q)));
    end

    always @* if (began && !rst) begin
        a_cycle_is_earned: cover (earn && bound_q[16:15] == 0 && bound_q != 0);
        every_cycle_is_earned: cover (earn && bound_q == 17'h10000);
        more_than_all_is_written: cover (earn && bound_q > 17'h10000);
        nothing_is_earned: cover (bound_q == 0);
    end
endmodule
