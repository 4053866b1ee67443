// `reconfiguration_controller`: what docs/microarchitecture/mechanisms/e_rapid.md promises of steps 1 to 8 of the paper's Table 1.
//
// The table of states, row by row, and `Classify`'s equations, at full widths. Beyond them what the page says in words: "only a wavelength that is offered, or that nobody has, is given to another"; of boards
// that wait for more than B_con "first [...] the one that has been given the least in this window, then [...] the one that waits most"; never more than `degree`, never to itself; a board that claims gets its own back first;
// a request that does not come back is given up in half a window, and its wavelength stays as it is. Said of one wavelength and one board, any that a solver chooses.
// Assumed: "`me`: the number of this board", one of the B; for the order of boards that `b_con`, `degree`, `by_bandwidth` and `me` stay while one wavelength is decided.
// Not covered: nothing.
// Numbers of the configuration are integers, of more bits than what they are compared with.
// verilator lint_off WIDTH
module reconfiguration_controller_properties #(
    parameter BITS_got_q = 3
) (
    input wire                     clk,
    input wire                     rst,
    input wire                     check,
    input wire                     by_bandwidth,
    input wire [2:0]               me,
    input wire [11:0]              window,
    input wire [11:0]              b_con,
    input wire [3:0]               degree,
    input wire                     sent,
    input wire                     own,
    input wire [41:0]              word,
    input wire [2:0]               state,
    input wire [5:0]               index,
    input wire [15:0]              lost_messages,
    input wire                     send,
    input wire [41:0]              message,
    input wire [3:0]               scan_q,
    input wire [11:0]              elapsed_q,
    input wire [BITS_got_q-1:0]    got_q,
    input wire [BITS_got_q-1:0]    lit_q,
    input wire [BITS_got_q-1:0]    offered_q,
    input wire [BITS_got_q-1:0]    claimed_q,
    input wire [3*BITS_got_q-1:0]  holder_q,
    input wire [12*BITS_got_q-1:0] waiting_q,
    input wire [4*BITS_got_q-1:0]  count_q,
    input wire [12*BITS_got_q-1:0] demand_q,
    input wire [4*BITS_got_q-1:0]  gained_q,
    input wire                     found_q,
    input wire [2:0]               best_q
);
    localparam B = BITS_got_q, L = B * (B - 1);
    localparam [2:0] WAIT = 3'd0, LINK_REQUEST = 3'd1, BOARD_REQUEST = 3'd2, COLLECT = 3'd3, TALLY = 3'd4, CLASSIFY = 3'd5, BOARD_RESPONSE = 3'd6, LINK_RESPONSE = 3'd7;

    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);
    always @* assume (me < B);

    // Wavelength `index`, board `scan`, board `best`: what is known of them. A board that there is not has nothing.
    wire        got = got_q >> index, lit = lit_q >> index, offered = offered_q >> index, claimed = claimed_q >> index;
    wire [2:0]  holder = holder_q >> (3 * index);
    wire [11:0] its_wait = waiting_q >> (12 * index);
    wire [3:0]  scanned_count = count_q >> (4 * scan_q), scanned_gained = gained_q >> (4 * scan_q), best_gained = gained_q >> (4 * best_q);
    wire [11:0] scanned_demand = demand_q >> (12 * scan_q), best_demand = demand_q >> (12 * best_q);
    wire        able = by_bandwidth && scan_q != me && scanned_demand > b_con && scanned_count + scanned_gained < {2'd0, degree};
    wire        better = !found_q || scanned_gained < best_gained || (scanned_gained == best_gained && scanned_demand > best_demand);
    wire        free = offered || !lit;
    wire [5:0]  first = me + index >= B ? me + index - B : me + index;
    integer w;
    reg [3:0] not_got;
    always @* begin
        not_got = 4'd0;
        for (w = 0; w < B; w = w + 1) if (!got_q[w]) not_got = not_got + 4'd1;
    end

    // The table of states: where each row leads.
    reg [2:0] to_state;
    reg [5:0] to_index;
    reg       moves, ends;
    always @* begin
        case (state)
            LINK_REQUEST, LINK_RESPONSE: moves = 1'b1;
            BOARD_REQUEST:               moves = sent;
            TALLY:                       moves = 1'b1;
            CLASSIFY:                    moves = scan_q == B;
            BOARD_RESPONSE:              moves = sent || !got;
            default:                     moves = 1'b0;
        endcase
        ends = moves && index == (state == LINK_REQUEST || state == LINK_RESPONSE ? L - 1 : B - 1);
        if (state == WAIT) ends = check;
        if (state == COLLECT) ends = not_got == 0 || elapsed_q >= window / 2;
        to_state = ends ? state + 3'd1 : state;
        to_index = ends ? 6'd0 : moves ? index + 6'd1 : index;
    end
    wire clears = state == LINK_REQUEST && ends;
    wire decides = state == CLASSIFY && scan_q == B;

    // One wavelength, and one board.
    (* anyconst *) reg [2:0] one;
    (* anyconst *) reg [2:0] board;
    always @* assume (one < B && board < B);
    wire        its_got = got_q >> one, its_lit = lit_q >> one, its_offered = offered_q >> one, its_claimed = claimed_q >> one;
    wire [2:0]  its_holder = holder_q >> (3 * one);
    wire [11:0] its_waiting = waiting_q >> (12 * one);
    wire [3:0]  board_count = count_q >> (4 * board), board_gained = gained_q >> (4 * board);
    wire [11:0] board_demand = demand_q >> (12 * board);
    wire        comes_back = (state == BOARD_REQUEST || state == COLLECT) && own && word[40:39] == 2'd1 && word[35:33] == one;
    wire        tallied = state == TALLY && got && lit && !offered && holder == board;
    wire        is_decided = decides && index == one;
    wire        given_to_best = !claimed && free && found_q;

    // What the board would have been: able when it was looked at, for the wavelength that is decided; and whether all stayed as it was.
    reg        was_able, stayed_before;
    reg [19:0] terms;
    wire       stayed = scan_q == 0 || (stayed_before && terms == {by_bandwidth, me, b_con, degree});
    always @(posedge clk) begin
        terms         <= {by_bandwidth, me, b_con, degree};
        stayed_before <= stayed;
        if (state == CLASSIFY && scan_q == board) was_able <= able;
    end
    // Cycles in Collect, this one with them, and whether the window has stayed as it is.
    reg [12:0] collecting;
    reg        window_stayed_before;
    reg [11:0] window_before;
    wire       window_stayed = collecting == 1 || (window_stayed_before && window == window_before);
    always @(posedge clk) begin
        collecting           <= rst || state != COLLECT || ends ? 13'd1 : collecting + 13'd1;
        window_before        <= window;
        window_stayed_before <= window_stayed;
    end

    always @* if (began) begin
        sends_what_the_state_says: assert (send == (state == BOARD_REQUEST || (state == BOARD_RESPONSE && got)));
        request_is_empty: assert (state == BOARD_RESPONSE || message == {3'b001, me, index[2:0], 33'd0});
        response_names_the_holder: assert (state != BOARD_RESPONSE || message == {3'b010, me, index[2:0], lit, 2'd0, holder, 27'd0});
        index_is_of_a_link_or_wavelength: assert (index < (state == LINK_REQUEST || state == LINK_RESPONSE ? L : B) && scan_q <= B);
        // Auxiliary: "index' = 0" at the end of each state.
        index_rests_at_0: assert (index == 0 || (state != WAIT && state != COLLECT));
        // "B or above, is nobody's": best is a board whenever one is found.
        best_is_a_board: assert (!found_q || best_q < B);
        // Auxiliary: it has been looked at.
        best_was_looked_at: assert (!(state == CLASSIFY && found_q) || best_q < scan_q);
        // While one wavelength is decided: the board that was able is not passed over.
        best_was_able: assert (!(state == CLASSIFY && found_q && best_q == board) || (was_able && board < scan_q));
        // Auxiliary: as long as the terms stay, a board that was able still is.
        stays_able: assert (!(state == CLASSIFY && board < scan_q && was_able && stayed)
            || (by_bandwidth && board != me && board_demand > b_con && board_count + board_gained < {2'd0, degree}));
        not_to_itself: assert (!(state == CLASSIFY && found_q && stayed) || best_q != me || scan_q == 0);
        some_board_if_one_is_able: assert (!(decides && was_able) || found_q);
        least_given_then_who_waits_most: assert (!(state == CLASSIFY && board < scan_q && was_able) || (found_q
            && (best_gained < board_gained || (best_gained == board_gained && (best_demand > board_demand || (best_demand == board_demand && best_q <= board))))));
        collects_for_half_a_window_at_most: assert (!(state == COLLECT && window_stayed) || collecting <= window / 2 + 1);
        elapsed_in_collect: assert (state == COLLECT ? collecting == elapsed_q + 13'd1 && elapsed_q <= 12'd2047 : collecting == 1);
        elapsed_before_collect: assert (state != BOARD_REQUEST || elapsed_q == 0);
    end

    always @(posedge clk) if (began) begin
        if ($past(rst)) begin
            reset_waits: assert (state == WAIT && index == 0 && scan_q == 0 && elapsed_q == 0 && got_q == 0 && lit_q == 0 && offered_q == 0 && claimed_q == 0 && holder_q == 0);
            reset_is_0: assert (waiting_q == 0 && count_q == 0 && demand_q == 0 && gained_q == 0 && !found_q && best_q == 0 && lost_messages == 0);
        end else begin
            next_state_is_the_tables: assert (state == $past(to_state) && index == $past(to_index));
            scan_is_the_tables: assert (scan_q == ($past(state == CLASSIFY) ? ($past(scan_q) == B ? 0 : $past(scan_q) + 4'd1) : $past(state == TALLY && ends) ? 0 : $past(scan_q)));
            elapsed_is_the_tables: assert (elapsed_q == ($past(clears) ? 12'd0 : $past(state == COLLECT) ? $past(elapsed_q) + 12'd1 : $past(elapsed_q)));
            lost_messages_are_those_not_back: assert (lost_messages == $past(lost_messages) + ($past(state == COLLECT && ends) ? {12'd0, $past(not_got)} : 16'd0));
            // One wavelength.
            got_once_it_is_back: assert (its_got == ($past(comes_back) || ($past(its_got) && !$past(clears))));
            request_that_is_back_is_kept: assert (!$past(comes_back) || (its_lit == $past(word[32]) && its_offered == $past(word[31]) && its_claimed == $past(word[30]) && its_holder == $past(word[29:27]) && its_waiting == $past(word[11:0])));
            nothing_else_changes_it: assert ($past(comes_back || is_decided) || (its_lit == $past(its_lit) && its_holder == $past(its_holder)));
            what_came_back_stays: assert ($past(comes_back) || (its_offered == $past(its_offered) && its_claimed == $past(its_claimed) && its_waiting == $past(its_waiting)));
            if ($past(is_decided)) begin
                not_back_stays_as_it_is: assert ($past(its_got) || (its_lit == $past(its_lit) && its_holder == $past(its_holder)));
                claimed_and_free_goes_back: assert (!$past(its_got && claimed && free) || (its_lit && its_holder == $past(first)));
                claimed_and_in_use_is_to_be_left: assert (!$past(its_got && claimed && !free) || !its_lit);
                free_goes_to_the_best: assert (!$past(its_got && given_to_best) || (its_lit && its_holder == $past(best_q)));
                unlit_goes_back_but_the_spare: assert (!$past(its_got && !claimed && free && !found_q && !lit && index != 0) || (its_lit && its_holder == $past(first)));
                else_it_stays: assert (!$past(its_got && !claimed && !(free && found_q) && (lit || index == 0)) || (its_lit == $past(its_lit) && its_holder == $past(its_holder)));
                never_two_holders: assert (!($past(its_lit && !its_offered) && its_lit) || its_holder == $past(its_holder));
            end
            // One board.
            count_is_of_wavelengths_in_use: assert (board_count == ($past(clears) ? 4'd0 : $past(board_count) + {3'd0, $past(tallied)}));
            demand_is_how_it_waits: assert (board_demand == ($past(clears) ? 12'd0 : $past(tallied) ? $past(its_wait) : $past(board_demand)));
            gained_counts_what_it_is_given: assert (board_gained == ($past(clears) ? 4'd0 : $past(board_gained) + {3'd0, $past(decides && got && given_to_best && best_q == board)}));
            within_its_degree: assert (!$past(stayed && decides && got && given_to_best && best_q == board) || {2'd0, $past(board_count)} + board_gained <= $past(degree));
            best_is_the_tables: assert (!$past(state == CLASSIFY && scan_q != B && able && better) || (found_q && best_q == $past(scan_q)));
            best_stays_else: assert ($past(state == CLASSIFY && scan_q != B && able && better) || best_q == $past(best_q));
            found_is_the_tables: assert ($past(state == CLASSIFY && scan_q != B && able && better) || found_q == (($past(state == CLASSIFY && scan_q == B) || $past(state == TALLY && ends)) ? 1'b0 : $past(found_q)));
        end
        a_wavelength_is_given_away: cover (!$past(rst) && $past(is_decided && its_got && given_to_best && best_q == board) && one != 0);
        a_claim_is_met: cover (!$past(rst) && $past(is_decided && its_got && claimed && !free) && !its_lit);
        a_message_is_lost: cover (lost_messages == 2);
        two_boards_are_able: cover (decides && found_q && was_able && best_q != board);
        all_is_over_again: cover (!$past(rst) && $past(state == LINK_RESPONSE) && state == WAIT && got_q == {B{1'b1}});
    end
endmodule
