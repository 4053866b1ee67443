// `hints_depths`: what docs/microarchitecture/mechanisms/hints_depths.md promises of the whole mechanism, seen at its ports and in the registers of the blocks in it.
//
// "The promise of Ahead holds as it stands there, deep wake-ups counted": all windows at once, as beside `ahead`, with the port as it is built: its FSM, its depth, both its budgets and the registers
// are all here. "A port goes deep only while its budget pays for a deep wake-up"; what hints, depths and budgets do beside `wake_hints`, `depths` and `ahead`; the contract of a power mechanism.
//
// Assumed are what the switch around a mechanism does, and that software leaves T_s, T_w, `t_wake_deep` and `cap` as they are configured. All other words may be written in any cycle, and
// anything may come in on the lanes.
//
// Not covered: that a hint gets through to a port, which takes 22 cycles and is too long for a search; those words written while the switch runs, of which the page says what is promised; beside `wait_budget` and `deep_budget` they may be.
module hints_depths_properties #(
    parameter BITS_held = 4,
    parameter FIRST = 2,
    parameter GROUP_SIZE = 2,
    parameter T_SLEEP = 1800,
    parameter T_WAKE = 2600,
    parameter T_WAKE_DEEP = 3888,
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
    input wire [3*BITS_held-1:0]  powar_phase,
    input wire [3*BITS_held-1:0]  neighbour_phase,
    input wire                    hint_registers_hints,
    input wire                    hint_registers_sideband,
    input wire [BITS_held-1:0]    receiver_listens,
    input wire [BITS_held-1:0]    sender_sends,
    input wire [BITS_held-1:0]    choice_wake,
    input wire [BITS_held-1:0]    monitor_foreseen,
    input wire [BITS_held-1:0]    powar_given,
    input wire                    budget_registers_earn,
    input wire [26:0]             budget_registers_cap,
    input wire [25:0]             budget_registers_reserve,
    input wire [BITS_held-1:0]    budget_may_sleep,
    input wire [27*BITS_held-1:0] budget_left,
    input wire [23:0]             deep_registers_deep_after,
    input wire [23:0]             deep_registers_t_wake_deep,
    input wire [24:0]             deep_reserve_reserve,
    input wire [24*BITS_held-1:0] deep_budget_allowed_after,
    input wire [BITS_held-1:0]    depth_deep,
    input wire [16:0]             bound,
    input wire [15:0]             fraction,
    input wire [23:0]             copied_t_sleep,
    input wire [23:0]             copied_t_wake,
    input wire [23:0]             t_sleep,
    input wire [23:0]             t_wake,
    input wire [4:0]              short_durations,
    input wire [1:0]              policy,
    input wire [2*BITS_held-1:0]  state,
    input wire [24*BITS_held-1:0] elapsed,
    input wire [BITS_held-1:0]    begins,
    input wire [BITS_held-1:0]    reached,
    input wire [24*BITS_held-1:0] depth_elapsed,
    input wire [BITS_held-1:0]    may_deepen,
    input wire [BITS_held-1:0]    pending,
    input wire [6:0]              n_selectable,
    input wire [GROUP_SIZE-1:0]   selectable
);
    localparam N = BITS_held;
    localparam [2:0] ON = 3'd0, GOING_OFF = 3'd1, OFF = 3'd2, COMING_ON = 3'd3, REFRESHING = 3'd4, DRAINING = 3'd5;
    localparam [1:0] ACTIVE = 2'd0, ENTERING_SLEEP = 2'd1, ASLEEP = 2'd2, WAKING = 2'd3;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Any one of the ports.
    (* anyconst *) reg [5:0] one;
    always @* assume (one < N);
    wire [2:0]  its_phase = phase >> (3 * one);
    wire [2:0]  its_level = level >> (3 * one);
    wire [2:0]  powars = powar_phase >> (3 * one);
    wire [2:0]  its_neighbours_phase = neighbour_phase >> (3 * one);
    wire        its_ready = ready >> one;
    wire        its_held = held >> one;
    wire        its_given = given >> one;
    wire        its_hint = hint >> one;
    wire        it_listens = receiver_listens >> one;
    wire        it_sends = sender_sends >> one;
    wire        its_wake = choice_wake >> one;
    wire        its_foreseen = monitor_foreseen >> one;
    wire        its_may_sleep = budget_may_sleep >> one;
    wire [26:0] its_left = budget_left >> (27 * one);
    wire [23:0] its_allowed_after = deep_budget_allowed_after >> (24 * one);
    wire        it_may_deepen = may_deepen >> one;
    wire        deep = depth_deep >> one;
    wire [1:0]  its_state = state >> (2 * one);
    wire [23:0] its_elapsed = elapsed >> (24 * one);
    wire        it_begins = begins >> one;
    wire        it_has_reached = reached >> one;
    wire        is_pending = pending >> one;
    wire [23:0] elapsed_in_depth = depth_elapsed >> (24 * one);
    wire        asleep = its_state == ASLEEP;

    mechanism_contract_properties #(.PORTS(N), .FIRST(FIRST), .GROUP_SIZE(GROUP_SIZE)) contract (
        .clk(clk), .rst(rst), .one(one), .held(held), .given(given), .departing(departing),
        .write_enable(write_enable), .write_address(write_address), .write_data(write_data),
        .grantable(grantable), .preferred(preferred), .ready(ready), .steady(steady), .phase(phase), .waking(waking), .serves(serves), .foreseen(monitor_foreseen),
        .powar_held(powar_held), .powar_phase(powar_phase), .policy(policy), .state(state), .pending(pending), .n_selectable(n_selectable), .selectable(selectable)
    );

    // What software leaves as it is.
    always @* if (began) assume (!(write_enable && (write_address == 10'h15 || write_address == 10'h16 || write_address == 10'h1b || write_address == 10'h1e)));
    localparam [25:0] RESERVE = T_SLEEP + T_WAKE + 2;
    localparam [24:0] DEEP_RESERVE = (T_WAKE > T_WAKE_DEEP ? T_WAKE : T_WAKE_DEEP) + 1;

    // The first cycle behind a reset, in which registers are as it left them, and what was in the cycle before.
    reg         first, ready_1, lost_1;
    reg  [26:0] left_1;
    wire        lost = its_held && !its_ready;
    wire        fell = ready_1 && !its_ready;
    always @(posedge clk) begin
        first   <= rst;
        ready_1 <= its_ready || rst;
        lost_1  <= lost && !budget_registers_earn;
        left_1  <= its_left;
    end

    // What the port may still lose in this sleep, this cycle with it: a packet that is given it in the first cycle holds it from the second on. A duration of 0 counts as 1. A port that is
    // deep comes up when both wake-ups are over, which run from the same cycle on; one that is asleep may go deep in the cycle in which it is woken.
    localparam [26:0] SLEEP = T_SLEEP == 0 ? 1 : T_SLEEP, WAKE = T_WAKE == 0 ? 1 : T_WAKE, RISE = T_WAKE_DEEP == 0 ? 1 : T_WAKE_DEEP, BOTH = WAKE > RISE ? WAKE : RISE;
    wire [26:0] past = {3'd0, its_elapsed} - 27'd1;
    wire [26:0] rises = RISE + 27'd1 - {3'd0, elapsed_in_depth};
    wire [26:0] wakes = WAKE - past;
    wire [26:0] to_lose = its_state == ENTERING_SLEEP ? SLEEP + WAKE - (it_begins ? 27'd1 : past)
                        : asleep ? (deep ? BOTH : WAKE)
                        : its_state == WAKING ? (deep && rises > wakes ? rises : wakes)
                        : deep ? rises : 27'd0;

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
        else if (lost && !budget_registers_earn) worst <= worst + 27'd1;
        else if (budget_registers_earn && !lost && worst != 0) worst <= worst - 27'd1;
    end

    always @* if (began) begin
        no_window_loses_more_than_it_earns_and_the_cap: assert (worst <= CAP);
        no_window_loses_more_than_the_bound_and_the_cap: assert (debt <= {1'b0, MOST, 16'hffff});
        parts_are_no_more_than_cycles: assert ({1'b0, debt[43:16]} + {28'd0, parts[16]} <= {2'd0, worst});
        what_is_lost_is_spent: assert ({1'b0, worst} + {1'b0, its_left} <= CAP);
        a_lost_cycle_is_always_paid_for: assert (rst || !lost || budget_registers_earn || its_left != 0);
        a_sleeping_port_has_what_it_may_lose: assert (rst || its_ready || its_left >= to_lose);
        a_deep_port_has_what_its_wake_up_costs: assert (rst || !(deep && asleep) || its_left >= BOTH);
        never_above_the_cap: assert (its_left <= CAP);
        enough_in_the_cycle_before: assert (its_may_sleep == (first || left_1 >= {1'b0, RESERVE}));
        enough_for_depth_in_the_cycle_before: assert (it_may_deepen == (first || left_1 >= {2'd0, DEEP_RESERVE}) && its_allowed_after == (it_may_deepen ? deep_registers_deep_after : 24'd0));
    end

    always @* if (began) begin
        deep_sleep_is_level_1: assert (its_level == (its_phase == OFF && deep ? 3'd1 : 3'd0));
        a_port_that_is_not_deep_is_powars: assert (deep || its_phase == powars);
        held_back_until_it_is_no_longer_deep: assert (!(deep && powars == ON) || (its_phase == COMING_ON && !its_ready));
        what_powar_is_told: assert (powar_held == (held | ~budget_may_sleep | depth_deep) && powar_given == (given | choice_wake));
        a_word_goes_over_a_lane_that_is_there: assert (!its_hint || it_sends);
        there_is_a_lane: assert (it_sends == (hint_registers_hints && (hint_registers_sideband || its_phase == ON)));
        a_lane_counts_that_is_there: assert (it_listens == (hint_registers_hints
            && (hint_registers_sideband || its_neighbours_phase == ON || its_neighbours_phase == DRAINING)));
    end
    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_not_deep_and_a_whole_budget: assert (!deep && &budget_may_sleep && its_left == CAP);
        end else begin
            no_port_goes_to_sleep_without_a_budget: assert (!$past(its_ready && !its_may_sleep) || its_ready);
            no_port_goes_deep_without_a_budget: assert (!(deep && !$past(deep)) || $past(it_may_deepen && left_1 >= {2'd0, DEEP_RESERVE}));
            never_deep_without_a_second_threshold: assert (!(deep && !$past(deep)) || $past(deep_registers_deep_after) != 0);
            goes_deep_in_its_sleep_only: assert (!(deep && !$past(deep)) || $past(asleep));
            stays_deep_until_it_is_woken: assert (!$past(deep && asleep) || deep);
            with_a_bound_of_1_no_budget_goes_down: assert (!$past(bound >= 17'h10000) || its_left >= $past(its_left));
            a_hint_wakes_a_port_that_sleeps: assert (!$past(its_wake && (its_phase == OFF || its_phase == REFRESHING)) || its_phase == COMING_ON);
            a_hint_keeps_a_port_awake: assert (!$past(its_wake && its_ready) || its_ready);
            a_hint_on_the_way_to_sleep_is_kept: assert (!$past((its_wake || is_pending) && its_phase == GOING_OFF) || its_phase == COMING_ON || its_phase == ON || is_pending);
            a_packet_ends_foresight: assert (!$past(its_given) || !its_foreseen);
        end
    end

    // What induction needs.
    always @* if (began) begin
        words_are_as_configured: assert (t_sleep == T_SLEEP && t_wake == T_WAKE && copied_t_sleep == T_SLEEP && copied_t_wake == T_WAKE && budget_registers_cap == CAP
            && deep_registers_t_wake_deep == T_WAKE_DEEP);
        reserves_are_of_them: assert (budget_registers_reserve == RESERVE && deep_reserve_reserve == DEEP_RESERVE);
        budget_goes_down_by_what_is_lost: assert (first || its_left + {26'd0, lost_1} >= left_1);
        short_is_as_configured: assert (short_durations[2:1] == (first ? 2'd0 : {T_WAKE <= 1, T_SLEEP <= 1}));
        a_transition_begins_with_1: assert (its_state == ACTIVE || asleep || (it_begins ? its_elapsed == 1 : its_elapsed > 1));
        a_transition_ends: assert (!(its_state == ENTERING_SLEEP && !it_begins) || (it_has_reached == (its_elapsed >= T_SLEEP) && its_elapsed <= SLEEP));
        waking_ends: assert (!(its_state == WAKING && !it_begins) || (it_has_reached == (its_elapsed >= T_WAKE) && its_elapsed <= WAKE));
        falls_into_its_transition: assert (!fell || (its_state == ENTERING_SLEEP && it_begins && !its_held));
        awake_behind_a_reset: assert (!first || (its_ready && !deep));
        not_deep_on_the_way_off: assert (!(deep && its_state == ENTERING_SLEEP));
        elapsed_rests_in_depth: assert (!(deep && asleep) || elapsed_in_depth == 1);
        elapsed_is_of_the_wake_up: assert (!(deep && !asleep) || (elapsed_in_depth >= 1 && elapsed_in_depth <= RISE));
    end

    // A whole sleep is looked at where it is short.
    generate if (SLEEP + BOTH < 16) begin
        always @(posedge clk) if (began && !$past(rst) && !rst) begin
            held_port_wakes_from_depth_happens: cover (its_ready && its_held && $past(deep));
            a_deep_wake_up_costs_all_that_it_may: cover (its_ready && $past(lost && deep && to_lose == 1) && worst == BOTH && its_left + worst == CAP);
            it_sleeps_lightly_for_want_of_a_budget: cover (!deep && asleep && its_allowed_after == 0 && deep_registers_deep_after != 0 && worst != 0);
            it_has_too_little_to_sleep: cover (its_ready && !its_may_sleep);
            goes_deep_as_it_is_woken_happens: cover (deep && its_state == WAKING && $past(asleep && !deep) && lost);
            held_back_happens: cover (deep && powars == ON && its_held);
            refresh_of_a_deep_port_happens: cover (its_phase == REFRESHING && deep);
        end
    end endgenerate
    always @(posedge clk) if (began && !$past(rst) && !rst) begin
        one_cycle_is_lost: cover (lost && worst == 0 && !budget_registers_earn);
    end
endmodule
