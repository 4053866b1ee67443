// `alonso`: what docs/microarchitecture/mechanisms/alonso.md and ../power.md promise of the mechanism in a switch of a 2-ary 2-tree, seen at its ports.
//
// "A **Minimal Tree** that is never off keeps the network connected": in a switch of it the down-links and the first up-link are always on. A link goes off only when it has drained; no
// port is given to a packet, or held by one, while its link is off. "While a packet wants an up-port one of them stays on, or comes on; one that wants a down-port turns all of
// them on: no packet waits for ever." And the contract of a power mechanism.
//
// Not covered: how many links the load keeps on, which is `link_group`'s; that two ends of a link agree, which needs two switches.
module alonso_properties #(
    parameter BITS_held = 4
) (
    input wire                   clk,
    input wire                   rst,
    input wire [15:0]            position,
    input wire [3:0]             stage,
    input wire [BITS_held-1:0]   held,
    input wire [BITS_held-1:0]   given,
    input wire [BITS_held-1:0]   departing,
    input wire [BITS_held-1:0]   wanted,
    input wire [3*BITS_held-1:0] neighbour_phase,
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
    localparam N = BITS_held, K = N / 2;
    localparam [2:0] ON = 3'd0, GOING_OFF = 3'd1, OFF = 3'd2, COMING_ON = 3'd3, DRAINING = 3'd5;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    mechanism_surroundings_properties #(.PORTS(N)) surroundings (
        .clk(clk), .rst(rst), .held(held), .given(given), .departing(departing), .grantable(grantable)
    );
    // "`position`, `stage`: address of the switch and its stage": they don't change. A 2-ary 2-tree has two stages, digits of a bit.
    (* anyconst *) reg [15:0] place;
    (* anyconst *) reg [3:0]  its_stage;
    always @* assume (position == place && stage == its_stage && stage < 2);

    // "The phase of the other end comes with the link": one that there is.
    integer p;
    always @* for (p = 0; p < N; p = p + 1) assume (neighbour_phase[3 * p +: 3] <= DRAINING);

    // "in_tree = digits 1..min(stage, n-1) of position are all 0 (in the Minimal Tree; so is every switch of stage 0)".
    wire in_tree = stage == 0 || !position[1];
    wire sleeps = registers_policy == 1 || registers_policy == 2;

    // Any one of the ports.
    (* anyconst *) reg [5:0] one;
    always @* assume (one < N);
    wire [2:0] its_phase = phase >> (3 * one);
    wire [2:0] its_neighbours_phase = neighbour_phase >> (3 * one);
    wire       its_ready = ready >> one;
    wire       its_grantable = grantable >> one;
    wire       its_held = held >> one;
    wire       its_given = given >> one;
    wire       its_departing = departing >> one;
    wire       its_waking = waking >> one;
    wire       its_serves = serves >> one;
    wire       its_place_above_is_served = {1'b0, serves[N-1:1]} >> one;

    always @* if (began) begin
        minimal_tree_is_never_off: assert (!(in_tree && one <= K) || (its_phase == ON && its_ready && its_serves && its_grantable));
        down_ports_are_on_together: assert (serves[K-1:0] == 0 || &serves[K-1:0]);
        ready_only_in_on_and_draining: assert (its_ready == (its_phase == ON || its_phase == DRAINING) && steady == ready);
        grantable_only_if_on: assert (!its_grantable || (its_phase == ON && its_serves));
        held_port_is_ready: assert (!its_held || its_ready);
        port_is_given_only_while_ready: assert (!its_given || its_ready);
        phases_are_those_of_alonso: assert (its_phase <= COMING_ON || its_phase == DRAINING);
        in_the_tree_lowest_links_are_on: assert (!(in_tree && one >= K && one < N - 1 && its_place_above_is_served) || its_serves);
        no_class_level_or_hint: assert (&preferred && level == 0 && hint == 0);
    end
    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_on: assert (phase == 0 && &serves);
        end else begin
            ready_when_given_is_ready_in_the_next_cycle: assert (!$past(its_ready && its_given) || its_ready);
            goes_off_only_when_drained: assert (!(its_phase == GOING_OFF && $past(its_phase) != GOING_OFF)
                || $past(its_phase == DRAINING && !its_held && !its_given && !its_departing && !its_serves));
            off_only_by_going_off: assert (its_phase != OFF || $past(its_phase == OFF || its_phase == GOING_OFF));
            off_link_that_serves_comes_on: assert (!$past(its_serves && (its_phase == OFF || its_phase == GOING_OFF)) || its_phase == COMING_ON);
            waking_says_it_a_cycle_before: assert ($past(its_waking) == (its_phase == COMING_ON && $past(its_phase) != COMING_ON));
            wanted_down_turns_all_on: assert (!$past(wanted[K-1:0] != 0) || &serves[K-1:0]);
            wanted_up_keeps_one: assert (!$past(wanted[N-1:K] != 0) || serves[N-1:K] != 0);
            below_that_is_on_keeps_one: assert (!$past(neighbour_phase[2:0] == ON || neighbour_phase[2:0] == COMING_ON) || serves[N-1:K] != 0);
            reference_serves_all: assert (!$past(!sleeps) || &serves);
        end
        up_link_off_in_the_tree_happens: cover (in_tree && its_phase == OFF && one == N - 1 && stage == 1);
        outside_off_happens: cover (!in_tree && its_phase == OFF && one == 0);
        comes_on_for_a_packet_happens: cover (!$past(rst) && !in_tree && its_phase == COMING_ON && $past(wanted[N-1:K] != 0, 2) && one == K);
        draining_with_a_packet_happens: cover (its_phase == DRAINING && its_held && its_given == 0);
        given_while_draining_happens: cover (its_phase == DRAINING && its_given);
    end
endmodule
