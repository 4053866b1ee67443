// `soteriou_peh`: what docs/microarchitecture/mechanisms/soteriou_peh.md and ../power.md promise of the mechanism in a switch of a 4 x 4 mesh, seen at its ports.
//
// "Links that may not go off are **ever-on**. They keep a mesh or torus connected under policies 1 and 2"; Design I goes off only when drained, Design II freezes, and "a packet that was on
// its way to be given the port waits in place, holds it, and wakes it"; "a packet in front of a link that is off wakes it, and until it is on it is not taken away again: nothing waits for
// ever". Ports to nodes are always on. And the contract of a power mechanism.
//
// Not covered: when the load is above or below a threshold (`window_sums`, `load_predictor`, `age_monitor`); how long a transition lasts, which is said beside `on_off_fsm`.
module soteriou_peh_properties #(
    parameter BITS_held = 5
) (
    input wire                   clk,
    input wire                   rst,
    input wire [15:0]            position,
    input wire [BITS_held-1:0]   held,
    input wire [BITS_held-1:0]   given,
    input wire [BITS_held-1:0]   departing,
    input wire [BITS_held-1:0]   wanted,
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
    localparam N = BITS_held, LINKS = 4;
    localparam [2:0] ON = 3'd0, GOING_OFF = 3'd1, OFF = 3'd2, COMING_ON = 3'd3, DRAINING = 3'd5;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    mechanism_surroundings_properties #(.PORTS(N)) surroundings (
        .clk(clk), .rst(rst), .held(held), .given(given), .departing(departing), .grantable(grantable)
    );
    // "`position`: address of the switch": it doesn't change. x and y are its digits, of two bits in a mesh of 4 x 4.
    (* anyconst *) reg [15:0] place;
    always @* assume (position == place);
    wire [1:0] x = position[1:0], y = position[3:2];

    // The graphs, as the page has them: policy 1, the staircase; policy 2, one-way streets; +x, -x, +y, -y.
    wire       odd = x[0] ^ y[0];
    wire       row = y == 0 || y == 3, column = x == 0 || x == 3;
    wire [3:0] staircase = {!odd, !odd, odd, odd};
    wire [3:0] alternating = {!x[0] && !column, x[0] && !column, !y[0] && !row, y[0] && !row};
    // The policies since the reset: only this one, or `reference`.
    reg only_staircase, only_alternating, only_reference;
    always @(posedge clk) begin
        only_staircase   <= rst || (only_staircase && (registers_policy == 1 || registers_policy == 0));
        only_alternating <= rst || (only_alternating && (registers_policy == 2 || registers_policy == 0));
        only_reference   <= rst || (only_reference && registers_policy == 0);
    end
    wire staircase_now = only_staircase && registers_policy <= 1;
    wire alternating_now = only_alternating && (registers_policy == 2 || registers_policy == 0);

    // Any one of the ports.
    (* anyconst *) reg [5:0] one;
    always @* assume (one < N);
    wire       is_link = one < LINKS;
    wire [2:0] its_phase = phase >> (3 * one);
    wire       its_ready = ready >> one;
    wire       its_grantable = grantable >> one;
    wire       its_held = held >> one;
    wire       its_given = given >> one;
    wire       its_departing = departing >> one;
    wire       its_wanted = wanted >> one;
    wire       its_waking = waking >> one;
    wire       its_serves = serves >> one;
    wire       in_staircase = staircase >> one;
    wire       in_alternating = alternating >> one;

    always @* if (began) begin
        ever_on_link_of_the_staircase_is_never_off: assert (!(is_link && staircase_now && !in_staircase) || its_phase == ON);
        ever_on_link_of_the_alternating_graph_is_never_off: assert (!(is_link && alternating_now && !in_alternating) || its_phase == ON);
        reference_is_always_on: assert (!(only_reference && registers_policy == 0) || phase == 0);
        port_to_a_node_is_always_on: assert (is_link || (its_phase == ON && its_ready && its_grantable && its_serves && !its_waking));
        ready_only_in_on_and_draining: assert (its_ready == (its_phase == ON || its_phase == DRAINING) && steady == ready);
        grantable_only_if_on: assert (!its_grantable || (its_phase == ON && its_ready));
        grantable_is_served: assert (serves == grantable);
        held_port_is_never_left_off: assert (!(its_held && its_phase == OFF) || its_waking);
        phases_are_those_of_soteriou_and_peh: assert (its_phase <= COMING_ON || its_phase == DRAINING);
        design_1_port_is_held_only_while_ready: assert (!((only_staircase || only_alternating) && registers_policy != 3 && its_held) || its_ready);
        no_class_level_or_hint: assert (&preferred && level == 0 && hint == 0);
    end
    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_on: assert (phase == 0 && &grantable);
        end else begin
            ready_when_given_is_ready_in_the_next_cycle: assert (!$past(its_ready && its_given) || its_ready);
            held_stays_ready: assert (!$past(its_ready && its_held) || its_ready);
            goes_off_only_when_not_in_use: assert (!(its_phase == GOING_OFF && $past(its_phase) != GOING_OFF) || $past(!its_held && !its_given && !its_departing));
            draining_goes_off_only_when_drained: assert (!(its_phase == GOING_OFF && $past(its_phase) == DRAINING) || $past(!its_grantable, 2));
            only_design_2_goes_off_without_draining: assert (!(its_phase == GOING_OFF && $past(its_phase) == ON) || $past(registers_policy) == 3);
            wanted_link_is_not_idle: assert (!$past(its_phase == ON && its_wanted && its_serves) || its_phase == ON);
            packet_in_front_of_a_link_that_is_off_wakes_it: assert (!$past(is_link && its_phase == OFF && (its_wanted || its_held || its_given)) || its_phase == COMING_ON);
            a_transition_is_finished: assert (!$past(its_phase == GOING_OFF) || its_phase == GOING_OFF || its_phase == OFF);
            and_so_is_the_other: assert (!$past(its_phase == COMING_ON) || its_phase == COMING_ON || its_phase == ON);
            waking_says_it_a_cycle_before: assert ($past(its_waking) == (its_phase == COMING_ON && $past(its_phase) != COMING_ON));
        end
        design_1_off_happens: cover (its_phase == GOING_OFF && registers_policy == 1 && only_staircase);
        design_2_off_happens: cover (its_phase == GOING_OFF && registers_policy == 3 && !rst && $past(its_phase) == ON);
        frozen_packet_happens: cover (its_phase == GOING_OFF && its_held);
        wakes_happens: cover (!$past(rst) && its_phase == COMING_ON && $past(its_phase) == OFF && its_held);
        draining_with_a_packet_happens: cover (its_phase == DRAINING && its_held);
    end
endmodule
