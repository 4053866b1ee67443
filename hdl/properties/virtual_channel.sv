// `virtual_channel`: the control of one VC of an input port (docs/microarchitecture/buffers.md).
//
// Promised: every flit that finds a place is stored, every other one is an overflow; a wrong head mark is seen; what does not start a packet becomes
// a packet of one flit that is malformed. Packets come to the head register in the order in which they arrived, each with its own header, soon
// after the one before has left it. A packet that was accepted is read from its head to its tail, as many flits as it has and its own ones, for the port
// that it was granted. Once its port is released it goes on without a gap; what `can_take` and `ends` foretell comes true. In a switch for short packets
// (SHORT_PACKETS = 1) a port is let go of at once only with a flit that releases it, of a packet whose tail follows within two cycles. The middle part is
// said of one packet, any that a solver chooses (`watch`).
// Assumed, in the page's words: "`accept` comes only if `head_valid` (with next routes, NEXT_ROUTES = 1: if a route is shown), and `holding` is 0; `read` only
// if `able`", "`taken` comes only if `head_valid`", and with next routes two packets at most wait for a port outside, with their lengths, in the order in
// which they left (`route_register`); `grant` is one-hot; the memories give what was written to them; a packet that is read goes on whenever it is able
// (`input_port`: `pick = reading`); queues know whether they are full and whether they are empty, and how many entries they have where they count them
// (`vc_queue`); a port that was `steady` is ready for four cycles more ([power]).
// Not covered: larger buffers and more VCs (of two-ports, with nine flits and packets of three, the induction did not end in 240 s). Of five-flits-short
// no packet is watched, and what comes from the header memory is any header, of which there are no more than places (WATCHES = 0).
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module virtual_channel_properties #(
    parameter VC_FLITS = 8,
    parameter MAX_PACKET_FLITS = 2,
    parameter PORTS = 2,
    parameter SHORT_PACKETS = 0,
    parameter NEXT_ROUTES = 0,
    parameter COUNTS = 0,
    parameter WATCHES = 1,
    parameter BITS_header = 26
) (
    input wire                   clk,
    input wire                   rst,
    input wire                   arrive,
    input wire                   head,
    input wire [BITS_header-1:0] header,
    input wire [BITS_header:0]   fetched,
    input wire                   accept,
    input wire                   taken,
    input wire [9:0]             accepted_length,
    input wire                   drop,
    input wire [PORTS-1:0]       grant,
    input wire                   grant_ready,
    input wire                   grant_steady,
    input wire [PORTS-1:0]       ready,
    input wire [PORTS-1:0]       steady,
    input wire                   read,
    input wire                   store,
    input wire                   keep,
    input wire [BITS_header:0]   entry,
    input wire                   fetch,
    input wire                   overflow,
    input wire                   framing,
    input wire                   able,
    input wire                   last,
    input wire                   ends,
    input wire                   released,
    input wire                   at_once,
    input wire [9:0]             length_shown,
    input wire                   starts_out,
    input wire [PORTS-1:0]       port,
    input wire                   head_valid,
    input wire                   malformed,
    input wire [15:0]            destination,
    input wire [9:0]             length_q,
    input wire                   holding_q,
    input wire [9:0]             remaining_q,
    input wire [9:0]             arriving_q,
    input wire                   dropping_q,
    input wire                   first_q,
    input wire                   go_q,
    input wire                   port_steady_q,
    input wire                   fetching_q,
    input wire                   whole,
    input wire [9:0]             remaining_now,
    input wire                   flits_full,
    input wire                   flits_some,
    input wire [12:0]            flits_count,
    input wire                   headers_some,
    input wire                   can_take
);
    localparam [13:0] PLACES = VC_FLITS;
    localparam [10:0] LONGEST = MAX_PACKET_FLITS;
    localparam HAS_NEXT = NEXT_ROUTES != 0, IS_SHORT = SHORT_PACKETS != 0;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);

    // What the page says of the surroundings.
    reg ran = 1'b0;
    reg [PORTS-1:0] ready_before, steady_before, steady_2, steady_3, steady_4;
    reg under_way;
    always @(posedge clk) begin
        ran <= !rst;
        ready_before <= ready;
        steady_before <= rst ? 0 : steady;
        steady_2 <= rst ? 0 : steady_before;
        steady_3 <= rst ? 0 : steady_2;
        steady_4 <= rst ? 0 : steady_3;
        under_way <= !rst && read && !last;
    end
    // Packets that have left the head register and are not accepted, with their lengths: none without next routes.
    wire leaves = HAS_NEXT ? taken : accept;
    reg [1:0] outside;
    reg [9:0] length_first, length_second;
    wire [1:0] stay = outside - {1'b0, accept};
    always @(posedge clk) begin
        outside <= rst || !HAS_NEXT ? 2'd0 : stay + {1'b0, taken};
        if (taken && stay == 2'd0) length_first <= length_shown;
        else if (accept) length_first <= length_second;
        if (taken && stay == 2'd1) length_second <= length_shown;
    end
    always @* if (began) begin
        if (accept) assume (!holding_q && ran && (HAS_NEXT ? outside != 2'd0 && accepted_length == length_first : head_valid));
        if (HAS_NEXT && taken) assume (head_valid && ran && stay != 2'd2);
        if (read) assume (able);
        if (under_way) assume (read == able);
        if (accept) assume (drop || (grant != 0 && (grant & (grant - 1'b1)) == 0));
        if (accept) assume (grant_ready == ((grant & ready_before) != 0) && grant_steady == ((grant & steady_before) != 0));
        // A port that was steady, and one that is, may send.
        assume (((steady | steady_before | steady_2 | steady_3 | steady_4) & ~ready) == 0);
    end

    // Flits in the buffer, and what the link brings.
    reg [13:0] flits;
    reg [10:0] to_come;
    wire starting = arrive && flits != PLACES && to_come == 11'd0;
    wire [10:0] said_length = {1'b0, header[25:16]};
    wire good = head && said_length != 11'd0 && said_length <= LONGEST;
    wire [10:0] true_length = good ? said_length : 11'd1;
    always @(posedge clk) begin
        if (rst) begin
            flits <= 14'd0;
            to_come <= 11'd0;
        end else begin
            flits <= flits + {13'd0, arrive && flits != PLACES} - {13'd0, read};
            if (starting) to_come <= true_length - 11'd1;
            else if (arrive && flits != PLACES) to_come <= to_come - 11'd1;
        end
    end

    // The packet that is watched: those before it that are not accepted yet, flits before its head flit, its header.
    (* anyseq *) reg watch;
    reg        watched, its_good, its_accepted, its_drop, its_first;
    reg [13:0] ahead, flits_before, waiting, oldest_for;
    reg [10:0] its_length, its_left;
    reg [15:0] its_destination;
    reg [PORTS-1:0] its_port;
    wire oldest = watched && !its_accepted && ahead == 14'd0;
    // The next one that leaves the head register.
    wire at_head = watched && !its_accepted && ahead == {12'd0, outside};
    wire its_read = read && (its_accepted || (oldest && accept));
    wire [10:0] its_left_now = its_accepted ? its_left : its_length;
    wire its_first_now = its_accepted ? its_first : 1'b1;
    wire its_drop_now = its_accepted ? its_drop : drop;
    always @(posedge clk) begin
        if (rst) begin
            watched <= 1'b0;
            its_accepted <= 1'b0;
            waiting <= 14'd0;
            oldest_for <= 14'd0;
        end else begin
            waiting <= waiting + {13'd0, starting} - {13'd0, accept};
            oldest_for <= at_head ? oldest_for + {13'd0, !(&oldest_for)} : 14'd0;
            if (WATCHES != 0 && !watched && starting && watch) begin
                watched <= 1'b1;
                its_accepted <= 1'b0;
                ahead <= waiting - {13'd0, accept};
                flits_before <= flits - {13'd0, read};
                its_good <= good;
                its_length <= true_length;
                its_destination <= header[15:0];
            end
            if (watched) begin
                if (flits_before != 14'd0 && read) flits_before <= flits_before - 14'd1;
                if (ahead != 14'd0 && accept) ahead <= ahead - 14'd1;
                if (oldest && accept) begin
                    its_accepted <= 1'b1;
                    its_drop <= drop;
                    its_port <= drop ? {PORTS{1'b0}} : grant;
                    its_left <= its_length;
                    its_first <= 1'b1;
                end
                if (its_read) begin
                    its_left <= its_left_now - 11'd1;
                    its_first <= 1'b0;
                    if (its_left_now == 11'd1) watched <= 1'b0;
                    if (its_left_now == 11'd1) its_accepted <= 1'b0;
                end
            end
        end
    end
    // The header memory gives what was written to it, in that order (`vc_queue`).
    reg [BITS_header:0] list [0:VC_FLITS-1];
    reg [13:0] listed;
    reg [BITS_header:0] word;
    wire [13:0] list_end = listed - {13'd0, fetch};
    integer k;
    always @(posedge clk) begin
        if (fetch) begin
            word <= list[0];
            for (k = 0; k + 1 < VC_FLITS; k = k + 1) list[k] <= list[k+1];
        end
        for (k = 0; k < VC_FLITS; k = k + 1) if (keep && list_end == k) list[k] <= entry;
        listed <= rst ? 14'd0 : list_end + {13'd0, keep};
    end
    always @* if (began && WATCHES == 0) assume (listed <= PLACES);
    always @* if (began) begin
        assume (flits_full == (flits == PLACES) && flits_some == (flits != 14'd0) && (COUNTS == 0 || {1'b0, flits_count} == flits));
        assume (headers_some == (listed != 14'd0));
    end
    always @* if (began) assume (WATCHES != 0 ? fetched == word : fetched[25:16] != 10'd0 && {1'b0, fetched[25:16]} <= LONGEST);

    // Since the port was released: cycles, and whether the rest still comes.
    reg released_run;
    reg [2:0] run_age;
    always @(posedge clk) begin
        released_run <= !rst && (released || released_run) && !last;
        run_age <= released_run ? run_age + 3'd1 : 3'd1;
    end

    // The packet that is read or waits for its port: its length when it was accepted, and whether no flit of it has been read.
    reg [9:0] held_length;
    reg held_first;
    wire [9:0] held_length_now = !accept ? held_length : HAS_NEXT ? accepted_length : length_q;
    wire held_first_now = accept || held_first;
    always @(posedge clk) begin
        held_length <= held_length_now;
        held_first <= held_first_now && !read;
    end

    // Since the port was let go of at once: one cycle, two.
    reg at_once_1, at_once_2;
    always @(posedge clk) begin
        at_once_1 <= !rst && at_once && !last;
        at_once_2 <= !rst && at_once_1 && !last;
    end

    // Auxiliary, for the induction: what waits, from outside and the head register on, and how many flits that is.
    reg [13:0] sum, sum_before, index;
    reg [BITS_header:0] own, nth;
    reg lengths_good;
    wire some_first = head_valid || fetching_q;
    wire [BITS_header:0] shown = head_valid ? {malformed, {BITS_header-26{1'b0}}, length_q, destination} : word;
    always @* begin
        sum = holding_q ? {4'd0, remaining_q} : 14'd0;
        sum_before = sum;
        lengths_good = !holding_q || (remaining_q != 10'd0 && {1'b0, remaining_q} <= LONGEST);
        if (outside != 2'd0) begin
            sum = sum + {4'd0, length_first};
            if (ahead > 14'd0) sum_before = sum_before + {4'd0, length_first};
            lengths_good = lengths_good && length_first != 10'd0 && {1'b0, length_first} <= LONGEST;
        end
        if (outside == 2'd2) begin
            sum = sum + {4'd0, length_second};
            if (ahead > 14'd1) sum_before = sum_before + {4'd0, length_second};
            lengths_good = lengths_good && length_second != 10'd0 && {1'b0, length_second} <= LONGEST;
        end
        if (some_first) begin
            sum = sum + {4'd0, shown[25:16]};
            if (ahead > {12'd0, outside}) sum_before = sum_before + {4'd0, shown[25:16]};
            lengths_good = lengths_good && shown[25:16] != 10'd0 && {1'b0, shown[25:16]} <= LONGEST;
        end
        nth = shown;
        for (index = 14'd0; index < VC_FLITS; index = index + 14'd1) begin
            if (index < listed) begin
                sum = sum + {4'd0, list[index][25:16]};
                if (ahead > index + 14'd1 + outside) sum_before = sum_before + {4'd0, list[index][25:16]};
                lengths_good = lengths_good && list[index][25:16] != 10'd0 && {1'b0, list[index][25:16]} <= LONGEST;
            end
            if (ahead == index + 14'd1 + outside) nth = list[index];
        end
    end
    wire [9:0] length_outside = ahead == 14'd0 ? length_first : length_second;
    wire waits_outside = ahead < {12'd0, outside};
    reg could_take;
    always @(posedge clk) could_take <= !rst && can_take && !accept;
    wire [PORTS-1:0] steady_then = run_age == 3'd1 ? steady_2 : run_age == 3'd2 ? steady_3 : steady_4;
    always @* if (began) begin
        no_more_headers_than_places: assert (listed <= PLACES);
        counts_what_is_to_come: assert ({1'b0, arriving_q} == to_come && to_come < LONGEST);
        one_place_for_the_oldest: assert (!(head_valid && fetching_q) && (listed == 14'd0 || some_first));
        knows_how_many_wait: assert (waiting == listed + {13'd0, some_first} + {12'd0, outside});
        if (WATCHES != 0) begin
            lengths_are_in_range: assert (lengths_good);
            flits_are_those_of_the_packets: assert (flits + {3'd0, to_come} == sum);
            whole_if_no_flit_is_missing: assert (!(accept || holding_q) || whole == (flits >= {4'd0, remaining_now}));
        end
        if (IS_SHORT && LONGEST > 11'd4) begin
            lengths_at_the_head_are_in_range: assert (!head_valid || (length_q != 10'd0 && {1'b0, length_q} <= LONGEST));
            lengths_outside_are_in_range: assert ((outside == 2'd0 || (length_first != 10'd0 && {1'b0, length_first} <= LONGEST)) && (outside != 2'd2 || (length_second != 10'd0 && {1'b0, length_second} <= LONGEST)));
            a_held_one_is_as_long_as_it_was: assert (!holding_q || (remaining_q != 10'd0 && {1'b0, remaining_q} <= LONGEST && first_q == held_first && (!first_q || remaining_q == held_length)));
        end
        go_is_of_a_port: assert (go_q == (holding_q && (dropping_q || (port & ready_before) != 0)));
        steady_is_of_the_port: assert (!holding_q || port_steady_q == ((port & steady_before) != 0));
        holds_while_it_is_read: assert (!under_way || holding_q);
        no_port_if_dropped: assert (!holding_q || dropping_q == (port == 0));
        if (WATCHES != 0) if (watched && !its_accepted) begin
            the_watched_one_waits: assert (ahead < waiting && its_length != 11'd0 && its_length <= LONGEST);
            its_length_waits: assert ((waits_outside ? length_outside : nth[25:16]) == its_length[9:0]);
            its_header_waits: assert (waits_outside || (nth[15:0] == its_destination && nth[BITS_header] == !its_good));
            flits_before_it: assert (flits_before == sum_before);
        end
        if (WATCHES != 0) if (watched && its_accepted) begin
            the_watched_one_is_held: assert (holding_q && its_left == {1'b0, remaining_q} && its_drop == dropping_q && its_first == first_q && flits_before == 14'd0);
        end
        a_watched_one_if_accepted: assert (!its_accepted || watched);
        if (released_run) begin
            the_rest_is_sure: assert (holding_q && under_way && !dropping_q && flits >= {4'd0, remaining_q} && go_q && run_age >= 3'd1 && {7'd0, run_age} + remaining_q <= 10'd5 && (run_age == 3'd4 || (port & steady_then) != 0));
        end
        if (can_take && holding_q) begin
            two_flits_left_if_foretold: assert (under_way && remaining_q <= 10'd2 && go_q && flits >= {4'd0, remaining_q} && (dropping_q || (port & steady_2) != 0));
        end
        if (could_take && holding_q) begin
            one_flit_left_if_foretold: assert (under_way && remaining_q == 10'd1 && go_q && flits != 14'd0);
        end
        two_wait_outside_at_most: assert (outside != 2'd3);
        short_after_at_once: assert ((!at_once_1 || (released_run && remaining_q <= 10'd2)) && (!at_once_2 || (released_run && remaining_q == 10'd1)));
        if (WATCHES != 0) if (at_head) begin
            not_long_before_the_head_register: assert (head_valid || (fetching_q && oldest_for < 14'd2));
        end
    end

    always @* begin
        if (began) begin
            stored_unless_full: assert (store == (arrive && flits != PLACES));
            overflow_if_full: assert (overflow == (arrive && flits == PLACES));
            never_more_flits_than_places: assert (flits <= PLACES);
            wrong_head_marks_are_seen: assert (framing == (store && (to_come == 11'd0) != head));
            able_only_with_a_flit_and_a_port: assert (!able || (flits != 14'd0 && (accept || holding_q)));
            last_ends_before_released_with_a_flit: assert (read || !(last || ends || released || starts_out));
            the_tail_releases_a_port: assert (!(last && (accept ? !drop : port != 0)) || released);
        end
        if (began) begin
            shows_none_twice: assert (!head_valid || waiting > {12'd0, outside});
            if (IS_SHORT) begin
                at_once_only_with_a_flit_that_releases: assert (!at_once || (accept && !drop && read && released));
                tail_two_cycles_after_at_once: assert (!at_once_2 || last);
            end
        end
        if (IS_SHORT && LONGEST > 11'd4) if (began && !rst) begin
            one_of_five_keeps_its_port_with_its_first: assert (!(read && held_first_now && held_length_now == 10'd5 && released));
        end
        if (WATCHES != 0) if (began && !rst && at_head) begin
            its_header_is_shown: assert (!head_valid || (malformed == !its_good && destination == its_destination && {1'b0, length_q} == its_length));
            if (HAS_NEXT) begin
                its_length_is_shown: assert (!head_valid || {1'b0, length_shown} == its_length);
            end
            soon_in_the_head_register: assert (head_valid || oldest_for < 14'd2);
        end
        if (WATCHES != 0) if (began && !rst && its_read) begin
            its_head_is_its_first_flit: assert (flits_before == 14'd0);
            last_with_its_tail: assert (last == (its_left_now == 11'd1));
            starts_out_with_its_head: assert (starts_out == (its_first_now && !its_drop_now));
            dropped_ones_release_nothing: assert (!(its_drop_now && released));
            if (IS_SHORT) begin
                at_once_if_it_has_three_flits_at_most: assert (at_once == (accept && released && its_length <= 11'd3));
            end
        end
        if (WATCHES != 0) if (began && !rst && its_accepted) begin
            its_port_stays: assert (port == its_port);
        end
        if (WATCHES != 0) if (began && !rst && watched && !its_accepted && !(oldest && accept)) begin
            its_flits_stay: assert (!read || flits_before != 14'd0);
        end
    end

    always @(posedge clk) begin
        if (began && $past(rst)) begin
            empty_after_reset: assert (!head_valid && !holding_q && can_take && !malformed && destination == 16'd0 && length_q == 10'd0 && port == 0);
        end
        if (began && !rst && ran) begin
            if ($past(began) && $past(ran) && $past(can_take, 2) && !$past(accept, 2) && !$past(accept)) begin
                can_take_comes_true: assert (!holding_q);
            end
            if (released_run) begin
                no_gap_once_released: assert (read);
            end
            if (WATCHES != 0) if ($past(its_read)) begin
                port_in_the_cycle_after: assert (port == its_port);
            end
        end
    end

    always @* begin
        if (began && !rst) begin
            if (WATCHES != 0) begin
                watched_one_waits_in_memory: cover (at_head && leaves && its_length == LONGEST && oldest_for != 0 && its_destination == 16'd5 && !drop);
                watched_one_is_fetched: cover (fetching_q && at_head && flits_before != 14'd0);
                a_malformed_one_is_dropped: cover (its_read && its_drop_now && !its_good && last);
            end
            an_overflow_happens: cover (overflow);
            framing_happens_inside: cover (framing && head);
            framing_happens_at_a_start: cover (framing && !head);
            released_early: cover (released && !last);
            foretold_early: cover (can_take && holding_q);
            if (HAS_NEXT && WATCHES != 0) begin
                two_wait_outside: cover (outside == 2'd2 && head_valid && listed != 14'd0 && waits_outside && ahead == 14'd1);
            end
            if (IS_SHORT) begin
                let_go_at_once: cover (at_once && !last);
            end
            if (IS_SHORT && LONGEST > 11'd4) begin
                one_of_five_releases_with_its_second: cover (read && released && !accept && !held_first && held_length == 10'd5 && remaining_q == 10'd4);
            end
            waits_for_its_port: cover (holding_q && !able && flits != 0);
        end
    end
endmodule
