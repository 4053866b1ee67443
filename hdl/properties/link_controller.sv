// `link_controller`: what docs/microarchitecture/mechanisms/e_rapid.md promises of a wavelength as one board has it.
//
// "A wavelength to a board has one **holder** at a time": the board takes it when a response names it, and gives it up only "when no packet is on it or can come any more"; it "offers a wavelength only
// [then], and uses it no more until it is answered". Rates go a level at a time, changed only when the wavelength is drained, in `dead_time` dead cycles ("0 counts as 1"), "voltage goes up before the
// rate, and down after it". "Over any time the wavelength carries what its rate carries" (the debt).
//
// Not covered: which boards have it at first (`at_first`); that the boards of a network agree on a holder, which is the ring's (`ring_station`, `reconfiguration_controller`) and takes several boards.
module link_controller_properties (
    input wire        clk,
    input wire        rst,
    input wire        in_use,
    input wire        departing,
    input wire        sample,
    input wire        offers,
    input wire        ask,
    input wire        taken,
    input wire        answer,
    input wire        mine,
    input wire        lower,
    input wire        higher,
    input wire [7:0]  dead_time,
    input wire        holds,
    input wire        offered,
    input wire [2:0]  phase,
    input wire [2:0]  level,
    input wire [11:0] busy,
    input wire        open,
    input wire        grantable,
    input wire        offers_now,
    input wire        control_packet,
    input wire        coming_on,
    input wire        withheld_q,
    input wire        leaving_q,
    input wire        retuning_q,
    input wire [1:0]  quiet_q,
    input wire [2:0]  next_level_q,
    input wire [7:0]  dead_q,
    input wire [17:0] debt_q,
    input wire [11:0] busy_count_q
);
    localparam [2:0] ON = 3'd0, OFF = 3'd2, COMING_ON = 3'd3;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // "in_use: the port is held, given to a packet in this cycle, or a flit sets out for it." "A packet may still be *given* a port three cycles after the last one with `grantable`"; it is held then, until its last
    // flits set out one after the other.
    reg in_use_before, grantable_1, grantable_2, grantable_3;
    always @(posedge clk) begin
        in_use_before <= !rst && in_use;
        grantable_1   <= !rst && grantable;
        grantable_2   <= !rst && grantable_1;
        grantable_3   <= !rst && grantable_2;
    end
    always @* if (began) begin
        assume (!departing || in_use);
        assume (!in_use || in_use_before || grantable || grantable_1 || grantable_2 || grantable_3);
        // A word of the ring is a request or a response.
        assume (!(ask && answer));
        // "packets of up to 4095 flits never get there": the debt stays below 2^18.
        assume (debt_q <= 18'd260000);
    end

    wire [5:0] rate = 6'd25 + 6'd5 * level;
    wire       carries = in_use || debt_q != 0;

    // Cycles of the change of rate, this one with them, in which `dead_time` has stayed.
    reg [8:0] cycles;
    reg [7:0] dead_time_before;
    reg       stayed_before;
    wire      stayed = cycles == 1 || (stayed_before && dead_time_before == dead_time);
    wire      done = dead_q >= dead_time;
    always @(posedge clk) begin
        cycles           <= rst || phase != COMING_ON ? 9'd1 : cycles == 9'h1ff ? cycles : cycles + 9'd1;
        dead_time_before <= dead_time;
        stayed_before    <= stayed;
    end
    wire [8:0] at_least_1 = dead_time == 0 ? 9'd1 : {1'b0, dead_time};

    // The table of phases.
    wire       drained = phase == ON && !open && quiet_q == 2 && !carries;
    wire       drop = (ask && offered && taken) || (answer && !mine && (offered || (withheld_q && drained))) || (leaving_q && drained);
    wire       take = answer && mine;
    reg  [2:0] to_phase, to_level;
    always @* begin
        to_phase = phase;
        to_level = level;
        if (drop && !take) begin
            to_phase = OFF;
            to_level = 3'd0;
        end else if (phase == OFF && take) begin
            to_phase = COMING_ON;
            to_level = 3'd5;
        end else if (phase == COMING_ON && done) begin
            to_phase = ON;
            to_level = next_level_q;
        end else if (phase == ON && retuning_q && drained && !take && !ask && !answer && !withheld_q && !offered && !leaving_q) begin
            to_phase = COMING_ON;
            to_level = level > next_level_q ? level : next_level_q;
        end
    end

    always @* if (began) begin
        nobody_uses_what_he_does_not_hold: assert (holds || (phase == OFF && !open && !grantable && !offered));
        holder_is_on_or_comes_on: assert (!holds || phase == ON || phase == COMING_ON);
        grantable_only_if_held_and_on: assert (!grantable || (holds && phase == ON && open));
        open_is_not_given_away: assert (open == (holds && phase == ON && !withheld_q && !leaving_q && !retuning_q));
        grantable_keeps_the_pace: assert (grantable == (open && debt_q <= 8 * rate));
        offered_is_used_no_more: assert (!offered || (holds && phase == ON && !open && !in_use && debt_q == 0));
        offered_now_is_free_of_packets: assert (!offers_now || (holds && !open && !carries));
        port_in_use_is_on: assert (!in_use || phase == ON);
        levels_are_those_of_the_paper: assert (level <= 5 && next_level_q <= 5);
        change_is_made_at_the_higher_level: assert (phase != COMING_ON || level >= next_level_q);
        change_lasts_no_longer_than_dead_time: assert (!(phase == COMING_ON && stayed) || cycles <= at_least_1);
        control_packet_is_in_the_first_dead_cycle: assert (control_packet == (phase == COMING_ON && cycles == 1));
    end
    // What induction needs.
    always @* if (began) begin
        dead_is_cycles: assert (phase != COMING_ON || {1'b0, dead_q} == cycles);
        quiet_is_without_open: assert (quiet_q <= 2 && (quiet_q == 0 || !grantable_1) && (quiet_q != 2 || !grantable_2));
        offered_is_quiet: assert (!offered || (quiet_q == 2 && withheld_q && !grantable_3 && !in_use_before));
        nothing_of_what_is_not_held: assert (holds || (!withheld_q && !leaving_q && !retuning_q && !in_use && debt_q == 0));
        changed_only_when_quiet: assert (phase == ON || (!in_use && !in_use_before && debt_q == 0));
    end

    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_on_at_the_highest_level_or_off: assert (!offered && phase == (holds ? ON : OFF) && level == (holds ? 5 : 0));
        end else begin
            next_phase_and_level_are_the_tables: assert (phase == $past(to_phase) && level == $past(to_level));
            takes_only_what_it_is_given: assert (!(holds && !$past(holds)) || $past(answer && mine));
            takes_what_it_is_given: assert (!$past(answer && mine) || holds);
            keeps_it_unless_it_is_drained: assert (!(!holds && $past(holds)) || $past(!carries && !open && phase == ON));
            gives_up_only_what_was_offered_or_is_to_be_left: assert (!(!holds && $past(holds)) || $past((ask && offered && taken) || (answer && !mine && offers_now) || leaving_q));
            offered_until_it_is_answered: assert (!$past(offered) || offered || $past(answer || (ask && taken)));
            offers_when_a_request_passes: assert (!(offered && !$past(offered)) || $past(ask && offers_now));
            other_holder_is_believed: assert (!$past(holds && offered && answer && !mine) || !holds);
            on_only_from_coming_on: assert (!(phase == ON && $past(phase) != ON) || $past(phase) == COMING_ON);
            change_lasts_exactly_dead_time: assert (!($past(phase) == COMING_ON && phase == ON && $past(stayed)) || $past(cycles) == $past(at_least_1));
            rate_changes_only_when_drained: assert (!(phase == COMING_ON && $past(phase) == ON) || $past(!carries && !open));
            level_is_what_was_asked_for_after_the_change: assert (!($past(phase) == COMING_ON && phase == ON) || level == $past(next_level_q));
            level_changes_at_ends_of_changes_only: assert (level == $past(level) || phase != $past(phase));
            a_level_at_a_time: assert (!$past(phase == ON && holds) || next_level_q == $past(next_level_q) || next_level_q == $past(level) + 3'd1 || next_level_q == $past(level) - 3'd1);
            down_wins: assert (!$past(lower && higher && holds) || next_level_q <= $past(level) || next_level_q == $past(next_level_q) || !$past(phase == ON));
            debt_is_paid_at_the_rate: assert (debt_q == ($past(debt_q) + $past(departing ? 18'd64 : 18'd0) > $past({12'd0, rate}) ? $past(debt_q) + $past(departing ? 18'd64 : 18'd0) - $past({12'd0, rate}) : 18'd0));
            busy_is_of_the_window: assert (busy == ($past(sample) ? $past(busy_count_q) : $past(busy)));
            coming_on_says_it_a_cycle_before: assert ($past(coming_on) == (phase == COMING_ON && $past(phase) != COMING_ON));
        end
        taken_happens: cover (!$past(rst) && holds && !$past(holds) && phase == COMING_ON);
        given_away_happens: cover (!$past(rst) && !holds && $past(holds && offered));
        left_happens: cover (!$past(rst) && !holds && $past(holds && leaving_q));
        slower_happens: cover (!$past(rst) && phase == ON && $past(phase) == COMING_ON && level == 4 && dead_time == 2);
        faster_happens: cover (!$past(rst) && phase == ON && $past(phase) == COMING_ON && level == 5 && $past(level, 4) == 4);
        debt_happens: cover (phase == ON && level == 4 && debt_q != 0 && !in_use);
    end
endmodule
