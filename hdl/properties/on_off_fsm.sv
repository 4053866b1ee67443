// `on_off_fsm`: what docs/microarchitecture/mechanisms/soteriou_peh.md promises of the phase of a link, at full widths of the durations.
//
// The table of phases, row by row, with durations that may be written at any time; for a duration that stays, a transition lasts exactly `t_trans` ("durations of 0 count as 1
// cycle") and "is finished: off for a cycle at least, then on"; Design I goes off only when drained; Design II only after `idle_limit` idle cycles.
//
// Not covered: nothing.
module on_off_fsm_properties (
    input wire        clk,
    input wire        rst,
    input wire        active,
    input wire        dozes,
    input wire        in_use,
    input wire        wanted,
    input wire [23:0] idle_limit,
    input wire [23:0] t_trans,
    input wire [2:0]  phase,
    input wire        coming_on,
    input wire [23:0] elapsed_q
);
    localparam [2:0] ON = 3'd0, GOING_OFF = 3'd1, OFF = 3'd2, COMING_ON = 3'd3, DRAINING = 3'd5;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // The table of phases: where each row leads, and what is counted then.
    reg [2:0]  to_phase;
    reg [23:0] to_elapsed;
    always @* begin
        to_phase   = phase;
        to_elapsed = 24'd1;
        if (phase == ON) begin
            if (!active) to_phase = DRAINING;
            else if (in_use || wanted || !dozes) to_phase = ON;
            else if (elapsed_q >= idle_limit) to_phase = GOING_OFF;
            else to_elapsed = elapsed_q + 24'd1;
        end
        if (phase == DRAINING) begin
            if (active) to_phase = ON;
            else if (in_use || elapsed_q == 1) to_elapsed = 24'd2;
            else to_phase = GOING_OFF;
        end
        if (phase == GOING_OFF) begin
            if (elapsed_q >= t_trans) to_phase = OFF;
            else to_elapsed = elapsed_q + 24'd1;
        end
        if (phase == OFF && (in_use || wanted || (active && !dozes))) to_phase = COMING_ON;
        if (phase == COMING_ON) begin
            if (elapsed_q >= t_trans) to_phase = ON;
            else to_elapsed = elapsed_q + 24'd1;
        end
    end

    // Cycles of the phase, this one with them; idle cycles of `On` before this one; cycles in a row in which the link was not to be on.
    wire       idles = phase == ON && active && dozes && !in_use && !wanted;
    reg [24:0] cycles, idle_cycles;
    reg [23:0] trans_before, limit_before;
    reg        stayed_before, idle_stayed_before;
    reg [1:0]  inactive;
    wire       stayed = cycles == 1 || (stayed_before && trans_before == t_trans);
    wire       idle_stayed = idle_cycles == 0 || (idle_stayed_before && limit_before == idle_limit);
    always @(posedge clk) begin
        cycles             <= rst || to_phase != phase ? 25'd1 : cycles == 25'h1ffffff ? cycles : cycles + 25'd1;
        idle_cycles        <= rst || !idles || to_phase != ON ? 25'd0 : idle_cycles + 25'd1;
        trans_before       <= t_trans;
        limit_before       <= idle_limit;
        stayed_before      <= stayed;
        idle_stayed_before <= idle_stayed;
        inactive           <= rst || active ? 2'd0 : inactive == 3 ? 2'd3 : inactive + 2'd1;
    end
    function [24:0] at_least_1(input [23:0] duration);
        at_least_1 = duration == 0 ? 25'd1 : {1'b0, duration};
    endfunction

    always @* if (began) begin
        phases_are_those_of_the_table: assert (phase <= COMING_ON || phase == DRAINING);
        coming_on_says_it_a_cycle_before: assert (coming_on == (to_phase == COMING_ON && phase != COMING_ON));
        transition_lasts_no_longer_than_t_trans: assert (!((phase == GOING_OFF || phase == COMING_ON) && stayed) || cycles <= at_least_1(t_trans));
        idle_no_longer_than_the_limit: assert (!(phase == ON && idle_stayed) || idle_cycles < at_least_1(idle_limit));
        elapsed_does_not_wrap: assert (elapsed_q != 0);
    end
    // What induction needs.
    always @* if (began) begin
        elapsed_is_cycles: assert (!(phase == GOING_OFF || phase == COMING_ON) || {1'b0, elapsed_q} == cycles);
        elapsed_is_idle_cycles: assert (phase != ON || {1'b0, elapsed_q} == idle_cycles + 25'd1);
        elapsed_of_draining: assert (phase != DRAINING || elapsed_q == (cycles == 1 ? 1 : 2));
        elapsed_is_1_off: assert (phase != OFF || elapsed_q == 1);
        inactive_while_draining: assert (phase != DRAINING || (inactive != 0 && (cycles == 1 || inactive >= 2)));
        no_phase_of_no_cycle: assert (cycles != 0 && (phase == ON || idle_cycles == 0));
    end

    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_on: assert (phase == ON && elapsed_q == 1);
        end else begin
            next_phase_is_the_tables: assert (phase == $past(to_phase));
            next_elapsed_is_the_tables: assert (elapsed_q == $past(to_elapsed));
            design_1_goes_off_only_when_drained: assert (!(phase == GOING_OFF && $past(phase) == DRAINING) || ($past(!in_use && !active) && inactive == 3));
            design_2_goes_off_after_the_idle_limit: assert (!(phase == GOING_OFF && $past(phase) == ON && $past(idle_stayed))
                || $past(idle_cycles) + 25'd1 == at_least_1($past(idle_limit)));
            off_from_on_or_draining_only: assert (phase != GOING_OFF || $past(phase == GOING_OFF || phase == ON || phase == DRAINING));
            does_not_doze_while_in_use_or_wanted: assert (!($past(phase) == ON && $past(active && (in_use || wanted || !dozes))) || phase == ON);
            ever_on_link_never_goes_off: assert (!$past(active && !dozes && phase == ON) || phase == ON);
            off_link_that_is_asked_for_comes_on: assert (!$past(phase == OFF && (in_use || wanted)) || phase == COMING_ON);
            off_after_exactly_t_trans: assert (!($past(phase) == GOING_OFF && phase != GOING_OFF) || (phase == OFF && (!$past(stayed) || $past(cycles) == at_least_1($past(t_trans)))));
            on_after_exactly_t_trans: assert (!($past(phase) == COMING_ON && phase != COMING_ON) || (phase == ON && (!$past(stayed) || $past(cycles) == at_least_1($past(t_trans)))));
        end
        off_happens: cover (!$past(rst) && $past(phase) == GOING_OFF && phase == OFF && $past(stayed) && t_trans == 3);
        doze_happens: cover (!$past(rst) && $past(phase) == ON && phase == GOING_OFF && $past(idle_stayed) && $past(idle_limit) == 4);
        drained_happens: cover (!$past(rst) && $past(phase) == DRAINING && phase == GOING_OFF && $past(cycles) == 4);
        on_again_happens: cover (!$past(rst) && $past(phase) == COMING_ON && phase == ON && $past(stayed) && t_trans == 3);
        frozen_packet_wakes_happens: cover (!$past(rst) && $past(phase == OFF && in_use && dozes && !wanted) && phase == COMING_ON);
    end
endmodule
