// `allocator` gives the packets at the heads of the input VCs to output ports (docs/microarchitecture/allocation.md).
//
// Promised: no port is given to two packets, none that is held, none that is not in the packet's sets and open to it on a VC that it may take; no packet is
// accepted twice, or without being there; no input port has packets accepted in two cycles one after the other unless the second one is
// overdue; a packet for a port that is ready is picked only when its input port can read it at once, or when it is overdue. A packet that waits for
// one port loses it to others WAITS times at most without a missed chance being counted, so 63 + WAITS times in all: it is not starved (not asked where
// WAITS is 0).
// What is said of packets is said of one requester and one port, any that a solver chooses.
// Assumed, in the page's words: "empty = no packet, or one to be dropped"; a packet's route is shown until it is accepted, and not in the next cycle
// (`route_register`; with next routes, NEXT_ROUTES = 1, in the cycle in which it is accepted that of the next packet is, if it is there); "the VCs stay the same while the packet waits" ([routing]); "D is empty or one port" (`single`); what is given is held
// from the next cycle on, and nothing else ([power]). `waiting` more: of the requester that waits for one port, that it is open to it whenever it is to anyone.
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module allocator_properties #(
    parameter PORTS = 2,
    parameter VCS = 1,
    parameter WAITS = 4,
    parameter NEXT_ROUTES = 0,
    parameter SHORT_PACKETS = 0,
    parameter BITS_valid = PORTS * VCS
) (
    input wire                        clk,
    input wire                        rst,
    input wire [BITS_valid-1:0]       valid,
    input wire [BITS_valid-1:0]       drop,
    input wire [BITS_valid*PORTS-1:0] adaptive,
    input wire [BITS_valid*PORTS-1:0] deterministic,
    input wire [BITS_valid*VCS-1:0]   adaptive_vcs,
    input wire [BITS_valid*VCS-1:0]   deterministic_vcs,
    input wire [BITS_valid-1:0]       can_take,
    input wire [PORTS-1:0]            can_read,
    input wire [VCS*PORTS-1:0]        open,
    input wire [PORTS-1:0]            at_once,
    input wire [PORTS-1:0]            held,
    input wire [PORTS-1:0]            ready,
    input wire [PORTS-1:0]            steady,
    input wire [PORTS-1:0]            preferred,
    input wire [BITS_valid-1:0]       accept,
    input wire [PORTS*PORTS-1:0]      grant,
    input wire [PORTS-1:0]            grant_drop,
    input wire [PORTS-1:0]            grant_ready,
    input wire [PORTS-1:0]            grant_steady,
    input wire [PORTS-1:0]            given,
    input wire [PORTS-1:0]            granted,
    input wire [PORTS-1:0]            freed,
    input wire [PORTS*VCS-1:0]        allowed,
    input wire [BITS_valid-1:0]       misses,
    input wire [BITS_valid*6-1:0]     missed_q
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);
    reg ran = 1'b0, ran_1 = 1'b0, ran_2 = 1'b0, ran_3 = 1'b0;
    always @(posedge clk) begin
        ran <= began && !rst;
        ran_1 <= ran && !rst;
        ran_2 <= ran_1 && !rst;
        ran_3 <= ran_2 && !rst;
    end

    // The surroundings.
    reg [BITS_valid-1:0] valid_1, drop_1, accept_1;
    reg [BITS_valid*VCS-1:0] adaptive_vcs_1, deterministic_vcs_1;
    reg [PORTS-1:0] given_1, held_before;
    integer r, p, i, v, w;
    always @(posedge clk) begin
        valid_1 <= rst ? 0 : valid;
        drop_1 <= drop;
        accept_1 <= rst ? 0 : accept;
        adaptive_vcs_1 <= adaptive_vcs;
        deterministic_vcs_1 <= deterministic_vcs;
        given_1 <= rst ? 0 : given;
        held_before <= held;
    end
    always @* if (began) begin
        assume ((drop & ~valid) == 0);
        assume ((given_1 & ~held) == 0 && (!ran || (held & ~held_before & ~given_1) == 0));
        if (!ran) assume (valid == 0);
        for (r = 0; r < BITS_valid; r = r + 1) begin
            if (!valid[r] || drop[r]) assume (adaptive[r*PORTS +: PORTS] == 0 && deterministic[r*PORTS +: PORTS] == 0);
            assume ((deterministic[r*PORTS +: PORTS] & (deterministic[r*PORTS +: PORTS] - 1'b1)) == 0);
            // The packet that is accepted has gone, or goes in this cycle.
            if (NEXT_ROUTES == 0 && accept_1[r]) assume (!valid[r]);
            else if (valid_1[r] && !(NEXT_ROUTES != 0 && accept[r])) begin
                assume (valid[r] && drop[r] == drop_1[r]);
                assume (adaptive_vcs[r*VCS +: VCS] == adaptive_vcs_1[r*VCS +: VCS]);
                assume (deterministic_vcs[r*VCS +: VCS] == deterministic_vcs_1[r*VCS +: VCS]);
            end
        end
    end

    // No port twice, no two of an input port.
    reg [PORTS-1:0] let_go;
    reg [PORTS-1:0] once, twice, rows_twice, rows_some, accepts_twice, accepts_some;
    always @* begin
        once = 0;
        twice = 0;
        rows_twice = 0;
        rows_some = 0;
        accepts_twice = 0;
        accepts_some = 0;
        let_go = 0;
        for (i = 0; i < PORTS; i = i + 1) begin
            twice = twice | (once & grant[i*PORTS +: PORTS]);
            once = once | grant[i*PORTS +: PORTS];
            if (at_once[i]) let_go = let_go | grant[i*PORTS +: PORTS];
            rows_twice[i] = (grant[i*PORTS +: PORTS] & (grant[i*PORTS +: PORTS] - 1'b1)) != 0;
            rows_some[i] = grant[i*PORTS +: PORTS] != 0;
            accepts_twice[i] = (accept[i*VCS +: VCS] & (accept[i*VCS +: VCS] - 1'b1)) != 0;
            accepts_some[i] = accept[i*VCS +: VCS] != 0;
        end
    end

    // One input VC and one output port, any.
    (* anyconst *) reg [5:0] from;
    (* anyconst *) reg [5:0] vc;
    (* anyconst *) reg [5:0] to;
    always @* assume (from < PORTS && vc < VCS && to < PORTS);
    wire [11:0] one = from * VCS + vc;
    wire its_valid = (valid >> one) & 1'b1;
    wire its_drop = (drop >> one) & 1'b1;
    wire its_accept = (accept >> one) & 1'b1;
    wire its_take = (can_take >> one) & 1'b1;
    wire its_port_reads = (can_read >> from) & 1'b1;
    wire its_port_accepts = (accepts_some >> from) & 1'b1;
    wire its_grant = (grant >> (from*PORTS + to)) & 1'b1;
    wire in_adaptive = (adaptive >> (one*PORTS + to)) & 1'b1;
    wire in_deterministic = (deterministic >> (one*PORTS + to)) & 1'b1;
    wire [VCS-1:0] vcs_adaptive = adaptive_vcs >> (one*VCS);
    wire [VCS-1:0] vcs_deterministic = deterministic_vcs >> (one*VCS);
    wire [VCS-1:0] vcs_allowed = allowed >> (to*VCS);
    wire [5:0] its_missed = missed_q >> (one*6);
    wire overdue = its_missed == 6'd63;
    wire to_held = (held >> to) & 1'b1, to_ready = (ready >> to) & 1'b1, to_steady = (steady >> to) & 1'b1, to_given = (given >> to) & 1'b1;
    reg [VCS-1:0] open_there;
    always @* for (w = 0; w < VCS; w = w + 1) open_there[w] = (open >> (w*PORTS + to)) & 1'b1;
    wire offered_adaptive = in_adaptive && (vcs_adaptive & open_there) != 0;
    wire offered_deterministic = in_deterministic && (vcs_deterministic & open_there) != 0;
    wire takes = its_accept && its_grant;
    // Of the packet that is accepted: with next routes what was shown in the cycle before.
    reg shown_valid, shown_drop;
    reg [VCS-1:0] shown_adaptive_vcs, shown_deterministic_vcs;
    always @(posedge clk) begin
        shown_valid <= its_valid;
        shown_drop <= its_drop;
        shown_adaptive_vcs <= vcs_adaptive;
        shown_deterministic_vcs <= vcs_deterministic;
    end
    wire accepted_valid = NEXT_ROUTES != 0 ? shown_valid : its_valid;
    wire accepted_drop = NEXT_ROUTES != 0 ? shown_drop : its_drop;
    wire [VCS-1:0] accepted_adaptive_vcs = NEXT_ROUTES != 0 ? shown_adaptive_vcs : vcs_adaptive;
    wire [VCS-1:0] accepted_deterministic_vcs = NEXT_ROUTES != 0 ? shown_deterministic_vcs : vcs_deterministic;

    reg offered_1, offered_2, offered_3, take_1, take_2, reads_1, reads_2, overdue_1, overdue_2, ready_1, ready_2, ready_3, steady_1, held_1;
    reg accepts_three_before;
    reg its_port_accepts_1, its_port_accepts_2, its_accept_1, its_accept_2;
    reg [VCS-1:0] open_1, open_2, open_3;
    always @(posedge clk) begin
        offered_1 <= offered_adaptive || offered_deterministic;
        offered_2 <= offered_1;
        offered_3 <= offered_2;
        take_1 <= its_take;
        take_2 <= take_1;
        reads_1 <= its_port_reads;
        reads_2 <= reads_1;
        overdue_1 <= overdue;
        overdue_2 <= overdue_1;
        ready_1 <= to_ready;
        ready_2 <= ready_1;
        ready_3 <= ready_2;
        steady_1 <= to_steady;
        held_1 <= to_held;
        its_port_accepts_1 <= !rst && its_port_accepts;
        its_port_accepts_2 <= !rst && its_port_accepts_1;
        its_accept_1 <= !rst && its_accept;
        its_accept_2 <= !rst && its_accept_1;
        accepts_three_before <= !rst && its_accept_2;
        open_1 <= open_there;
        open_2 <= open_1;
        open_3 <= open_2;
    end

    always @* if (began) begin
        no_port_for_two: assert (twice == 0);
        no_two_ports_for_one: assert (rows_twice == 0);
        one_accept_an_input_port: assert (accepts_twice == 0);
        granted_is_who_has_a_grant: assert (granted == once);
        if (SHORT_PACKETS != 0) begin
            freed_is_granted_to_who_lets_go: assert (freed == let_go);
        end
        a_port_or_dropped: assert ((accepts_some & ~grant_drop & ~rows_some) == 0 && (rows_some & (grant_drop | ~accepts_some)) == 0);
        if (its_accept && ran) begin
            accepts_only_packets_that_are_there: assert (accepted_valid);
            drops_those_to_be_dropped: assert (((grant_drop >> from) & 1'b1) == accepted_drop);
            never_accepted_twice: assert (!its_accept_1 && !its_accept_2);
            accepts_only_what_its_vc_can_take: assert (take_2);
            not_after_another_unless_overdue: assert (!its_port_accepts_1 || overdue_2);
        end
        if (takes && ran) begin
            no_port_that_is_held: assert (!held_1);
            a_port_of_its_sets_with_room: assert (offered_3);
            on_vcs_of_which_one_has_room: assert ((vcs_allowed & open_3) != 0);
            vcs_of_its_route: assert (vcs_allowed == accepted_adaptive_vcs || vcs_allowed == accepted_deterministic_vcs);
            ready_as_in_the_cycle_before: assert (((grant_ready >> from) & 1'b1) == ready_1 && ((grant_steady >> from) & 1'b1) == steady_1);
            for_a_ready_port_only_if_it_can_be_read: assert (!ready_3 || overdue_2 || (reads_2 && !its_port_accepts_2));
        end
    end
    always @(posedge clk) begin
        if (began && $past(rst)) begin
            nothing_after_reset: assert (accept == 0 && grant == 0 && granted == 0 && allowed == 0);
        end
        if (began && !$past(rst)) begin
            given_one_cycle_before_granted: assert (granted == $past(given));
        end
    end

    // It waits for one port all the time, which is open to it whenever it is to anyone, and which its VC can take.
    (* anyconst *) reg waiting;
    reg [4:0] uncounted;
    always @* if (began && waiting) begin
        for (w = 0; w < VCS; w = w + 1) begin
            assume (((open >> (w*PORTS + to)) & 1'b1) == (open_there != 0));
        end
        assume (its_take);
        if (its_valid) assume (!its_drop && vcs_deterministic != 0 && (adaptive >> (one*PORTS) & {PORTS{1'b1}}) == 0);
        if (its_valid) assume ((deterministic >> (one*PORTS) & {PORTS{1'b1}}) == ({{PORTS-1{1'b0}}, 1'b1} << to));
    end
    // Given to another while it has been there for long enough to be among those that ask.
    reg there, there_1, there_2, there_3;
    wire loses = there_3 && to_given;
    wire counts = ((misses >> one) & 1'b1) && !overdue;
    always @(posedge clk) begin
        there <= !rst && waiting && its_valid && !its_accept;
        there_1 <= !rst && there && !its_accept;
        there_2 <= !rst && there_1 && !its_accept;
        there_3 <= !rst && there_2 && !its_accept;
        if (rst || !its_valid || its_accept) begin
            uncounted <= 5'd0;
        end else if (loses && !counts) begin
            uncounted <= uncounted + 5'd1;
        end else if (counts && !loses && uncounted != 5'd0) begin
            uncounted <= uncounted - 5'd1;
        end
    end
    always @* if (began && !rst && waiting && its_valid) begin
        losses_are_counted_but_for_a_few: assert (WAITS == 0 || uncounted <= WAITS);
    end

    always @* if (began && !rst) begin
        a_packet_is_granted_a_port: cover (takes && to == PORTS - 1 && from == 0 && (NEXT_ROUTES != 0 || offered_adaptive));
        two_packets_in_one_cycle: cover (rows_some == {PORTS{1'b1}});
        a_packet_is_dropped: cover (its_accept && accepted_drop);
        it_loses_its_port: cover (waiting && uncounted == 5'd1);
        for_a_port_that_wakes: cover (takes && !ready_3 && !reads_2);
        if (NEXT_ROUTES != 0) begin
            one_is_accepted_three_cycles_behind_another: cover (takes && accepts_three_before);
        end
        a_chance_is_missed: cover (its_missed == 6'd2);
    end
endmodule
