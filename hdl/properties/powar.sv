// `powar`: what docs/microarchitecture/mechanisms/powar.md and ../power.md promise of the mechanism in a switch, seen at its ports.
//
// The contract of a power mechanism: "`ready` only in `On` and `Draining`; a port that is `ready` when it is given is `ready` in the next cycle; a port that is held and
// not `ready` becomes `ready` again." POWAR's own: what each policy lets ports do ("sleeps, prefers awake, only selectable"), ports of no group always selectable, one
// port of a group at least, "a port in use does not leave `Active`".
//
// Not covered: how long a held port waits, which is said beside `port_power_fsm` (T_s + T_w).
module powar_properties #(
    parameter BITS_held = 4,
    parameter FIRST = 2,
    parameter GROUP_SIZE = 2
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
    input wire [1:0]             registers_policy
);
    localparam N = BITS_held;
    localparam [2:0] ON = 3'd0, GOING_OFF = 3'd1, OFF = 3'd2, COMING_ON = 3'd3, REFRESHING = 3'd4;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    mechanism_surroundings_properties #(.PORTS(N), .LATE(0)) surroundings (
        .clk(clk), .rst(rst), .held(held), .given(given), .departing(departing), .grantable(grantable)
    );

    // Any one of the ports.
    (* anyconst *) reg [5:0] one;
    always @* assume (one < N);
    wire [2:0] its_phase = phase >> (3 * one);
    wire       its_ready = ready >> one;
    wire       its_steady = steady >> one;
    wire       its_serves = serves >> one;
    wire       its_held = held >> one;
    wire       its_given = given >> one;
    wire       its_departing = departing >> one;
    wire       its_waking = waking >> one;
    wire       its_grantable = grantable >> one;
    wire       the_one_below_is_grantable = {grantable, 1'b1} >> one;

    // The policy, and the table of policies: Reference, RoundRobin, FirstOn, Powar.
    wire sleeps = registers_policy != 0;
    wire prefers_awake = registers_policy >= 2;
    wire only_selectable = registers_policy == 3;

    always @* if (began) begin
        ready_only_if_on: assert (!its_ready || its_phase == ON);
        on_is_ready: assert (its_phase != ON || (its_ready && its_steady && its_serves));
        steady_is_ready: assert (steady == ready && serves == ready);
        phases_are_those_of_powar: assert (its_phase <= REFRESHING);
        one_rate_no_hint: assert (level == 0 && hint == 0);
        held_port_is_never_left_asleep: assert (!its_held || its_phase == ON || its_phase == GOING_OFF || its_phase == COMING_ON);
        all_grantable_unless_only_selectable: assert (only_selectable || &grantable);
        ports_of_no_group_are_grantable: assert (one >= FIRST || its_grantable);
        one_port_of_the_group_is_grantable: assert (grantable[FIRST]);
        lowest_ports_of_the_group_are_grantable: assert (one <= FIRST || one >= FIRST + GROUP_SIZE || !its_grantable || the_one_below_is_grantable);
        all_preferred_unless_awake_ones_are: assert (prefers_awake || &preferred);
        preferred_are_the_awake: assert (!prefers_awake || preferred == ready);
    end
    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_on_and_selectable: assert (&ready && &grantable);
        end else begin
            ready_when_given_is_ready_in_the_next_cycle: assert (!$past(its_ready && its_given) || its_ready);
            port_in_use_stays_ready: assert (!$past(its_ready && (its_held || its_departing)) || its_ready);
            no_port_goes_to_sleep_unless_the_policy_lets_it: assert (!$past(its_ready && !sleeps) || its_ready);
            given_asleep_is_woken_at_once: assert (!$past(its_given && (its_phase == OFF || its_phase == REFRESHING)) || its_phase == COMING_ON);
            waking_says_it_a_cycle_before: assert ($past(its_waking) == (its_phase == COMING_ON && $past(its_phase) != COMING_ON));
            phases_follow_each_other: assert (its_phase == $past(its_phase)
                || ($past(its_phase) == ON && its_phase == GOING_OFF)
                || ($past(its_phase) == GOING_OFF && (its_phase == OFF || its_phase == COMING_ON || its_phase == ON))
                || ($past(its_phase) == OFF && (its_phase == COMING_ON || its_phase == REFRESHING))
                || ($past(its_phase) == REFRESHING && (its_phase == OFF || its_phase == COMING_ON))
                || ($past(its_phase) == COMING_ON && its_phase == ON));
            written_policy_holds_from_the_next_cycle_on: assert (!$past(write_enable && write_address == 10'h10) || registers_policy == $past(write_data[1:0]));
            policy_stays_if_not_written: assert ($past(write_enable && write_address == 10'h10) || registers_policy == $past(registers_policy));
        end
        held_port_wakes_happens: cover (!$past(rst) && its_held && its_ready && $past(its_phase == COMING_ON) && one == 3);
        going_off_with_request_happens: cover (its_held && its_phase == GOING_OFF && !rst);
        refresh_happens: cover (its_phase == REFRESHING);
        not_all_grantable_happens: cover (grantable == {N{1'b1}} >> 1 && ready[0] && !preferred[1]);
        forbidden_again_happens: cover (!$past(rst) && $past(its_phase) == OFF && its_phase == COMING_ON && !its_held && !sleeps);
    end
endmodule
