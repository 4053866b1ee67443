// `hint_choice`: which port a hint wakes (docs/microarchitecture/mechanisms/wake_hints.md).
//
// Promised: one hint a cycle is taken, of a port where one waits, and only then does a port wake, three cycles later: a hint is never invented, and its address is the
// one that waited. The port may be given to a packet, is in P or D, and is one that such a packet would take.
//
// With a routing table (LOOKS_UP = 1) the row of that address is asked for when the hint is taken, and the row that is there in the next cycle says where it may go.
//
// What P and D are of an address is said beside the routing unit; here they are what stands in the registers.
module hint_choice_properties #(
    parameter PORTS = 4,
    parameter VCS = 4,
    parameter ROW_BITS = 14,
    parameter LOOKS_UP = 0
) (
    input wire                clk,
    input wire                rst,
    input wire [PORTS-1:0]    waiting,
    input wire [16*PORTS-1:0] destination,
    input wire [PORTS-1:0]    grantable,
    input wire [PORTS-1:0]    preferred,
    input wire [32*((ROW_BITS+31)/32)-1:0] lookup_row,
    input wire                lookup,
    input wire [15:0]         lookup_address,
    input wire [PORTS-1:0]    take,
    input wire [PORTS-1:0]    wake,
    input wire [15:0]         address,
    input wire [15:0]         taken_address_q,
    input wire [5:0]          taken_port_q,
    input wire                taken_q,
    input wire [PORTS-1:0]    adaptive_q,
    input wire [PORTS-1:0]    deterministic_q,
    input wire [15:0]         routed_address_q
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    function one_or_none(input [PORTS-1:0] bits);
        one_or_none = (bits & (bits - {{PORTS-1{1'b0}}, 1'b1})) == {PORTS{1'b0}};
    endfunction

    // The address and the port of the hint that is taken.
    reg [15:0] its_address;
    reg [5:0]  its_port;
    integer    p;
    always @* begin
        its_address = 16'd0;
        its_port    = 6'd0;
        for (p = 0; p < PORTS; p = p + 1) begin
            if (take[p]) its_address = destination[16*p +: 16];
            if (take[p]) its_port    = p[5:0];
        end
    end

    // What was taken one, two and three cycles ago.
    reg        taken_1, taken_2, taken_3;
    reg [15:0] address_1, address_2, address_3;
    always @(posedge clk) begin
        taken_1   <= !rst && take != 0;
        taken_2   <= !rst && taken_1;
        taken_3   <= !rst && taken_2;
        address_1 <= rst ? 16'd0 : its_address;
        address_2 <= rst ? 16'd0 : address_1;
        address_3 <= rst ? 16'd0 : address_2;
    end

    // Ports that a packet may be given, and those of them that come first.
    wire [PORTS-1:0] of_p  = adaptive_q & grantable;
    wire [PORTS-1:0] of_d  = deterministic_q & grantable;
    wire [PORTS-1:0] open  = of_p != 0 ? of_p : of_d;
    wire [PORTS-1:0] best  = (open & preferred) != 0 ? open & preferred : open;
    wire [PORTS-1:0] lowest = best & (~best + {{PORTS-1{1'b0}}, 1'b1});

    // The sets of the row that is looked at.
    localparam NUMBER_BITS = $clog2(PORTS);
    localparam HAS_TABLE = LOOKS_UP != 0;
    wire [NUMBER_BITS-1:0] row_port = lookup_row[PORTS +: NUMBER_BITS];
    wire [VCS-1:0] row_vcs = lookup_row[PORTS+NUMBER_BITS +: VCS];
    wire [VCS-1:0] row_port_vcs = lookup_row[PORTS+NUMBER_BITS+VCS +: VCS];
    wire [PORTS-1:0] row_adaptive = row_vcs == 0 ? {PORTS{1'b0}} : lookup_row[PORTS-1:0];
    wire [PORTS-1:0] row_deterministic = row_port_vcs == 0 ? {PORTS{1'b0}} : {{PORTS-1{1'b0}}, 1'b1} << row_port;

    always @* if (began) begin
        one_hint_is_taken: assert (one_or_none(take) && (take & ~waiting) == 0);
        some_hint_is_taken: assert (waiting == 0 || take != 0);
        one_port_wakes: assert (one_or_none(wake));
        no_port_wakes_without_a_hint: assert (wake == 0 || taken_3);
        the_address_is_that_of_the_hint: assert (address == address_3);
        the_row_of_the_hint_is_asked_for: assert (!HAS_TABLE || (lookup == (take != 0) && lookup_address == its_address));
        // Auxiliary: what is under way.
        taken_is_on_its_way: assert (taken_q == taken_1 && taken_address_q == address_1 && routed_address_q == address_2);
        sets_are_of_a_hint: assert (taken_2 || (adaptive_q == 0 && deterministic_q == 0));
    end
    always @(posedge clk) if (began && $past(rst)) begin
        nothing_is_under_way_behind_a_reset: assert (wake == 0 && !taken_q && adaptive_q == 0 && deterministic_q == 0);
    end
    always @(posedge clk) if (began && !$past(rst)) begin
        a_port_that_wakes_may_be_given: assert ((wake & ~$past(grantable)) == 0);
        it_is_the_one_a_packet_would_take: assert (wake == $past(lowest));
        a_hint_that_no_port_may_be_taken_for_ends: assert (!$past(open == 0) || wake == 0);
        it_goes_where_its_row_says: assert (!HAS_TABLE || !$past(taken_q) || (adaptive_q == $past(row_adaptive) && deterministic_q == $past(row_deterministic)));
        the_port_it_came_in_at: assert (taken_port_q == $past(its_port));
    end

    always @* if (began && !rst) begin
        a_port_wakes: cover (wake != 0 && address != 16'd0);
        of_two_the_preferred_one: cover ((of_p & preferred) != 0 && lowest != (of_p & (~of_p + {{PORTS-1{1'b0}}, 1'b1})));
        none_may_be_given: cover (taken_2 && open == 0 && (adaptive_q | deterministic_q) != 0);
        all_wait: cover (&waiting);
    end
endmodule
