// `input_port`: its link, the memories of its VCs, and the flit that is read in each cycle (docs/microarchitecture/buffers.md).
//
// Promised: a flit is read for the port that its packet
// was granted; the first one is marked and a released port is told. One packet at a time is read, from head to tail. Every flit that is read gives
// a credit of its VC in the next cycle, and no other credit comes. Wrong flits are told. With next routes (NEXT_ROUTES = 1) the packet of one VC in a cycle
// leaves its head register, if there is one and its route has a place, an accepted VC's first; a port that is let go of at once (SHORT_PACKETS = 1) is
// released with the flit that is read. What is said of flits is said of one, any that a solver
// chooses (`watch`), of one VC, likewise.
// Assumed of the allocator, in the page's words: "`accept` comes only if `head_valid`, and `holding` is 0", for one VC in a cycle; `grant` is one-hot; of
// the ports: what was `steady` may send for four cycles more. With next routes it may come at any time when `holding` is 0, with any length that a packet
// may have: which packet waits for it, `virtual_channel` and `route_register` say. Of the blocks within what is proved of them: queues of flits know whether
// they are full and whether they are empty, and a flit leaves from the place at which it was written and nothing else was since (`vc_queue`); VCs know
// whether the flits of their packet are all there, and the packet in a head register is as long as one may be (`virtual_channel`).
// Not covered: which packets are whose flits (`virtual_channel`). Where the flit memory is too large for the solver, what is read of it is not spoken of
// (STORES = 0).
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module input_port_properties #(
    parameter VC_FLITS = 8,
    parameter FLIT_BITS = 32,
    parameter MAX_PACKET_FLITS = 2,
    parameter PORTS = 2,
    parameter SHORT_PACKETS = 0,
    parameter NEXT_ROUTES = 0,
    parameter STORES = 0,
    parameter VCS = 1
) (
    input wire                 clk,
    input wire                 rst,
    input wire                 in_valid,
    input wire                 in_head,
    input wire [2:0]           in_vc,
    input wire [FLIT_BITS-1:0] in_flit,
    input wire [2:0]           in_phase,
    input wire [PORTS-1:0]     ready,
    input wire [PORTS-1:0]     steady,
    input wire [VCS-1:0]       accept,
    input wire                 drop,
    input wire [PORTS-1:0]     grant,
    input wire                 grant_ready,
    input wire                 grant_steady,
    input wire [VCS-1:0]       has_place,
    input wire [10*VCS-1:0]    accepted_length,
    input wire [VCS-1:0]       taken,
    input wire                 at_once,
    input wire [VCS-1:0]       head_valid,
    input wire                 can_read,
    input wire [PORTS-1:0]     select,
    input wire                 select_head,
    input wire                 select_release,
    input wire [FLIT_BITS-1:0] data,
    input wire                 in_credit_valid,
    input wire [2:0]           in_credit_vc,
    input wire                 dropped_packet,
    input wire                 framing_error,
    input wire                 overflow_error,
    input wire                 closed_link_flit,
    input wire [VCS-1:0]       able,
    input wire [VCS-1:0]       read,
    input wire [VCS-1:0]       vc_last,
    input wire [VCS-1:0]       reading_q,
    input wire [VCS-1:0]       pointer_q,
    input wire [VCS-1:0]       flits_full,
    input wire [VCS-1:0]       flits_some,
    input wire [10*VCS-1:0]    length,
    input wire [VCS-1:0]       holding,
    input wire [10*VCS-1:0]    remaining,
    input wire [VCS-1:0]       whole,
    input wire [12*VCS-1:0]    flit_write,
    input wire [12*VCS-1:0]    flit_read
);
    localparam [13:0] PLACES = VC_FLITS;
    localparam [2:0] ON = 3'd0, DRAINING = 3'd5;
    localparam [10:0] LONGEST = MAX_PACKET_FLITS;
    localparam HAS_NEXT = NEXT_ROUTES != 0, IS_SHORT = SHORT_PACKETS != 0;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // What the page says of the surroundings. `held`: a packet of the VC holds a port or is being dropped.
    reg [VCS-1:0] held;
    reg [PORTS-1:0] ready_before, steady_before, steady_2, steady_3, steady_4;
    always @(posedge clk) begin
        held <= rst ? 0 : (held | accept) & ~vc_last;
        ready_before <= ready;
        steady_before <= rst ? 0 : steady;
        steady_2 <= rst ? 0 : steady_before;
        steady_3 <= rst ? 0 : steady_2;
        steady_4 <= rst ? 0 : steady_3;
    end
    reg ran = 1'b0;
    always @(posedge clk) ran <= !rst;
    always @* if (began) begin
        assume ((accept & (accept - 1'b1)) == 0 && (HAS_NEXT || (accept & ~head_valid) == 0) && (accept & held) == 0);
        if (accept != 0) assume (ran && (drop || (grant != 0 && (grant & (grant - 1'b1)) == 0)));
        if (accept != 0) assume (grant_ready == ((grant & ready_before) != 0) && grant_steady == ((grant & steady_before) != 0));
        assume (((steady | steady_before | steady_2 | steady_3 | steady_4) & ~ready) == 0);
    end

    // Flits in the buffer, by VC, and what is proved of the blocks within, and would be hard to see through here: the places of a queue follow each other
    // in no simple order, and the flits in it are those of all packets whose headers are in another.
    reg  [14*VCS-1:0] stored;
    integer c;
    always @(posedge clk) for (c = 0; c < VCS; c = c + 1) begin
        if (rst) stored[14*c +: 14] <= 14'd0;
        else stored[14*c +: 14] <= stored[14*c +: 14] + {13'd0, in_valid && in_vc == c && stored[14*c +: 14] != PLACES} - {13'd0, read[c]};
    end
    integer w;
    always @* for (w = 0; w < VCS; w = w + 1) if (began) begin
        assume (flits_full[w] == (stored[14*w +: 14] == PLACES) && flits_some[w] == (stored[14*w +: 14] != 14'd0));
        if (accept[w] || holding[w]) assume (whole[w] == (stored[14*w +: 14] >= {4'd0, remaining[10*w +: 10]}));
        if (head_valid[w]) assume (length[10*w +: 10] != 10'd0 && {1'b0, length[10*w +: 10]} <= LONGEST);
    end

    // One VC, any.
    (* anyconst *) reg [2:0] one;
    always @* assume (one < VCS);
    wire [13:0] flits = stored >> 14 * one;
    wire arrives = in_valid && in_vc == one && flits != PLACES;
    wire its_read = (read >> one) & 1'b1;
    wire its_accept = (accept >> one) & 1'b1;
    wire its_credit = in_credit_valid && in_credit_vc == one;
    // The flit of it that is watched.
    (* anyseq *) reg watch;
    reg  watched, left_1, left_2;
    reg  [13:0] ahead;
    reg  [FLIT_BITS-1:0] its_flit, flit_1, flit_2;
    wire leaves = watched && its_read && ahead == 14'd0;
    // Where it is: nothing is written over it, and it leaves from there.
    reg  [11:0] its_place;
    wire [11:0] write_place = flit_write >> 12 * one, read_place = flit_read >> 12 * one;
    always @(posedge clk) if (!watched && arrives && watch) its_place <= write_place;
    always @* if (STORES != 0 && began && watched) begin
        if (arrives) assume (write_place != its_place);
        if (leaves) assume (read_place == its_place);
    end
    // The port of the packet that is read.
    reg  [PORTS-1:0] its_port;
    wire [PORTS-1:0] its_port_now = its_accept ? (drop ? {PORTS{1'b0}} : grant) : its_port;
    reg  its_first;
    wire its_first_now = its_accept || its_first;
    always @(posedge clk) begin
        left_1 <= !rst && leaves;
        left_2 <= !rst && left_1;
        flit_1 <= its_flit;
        flit_2 <= flit_1;
        its_port <= its_port_now;
        its_first <= its_first_now && !its_read;
        if (rst) begin
            watched <= 1'b0;
        end else begin
            if (!watched && arrives && watch) begin
                watched <= 1'b1;
                ahead <= flits - {13'd0, its_read};
                its_flit <= in_flit;
            end else if (watched) begin
                if (its_read) ahead <= ahead - 14'd1;
                if (leaves) watched <= 1'b0;
            end
        end
    end

    // Packets of other VCs that start while the VC could.
    reg  [4:0] passed;
    wire begins = reading_q == 0 && read != 0;
    wire could = (able >> one) & 1'b1;
    always @(posedge clk) begin
        if (rst || !could || its_read) passed <= 5'd0;
        else if (begins) passed <= passed + 5'd1;
    end

    // The length of the packet that is accepted.
    integer v;
    always @* for (v = 0; v < VCS; v = v + 1) begin
        if (began && HAS_NEXT && accept[v]) assume (accepted_length[10*v +: 10] != 10'd0 && {1'b0, accepted_length[10*v +: 10]} <= LONGEST);
    end
    wire [VCS-1:0] waits = head_valid & has_place;

    always @* begin
        if (began && HAS_NEXT) begin
            leaves_only_for_a_place: assert ((taken & ~waits) == 0);
            one_leaves_if_there_is_any: assert ((taken & (taken - 1'b1)) == 0 && (taken != 0) == (waits != 0));
            the_accepted_one_goes_first: assert ((waits & accept) == 0 || taken == (waits & accept));
        end
        if (began && IS_SHORT) begin
            at_once_only_with_an_accept: assert (!at_once || (accept != 0 && !drop && (read & accept) != 0));
        end
        if (began) begin
            one_flit_a_cycle: assert ((read & (read - 1'b1)) == 0 && (read & ~able) == 0);
            no_other_packet_between: assert (reading_q == 0 || (read & ~reading_q) == 0);
            reads_what_it_can: assert (reading_q != 0 || (read != 0) == (able != 0));
            never_more_flits_than_places: assert (flits <= PLACES);
            nothing_read_from_an_empty_buffer: assert (!its_read || flits != 14'd0);
            one_place_is_the_pointer: assert (pointer_q != 0 && (pointer_q & (pointer_q - 1'b1)) == 0);
            others_pass_it_once_each: assert (passed < VCS);
            a_full_buffer_overflows: assert (!(in_valid && in_vc == one) || overflow_error == (flits == PLACES));
            a_flit_of_no_vc_is_told: assert (!(in_valid && in_vc >= VCS) || framing_error);
            a_flit_on_a_closed_link_is_told: assert (closed_link_flit == (in_valid && in_phase != ON && in_phase != DRAINING));
            nothing_is_told_without_a_flit: assert (in_valid || (!overflow_error && !framing_error));
            dropped_packets_are_told: assert (dropped_packet == (accept != 0 && drop));
        end
    end

    always @(posedge clk) begin
        if (began && $past(rst)) begin
            nothing_after_reset: assert (!can_read && !select_head && !select_release && !in_credit_valid && select == 0 && reading_q == 0);
        end
        if (began && !$past(rst)) begin
            a_credit_for_every_flit_read: assert (in_credit_valid == ($past(read) != 0));
            a_credit_of_its_vc: assert (its_credit == $past(its_read));
            no_vc_without_a_credit: assert (in_credit_valid || in_credit_vc == 3'd0);
            data_of_a_small_memory_is_what_was_stored: assert (STORES == 0 || !left_2 || data == flit_2);
            for_one_port_at_most: assert ((select & (select - 1'b1)) == 0);
            if ($past(its_read)) begin
                for_the_port_of_its_packet: assert (select == $past(its_port_now));
                marked_if_it_is_the_head: assert (select_head == ($past(its_first_now) && select != 0));
                the_tail_releases: assert (!($past(vc_last) != 0 && select != 0) || select_release);
            end
            if (IS_SHORT && $past(at_once)) begin
                at_once_releases: assert (select_head && select_release && select != 0);
            end
            if ($past(read) == 0) begin
                nothing_selected_without_a_flit: assert (select == 0 && !select_head && !select_release);
            end
            stays_with_a_packet_to_its_tail: assert (!($past(read) != 0 && $past(vc_last) == 0) || reading_q == $past(read));
            if (ran && $past(began && ran) && $past(can_read, 2) && !$past(begins, 2) && !$past(begins)) begin
                can_read_comes_true: assert (reading_q == 0);
            end
        end
        if (began && !rst) begin
            a_watched_flit_leaves: cover (left_2 && data == 5 && flits != 0);
            it_was_stored_behind_others: cover (leaves && its_flit == 7 && flits == 14'd1 && its_port != 0);
            a_malformed_packet_is_dropped: cover (dropped_packet && framing_error);
            released_before_the_tail: cover (select_release && $past(vc_last) == 0);
            if (IS_SHORT) begin
                let_go_at_once: cover (at_once && $past(accept) == 0);
            end
            if (HAS_NEXT) begin
                one_leaves_while_another_is_accepted: cover (taken != 0 && accept != 0);
                no_place: cover (taken == 0 && head_valid != 0);
            end
            an_overflow_happens: cover (overflow_error);
            all_vcs_want_to_be_read: cover (&able && begins);
            foretold_while_it_reads: cover (can_read && reading_q != 0);
        end
    end
endmodule
