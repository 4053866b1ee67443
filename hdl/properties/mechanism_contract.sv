// What a power mechanism that is made of `powar` promises at its ports, whatever else is in it (docs/microarchitecture/power.md, mechanisms/powar.md): properties that those mechanisms share.
//
// "`ready` only in `On` and `Draining`; a port that is `ready` when it is given is `ready` in the next cycle; a port that is held and not `ready` becomes `ready` again"; what each policy
// lets ports do; ports of no group always selectable, one port of a group at least. Of one port, which is any.
module mechanism_contract_properties #(
    parameter PORTS = 4,
    parameter FIRST = 2,
    parameter GROUP_SIZE = 2
) (
    input wire                  clk,
    input wire                  rst,
    input wire [5:0]            one,
    input wire [PORTS-1:0]      held,
    input wire [PORTS-1:0]      given,
    input wire [PORTS-1:0]      departing,
    input wire                  write_enable,
    input wire [9:0]            write_address,
    input wire [31:0]           write_data,
    input wire [PORTS-1:0]      grantable,
    input wire [PORTS-1:0]      preferred,
    input wire [PORTS-1:0]      ready,
    input wire [PORTS-1:0]      steady,
    input wire [3*PORTS-1:0]    phase,
    input wire [PORTS-1:0]      waking,
    input wire [PORTS-1:0]      serves,
    // A hint has woken the port, and nobody has been given it.
    input wire [PORTS-1:0]      foreseen,
    // What `powar` is told and says of the ports, and registers of it.
    input wire [PORTS-1:0]      powar_held,
    input wire [3*PORTS-1:0]    powar_phase,
    input wire [1:0]            policy,
    input wire [2*PORTS-1:0]    state,
    input wire [PORTS-1:0]      pending,
    input wire [6:0]            n_selectable,
    input wire [GROUP_SIZE-1:0] selectable
);
    localparam [2:0] ON = 3'd0, GOING_OFF = 3'd1, OFF = 3'd2, COMING_ON = 3'd3, REFRESHING = 3'd4;
    localparam [1:0] ACTIVE = 2'd0, ENTERING_SLEEP = 2'd1, ASLEEP = 2'd2, WAKING = 2'd3;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;

    mechanism_surroundings_properties #(.PORTS(PORTS), .LATE(0)) surroundings (
        .clk(clk), .rst(rst), .held(held), .given(given), .departing(departing), .grantable(grantable)
    );

    wire [2:0] its_phase = phase >> (3 * one);
    wire       its_ready = ready >> one;
    wire       its_steady = steady >> one;
    wire       its_serves = serves >> one;
    wire       its_held = held >> one;
    wire       its_given = given >> one;
    wire       its_departing = departing >> one;
    wire       its_waking = waking >> one;
    wire       its_preferred = preferred >> one;
    wire       its_foreseen = foreseen >> one;
    wire       its_grantable = grantable >> one;
    wire       the_one_below_is_grantable = {grantable, 1'b1} >> one;
    wire       shown_as_held = powar_held >> one;
    wire [2:0] powars_phase = powar_phase >> (3 * one);
    wire [1:0] its_state = state >> (2 * one);
    wire       its_pending = pending >> one;

    // The policy, and the table of policies: Reference, RoundRobin, FirstOn, Powar.
    wire sleeps = policy != 0;
    wire prefers_awake = policy >= 2;
    wire only_selectable = policy == 3;

    always @* if (began) begin
        ready_only_if_on: assert (!its_ready || its_phase == ON);
        on_is_ready: assert (its_phase != ON || (its_ready && its_steady && its_serves));
        steady_is_ready: assert (steady == ready && serves == ready);
        phases_are_those_of_powar: assert (its_phase <= REFRESHING);
        held_port_is_never_left_asleep: assert (!its_held || its_phase == ON || its_phase == GOING_OFF || its_phase == COMING_ON);
        all_grantable_unless_only_selectable: assert (only_selectable || &grantable);
        ports_of_no_group_are_grantable: assert (one >= FIRST || its_grantable);
        one_port_of_the_group_is_grantable: assert (grantable[FIRST]);
        lowest_ports_of_the_group_are_grantable: assert (one <= FIRST || one >= FIRST + GROUP_SIZE || !its_grantable || the_one_below_is_grantable);
        all_preferred_unless_awake_ones_are: assert (prefers_awake || &preferred);
        preferred_are_the_awake: assert (!prefers_awake || its_preferred == (powars_phase == ON || its_foreseen));
        what_holds_a_port_keeps_it_awake: assert (!its_held || shown_as_held);
    end
    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_on_and_selectable: assert (&ready && &grantable);
        end else begin
            ready_when_given_is_ready_in_the_next_cycle: assert (!$past(its_ready && its_given) || its_ready);
            port_in_use_stays_ready: assert (!$past(its_ready && (its_held || its_departing)) || its_ready);
            port_that_is_shown_as_held_stays_ready: assert (!$past(its_ready && shown_as_held) || its_ready);
            no_port_goes_to_sleep_unless_the_policy_lets_it: assert (!$past(its_ready && !sleeps) || its_ready);
            given_asleep_is_woken_at_once: assert (!$past(its_given && (its_phase == OFF || its_phase == REFRESHING)) || its_phase == COMING_ON);
            waking_says_it_a_cycle_before: assert ($past(its_waking) == (its_phase == COMING_ON && $past(its_phase) != COMING_ON));
            phases_follow_each_other: assert (its_phase == $past(its_phase)
                || ($past(its_phase) == ON && its_phase == GOING_OFF)
                || ($past(its_phase) == GOING_OFF && (its_phase == OFF || its_phase == COMING_ON || its_phase == ON))
                || ($past(its_phase) == OFF && (its_phase == COMING_ON || its_phase == REFRESHING))
                || ($past(its_phase) == REFRESHING && (its_phase == OFF || its_phase == COMING_ON))
                || ($past(its_phase) == COMING_ON && its_phase == ON));
            written_policy_holds_from_the_next_cycle_on: assert (!$past(write_enable && write_address == 10'h10) || policy == $past(write_data[1:0]));
            policy_stays_if_not_written: assert ($past(write_enable && write_address == 10'h10) || policy == $past(policy));
        end
    end

    // What induction needs.
    always @* if (began) begin
        phase_is_the_state: assert (powars_phase == {1'b0, its_state} || (powars_phase == REFRESHING && its_state == ASLEEP));
        pending_in_the_transition_only: assert (!its_pending || its_state == ENTERING_SLEEP);
        held_is_pending: assert (!(its_held && its_state == ENTERING_SLEEP) || its_pending);
        group_is_its_lowest: assert (n_selectable >= 1 && n_selectable <= GROUP_SIZE && selectable == ~({GROUP_SIZE{1'b1}} << n_selectable));
    end

    always @(posedge clk) if (began && !$past(rst) && !rst) begin
        forbidden_on_the_way_to_sleep_happens: cover (its_phase == GOING_OFF && !its_held && !sleeps);
    end
endmodule
