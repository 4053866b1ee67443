// `perf_bound`: what docs/microarchitecture/mechanisms/perf_bound.md says of the whole mechanism, seen at its ports and in the registers of the blocks in it.
//
// The contract of a power mechanism; "a port falls asleep at the end of the cycle `threshold` - 1 + `pdt` of a gap", so that none does before its gap has got to the threshold; with a threshold of
// 1 "the port is POWAR's". Of the bound nothing is promised.
//
// Assumed is what the switch around a mechanism does; any word may be written in any cycle.
//
// Not covered: which threshold is chosen, which is said beside `gap_histogram`, `window_search` and `idle_threshold`.
module perf_bound_properties #(
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
    input wire [BITS_held-1:0]    threshold_may_sleep,
    input wire [24*BITS_held-1:0] gaps_idle,
    input wire [24*BITS_held-1:0] threshold,
    input wire [1:0]              policy,
    input wire [2*BITS_held-1:0]  state,
    input wire [BITS_held-1:0]    pending,
    input wire [6:0]              n_selectable,
    input wire [GROUP_SIZE-1:0]   selectable
);
    localparam N = BITS_held;
    localparam [2:0] GOING_OFF = 3'd1, COMING_ON = 3'd3, REFRESHING = 3'd4;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // Any one of the ports.
    (* anyconst *) reg [5:0] one;
    always @* assume (one < N);
    wire [2:0]  its_phase = phase >> (3 * one);
    wire        its_ready = ready >> one;
    wire        its_held = held >> one;
    wire        its_may_sleep = threshold_may_sleep >> one;
    wire [23:0] its_idle = gaps_idle >> (24 * one);
    wire [23:0] its_threshold = threshold >> (24 * one);
    wire        shown_as_held = powar_held >> one;
    wire        in_use = (held | given | departing) >> one;

    mechanism_contract_properties #(.PORTS(N), .FIRST(FIRST), .GROUP_SIZE(GROUP_SIZE)) contract (
        .clk(clk), .rst(rst), .one(one), .held(held), .given(given), .departing(departing),
        .write_enable(write_enable), .write_address(write_address), .write_data(write_data),
        .grantable(grantable), .preferred(preferred), .ready(ready), .steady(steady), .phase(phase), .waking(waking), .serves(serves), .foreseen({N{1'b0}}),
        .powar_held(powar_held), .powar_phase(phase), .policy(policy), .state(state), .pending(pending), .n_selectable(n_selectable), .selectable(selectable)
    );

    always @* if (began) begin
        one_rate_no_hint: assert (level == 0 && hint == 0);
        may_sleep_from_the_threshold_on: assert (its_may_sleep == (its_idle >= its_threshold));
        with_a_threshold_of_1_it_is_powars: assert (its_threshold > 1 || shown_as_held == its_held);
        held_until_the_threshold: assert (shown_as_held == (its_held || its_idle < its_threshold));
    end
    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_is_the_longest_threshold: assert (its_threshold == 24'h800000 && its_idle == 1);
        end else begin
            no_port_goes_to_sleep_before_its_threshold: assert (!($past(its_ready) && !its_ready) || $past(its_idle >= its_threshold));
            use_ends_the_gap: assert (!$past(in_use) || its_idle == 1);
            a_gap_goes_on: assert ($past(in_use) || its_idle == $past(its_idle) + 24'd1 || (its_idle == 24'hffffff && $past(its_idle) == 24'hffffff));
        end
    end

    always @(posedge clk) if (began && !$past(rst) && !rst) begin
        sleeps_at_a_threshold_happens: cover (its_phase == GOING_OFF && its_threshold == 2);
        has_not_got_there_happens: cover (its_ready && !its_may_sleep && its_threshold == 4 && its_idle == 3);
        held_port_wakes_happens: cover (its_held && its_ready && $past(its_phase == COMING_ON) && one == FIRST + 1);
        refresh_happens: cover (its_phase == REFRESHING);
        going_off_with_request_happens: cover (its_held && its_phase == GOING_OFF);
    end
endmodule
