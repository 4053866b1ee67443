// `link_fsm`: what docs/microarchitecture/mechanisms/alonso.md promises of the phase of a link, at full widths of the durations.
//
// The table of phases, row by row, with durations that may be written at any time; for durations that stay, "turn_off" and "turn_on" last exactly so long ("durations of 0 count
// as 1 cycle"); a link goes off only when it has drained: not active, and not in use, in the third cycle at the earliest.
//
// Not covered: nothing.
module link_fsm_properties (
    input wire        clk,
    input wire        rst,
    input wire        active,
    input wire        in_use,
    input wire [23:0] turn_on,
    input wire [23:0] turn_off,
    input wire [2:0]  phase,
    input wire        coming_on,
    input wire [23:0] elapsed_q
);
    localparam [2:0] ON = 3'd0, GOING_OFF = 3'd1, OFF = 3'd2, COMING_ON = 3'd3, DRAINING = 3'd5;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    wire over = elapsed_q >= (phase == GOING_OFF ? turn_off : turn_on);

    // The table of phases: where each row leads, and what is counted then.
    reg [2:0]  to_phase;
    reg [23:0] to_elapsed;
    always @* begin
        to_phase   = phase;
        to_elapsed = 24'd1;
        if (phase == ON) to_phase = active ? ON : DRAINING;
        if (phase == DRAINING) begin
            if (active) to_phase = ON;
            else if (in_use || elapsed_q == 1) to_elapsed = 24'd2;
            else to_phase = GOING_OFF;
        end
        if (phase == GOING_OFF) begin
            if (active) to_phase = COMING_ON;
            else if (over) to_phase = OFF;
            else to_elapsed = elapsed_q + 24'd1;
        end
        if (phase == OFF) to_phase = active ? COMING_ON : OFF;
        if (phase == COMING_ON) begin
            if (over) to_phase = ON;
            else to_elapsed = elapsed_q + 24'd1;
        end
    end

    // Cycles of the phase, this one with them, in which the durations have stayed as they are; cycles in a row in which the link was not to be on.
    reg [24:0] cycles;
    reg [47:0] durations_before;
    reg        stayed_before;
    reg [1:0]  inactive;
    wire       stayed = cycles == 1 || (stayed_before && durations_before == {turn_on, turn_off});
    always @(posedge clk) begin
        cycles           <= rst || to_phase != phase ? 25'd1 : cycles == 25'h1ffffff ? cycles : cycles + 25'd1;
        durations_before <= {turn_on, turn_off};
        stayed_before    <= stayed;
        inactive         <= rst || active ? 2'd0 : inactive == 3 ? 2'd3 : inactive + 2'd1;
    end
    function [24:0] at_least_1(input [23:0] duration);
        at_least_1 = duration == 0 ? 25'd1 : {1'b0, duration};
    endfunction

    always @* if (began) begin
        phases_are_those_of_the_table: assert (phase <= COMING_ON || phase == DRAINING);
        coming_on_says_it_a_cycle_before: assert (coming_on == (to_phase == COMING_ON && phase != COMING_ON));
        going_off_lasts_no_longer_than_turn_off: assert (!(phase == GOING_OFF && stayed) || cycles <= at_least_1(turn_off));
        coming_on_lasts_no_longer_than_turn_on: assert (!(phase == COMING_ON && stayed) || cycles <= at_least_1(turn_on));
        elapsed_does_not_wrap: assert (elapsed_q != 0);
    end
    // What induction needs.
    always @* if (began) begin
        elapsed_is_cycles: assert (!(phase == GOING_OFF || phase == COMING_ON) || {1'b0, elapsed_q} == cycles);
        elapsed_of_draining: assert (phase != DRAINING || elapsed_q == (cycles == 1 ? 1 : 2));
        elapsed_is_1_else: assert (!(phase == ON || phase == OFF) || elapsed_q == 1);
        inactive_while_draining: assert (phase != DRAINING || (inactive != 0 && (cycles == 1 || inactive >= 2)));
        no_phase_of_no_cycle: assert (cycles != 0);
    end

    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_on: assert (phase == ON && elapsed_q == 1);
        end else begin
            next_phase_is_the_tables: assert (phase == $past(to_phase));
            next_elapsed_is_the_tables: assert (elapsed_q == $past(to_elapsed));
            goes_off_only_when_drained: assert (!(phase == GOING_OFF && $past(phase) != GOING_OFF) || $past(!in_use && !active && phase == DRAINING));
            goes_off_in_the_third_cycle_at_the_earliest: assert (!(phase == GOING_OFF && $past(phase) != GOING_OFF) || inactive == 3);
            link_that_is_to_be_on_never_goes_off: assert (!$past(active) || phase == ON || phase == COMING_ON);
            link_in_use_stays_ready: assert (!$past((phase == ON || phase == DRAINING) && in_use) || phase == ON || phase == DRAINING);
            off_after_exactly_turn_off: assert (!($past(phase) == GOING_OFF && phase == OFF && $past(stayed)) || $past(cycles) == at_least_1($past(turn_off)));
            on_after_exactly_turn_on: assert (!($past(phase) == COMING_ON && phase == ON && $past(stayed)) || $past(cycles) == at_least_1($past(turn_on)));
        end
        off_happens: cover (!$past(rst) && $past(phase) == GOING_OFF && phase == OFF && $past(stayed) && turn_off == 4);
        on_again_happens: cover (!$past(rst) && $past(phase) == COMING_ON && phase == ON && $past(stayed) && turn_on == 3);
        draining_in_use_happens: cover (phase == DRAINING && cycles == 4 && in_use);
        on_while_going_off_happens: cover (!$past(rst) && $past(phase) == GOING_OFF && phase == COMING_ON);
        written_in_a_phase_happens: cover (phase == COMING_ON && !stayed);
    end
endmodule
