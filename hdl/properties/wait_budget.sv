// `wait_budget`: what docs/microarchitecture/mechanisms/ahead.md promises of how long packets wait for a port: "in any window of L cycles at most as many are
// lost as are earned in them and `cap`, whatever the traffic."
//
// All windows at once: `worst` is the most, over all windows that end here, by which the lost cycles exceed the earned ones. It follows from one cycle to the next
// as the sum of a window does, but begins anew where an empty window is more. The promise is that it is never more than the largest `cap`.
//
// Assumed of `ready`, which comes from `port_power_fsm`: a port in use stays `Active` (`in_use_stays_active`), and so do all in the first two cycles behind a reset;
// of what a port loses in one sleep, what `wake_request_is_served_within_t_sleep_and_t_wake` says: T_s + T_w, where a duration of 0 counts as 1. With `reserve` =
// T_s + T_w + 2 that is `reserve` - 1 and less. And of software, what the page says: no `cap` is written that is smaller than what a sleep may still cost.
// Nothing is assumed of `held` and `earn`.
//
// Not covered: the budget that a reset gives, which is the configuration's.
module wait_budget_properties (
    input wire        clk,
    input wire        rst,
    input wire        held,
    input wire        ready,
    input wire        earn,
    input wire [26:0] cap,
    input wire [25:0] reserve,
    input wire        may_sleep,
    input wire        may_sleep_q,
    input wire [26:0] left_q
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    wire lost = held && !ready;

    // What was before, and cycles behind a reset: in cycle 1 registers are as it left them.
    reg [1:0]  behind;
    reg        ready_1, may_sleep_1;
    reg [26:0] cap_1, cap_2, left_1;
    reg [25:0] reserve_1, reserve_2;
    always @(posedge clk) begin
        behind      <= rst ? 2'd1 : behind == 2'd3 || behind == 2'd0 ? behind : behind + 2'd1;
        ready_1     <= ready || rst;
        may_sleep_1 <= may_sleep;
        cap_1       <= cap;
        cap_2       <= cap_1;
        left_1      <= left_q;
        reserve_1   <= reserve;
        reserve_2   <= reserve_1;
    end

    // What the port may still lose in this sleep.
    wire        fell = ready_1 && !ready;
    reg  [26:0] remains;
    wire [26:0] to_lose = !fell ? remains : reserve_2 == 0 ? 27'd0 : {1'b0, reserve_2} - 27'd1;
    always @(posedge clk) remains <= lost ? to_lose - 27'd1 : to_lose;
    always @* if (began && !rst) begin
        assume (behind == 2'd3 || ready);
        assume (!fell || may_sleep_1);
        assume (!lost || to_lose != 0);
        assume (ready || cap >= to_lose);
        assume (!fell || (cap_1 >= to_lose && cap_2 >= to_lose));
    end

    // The worst of all windows that end with the cycle before, and the largest `cap` that there has been.
    reg  [26:0] worst;
    reg  [26:0] highest;
    wire [26:0] top = behind == 2'd1 ? left_q : highest;
    always @(posedge clk) begin
        highest <= cap > top ? cap : top;
        if (rst) worst <= 27'd0;
        else if (lost && !earn) worst <= worst + 27'd1;
        else if (earn && !lost && worst != 0) worst <= worst - 27'd1;
    end

    always @* if (began) begin
        no_window_loses_more_than_it_earns_and_the_cap: assert (worst <= top);
        what_is_lost_is_spent: assert ({1'b0, worst} + {1'b0, left_q} <= {1'b0, top});
        a_lost_cycle_is_always_paid_for: assert (rst || !lost || earn || left_q != 0);
        may_sleep_is_the_register: assert (may_sleep == may_sleep_q);
    end
    always @* if (began && behind != 2'd1) begin
        enough_in_the_cycle_before: assert (may_sleep == (left_1 >= {1'b0, reserve_1}));
    end
    always @* if (began && !rst && !ready) begin
        a_sleeping_port_has_what_it_may_lose: assert (left_q >= to_lose);
    end
    always @* if (began) begin
        behind_a_reset: assert (behind != 2'd0);
    end

    always @* if (began && behind == 2'd1) begin
        reset_may_sleep: assert (may_sleep);
    end

    always @(posedge clk) if (began && !$past(rst)) begin
        more_than_the_cap_is_cut_at_once: assert (!($past(left_q) > $past(cap)) || left_q == $past(cap));
        a_lost_cycle_costs_one: assert (!($past(lost && !earn) && $past(left_q) <= $past(cap)) || left_q == $past(left_q) - 27'd1 || $past(left_q) == 0);
        an_earned_cycle_gives_one: assert (!($past(earn && !lost) && $past(left_q) < $past(cap)) || left_q == $past(left_q) + 27'd1);
        both_or_neither_change_nothing: assert (!($past(earn == lost) && $past(left_q) <= $past(cap)) || left_q == $past(left_q));
        never_above_the_cap_before: assert (left_q <= $past(cap));
    end

    always @* if (began && !rst) begin
        nearly_all_is_spent: cover (left_q == 1 && cap == 3 && worst == 2);
        a_port_has_too_little: cover (behind == 2'd3 && !may_sleep && ready && left_q < cap);
        a_port_sleeps_and_loses: cover (lost && remains == 2 && left_q > 3);
        both_at_once: cover (lost && earn);
        a_smaller_cap_is_written: cover (behind == 2'd3 && left_q > cap);
        more_than_once_in_a_window: cover (fell && worst > 1);
    end
endmodule
