// `wake_hints`: what docs/microarchitecture/mechanisms/wake_hints.md promises of the whole mechanism, seen at its ports and in the registers of the blocks in it.
//
// The contract of a power mechanism and what `ahead` in it says of budgets; "to POWAR's FSM a hint is a packet that has just been given the port: a sleeping port wakes, one on its way to sleep
// wakes when it is there"; "a port that a hint has woken is preferred until a packet is given it"; what a lane without a sideband may carry; "with `hints` = false it behaves as Ahead does".
//
// Assumed is what the switch around a mechanism does; any word may be written in any cycle, and anything may come in on the lanes.
//
// Not covered: how words are sent, heard and routed, which is said beside `hint_sender`, `hint_receiver` and `hint_choice`. Nor is it shown here that a hint gets through to a port,
// which takes 22 cycles from its start bit: z3 had not found such a run after 280 s. Lock-step has many.
module wake_hints_properties #(
    parameter BITS_held = 4,
    parameter FIRST = 2,
    parameter GROUP_SIZE = 2
) (
    input wire                    clk,
    input wire                    rst,
    input wire [BITS_held-1:0]    held,
    input wire [BITS_held-1:0]    given,
    input wire [BITS_held-1:0]    departing,
    input wire                    write_enable,
    input wire [9:0]              write_address,
    input wire [31:0]             write_data,
    input wire [BITS_held-1:0]    grantable,
    input wire [BITS_held-1:0]    preferred,
    input wire [BITS_held-1:0]    ready,
    input wire [BITS_held-1:0]    steady,
    input wire [3*BITS_held-1:0]  phase,
    input wire [3*BITS_held-1:0]  level,
    input wire [BITS_held-1:0]    waking,
    input wire [BITS_held-1:0]    hint,
    input wire [BITS_held-1:0]    serves,
    input wire [BITS_held-1:0]    powar_held,
    input wire [3*BITS_held-1:0]  neighbour_phase,
    input wire                    registers_hints,
    input wire                    registers_sideband,
    input wire [BITS_held-1:0]    receiver_listens,
    input wire [BITS_held-1:0]    receiver_waiting,
    input wire [BITS_held-1:0]    sender_sends,
    input wire [BITS_held-1:0]    choice_wake,
    input wire [BITS_held-1:0]    monitor_foreseen,
    input wire [BITS_held-1:0]    ahead_given,
    input wire [BITS_held-1:0]    ahead_preferred,
    input wire [BITS_held-1:0]    may_sleep,
    input wire                    taken,
    input wire [BITS_held-1:0]    adaptive,
    input wire [BITS_held-1:0]    deterministic,
    input wire [1:0]              policy,
    input wire [2*BITS_held-1:0]  state,
    input wire [BITS_held-1:0]    pending,
    input wire [6:0]              n_selectable,
    input wire [GROUP_SIZE-1:0]   selectable
);
    localparam N = BITS_held;
    localparam [2:0] ON = 3'd0, GOING_OFF = 3'd1, OFF = 3'd2, COMING_ON = 3'd3, REFRESHING = 3'd4, DRAINING = 3'd5;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Any one of the ports.
    (* anyconst *) reg [5:0] one;
    always @* assume (one < N);
    wire [2:0] its_phase = phase >> (3 * one);
    wire [2:0] its_neighbours_phase = neighbour_phase >> (3 * one);
    wire       its_ready = ready >> one;
    wire       its_held = held >> one;
    wire       its_given = given >> one;
    wire       its_hint = hint >> one;
    wire       it_listens = receiver_listens >> one;
    wire       it_sends = sender_sends >> one;
    wire       its_wake = choice_wake >> one;
    wire       its_foreseen = monitor_foreseen >> one;
    wire       its_preferred = preferred >> one;
    wire       its_may_sleep = may_sleep >> one;
    wire       is_pending = pending >> one;

    mechanism_contract_properties #(.PORTS(N), .FIRST(FIRST), .GROUP_SIZE(GROUP_SIZE)) contract (
        .clk(clk), .rst(rst), .one(one), .held(held), .given(given), .departing(departing),
        .write_enable(write_enable), .write_address(write_address), .write_data(write_data),
        .grantable(grantable), .preferred(preferred), .ready(ready), .steady(steady), .phase(phase), .waking(waking), .serves(serves), .foreseen(monitor_foreseen),
        .powar_held(powar_held), .powar_phase(phase), .policy(policy), .state(state), .pending(pending), .n_selectable(n_selectable), .selectable(selectable)
    );

    // No hint is sent or heard, and all that came before have ended.
    wire nothing_under_way = receiver_waiting == 0 && !taken && adaptive == 0 && deterministic == 0 && choice_wake == 0 && monitor_foreseen == 0;
    reg  were_off;
    wire off = !registers_hints && (were_off || nothing_under_way);
    always @(posedge clk) were_off <= !rst && off;

    always @* if (began) begin
        one_rate: assert (level == 0);
        a_word_goes_over_a_lane_that_is_there: assert (!its_hint || (registers_hints && (registers_sideband || its_phase == ON)));
        there_is_a_lane: assert (it_sends == (registers_hints && (registers_sideband || its_phase == ON)));
        a_lane_counts_that_is_there: assert (it_listens == (registers_hints && (registers_sideband || its_neighbours_phase == ON || its_neighbours_phase == DRAINING)));
        a_foreseen_port_is_preferred: assert (!its_foreseen || its_preferred);
        a_hint_is_a_packet_to_powar: assert (ahead_given == (given | choice_wake));
        without_hints_it_is_ahead: assert (!off || (ahead_given == given && preferred == ahead_preferred && hint == 0));
    end
    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_no_hint: assert (choice_wake == 0 && monitor_foreseen == 0 && hint == 0);
        end else begin
            a_hint_wakes_a_port_that_sleeps: assert (!$past(its_wake && (its_phase == OFF || its_phase == REFRESHING)) || its_phase == COMING_ON);
            a_hint_keeps_a_port_awake: assert (!$past(its_wake && its_ready) || its_ready);
            a_hint_on_the_way_to_sleep_is_kept: assert (!$past((its_wake || is_pending) && its_phase == GOING_OFF) || its_phase == COMING_ON || its_phase == ON || is_pending);
            foreseen_is_of_a_hint: assert (!its_foreseen || $past(its_foreseen || its_wake));
            a_packet_ends_it: assert (!$past(its_given) || !its_foreseen);
            no_port_goes_to_sleep_without_a_budget: assert (!$past(its_ready && !its_may_sleep) || its_ready);
        end
    end

    // What induction needs.
    always @* if (began) nothing_is_under_way_then: assert (!were_off || nothing_under_way);

    always @(posedge clk) if (began && !$past(rst) && !rst) begin
        held_port_wakes_happens: cover (its_held && its_ready && $past(its_phase == COMING_ON) && one == FIRST + 1);
        without_hints_happens: cover (off && its_phase == GOING_OFF);
        no_lane_happens: cover (!it_listens && registers_hints);
    end
endmodule
