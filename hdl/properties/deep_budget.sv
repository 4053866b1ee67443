// `deep_budget`: what docs/microarchitecture/mechanisms/hints_depths.md promises where budget and depth meet. "A port goes deep only while its budget pays for a deep wake-up"; "what it had when
// it went deep it still has when it is woken, and that is no less than the wait which follows."
//
// The blocks around this one are free signals here, of which is assumed what their own properties say:
//   * `wait_budget`: a lost cycle costs one, and nothing else lowers a budget but a `cap` that is smaller (`a_lost_cycle_costs_one`, `both_or_neither_change_nothing`,
//     `an_earned_cycle_gives_one`, `more_than_the_cap_is_cut_at_once`);
//   * `sleep_depth`: a port goes deep in its sleep only, and never without a second threshold (`goes_deep_in_its_sleep_only`, `never_deep_without_a_second_threshold`); one that is deep is not
//     ready, and what is left of it beside sleep is its wake-up, of which there is one (`ready_is_awake_and_not_deep`, `stays_deep_until_it_is_woken`);
//   * `port_power_fsm`, `powar`: nobody waits for a port that is asleep, since it wakes in the cycle behind the one in which it is given (`held_port_is_never_left_asleep`); so nobody waited for it
//     in the cycle before either;
//   * of what a port loses in one deep wake-up: T_w and `t_wake_deep` run from the same cycle on (`awake_after_exactly_t_wake`, `comes_up_after_exactly_t_wake_deep`), so it is the longer of the two,
//     where 0 counts as 1, as they were before the port went deep. That is `reserve` of then, or less (`one_more_than_the_longer_of_the_cycle_before`, `no_less_than_a_wake_up_costs`);
//   * of software: no `cap` is written that is smaller than what a deep port may still lose.
// Nothing is assumed of `reserve` and `deep_after`.
//
// Not covered: that a port which is deep and is written a longer `t_wake_deep` has as much; the page takes it out.
module deep_budget_properties (
    input wire        clk,
    input wire        rst,
    input wire [26:0] left,
    input wire [24:0] reserve,
    input wire [23:0] deep_after,
    input wire [23:0] allowed_after,
    input wire        may_deepen_q
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // The port: it is asleep by POWAR, it is deep, a packet holds it and it is not ready; and the most that its budget may be.
    (* anyseq *) reg        asleep;
    (* anyseq *) reg        deep;
    (* anyseq *) reg        lost;
    (* anyseq *) reg [26:0] cap;

    // What was before, and cycles behind a reset: in cycle 1 registers are as it left them.
    reg [1:0]  behind;
    reg        asleep_1, deep_1, lost_1;
    reg [23:0] allowed_1;
    reg [26:0] left_1, left_2, cap_1, cap_2;
    reg [24:0] reserve_1, reserve_2;
    always @(posedge clk) begin
        behind    <= rst ? 2'd1 : behind == 2'd3 || behind == 2'd0 ? behind : behind + 2'd1;
        asleep_1  <= asleep && !rst;
        deep_1    <= deep && !rst;
        lost_1    <= lost && !rst;
        allowed_1 <= allowed_after;
        left_1    <= left;
        left_2    <= left_1;
        cap_1     <= cap;
        cap_2     <= cap_1;
        reserve_1 <= reserve;
        reserve_2 <= reserve_1;
    end

    // `wait_budget`.
    always @* if (began && behind != 2'd1) begin
        assume (left >= (left_1 > cap_1 ? cap_1 : lost_1 ? left_1 - {26'd0, left_1 != 0} : left_1));
    end

    // `sleep_depth`, `port_power_fsm` and `powar`.
    wire goes_deep = deep && !deep_1;
    always @* if (began) begin
        assume (!goes_deep || (asleep_1 && allowed_1 != 0));
        assume (!(deep_1 && asleep_1) || deep);
        assume (!(deep && asleep && !goes_deep) || asleep_1);
        assume (!asleep || !(lost || lost_1));
        assume (behind == 2'd3 || (!asleep && !deep));
    end

    // What the port may still lose in this deep wake-up.
    reg  [24:0] remains;
    wire [24:0] to_lose = goes_deep ? reserve_2 : remains;
    always @(posedge clk) remains <= deep && lost ? to_lose - 25'd1 : to_lose;
    always @* if (began && !rst) begin
        assume (!(deep && lost) || to_lose != 0);
        assume (!deep || cap >= {2'd0, to_lose});
        assume (!goes_deep || (cap_1 >= {2'd0, to_lose} && cap_2 >= {2'd0, to_lose}));
    end

    always @* if (began) begin
        allowed_is_deep_after_or_never: assert (allowed_after == (may_deepen_q ? deep_after : 24'd0));
        behind_a_reset: assert (behind != 2'd0);
    end
    always @* if (began && behind == 2'd1) begin
        reset_may_deepen: assert (may_deepen_q);
    end
    always @* if (began && behind != 2'd1) begin
        enough_in_the_cycle_before: assert (may_deepen_q == (left_1 >= {2'd0, reserve_1}));
    end
    always @* if (began && !rst) begin
        no_port_goes_deep_without_a_budget: assert (!goes_deep || left_2 >= {2'd0, reserve_2});
        a_deep_port_has_what_its_wake_up_costs: assert (!deep || left >= {2'd0, to_lose});
        a_deep_wake_up_is_paid_for: assert (!(deep && lost) || left != 0);
    end

    always @(posedge clk) if (began && !$past(rst) && !rst) begin
        a_port_goes_deep: cover (goes_deep && asleep && allowed_1 == 3 && reserve_2 == 4);
        it_has_too_little: cover (asleep && !deep && deep_after == 3 && allowed_after == 0);
        all_of_it_is_lost: cover (deep && $past(deep && lost) && remains == 0 && left == 0);
        nothing_is_lost_for_long: cover (deep && asleep && $past(deep && asleep) && left > left_1);
        a_smaller_cap_is_written: cover (deep && left == cap && left_1 > cap_1);
        woken_as_it_goes_deep: cover (goes_deep && !asleep && lost && reserve_2 > 2);
        it_stays_deep_with_too_little: cover (deep && asleep && allowed_after == 0 && deep_after != 0);
    end
endmodule
