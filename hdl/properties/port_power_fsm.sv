// `port_power_fsm`: what docs/microarchitecture/mechanisms/powar.md promises of the low-power idle of a port, at full widths of the durations.
//
// "A port that is idle for PDT cycles goes to sleep, PDT = 0 and 1 both at the end of the first idle cycle; transitions take exactly T_s and T_w
// cycles (0 counts as 1) and cannot be aborted unless the option is set; when the policy forbids sleeping, sleeping ports wake." The table of
// states, row by row, with durations that may be written at any time; what lasts exactly so long, for durations that stay. A wake request is
// never lost, and is served within T_s + T_w cycles.
//
// Not covered: nothing.
module port_power_fsm_properties (
    input wire        clk,
    input wire        rst,
    input wire        sleep_enable,
    input wire        abort_sleep,
    input wire        in_use,
    input wire        wake_request,
    input wire [23:0] pdt,
    input wire [23:0] t_sleep,
    input wire [23:0] t_wake,
    input wire [23:0] t_quiet,
    input wire [23:0] t_refresh,
    input wire [4:0]  short_durations,
    input wire        refreshes,
    input wire        awake,
    input wire        wake_started,
    input wire [1:0]  state,
    input wire        refreshing,
    input wire        wake_pending_q,
    input wire [23:0] elapsed_q,
    input wire        begins_q,
    input wire        reached_q
);
    localparam [1:0] ACTIVE = 2'd0, ENTERING_SLEEP = 2'd1, ASLEEP = 2'd2, WAKING = 2'd3;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // "bits 0 to 4: `pdt`, `t_sleep`, `t_wake`, `t_quiet`, `t_refresh` was 0 or 1 in the cycle before"; "`short_durations` and `refreshes` are 0
    // in the first cycle behind a reset"; "refreshes' = t_quiet != 0 & t_refresh != 0".
    reg [4:0] short_before;
    reg       refreshes_before;
    always @(posedge clk) begin
        short_before     <= rst ? 5'd0 : {t_refresh <= 1, t_quiet <= 1, t_wake <= 1, t_sleep <= 1, pdt <= 1};
        refreshes_before <= !rst && t_quiet != 0 && t_refresh != 0;
    end
    always @* if (began) begin
        assume (short_durations == short_before);
        assume (refreshes == refreshes_before);
    end

    wire wake = wake_request | ~sleep_enable;
    wire want = wake | wake_pending_q;
    wire idle = ~in_use & ~wake;

    // The duration of a state, and the same in the cycle before: a phase that goes on is in the state that it was in.
    wire [23:0] limit = state == ACTIVE ? pdt : state == ENTERING_SLEEP ? t_sleep : state == WAKING ? t_wake : refreshing ? t_refresh : t_quiet;
    wire        is_short = state == ACTIVE ? short_durations[0] : state == ENTERING_SLEEP ? short_durations[1]
                         : state == WAKING ? short_durations[2] : refreshing ? short_durations[4] : short_durations[3];
    reg [23:0] limit_before;
    always @(posedge clk) limit_before <= limit;
    wire over = begins_q ? is_short : elapsed_q >= limit_before;

    // The table of states: where each row leads.
    reg [1:0] to_state;
    reg       to_refreshing, to_pending, to_longer;
    always @* begin
        to_state      = state;
        to_refreshing = 1'b0;
        to_pending    = 1'b0;
        to_longer     = 1'b0;
        if (state == ACTIVE) begin
            if (in_use || wake) to_longer = 1'b0;
            else if (over)      to_state = ENTERING_SLEEP;
            else                to_longer = 1'b1;
        end
        if (state == ENTERING_SLEEP) begin
            if (abort_sleep && want) to_state = ACTIVE;
            else if (over && want)   to_state = WAKING;
            else if (over)           to_state = ASLEEP;
            else begin
                to_longer  = 1'b1;
                to_pending = want;
            end
        end
        if (state == ASLEEP) begin
            if (wake)            to_state = WAKING;
            else if (!refreshes) to_refreshing = 1'b0;
            else if (over)       to_refreshing = ~refreshing;
            else begin
                to_longer     = 1'b1;
                to_refreshing = refreshing;
            end
        end
        if (state == WAKING) begin
            if (over) to_state = ACTIVE;
            else      to_longer = 1'b1;
        end
    end

    // Cycles of the present transition, of quiet or of refresh, this one with them; idle cycles of `Active` before this one.
    reg [24:0] cycles, idle_cycles;
    // They began with a reset in the cycle before: then what is short is not known yet.
    reg        idle_from_reset;
    wire       same_phase = to_state == state && to_refreshing == refreshing && !(state == ASLEEP && !refreshes);
    always @(posedge clk) begin
        cycles          <= rst || !same_phase ? 25'd1 : cycles + 25'd1;
        idle_cycles     <= rst || state != ACTIVE || !idle || to_state != ACTIVE ? 25'd0 : idle_cycles + 25'd1;
        idle_from_reset <= rst || (idle_from_reset && state == ACTIVE && idle);
    end

    // The durations are as they were in the cycle before; they have been so since the last cycle of `Active`, or since the first idle one.
    reg [119:0] durations_before;
    wire        same = durations_before == {pdt, t_sleep, t_wake, t_quiet, t_refresh};
    reg         stayed, stayed_idle, stayed_asleep;
    always @(posedge clk) begin
        durations_before <= {pdt, t_sleep, t_wake, t_quiet, t_refresh};
        stayed           <= same && (state == ACTIVE || stayed);
        stayed_idle      <= same && (state != ACTIVE || !idle || stayed_idle);
        stayed_asleep    <= same && (!same_phase || stayed_asleep);
    end
    function [24:0] at_least_1(input [23:0] duration);
        at_least_1 = duration == 0 ? 25'd1 : {1'b0, duration};
    endfunction
    wire [24:0] sleep_threshold = idle_from_reset && pdt <= 1 ? 25'd2 : at_least_1(pdt);

    // A wake request of an earlier cycle for which the port has not been `Active` yet, and how long it has waited.
    reg        owed;
    reg [25:0] owed_cycles;
    always @(posedge clk) begin
        owed        <= !rst && to_state != ACTIVE && (owed || wake);
        owed_cycles <= owed ? owed_cycles + 26'd1 : 26'd1;
    end

    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_active: assert (state == ACTIVE && !refreshing && !wake_pending_q && elapsed_q == 1 && begins_q && !reached_q);
        end else begin
            next_state_is_the_tables: assert (state == $past(to_state));
            next_refreshing_is_the_tables: assert (refreshing == $past(to_refreshing));
            next_wake_pending_is_the_tables: assert (wake_pending_q == $past(to_pending));
            next_elapsed_is_the_tables: assert (elapsed_q == ($past(to_longer) ? $past(elapsed_q) + 24'd1 : 24'd1));
            begins_where_elapsed_does: assert (begins_q == !$past(to_longer));
            transition_is_aborted_by_the_option_only: assert (!($past(state) == ENTERING_SLEEP && state == ACTIVE) || $past(abort_sleep && want));
            wakes_if_it_may_not_sleep: assert (!($past(state) == ASLEEP && $past(!sleep_enable)) || state == WAKING);
            wakes_a_cycle_after_the_request: assert (!($past(state) == ASLEEP && $past(wake_request)) || state == WAKING);
            in_use_stays_active: assert (!($past(state) == ACTIVE && $past(in_use || wake)) || state == ACTIVE);
            sleeps_after_pdt_idle_cycles: assert (!($past(state) == ACTIVE && state == ENTERING_SLEEP && $past(stayed_idle && same))
                || $past(idle_cycles) + 25'd1 == $past(sleep_threshold));
            asleep_after_exactly_t_sleep: assert (!($past(state) == ENTERING_SLEEP && (state == ASLEEP || state == WAKING) && $past(stayed && same))
                || $past(cycles) == at_least_1($past(t_sleep)));
            awake_after_exactly_t_wake: assert (!($past(state) == WAKING && state == ACTIVE && $past(stayed && same))
                || $past(cycles) == at_least_1($past(t_wake)));
            refresh_after_exactly_t_quiet: assert (!($past(state == ASLEEP && !refreshing) && refreshing && $past(stayed_asleep && same))
                || $past(cycles) == at_least_1($past(t_quiet)));
            quiet_after_exactly_t_refresh: assert (!($past(state == ASLEEP && refreshing && refreshes) && state == ASLEEP && !refreshing && $past(stayed_asleep && same))
                || $past(cycles) == at_least_1($past(t_refresh)));
        end
    end

    always @* if (began) begin
        awake_is_active: assert (awake == (state == ACTIVE));
        refreshes_only_asleep: assert (!refreshing || state == ASLEEP);
        wake_started_says_it_a_cycle_before: assert (wake_started == (to_state == WAKING && state != WAKING));
        elapsed_does_not_wrap: assert (elapsed_q != 0);
        wake_request_is_never_lost: assert (!owed || state == ENTERING_SLEEP || state == WAKING);
        transition_lasts_no_longer_than_t_sleep: assert (!(state == ENTERING_SLEEP && stayed && same) || cycles <= at_least_1(t_sleep));
        transition_lasts_no_longer_than_t_wake: assert (!(state == WAKING && stayed && same) || cycles <= at_least_1(t_wake));
        idle_no_longer_than_pdt: assert (!(state == ACTIVE && stayed_idle && same) || idle_cycles < sleep_threshold);
        wake_request_is_served_within_t_sleep_and_t_wake: assert (!(owed && stayed && same)
            || owed_cycles <= {1'b0, at_least_1(t_sleep)} + {1'b0, at_least_1(t_wake)});
    end

    // What induction needs: the block's counter and the shadow counters go on together; `reached` is the comparison of the cycle before.
    always @* if (began) begin
        elapsed_is_cycles: assert (state == ACTIVE || (state == ASLEEP && !refreshes_before) || {1'b0, elapsed_q} == cycles);
    end
    always @* if (began) begin
        begins_with_1: assert (!begins_q || elapsed_q == 1);
        reached_is_the_limit: assert (begins_q || reached_q == (elapsed_q >= limit_before));
        elapsed_is_idle_cycles: assert (state != ACTIVE || {1'b0, elapsed_q} == idle_cycles + 25'd1);
        pending_in_the_transition_only: assert (!wake_pending_q || state == ENTERING_SLEEP);
        pending_is_owed: assert (state != ENTERING_SLEEP || wake_pending_q == owed);
        owed_no_longer_than_the_transition: assert (!(owed && state == ENTERING_SLEEP) || owed_cycles < {1'b0, cycles});
        owed_no_longer_than_both: assert (!(owed && state == WAKING && stayed && same) || owed_cycles <= {1'b0, cycles} + {1'b0, at_least_1(t_sleep)});
    end

    always @(posedge clk) if (began && !$past(rst) && !rst) begin
        sleep_happens: cover ($past(state) == ACTIVE && state == ENTERING_SLEEP && $past(stayed_idle && same) && $past(pdt == 3 && !idle_from_reset));
        sleep_at_once_happens: cover ($past(state) == ACTIVE && state == ENTERING_SLEEP && $past(stayed_idle && same && pdt == 0));
        asleep_happens: cover ($past(state) == ENTERING_SLEEP && state == ASLEEP && $past(stayed && same) && t_sleep == 3);
        abort_happens: cover ($past(state) == ENTERING_SLEEP && state == ACTIVE);
        pending_wake_happens: cover ($past(state) == ENTERING_SLEEP && state == WAKING && $past(wake_pending_q && !wake));
        waking_happens: cover ($past(state) == WAKING && state == ACTIVE && $past(stayed && same) && t_wake == 3 && owed_cycles > 5);
        forbidden_sleep_happens: cover ($past(state) == ASLEEP && state == WAKING && $past(!sleep_enable));
        refresh_happens: cover ($past(state == ASLEEP && !refreshing) && refreshing && $past(stayed_asleep && same) && t_quiet == 2);
        quiet_again_happens: cover ($past(state == ASLEEP && refreshing && refreshes) && state == ASLEEP && !refreshing && $past(stayed_asleep && same) && t_refresh == 2);
        written_in_a_phase_happens: cover (state == WAKING && $past(state) == WAKING && !stayed);
    end
endmodule
