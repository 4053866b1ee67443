// `timetable`: what docs/microarchitecture/mechanisms/timetable.md and ../power.md promise of the smallest mechanism, seen at its ports and in its registers.
//
// "Every port sleeps by a fixed timetable: open for `on_time`, closed for `off_time`"; "ports are closed to new packets at once and sleep when they have drained, in the fourth
// cycle after the last that was open at the earliest [...]. So a port that is held never sleeps." And the contract of a power mechanism.
//
// Not covered: what is read of the registers.
module timetable_properties #(
    parameter BITS_held = 2
) (
    input wire                   clk,
    input wire                   rst,
    input wire [BITS_held-1:0]   held,
    input wire [BITS_held-1:0]   given,
    input wire [BITS_held-1:0]   departing,
    input wire                   write_enable,
    input wire [9:0]             write_address,
    input wire [31:0]            write_data,
    input wire [BITS_held-1:0]   grantable,
    input wire [BITS_held-1:0]   preferred,
    input wire [BITS_held-1:0]   ready,
    input wire [BITS_held-1:0]   steady,
    input wire [3*BITS_held-1:0] phase,
    input wire [3*BITS_held-1:0] level,
    input wire [BITS_held-1:0]   waking,
    input wire [BITS_held-1:0]   hint,
    input wire [BITS_held-1:0]   serves,
    input wire                   policy_q,
    input wire [23:0]            on_time_q,
    input wire [23:0]            off_time_q,
    input wire [23:0]            count_q,
    input wire                   on_q,
    input wire [BITS_held-1:0]   asleep_q
);
    localparam N = BITS_held;
    localparam [2:0] ON = 3'd0, OFF = 3'd2, DRAINING = 3'd5;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    mechanism_surroundings_properties #(.PORTS(N)) surroundings (
        .clk(clk), .rst(rst), .held(held), .given(given), .departing(departing), .grantable(grantable)
    );

    // Any one of the ports.
    (* anyconst *) reg [5:0] one;
    always @* assume (one < N);
    wire [2:0] its_phase = phase >> (3 * one);
    wire       its_ready = ready >> one;
    wire       its_grantable = grantable >> one;
    wire       its_held = held >> one;
    wire       its_given = given >> one;
    wire       its_departing = departing >> one;

    // Cycles of the time that is under way, this one with them, and whether the times have stayed as they are; cycles since the ports were last open, up to four.
    reg [24:0] cycles;
    reg        on_before, stayed_before;
    reg [47:0] times_before;
    reg [2:0]  closed;
    wire       open = on_q || !policy_q;
    wire       begins = cycles == 1;
    wire       stayed = begins || (stayed_before && times_before == {on_time_q, off_time_q});
    wire [23:0] time_of_it = on_q ? on_time_q : off_time_q;
    wire [24:0] at_least_1 = time_of_it == 0 ? 25'd1 : {1'b0, time_of_it};
    always @(posedge clk) begin
        cycles        <= rst || cycles >= {1'b0, time_of_it} ? 25'd1 : cycles + 25'd1;
        stayed_before <= stayed;
        times_before  <= {on_time_q, off_time_q};
        closed        <= rst || open ? 3'd1 : closed == 4 ? 3'd4 : closed + 3'd1;
    end

    always @* if (began) begin
        count_is_of_cycles_passed: assert ({1'b0, count_q} + 25'd1 == cycles);
        time_lasts_no_longer: assert (!stayed || cycles <= at_least_1);
        grantable_and_serves_while_open: assert (grantable == {N{open}} && serves == {N{open}});
        reference_is_always_on: assert (policy_q || (phase == 0 && &ready));
        open_port_is_on: assert (!open || its_phase == ON);
        closed_port_drains_or_sleeps: assert (open || its_phase == DRAINING || its_phase == OFF);
        ready_only_in_on_and_draining: assert (its_ready == (its_phase == ON || its_phase == DRAINING) && steady == ready);
        port_that_is_held_never_sleeps: assert (its_phase != OFF || !its_held);
        port_is_never_given_asleep: assert (its_phase != OFF || !its_given);
        sleeps_in_the_fourth_cycle_at_the_earliest: assert (its_phase != OFF || closed == 4);
        no_class_level_hint_or_wake_up: assert (&preferred && level == 0 && waking == 0 && hint == 0);
    end
    // What induction needs.
    always @* if (began) closed_is_1_to_4: assert (closed >= 1 && closed <= 4);

    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_open: assert (on_q && asleep_q == 0 && count_q == 0);
        end else begin
            timetable_turns_when_the_time_is_over: assert ((on_q != $past(on_q)) == ($past(cycles) >= $past({1'b0, time_of_it})));
            time_lasts_exactly_so_long: assert (!(on_q != $past(on_q) && $past(stayed)) || $past(cycles) == $past(at_least_1));
            sleeps_only_when_drained: assert (!(its_phase == OFF && $past(its_phase) != OFF) || $past(!its_held && !its_given && !its_departing && !open));
            asleep_until_it_opens: assert (!$past(its_phase == OFF && !open) || open || its_phase == OFF);
            ready_when_given_is_ready_in_the_next_cycle: assert (!$past(its_ready && its_given) || its_ready);
            held_stays_ready: assert (!$past(its_ready && its_held) || its_ready);
            written_word_holds_from_the_next_cycle_on: assert (!$past(write_enable && write_address == 10'h10) || policy_q == $past(write_data[0]));
            written_times_hold_likewise: assert (!$past(write_enable && write_address == 10'h11) || on_time_q == $past(write_data[23:0]));
            other_writes_are_ignored: assert (!$past(write_enable && (write_address < 10'h10 || write_address > 10'h12))
                || (policy_q == $past(policy_q) && on_time_q == $past(on_time_q) && off_time_q == $past(off_time_q)));
        end
        sleep_happens: cover (its_phase == OFF && closed == 4 && !rst && $past(its_phase) == DRAINING);
        held_while_closed_happens: cover (its_phase == DRAINING && its_held && closed == 4);
        given_after_the_last_grantable_happens: cover (!open && its_given && closed == 3);
        opens_again_happens: cover (!$past(rst) && its_phase == ON && $past(its_phase) == OFF && policy_q);
    end
endmodule
