// `depths`: what docs/microarchitecture/mechanisms/depths.md promises of the whole mechanism, seen at its ports and in the registers of the blocks in it.
//
// The contract of a power mechanism, where a port is ready when its deep wake-up is over; "with `deep_after` = 0 no port ever sleeps deeply, and this is POWAR"; a port that is deep stays so until it
// is woken, and is shown as `ComingOn` until its deep wake-up is over, as one wake-up.
//
// Assumed is what the switch around a mechanism does; any word may be written in any cycle.
//
// Not covered: how long a port sleeps lightly and how long a deep wake-up takes, which is said beside `sleep_depth`, and the time of a light one, beside `port_power_fsm`.
module depths_properties #(
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
    input wire [3*BITS_held-1:0]  powar_phase,
    input wire [BITS_held-1:0]    depth_deep,
    input wire [23:0]             registers_deep_after,
    input wire [1:0]              policy,
    input wire [2*BITS_held-1:0]  state,
    input wire [BITS_held-1:0]    pending,
    input wire [6:0]              n_selectable,
    input wire [GROUP_SIZE-1:0]   selectable
);
    localparam N = BITS_held;
    localparam [2:0] ON = 3'd0, GOING_OFF = 3'd1, OFF = 3'd2, COMING_ON = 3'd3, REFRESHING = 3'd4;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Any one of the ports.
    (* anyconst *) reg [5:0] one;
    always @* assume (one < N);
    wire [2:0] its_phase = phase >> (3 * one);
    wire [2:0] its_level = level >> (3 * one);
    wire [2:0] powars = powar_phase >> (3 * one);
    wire       its_ready = ready >> one;
    wire       its_held = held >> one;
    wire       its_given = given >> one;
    wire       its_hint = hint >> one;
    wire       deep = depth_deep >> one;
    wire       asleep = powars == OFF || powars == REFRESHING;

    mechanism_contract_properties #(.PORTS(N), .FIRST(FIRST), .GROUP_SIZE(GROUP_SIZE)) contract (
        .clk(clk), .rst(rst), .one(one), .held(held), .given(given), .departing(departing),
        .write_enable(write_enable), .write_address(write_address), .write_data(write_data),
        .grantable(grantable), .preferred(preferred), .ready(ready), .steady(steady), .phase(phase), .waking(waking), .serves(serves), .foreseen({N{1'b0}}),
        .powar_held(powar_held), .powar_phase(powar_phase), .policy(policy), .state(state), .pending(pending), .n_selectable(n_selectable), .selectable(selectable)
    );

    always @* if (began) begin
        no_hint: assert (!its_hint);
        deep_sleep_is_level_1: assert (its_level == (its_phase == OFF && deep ? 3'd1 : 3'd0));
        a_port_that_is_not_deep_is_powars: assert (deep || its_phase == powars);
        held_back_until_it_is_no_longer_deep: assert (!(deep && powars == ON) || (its_phase == COMING_ON && !its_ready));
        a_port_that_sleeps_is_shown_so: assert (!asleep || its_phase == powars);
        held_back_stays_awake_in_powar: assert (powar_held == (held | depth_deep));
    end
    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_not_deep: assert (!deep);
        end else begin
            never_deep_without_a_second_threshold: assert (!(deep && !$past(deep)) || $past(registers_deep_after) != 0);
            goes_deep_in_its_sleep_only: assert (!(deep && !$past(deep)) || $past(asleep));
            stays_deep_until_it_is_woken: assert (!$past(deep && asleep) || deep);
            a_port_that_is_held_back_is_awake_then: assert (!$past(deep && powars == ON) || powars == ON);
            written_threshold_holds_from_the_next_cycle_on: assert (!$past(write_enable && write_address == 10'h1a) || registers_deep_after == $past(write_data[23:0]));
            threshold_stays_if_not_written: assert ($past(write_enable && write_address == 10'h1a) || registers_deep_after == $past(registers_deep_after));
        end
    end

    // What induction needs.
    always @* if (began) not_deep_on_the_way_off: assert (!(deep && powars == GOING_OFF));

    always @(posedge clk) if (began && !$past(rst) && !rst) begin
        deep_sleep_happens: cover (its_phase == OFF && its_level == 1);
        refresh_of_a_deep_port_happens: cover (its_phase == REFRESHING && deep);
        held_back_happens: cover (deep && powars == ON && its_held);
        held_port_wakes_from_depth_happens: cover (its_ready && its_held && $past(deep));
        given_in_deep_sleep_happens: cover (deep && asleep && its_given);
    end
endmodule
