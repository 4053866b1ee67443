// `sleep_depth`: what docs/microarchitecture/mechanisms/depths.md promises of how deeply a port sleeps, at full widths of the durations.
//
// "A port has been asleep for exactly `deep_after` cycles when it goes deep, and a deep wake-up takes as long as the longer one of T_w and `t_wake_deep`, counted from the same cycle on."
// Cycles asleep and cycles of a wake-up are counted here beside the block, whatever is written meanwhile; what lasts exactly so long, for durations that stay. And of the contract of a
// power mechanism what is in this block's hands: what is shown is sound if POWAR's is.
//
// Assumed of `phase` and `awake`, which come from `powar`: the phases that follow each other by the table of `port_power_fsm`, and its `in_use_stays_active`, since a port that is deep is
// in use to POWAR; it is `On` behind a reset. Nothing is assumed of the durations.
//
// Not covered: nothing.
module sleep_depth_properties (
    input wire        clk,
    input wire        rst,
    input wire [2:0]  phase,
    input wire        awake,
    input wire [23:0] deep_after,
    input wire [23:0] t_wake_deep,
    input wire        deep,
    input wire        ready,
    input wire [2:0]  shown_phase,
    input wire [2:0]  level,
    input wire        deep_q,
    input wire [23:0] elapsed_q
);
    localparam [2:0] ON = 3'd0, GOING_OFF = 3'd1, OFF = 3'd2, COMING_ON = 3'd3, REFRESHING = 3'd4;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // What was in the cycle before; behind a reset, a port that is on.
    reg  [2:0]  was_phase;
    reg         was_deep;
    reg  [23:0] was_deep_after, was_t_wake_deep;
    wire        asleep = phase == OFF || phase == REFRESHING;
    wire        was_asleep = was_phase == OFF || was_phase == REFRESHING;
    always @(posedge clk) begin
        was_phase       <= rst ? ON : phase;
        was_deep        <= deep && !rst;
        was_deep_after  <= deep_after;
        was_t_wake_deep <= t_wake_deep;
    end

    always @* if (began) assume (awake == (phase == ON));
    always @* if (began) begin
        case (was_phase)
            ON:        assume (phase == ON || (phase == GOING_OFF && !was_deep));
            GOING_OFF: assume (phase == GOING_OFF || phase == OFF || phase == COMING_ON || phase == ON);
            COMING_ON: assume (phase == COMING_ON || phase == ON);
            default:   assume (asleep || phase == COMING_ON);
        endcase
    end

    // Cycles of this sleep, this one with them, as far as they can matter; and whether `deep_after` has been the same in all of them.
    reg  [24:0] slept_before;
    reg         stayed_before;
    wire [24:0] slept = !was_asleep ? 25'd1 : slept_before == 25'h1ffffff ? slept_before : slept_before + 25'd1;
    wire        stayed = !was_asleep || (stayed_before && deep_after == was_deep_after);
    // Cycles of this deep wake-up likewise.
    wire        rises = deep && !asleep;
    wire        rose = was_deep && !was_asleep;
    reg  [24:0] risen_before;
    reg         same_before;
    wire [24:0] risen = !rose ? 25'd1 : risen_before + 25'd1;
    wire        same = !rose || (same_before && t_wake_deep == was_t_wake_deep);
    always @(posedge clk) begin
        slept_before  <= slept;
        stayed_before <= stayed;
        risen_before  <= risen;
        same_before   <= same;
    end
    wire [24:0] wake_up = t_wake_deep == 0 ? 25'd1 : {1'b0, t_wake_deep};

    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_not_deep: assert (!deep && elapsed_q == 1);
        end else begin
            goes_deep_in_its_sleep_only: assert (!(deep && !$past(deep)) || $past(asleep));
            goes_deep_after_exactly_deep_after: assert (!(deep && !$past(deep) && $past(stayed)) || $past(slept) == {1'b0, $past(deep_after)});
            goes_deep_no_earlier: assert (!(deep && !$past(deep)) || $past(slept) >= {1'b0, $past(deep_after)});
            never_deep_without_a_second_threshold: assert (!(deep && !$past(deep)) || $past(deep_after) != 0);
            stays_deep_until_it_is_woken: assert (!$past(deep && asleep) || deep);
            comes_up_after_exactly_t_wake_deep: assert (!(!deep && $past(deep && same)) || $past(risen) == $past(wake_up));
            ready_stays_ready: assert (!($past(ready) && phase == ON) || ready);
            no_second_wake_up: assert (!(shown_phase == COMING_ON && $past(shown_phase) != COMING_ON) || phase == COMING_ON);
        end
    end

    always @* if (began) begin
        light_no_longer_than_deep_after: assert (!(asleep && !deep && stayed && deep_after != 0) || slept <= {1'b0, deep_after});
        held_back_no_longer_than_t_wake_deep: assert (!(rises && same) || risen <= wake_up);
        ready_is_awake_and_not_deep: assert (ready == (phase == ON && !deep));
        ready_only_in_on: assert (!ready || shown_phase == ON);
        held_back_is_coming_on: assert (shown_phase == (phase == ON && deep ? COMING_ON : phase));
        deep_sleep_is_level_1: assert (level == (phase == OFF && deep ? 3'd1 : 3'd0));
        deep_is_the_register: assert (deep == deep_q);
        elapsed_does_not_wrap: assert (elapsed_q != 0);
    end

    // What induction needs.
    always @* if (began) begin
        elapsed_is_of_the_wake_up: assert (!rises || {1'b0, elapsed_q} == risen);
        elapsed_is_of_the_sleep: assert (!(asleep && !deep && stayed && deep_after != 0) || {1'b0, elapsed_q} == slept);
        elapsed_is_no_more_than_the_sleep: assert (!(asleep && !deep) || {1'b0, elapsed_q} <= slept);
        elapsed_rests_in_depth: assert (!(asleep && deep) || elapsed_q == 1);
        elapsed_rests_awake: assert (!((phase == ON || phase == GOING_OFF) && !deep) || elapsed_q == 1);
        not_deep_on_the_way_off: assert (!(deep && phase == GOING_OFF));
    end

    always @(posedge clk) if (began && !$past(rst) && !rst) begin
        deep_happens: cover (deep && !$past(deep) && $past(stayed) && $past(deep_after) == 4);
        refresh_in_depth_happens: cover (deep && phase == OFF && $past(phase) == REFRESHING && $past(deep));
        held_back_happens: cover (!deep && $past(deep && same && t_wake_deep == 5 && awake) && ready);
        light_wake_up_happens: cover (ready && $past(phase) == COMING_ON && $past(deep_after) != 0);
        no_longer_than_t_wake_happens: cover (phase == ON && $past(phase == COMING_ON && !deep && was_deep));
        deep_at_once_happens: cover (deep && !$past(deep) && $past(slept) > 4 && $past(deep_after) == 2);
        never_deep_happens: cover (asleep && slept == 8 && !deep && deep_after == 0);
        comes_up_without_threshold_happens: cover (!deep && $past(deep) && deep_after == 0);
    end
endmodule
