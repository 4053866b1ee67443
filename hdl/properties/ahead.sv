// `ahead`: what docs/microarchitecture/mechanisms/ahead.md promises of the whole mechanism, seen at its ports and in the registers of the blocks in it.
//
// "In any window of L cycles a port makes packets wait for at most `bound` x L + `cap` cycles, whatever the traffic": all windows at once, as beside `wait_budget`, but with the port as
// it is built, whose FSM, budget and registers are all here. Twice: in cycles that are lost and not earned, and in parts of 2^-16 of a cycle by the register `bound`, which is the promise word for word.
// And the contract of a power mechanism, as beside `powar`.
//
// Assumed are what the switch around a mechanism does, and that software leaves T_s, T_w and `cap` as they are configured. All other words may be written in any cycle.
//
// Not covered: T_s, T_w and `cap` that are written while the switch runs, of which the page says what is promised; beside `wait_budget` they may be.
module ahead_properties #(
    parameter BITS_held = 4,
    parameter FIRST = 2,
    parameter GROUP_SIZE = 2,
    parameter T_SLEEP = 1800,
    parameter T_WAKE = 2600,
    parameter CAP = 17600
) (
    input wire                    clk,
    input wire                    rst,
    input wire [BITS_held-1:0]    held,
    input wire [BITS_held-1:0]    given,
    input wire [BITS_held-1:0]    departing,
    input wire                    write_enable,
    input wire [9:0]              write_address,
    input wire [31:0]             write_data,
    input wire [BITS_held-1:0]    grantable,
    input wire [BITS_held-1:0]    preferred,
    input wire [BITS_held-1:0]    ready,
    input wire [BITS_held-1:0]    steady,
    input wire [3*BITS_held-1:0]  phase,
    input wire [3*BITS_held-1:0]  level,
    input wire [BITS_held-1:0]    waking,
    input wire [BITS_held-1:0]    hint,
    input wire [BITS_held-1:0]    serves,
    input wire [BITS_held-1:0]    powar_held,
    input wire                    registers_earn,
    input wire [26:0]             registers_cap,
    input wire [25:0]             registers_reserve,
    input wire [BITS_held-1:0]    budget_may_sleep,
    input wire [27*BITS_held-1:0] budget_left,
    input wire [16:0]             bound,
    input wire [15:0]             fraction,
    input wire [23:0]             copied_t_sleep,
    input wire [23:0]             copied_t_wake,
    input wire [1:0]              policy,
    input wire [23:0]             t_sleep,
    input wire [23:0]             t_wake,
    input wire [4:0]              short_durations,
    input wire [2*BITS_held-1:0]  state,
    input wire [24*BITS_held-1:0] elapsed,
    input wire [BITS_held-1:0]    begins,
    input wire [BITS_held-1:0]    reached,
    input wire [BITS_held-1:0]    pending,
    input wire [6:0]              n_selectable,
    input wire [GROUP_SIZE-1:0]   selectable
);
    localparam N = BITS_held;
    localparam [2:0] ON = 3'd0, GOING_OFF = 3'd1, COMING_ON = 3'd3, REFRESHING = 3'd4;
    localparam [1:0] ACTIVE = 2'd0, ENTERING_SLEEP = 2'd1, ASLEEP = 2'd2, WAKING = 2'd3;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Any one of the ports.
    (* anyconst *) reg [5:0] one;
    always @* assume (one < N);
    wire [2:0]  its_phase = phase >> (3 * one);
    wire        its_ready = ready >> one;
    wire        its_held = held >> one;
    wire        its_given = given >> one;
    wire        its_may_sleep = budget_may_sleep >> one;
    wire [26:0] its_left = budget_left >> (27 * one);
    wire [1:0]  its_state = state >> (2 * one);
    wire [23:0] its_elapsed = elapsed >> (24 * one);
    wire        it_begins = begins >> one;
    wire        it_has_reached = reached >> one;

    mechanism_contract_properties #(.PORTS(N), .FIRST(FIRST), .GROUP_SIZE(GROUP_SIZE)) contract (
        .clk(clk), .rst(rst), .one(one), .held(held), .given(given), .departing(departing),
        .write_enable(write_enable), .write_address(write_address), .write_data(write_data),
        .grantable(grantable), .preferred(preferred), .ready(ready), .steady(steady), .phase(phase), .waking(waking), .serves(serves), .foreseen({N{1'b0}}),
        .powar_held(powar_held), .powar_phase(phase), .policy(policy), .state(state), .pending(pending), .n_selectable(n_selectable), .selectable(selectable)
    );

    // What software leaves as it is.
    always @* if (began) assume (!(write_enable && (write_address == 10'h15 || write_address == 10'h16 || write_address == 10'h1b)));
    localparam [25:0] RESERVE = T_SLEEP + T_WAKE + 2;

    // The first cycle behind a reset, in which registers are as it left them, and what was in the cycle before.
    reg         first, ready_1, lost_1;
    reg  [26:0] left_1;
    wire        lost = its_held && !its_ready;
    wire        fell = ready_1 && !its_ready;
    always @(posedge clk) begin
        first   <= rst;
        ready_1 <= its_ready || rst;
        lost_1  <= lost && !registers_earn;
        left_1  <= its_left;
    end

    // What the port may still lose in this sleep, this cycle with it: a packet that is given it in the first cycle holds it from the second on. A duration of 0 counts as 1.
    localparam [26:0] SLEEP = T_SLEEP == 0 ? 1 : T_SLEEP, WAKE = T_WAKE == 0 ? 1 : T_WAKE;
    wire [26:0] past = {3'd0, its_elapsed} - 27'd1;
    wire [26:0] to_lose = its_state == ENTERING_SLEEP ? SLEEP + WAKE - (it_begins ? 27'd1 : past) : its_state == ASLEEP ? WAKE : its_state == WAKING ? WAKE - past : 27'd0;

    // The worst of all windows that end with the cycle before: in cycles that are lost and not earned, and in parts of 2^-16 of a cycle that are lost beyond `bound` of
    // each cycle. The second is no more than the first, a part of a cycle apart.
    reg  [26:0] worst;
    reg  [43:0] debt;
    wire [43:0] debt_and_lost = lost ? debt + 44'h10000 : debt;
    wire [16:0] parts = {1'b0, debt[15:0]} + {1'b0, fraction};
    localparam [26:0] MOST = CAP;
    always @(posedge clk) begin
        debt <= rst || debt_and_lost < {27'd0, bound} ? 44'd0 : debt_and_lost - {27'd0, bound};
        if (rst) worst <= 27'd0;
        else if (lost && !registers_earn) worst <= worst + 27'd1;
        else if (registers_earn && !lost && worst != 0) worst <= worst - 27'd1;
    end

    always @* if (began) begin
        no_window_loses_more_than_it_earns_and_the_cap: assert (worst <= CAP);
        no_window_loses_more_than_the_bound_and_the_cap: assert (debt <= {1'b0, MOST, 16'hffff});
        parts_are_no_more_than_cycles: assert ({1'b0, debt[43:16]} + {28'd0, parts[16]} <= {2'd0, worst});
        what_is_lost_is_spent: assert ({1'b0, worst} + {1'b0, its_left} <= CAP);
        a_lost_cycle_is_always_paid_for: assert (rst || !lost || registers_earn || its_left != 0);
        a_sleeping_port_has_what_it_may_lose: assert (rst || its_ready || its_left >= to_lose);
        never_above_the_cap: assert (its_left <= CAP);
        enough_in_the_cycle_before: assert (its_may_sleep == (first || left_1 >= {1'b0, RESERVE}));
    end

    always @* if (began) begin
        one_rate_no_hint: assert (level == 0 && hint == 0);
        with_a_budget_it_is_powar: assert (powar_held == (held | ~budget_may_sleep));
    end
    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_a_whole_budget: assert (&budget_may_sleep && its_left == CAP);
        end else begin
            no_port_goes_to_sleep_without_a_budget: assert (!$past(its_ready && !its_may_sleep) || its_ready);
            with_a_bound_of_1_no_budget_goes_down: assert (!$past(bound >= 17'h10000) || its_left >= $past(its_left));
            with_a_bound_of_1_it_goes_on_as_powar: assert (!$past(bound >= 17'h10000 && its_left >= {1'b0, RESERVE}) || (its_may_sleep && its_left >= {1'b0, RESERVE}));
            written_bound_holds_from_the_next_cycle_on: assert (!$past(write_enable && write_address == 10'h1a) || bound == $past(write_data[16:0]));
            bound_stays_if_not_written: assert ($past(write_enable && write_address == 10'h1a) || bound == $past(bound));
        end
    end

    // What induction needs.
    always @* if (began) begin
        words_are_as_configured: assert (t_sleep == T_SLEEP && t_wake == T_WAKE && copied_t_sleep == T_SLEEP && copied_t_wake == T_WAKE && registers_cap == CAP);
        reserve_is_the_sum: assert (registers_reserve == RESERVE);
        budget_goes_down_by_what_is_lost: assert (first || its_left + {26'd0, lost_1} >= left_1);
        short_is_as_configured: assert (short_durations[2:1] == (first ? 2'd0 : {T_WAKE <= 1, T_SLEEP <= 1}));
        a_transition_begins_with_1: assert (its_state == ACTIVE || its_state == ASLEEP || (it_begins ? its_elapsed == 1 : its_elapsed > 1));
        a_transition_ends: assert (!(its_state == ENTERING_SLEEP && !it_begins) || (it_has_reached == (its_elapsed >= T_SLEEP) && its_elapsed <= SLEEP));
        waking_ends: assert (!(its_state == WAKING && !it_begins) || (it_has_reached == (its_elapsed >= T_WAKE) && its_elapsed <= WAKE));
        falls_into_its_transition: assert (!fell || (its_state == ENTERING_SLEEP && it_begins && !its_held));
        awake_behind_a_reset: assert (!first || its_ready);
    end

    // A whole sleep is looked at where it is short.
    generate if (SLEEP + WAKE < 16) begin
        always @(posedge clk) if (began && !$past(rst) && !rst) begin
            held_port_wakes_happens: cover (its_held && its_ready && $past(its_phase == COMING_ON) && one == FIRST + 1);
            a_sleep_costs_all_that_it_may: cover (its_ready && $past(lost && to_lose == 1) && worst == SLEEP + WAKE - 1 && its_left + worst == CAP);
            a_port_has_too_little: cover (its_ready && !its_may_sleep);
            a_second_sleep_in_the_window: cover (fell && worst > 1);
            refresh_happens: cover (its_phase == REFRESHING);
            going_off_with_request_happens: cover (its_held && its_phase == GOING_OFF);
        end
    end endgenerate
    always @(posedge clk) if (began && !$past(rst) && !rst) begin
        with_a_bound_of_1_it_sleeps: cover (fell && bound == 17'h10000);
        one_cycle_is_lost: cover (lost && worst == 0 && !registers_earn);
    end
endmodule
