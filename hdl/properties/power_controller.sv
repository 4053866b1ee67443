// `power_controller` whole, at its own ports, with POWAR as its mechanism (docs/microarchitecture/controller.md).
//
// "No port is given twice: an arbiter grants one requester, and only while the port is not held. No requester gets two ports." A port is given to who asks for it, only if it was grantable and free in the cycle before; the packet
// holds it from the next cycle until the cycle after its tail, and may send while it is ready, which is in `On` alone; a packet that holds a port keeps it awake. Who alone asks for a port
// that is grantable and free is given it in the next cycle.
// Assumed: the sets are "held until granted", the deterministic one of a port at most unless the configuration has sets; a flit leaves where a packet may send.
//
// Not covered: the registers, and that a port asleep is woken at once, which are said of `power_manager`; how long that takes (`port_power_fsm`).
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module power_controller_properties #(
    parameter MECHANISM_IS_POWAR = 1,
    parameter PORTS = 4,
    parameter BITS_grant = 32,
    parameter SETS = 0
) (
    input wire                  clk,
    input wire                  rst,
    input wire [BITS_grant-1:0] adaptive,
    input wire [BITS_grant-1:0] deterministic,
    input wire [PORTS-1:0]      flit_valid,
    input wire [PORTS-1:0]      flit_tail,
    input wire [BITS_grant-1:0] grant,
    input wire [PORTS-1:0]      transmit,
    input wire [PORTS-1:0]      held,
    input wire [PORTS-1:0]      grantable,
    input wire [PORTS-1:0]      ready,
    input wire [3*PORTS-1:0]    phase
);
    localparam N = PORTS, R = BITS_grant / PORTS;
    localparam [2:0] ON = 3'd0, DRAINING = 3'd5;
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    reg [BITS_grant-1:0] adaptive_before, deterministic_before, asks_before;
    reg [N-1:0]          grantable_before, held_before, given_before, left_before, ready_before;
    reg [R-1:0]          asked;
    wire [BITS_grant-1:0] asks = adaptive | deterministic;
    reg [N-1:0]           given;
    reg [R-1:0]           granted;
    integer g, s, a, w;
    always @* begin
        given = {N{1'b0}};
        for (g = 0; g < R; g = g + 1) begin
            given = given | grant[g*N +: N];
            granted[g] = grant[g*N +: N] != 0;
        end
    end
    always @(posedge clk) begin
        {adaptive_before, deterministic_before} <= {adaptive, deterministic};
        asks_before      <= rst ? {BITS_grant{1'b0}} : asks;
        grantable_before <= grantable;
        held_before      <= rst ? {N{1'b0}} : held;
        given_before     <= rst ? {N{1'b0}} : given;
        left_before      <= flit_valid & flit_tail;
        ready_before     <= ready;
        for (s = 0; s < R; s = s + 1) asked[s] <= !rst && asks[s*N +: N] != 0 && !granted[s];
    end
    always @* begin
        for (a = 0; a < R; a = a + 1) begin
            assume (SETS || (deterministic[a*N +: N] & (deterministic[a*N +: N] - 1'b1)) == 0);
            if (began && asked[a]) assume (adaptive[a*N +: N] == adaptive_before[a*N +: N] && deterministic[a*N +: N] == deterministic_before[a*N +: N]);
        end
        if (began) assume ((flit_valid & ~transmit) == 0 && (flit_tail & ~flit_valid) == 0);
    end

    // One requester, and one port.
    (* anyconst *) reg [5:0] who;
    (* anyconst *) reg [5:0] one;
    always @* assume (who < R && one < N);
    wire [N-1:0] its_grant = grant >> (who * N), its_sets = asks >> (who * N), its_sets_before = asks_before >> (who * N);
    wire         got_it = its_grant >> one, others_got_it;
    reg  [R-1:0] for_one, want_one_before;
    always @* for (w = 0; w < R; w = w + 1) begin
        for_one[w] = grant[w*N + one];
        want_one_before[w] = asks_before[w*N + one];
    end
    assign others_got_it = (for_one & ~({{R-1{1'b0}}, 1'b1} << who)) != 0;
    wire its_held = held >> one, its_ready = ready >> one, was_held = held_before >> one, was_given = given_before >> one, was_left = left_before >> one, was_ready = ready_before >> one;
    wire was_grantable = grantable_before >> one, its_given = given >> one;
    wire [2:0] its_phase = phase >> (3 * one);
    // It asked for nothing but this port, and nobody else did.
    wire alone = its_sets_before == {{N-1{1'b0}}, 1'b1} << one && want_one_before == {{R-1{1'b0}}, 1'b1} << who && asked[who] && was_grantable && !was_held && !its_held && !was_given;

    always @* if (began) begin
        no_port_is_given_twice: assert (!(got_it && others_got_it));
        no_requester_gets_two_ports: assert ((its_grant & (its_grant - 1'b1)) == 0);
        only_what_it_asks_for: assert ((its_grant & ~(its_sets | its_sets_before)) == 0);
        not_while_it_is_held: assert (!(its_given && its_held));
        only_if_it_was_grantable: assert (!its_given || (was_grantable && !was_held));
        sends_what_is_held_and_ready: assert (transmit == (held & ready));
        ready_in_on_alone: assert (MECHANISM_IS_POWAR ? its_ready == (its_phase == ON) : !its_ready || its_phase == ON || its_phase == DRAINING);
        holds_it_until_its_tail: assert (its_held == (was_given || (was_held && !was_left)));
        stays_awake_while_held: assert (!(was_held && was_ready && its_held) || its_ready);
        given_if_nobody_else_asks: assert (!alone || got_it);
        two_at_once: cover (got_it && given != 1'b1 << one && (given & (given - 1'b1)) != 0);
        sends_its_tail: cover (was_held && was_left && !its_held);
        one_alone: cover (alone && R > 1);
    end
    always @(posedge clk) if (began) begin
        nothing_after_reset: assert (!$past(rst) || (grant == 0 && held == 0 && transmit == 0));
    end
endmodule
